#!/bin/sh
# Records the fixtures beside this file: what the real programs write, byte by byte, to a file (as
# under `jobrun run`) or to a terminal of 80x24 (as under `jobrun run --pty`, names with "-pty").
#
#   sh record.sh [NAME ...]      all of them, or those that are named
#
# Needs curl, wget, rsync, ffmpeg, ninja, cmake, make, cargo, pip, script (util-linux), Python and tqdm;
# `apt` needs root. Nothing is fetched but what pip and apt download.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
reader=
trap 'kill $server $reader 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
head -c 6000000 /dev/urandom > big
mkdir files && for i in 1 2 3 4 5 6; do head -c 700000 /dev/urandom > files/$i; done
# A server that sends a megabyte a second: over loopback, curl's own limit comes too late.
cat > serve.py <<'PYTHON'
import http.server, time
class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Length", "6000000"); self.end_headers()
        with open("big", "rb") as file:
            while block := file.read(50000): self.wfile.write(block); time.sleep(0.05)
http.server.ThreadingHTTPServer(("127.0.0.1", 8765), Slow).serve_forever()
PYTHON
python3 serve.py >/dev/null 2>&1 & server=$!
sleep 1
url=http://127.0.0.1:8765/big
only="$*"

# file NAME COMMAND: standard output and error to the fixture.
file() { wanted "$1" && { echo "$1: $2"; sh -c "$2" > "$here/$1" 2>&1 < /dev/null; }; }
# pty NAME COMMAND: what a terminal gets.
pty() {
  wanted "$1" && { echo "$1: $2"; script -qfc "stty cols 80 rows 24; $2" /dev/null < /dev/null > "$here/$1"; }
}
wanted() { [ -z "$only" ] && return 0; case " $only " in *" $1 "*) return 0 ;; esac; return 1; }

file curl "curl -o out $url"
file curl-bar "curl -# -o out $url"
file wget-dot "wget -O out $url"
pty wget-pty "wget -O out $url"
file rsync-progress2 "rsync -a --info=progress2 --bwlimit=1000 files/ copy1/"
file rsync-P "rsync -aP --bwlimit=1000 files/ copy2/"
file rsync-P-one "rsync -aP --bwlimit=1500 big copy3"

ffmpeg -v error -f lavfi -i testsrc=size=320x240:rate=25:duration=12 -pix_fmt yuv420p in.mkv < /dev/null
file ffmpeg "ffmpeg -hide_banner -readrate 3 -i in.mkv -c:v mpeg4 out.mp4"
file ffmpeg-progress "ffmpeg -v error -progress - -readrate 3 -i in.mkv -c:v mpeg4 -y out.mp4"

mkfifo slow
wanted dd && { # Reads 256 KiB every 0.15 s.
  (while head -c 262144 && sleep 0.15; do :; done) < slow > /dev/null 2>&1 & reader=$!
}
file dd "timeout 20 dd if=big of=slow bs=64k status=progress"

file tqdm "python3 -c 'import time, tqdm
for _ in tqdm.tqdm(range(60)): time.sleep(0.05)'"
file tqdm-bytes "python3 -c 'import time, tqdm
with tqdm.tqdm(total=6000000, unit=\"B\", unit_scale=True, desc=\"big\") as bar:
  for _ in range(40): time.sleep(0.05); bar.update(150000)'"
file tqdm-nested "python3 -c 'import time, tqdm
for _ in tqdm.tqdm(range(5), desc=\"outer\"):
  for _ in tqdm.tqdm(range(20), desc=\"inner\", leave=False): time.sleep(0.03)'"
file tqdm-open "python3 -c 'import time, tqdm
for _ in tqdm.tqdm(iter(range(40))): time.sleep(0.05)'"

{ echo 'rule nap'; echo '  command = sleep 0.1; touch $out'
  for i in $(seq 30); do echo "build o$i: nap"; done; } > build.ninja
file ninja "ninja -j2"
rm -f o*
pty ninja-pty "ninja -j2"

mkdir -p project/s
{ echo 'cmake_minimum_required(VERSION 3.10)'; echo 'project(p C)'; echo 'enable_testing()'
  echo 'add_library(p STATIC'; for i in $(seq 12); do echo "int f$i(void){return $i;}" > project/s/$i.c; echo "s/$i.c"; done; echo ')'
  for i in $(seq 14); do echo "add_test(NAME t$i COMMAND sleep 0.05)"; done; } > project/CMakeLists.txt
cmake -S project -B made -G 'Unix Makefiles' > /dev/null
file make "cmake --build made"
file ctest "ctest --test-dir made"

mkdir -p crates/main/src && echo 'fn main(){}' > crates/main/src/main.rs
printf '[package]\nname="main"\nversion="0.1.0"\n[dependencies]\n' > crates/main/Cargo.toml
for i in 1 2 3 4 5 6 7 8 9; do
  mkdir -p crates/c$i/src && echo "pub fn f() {}" > crates/c$i/src/lib.rs
  printf '[package]\nname="c%s"\nversion="0.1.0"\n' $i > crates/c$i/Cargo.toml
  printf 'c%s={path="../c%s"}\n' $i $i >> crates/main/Cargo.toml
done
pty cargo-pty "cd crates/main && cargo build --offline -j1"

mkdir -p lib/Sources/A lib/Sources/B
for i in 1 2 3 4 5 6 7 8; do echo "public let a$i = $i" > lib/Sources/A/a$i.swift; echo "let b$i = $i" > lib/Sources/B/b$i.swift; done
printf '// swift-tools-version:6.0\nimport PackageDescription\nlet package = Package(name: "P", targets: [.target(name: "A"), .target(name: "B", dependencies: ["A"])])\n' > lib/Package.swift
file swift-build "swift build --package-path lib --jobs 1"

python3 -m venv newer && newer/bin/pip install -q --upgrade pip  # `raw` is of pip 24.1
file pip-raw "newer/bin/pip download --no-deps --no-cache-dir --progress-bar=raw -d wheels numpy==2.0.0"
pty pip-pty "pip download --no-deps --no-cache-dir -d wheels2 numpy==2.0.0"
file apt "apt-get install -y --reinstall --no-install-recommends rsync ninja-build libpopt0"
pty apt-pty "apt-get install -y --reinstall --no-install-recommends rsync ninja-build libpopt0"
file osc "sh -c 'for i in 0 10 25 50 75 100; do printf \"\\033]9;4;1;%s\\007working on it\\n\" \$i; done; printf \"\\033]9;4;0;0\\033\\\\\\\\\"'"
