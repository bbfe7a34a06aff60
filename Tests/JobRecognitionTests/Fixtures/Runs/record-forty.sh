#!/bin/sh
# Records casts beside this file with record.py, of forty programs and six more that neither the rules nor the
# runs before name, chosen when the rules stood.
#
#   sh record-forty.sh [NAME ...]      all of them, or those that are named
#
# Needs the packages plzip rzip snapraid duplicity bup wipe jdupes cksfv rdiff-backup fastqc velvet
# mrbayes iqtree ghostscript qpdf webp libimage-exiftool-perl potrace libvips-tools mencoder
# gstreamer1.0-tools gstreamer1.0-plugins-good bats lftp stockfish primesieve ruby-progressbar
# php-symfony-console libtime-progress-perl apache2-utils hyperfine ffmpeg, and in $VIRTUAL_ENV a Python
# with cutadapt behave snakemake httpie scrapy sqlite-utils scikit-learn pynndescent opentsne hmmlearn
# qutip brian2 openmm fasttext-wheel.
. "$(dirname "$0")/recording.sh"
HOME=$work; export HOME

# Archives, backups and checks.
wanted plzip rzip && text words 60000000
run plzip --pty --files --says '([0-9.]+)%  ' -- plzip -vv -k -n 1 -4 words
run rzip --pty --files --cpu -- rzip -k -P -9 words
wanted bup duplicity rdiff-backup cksfv snapraid wipe && {
  mkdir tree; for i in $(seq 240); do text tree/f$i 300000; done; for i in $(seq 40); do cp tree/f$i tree/g$i; done; }
wanted bup && bup -d "$work/bup" init 2> /dev/null && bup -d "$work/bup" index tree 2> /dev/null
run bup --pty --slow 0.15 --cpu -- bup -d bup save -n tree tree
run duplicity --slow 0.3 --cpu -- duplicity --no-encryption --progress --progress-rate 1 --archive-dir arc --volsize 10 tree file://"$work"/dup
run rdiff-backup --slow 0.05 --cpu -- rdiff-backup -v5 backup tree rdiff
wanted jdupes && { mkdir same; for i in $(seq 30); do noise same/a$i 3000000; cp same/a$i same/b$i; done; }
run jdupes --pty --slow 0.006 --cpu -- jdupes -r same
wanted cksfv && (cd tree && cksfv -q f* > sums.sfv)
run cksfv --slow 0.03 --cpu -- cksfv -g tree/sums.sfv
wanted snapraid && { mkdir par con; printf 'parity %s/par/p\ncontent %s/con/c\ncontent %s/c2\ndisk d1 %s/tree\n' "$work" "$work" "$work" "$work" > snap.conf; }
run snapraid --pty --slow 0.02 --says '([0-9]+)%, [0-9]+ MB' -- snapraid -c snap.conf --test-skip-device sync
wanted wipe && { mkdir old; for i in $(seq 30); do noise old/x$i 2000000; done; }
run wipe --pty --slow 0.2 --cpu -- wipe -rcf -q -Q 4 old

# Genomes.
wanted fastqc cutadapt velvet && python3 - <<'PYTHON'
import random
random.seed(3)
genome = "".join(random.choices("ACGT", k=400000))
with open("reads.fastq", "w") as f:
    for i in range(400000):
        p = random.randrange(len(genome) - 90)
        print(f"@r{i}\n{genome[p:p + 90]}AGATCGGAAG\n+\n{'I' * 100}", file=f)
PYTHON
run fastqc --files --says 'Approx ([0-9]+)% complete' -- fastqc -o . reads.fastq
run cutadapt --pty --files --slow 0.4 --cpu -- cutadapt -e 0.2 -a AGATCGGAAGAGC -g TTGACCAGTACC -o cut.fastq reads.fastq
run velvet --cpu -- sh -c 'velveth vel 31 -fastq reads.fastq && velvetg vel'
wanted iqtree mrbayes && python3 - <<'PYTHON'
import random
random.seed(4)
root = random.choices("ACGT", k=2400)
def bent(s, r): return [random.choice("ACGT") if random.random() < r else c for c in s]
pool = [root]
while len(pool) < 24: pool = [bent(s, 0.07) for s in pool for _ in "ab"][:24] if len(pool) * 2 > 24 else [bent(s, 0.07) for s in pool for _ in "ab"]
with open("al.phy", "w") as f:
    print(len(pool), 2400, file=f)
    for i, s in enumerate(pool): print(f"t{i:<9}{''.join(s)}", file=f)
with open("al.nex", "w") as f:
    print(f"#NEXUS\nbegin data; dimensions ntax={len(pool)} nchar=2400; format datatype=dna; matrix", file=f)
    for i, s in enumerate(pool): print(f"t{i} {''.join(s)}", file=f)
    print(";\nend;\nbegin mrbayes; set autoclose=yes nowarn=yes; lset nst=6 rates=gamma; mcmc ngen=40000 nruns=2 nchains=2 printfreq=500 samplefreq=500 diagnfreq=10000; end;", file=f)
PYTHON
run iqtree --cpu -- iqtree2 -s al.phy -m GTR+G -nt 1 -bb 1000
run mrbayes --cpu -- mb al.nex

# Papers, pictures and film.
wanted ghostscript qpdf && python3 - <<'PYTHON'
import random
random.seed(6)
with open("book.ps", "w") as f:
    print("%!PS-Adobe-3.0\n%%Pages: 60", file=f)
    for p in range(60):
        print(f"%%Page: {p + 1} {p + 1}\n/Times-Roman findfont 9 scalefont setfont", file=f)
        for y in range(70):
            print(f"40 {760 - y * 10} moveto ({' '.join('word%d' % random.randrange(999) for _ in range(14))}) show", file=f)
        for _ in range(1500): print(f"{random.random():.2f} setgray {random.randrange(600)} {random.randrange(800)} {random.randrange(60)} {random.randrange(60)} rectfill", file=f)
        print("showpage", file=f)
PYTHON
wanted qpdf && gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -sOutputFile=book.pdf book.ps
wanted ghostscript && gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -sOutputFile=read.pdf book.ps
run ghostscript --steps '^Page [0-9]+' -- gs -dNOPAUSE -dBATCH -sDEVICE=png16m -r220 -sOutputFile=p%d.png read.pdf
run qpdf --pty --slow 0.03 --says '([0-9]+)%' -- qpdf --progress --recompress-flate --compression-level=9 --object-streams=generate book.pdf small.pdf
wanted cwebp vips potrace exiftool && ffmpeg -v error -f lavfi -i mandelbrot=size=3000x2000 -frames:v 1 big.png < /dev/null
run cwebp --pty --slow 0.4 --says '([0-9]+) %' -- cwebp -progress -m 6 -lossless -z 7 big.png -o big.webp
run vips --pty --slow 0.3 --cpu -- vips --vips-progress --vips-concurrency=1 gaussblur big.png out.png 24
wanted potrace && ffmpeg -v error -i big.png -pix_fmt monob -f image2 -vcodec pbm big.pbm < /dev/null
run potrace --pty --slow 0.1 --cpu -- potrace --progress -s -o big.svg big.pbm
wanted exiftool && { mkdir shots; ffmpeg -v error -f lavfi -i testsrc=size=320x200 -frames:v 600 shots/s%d.jpg < /dev/null; }
run exiftool --pty --slow 0.2 --cpu -- exiftool -progress -overwrite_original -Artist=me shots
wanted mencoder gst-launch && ffmpeg -v error -f lavfi -i mandelbrot=size=640x360:rate=25 -frames:v 300 -c:v mpeg4 -q:v 3 film.avi < /dev/null
run mencoder --pty --files --says '\( *([0-9]+)%\)' -- mencoder film.avi -o out.avi -ovc lavc -lavcopts vcodec=mpeg4:mbd=2:trell:dia=6 -nosound
run gst-launch --says '\( *([0-9.]+) %\)' -- gst-launch-1.0 videotestsrc num-buffers=450 ! video/x-raw,width=640,height=360,framerate=30/1 ! progressreport update-freq=1 ! identity sleep-time=30000 ! fakesink

# Tests and builds.
wanted prove bats && { mkdir t; for f in a b c d e f; do { echo 'use Test::More tests => 12; $| = 1;'; echo 'for (1..12) { select undef, undef, undef, 0.18; ok 1, "case $_" }'; } > t/$f.t; done
  for i in $(seq 24); do printf '@test "case %s" { sleep 0.3; true; }\n' $i; done > many.bats; }
run prove --pty --from 't/a' --to 'All tests' -- prove t
run bats --steps '^ok' -- bats --tap many.bats
run bats-pretty --pty --steps '✓' -- bats --pretty many.bats
wanted behave && { mkdir -p features/steps; { echo 'Feature: many'; for i in $(seq 20); do printf '  Scenario: case %s\n    Given a pause\n    Then all is well\n' $i; done; } > features/a.feature
  printf 'import time\nfrom behave import given, then\n@given("a pause")\ndef f(c): time.sleep(0.3)\n@then("all is well")\ndef g(c): time.sleep(0.2)\n' > features/steps/s.py; }
run behave --steps 'Then all' -- behave --no-color -f plain
wanted snakemake && { printf 'rule all:\n    input: expand("o{i}", i=range(18))\nrule one:\n    output: "o{i}"\n    shell: "sleep 0.4; touch {output}"\n'; } > Snakefile
run snakemake --steps 'Finished jobid' -- snakemake -c1 --nocolor

# Downloads.
wanted httpie lftp scrapy ab && {
  noise whole 9000000
  cat > serve.py <<'PYTHON'
import http.server, time
class Slow(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        if self.path.startswith("/p"):
            time.sleep(0.12); n = int(self.path[2:] or 0)
            body = f"<a href=/p{n * 2 + 1}>a</a><a href=/p{n * 2 + 2}>b</a>".encode() if n < 80 else b"leaf"
            self.send_response(200); self.send_header("Content-Type", "text/html"); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body); return
        self.send_response(200); self.send_header("Content-Type", "application/octet-stream"); self.send_header("Content-Length", "9000000"); self.end_headers()
        with open("whole", "rb") as file:
            while block := file.read(60000): self.wfile.write(block); time.sleep(0.1)
    do_HEAD = do_GET
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", 8768), Slow).serve_forever()
PYTHON
  python3 serve.py > /dev/null 2>&1 & server=$!
  sleep 1
}
run httpie --pty --work 'got.bin*:9000000' -- http --ignore-stdin --download -o got.bin http://127.0.0.1:8768/w
run lftp --pty --work 'lf.bin:9000000' -- lftp -c 'get -c http://127.0.0.1:8768/w -o lf.bin'
wanted scrapy && printf 'import scrapy\nclass S(scrapy.Spider):\n    name = "s"\n    start_urls = ["http://127.0.0.1:8768/p0"]\n    custom_settings = {"LOGSTATS_INTERVAL": 1, "CONCURRENT_REQUESTS": 1, "LOG_LEVEL": "INFO", "TELNETCONSOLE_ENABLED": False}\n    def parse(self, r):\n        for a in r.css("a"): yield r.follow(a)\n' > spider.py
run scrapy -- scrapy runspider spider.py
run ab --steps 'Completed' -- ab -n 1000 -c 8 http://127.0.0.1:8768/p99

# Databases.
wanted sqlite-utils && python3 -c 'import random
print("a,b,c")
for i in range(260000): print(f"{i},{random.random()},word{random.randrange(10**9)} and some more of it")' > rows.csv
run sqlite-utils --pty --files --cpu -- sqlite-utils insert rows.db rows rows.csv --csv

# Learning.
run fasttext --says 'Progress: *([0-9.]+)%' -- python -c 'import random, fasttext
random.seed(1)
with open("ft.txt", "w") as f:
    for _ in range(30000): print("__label__%d" % random.randrange(9), " ".join("w%d" % random.randrange(4000) for _ in range(25)), file=f)
fasttext.train_supervised("ft.txt", epoch=60, dim=60, thread=2, verbose=2)'
run forest --from 'building tree 1 ' --to Done -- python -c 'import numpy as np
from sklearn.ensemble import RandomForestClassifier as F
x = np.random.RandomState(0).rand(9000, 40)
F(60, verbose=2).fit(x, (x.sum(1) > 20).astype(int))'
run pynndescent --cpu -- python -c 'import numpy as np, pynndescent
x = np.random.RandomState(0).rand(30000, 60).astype("float32")
pynndescent.NNDescent(x, n_neighbors=20, verbose=True, n_jobs=1, random_state=1).prepare()'
run opentsne --steps '50 iterations in' -- python -c 'import numpy as np, openTSNE
x = np.random.RandomState(0).rand(1500, 20)
openTSNE.TSNE(n_iter=600, verbose=True, n_jobs=1, random_state=1).fit(x)'
run hmmlearn --cpu -- python -c 'import numpy as np
from hmmlearn.hmm import GaussianHMM
x = np.random.RandomState(0).rand(40000, 4)
GaussianHMM(6, n_iter=60, tol=0, verbose=True, random_state=1).fit(x)'

# Solvers and simulations.
run stockfish --steps '^Position' -- stockfish bench 16 1 13
run primesieve --pty --says '([0-9]+)%' -- primesieve 8e10 -t1
run qutip --says '([0-9.]+)%' -- python -c 'import numpy as np, qutip as q
N = 40
a = q.destroy(N)
q.mesolve(a.dag() * a + 0.3 * (a + a.dag()), q.basis(N, 9), np.linspace(0, 900, 3000), [0.3 * a], e_ops=[a.dag() * a], options={"progress_bar": "text", "nsteps": 10**6})'
run brian2 --says '\(([0-9]+)%\)' -- python -c 'from brian2 import *
prefs.codegen.target = "numpy"
g = NeuronGroup(400, "dv/dt = (1.1 - v) / (10*ms) : 1", threshold="v > 1", reset="v = 0", method="exact")
s = Synapses(g, g, on_pre="v += 0.001"); s.connect(p=0.1)
run(12*second, report="text", report_period=1*second)'
run openmm --says '(?m)^([0-9.]+)%' -- python -c 'import sys, openmm as mm
from openmm import app, unit
s = mm.System(); f = mm.NonbondedForce(); import random
random.seed(1); p = []
for i in range(9):
    for j in range(9):
        for k in range(9): s.addParticle(40); f.addParticle(0, 0.34, 1); p.append((i * .4, j * .4, k * .4))
s.addForce(f)
t = app.Topology(); c = t.addChain()
for _ in p: t.addAtom("A", None, t.addResidue("A", c))
m = app.Simulation(t, s, mm.LangevinIntegrator(300, 1, 0.002), mm.Platform.getPlatformByName("Reference"))
m.context.setPositions(p)
m.reporters.append(app.StateDataReporter(sys.stdout, 25, step=True, progress=True, remainingTime=True, potentialEnergy=True, temperature=True, speed=True, totalSteps=600))
m.step(600)'

# Scripts, and programs that measure.
run ruby-progressbar --pty -- ruby -rruby-progressbar -e 'b = ProgressBar.create(title: "Rows", total: 60); 60.times { sleep 0.2; b.increment }'
run symfony --pty -- php -r 'require "/usr/share/php/Symfony/Component/Console/autoload.php";
$b = new Symfony\Component\Console\Helper\ProgressBar(new Symfony\Component\Console\Output\ConsoleOutput(), 50);
$b->start(); for ($i = 0; $i < 50; $i++) { usleep(240000); $b->advance(); } $b->finish();'
run time-progress -- perl -MTime::Progress -e '$| = 1; $p = Time::Progress->new(min => 1, max => 45); for (1..45) { select undef, undef, undef, 0.25; print $p->report("%45b  ETA: %E, %p\r", $_) }'
run hyperfine --pty -- hyperfine -N --warmup 2 --runs 20 'sleep 0.4' 'sleep 0.2'
