#!/bin/sh
# Makes a folder to export: about 5,700 files and 230 MB of notes and "photos" in nested
# folders: the same names, sizes and notes on every run.
set -eu
target=$1
noise=$target.noise
rm -rf "$target" "$noise"
mkdir -p "$target"

# A photo looks like noise to a compressor.
head -c 19500000 /dev/urandom >"$noise"

# One album per size: real collections mix thumbnails with originals.
album() {
  folder="$target/photos/$1"
  mkdir -p "$folder"
  split -b "$2" -a 4 --numeric-suffixes=1 --additional-suffix=.jpg "$noise" "$folder/IMG_"
}
album "2019/Lisbon, spring" 40K
album "2019/thumbnails" 56K
album "2020/garden" 72K
album "2020/Königssee" 96K
album "2021/moving house" 120K
album "2022/Trip to the north/day 1" 160K
album "2022/Trip to the north/day 2" 256K
album "2023/birthday" 400K
album "2024/concert" 700K
album "2025/scans" 1200K
album "2026/drone" 2000K
rm -f "$noise"

# 4,000 notes of a few words to a few pages, twenty folders with ten drawers each.
seq 1 20 | while read -r year; do
  for drawer in 0 1 2 3 4 5 6 7 8 9; do echo "$target/notes/$((2006 + year))/drawer $drawer"; done
done | tr '\n' '\0' | xargs -0 mkdir -p
LC_ALL=C awk -v target="$target" '
  function random(limit) { state = (state * 69069 + 12345) % 4294967296; return int(state / 65536) % limit }
  BEGIN {
    state = 20260101
    count = split("the a of and light water paper morning train list garden window letter blue " \
      "seven little remember because between mountain kettle after before under quiet bring call " \
      "write answer number street river bread salt copper winter tomorrow ticket battery", words, " ")
    for (note = 1; note <= 4000; note++) {
      file = sprintf("%s/notes/%d/drawer %d/note %04d.md", target, 2007 + note % 20, random(10), note)
      printf "# Note %d\n\n", note > file
      lines = 1 + random(180)
      for (line = 0; line < lines; line++) {
        text = words[1 + random(count)]
        for (word = random(14); word > 0; word--) text = text " " words[1 + random(count)]
        print text "." > file
      }
      close(file)
    }
  }'

# What a real folder also holds.
: >"$target/notes/empty"
ln -s "notes/2007" "$target/first year"
mkdir "$target/nothing in here"
