"""Values from another input than keys, by torch.nn.MultiheadAttention(query, key, value) and DETR's encoder layer.

Write the values:  python3 test/reference/value_source.py test/fixtures/attention/value-source.json

The module is called with three inputs (kdim and vdim of their own); its partials are computed beside it in plain tensors and must give the module's output. DETR
(Carion et al. 2020, models/transformer.py): q = k = src + pos; self_attn(q, k, value=src). Nothing here knows the engine.
"""
import json
import sys

import numpy as np
import torch

random = np.random.RandomState(71)


def draw(kind, *shape):
    return torch.tensor(np.round(random.randn(*shape) * 64) / 64).to(kind)


def partials(module, heads, query, key, value, weights, bias, mask):
    (wq, wk, wv), (bq, bk, bv) = weights, bias
    cut = lambda t: t.reshape(t.shape[0], t.shape[1], heads, -1).transpose(1, 2)
    q, k, v = query @ wq.T + bq, key @ wk.T + bk, value @ wv.T + bv
    scores = cut(q) @ cut(k).transpose(-1, -2)
    scaled = scores / (cut(q).shape[-1] ** 0.5)
    masked = scaled if mask is None else scaled.masked_fill(mask, float("-inf"))
    shares = torch.softmax(masked, -1)
    joined = (shares @ cut(v)).transpose(1, 2).reshape(q.shape)
    output = joined @ module.out_proj.weight.T + module.out_proj.bias
    truth, _ = module(query, key, value, attn_mask=mask)
    assert torch.allclose(output, truth, rtol=0, atol=1e-4 if query.dtype == torch.float32 else 1e-12)
    return {"q": q, "k": k, "v": v, "scores": scores, "scaled": scaled, "weights": shares, "concat": joined, "output": truth}


def case(dtype, heads, inputs, widths, rows, causal, detr):
    kind = getattr(torch, dtype)
    (d, dk, dv), (n, m) = widths, rows
    module = torch.nn.MultiheadAttention(d, heads, kdim=dk, vdim=dv, batch_first=True, dtype=kind)
    fill = lambda *shape: draw(kind, *shape) / 2
    weights, bias = [fill(d, d), fill(d, dk), fill(d, dv)], [fill(d) for _ in "qkv"]
    if module._qkv_same_embed_dim:
        module.in_proj_weight.copy_(torch.cat(weights))
    else:
        for name, weight in zip("qkv", weights):
            getattr(module, f"{name}_proj_weight").copy_(weight)
    module.in_proj_bias.copy_(torch.cat(bias))
    module.out_proj.weight.copy_(fill(d, d))
    module.out_proj.bias.copy_(fill(d))
    x, key, value = draw(kind, inputs, n, d), draw(kind, inputs, m, dk), draw(kind, inputs, m, dv)
    lead = (lambda t: t) if inputs > 1 else (lambda t: t[0])
    start, positions = {"from": "x", "x": lead(x).tolist(), "context": lead(key).tolist(), "values": lead(value).tolist()}, "none"
    query = x
    if detr:
        place = draw(kind, n, d)
        query, key, value, positions = x + place, x + place, x, {"learned": place.tolist()}
        start = {"from": "x", "x": lead(x).tolist(), "values": lead(x).tolist()}
    mask = torch.triu(torch.ones(n, n, dtype=torch.bool), 1) if causal else None
    steps = partials(module, heads, query, key, value, weights, bias, mask)
    one = lambda t: lead(t.squeeze(1) if t.dim() == 4 and heads == 1 else t).tolist()
    spec = {
        "start": start, "dModel": d, "heads": heads, "dtype": dtype, "convention": "XWT", "positions": positions, "mask": "causal" if causal else "none",
        "projections": {"from": "given", **{f"w{b}": w.tolist() for b, w in zip("qkv", weights)}, **{f"b{b}": w.tolist() for b, w in zip("qkv", bias)}},
        "outputProjection": {"from": "given", "wo": module.out_proj.weight.tolist(), "bo": module.out_proj.bias.tolist()},
    }
    return {"spec": spec, "steps": {name: one(t) for name, t in steps.items() if heads > 1 or name != "concat"}}


def main(path):
    cases = []
    with torch.no_grad():
        for dtype in ("float64", "float32"):
            cases.append(case(dtype, 1, 1, (4, 4, 4), (3, 5), False, False))
            cases.append(case(dtype, 2, 1, (4, 6, 3), (3, 5), False, False))
            cases.append(case(dtype, 3, 2, (6, 2, 5), (4, 4), True, False))
            cases.append(case(dtype, 2, 1, (8, 8, 8), (5, 5), False, True))
            cases.append(case(dtype, 4, 2, (8, 8, 8), (4, 4), True, True))
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
