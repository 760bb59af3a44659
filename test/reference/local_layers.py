"""A stack of local and global layers in PyTorch, after Gemma 2 and 3 in Hugging Face's transformers.

Write the values:  python3 test/reference/local_layers.py test/fixtures/attention/local-layers.json

configuration_gemma3.py: layer_types[i] is "sliding_attention" where (i + 1) % sliding_window_pattern, else "full_attention". masking_utils.py, sliding_window_overlay:
kv_idx > q_idx - sliding_window, beside kv_idx <= q_idx. modeling_gemma3.py: local layers rotate by rope_local_base_freq without scaling, global ones by rope_theta with
rope_scaling. ModernBERT: |q_idx - kv_idx| <= local_attention // 2. Around attention as in Llama: RMSNorm, attention, residual. Nothing here knows the engine.
"""
import json
import sys

import numpy as np
import torch

random = np.random.RandomState(83)
N, D, HEADS = 6, 8, 2
WIDTH = D // HEADS


def draw(*shape):
    return torch.tensor(np.round(random.randn(*shape) * 64) / 64)


def rotated(x, base, factor):
    inverse = 1.0 / (base ** (torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH)) / factor
    angles = torch.arange(N, dtype=torch.float64)[:, None] * inverse
    both = torch.cat((angles, angles), -1)
    half = torch.cat((-x[..., WIDTH // 2 :], x[..., : WIDTH // 2]), -1)
    return x * both.cos() + half * both.sin()


def hidden(kind, window, causal):
    q, kv = torch.arange(N)[:, None], torch.arange(N)[None, :]
    seen = kv <= q if causal else torch.ones(N, N, dtype=torch.bool)
    if kind == "sliding_attention":
        seen = seen & (kv > q - window if causal else (q - kv).abs() <= window // 2)
    return ~seen


def case(types, window, causal, rope, local, factor, shown):
    x = draw(N, D)
    spec = {
        "start": {"from": "x", "x": x.tolist()}, "dModel": D, "heads": HEADS, "convention": "XWT",
        "mask": {"kind": "window", "size": window, "causal": causal, "counts": "self"},
        "projections": {"from": "random", "dK": WIDTH, "dV": WIDTH}, "outputProjection": {"from": "random"},
        "block": {"norm": "before", "of": "rms", "epsilon": 1e-6, "layers": len(types), "shown": shown, "layerTypes": types, "weights": []},
    }
    if rope:
        spec["positions"] = "rope-half"
        spec["rope"] = {"base": rope, **({"localBase": local} if local else {}), **({"scaling": {"kind": "linear", "factor": factor}} if factor != 1 else {})}
    steps = {}
    for i, kind in enumerate(types):
        at = "" if i + 1 == shown else f"layer{i + 1}_"
        wq, wk, wv, wo = (draw(D, D) / 2 for _ in range(4))
        spec["block"]["weights"].append({"wq": wq.tolist(), "wk": wk.tolist(), "wv": wv.tolist(), "wo": wo.tolist()})
        normed = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        cut = lambda t: t.view(N, HEADS, WIDTH).transpose(0, 1)
        q, k, v = (cut(normed @ w.T) for w in (wq, wk, wv))
        if rope:
            own = (local, 1) if kind == "sliding_attention" and local else (rope, factor)
            q, k = rotated(q, *own), rotated(k, *own)
        mask = hidden(kind, window, causal)
        weights = torch.softmax((q @ k.transpose(-1, -2) / WIDTH**0.5).masked_fill(mask, float("-inf")), -1)
        output = (weights @ v).transpose(0, 1).reshape(N, D) @ wo.T
        x = x + output
        steps.update({at + "normed": normed.tolist(), at + "weights": weights.tolist(), at + "output": output.tolist(), at + "residual": x.tolist()})
        if mask.any():
            steps[at + "mask"] = mask.int().tolist()
        if rope:
            steps.update({at + "qRotated": q.tolist(), at + "kRotated": k.tolist()})
    return {"spec": spec, "steps": steps}


def pattern(layers, every):
    return ["sliding_attention" if (i + 1) % every else "full_attention" for i in range(layers)]


cases = [
    case(pattern(2, 2), 3, True, None, None, 1, 1),
    case(pattern(3, 2), 2, True, 10000.0, None, 1, 2),
    case(pattern(3, 3), 3, True, 1000.0, 10.0, 8.0, 3),
    case(["full_attention", "full_attention", "sliding_attention"], 2, True, 500.0, 50.0, 1, 1),
    case(["full_attention", "sliding_attention", "sliding_attention"], 4, False, 160000.0, 10000.0, 1, 2),
]
with open(sys.argv[1], "w") as file:
    json.dump({"cases": cases}, file)
    file.write("\n")
