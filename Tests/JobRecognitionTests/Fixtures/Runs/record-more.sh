#!/bin/sh
# Records casts beside this file with record.py, of programs that neither the rules nor the runs before name, chosen
# when the rules stood for the second time.
#
#   sh record-more.sh [NAME ...]      all of them, or those that are named
#
# Needs the packages xfsprogs e2fsprogs ntfs-3g libnbd-bin nbdkit fossil git subversion melt mp3gain wavpack
# rubberband-cli musepack-tools advancecomp rav1e aom-tools plink1.9 swarm autodock-vina cd-hit t-coffee
# osmium-tool gobuster ffuf crunch pdfcrack primecount phpunit ruby-rspec rmlint clustalw testdisk
# graphicsmagick lbzip2 pbzip2 raxml tesseract-ocr arj ffmpeg, and in $VIRTUAL_ENV a Python with minisom gplearn
# mealpy zeus-mcmc ultranest nautilus-sampler papermill ipykernel mutmut pyprind astropy clint wget dirsearch
# scenedetect[opencv-headless] ffmpeg-normalize tsfresh trackpy lit implicit ngboost scikit-learn
# pikepdf.
. "$(dirname "$0")/recording.sh"
HOME=$work USER=me; export HOME USER

# Disks.
wanted e2image xfs_copy ntfsclone photorec && { mkdir tree; for i in $(seq 60); do noise tree/f$i 5000000; done; }
wanted e2image photorec && { truncate -s 400M ext.img; mkfs.ext4 -q -d tree ext.img; }
run e2image --pty --slow 0.01 --cpu -- e2image -pra ext.img out.e2i
wanted xfs_copy && {
  { printf '/nothing\n1000 100\nd--755 0 0\n'; for i in $(seq 60); do echo "f$i ---644 0 0 tree/f$i"; done; echo '$'; } > proto
  truncate -s 900M xfs.img; mkfs.xfs -q -f -p proto xfs.img; }
run xfs_copy --pty --slow 0.004 --cpu -- xfs_copy -d xfs.img copied.img
wanted ntfsclone && { truncate -s 400M nt.img; mkntfs -qF nt.img > /dev/null; for i in $(seq 60); do ntfscp -q nt.img tree/f$i f$i; done; }
run ntfsclone --pty --slow 0.01 --cpu -- ntfsclone -s -o nt.saved nt.img
run nbdcopy --pty --says '([0-9]+)% ' -- nbdcopy --progress -- [ nbdkit --exit-with-parent --filter=rate pattern 800M rate=640M ] null:
run photorec --pty --slow 0.02 --cpu -- photorec /d found /cmd ext.img options,paranoid_bf,search

# Histories.
wanted fossil filter-branch && { git init -q h; cd h; git config user.email me@home; git config user.name me
  for i in $(seq 240); do text f$((i % 9)) 60000; git add .; git commit -qm "change $i"; done; cd ..; }
wanted fossil && git -C h fast-export --all | fossil import --git h.fossil > /dev/null
run fossil --pty --slow 0.1 --says '([0-9.]+)% complete' -- fossil rebuild h.fossil
run filter-branch --pty --steps 'Rewrite [0-9a-f]+ ' -- git -C h filter-branch --msg-filter 'sed s/change/edit/' HEAD
wanted svnadmin && { svnadmin create sv; svn -q checkout file://"$work"/sv wc; cd wc
  for i in $(seq 60); do text f$((i % 9)) 1000000; svn -q add --force .; svn -q commit -m "$i"; done; cd ..; }
run svnadmin --slow 0.006 --cpu -- svnadmin verify sv

# Archives.
wanted pbzip2 lbzip2 && text words 60000000
run pbzip2 --pty --files --cpu -- pbzip2 -v -k -p1 words
run lbzip2 --pty --files --cpu -- lbzip2 -v -k -n 1 words
wanted arj && { mkdir aj; for i in $(seq 6); do text aj/words$i 3000000; done; }
run arj --pty --slow 0.15 --cpu -- arj a -m1 out.arj aj/words1 aj/words2 aj/words3 aj/words4 aj/words5 aj/words6

# Sound, film and pictures.
wanted mp3gain wavpack rubberband mpcenc ffmpeg-normalize && ffmpeg -v error -f lavfi -i "anoisesrc=d=240:c=pink" -ar 44100 -ac 2 in.wav < /dev/null
wanted mp3gain && for i in 1 2 3 4; do ffmpeg -v error -f lavfi -i "anoisesrc=d=120:c=pink:seed=$i" -ar 44100 -ac 2 -b:a 128k s$i.mp3 < /dev/null; done
run mp3gain --pty --slow 0.3 --cpu -- mp3gain -r s1.mp3 s2.mp3 s3.mp3 s4.mp3
run wavpack --pty --cpu -- wavpack -hx3 in.wav
run rubberband --pty --cpu -- rubberband -t 1.2 in.wav out.wav
run mpcenc --pty --cpu -- mpcenc --overwrite in.wav out.mpc
run ffmpeg-normalize --pty --cpu --from 'Stream' -- ffmpeg-normalize in.wav --progress -o norm.wav -f
wanted advpng && { mkdir pn; for i in $(seq 14); do ffmpeg -v error -f lavfi -i "mandelbrot=s=400x300:start_scale=0.$i" -frames:v 1 pn/p$i.png < /dev/null; done; }
run advpng --cpu -- sh -c 'advpng -z -3 pn/*.png'
wanted rav1e aomenc && ffmpeg -v error -f lavfi -i "mandelbrot=s=176x144:r=25" -frames:v 60 -pix_fmt yuv420p in.y4m < /dev/null
run rav1e --pty --cpu -- rav1e in.y4m -s 8 -y -o out.ivf
run aomenc --pty --cpu -- aomenc --cpu-used=3 --passes=1 --limit=60 -o out.webm in.y4m
run melt --pty --cpu -- melt noise: out=1199 -progress -consumer avformat:out.avi width=640 height=360 vcodec=mpeg4
wanted graphicsmagick && ffmpeg -v error -f lavfi -i "mandelbrot=s=1200x900" -frames:v 1 big.png < /dev/null
run graphicsmagick --pty --cpu -- gm convert -monitor big.png -blur 0x40 -despeckle -enhance big2.png
wanted scenedetect && ffmpeg -v error -f lavfi -i "testsrc2=s=640x360:d=120:r=25" -c:v mpeg4 scene.mp4 < /dev/null
run scenedetect --pty --cpu --from '0%' -- scenedetect -i scene.mp4 detect-content
wanted tesseract && { for i in $(seq 12); do gm convert -size 900x1100 xc:white -font /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf -pointsize 22 -draw "text 60,90 'page $i of this book has words'" pg$i.tif; done; gm convert -adjoin pg1.tif pg2.tif pg3.tif pg4.tif pg5.tif pg6.tif pg7.tif pg8.tif book.tif; }
run tesseract --cpu -- tesseract book.tif out

# Science.
run plink --pty --cpu -- sh -c 'plink1.9 --dummy 6000 1500 --out d --silent && exec plink1.9 --bfile d --genome --out g'
wanted swarm cd-hit clustalw t-coffee raxml && python3 - <<'PYTHON'
import random
random.seed(8)
def dna(n): return random.choices("ACGT", k=n)
def bent(s, r): return [random.choice("ACGT") if random.random() < r else c for c in s]
roots = [dna(250) for _ in range(300)]
with open("amplicons.fa", "w") as f:
    seen = {}
    for i in range(60000):
        s = "".join(bent(roots[i % 300], 0.006)); seen[s] = seen.get(s, 0) + 1
    for i, (s, n) in enumerate(seen.items()): print(f">a{i}_{n}\n{s}", file=f)
amino = "ACDEFGHIKLMNPQRSTVWY"
with open("proteins.fa", "w") as f:
    for i in range(2200): print(f">p{i}\n{''.join(random.choices(amino, k=300))}", file=f)
with open("few.fa", "w") as f:
    for i in range(60): print(f">s{i}\n{''.join(bent(roots[0] + roots[1] + roots[2], 0.2))}", file=f)
with open("fewer.fa", "w") as f:
    for i in range(30): print(f">s{i}\n{''.join(bent(roots[0], 0.2))}", file=f)
with open("al.phy", "w") as f:
    print(20, 1200, file=f)
    root = dna(1200)
    for i in range(20): print(f"t{i:<9}{''.join(bent(root, 0.25))}", file=f)
PYTHON
run swarm --pty --cpu -- swarm -d 1 -f -t 1 -o out.swarms amplicons.fa
run cd-hit --cpu -- cd-hit -i proteins.fa -o cd.out -c 0.5 -n 2 -T 1
run clustalw --cpu -- clustalw -INFILE=few.fa
run t-coffee --pty --cpu -- t_coffee fewer.fa -n_core=1
run raxml --cpu -- raxmlHPC -T 1 -m GTRGAMMA -p 3 -x 3 -N 8 -s al.phy -n r1
wanted vina && python3 - <<'PYTHON'
import random
random.seed(2)
def atom(i, x, y, z, t, rec="ATOM  "): return f"{rec}{i:5d}  {t:<3} LIG A   1    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00    +0.000 {t:<2}"
with open("rec.pdbqt", "w") as f:
    for i in range(900): print(atom(i + 1, *(random.uniform(-14, 14) for _ in "xyz"), random.choice(["C", "OA", "N"])), file=f)
with open("lig.pdbqt", "w") as f:
    print("ROOT", file=f)
    for i in range(4): print(atom(i + 1, i * 1.4, 0, 0, "C"), file=f)
    print("ENDROOT", file=f)
    for b in range(5):
        print(f"BRANCH {4 if b == 0 else 4 + b} {5 + b}", file=f)
        print(atom(5 + b, 4.2 + 1.4 * (b + 1), 0.3 * b, 0, "C" if b % 2 else "OA"), file=f)
    for b in reversed(range(5)): print(f"ENDBRANCH {4 if b == 0 else 4 + b} {5 + b}", file=f)
    print("TORSDOF 5", file=f)
PYTHON
run vina --cpu -- vina --receptor rec.pdbqt --ligand lig.pdbqt --center_x 0 --center_y 0 --center_z 0 --size_x 20 --size_y 20 --size_z 20 --cpu 1 --exhaustiveness 8 --seed 2
run primecount --pty --cpu -- primecount 3e16 --status -t 1
wanted osmium && python3 - <<'PYTHON'
import random
with open("map.osm", "w") as f:
    print("<?xml version='1.0'?>\n<osm version='0.6'>", file=f)
    for i in range(1, 150001): print(f"<node id='{i}' version='1' timestamp='2020-01-01T00:00:00Z' lat='{random.uniform(-80, 80):.6f}' lon='{random.uniform(-170, 170):.6f}'><tag k='a' v='{random.random()}'/></node>", file=f)
    print("</osm>", file=f)
PYTHON
run osmium --pty --files --slow 0.3 --cpu -- osmium cat --progress map.osm -o map.osm.bz2

# Searches.
wanted gobuster ffuf dirsearch && { seq -f 'word%g' 160 > list; mkdir www; echo hello > www/index.html
  python3 - "$work/www" <<'PYTHON' & server=$!
import http.server, sys, time, os
os.chdir(sys.argv[1])
class H(http.server.SimpleHTTPRequestHandler):
    def do_GET(self): time.sleep(0.2); super().do_GET()
    def log_message(self, *a): pass
http.server.ThreadingHTTPServer(("127.0.0.1", 8061), H).serve_forever()
PYTHON
  sleep 1; }
run gobuster --pty --from 'Progress:' --slow 0.5 -- gobuster dir -u http://127.0.0.1:8061 -w list -t 2
run ffuf --pty -- ffuf -u http://127.0.0.1:8061/FUZZ -w list -t 3
run dirsearch --pty --from '[0-9]%' -- dirsearch -u http://127.0.0.1:8061 -w list -t 3
run crunch --files --slow 0.5 --cpu -- crunch 7 7 abcdefgh -o out.txt
wanted pdfcrack && python3 -c 'import pikepdf; p = pikepdf.new(); p.add_blank_page(); p.save("lock.pdf", encryption=pikepdf.Encryption(owner="zz9", user="bddz", R=3, aes=False, metadata=False))'
run pdfcrack --cpu -- pdfcrack -f lock.pdf -c abcdefghijklmnopqrstuvwxyz
wanted rmlint && { mkdir same; for i in $(seq 40); do noise same/a$i 30000000; cp same/a$i same/b$i; done; }
run rmlint --pty --slow 0.004 --cpu -- rmlint -g -T df same

# Tests and papers.
wanted phpunit && { mkdir php; python3 -c 'print("<?php use PHPUnit\\Framework\\TestCase; final class AllTest extends TestCase {"); [print(f"public function testN{i}() {{ usleep(60000); $this->assertTrue(true); }}") for i in range(200)]; print("}")' > php/AllTest.php; }
run phpunit -- phpunit php
wanted rspec && python3 -c 'print("describe 1 do"); [print(f"it({i!r}.to_s) {{ sleep 0.1 }}") for i in range(100)]; print("end")' > all_spec.rb
run rspec --pty -- rspec all_spec.rb
wanted lit lit-pty && { mkdir lt; printf 'import lit.formats\nconfig.name="all"\nconfig.test_format=lit.formats.ShTest()\nconfig.suffixes=[".t"]\n' > lt/lit.cfg; for i in $(seq 60); do echo '# RUN: sleep 0.2' > lt/a$i.t; done; }
run lit --steps 'PASS: ' -- lit -v -j 1 lt
run lit-pty --pty -- lit -j 1 lt
wanted mutmut && { mkdir -p mu/tests; cd mu; printf '[mutmut]\npaths_to_mutate=calc.py\n' > setup.cfg
  python3 -c '[print(f"def f{i}(a, b):\n    if a > {i}:\n        return a + b * {i}\n    return a - b\n") for i in range(6)]' > calc.py
  python3 -c 'print("from calc import *"); [print(f"def test_{i}():\n    assert f{i}({i} + 2, 3) == {i} + 2 + 3 * {i}\n    assert f{i}(0, 3) == -3") for i in range(6)]' > tests/test_calc.py; cd ..; }
run mutmut --pty --from '1/[0-9]' -- sh -c 'cd mu && exec mutmut run --max-children 1'

# Python.
# Not under the name of what it imports.
py() { run "$1" --pty --cpu ${2:+--from "$2"} -- python3 -u "${1}_job.py"; }
program() { wanted "$1" && cat > "${1}_job.py"; }
sleeping() { run "$1" --pty -- python3 -u "${1}_job.py"; }
program minisom <<'P'
import numpy as np
from minisom import MiniSom
MiniSom(70, 70, 120, random_seed=1).train(np.random.rand(500, 120), 1500, verbose=True)
P
py minisom '0 /'
program gplearn <<'P'
import numpy as np
from gplearn.genetic import SymbolicRegressor
X = np.random.rand(300, 4); y = X[:, 0] ** 2 - X[:, 1]
SymbolicRegressor(population_size=800, generations=20, verbose=1, random_state=1).fit(X, y)
P
py gplearn 'Gen'
program mealpy <<'P'
import numpy as np
from mealpy import FloatVar, PSO
PSO.OriginalPSO(epoch=60, pop_size=80).solve({"obj_func": lambda s: np.sum(np.sin(s) ** 2) + sum(x * x for x in s), "bounds": FloatVar(lb=[-9] * 90, ub=[9] * 90), "minmax": "min"})
P
py mealpy 'Epoch: 1,'
program zeus <<'P'
import numpy as np, zeus
zeus.EnsembleSampler(20, 5, lambda x: -0.5 * np.sum(x ** 2)).run_mcmc(np.random.randn(20, 5), 1500)
P
py zeus '0%'
program ultranest <<'P'
import numpy as np, ultranest
ultranest.ReactiveNestedSampler(["a", "b", "c"], lambda p: float(-0.5 * np.sum(((p - .5) / .1) ** 2)), lambda u: u).run(min_num_live_points=100)
P
py ultranest 'Sampling'
program nautilus <<'P'
from nautilus import Prior, Sampler
import numpy as np
prior = Prior()
for k in "abc": prior.add_parameter(k, dist=(-5, 5))
Sampler(prior, lambda p: -0.5 * sum(v * v for v in p.values()), n_live=400).run(verbose=True, n_eff=2000)
P
py nautilus
program pyprind <<'P'
import pyprind, time, sys
bar = pyprind.ProgPercent(80, stream=1)
for i in range(80): time.sleep(0.1); bar.update()
P
sleeping pyprind
program astropy <<'P'
import time
from astropy.utils.console import ProgressBar
for i in ProgressBar(120): time.sleep(0.08)
P
sleeping astropy
program clint <<'P'
import time
from clint.textui import progress
for i in progress.bar(range(120)): time.sleep(0.08)
P
sleeping clint
program tsfresh <<'P'
import numpy as np, pandas as pd
from tsfresh import extract_features
from tsfresh.feature_extraction import MinimalFCParameters, EfficientFCParameters
if __name__ == "__main__":
    d = pd.DataFrame({"id": np.repeat(range(40), 60), "t": list(range(60)) * 40, "v": np.random.rand(2400)})
    extract_features(d, column_id="id", column_sort="t", n_jobs=0, default_fc_parameters=EfficientFCParameters())
P
py tsfresh '0%'
program trackpy <<'P'
import numpy as np, trackpy as tp, pandas as pd
frames = [np.random.randint(0, 60, (200, 200)).astype(np.uint8) for _ in range(40)]
for f in frames:
    for _ in range(30):
        y, x = np.random.randint(10, 190, 2); f[y - 3:y + 3, x - 3:x + 3] = 250
tp.link(tp.batch(frames, 7, minmass=200, processes=1), 5)
P
py trackpy 'Frame'
program implicit <<'P'
import numpy as np, scipy.sparse as sp
from implicit.als import AlternatingLeastSquares
m = sp.random(8000, 6000, density=0.004, format="csr", dtype=np.float32, random_state=1)
AlternatingLeastSquares(factors=64, iterations=25, num_threads=1).fit(m)
P
py implicit '0%'
program ngboost <<'P'
import numpy as np
from ngboost import NGBRegressor
X = np.random.rand(1500, 12)
NGBRegressor(n_estimators=300, verbose_eval=10).fit(X, X[:, 0] + np.random.rand(1500))
P
py ngboost 'iter 0'
program imputer <<'P'
import numpy as np
from sklearn.experimental import enable_iterative_imputer
from sklearn.impute import IterativeImputer
from sklearn.ensemble import ExtraTreesRegressor
X = np.random.rand(300, 12); X[np.random.rand(*X.shape) < .2] = np.nan
IterativeImputer(ExtraTreesRegressor(n_estimators=20), max_iter=12, tol=1e-9, verbose=2, random_state=1).fit(X)
P
py imputer 'round'
program halving <<'P'
import numpy as np
from sklearn.experimental import enable_halving_search_cv
from sklearn.model_selection import HalvingGridSearchCV
from sklearn.ensemble import RandomForestClassifier
X = np.random.rand(600, 12); y = (X[:, 0] > .5).astype(int)
HalvingGridSearchCV(RandomForestClassifier(n_estimators=30), {"max_depth": [2, 3, 4, 6, 8, None], "min_samples_leaf": [1, 2, 5]}, verbose=2, cv=3, factor=2, min_resources=100).fit(X, y)
P
py halving 'iter: 0'
program rfecv <<'P'
import numpy as np
from sklearn.feature_selection import RFE
from sklearn.ensemble import RandomForestClassifier
X = np.random.rand(400, 40); y = (X[:, 0] > .5).astype(int)
RFE(RandomForestClassifier(n_estimators=60), n_features_to_select=4, verbose=1).fit(X, y)
P
py rfecv 'Fitting'
wanted papermill && { python3 - <<'PYTHON'
import json
cells = [{"cell_type": "code", "source": "import time; time.sleep(0.4)", "metadata": {}, "outputs": [], "execution_count": None, "id": f"c{i}"} for i in range(20)]
json.dump({"cells": cells, "metadata": {"kernelspec": {"name": "python3", "display_name": "p", "language": "python"}}, "nbformat": 4, "nbformat_minor": 5}, open("in.ipynb", "w"))
PYTHON
}
run papermill --pty --from '0%' -- papermill in.ipynb out.ipynb
wanted python-wget && { python3 - <<'PYTHON' & server=$!
import http.server, time
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Length", "4000000"); self.end_headers()
        for _ in range(100): self.wfile.write(b"x" * 40000); time.sleep(0.08)
    def log_message(self, *a): pass
http.server.HTTPServer(("127.0.0.1", 8062), H).serve_forever()
PYTHON
  sleep 1; }
run python-wget --pty -- python3 -m wget http://127.0.0.1:8062/blob.bin
