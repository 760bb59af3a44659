"""Softmax with sinks and softmax plus one by PyTorch.

Write the values:  python3 test/reference/sinks.py test/fixtures/attention/sinks.json

Sinks: modeling_gpt_oss.py's eager_attention_forward (a learned logit per head, concatenated behind the scores, dropped after softmax). Plus one: Miller 2023,
"Attention Is Off By One": exp(x_i) / (1 + sum_j exp(x_j)), by that formula. Nothing here knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch


def with_sinks(scores, sinks):
    """scores: ..., heads, n, m; sinks: heads."""
    column = sinks.reshape(-1, 1, 1).expand(*scores.shape[:-1], 1)
    combined = torch.cat([scores, column], dim=-1)
    combined = combined - combined.max(dim=-1, keepdim=True).values
    return torch.softmax(combined, dim=-1)


def plus_one(scores):
    e = torch.exp(scores)
    total = 1 + e.sum(-1, keepdim=True)
    return torch.cat([e / total, 1 / total], dim=-1)


def main(path):
    random = np.random.RandomState(31)
    draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
    cases = []
    for dtype in ("float64", "float32"):
        for heads, inputs, causal, sink in ((1, 1, False, "one"), (1, 1, True, "given"), (2, 1, True, "given"), (2, 1, False, "one"), (2, 2, True, "given"), (1, 2, False, "given")):
            n, m = (4, 4) if causal else (3, 5)
            q, k, v = draw(inputs, heads, n, 4), draw(inputs, heads, m, 4), draw(inputs, heads, m, 3)
            logits = draw(heads) * 2
            kind = getattr(torch, dtype)
            scores = (q.to(kind) @ k.to(kind).transpose(-1, -2)) / math.sqrt(4)
            if causal:
                scores = scores.masked_fill(torch.triu(torch.ones(n, m, dtype=torch.bool), 1), -math.inf)
            shares = plus_one(scores) if sink == "one" else with_sinks(scores, logits.to(kind))
            weights = shares[..., :-1]
            output = weights @ v.to(kind)
            lead = (lambda x: x) if inputs > 1 else (lambda x: x[0]) if heads > 1 else (lambda x: x[0, 0])
            spec = {
                "start": {"from": "qkv", **{name: lead(x).tolist() for name, x in (("q", q), ("k", k), ("v", v))}}, "heads": heads, "dtype": dtype,
                "mask": "causal" if causal else "none", "sink": {"from": "given", "logits": logits.tolist()} if sink == "given" else {"from": "one"},
            }
            cases.append({"spec": spec, "steps": {"shares": lead(shares).tolist(), "weights": lead(weights).tolist(), **({} if heads > 1 else {"output": lead(output).tolist()})}})
    # In a row whose keys are all masked the sink has the whole weight.
    q = draw(2, 2)
    spec = {"start": {"from": "qkv", "q": q.tolist(), "k": q.tolist(), "v": q.tolist()}, "mask": {"kind": "padding", "visible": 0}, "sink": {"from": "one"}}
    shares = with_sinks(torch.full((1, 2, 2), -math.inf, dtype=torch.float64), torch.zeros(1))[0]
    cases.append({"spec": spec, "steps": {"shares": shares.tolist(), "output": (shares[:, :-1] @ q).tolist()}})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
