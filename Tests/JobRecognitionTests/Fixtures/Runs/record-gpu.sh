#!/bin/sh
# Records casts beside this file with record.py, of ten programs that train or sample on an NVIDIA GPU (an H200), and
# of nine more that train, compile or profile (an H100), chosen when the rules stood.
#
#   sh record-gpu.sh [NAME ...]      all of them, or those that are named
#
# Needs an NVIDIA GPU, and in $VIRTUAL_ENV a Python with torch tqdm rich transformers accelerate jax numpyro gpytorch
# pytorch_lightning sentence_transformers torch_geometric; for the last of them CUDA's compiler, tools and CMake.
. "$(dirname "$0")/recording.sh"

# A model and data that keep a GPU busy for some ten milliseconds a step.
cat >net.py <<'end'
import sys, time, torch
from torch import nn
def model(width=4096):
    return nn.Sequential(nn.Linear(256, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10)).cuda()
def batch(size=16384):
    return torch.randn(size, 256, device="cuda"), torch.randint(10, (size,), device="cuda")
class Steps:
    def __init__(self, width=4096):
        self.net = model(width); self.x, self.y = batch()
        self.optimiser = torch.optim.Adam(self.net.parameters())
    def __call__(self):
        loss = nn.functional.cross_entropy(self.net(self.x), self.y)
        self.optimiser.zero_grad(); loss.backward(); self.optimiser.step()
        return loss.item()
end

# Loops of one's own.
run torch-tqdm --pty --steps '(?:^|\r)epoch' -- python -c 'from net import *
from tqdm import trange
step = Steps(); bar = trange(12)
for i in bar:
    for _ in range(25): loss = step()
    bar.set_description(f"epoch {i} loss {loss:.3f}")'
run torch-steps --steps '(?m)^Epoch \[' -- python -u -c 'from net import *
step = Steps()
for epoch in range(3):
    for i in range(200):
        loss = step()
        if (i + 1) % 50 == 0: print(f"Epoch [{epoch+1}/3], Step [{i+1}/200], Loss: {loss:.4f}")'
run torch-mnist --steps '(?m)^Train Epoch' -- python -u -c 'from net import *
step = Steps()
for epoch in range(1, 4):
    for i in range(0, 60000, 256):
        loss = step()
        if i % 2560 == 0: print(f"Train Epoch: {epoch} [{i}/60000 ({100 * i / 60000:.0f}%)]\tLoss: {loss:.6f}")
    print(f"\nTest set: Average loss: {loss:.4f}, Accuracy: {int(loss * 400)}/10000 ({loss * 4:.0f}%)\n")'
run torch-gpt --steps '(?m)^iter' -- python -u -c 'from net import *
step = Steps()
for i in range(0, 601):
    t = time.time(); loss = step(); dt = time.time() - t
    if i % 100 == 0: print(f"step {i}: train loss {loss:.4f}, val loss {loss * 1.01:.4f}")
    if i % 10 == 0: print(f"iter {i}: loss {loss:.4f}, time {dt * 1000:.2f}ms, mfu {12.3 + i / 90:.2f}%")'
run torch-rich --pty --from '1' --to '100%' -- python -c 'from net import *
from rich.progress import Progress
step = Steps()
with Progress() as progress:
    train, evaluate = progress.add_task("Training", total=60), progress.add_task("Evaluating", total=20)
    for _ in range(60): [step() for _ in range(12)]; progress.advance(train)
    for _ in range(20): [step() for _ in range(12)]; progress.advance(evaluate)'

# Libraries with a loop of theirs.
cat >trainer.py <<'end'
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
model = BertForSequenceClassification(BertConfig(hidden_size=1024, num_hidden_layers=8, num_attention_heads=16, intermediate_size=4096))
data = [{"input_ids": torch.randint(1000, (256,)), "labels": torch.tensor(i % 2)} for i in range(2048)]
Trainer(model, TrainingArguments("out", num_train_epochs=2, per_device_train_batch_size=16, logging_steps=40, save_strategy="no", report_to="none"), train_dataset=data, eval_dataset=data[:64]).train()
end
run transformers --from '0%' --to '100%' -- python trainer.py
run transformers-pty --pty --from '0%' --to '100%' -- python trainer.py
run numpyro-gpu --pty --from '0/1200' --to 'sample: 100%' -- python -c 'import os; os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
import jax, jax.numpy as np, numpyro, numpyro.distributions as d
from numpyro.infer import MCMC, NUTS
x = jax.random.normal(jax.random.PRNGKey(0), (20000, 50)); y = x @ np.arange(50.) / 50
def model():
    w = numpyro.sample("w", d.Normal(0, 1).expand([50]).to_event(1)); numpyro.sample("y", d.Normal(x @ w, 1), obs=y)
MCMC(NUTS(model), num_warmup=400, num_samples=800).run(jax.random.PRNGKey(1))'
run gpytorch --steps '(?m)^Iter' -- python -u -c 'import torch, gpytorch
x = torch.rand(6000, 4).cuda(); y = torch.sin(x.sum(1) * 6)
class GP(gpytorch.models.ExactGP):
    def __init__(self, l):
        super().__init__(x, y, l); self.mean_module = gpytorch.means.ConstantMean(); self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())
    def forward(self, x): return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))
l = gpytorch.likelihoods.GaussianLikelihood().cuda(); m = GP(l).cuda(); o = torch.optim.Adam(m.parameters(), 0.1); mll = gpytorch.mlls.ExactMarginalLogLikelihood(l, m)
for i in range(60):
    o.zero_grad(); loss = -mll(m(x), y); loss.backward(); o.step()
    print("Iter %d/%d - Loss: %.3f   lengthscale: %.3f   noise: %.3f" % (i + 1, 60, loss.item(), m.covar_module.base_kernel.lengthscale.item(), l.noise.item()))'
run jax-epochs --steps '(?m)^\[' -- python -u -c 'import os; os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
import jax, jax.numpy as np
a = jax.random.normal(jax.random.PRNGKey(0), (6000, 6000)) / 80; f = jax.jit(lambda a: np.tanh(a @ a))
for i in range(1, 41):
    for _ in range(60): a = f(a)
    a.block_until_ready(); print(f"[{i:>3}/40] train_loss={float(a[0, 0]):.4f} lr=1.0e-04 98.5% gpu util")'

# The second round.
cat >lightning.py <<'end'
import torch, pytorch_lightning as pl
from torch import nn
class Net(pl.LightningModule):
    def __init__(self):
        super().__init__(); self.net = nn.Sequential(nn.Linear(256, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 10))
    def training_step(self, batch, i):
        loss = 0
        for _ in range(6): loss = loss + nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        self.log("train_loss", loss, prog_bar=True); return loss
    def validation_step(self, batch, i): self.log("val_loss", nn.functional.cross_entropy(self.net(batch[0]), batch[1]), prog_bar=True)
    def configure_optimizers(self): return torch.optim.Adam(self.parameters(), 1e-3)
def loader(n): return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(n * 4096, 256), torch.randint(10, (n * 4096,))), 4096, num_workers=0)
pl.Trainer(max_epochs=4, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False).fit(Net(), loader(60), loader(10))
end
run lightning-gpu-pty --pty --from 'Epoch 0' --to 'max_epochs|Epoch 3: 100%' -- python lightning.py
cat >encode.py <<'end'
import os, random, torch
from transformers import BertConfig, BertModel, BertTokenizerFast
from sentence_transformers import SentenceTransformer, models
words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [f"w{i}" for i in range(2000)]
os.makedirs("bert", exist_ok=True); open("vocab.txt", "w").write("\n".join(words))
BertTokenizerFast("vocab.txt").save_pretrained("bert")
BertModel(BertConfig(vocab_size=len(words), hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)).save_pretrained("bert")
m = models.Transformer("bert", max_seq_length=256)
SentenceTransformer(modules=[m, models.Pooling(m.get_word_embedding_dimension() if hasattr(m, "get_word_embedding_dimension") else 1024)], device="cuda").encode([" ".join(random.choices(words[5:], k=250)) for _ in range(6400)], batch_size=32, show_progress_bar=True)
end
run sentence-encode --from '0%' --to '100%' -- python encode.py
run geometric --steps '(?m)^Epoch: ' -- python -u -c 'import torch, torch_geometric.nn as g
n = 40000; x = torch.randn(n, 512).cuda(); e = torch.randint(n, (2, 4000000)).cuda(); y = torch.randint(7, (n,)).cuda()
c1, c2 = g.GCNConv(512, 512).cuda(), g.GCNConv(512, 7).cuda(); o = torch.optim.Adam([*c1.parameters(), *c2.parameters()], 0.01)
for epoch in range(1, 201):
    o.zero_grad(); out = c2(c1(x, e).relu(), e); loss = torch.nn.functional.cross_entropy(out, y); loss.backward(); o.step()
    acc = (out.argmax(1) == y).float().mean().item()
    print(f"Epoch: {epoch:03d}, Loss: {loss:.4f}, Train: {acc:.4f}, Val: {acc*.9:.4f}, Test: {acc*.88:.4f}")'
run timm-style --steps '(?m)^Train: ' -- python -u -c 'from net import *
step = Steps()
for epoch in range(4):
    begun = time.time()
    for i in range(0, 80):
        for _ in range(3): loss = step()
        if i % 8 == 0 or i == 79: print(f"Train: {epoch} [{i:>4d}/80 ({100. * (i+1) / 80:>3.0f}%)]  Loss: {loss:#.3g} (2.31)  Time: {0.03:.3f}s, {16384/.03:>7.2f}/s  ({0.03:.3f}s, {16384/.03:>7.2f}/s)  LR: 5.000e-02  Data: 0.001 (0.002)")
    for i in range(0, 21, 10): print(f"Test: [{i:>4d}/20]  Time: 0.012 (0.013)  Loss:  {loss:>7.3f} (2.3)  Acc@1: {10.1:>7.3f} (10.1)  Acc@5: {50.2:>7.3f} (50.2)")
    print(f"*** Best metric: 10.1 (epoch {epoch})")'
cat >lines.py <<'end'
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
model = BertForSequenceClassification(BertConfig(hidden_size=1024, num_hidden_layers=8, num_attention_heads=16, intermediate_size=4096))
data = [{"input_ids": torch.randint(1000, (256,)), "labels": torch.tensor(i % 2)} for i in range(2048)]
Trainer(model, TrainingArguments("out", num_train_epochs=3, per_device_train_batch_size=16, logging_steps=16, save_strategy="no", report_to="none", disable_tqdm=True), train_dataset=data).train()
end
run transformers-lines --steps "(?m)^\{'loss'" -- python -u lines.py
cat >k.cu <<'end'
#include <cstdio>
__global__ void step(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = x[i] * 1.0001f + 1; }
int main() { float *x; cudaMalloc(&x, 4 << 20); for (int i = 0; i < 60; i++) { for (int k = 0; k < 4; k++) step<<<4096, 256>>>(x, 1 << 20); cudaDeviceSynchronize(); if (i % 10 == 9) printf("step %d of 60\n", i + 1), fflush(stdout); } }
end
nvcc -o k k.cu
run ncu --steps 'passes' -- ncu --clock-control none -c 40 ./k
run sanitizer --steps '(?m)^step ' -- compute-sanitizer --tool racecheck ./k
mkdir -p cu; for i in $(seq 1 24); do sed "s/step/step$i/g; s/int main/int main$i/" k.cu > cu/k$i.cu; done
cat >cu/CMakeLists.txt <<'end'
cmake_minimum_required(VERSION 3.20)
project(kernels LANGUAGES CUDA)
set(CMAKE_CUDA_ARCHITECTURES 80 90)
file(GLOB sources *.cu)
add_library(kernels STATIC ${sources})
end
cmake -S cu -B cu/make >/dev/null 2>&1; cmake -S cu -B cu/ninja -G Ninja >/dev/null 2>&1
run nvcc-make --steps 'Building CUDA' -- make -C cu/make
run nvcc-ninja --steps 'Building CUDA' -- ninja -C cu/ninja -j 2
