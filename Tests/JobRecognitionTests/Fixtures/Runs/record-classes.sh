#!/bin/sh
# Records more of the casts beside this file with record.py: three programs and more of every class of
# output that was once misread, and those that said how far they were and were not heard.
#
#   sh record-classes.sh [NAME ...]      all of them, or those that are named
#
# Needs the packages optipng lz4 bzip2 glpk-utils minisat pv wget wget2 aria2 vsearch muscle gmsh mercurial
# git restic busybox atop time graphicsmagick hashdeep genisoimage isomd5sum openssh-server minimap2 jq parallel zpaq
# poppler-utils cmake gcc ffmpeg openjdk-17-jre-headless, and in $VIRTUAL_ENV a Python with hyperopt numpyro
# pyswarms locust umap-learn scikit-learn joblib catboost xgboost lightgbm rich pyspark plotly.
. "$(dirname "$0")/recording.sh"
# Letters that compress well, and letters that do not.
easy() { head -c "$2" /dev/urandom | tr '\000-\377' '[a*64][b*64][c*64][d*63]\n' > "$1"; }
serve() {
  [ -n "$server" ] && return
  noise big 12000000
  cat > serve.py <<'PYTHON'
import http.server, time
class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        last = self.path[-1:]; size = 12000000 - (1000000 * int(last) if last.isdigit() else 0)
        self.send_response(200); self.send_header("Content-Length", str(size)); self.send_header("Content-Type", "video/mp4"); self.end_headers()
        with open("big", "rb") as file:
            while size and (block := file.read(min(size, 100000))): self.wfile.write(block); size -= len(block); time.sleep(0.1)
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", 8766), Slow).serve_forever()
PYTHON
  python3 serve.py > /dev/null 2>&1 & server=$!
  sleep 1
}
url=http://127.0.0.1:8766

# Bars whose words change.
run hyperopt --from 'best loss' -- python -c 'import time, hyperopt
def f(x): time.sleep(0.3); return (x - 1) ** 2
hyperopt.fmin(f, hyperopt.hp.uniform("x", -5, 5), algo=hyperopt.tpe.suggest, max_evals=40)'
run pyswarms --from 'best_cost' -- python -c 'import time, pyswarms
def f(x): time.sleep(0.2); return (x ** 2).sum(axis=1)
pyswarms.single.GlobalBestPSO(20, 3, {"c1": 0.5, "c2": 0.3, "w": 0.9}).optimize(f, iters=60)'
run numpyro --says '([0-9]+)%' -- python -c 'import numpy as np, numpyro, numpyro.distributions as d
from jax import random
from numpyro.infer import MCMC, NUTS
x = np.random.randn(50000, 8); y = x.sum(1)
def model():
    w = numpyro.sample("w", d.Normal(0, 1).expand([8])); s = numpyro.sample("s", d.HalfNormal(1))
    numpyro.sample("y", d.Normal(x @ w, s), obs=y)
MCMC(NUTS(model), num_warmup=300, num_samples=700).run(random.PRNGKey(0))'

# Complete, and the job goes on.
if wanted cmake-cpack; then
  mkdir -p project/s project/data
  { echo 'cmake_minimum_required(VERSION 3.10)'; echo 'project(p C)'; echo 'add_library(p STATIC'; for i in $(seq 24); do echo "int f$i(void){return $i;}" > project/s/$i.c; echo "s/$i.c"; done; echo ')'; echo 'install(TARGETS p) 
install(DIRECTORY data DESTINATION share)
include(CPack)'; } > project/CMakeLists.txt
  for i in 1 2 3; do noise project/data/$i 50000000; done
  cmake -S project -B made -G 'Unix Makefiles' > /dev/null
fi
run cmake-cpack --slow 0.5 -- sh -c 'cmake --build made && cd made && cpack -G TGZ'
wanted locust && { serve; cat > locustfile.py <<'PYTHON'
from locust import HttpUser, task, between
class Visitor(HttpUser):
    wait_time = between(0.2, 0.6)
    @task
    def page(self): self.client.get("/nothing", headers={"Range": "bytes=0-9"})
PYTHON
}
run locust -- locust --headless -u 6 -r 2 -t 16s -H $url
run tsne --cpu -- python -c 'import numpy as np
from sklearn.manifold import TSNE
TSNE(verbose=2, perplexity=40, max_iter=600, n_jobs=1).fit_transform(np.random.RandomState(0).rand(4000, 40))'
run pip-install --pty -- pip install --no-cache-dir --target site plotly sympy

# A figure of each item.
if wanted optipng; then for i in $(seq 12); do ffmpeg -v error -f lavfi -i "mandelbrot=size=800x500:start_scale=$i" -frames:v 1 page-$i.png < /dev/null; done; fi
run optipng --cpu -- sh -c 'optipng page-*.png'
if wanted bzip2 lz4; then for i in 1 2 3 4 5 6 7 8 9; do $([ $((i % 3)) = 0 ] && echo text || echo easy) chapter-$i.txt $((i % 4 * 3000000 + 6000000)); done; fi
run bzip2 --slow 0.7 --read all -- sh -c 'bzip2 -vk chapter-*.txt'
run lz4 --slow 0.012 --read all -- sh -c 'lz4 -m -v chapter-*.txt'

# A gauge.
run top -- top -b -d 1 -n 14 -u games
wanted glpsol && python3 - > market.lp <<'PYTHON'
import random
random.seed(4)
n, m = 250, 30
print("Maximize\n v:", " + ".join(f"{random.randint(200, 999)} x{i}" for i in range(n)), "\nSubject To")
for r in range(m): print(f" c{r}:", " + ".join(f"{random.randint(10, 999)} x{i}" for i in range(n)), f"<= {251 * n}")
print("Binary\n", " ".join(f"x{i}" for i in range(n)), "\nEnd")
PYTHON
run glpsol -- glpsol --lp market.lp --tmlim 20
wanted minisat && python3 - > random.cnf <<'PYTHON'
import random
random.seed(7)
n = 316; m = int(n * 4.4)
print(f"p cnf {n} {m}")
for _ in range(m): print(*[v * random.choice((1, -1)) for v in random.sample(range(1, n + 1), 3)], 0)
PYTHON
run minisat --pty --cpu -- minisat random.cnf

# Several bars at once: the last figure of a name makes its file so many megabytes shorter.
wanted wget2 aria2c-four wget-three && serve
run wget2 --pty --work "got2/*:30000000" -- wget2 --progress=bar --force-progress -P got2 $url/a0 $url/b3 $url/c6 $url/d9
run aria2c-four --work 'got/[a-d][0-9]:30000000' -- aria2c --summary-interval=1 --file-allocation=none -Z -j4 -d got $url/a0 $url/b3 $url/c6 $url/d9
wanted pv-two && noise large 100000000
run pv-two --from 'in: ' -- sh -c 'pv -f -cN in -L 8m large | gzip -1 | pv -f -cN out > large.gz'

# Phases.
wanted vsearch muscle && python3 - <<'PYTHON'
import random
random.seed(3)
roots = ["".join(random.choices("ACGT", k=700)) for _ in range(60)]
def bent(s): return "".join(random.choice("ACGT") if random.random() < 0.05 else c for c in s)
with open("reads.fa", "w") as f:
    for i in range(9000): print(f">r{i}\n{bent(random.choice(roots))}", file=f)
with open("few.fa", "w") as f:
    for i in range(48): print(f">r{i}\n{bent(roots[i % 4])[:300]}", file=f)
PYTHON
run vsearch --pty --cpu -- vsearch --threads 1 --cluster_fast reads.fa --id 0.97 --centroids out.fa --msaout aligned.fa
run muscle --says '([0-9.]+)%' -- muscle -threads 1 -align few.fa -output aligned.afa
wanted gmsh && printf 'SetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 1, 1, 1};\nCylinder(2) = {2, 0, 0, 1, 0, 0, 0.5};\nSphere(3) = {4, 0, 0, 0.5};\n' > part.geo
run gmsh --slow 0.5 --cpu -- gmsh -3 -clmax 0.03 -o part.msh part.geo

# A new total each time.
if wanted git-fsck hg; then mkdir tree; for i in $(seq 3000); do mkdir -p tree/d$((i % 30)); text tree/d$((i % 30))/f$i 6000; done; fi
if wanted git-fsck; then (cd tree && git init -q . && for d in $(seq 0 29); do git add d$d && git -c user.name=a -c user.email=a@b commit -qm $d; done && for i in 1 2 3; do noise n$i 20000000; done && git add . && git -c user.name=a -c user.email=a@b commit -qm all && git repack -qad && git -c gc.auto=0 -c user.name=a -c user.email=a@b commit -q --allow-empty -m last); fi
run git-fsck --cpu --slow 0.1 -- git -C tree fsck --progress
if wanted hg; then rm -rf tree/.git; (cd tree && hg init . && for d in $(seq 0 29); do hg add -q d$d && hg commit -q -u me -m $d; done); fi
run hg --pty --slow 0.5 --says '([0-9]+)/3000' -- hg clone --pull tree copy --config progress.delay=0.5 --config progress.refresh=0.5
if wanted restic-check; then
  export RESTIC_REPOSITORY=$work/restic RESTIC_PASSWORD=x
  mkdir files; for i in 1 2 3 4 5 6; do noise files/$i 40000000; done
  restic -q init > /dev/null; for i in 1 2 3 4; do restic -q backup files/$i files/6 > /dev/null; done
fi
run restic-check --pty --slow 0.05 --read all -- restic check --read-data

# The words beside it: whose processor time.
run busybox-top -- sh -c 'busybox top -b -d 1 -n 14 | grep --line-buffered -E "^(Mem|CPU|Load)"'
run atop -- sh -c 'atop 1 14 | grep --line-buffered -E "^(ATOP|PRC|CPU|CPL|MEM|SWP)"'
wanted gnu-time && text story 12000000
run gnu-time --written all -- sh -c 'for i in 1 2 3 4 5 6 7 8; do /usr/bin/time bzip2 -k -c story > story.$i; done'

# A stage that is never complete.
wanted md5deep && for i in 1 2 3 4; do noise track-$i $((i * 40000000)); done
run md5deep --slow 0.025 --read all -- md5deep -j0 -e track-1 track-2 track-3 track-4
if wanted genisoimage; then mkdir disc; for i in $(seq 12); do noise disc/$i 15000000; done; fi
run genisoimage --slow 0.15 --cpu -- sh -c 'genisoimage -J -r -o disc.iso disc && md5sum disc.iso && bzip2 -1 -c disc/1 > disc.bz2'
run umap --cpu -- python -c 'import numpy as np, umap
umap.UMAP(verbose=True, n_epochs=300, n_jobs=1, random_state=1, tqdm_kwds={"mininterval": 0.5}).fit_transform(np.random.RandomState(0).rand(6000, 30).astype("f"))'

# Two commands in one.
if wanted scp; then
  mkdir -p ssh /run/sshd; ssh-keygen -q -t ed25519 -N "" -f ssh/host; ssh-keygen -q -t ed25519 -N "" -f ssh/me; cp ssh/me.pub ssh/allowed
  /usr/sbin/sshd -p 8722 -h "$work/ssh/host" -o "AuthorizedKeysFile=$work/ssh/allowed" -o StrictModes=no -o PidFile="$work/ssh/pid"; sleep 1; keys=$(cat ssh/pid)
  for i in 1 2 3; do noise song-$i.flac $((i * 4000000)); done; mkdir there
fi
run scp --pty --work 'there/*:24000000' -- sh -c 'for i in 1 2 3; do scp -l 16000 -P 8722 -i ssh/me -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR song-$i.flac "localhost:$PWD/there/"; done'
run wget-three --work 'x[0-9]:21000000' -- sh -c "for i in 3 5 7; do wget --progress=dot:mega -O x\$i $url/\$i; done"
wanted cp-xz && { noise first 250000000; text second 14000000; }
run cp-xz --files --cpu --slow 0.7 -- sh -c 'sha512sum first; xz -k -T1 -2 second; sha512sum second.xz'

# Reading is not the work.
wanted sort && text words 200000000
run sort --files --cpu -- sort -S 3G --parallel=1 -o sorted words
wanted minimap2 && python3 - <<'PYTHON'
import random
random.seed(3)
genome = "".join(random.choices("ACGT", k=1500000))
with open("genome.fa", "w") as f: print(f">g\n{genome}", file=f)
with open("long.fa", "w") as f:
    for i in range(9000):
        at = random.randrange(1490000)
        print(f">r{i}", "".join(c if random.random() > 0.06 else random.choice("ACGT") for c in genome[at:at + 5000]), sep="\n", file=f)
PYTHON
run minimap2 --files --cpu -- minimap2 -t 1 -a -x map-ont -o out.sam genome.fa long.fa
wanted jq && python3 -c 'import json, random
json.dump([{"id": i, "name": f"n{random.random()}", "tags": [random.random() for _ in range(6)]} for i in range(500000)], open("all.json", "w"))'
run jq --files --cpu -- sh -c 'jq "sort_by(.name) | map(.tags | add)" all.json > sums.json'

# They say it: who listens?
run catboost --from remaining --to remaining -- python -c 'import numpy as np, catboost
x = np.random.RandomState(0).rand(40000, 30)
catboost.CatBoostRegressor(iterations=1000, thread_count=1, allow_writing_files=False, metric_period=20).fit(x, x.sum(1))'
run xgboost --from train-rmse --to train-rmse -- python -c 'import numpy as np, xgboost
x = np.random.RandomState(0).rand(60000, 30)
xgboost.train({"nthread": 1}, xgboost.DMatrix(x, x.sum(1)), num_boost_round=500, evals=[(xgboost.DMatrix(x, x.sum(1)), "train")])'
run lightgbm --from training --to training -- python -c 'import numpy as np, lightgbm
x = np.random.RandomState(0).rand(200000, 30)
data = lightgbm.Dataset(x, x.sum(1))
lightgbm.train({"num_threads": 1, "verbosity": -1}, data, num_boost_round=120, valid_sets=[data], callbacks=[lightgbm.log_evaluation(5)])'
run grid-search --from Fitting --to END -- python -c 'import numpy as np
from sklearn.ensemble import RandomForestRegressor as R
from sklearn.model_selection import GridSearchCV
x = np.random.RandomState(0).rand(2000, 12)
GridSearchCV(R(n_estimators=30), {"max_depth": [8, 9, 10], "min_samples_leaf": [1, 2]}, cv=5, verbose=2).fit(x, x.sum(1))'
run joblib -- python -c 'import time, joblib
joblib.Parallel(n_jobs=2, verbose=10)(joblib.delayed(time.sleep)(0.6) for _ in range(40))'
run boosting --from "Train Loss" --to "0[.]00s" -- python -c 'import numpy as np
from sklearn.ensemble import GradientBoostingRegressor as R
x = np.random.RandomState(0).rand(8000, 15)
R(n_estimators=100, verbose=1).fit(x, x.sum(1))'
run parallel-progress --pty -- sh -c 'parallel --progress -j2 "sleep 0.9; true {}" ::: $(seq 30)'
run parallel-eta --pty -- sh -c 'parallel --eta -j2 "sleep 0.9; true {}" ::: $(seq 30)'
wanted zpaq && { mkdir folder; for i in 1 2 3 4 5 6; do text folder/$i 5000000; done; }
run zpaq --pty --cpu -- zpaq add folder.zpaq folder -m1 -t1
wanted pdftoppm && { ffmpeg -v error -f lavfi -i mandelbrot=size=1000x700:rate=5 -frames:v 30 leaf-%02d.jpg < /dev/null; gm convert leaf-*.jpg book.pdf; }
run pdftoppm --steps 'page' -- pdftoppm -progress -r 150 -png book.pdf page
run rich-pipe -- python -c 'import time, rich.progress
for _ in rich.progress.track(range(40), description="Rendering"): time.sleep(0.25)'
run pyspark --from 'Stage 0:' -- python -c 'import time
from pyspark.sql import SparkSession
s = SparkSession.builder.master("local[2]").config("spark.ui.showConsoleProgress", "true").getOrCreate()
def nap(rows):
    time.sleep(0.8); return rows
s.sparkContext.parallelize(range(40), 40).mapPartitions(nap).count()'
