"""RoPE with another base, of some columns, and scaled, by PyTorch, after Hugging Face's modeling_rope_utils.py and modeling_llama.py.

Write the values:  python3 test/reference/rope_variants.py test/fixtures/attention/rope-variants.json

Inverse frequencies: default, linear, dynamic NTK, YaRN (Peng et al. 2023) and llama3 as that file computes them; fixed NTK as bloc97 gave it (base * factor ** (d / (d - 2))).
cos and sin: modeling_llama.py's LlamaRotaryEmbedding (inv_freq @ position_ids, doubled, times attention_scaling) with rotate_half; adjacent pairs by complex numbers as
Llama's reference code has them. Partial rotary: modeling_phi.py and modeling_gpt_neox.py (the first columns turn, the others pass). In float32 where a case says so, as
those classes compute whatever the model's dtype is; else in float64. Sinusoids in float32: d2l's PositionalEncoding. Nothing here knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch


def inverse_frequencies(dim, rope, seq_len, dtype):
    """inv_freq of dim/2 pairs, and the attention factor."""
    base = rope.get("base", 10000.0)
    scaling = rope.get("scaling")
    kind = scaling["kind"] if scaling else "default"
    factor = scaling.get("factor") if scaling else None
    half = torch.arange(0, dim, 2, dtype=torch.int64).to(dtype) / dim
    if kind == "ntk":
        base = base * factor ** (dim / (dim - 2))
    if kind == "dynamic":
        longest = scaling["original"]
        seq_len = max(scaling.get("length", seq_len), longest)
        base = base * ((factor * seq_len / longest) - (factor - 1)) ** (dim / (dim - 2))
    if kind == "yarn":
        return yarn(dim, base, scaling, half, dtype)
    inv_freq = 1.0 / (base ** half)
    if kind == "linear":
        inv_freq = inv_freq / factor
    if kind == "llama3":
        low, high, old = scaling["lowFrequency"], scaling["highFrequency"], scaling["original"]
        wavelen = 2 * math.pi / inv_freq
        scaled = torch.where(wavelen > old / low, inv_freq / factor, inv_freq)
        smooth = (old / wavelen - low) / (high - low)
        smoothed = (1 - smooth) * scaled / factor + smooth * scaled
        medium = ~(wavelen < old / high) * ~(wavelen > old / low)
        inv_freq = torch.where(medium, smoothed, scaled)
    return inv_freq, 1.0


def yarn(dim, base, scaling, half, dtype):
    factor, longest = scaling["factor"], scaling["original"]

    def get_mscale(scale, mscale=1.0):
        return 1.0 if scale <= 1 else 0.1 * mscale * math.log(scale) + 1.0

    attention_factor = scaling.get("attentionFactor")
    if attention_factor is None:
        mscale, all_dim = scaling.get("mscale"), scaling.get("mscaleAllDims")
        attention_factor = get_mscale(factor, mscale) / get_mscale(factor, all_dim) if mscale and all_dim else get_mscale(factor)

    def correction_dim(rotations):
        return (dim * math.log(longest / (rotations * 2 * math.pi))) / (2 * math.log(base))

    low, high = correction_dim(scaling.get("betaFast") or 32), correction_dim(scaling.get("betaSlow") or 1)
    if scaling.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    if low == high:
        high += 0.001
    ramp = torch.clamp((torch.arange(dim // 2, dtype=dtype) - low) / (high - low), 0, 1)
    pos_freqs = base ** half
    extrapolation, interpolation = 1.0 / pos_freqs, 1.0 / (factor * pos_freqs)
    kept = 1 - ramp
    return interpolation * (1 - kept) + extrapolation * kept, attention_factor


def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]), dim=-1)


def rotated(x, positions, layout, rope, seq_len, dtype):
    """x: n, d (float64)."""
    dims = rope.get("dims", x.shape[-1])
    inv_freq, scale = inverse_frequencies(dims, rope, seq_len, dtype)
    freqs = torch.outer(torch.tensor(positions, dtype=dtype), inv_freq)
    turning, passing = x[:, :dims], x[:, dims:]
    if layout == "rope-half":
        emb = torch.cat((freqs, freqs), dim=-1)
        cos, sin = (emb.cos() * scale).to(x.dtype), (emb.sin() * scale).to(x.dtype)
        turning = turning * cos + rotate_half(turning) * sin
    else:
        cis = torch.complex((freqs.cos() * scale).to(x.dtype), (freqs.sin() * scale).to(x.dtype))
        turning = torch.view_as_real(torch.view_as_complex(turning.reshape(len(x), dims // 2, 2).contiguous()) * cis).flatten(1)
    return torch.cat((turning, passing), dim=-1), freqs, scale


def main(path):
    random = np.random.RandomState(41)
    draw = lambda *shape: np.round(random.randn(*shape) * 64) / 64
    yarn_small = {"kind": "yarn", "factor": 4, "original": 32}
    variants = [
        {"base": 500000}, {"base": 100.5}, {"dims": 4}, {"dims": 2, "base": 100},
        {"scaling": {"kind": "linear", "factor": 4}}, {"base": 1000, "dims": 6, "scaling": {"kind": "linear", "factor": 2.5}},
        {"scaling": {"kind": "ntk", "factor": 4}}, {"dims": 4, "base": 1000, "scaling": {"kind": "ntk", "factor": 8}},
        {"scaling": {"kind": "dynamic", "factor": 2, "original": 3}}, {"scaling": {"kind": "dynamic", "factor": 2, "original": 300}},
        {"scaling": {"kind": "dynamic", "factor": 4, "original": 8, "length": 64}, "dims": 6},
        {"scaling": yarn_small}, {"base": 20, "scaling": yarn_small}, {"base": 20, "scaling": {**yarn_small, "truncate": False}},
        {"base": 50, "dims": 6, "scaling": {**yarn_small, "attentionFactor": 1.5, "betaFast": 8, "betaSlow": 0.5}},
        {"base": 20, "scaling": {**yarn_small, "mscale": 0.7, "mscaleAllDims": 1.3}},
        {"base": 20, "scaling": {"kind": "yarn", "factor": 0.5, "original": 16}},
        {"base": 500000, "scaling": {"kind": "llama3", "factor": 8, "lowFrequency": 1, "highFrequency": 4, "original": 8192}},
        {"base": 60, "scaling": {"kind": "llama3", "factor": 32, "lowFrequency": 1, "highFrequency": 4, "original": 64}},
        {"base": 60, "dims": 4, "scaling": {"kind": "llama3", "factor": 3, "lowFrequency": 0.5, "highFrequency": 2.5, "original": 40}},
    ]
    cases = []
    for i, rope in enumerate(variants):
        for dtype in ("float64", "float32"):
            layout = ("rope-half", "rope-interleaved")[i % 2] if dtype == "float64" else ("rope-interleaved", "rope-half")[i % 2]
            n, offset = 5, (0, 3, 1000)[i % 3]
            q, k, v = (torch.tensor(draw(n, 8)) for _ in range(3))
            positions = list(range(offset, offset + n))
            kind = getattr(torch, dtype)
            pairs = [rotated(x, positions if x is q else list(range(n)), layout, rope, offset + n, kind) for x in (q, k)]
            (turned_q, freqs, scale), (turned_k, _, _) = pairs
            scores = turned_q @ turned_k.T
            weights = torch.softmax(scores / math.sqrt(8), dim=-1)
            rotations = torch.stack(((freqs.cos() * scale), (freqs.sin() * scale)), dim=1).reshape(2 * n, -1).double()
            spec = {"start": {"from": "qkv", "q": q.tolist(), "k": k.tolist(), "v": v.tolist()}, "positions": layout, "rope": rope}
            if offset:
                spec["positionIds"] = {"offset": offset}
            if dtype == "float32":
                spec["positionsDtype"] = "float32"
            steps = {"qRotations": rotations, "qRotated": turned_q, "kRotated": turned_k, "scores": scores, "weights": weights, "output": weights @ v}
            cases.append({"spec": spec, "steps": {name: value.tolist() for name, value in steps.items()}})
    # Sinusoids in float32: d2l's X = arange(max_len, float32) / pow(10000, arange(0, d, 2, float32) / d).
    d, n, x = 16, 40, None
    x = torch.tensor(draw(n, d))
    angle = torch.arange(n, dtype=torch.float32).reshape(-1, 1) / torch.pow(10000, torch.arange(0, d, 2, dtype=torch.float32) / d)
    P = torch.zeros(n, d)
    P[:, 0::2], P[:, 1::2] = torch.sin(angle), torch.cos(angle)
    spec = {"start": {"from": "x", "x": x.tolist()}, "positions": "sinusoidal-interleaved", "positionsDtype": "float32"}
    cases.append({"spec": spec, "steps": {"positions": P.double().tolist(), "x": (x + P.double()).tolist()}})
    # The rotations of 16 positions and 64 columns, as a Llama of float32 has them.
    inv_freq, _ = inverse_frequencies(64, {}, 16, torch.float32)
    freqs = torch.outer(torch.arange(16, dtype=torch.float32), inv_freq)
    llama = torch.stack((freqs.cos(), freqs.sin()), dim=1).reshape(32, -1)
    with open(path, "w") as file:
        json.dump({"cases": cases, "llama": llama.double().tolist()}, file)
        file.write("\n")


main(sys.argv[1])
