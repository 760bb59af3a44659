"""Programs whose attention has one fault each, and the distance of their numbers from equation 1 of Vaswani et al. (2017), in PyTorch.

Prints test/fixtures/program-nearest.json: the programs, the first stage that differs, the difference, and standard attention's numbers at
that stage.
"""
import json
import math

import torch

base = """import torch
torch.manual_seed(1)
B, H, N, D = 2, 2, 5, 4
x = torch.randn(B, N, H * D)
wq, wk, wv, wo = (torch.randn(H * D, H * D) / 3 for _ in range(4))
q = (x @ wq).view(B, N, H, D).transpose(1, 2)
k = (x @ wk).view(B, N, H, D).transpose(1, 2)
v = (x @ wv).view(B, N, H, D).transpose(1, 2)
scores = q @ k.transpose(-2, -1)
scaled = scores / D**0.5
masked = scaled.masked_fill(torch.triu(torch.ones(N, N), diagonal=1).bool(), float("-inf"))
weights = torch.softmax(masked, dim=-1)
used = weights
heads = used @ v
joined = heads.transpose(1, 2).reshape(B, N, H * D)
out = joined @ wo
"""


def changed(*pairs):
    text = base
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


after = "masked_fill(torch.triu(torch.ones(N, N), diagonal=1).bool(), 0.0)"
programs = {
    "standard": base,
    "standard by einsum": changed(
        ("q @ k.transpose(-2, -1)", 'torch.einsum("bhid,bhjd->bhij", q, k)'), ("used @ v", 'torch.einsum("bhij,bhjd->bhid", used, v)')
    ),
    "standard in float64": changed(("torch.randn(B, N, H * D)", "torch.randn(B, N, H * D).double()"), ("/ 3 for", "/ 3.0 for"), ("torch.randn(H * D, H * D)", "torch.randn(H * D, H * D).double()")),
    "hidden by -1e9": changed(('float("-inf")', "-1e9")),
    "queries scaled before they meet keys": changed(("q = (x @ wq).view(B, N, H, D).transpose(1, 2)", "q0 = (x @ wq).view(B, N, H, D).transpose(1, 2)\nq = q0 * D**-0.5"), ("scores / D**0.5", "scores * 1.0")),
    "hidden by adding -10000": changed(
        ("scaled.masked_fill(torch.triu(torch.ones(N, N), diagonal=1).bool(), float(\"-inf\"))", "scaled + torch.triu(torch.ones(N, N), diagonal=1) * -10000.0")
    ),
    "softmax over queries": changed(("masked = scaled.masked_fill(torch.triu(torch.ones(N, N), diagonal=1).bool(), float(\"-inf\"))", "masked = scaled"), ("dim=-1", "dim=-2")),
    "no scale": changed(("scores / D**0.5", "scores * 1.0")),
    "scaled by d": changed(("D**0.5", "D")),
    "masked after softmax": changed(
        ("masked = scaled.masked_fill(torch.triu(torch.ones(N, N), diagonal=1).bool(), float(\"-inf\"))", "masked = scaled"),
        ("used = weights", f"used = weights.{after}"),
    ),
    "heads joined without turning": changed(("heads.transpose(1, 2).reshape", "heads.reshape")),
    "heads turned the wrong way": changed(("heads.transpose(1, 2).reshape", "heads.transpose(-1, -2).reshape")),
}


def of(text):
    names = {}
    exec(text, names)  # noqa: S102
    q, k, v = names.get("q0", names["q"]), names["k"], names["v"]
    hidden = names["masked"] < -1e3
    hidden |= (names["used"] == 0) & (names["weights"] != 0)
    # If a program masks only after its softmax, standard attention applies that mask before.
    scaled = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    masked = scaled.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(masked, dim=-1)
    heads = weights @ v
    standard = {
        "hidden": hidden.double(),
        "scaled": scaled.masked_fill(hidden, 0),
        "weights": weights,
        "attended": heads,
        "joined": heads.transpose(1, 2).reshape(*names["joined"].shape),
    }
    own = {
        "hidden": (names["masked"] < -1e3).double(),
        "scaled": names["masked"].masked_fill(hidden, 0),
        "weights": names["weights"],
        "attended": names["heads"],
        "joined": names["joined"],
    }
    most = {stage: (own[stage] - standard[stage]).abs().max().item() for stage in standard}
    first = next((stage for stage in standard if most[stage] > 1e-5), None)
    return {
        "text": text,
        "first": first,
        "most": most,
        "sameResult": most["joined"] < 1e-5,
        "weights": weights.flatten().tolist(),
        "joined": standard["joined"].flatten().tolist(),
    }


print(json.dumps({name: of(text) for name, text in programs.items()}))
