"""Attention with given positions, in NumPy, cell by cell from the definitions. RoPE's rotation uses PyTorch's complex numbers.

Write the values:  python3 test/reference/positions.py test/fixtures/attention/positions.json

RoPE: Su et al. 2021, equation 34, as Llama's reference code has it (complex numbers; freqs[pos]); `half` pairs columns i and i + d/2 as GPT-NeoX does.
position_ids, past_key_values_length: Hugging Face's names. With a cache of c tokens the decoder's query has position c. ALiBi: Press et al. 2022,
section 3: -m |distance|. Sinusoids: Vaswani et al. 2017, section 3.5. Masks use the index in the sequence (Hugging Face's cache_position) and not
position_ids. Independent of the engine.
"""
import json
import math
import sys

import numpy as np
import torch


def rope(x, positions, layout):
    """x: n, d."""
    n, d = x.shape
    pairs = [(2 * i, 2 * i + 1) if layout == "rope-interleaved" else (i, i + d // 2) for i in range(d // 2)]
    freqs = 1.0 / (10000.0 ** (torch.arange(0, d, 2, dtype=torch.float64) / d))
    cis = torch.polar(torch.ones(n, d // 2, dtype=torch.float64), torch.outer(torch.tensor(positions, dtype=torch.float64), freqs))
    out = np.zeros_like(x)
    for i, (a, b) in enumerate(pairs):
        turned = torch.complex(torch.tensor(x[:, a]), torch.tensor(x[:, b])) * cis[:, i]
        out[:, a], out[:, b] = turned.real.numpy(), turned.imag.numpy()
    return out


def sinusoid(positions, d):
    out = np.zeros((len(positions), d))
    for r, p in enumerate(positions):
        for i in range(d):
            angle = p / 10000.0 ** (2 * (i // 2) / d)
            out[r, i] = math.sin(angle) if i % 2 == 0 else math.cos(angle)
    return out


def slopes(heads):
    """heads: a power of two."""
    return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]


def hidden(mask, query, key):
    if mask == "causal":
        return key > query
    if mask == "none":
        return False
    return key > query or query - key > mask["size"]


def attention(q, k, v, positions, pq, pk, place, mask, slope):
    """One head: n queries, m keys; pq, pk: positions; place: of query 0."""
    if positions.startswith("rope"):
        q, k = rope(q, pq, positions), rope(k, pk, positions)
    n, m, d = len(q), len(k), q.shape[1]
    weights = np.zeros((n, m))
    for i in range(n):
        scores = []
        for j in range(m):
            s = float(np.dot(q[i], k[j])) / math.sqrt(d)
            if positions == "alibi":
                s -= slope * abs(pq[i] - pk[j])
            scores.append(-math.inf if hidden(mask, place + i, j) else s)
        top = max(scores)
        e = [math.exp(s - top) for s in scores]
        weights[i] = np.array(e) / sum(e)
    return weights, weights @ v


def main(path):
    rng = np.random.RandomState(11)
    draw = lambda *shape: np.round(rng.randn(*shape) * 64) / 64
    cases = []
    window = {"kind": "window", "size": 2, "causal": True}

    def add(name, spec, steps):
        cases.append({"name": name, "spec": spec, "steps": {k: np.asarray(v).tolist() for k, v in steps.items()}})

    for positions in ["none", "rope-half", "rope-interleaved", "alibi"]:
        for mask in ["causal", window]:
            for ids in [None, [9, 3]]:
                q, k, v = draw(2, 4), draw(6, 4), draw(6, 3)
                pq = ids or [4, 5]
                w, o = attention(q, k, v, positions, pq, range(6), 4, mask, slopes(1)[0])
                given = {"offset": 4}
                if ids and positions != "none":
                    given["queries"] = ids
                spec = {"start": {"from": "qkv", "q": q.tolist(), "k": k.tolist(), "v": v.tolist()}, "positions": positions, "mask": mask, "positionIds": given}
                add(f"{positions}, {mask if isinstance(mask, str) else 'window'}, ids {given}", spec, {"weights": w, "output": o})

    for positions in ["rope-half", "rope-interleaved", "alibi"]:
        for heads in [1, 2]:
            q, k, v = draw(2, heads, 3, 4), draw(2, heads, 3, 4), draw(2, heads, 3, 2)
            pq, pk = [[0, 1, 2], [5, 7, 6]], [[1, 1, 0], [4, 2, 8]]
            both = [[attention(q[b, h], k[b, h], v[b, h], positions, pq[b], pk[b], 0, "causal", slopes(heads)[h])[0] for h in range(heads)] for b in range(2)]
            spec = {"start": {"from": "qkv", "q": q.tolist(), "k": k.tolist(), "v": v.tolist()}, "heads": heads, "positions": positions, "mask": "causal", "positionIds": {"queries": pq, "keys": pk}}
            add(f"a batch, {positions}, {heads} heads", spec, {"weights": both})

    # Two inputs of a batch, the second padded at its left: position_ids as transformers' generate makes them, cumsum(attention_mask) - 1, padding at 1.
    x, ids = draw(2, 4, 6), [[0, 1, 2, 3], [1, 1, 0, 1]]
    placed = np.stack([x[b] + sinusoid(ids[b], 6) for b in range(2)])
    ws = [attention(placed[b], placed[b], placed[b], "none", None, None, 0, "causal", 0) for b in range(2)]
    spec = {"start": {"from": "x", "x": x.tolist()}, "positions": "sinusoidal-interleaved", "mask": "causal", "positionIds": {"queries": ids}}
    add("sinusoids of a batch padded at the left", spec, {"x": placed, "weights": [w for w, _ in ws], "output": [o for _, o in ws]})

    x = draw(4, 6)
    placed = x + sinusoid(range(100, 104), 6)
    w, o = attention(placed, placed, placed, "none", None, None, 0, "none", 0)
    add("sinusoids from 100 on", {"start": {"from": "x", "x": x.tolist()}, "positions": "sinusoidal-interleaved", "mask": "none", "positionIds": {"offset": 100}}, {"x": placed, "weights": w, "output": o})
    for positions in ["rope-half", "alibi"]:
        w, o = attention(x, x, x, positions, range(7, 11), range(7, 11), 0, "causal", slopes(1)[0])
        add(f"{positions} from 7 on, keys too", {"start": {"from": "x", "x": x.tolist()}, "positions": positions, "mask": "causal", "positionIds": {"offset": 7}}, {"weights": w, "output": o})

    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
