"""Several masks at once by PyTorch.

Write the values:  python3 test/reference/combined_masks.py test/fixtures/attention/combined-masks.json

`module`: torch.nn.MultiheadAttention itself, with attn_mask (boolean, True is hidden; or added) and key_padding_mask (True is filling).
`sdpa`: scaled_dot_product_attention, transcribed from its documentation (a boolean mask's True takes part), under a mask that is causal and by padding and by
segments of a packed sequence. `hugging_face`: modeling_attn_mask_utils' additive masks: a sliding window, and an attention_mask (1 is text) with
filling on the left, the dtype's lowest number where hidden. Nothing here knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch

random = np.random.RandomState(71)
draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
bits = lambda mask: mask.to(torch.int64).tolist()


def module(dtype, heads, lengths, attn, causal=False):
    """X of several inputs, filled up on the right; `attn`: n x n, boolean or added, beside the filling."""
    kind, n, d = getattr(torch, dtype), 5, 8
    x = draw(len(lengths), n, d).to(kind)
    attention = torch.nn.MultiheadAttention(d, heads, batch_first=True, dtype=kind)
    with torch.no_grad():
        attention.in_proj_weight.copy_(draw(3 * d, d) / 2)
        attention.in_proj_bias.copy_(draw(3 * d))
        attention.out_proj.weight.copy_(draw(d, d))
        attention.out_proj.bias.copy_(draw(d))
        later = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
        filling = torch.arange(n)[None, :] >= torch.tensor(lengths)[:, None]
        whole = attn if not causal else (later if attn is None else (later | attn))
        output, weights = attention(x, x, x, attn_mask=whole, key_padding_mask=filling, average_attn_weights=False)
    one = len(lengths) == 1
    lead = (lambda t: t[0]) if one else (lambda t: t)
    if heads == 1:
        weights = weights[:, 0]
    (wq, wk, wv), (bq, bk, bv) = attention.in_proj_weight.detach().split(d), attention.in_proj_bias.detach().split(d)
    mask = "none"
    if attn is not None and attn.dtype == torch.bool:
        mask = {"kind": "boolean", "values": bits(attn), "trueMeans": "hidden"}
    elif attn is not None:
        mask = {"kind": "additive", "values": [["-inf" if v == -math.inf else v for v in row] for row in attn.tolist()]}
    also = {"keys": {"values": bits(filling[0] if one else filling), "oneMeans": "hidden"}}
    if causal:
        also["causal"] = True
    spec = {
        "start": {"from": "x", "x": lead(x).tolist()}, "dModel": d, "heads": heads, "dtype": dtype, "convention": "XWT", "mask": mask, "alsoHidden": also,
        "projections": {"from": "given", **{f"w{b}": w.tolist() for b, w in zip("qkv", (wq, wk, wv))}, **{f"b{b}": w.tolist() for b, w in zip("qkv", (bq, bk, bv))}},
        "outputProjection": {"from": "given", "wo": attention.out_proj.weight.tolist(), "bo": attention.out_proj.bias.tolist()},
    }
    return {"spec": spec, "steps": {"weights": lead(weights).tolist(), "output": lead(output).tolist()}}


def sdpa_function(query, key, value, attn_mask):
    """As the documentation of torch.nn.functional.scaled_dot_product_attention spells it, without dropout."""
    bias = torch.zeros(attn_mask.shape, dtype=query.dtype).masked_fill(attn_mask.logical_not(), float("-inf"))
    weight = query @ key.transpose(-2, -1) * (1 / math.sqrt(query.size(-1)))
    masked = weight + bias
    weight = torch.softmax(masked, dim=-1)
    return masked, weight, weight @ value


def sdpa(dtype, heads, queries, keys, seen, causal):
    """Packed sequences: `queries` and `keys` are the numbers of the texts, a list for each input or one for all; `seen` is 1 for text."""
    kind = getattr(torch, dtype)
    inputs = 2
    n, m = len(queries[0]), len(keys[0])
    q, k, v = draw(inputs, heads, n, 4).to(kind), draw(inputs, heads, m, 4).to(kind), draw(inputs, heads, m, 3).to(kind)
    sq, sk = torch.tensor(queries), torch.tensor(keys)
    same = sq[:, :, None] == sk[:, None, :]
    text = torch.tensor(seen)[:, None, :] == 1
    order = torch.ones(n, m, dtype=torch.bool).tril()
    take = same & text & (order if causal else True)
    take = take[:, None].expand(inputs, heads, n, m)
    masked, weights, output = sdpa_function(q, k, v, take)
    assert not weights.isnan().any()
    flat = lambda lists: lists[0] if len(lists) == 1 else lists
    shaped = lambda mask, lists: bits(mask[0]) if len(lists) == 1 else bits(mask[:, None].expand(inputs, heads, n, m))
    both = queries if len(queries) > 1 else keys
    also = {"keys": {"values": flat(seen), "oneMeans": "visible"}, "segments": {"queries": flat(queries), **({} if queries == keys else {"keys": flat(keys)})}}
    if causal:
        also["causal"] = True
    spec = {
        "start": {"from": "qkv", "q": q.tolist(), "k": k.tolist(), "v": v.tolist()}, "heads": heads, "dtype": dtype, "mask": "none", "alsoHidden": also,
    }
    steps = {
        "keyMask": shaped(~text.expand(len(seen), n, m), seen), "segmentMask": shaped(~same, both),
        "jointMask": bits(~take) if len(both) > 1 or len(seen) > 1 else bits(~take[0, 0]), "weights": weights.tolist(),
        **({"causalMask": bits(~order)} if causal else {}), "headOutputs" if heads > 1 else "output": output.tolist(),
    }
    return {"spec": spec, "steps": steps}


def hugging_face(dtype, window, attention_mask):
    """Filling on the left; a query sees itself and `window` - 1 keys before it. The masks meet as lowest numbers, which are added to the scores."""
    kind, heads = getattr(torch, dtype), 2
    text = torch.tensor(attention_mask)
    inputs, n = text.shape
    q, k, v = (draw(inputs, heads, n, 4).to(kind) for _ in range(3))
    lowest = torch.finfo(kind).min
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    hidden = (j > i) | (i - j >= window)
    whole = hidden[None] | (text[:, None, :] == 0)
    mask = torch.zeros(inputs, 1, n, n, dtype=kind).masked_fill(whole[:, None], lowest)
    scores = q @ k.transpose(2, 3) / math.sqrt(4)
    weights = torch.softmax(scores + mask, dim=-1)
    spec = {
        "start": {"from": "qkv", "q": q.tolist(), "k": k.tolist(), "v": v.tolist()}, "heads": heads, "dtype": dtype, "maskFill": "min",
        "mask": {"kind": "window", "size": window, "causal": True, "counts": "self"}, "alsoHidden": {"keys": {"values": attention_mask, "oneMeans": "visible"}},
    }
    steps = {"mask": bits(hidden), "jointMask": bits(whole[:, None].expand(inputs, heads, n, n)), "weights": weights.tolist(), "headOutputs": (weights @ v).tolist()}
    return {"spec": spec, "steps": steps}


def main(path):
    cases = []
    attn = torch.tensor([[0, 1, 0, 0, 1], [0, 0, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 0, 0, 1], [0, 1, 0, 1, 0]], dtype=torch.bool)
    for dtype in ("float64", "float32"):
        cases.append(module(dtype, 2, (5, 3, 1), None, causal=True))
        cases.append(module(dtype, 1, (4, 2), None))
        cases.append(module(dtype, 2, (3,), attn))
        cases.append(module(dtype, 2, (5, 2), attn, causal=True))
        added = torch.where(attn, torch.tensor(-math.inf, dtype=torch.float64), draw(5, 5)).to(getattr(torch, dtype))
        cases.append(module(dtype, 2, (4, 3), added))
        packed = [[0, 0, 1, 1, 1, 2], [3, 3, 3, 3, 7, 7]]
        cases.append(sdpa(dtype, 2, packed, packed, [[1, 1, 1, 1, 1, 1], [1, 1, 0, 1, 1, 1]], True))
        cases.append(sdpa(dtype, 1, [[0, 1, 1]], [[0, 0, 1, 1, 1]], [[1, 0, 1, 1, 0]], False))
        cases.append(sdpa(dtype, 2, [[0, 1, 1], [1, 0, 0]], [[0, 0, 1, 1]], [[1, 1, 1, 0], [0, 1, 1, 1]], False))
        cases.append(hugging_face(dtype, 3, [[1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1]]))
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
