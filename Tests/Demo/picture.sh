#!/bin/sh
# The picture of README, from a real run: an export with its progress line, then watch.
# Usage: picture.sh JOBRUN FOLDER PICTURE. The terminal is one of tmux, 92 by 16.
set -eu
jobrun=$(realpath "$1")
folder=$2
picture=$(realpath -m "$3")
drawing=$PWD/Tests/Demo/picture.awk
work=$(mktemp -d)
export JOBRUN_HOME="$work/home" PATH="$(dirname "$jobrun"):$PATH" HOME="$work" LC_ALL=C.UTF-8
unset TMUX

terminal() { tmux -L "jobrun-picture-$$" -f /dev/null "$@"; }
finish() {
  terminal kill-server 2>/dev/null || true
  jobrun runner stop --discard >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

[ -e "$folder" ] || Tests/Demo/folder.sh "$folder"
ln -s "$(realpath "$folder")" "$work/trip"
mkdir "$work/frames"
cd "$work"
jobrun slots 4 >/dev/null

frame=0
# shoot COUNT SECONDS: keeps what the terminal shows, so many times.
shoot() {
  for _ in $(seq "$1"); do
    frame=$((frame + 1))
    terminal capture-pane -p -e >"$work/frames/$(printf %03d $frame)"
    sleep "$2"
  done
}
# enter WORDS: as a person types them, then Enter.
enter() {
  terminal send-keys -l "$1"
  shoot 1 0
  terminal send-keys Enter
}

terminal new-session -d -x 92 -y 16 "PS1='$ ' sh -i"
terminal set-option -g status off
sleep 1
enter 'jobrun submit export --title "Trip 2026" -- trip/ trip.tar.gz'
shoot 1 0.4
limit=40
while [ "$limit" -gt 0 ] && [ -n "$(jobrun list --json)" ]; do
  shoot 1 0.5
  limit=$((limit - 1))
done
shoot 3 0.4

jobrun run --detach --title "Train the model" -- \
  sh -c 'for e in $(seq 80); do echo "epoch $e/80"; sleep 0.5; done' >/dev/null
jobrun run --detach --title "Render, 4K" -- \
  sh -c 'for f in $(seq 240); do echo "frame $f/240"; sleep 0.2; done' >/dev/null
jobrun run --detach --title "Nightly backup" -- \
  sh -c 'for m in $(seq 60); do echo "$m/60 MB"; sleep 0.25; done; sleep 30' >/dev/null
jobrun run --detach --title "Upload to the archive" -- \
  sh -c 'for p in $(seq 100); do echo "$p%"; sleep 0.3; done' >/dev/null
jobrun run --detach --title "Checksums" --after @ -- true >/dev/null
sleep 4
enter 'jobrun watch'
sleep 1
shoot 12 0.7
terminal send-keys q

LC_ALL=C awk -f "$drawing" "$work"/frames/* >"$work/picture.svg"
mv "$work/picture.svg" "$picture"
echo "$picture: $(wc -c <"$picture") bytes, $frame frames" >&2
