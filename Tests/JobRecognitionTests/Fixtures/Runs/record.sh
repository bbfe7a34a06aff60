#!/bin/sh
# Records the casts beside this file with record.py: what real programs write, when, and how far they
# really are.
#
#   sh record.sh [NAME ...]      all of them, or those that are named
#
# Needs the packages pv qemu-utils handbrake-cli gdal-bin restic rsync ninja-build p7zip-full ffmpeg
# borgbackup aria2 yt-dlp gddrescue wget curl cmake make rclone pigz zstd e2fsprogs git zip
# cargo, and a Python ($PYTHON) with tqdm, keras, jax, pytest, rich. Files named by-hand-* were
# written from documentation and are not made here.
. "$(dirname "$0")/recording.sh"
PYTHON=${PYTHON:-python3}
noise big 12000000; noise large 60000000
mkdir files; for i in 1 2 3 4 5 6; do noise files/$i 12000000; done
cat > serve.py <<'PYTHON'
import http.server, time
class Slow(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self): self.send_response(200); self.send_header("Content-Length", "12000000"); self.send_header("Content-Type", "video/mp4"); self.end_headers()
    def do_GET(self):
        self.do_HEAD()
        with open("big", "rb") as file:
            while block := file.read(100000): self.wfile.write(block); time.sleep(0.05)
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", 8766), Slow).serve_forever()
PYTHON
python3 serve.py > /dev/null 2>&1 & server=$!
sleep 1
url=http://127.0.0.1:8766/big.mp4

# Files that tell, or must not.
run gzip --files --read 60000000 -- gzip -kf large
run zip --files --slow 0.6 --read 72000000 -- zip -r out.zip files
rm -f out.zip
cp large large2; sleep 1.1
run cat-two --files --slow 0.05 --read 240000000 -- sh -c 'cat large large2 | sha256sum'
run sha256sum --files --slow 0.05 --read 60000000 -- sha256sum large
export RESTIC_REPOSITORY=$work/restic RESTIC_PASSWORD=x
{ wanted restic || wanted restic-pty; } && restic -q init > /dev/null 2>&1
run restic --files --slow 0.4 -- restic backup files
run restic-pty --pty --says '([0-9.]+)%' -- restic backup --limit-upload 12000 --force files
rm -rf restic; wanted restic-json && restic -q init > /dev/null 2>&1
RESTIC_PROGRESS_FPS=4 run restic-json --slow 0.4 --from percent_done -- restic backup --json --force files

# Passes, epochs, rounds.
noise shredded 300000000
run shred --slow 0.12 --written 900000000 -- shred -v -n 3 shredded
rm -f shredded
run tqdm -- $PYTHON -c 'import time, tqdm
for _ in tqdm.tqdm(range(60)): time.sleep(0.1)'
run tqdm-nested -- $PYTHON -c 'import time, tqdm
for _ in tqdm.tqdm(range(5), desc="outer"):
  for _ in tqdm.tqdm(range(20), desc="inner", leave=False): time.sleep(0.06)'
run tqdm-epochs -- $PYTHON -c 'import time, tqdm
for e in range(3):
  for _ in tqdm.tqdm(range(20), desc=f"Epoch {e + 1}/3"): time.sleep(0.1)'
run tqdm-rounds --says '([0-9]+)%' -- $PYTHON -c 'import time, tqdm
for e in range(3):
  for _ in tqdm.tqdm(range(20), desc="train"): time.sleep(0.1)'
export KERAS_BACKEND=jax
run keras --from ' 1/20' --to '20/20' -- $PYTHON -c 'import keras, time, numpy as np
class Nap(keras.callbacks.Callback):
  def on_train_batch_end(self, batch, logs=None): time.sleep(0.06)
m = keras.Sequential([keras.layers.Dense(1)]); m.compile("sgd", "mse")
m.fit(np.zeros((160, 4)), np.zeros((160, 1)), batch_size=8, epochs=5, callbacks=[Nap()])'
run keras-pty --pty --from ' 1/20' --to '20/20' -- $PYTHON -c 'import keras, time, numpy as np
class Nap(keras.callbacks.Callback):
  def on_train_batch_end(self, batch, logs=None): time.sleep(0.06)
m = keras.Sequential([keras.layers.Dense(1)]); m.compile("sgd", "mse")
m.fit(np.zeros((160, 4)), np.zeros((160, 1)), batch_size=8, epochs=5, callbacks=[Nap()])'
run epochs-with-accuracy -- sh -c 'for e in 1 2 3 4 5 6 7 8 9 10; do sleep 0.6; echo "epoch $e/10 val_acc 6$((e % 7)).9% loss 0.$((11 - e))"; done'
run cache-usage -- sh -c 'for e in 1 2 3 4 5 6 7 8; do sleep 0.5; echo "cache usage $((e * 5))% of 10 GB"; echo "[$e/8] block"; done'

# Single bars.
run pv --from . -- sh -c 'pv -f -L 2m big > copy'
run pv-stream --from . -- sh -c 'pv -q -L 2m big | pv -f -s 12000000 > /dev/null'
qemu-img create -q -f raw disk.img 60M; noise disk.img 60000000
run qemu-img --says '([0-9.]+)/100%' -- qemu-img convert -p -m 1 -r 10M -O qcow2 disk.img disk.qcow2
run qemu-img-plain --files -- qemu-img convert -r 10M -O qcow2 disk.img disk2.qcow2
ffmpeg -v error -f lavfi -i testsrc=size=640x360:rate=25:duration=20 -f lavfi -i sine=duration=20 -pix_fmt yuv420p film.mkv < /dev/null
run handbrake --slow 0.5 --says 'Encoding: task 1 of 1, ([0-9.]+) %' -- HandBrakeCLI -i film.mkv -o film.mp4 -e x264 --encoder-preset slow
run handbrake-two --slow 0.5 --from 'task 1 of 2' --to 'task 2 of 2' -- HandBrakeCLI -i film.mkv -o film2.mp4 -e x264 --encoder-preset medium --two-pass -b 500
run ffmpeg --from 'time=' -- ffmpeg -hide_banner -readrate 3 -i film.mkv -c:v mpeg4 film3.mp4
gdal_create -q -of GTiff -outsize 6000 6000 -bands 3 -burn 7 -ot UInt16 in.tif
export GDAL_CACHEMAX=2
run gdal --slow 0.04 --from '^0' --to '100' -- gdal_translate in.tif out.tif
run thousands -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.5; printf "%s / 1,234,560 rows\n" "$(printf "%d" $((i * 123456)) | sed -E ":a;s/([0-9])([0-9]{3})(\$|,)/\1,\2\3/;ta")"; done'
run megabytes -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.5; echo "uploaded $i MB of 10 MB"; done'
run percent-word -- sh -c 'for i in 9 18 27 36 45 54 63 72 81 90 99; do sleep 0.5; echo "$i percent done"; done'
run json-steps -- sh -c 'for i in $(seq 20); do sleep 0.3; echo "{\"event\": \"step\", \"step\": $i, \"total\": 20, \"loss\": 0.$((30 - i))}"; done'
run json-epochs -- sh -c 'for e in 1 2 3 4; do for i in $(seq 10); do sleep 0.15; echo "{\"epoch\": $e, \"epochs\": 4, \"step\": $i, \"steps\": 10}"; done; done'
run curl -- curl -o out $url
run wget -- wget -O out $url
run wget-pty --pty -- wget -O out $url
run aria2c --from '\[#' --to '\[#' -- aria2c --summary-interval=1 -d . -o aria $url
run yt-dlp --from '\[download\] +[0-9]' --to '\[download\] +[0-9]' -- yt-dlp --newline -o yt.mp4 $url
mkdir some; for i in 1 2 3 4 5 6; do noise some/$i 2000000; done
run rsync-progress2 --from % -- rsync -a --info=progress2 --bwlimit=2000 some/ copy1/
run rsync-P --from % -- rsync -aP --bwlimit=2000 some/ copy2/
run rclone --from % -- rclone copy --bwlimit 2M --stats 500ms --stats-one-line -v some copy3
run rclone-P --pty --from % -- rclone copy --bwlimit 2M -P some copy4
mkfifo slow
run dd --files --read 24000000 -- sh -c '(while head -c 400000 && sleep 0.15; do :; done) < slow > /dev/null 2>&1 & exec dd if=big of=slow bs=64k status=progress'
run ddrescue --pty --says 'pct rescued: *([0-9.]+)%' -- ddrescue -f --max-read-rate=2000000 big rescued map
run badblocks --slow 0.004 --says '([0-9.]+)% done' -- badblocks -sv -b 4096 large
run badblocks-write --slow 0.05 -- badblocks -svw -b 4096 -t 0 -t 1 large
run 7z --pty --says '([0-9]+)%' -- 7z a -mx1 -mmt1 out.7z large
run 7z-pipe --says '([0-9]+)%' -- 7z a -bsp1 -mx1 -mmt1 out2.7z large
run zstd --pty --slow 0.2 --from . -- zstd -f --progress -12 -T1 large -o large.zst
export BORG_REPO=$work/borg
wanted borg && borg init -e none > /dev/null 2>&1
run xz --pty --slow 0.3 --says '([0-9.]+) %' -- xz -kvf -T1 -1 large
run rich --pty -- $PYTHON -c 'import time, rich.progress
for _ in rich.progress.track(range(20), description="work"): time.sleep(0.15)'
run click --pty -- $PYTHON -c 'import time, click
with click.progressbar(range(40), label="work") as bar:
  for _ in bar: time.sleep(0.15)'
run alive --pty -- $PYTHON -c 'import time, alive_progress
with alive_progress.alive_bar(40, refresh_secs=0.5) as bar:
  for _ in range(40): time.sleep(0.15); bar()'
run progressbar2 -- $PYTHON -c 'import time, progressbar
for _ in progressbar.progressbar(range(40)): time.sleep(0.15)'
run borg --slow 0.4 -- borg create --progress ::one files
run pip --pty --from '━' --to '━' -- $PYTHON -m pip download --no-deps --no-cache-dir -d wheels http://127.0.0.1:8766/big-1.0-py3-none-any.whl
run apt --steps '^(Get:|Unpacking|Setting up)' -- apt-get install -y --reinstall --no-install-recommends pv zip rsync pigz zstd
mkdir tests; for i in 1 2 3 4 5 6 7 8; do printf 'import time\ndef test_a(): time.sleep(0.3)\ndef test_b(): time.sleep(0.3)\n' > tests/test_$i.py; done
run pytest --from 'test_1' --to '\[100%\]' -- $PYTHON -m pytest tests
{ echo 'rule nap'; echo '  command = sleep 0.2; touch $out'; for i in $(seq 30); do echo "build o$i: nap"; done; } > build.ninja
run ninja -- ninja -j2
rm -f o[0-9]*
{ printf 'all:'; for i in $(seq 24); do printf ' m%s' $i; done; echo; for i in $(seq 24); do printf 'm%s:\n\tsleep 0.25 # %s\n' $i $i; done; } > Makefile
run make -- make -j1
mkdir -p project/s
{ echo 'cmake_minimum_required(VERSION 3.10)'; echo 'project(p C)'; echo 'add_library(p STATIC'; for i in $(seq 24); do echo "int f$i(void){return $i;}" > project/s/$i.c; echo "s/$i.c"; done; echo ')'; } > project/CMakeLists.txt
cmake -S project -B made -G 'Unix Makefiles' > /dev/null
run cmake --slow 0.2 --from Building --to Linking -- cmake --build made
mkdir -p crates/main/src && echo 'fn main(){}' > crates/main/src/main.rs
printf '[package]\nname="main"\nversion="0.1.0"\n[dependencies]\n' > crates/main/Cargo.toml
for i in 1 2 3 4 5 6 7 8 9; do
  mkdir -p crates/c$i/src && for f in $(seq 400); do echo "pub fn f$f(x: u64) -> String { format!(\"{x} $f\") }"; done > crates/c$i/src/lib.rs
  printf '[package]\nname="c%s"\nversion="0.1.0"\n' $i > crates/c$i/Cargo.toml; printf 'c%s={path="../c%s"}\n' $i $i >> crates/main/Cargo.toml
done
run cargo --files --steps 'Compiling|Finished' -- sh -c 'cd crates/main && exec cargo build --offline -j1'
rm -rf crates/main/target
run cargo-pty --pty --steps 'Compiling|Finished' -- sh -c 'cd crates/main && exec cargo build --offline -j1'
wanted git && { git init -q origin; for i in $(seq 60); do noise origin/f$i 400000; done; git -C origin add . ; git -C origin -c user.name=a -c user.email=a@b commit -qm all; }
run git --slow 0.15 --says '([0-9]+)%' -- git clone --progress "file://$work/origin" clone
