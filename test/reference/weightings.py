"""Sigmoid and linear attention by PyTorch.

Write the values:  python3 test/reference/weightings.py test/fixtures/attention/weightings.json

After Ramapuram et al. 2024, "Theory, Analysis, and Best Practices for Sigmoid Self-Attention": SigmoidAttn(X) = sigma(Q K^T / sqrt(d) + b) V, b = -log n,
a masked score of -inf gives 0. And after Katharopoulos et al. 2020, "Transformers are RNNs": eq. 5 for all keys, eqs. 16 to 20 (a recurrent network) for the
causal ones, phi(x) = elu(x) + 1, without the small number that their code adds to the denominator. Nothing here knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch


def sigmoid_attention(q, k, v, bias, hidden):
    logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    logits = logits.masked_fill(hidden, -math.inf)
    weights = torch.sigmoid(logits + bias)
    return weights, weights @ v


def linear_attention(q, k, v, causal):
    phi = lambda x: torch.nn.functional.elu(x) + 1
    if not causal:
        kept = phi(k).transpose(-1, -2) @ v
        return phi(q) @ kept / (phi(q) @ phi(k).sum(-2, keepdim=True).transpose(-1, -2))
    rows = []
    s = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=q.dtype)
    z = torch.zeros(*k.shape[:-2], k.shape[-1], dtype=q.dtype)
    for i in range(q.shape[-2]):
        s = s + phi(k[..., i, :])[..., :, None] * v[..., i, None, :]
        z = z + phi(k[..., i, :])
        own = phi(q[..., i, :])
        rows.append((own[..., None, :] @ s)[..., 0, :] / (own * z).sum(-1, keepdim=True))
    return torch.stack(rows, -2)


def main(path):
    random = np.random.RandomState(47)
    draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
    cases = []
    for dtype in ("float64", "float32"):
        kind = getattr(torch, dtype)
        for heads, causal, bias in ((1, False, None), (1, True, None), (2, True, 0.5), (2, False, None)):
            n, m = (5, 5) if causal else (3, 6)
            q, k, v = draw(heads, n, 4) * 3, draw(heads, m, 4), draw(heads, m, 3)
            hidden = torch.triu(torch.ones(n, m, dtype=torch.bool), 1) if causal else torch.zeros(n, m, dtype=torch.bool)
            weights, output = sigmoid_attention(q.to(kind), k.to(kind), v.to(kind), -math.log(m) if bias is None else bias, hidden)
            part = (lambda x: x) if heads > 1 else (lambda x: x[0])
            spec = {
                "start": {"from": "qkv", **{name: part(x).tolist() for name, x in (("q", q), ("k", k), ("v", v))}}, "heads": heads, "dtype": dtype,
                "mask": "causal" if causal else "none", "weighting": {"by": "sigmoid", **({} if bias is None else {"bias": bias})},
            }
            cases.append({"spec": spec, "steps": {"weights": part(weights).tolist(), ("headOutputs" if heads > 1 else "output"): part(output).tolist()}})
        for heads, causal in ((1, False), (1, True), (2, True)):
            n, m = (5, 5) if causal else (3, 6)
            q, k, v = draw(heads, n, 4), draw(heads, m, 4), draw(heads, m, 3)
            output = linear_attention(q.to(kind), k.to(kind), v.to(kind), causal)
            part = (lambda x: x) if heads > 1 else (lambda x: x[0])
            spec = {
                "start": {"from": "qkv", **{name: part(x).tolist() for name, x in (("q", q), ("k", k), ("v", v))}}, "heads": heads, "dtype": dtype,
                "mask": "causal" if causal else "none", "weighting": {"by": "linear"},
            }
            cases.append({"spec": spec, "steps": {("headOutputs" if heads > 1 else "output"): part(output).tolist()}})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
