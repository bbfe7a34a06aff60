#!/usr/bin/env bash
# Builds everything for a sanitizer and runs the suites: sanitize.sh thread|address JOBS.
#
# The executables that the tests start are built for it, too. What a sanitizer must be told is in
# thread.c and address.c beside this, which are linked into all of them.
# Left out:
# - both: TidyTests, which read the sources and run nothing of them.
# - thread: JobCoreTests, JobWireTests and JobRecognitionTests. What they test are values without any
#   thread, and their random runs alone would take longer than all other suites together.
# - thread: ReadySupervisorTests. No process copies itself there (clinux_fork_sibling), because a copy
#   lacks the sanitizer's own thread: every supervisor is executed afresh, and none stands ready.
# - thread: the test where files may not grow. As a program starts, the sanitizer writes a file of half
#   a mebibyte, by which that limit ends or breaks every program before its first line.
set -euo pipefail
sanitizer=$1 jobs=$2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
case $sanitizer in
  thread)
    scratch=.build-tsan
    skip='TidyTests|JobCoreTests|JobWireTests|JobRecognitionTests|ReadySupervisorTests'
    skip+='|where files may not grow' ;;
  address) scratch=.build-asan skip=TidyTests ;;
  *) echo "usage: sanitize.sh thread|address JOBS" >&2; exit 64 ;;
esac
mkdir -p "$scratch"
clang -std=c17 -Wall -Wextra -Werror -O1 -g -fPIC \
  -c "Tests/Sanitize/$sanitizer.c" -o "$scratch/$sanitizer.o"
export SWIFT_BACKTRACE=enable=no
exec swift test --disable-xctest --jobs "$jobs" --sanitize="$sanitizer" --scratch-path "$scratch" \
  -Xlinker "$PWD/$scratch/$sanitizer.o" --skip "$skip"
