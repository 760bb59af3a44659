"""The mean of the heads' weights by torch.nn.MultiheadAttention.

Write the values:  python3 test/reference/average_weights.py test/fixtures/attention/average-weights.json

The module itself is called: average_attn_weights=True returns the mean over the heads, False the weights of each head. Nothing here knows the engine.
"""
import json
import sys

import numpy as np
import torch


def main(path):
    random = np.random.RandomState(53)
    draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
    cases = []
    for dtype in ("float64", "float32"):
        for heads, inputs, causal in ((2, 1, False), (2, 1, True), (4, 2, False), (3, 2, True)):
            n, d = 5, 12
            kind = getattr(torch, dtype)
            x = draw(inputs, n, d).to(kind)
            attention = torch.nn.MultiheadAttention(d, heads, batch_first=True, dtype=kind)
            with torch.no_grad():
                attention.in_proj_weight.copy_(draw(3 * d, d) / 2)
                attention.in_proj_bias.copy_(draw(3 * d))
                attention.out_proj.weight.copy_(draw(d, d))
                attention.out_proj.bias.copy_(draw(d))
                mask = torch.triu(torch.ones(n, n, dtype=torch.bool), 1) if causal else None
                output, mean = attention(x, x, x, attn_mask=mask, average_attn_weights=True)
                _, weights = attention(x, x, x, attn_mask=mask, average_attn_weights=False)
            wq, wk, wv = attention.in_proj_weight.detach().split(d)
            bq, bk, bv = attention.in_proj_bias.detach().split(d)
            lead = (lambda t: t) if inputs > 1 else (lambda t: t[0])
            spec = {
                "start": {"from": "x", "x": lead(x).tolist()}, "dModel": d, "heads": heads, "dtype": dtype, "convention": "XWT",
                "mask": "causal" if causal else "none", "averageWeights": True,
                "projections": {"from": "given", **{f"w{b}": w.tolist() for b, w in zip("qkv", (wq, wk, wv))}, **{f"b{b}": w.tolist() for b, w in zip("qkv", (bq, bk, bv))}},
                "outputProjection": {"from": "given", "wo": attention.out_proj.weight.tolist(), "bo": attention.out_proj.bias.tolist()},
            }
            cases.append({"spec": spec, "steps": {"weights": lead(weights).tolist(), "averagedWeights": lead(mean).tolist(), "output": lead(output).tolist()}})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
