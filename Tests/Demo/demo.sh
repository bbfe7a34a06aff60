#!/bin/sh
# The main job as a person does it: a real folder into one archive, with its live line.
# Usage: demo.sh JOBRUN [FOLDER]. Keeps its state apart from yours, under .build/demo/home.
set -eu
jobrun=$1
source=${2:-}
demo=$PWD/.build/demo
export JOBRUN_HOME="${JOBRUN_HOME:-$demo/home}"
mkdir -p "$demo"

if [ -z "$source" ]; then
  source=$demo/folder
  if [ ! -e "$demo/folder.made" ]; then
    echo "Making a folder to export in $source ..." >&2
    Tests/Demo/folder.sh "$source"
    : >"$demo/folder.made"
  fi
fi
archive=$demo/$(basename "$source").tar.gz
rm -f "$archive"

files=$(find "$source" ! -type d | wc -l)
echo "State of this demo: JOBRUN_HOME=$JOBRUN_HOME" >&2
echo "\$ jobrun submit export --title 'Demo export' -- $source $archive" >&2

# A handler, not "ignore": a job must not inherit ignored signals. jobrun itself answers Ctrl-C.
trap : INT
status=0
"$jobrun" submit export --title "Demo export" --subtitle "$files files" \
  -- "$source" "$archive" || status=$?

echo >&2
case $status in
0)
  echo "The archive: $archive ($(du -m "$archive" | cut -f 1) MB)" >&2
  echo "Look into it:  tar -tzf '$archive' | head" >&2
  echo "The job again: JOBRUN_HOME='$JOBRUN_HOME' $jobrun list --all" >&2
  ;;
122)
  number=$("$jobrun" list --json | sed -n 's/^{"number":\([0-9]*\),.*/\1/p' | tail -n 1)
  echo "It goes on. See it: JOBRUN_HOME='$JOBRUN_HOME' $jobrun attach $number" >&2
  exit 0
  ;;
*) echo "The job ended with $status; there is no archive." >&2 ;;
esac
if [ -z "$("$jobrun" list --json)" ]; then
  "$jobrun" runner stop 2>/dev/null || true
fi
exit $status
