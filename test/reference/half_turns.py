"""RoPE and additive scores in bfloat16 (PyTorch) and float16 (NumPy) as code computes them, one operation after the other. Knows nothing of the engine."""
import json
import sys

import numpy as np
import torch


def listed(x):
    return x.float().tolist() if isinstance(x, torch.Tensor) else x.astype(np.float64).tolist()


def rotate_half(x, join):
    half = x.shape[-1] // 2
    return join([-x[..., half:], x[..., :half]], -1)


def rotate_every_two(x, stack):
    return stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)


def turned(x, layout, positions, base, join, stack, cast):
    """Hugging Face's apply_rotary_pos_emb (Llama: halves; GPT-J: every two): cosines and sines in float32, then in the dtype of the queries."""
    d = x.shape[-1]
    angles = np.asarray(positions, np.float64)[:, None] / base ** (np.arange(0, d, 2) / d)
    wide = np.concatenate([angles, angles], -1) if layout == "half" else np.repeat(angles, 2, -1)
    cos, sin = cast(np.cos(wide)), cast(np.sin(wide))
    return x * cos + (rotate_half(x, join) if layout == "half" else rotate_every_two(x, stack)) * sin


def case(random, kind, layout):
    heads, n, d = 3, 6, 10
    x = np.round(random.randn(heads, n, d) * 300) / 100
    y = np.round(random.randn(heads, n, d) * 300) / 100
    v = np.round(random.randn(heads, d) * 100) / 100
    positions = [0, 3, 5, 11, 40, 77]
    if kind == "bfloat16":
        cast, join, stack, tanh = (lambda z: torch.tensor(z).to(torch.bfloat16)), torch.cat, torch.stack, torch.tanh
    else:
        cast, join, stack, tanh = (lambda z: z.astype(np.float16)), np.concatenate, np.stack, np.tanh
    q, k = (turned(cast(z), layout, positions, 500.0, join, stack, cast) for z in (x, y))
    met = tanh(cast(x)[:, :, None, :] + cast(y)[:, None, :, :])
    # The product with v sums in float32 and is rounded once.
    wide = met.float() if kind == "bfloat16" else met.astype(np.float32)
    weights = cast(v).float() if kind == "bfloat16" else v.astype(np.float16).astype(np.float32)
    summed = (wide * weights[:, None, None, :]).sum(-1)
    additive = summed.to(torch.bfloat16) if kind == "bfloat16" else summed.astype(np.float16)
    return {
        "dtype": kind, "layout": layout, "q": x.tolist(), "k": y.tolist(), "v": v.tolist(), "positions": positions, "base": 500,
        "qRotated": listed(q), "kRotated": listed(k), "additive": listed(additive),
    }


def main(path):
    random = np.random.RandomState(18)
    cases = [case(random, kind, layout) for kind in ("bfloat16", "float16") for layout in ("half", "interleaved")]
    with open(path, "w") as file:
        json.dump({"torch": torch.__version__, "numpy": np.__version__, "cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
