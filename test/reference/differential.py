"""Differential attention by PyTorch, in every partial.

Write the values:  /usr/bin/python3 test/reference/differential.py test/fixtures/attention/differential.json

Ye et al. 2024, "Differential Transformer", section 2.1: equations 1 to 3 and the pseudocode beside figure 2. Each head has two queries and two keys of width d
and one value: softmax(Q1 K1^T / sqrt d) - lambda softmax(Q2 K2^T / sqrt d). lambda = exp(lq1 . lk1) - exp(lq2 . lk2) + lambda_init,
lambda_init = 0.8 - 0.6 exp(-0.3 (l - 1)) in layer l = 1, 2, ... Each head's output is normed by RMSNorm, times 1 - lambda_init, then the heads are joined.
Nothing here knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch


def rms_norm(x, gain, eps):
    """Zhang and Sennrich 2019, as torch.nn.RMSNorm documents it: x / sqrt(mean(x^2) + eps) * gain."""
    normed = x / torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True) + eps)
    return normed if gain is None else normed * gain


def diff_attention(q, k, v, lambdas, init, gain, eps, causal, repeat):
    """q, k: inputs, pairs, 2, n, d; v: inputs, pairs of keys, m, e; lambdas: four vectors of d, or None."""
    d = q.shape[-1]
    n, m = q.shape[-2], k.shape[-2]
    steps = {}
    maps = []
    for half in (0, 1):
        s = q[:, :, half] @ k[:, :, half].transpose(-1, -2)
        z = s / math.sqrt(d)
        if causal:
            z = z.masked_fill(torch.triu(torch.ones(n, m, dtype=torch.bool), 1), -math.inf)
        maps.append((s, z, torch.softmax(z, dim=-1)))
    beside = lambda at: torch.stack([maps[0][at], maps[1][at]], dim=2).flatten(1, 2)
    steps["scores"], steps["masked"], steps["weights"] = beside(0), beside(1), beside(2)
    if lambdas is None:
        lam = init
    else:
        lq1, lk1, lq2, lk2 = lambdas
        lam = torch.exp(torch.sum(lq1 * lk1)) - torch.exp(torch.sum(lq2 * lk2)) + init
        steps["lambda"] = lam.reshape(1, 1)
    steps["differences"] = maps[0][2] - lam * maps[1][2]
    steps["headOutputs"] = steps["differences"] @ v.repeat_interleave(repeat, dim=1)
    steps["headsNormed"] = rms_norm(steps["headOutputs"], gain, eps)
    steps["headsScaled"] = steps["headsNormed"] * (1 - init)
    return steps


def main(path):
    random = np.random.RandomState(41)
    draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
    cases = []
    for dtype in ("float64", "float32"):
        kind = getattr(torch, dtype)
        for pairs, inputs, causal, vectors, layer, learned, repeat, projected in (
            (1, 1, False, False, 1, False, 1, False), (1, 1, True, True, 1, True, 1, False), (2, 1, True, True, 3, False, 1, True), (2, 2, False, True, 12, True, 1, False),
            (2, 1, True, False, 2, True, 2, True), (4, 2, True, True, 5, False, 2, True), (1, 1, False, True, 40, True, 1, True),
        ):
            n = 4
            d, e, width = 3, 5, 6
            x = draw(inputs, n, width)
            wq, wk, wv = draw(width, 2 * pairs * d), draw(width, 2 * pairs // repeat * d), draw(width, pairs // repeat * e)
            vectors_ = [v.to(kind) for v in draw(4, d) / 4] if vectors else None
            gain = draw(e).to(kind) if learned else None
            wo = draw(pairs * e, width)
            eps = 1e-5 if layer != 3 else 0.5
            init = 0.8 - 0.6 * math.exp(-0.3 * (layer - 1))
            Q, K, V = (x.to(kind) @ w.to(kind) for w in (wq, wk, wv))
            cut = lambda y, count: y.reshape(inputs, n, count, -1).transpose(1, 2)
            q = cut(Q, 2 * pairs).reshape(inputs, pairs, 2, n, d)
            k = cut(K, 2 * pairs // repeat).repeat_interleave(repeat, dim=1).reshape(inputs, pairs, 2, n, d)
            steps = {"q": Q, "k": K, "v": V, **diff_attention(q, k, cut(V, pairs // repeat), vectors_, init, gain, eps, causal, repeat)}
            joined = steps["headsScaled"].transpose(1, 2).reshape(inputs, n, pairs * e)
            if projected:
                steps["concat"] = joined
                steps["output"] = joined @ wo.to(kind)
            else:
                steps["output"] = joined
            differential = {"lambda": "given", "vectors": [v.tolist() for v in vectors_]} if vectors else {"lambda": "init"}
            if layer != 1:
                differential["layer"] = layer
            if learned:
                differential["gain"] = gain.tolist()
            if eps != 1e-5:
                differential["epsilon"] = eps
            lead = lambda y: y if inputs > 1 or y.shape == (1, 1) else y[0]
            spec = {
                "start": {"from": "x", "x": lead(x).tolist()}, "heads": 2 * pairs, "dtype": dtype, "mask": "causal" if causal else "none", "convention": "XW",
                "projections": {"from": "given", "wq": wq.tolist(), "wk": wk.tolist(), "wv": wv.tolist()}, "differential": differential,
                **({"kvHeads": 2 * pairs // repeat} if repeat > 1 else {}), **({"outputProjection": {"from": "given", "wo": wo.tolist()}} if projected else {}),
            }
            shown = {name: lead(value).tolist() for name, value in steps.items() if not (causal and name == "masked")}
            cases.append({"spec": spec, "steps": shown})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
