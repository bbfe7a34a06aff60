#!/usr/bin/env bash
# Runs the fuzz targets one after the other: fuzz.sh EXECUTABLE SECONDS [TARGET ...].
# The corpus of a run grows beside the build; what crashes a reader is left there, too, and belongs
# among the seeds with its regression test.
set -euo pipefail
executable=$1 seconds=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(dirname "$(dirname "$executable")")/corpus
# Swift's backtracer would stop inside libFuzzer's own handling of a crash, and wait there for ever.
export SWIFT_BACKTRACE=enable=no
if [ $# -eq 0 ]; then
  mapfile -t targets < <("$executable")
else
  targets=("$@")
fi
failed=0
for target in "${targets[@]}"; do
  mkdir -p "$work/$target"
  log=$work/$target.log
  if "$executable" "$target" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$work/$target-" \
    "$work/$target" "$here/seeds/$target" >"$log" 2>&1; then
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$target: $executions executions in $seconds s, no crash"
  else
    failed=1
    echo "$target: CRASHED; see $log" >&2
    tail -n 20 "$log" >&2
  fi
done
exit $failed
