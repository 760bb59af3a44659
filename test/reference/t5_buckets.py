"""T5's relative position bias by PyTorch, after Hugging Face's modeling_t5.py (T5Attention._relative_position_bucket, compute_bias).

Write the values:  python3 test/reference/t5_buckets.py test/fixtures/attention/t5-buckets.json

Raffel et al. 2020, section 2.1. The bias is added to the scores, which T5 does not scale; position_ids move queries and keys apart. Nothing here knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch


def bucket(relative, bidirectional, num_buckets, max_distance):
    """relative: memory (key) position minus context (query) position."""
    found = 0
    if bidirectional:
        num_buckets //= 2
        found = found + (relative > 0).to(torch.long) * num_buckets
        relative = torch.abs(relative)
    else:
        relative = -torch.min(relative, torch.zeros_like(relative))
    max_exact = num_buckets // 2
    is_small = relative < max_exact
    large = max_exact + (
        torch.log(relative.float() / max_exact) / math.log(max_distance / max_exact) * (num_buckets - max_exact)
    ).to(torch.long)
    large = torch.min(large, torch.full_like(large, num_buckets - 1))
    return found + torch.where(is_small, relative, large)


def attention(q, k, v, table, bias, heads, scale, causal, pq, pk):
    """q: [inputs,] n, d for all heads; pq, pk: a list for each input."""
    relative = pk[:, None, :] - pq[:, :, None]
    buckets = bucket(relative, bias["bidirectional"], bias.get("buckets", 32), bias.get("maxDistance", 128))
    values = torch.nn.functional.embedding(buckets, table).permute(0, 3, 1, 2)
    split = lambda x: x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)
    qh, kh, vh = split(q), split(k), split(v)
    scores = qh @ kh.transpose(-1, -2)
    scaled = scores / math.sqrt(qh.shape[-1]) if scale == "sqrt_d_k" else scores
    biased = scaled + values
    masked = biased.masked_fill(torch.triu(torch.ones(biased.shape[-2:], dtype=torch.bool), 1), -math.inf) if causal else biased
    weights = torch.softmax(masked, dim=-1)
    output = (weights @ vh).transpose(1, 2).flatten(2)
    return buckets, values, biased, weights, output


def main(path):
    random = np.random.RandomState(23)
    draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
    edges = []
    for bidirectional in (True, False):
        for num_buckets, most in ((32, 128), (8, 20), (32, 64), (16, 300), (5, 9), (64, 1000), (7, 32)):
            relative = torch.arange(-1100, 1101)
            edges.append({"bidirectional": bidirectional, "buckets": num_buckets, "maxDistance": most, "from": -1100, "found": bucket(relative, bidirectional, num_buckets, most).tolist()})
    cases = []
    for bidirectional in (True, False):
        for heads, inputs, ids, small in ((1, 1, None, False), (2, 1, None, True), (2, 1, [9, 3, 150, 0, 1], False), (1, 2, None, True), (2, 2, [[0, 1, 2, 3, 4], [7, 5, 9, 200, 8]], False)):
            n, d = 5, 4 * heads
            q, k, v = (draw(inputs, n, d) for _ in range(3))
            bias = {"bidirectional": bidirectional, **({"buckets": 6, "maxDistance": 4} if small else {})}
            table = draw(bias.get("buckets", 32), heads)
            places = torch.tensor([ids] * inputs if ids and isinstance(ids[0], int) else ids or [list(range(n))] * inputs)
            keys = torch.arange(n).expand(inputs, n)
            scale = "none" if heads == 2 else "sqrt_d_k"
            buckets, values, biased, weights, output = attention(q, k, v, table, bias, heads, scale, not bidirectional, places, keys)
            given = lambda x: x.reshape(inputs, n, heads, -1).transpose(1, 2).tolist() if inputs > 1 else x[0].tolist()
            spec = {
                "start": {"from": "qkv", "q": given(q), "k": given(k), "v": given(v)}, "heads": heads, "scale": scale,
                "mask": "none" if bidirectional else "causal", "relativeBias": {**bias, "table": table.tolist()},
            }
            if ids:
                spec["positionIds"] = {"queries": ids}
            lead = (lambda x: x) if inputs > 1 else (lambda x: x[0]) if heads > 1 else (lambda x: x[0, 0])
            many = inputs > 1 and ids
            steps = {
                "buckets": (buckets if many else buckets[0]).tolist(),
                "related": lead(biased).tolist(), "weights": lead(weights).tolist(), "output": (output.unsqueeze(1) if inputs > 1 and heads == 1 else output if inputs > 1 else output[0]).tolist(),
            }
            cases.append({"spec": spec, "steps": steps})
    with open(path, "w") as file:
        json.dump({"edges": edges, "cases": cases}, file, separators=(",", ":"))
        file.write("\n")


main(sys.argv[1])
