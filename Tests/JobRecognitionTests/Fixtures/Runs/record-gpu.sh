#!/bin/sh
# Records casts beside this file with record.py, of ten programs that train or sample on an NVIDIA GPU (an H200),
# chosen when the rules stood.
#
#   sh record-gpu.sh [NAME ...]      all of them, or those that are named
#
# Needs an NVIDIA GPU, and in $VIRTUAL_ENV a Python with torch tqdm rich transformers accelerate jax numpyro gpytorch.
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
