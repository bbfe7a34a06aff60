#!/bin/sh
# Records casts beside this file with record.py, of programs that were chosen when the rules stood.
#
#   sh record-unnamed.sh [NAME ...]      all of them, or those that are named
#
# Needs the packages squashfs-tools lrzip dar xorriso ntfs-3g partclone povray sox lame flac vorbis-tools
# opus-tools x264 x265 vpx-tools mkvtoolnix par2 axel nmap dcfldd dc3dd mktorrent cppcheck fdupes scalpel
# mbuffer libterm-progressbar-perl parallel jpegoptim clustalo fasttree diamond-aligner mmseqs2 hisat2 sysbench
# memtester svt-av1 r-base-core scrub meson ninja-build ffmpeg, and in $VIRTUAL_ENV a Python with
# scikit-learn gensim sentencepiece tokenizers mlxtend emcee scikit-optimize bayesian-optimization
# dask[array] datasets fastprogress enlighten atpbar progress pymoo dynesty moviepy robotframework.
. "$(dirname "$0")/recording.sh"

# Archives and disks.
wanted mksquashfs unsquashfs dar xorriso par2 && { mkdir tree; for i in $(seq 300); do text tree/f$i 120000; done; }
run mksquashfs --pty --says '/300 +([0-9]+)%' -- mksquashfs tree out.sqfs -comp xz -processors 1
wanted unsquashfs && mksquashfs tree in.sqfs -comp gzip -quiet -no-progress > /dev/null
run unsquashfs --pty --slow 0.008 --says '/600 +([0-9]+)%' -- unsquashfs -p 1 -d un in.sqfs
wanted lrzip && text lr 60000000
run lrzip --pty --says 'Total: *([0-9]+)%' -- lrzip -p 1 -L 7 lr
run dar --cpu -- dar -c back -g tree -z9 -va
run xorriso --slow 0.01 --cpu -- xorriso -as mkisofs -r -o out.iso tree
wanted mkntfs && truncate -s 300M ntfs.img
run mkntfs --pty --slow 0.03 --says '([0-9]+)%' -- mkntfs -F ntfs.img
wanted partclone && { truncate -s 400M ext.img; mkfs.ext4 -q -d /usr/share/perl ext.img; }
run partclone --slow 0.05 --says 'Completed: *([0-9.]+)%' -- partclone.ext4 -c -s ext.img -o ext.pc -f 1
wanted dcfldd dc3dd mbuffer scrub && noise big 60000000
run dcfldd --pty -- sh -c 'head -c 60000000 big | dcfldd bs=16k statusinterval=64 sizeprobe=if of=copy1'
run dc3dd --pty --slow 0.05 --cpu -- dc3dd if=big of=copy2 hash=sha512
run mbuffer --pty --says '([0-9]+)% done' -- mbuffer -i big -o copy3 -R 5M -m 2M
run scrub --pty --slow 0.1 --cpu -- scrub -f -p dod big
run par2 --cpu -- par2 create -t1 -r40 all.par2 tree/f1 tree/f2 tree/f3 tree/f4 tree/f5 tree/f6 tree/f7 tree/f8

# Sound and film.
wanted sox lame flac oggenc opusenc && ffmpeg -v error -f lavfi -i "anoisesrc=d=900:c=pink" -ar 44100 -ac 2 in.wav < /dev/null
run sox --pty --cpu -- sox -S in.wav out.wav reverb rate -v 48000
run lame --says '\( *([0-9]+)%\)' -- lame -q 2 in.wav out.mp3
run flac --cpu -- flac -8 -e -f in.wav
run oggenc --cpu -- oggenc -q 6 -o out.ogg in.wav
run opusenc --cpu -- opusenc --comp 10 in.wav out.opus
wanted x264 x265 vpxenc svtav1 moviepy mkvmerge && ffmpeg -v error -f lavfi -i mandelbrot=size=480x270:rate=25 -frames:v 200 -pix_fmt yuv420p in.y4m < /dev/null
run x264 --says '\[([0-9.]+)%\]' -- x264 --preset veryslow --threads 1 -o out.264 in.y4m
run x265 --says '\[([0-9.]+)%\]' -- x265 --preset medium --pools 1 -o out.265 --y4m in.y4m
run vpxenc --cpu -- vpxenc --passes=2 --cpu-used=3 -t 1 -o out.webm in.y4m
run svtav1 --cpu -- SvtAv1EncApp -i in.y4m -b out.ivf --preset 7 --lp 1
wanted mkvmerge && { ffmpeg -v error -f lavfi -i testsrc=size=640x360:rate=25:duration=60 -c:v rawvideo -pix_fmt yuv420p film.avi < /dev/null; }
run mkvmerge --slow 0.03 --cpu -- mkvmerge -o film.mkv film.avi
run moviepy --says '([0-9]+)%' -- python -c 'from moviepy import ColorClip, VideoClip
import numpy as np
VideoClip(lambda t: (np.random.rand(200, 300, 3) * 255).astype("uint8"), duration=16).write_videofile("m.mp4", fps=25, preset="medium", threads=1)'

# Pictures.
wanted povray && cat > scene.pov <<'POV'
camera { location <0, 3, -8> look_at 0 }
light_source { <5, 9, -6> rgb 1 area_light <2, 0, 0>, <0, 0, 2>, 8, 8 adaptive 2 jitter }
plane { y, -1 pigment { checker rgb 0.2 rgb 0.8 } finish { reflection 0.2 } }
#declare i = 0; #while (i < 40) sphere { <mod(i, 8) - 4, int(i / 8) - 1, i / 20>, 0.5 pigment { rgb <0.9, i / 40, 0.2> } finish { reflection 0.3 } } #declare i = i + 1; #end
POV
run povray --says '\(([0-9]+)%\)' -- povray +Iscene.pov +Oscene.png +W700 +H500 +A0.1 -D +WT1 +V
wanted jpegoptim && ffmpeg -v error -f lavfi -i mandelbrot=size=1600x1000 -frames:v 40 -q:v 2 shot-%02d.jpg < /dev/null
run jpegoptim --slow 0.3 --cpu -- sh -c 'jpegoptim -n -m 60 shot-*.jpg'

# Nets and tests.
wanted axel && {
  noise whole 12000000
  cat > serve.py <<'PYTHON'
import http.server, re, time
class Slow(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        match = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first = int(match[1]) if match else 0; last = int(match[2]) if match and match[2] else 11999999
        self.send_response(206 if match else 200); self.send_header("Content-Length", str(last + 1 - first))
        if match: self.send_header("Content-Range", f"bytes {first}-{last}/12000000")
        self.end_headers()
        with open("whole", "rb") as file:
            file.seek(first); size = last + 1 - first
            while size and (block := file.read(min(size, 40000))): self.wfile.write(block); size -= len(block); time.sleep(0.1)
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", 8767), Slow).serve_forever()
PYTHON
  python3 serve.py > /dev/null 2>&1 & server=$!
  sleep 1
}
run axel --pty --says '\[ *([0-9]+)%\]' -- axel -n 3 -a -o ax http://127.0.0.1:8767/a
run nmap --says 'About ([0-9.]+)% done' -- nmap -n -sT -p 1-12000 --max-rate 900 --stats-every 1s 127.0.0.1
wanted cppcheck && { mkdir c; for i in $(seq 40); do { echo '#include <stdio.h>'; for f in $(seq 120); do echo "int g${i}_$f(int x) { int a[4]; for (int i = 0; i < x; i++) { if (i > $f) a[i % 4] = i; else a[0] += x; } return a[x & 3]; }"; done; } > c/m$i.c; done; }
run cppcheck --cpu -- cppcheck --enable=all --quiet --error-exitcode=0 --report-progress c
run cppcheck-plain --cpu -- sh -c 'cppcheck c 2> /dev/null'
wanted meson && { mkdir mes; { echo "project('p')"; for i in $(seq 24); do echo "test('t$i', find_program('sleep'), args: ['0.4'])"; done; } > mes/meson.build; meson setup -q mes mesb > /dev/null 2>&1 || meson setup mes mesb > /dev/null; }
run meson --steps 'OK' -- meson test -C mesb --num-processes 1
wanted robot && { mkdir rob; { echo '*** Test Cases ***'; for i in $(seq 20); do printf 'Case %s\n    Sleep    0.4s\n' $i; done; } > rob/t.robot; }
run robot --steps 'PASS' -- robot --outputdir robout rob/t.robot
wanted fdupes && { mkdir dup; for i in $(seq 60); do head -c $((1000000 + i % 20)) /dev/zero > dup/$i; printf "$i" >> dup/$i; done; }
run fdupes --pty --slow 0.1 --says '([0-9]+)% ' -- fdupes -r dup
wanted scalpel mktorrent && noise image 600000000
run mktorrent --pty --slow 0.02 --cpu -- mktorrent -v -l 16 -t 1 -a http://localhost/x image
wanted scalpel && { printf 'jpg y 5000000 \\xff\\xd8\\xff\\xe0 \\xff\\xd9\n' > scalpel.conf; }
run scalpel --pty --slow 0.2 --says '([0-9.]+)% ' -- scalpel -c scalpel.conf -o carved image
run parallel-bar --pty --says '([0-9]+)% [0-9]+:' -- sh -c 'parallel --bar -j2 "sleep 0.9; true {}" ::: $(seq 26)'
run sysbench --from 'Threads' -- sysbench cpu --time=14 --report-interval=1 run
run memtester --pty --cpu -- memtester 48M 1
run perl-bar --pty -- perl -MTerm::ProgressBar -e '$p = Term::ProgressBar->new({count => 50, name => "Loading", ETA => "linear"}); for (1..50) { select(undef, undef, undef, 0.22); $p->update($_) }'
run r-bar --from '=' -- Rscript -e 'p <- txtProgressBar(max = 40, style = 3); for (i in 1:40) { Sys.sleep(0.25); setTxtProgressBar(p, i) }; close(p)'
run r-messages -- Rscript -e 'for (i in 1:12) { Sys.sleep(0.8); message(sprintf("chunk %d/12: mean %.2f", i, runif(1))) }'

# Genomes.
if wanted clustalo fasttree diamond mmseqs hisat2; then python3 - <<'PYTHON'
import random
random.seed(5)
letters = "ACDEFGHIKLMNPQRSTVWY"
roots = ["".join(random.choices(letters, k=260)) for _ in range(400)]
def bent(s, rate): return "".join(random.choice(letters) if random.random() < rate else c for c in s)
with open("prot.fa", "w") as f:
    for i in range(9000): print(f">p{i}\n{bent(roots[i % 400], 0.2)}", file=f)
with open("few.fa", "w") as f:
    for i in range(420): print(f">p{i}\n{bent(roots[0], 0.3)}", file=f)
with open("aligned.fa", "w") as f:
    for i in range(900): print(f">p{i}\n{bent(roots[1], 0.3)}", file=f)
with open("genome.fa", "w") as f: print(">g\n" + "".join(random.choices("ACGT", k=6000000)), file=f)
PYTHON
fi
run clustalo --says 'progress: *([0-9]+) %' -- clustalo -i few.fa -o few.aln --threads=1 -v --force
run fasttree --cpu -- fasttree -out tree.nwk aligned.fa
run diamond --cpu -- sh -c 'diamond makedb --in prot.fa -d prot -p 1 && diamond blastp -q prot.fa -d prot -o hits.tsv -p 1 --very-sensitive'
run mmseqs --pty --says '([0-9.]+)% [0-9.]+K?M? eta' -- mmseqs easy-cluster prot.fa clu tmp --threads 1
run hisat2 --cpu -- hisat2-build -p 1 genome.fa index

# Python.
run gensim --says 'at ([0-9.]+)% examples' -- python -c 'import logging, random
logging.basicConfig(format="%(asctime)s : %(message)s", level=logging.INFO)
from gensim.models import Word2Vec
random.seed(1)
Word2Vec([[f"w{random.randrange(3000)}" for _ in range(40)] for _ in range(40000)], vector_size=120, epochs=6, workers=1)'
run word2vec-one --cpu -- python -c 'import logging, random
logging.basicConfig(format="%(levelname)s - %(asctime)s: %(message)s", level=logging.INFO)
from gensim.models import LdaModel
random.seed(1)
LdaModel([[(random.randrange(2000), 1) for _ in range(60)] for _ in range(6000)], num_topics=30, passes=4, chunksize=1000, eval_every=0)'
run sentencepiece --cpu -- python -c 'import random, sentencepiece
random.seed(2)
words = ["".join(random.choices("abcdefghijklmnop", k=random.randrange(3, 10))) for _ in range(30000)]
open("corpus.txt", "w").write("\n".join(" ".join(random.choices(words, k=12)) for _ in range(50000)))
sentencepiece.SentencePieceTrainer.train(input="corpus.txt", model_prefix="sp", vocab_size=4000, num_threads=1)'
run tokenizers --pty --says '([0-9]+)%' -- python -c 'import random
from tokenizers import Tokenizer, models, trainers, pre_tokenizers
random.seed(2)
words = ["".join(random.choices("abcdefghijklmnop", k=random.randrange(3, 10))) for _ in range(60000)]
open("corpus.txt", "w").write("\n".join(" ".join(random.choices(words, k=12)) for _ in range(200000)))
t = Tokenizer(models.BPE()); t.pre_tokenizer = pre_tokenizers.Whitespace()
t.train(["corpus.txt"], trainers.BpeTrainer(vocab_size=20000))'
run mlxtend --from 'Features: 1/9' --to Features -- python -c 'import numpy as np
from mlxtend.feature_selection import SequentialFeatureSelector as S
from sklearn.neighbors import KNeighborsClassifier as K
x = np.random.RandomState(0).rand(500, 16)
S(K(), k_features=9, verbose=2, cv=4).fit(x, (x.sum(1) > 8).astype(int))'
run emcee --from '%' -- python -c 'import numpy as np, emcee, time
def f(x): time.sleep(0.0008); return -0.5 * (x ** 2).sum()
emcee.EnsembleSampler(16, 4, f).run_mcmc(np.random.randn(16, 4), 500, progress=True)'
run skopt --cpu -- python -c 'import skopt, time
def f(x): time.sleep(0.05); return (x[0] - 1) ** 2
skopt.gp_minimize(f, [(-4.0, 4.0)], n_calls=30, verbose=True, random_state=1)'
run bayes-opt --cpu -- python -c 'import time
from bayes_opt import BayesianOptimization as B
def f(x, y): time.sleep(0.05); return -x ** 2 - y
B(f, {"x": (-2, 2), "y": (0, 3)}, verbose=2, random_state=1).maximize(init_points=5, n_iter=30)'
run dask --pty --from Completed -- python -c 'import time, dask
from dask.diagnostics import ProgressBar
@dask.delayed
def f(i): time.sleep(0.5); return i
with ProgressBar(): dask.compute([f(i) for i in range(36)], scheduler="threads", num_workers=2)'
run datasets --pty --says '([0-9]+)%' -- python -c 'import time, datasets
def f(row): time.sleep(0.0015); return {"y": row["x"] + 1}
datasets.Dataset.from_dict({"x": list(range(6000))}).map(f)'
run fastprogress --from 'Epoch 1/5' -- python -c 'import time
from fastprogress import master_bar, progress_bar
m = master_bar(range(5))
for e in m:
    for _ in progress_bar(range(30), parent=m): time.sleep(0.07)
    m.write(f"Finished loop {e}.")'
run enlighten --pty --from Pages --to Pages -- python -c 'import time, enlighten
manager = enlighten.get_manager()
a = manager.counter(total=50, desc="Pages", unit="pages")
b = manager.counter(total=100, desc="Words", unit="words")
for _ in range(50): time.sleep(0.2); a.update(); b.update(2)
manager.stop()'
run atpbar --pty --from task --to task -- python -c 'import time, threading
from atpbar import atpbar
def f(n):
    for _ in atpbar(range(n), name=f"task {n}"): time.sleep(0.09)
threads = [threading.Thread(target=f, args=(n,)) for n in (60, 90, 120)]
[t.start() for t in threads]; [t.join() for t in threads]'
run progress-bar --pty -- python -c 'import time
from progress.bar import Bar
for _ in Bar("Processing", max=40, suffix="%(index)d/%(max)d - %(eta)ds").iter(range(40)): time.sleep(0.22)'
run pymoo --cpu -- python -c 'from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.problems import get_problem
from pymoo.optimize import minimize
minimize(get_problem("zdt1"), NSGA2(pop_size=200), ("n_gen", 150), verbose=True, seed=1)'
run dynesty --says '([0-9]+)%\|' -- python -c 'import numpy as np, dynesty
s = dynesty.NestedSampler(lambda x: -0.5 * (x ** 2).sum(), lambda u: 10 * u - 5, 4, nlive=250)
s.run_nested(print_progress=True)'
run mlp --cpu -- python -c 'import numpy as np
from sklearn.neural_network import MLPClassifier as M
x = np.random.RandomState(0).rand(4000, 40)
M((90, 90), max_iter=60, verbose=True, tol=0, n_iter_no_change=100).fit(x, (x.sum(1) > 20).astype(int))'
run kmeans --cpu -- python -c 'import numpy as np
from sklearn.cluster import KMeans
x = np.random.RandomState(0).rand(60000, 24)
KMeans(60, n_init=3, verbose=1, max_iter=40, tol=0).fit(x)'
run pool-imap -- python -c 'import multiprocessing, time
def f(i): time.sleep(0.25 + (i % 5) / 10); return i
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as p:
        for n, i in enumerate(p.imap_unordered(f, range(40)), 1): print(f"done {n}/40 (last {i})", flush=True)'
run logging -- python -c 'import logging, time, random
logging.basicConfig(format="%(asctime)s [%(levelname)s] %(message)s", level=logging.INFO)
random.seed(4)
for i in range(36):
    time.sleep(0.3); logging.info("worker-%d processed shard %03d of 036 rows=%d mem=%d%% hit=%d%%", i % 3, i + 1, random.randrange(9999), 40 + i // 2, random.randrange(100))'
