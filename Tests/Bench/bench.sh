#!/bin/sh
# Times a no-op submission, whole process, beside task-spooler's; prints medians of 7 alternating
# rounds of 40. Usage: bench.sh JOBRUN. Both run two jobs at a time; each round ends drained.
set -eu
jobrun=$1
rounds=7
each=40
home=$(mktemp -d)
export JOBRUN_HOME="$home/jobrun" TS_SOCKET="$home/tsp.socket" TMPDIR="$home"
tsp=$(command -v tsp || true)

finish() {
  "$jobrun" runner stop >/dev/null 2>&1 || true
  [ -z "$tsp" ] || "$tsp" -K >/dev/null 2>&1 || true
  rm -rf "$home"
}
trap finish EXIT

mkdir -p "$JOBRUN_HOME"
echo '{"slots": 2}' >"$JOBRUN_HOME/config.json"
[ -z "$tsp" ] || "$tsp" -S 2

# Microseconds for one submission, on average over a round; the shell's fork and exec included.
jobrun_round() {
  start=$(date +%s%N)
  for _ in $(seq $each); do "$jobrun" run --detach -- true >/dev/null 2>&1; done
  end=$(date +%s%N)
  echo $(((end - start) / each / 1000))
  "$jobrun" list --json | sed -n 's/.*"number":\([0-9]*\),.*/\1/p' |
    xargs -r "$jobrun" wait >/dev/null 2>&1 || true
}

tsp_round() {
  start=$(date +%s%N)
  for _ in $(seq $each); do "$tsp" -n true >/dev/null 2>&1; done
  end=$(date +%s%N)
  echo $(((end - start) / each / 1000))
  "$tsp" -w >/dev/null 2>&1 || true
  "$tsp" -C
}

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

jobrun_round >/dev/null # The first submission starts the runner.
[ -z "$tsp" ] || tsp_round >/dev/null
for _ in $(seq $rounds); do
  jobrun_round >>"$home/jobrun.times"
  [ -z "$tsp" ] || tsp_round >>"$home/tsp.times"
done

ours=$(median "$home/jobrun.times")
echo "jobrun run --detach -- true   $ours us"
if [ -n "$tsp" ]; then
  theirs=$(median "$home/tsp.times")
  echo "tsp -n true                   $theirs us"
  awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "ratio                         %.2f (budget 1.50)\n", a / b }'
else
  echo "tsp                           not installed, nothing to compare with"
fi
