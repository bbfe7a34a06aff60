#!/usr/bin/env bash
# Builds and runs the suites under a sanitizer: sanitize.sh thread|address JOBS.
#
# What a sanitizer cannot work with, each left out of its run by name:
# - thread: its runtime turns vfork(2) into fork(2), so that a child whose program cannot be started
#   has no way to tell its parent why (CLinux writes it into the memory that both share). Left out are
#   the tests of that sentence; every successful start is the same under fork(2).
# - both: the runtime takes SIGSEGV and SIGILL for itself, so that a crash on purpose is a report and
#   another status; left out is the test of a driver that crashes.
# - address: leak checks are off, because they need ptrace(2), which many containers forbid; and what
#   Swift keeps to the end of the process is no leak.
# Static executables do not work with either, so that the debug build is used.
set -euo pipefail
sanitizer=$1 jobs=$2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
without_status='a program that cannot be executed is told|a folder that is gone and a log that cannot'
without_status+='|a helper that is missing or answers|without a place for the announcement'
without_status+='|a missing folder is told as such|a program that is missing is told|a file that may not be executed is refused'
crashes='a driver that crashes takes only the helper'
case $sanitizer in
  thread) scratch=.build-tsan skip="$without_status|$crashes" ;;
  address) scratch=.build-asan skip=$crashes ;;
  *) echo "usage: sanitize.sh thread|address JOBS" >&2; exit 64 ;;
esac
export TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/Tests/Sanitize/thread.suppressions"
export ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no
# Tidiness is no matter of memory, and real processes take too long under a sanitizer.
exec swift test --disable-xctest --jobs "$jobs" --sanitize="$sanitizer" --scratch-path "$scratch" \
  --skip "$skip" --skip TidyTests --skip EndToEndTests
