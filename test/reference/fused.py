"""Attention whose queries, keys and values come of one matrix, by PyTorch.

Write the values:  python3 test/reference/fused.py test/fixtures/attention/fused.json

Three published orders: `in_proj_weight` of torch.nn.MultiheadAttention (the module itself, rows Q, K, V); `c_attn` of GPT-2, after openai/gpt-2 and Hugging
Face's Conv1D (y = x W + b, the product split into three along its columns); `query_key_value` of GPT-NeoX (the product seen as heads of 3·head_size columns,
of which each third is query, key and value); and with fewer key heads, InternLM 2's and Falcon's view of it: groups of queries, a key, a value. Nothing here
knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch


def attend(q, k, v, hidden):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), -1)
    return weights, (weights @ v).transpose(-2, -3).flatten(-2)


def gpt2(x, w, b, heads):
    split = (x @ w + b).split(w.shape[1] // 3, -1)
    return [part.unflatten(-1, (heads, -1)).transpose(-2, -3) for part in split]


def neox(x, w, b, heads):
    mixed = torch.nn.functional.linear(x, w, b).unflatten(-1, (heads, -1))
    return [part.transpose(-2, -3) for part in mixed.chunk(3, -1)]


def grouped(x, w, b, heads, kv_heads):
    each = heads // kv_heads
    mixed = torch.nn.functional.linear(x, w, b).unflatten(-1, (kv_heads, each + 2, -1))
    q = mixed[..., :each, :].flatten(-3, -2).transpose(-2, -3)
    k, v = (mixed[..., i, :].transpose(-2, -3).repeat_interleave(each, -3) for i in (-2, -1))
    return q, k, v


def module(x, w, b, heads, hidden):
    """nn.MultiheadAttention with no output projection of its own: the identity."""
    width = x.shape[-1]
    own = torch.nn.MultiheadAttention(width, heads, batch_first=True).to(x.dtype)
    own.in_proj_weight.data, own.in_proj_bias.data = w, b
    own.out_proj.weight.data, own.out_proj.bias.data = torch.eye(width, dtype=x.dtype), torch.zeros(width, dtype=x.dtype)
    output, weights = own(x[None], x[None], x[None], attn_mask=hidden, average_attn_weights=False)
    return weights[0], output[0]


def main(path):
    random = np.random.RandomState(59)
    draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
    cases = []
    for dtype in ("float64", "float32"):
        kind = getattr(torch, dtype)
        for name, heads, kv_heads, mask in (
            ("in_proj_weight", 2, 2, "none"), ("c_attn", 2, 2, "causal"), ("c_attn", 1, 1, "none"), ("query_key_value", 3, 3, "causal"), ("grouped", 4, 2, "none"),
        ):
            width, head = (6, 3) if heads == 2 else (6, 6) if heads == 1 else (5, 2)
            made = (heads + 2 * kv_heads) * head
            x, b = draw(4, width).to(kind), draw(made).to(kind)
            w = draw(width, made).to(kind) if name == "c_attn" else draw(made, width).to(kind)
            hidden = torch.ones(4, 4, dtype=torch.bool).triu(1) if mask == "causal" else torch.zeros(4, 4, dtype=torch.bool)
            steps = {}
            with torch.no_grad():
                if name == "in_proj_weight":
                    weights, output = module(x, w, b, heads, hidden)
                else:
                    q, k, v = gpt2(x, w, b, heads) if name == "c_attn" else neox(x, w, b, heads) if name == "query_key_value" else grouped(x, w, b, heads, kv_heads)
                    weights, output = attend(q, k, v, hidden)
                    if heads == 1:
                        weights, q, k, v = weights[0], q[0], k[0], v[0]
                    ends = ("", "", "") if heads == 1 else ("Heads", "Shared", "Shared") if kv_heads < heads else ("Heads",) * 3
                    steps = {f"q{ends[0]}": q, f"k{ends[1]}": k, f"v{ends[2]}": v}
            steps = {**steps, "weights": weights, "output": output}
            spec = {
                "start": {"from": "x", "x": x.tolist()}, "heads": heads, "dtype": dtype, "mask": mask, "convention": "XW" if name == "c_attn" else "XWT",
                "projections": {
                    "from": "fused", "order": "blocks" if name in ("c_attn", "in_proj_weight") else "heads", "wqkv": w.tolist(), "bqkv": b.tolist(),
                },
                **({"kvHeads": kv_heads} if kv_heads < heads else {}),
            }
            cases.append({"name": name, "spec": spec, "steps": {step: values.tolist() for step, values in steps.items()}})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
