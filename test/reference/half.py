"""bfloat16 by PyTorch and float16 by NumPy, each on a CPU.

Write the values with PyTorch 2 (2.13 was taken):  python3 test/reference/half.py test/fixtures/attention/half.json

PyTorch 1.13 differs: it rounds a Python number to bfloat16 before it multiplies or divides by it, and rounds after each operation inside SiLU and GELU by tanh,
where 2.x has float32 inside and rounds once (aten/src/ATen/native/cpu/Activation.cpp, BinaryOpsKernel.cpp). Its float16 has no element-wise functions on a CPU.

Numbers of both are written as the float32 that has them. Element-wise operations and roundings are one library call each; attention is written out after
Vaswani et al. 2017, eq. 1, with the softmax in float32 as in `softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)`. Nothing here knows the engine.
"""
import base64
import gzip
import hashlib
import json
import math
import sys

import numpy as np
import torch


def listed(values):
    values = values.float().numpy() if isinstance(values, torch.Tensor) else np.asarray(values, dtype=np.float32)
    spell = lambda x: "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf") if math.isinf(x) else x
    return (lambda f, x: f(f, x))(lambda f, x: [f(f, y) for y in x] if isinstance(x, list) else spell(x), values.tolist())


def inputs(random):
    """Float64 numbers whose rounding is hard: ties, neighbours of ties, the smallest and the largest."""
    plain = random.randn(300) * np.exp2(random.randint(-30, 17, 300))
    ties = np.concatenate([1 + (np.arange(64) + 0.5) / 1024, 1 + (np.arange(64) + 0.5) / 128, np.arange(40) * 2.0**-25])
    ends = [0.0, -0.0, 65504, 65519.996, 65520, 65536, 2.0**-14, 2.0**-24, 2.0**-25, 2.0**-26, 6.1e-5, 1e-40, 3.39e38, -1e9, math.inf, -math.inf]
    return np.concatenate([plain, ties, -ties, np.nextafter(ties, 2), ends])


def bfloat16(random):
    x = inputs(random)
    b = torch.tensor(x.tolist(), dtype=torch.bfloat16)
    a, c = (torch.tensor((random.randn(12, 8) * 2).tolist(), dtype=torch.bfloat16) for _ in range(2))
    positive = a.abs() + torch.tensor(0.125, dtype=torch.bfloat16)
    return {
        "rounded": [x_ if math.isfinite(x_) else ("inf" if x_ > 0 else "-inf") for x_ in x.tolist()], "to": listed(b),
        "a": listed(a), "c": listed(c), "positive": listed(positive),
        "add": listed(a + c), "divide": listed(a / math.sqrt(10)), "divideBy": math.sqrt(10), "product": listed(a * c), "quotient": listed(a / positive),
        "apply": {"tanh": listed(torch.tanh(a)), "sigmoid": listed(torch.sigmoid(a)), "relu": listed(torch.relu(a)), "gelu": listed(torch.nn.functional.gelu(a)), "root": listed(torch.sqrt(positive)), "inverse": listed(torch.reciprocal(positive)), "square": listed(torch.square(a))},
        "exponential": listed(torch.exp(a)), "softmax": listed(torch.softmax(a.float(), -1).to(torch.bfloat16)), "matmul": listed(a @ c.T),
    }


def float16(random):
    x = inputs(random)
    with np.errstate(over="ignore"):
        h = x.astype(np.float16)
    a, c = ((random.randn(12, 8) * 2).astype(np.float16) for _ in range(2))
    positive = np.abs(a) + np.float16(0.125)
    shifted = a.astype(np.float32) - a.astype(np.float32).max(-1, keepdims=True)
    e = np.exp(shifted)
    return {
        "rounded": [x_ if math.isfinite(x_) else ("inf" if x_ > 0 else "-inf") for x_ in x.tolist()], "to": listed(h),
        "a": listed(a), "c": listed(c), "positive": listed(positive),
        "add": listed(a + c), "divide": listed(a / np.float16(math.sqrt(10))), "divideBy": math.sqrt(10), "product": listed(a * c), "quotient": listed(a / positive),
        "apply": {"tanh": listed(np.tanh(a)), "relu": listed(np.maximum(a, 0)), "root": listed(np.sqrt(positive)), "inverse": listed(np.reciprocal(positive)), "square": listed(np.square(a))},
        "exponential": listed(np.exp(a)), "softmax": listed((e / e.sum(-1, keepdims=True)).astype(np.float16)), "matmul": listed(a @ c.T),
    }


def product(a, b):
    """Summed in float32 and rounded once, as NumPy does in float16 and GPUs do; PyTorch 1.13 on a CPU sums some layouts in bfloat16."""
    return (a.float() @ b.float()).to(a.dtype)


def attention(random, kind, heads, causal, cap):
    n, d = 5, 8
    drawn = [np.round(random.randn(heads, n, d) * 512) / 512 for _ in range(3)]
    if kind == "bfloat16":
        q, k, v = (torch.tensor(x.tolist(), dtype=torch.bfloat16) for x in drawn)
        scores = product(q, k.transpose(-1, -2))
        scaled = scores / math.sqrt(d)
        tempered = scaled / 0.7 if cap else scaled
        masked = tempered.masked_fill(torch.triu(torch.ones(n, n, dtype=torch.bool), 1), torch.finfo(torch.bfloat16).min) if causal else tempered
        weights = torch.softmax(masked, dim=-1, dtype=torch.float32).to(torch.bfloat16)
        output = product(weights, v)
    else:
        q, k, v = (x.astype(np.float16) for x in drawn)
        scores = q @ k.swapaxes(-1, -2)
        scaled = scores / np.float16(math.sqrt(d))
        tempered = scaled / np.float16(0.7) if cap else scaled
        masked = np.where(np.triu(np.ones((n, n), bool), 1), np.finfo(np.float16).min, tempered) if causal else tempered
        wide = masked.astype(np.float32)
        e = np.exp(wide - wide.max(-1, keepdims=True))
        weights = (e / e.sum(-1, keepdims=True)).astype(np.float16)
        output = weights @ v
    part = (lambda x: x) if heads > 1 else (lambda x: x[0])
    spec = {
        "start": {"from": "qkv", **{name: part(x).tolist() for name, x in zip("qkv", drawn)}}, "heads": heads, "dtype": kind,
        **({"mask": "causal", "maskFill": "min"} if causal else {}), **({"temperature": 0.7} if cap else {}),
    }
    steps = {"q": q, "k": k, "v": v, "scores": scores, "scaled": scaled, "masked": masked, "weights": weights, ("headOutputs" if heads > 1 else "output"): output}
    return {"spec": spec, "steps": {name: listed(part(x)) for name, x in steps.items()}}


def every(dtype):
    """What PyTorch makes of every finite number of a dtype, as bits: SHA-256 where all digits depend on arithmetic alone, the bits where they depend on its erf and tanh."""
    bits = np.arange(65536, dtype=np.uint16)
    x = torch.tensor((bits.astype(np.uint32) << 16).view(np.float32)).to(dtype) if dtype == torch.bfloat16 else torch.tensor(bits.view(np.float16))
    x = x[torch.isfinite(x.float())]
    gelu = torch.nn.functional.gelu
    functions = {
        "silu": torch.nn.functional.silu, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "exp": torch.exp, "inverseRoot": torch.rsqrt,
        # Gemma 2's attn_logit_softcapping in Hugging Face's eager_attention_forward, and the feature map of linear attention (Katharopoulos et al. 2020): operations one after the other.
        "cap 50": lambda y: torch.tanh(y / 50.0) * 50.0, "elu1": lambda y: torch.nn.functional.elu(y) + 1,
        # Sigmoid attention (Ramapuram et al. 2024): the bias, then the function.
        "bias -1.5": lambda y: torch.sigmoid(y + -1.5),
    }
    if dtype == torch.bfloat16:
        functions.update({"cap 0.7": lambda y: torch.tanh(y / 0.7) * 0.7, "divide": lambda y: y / math.sqrt(10), "scale": lambda y: y * 0.1})

    def bits_of(y):
        y = torch.where(torch.isnan(y), torch.full_like(y, math.nan), y)
        found = y.view(torch.int16).numpy().astype("<u2")
        found[torch.isnan(y).numpy()] = 0xFFFF
        return found.tobytes()

    packed = lambda data: base64.b64encode(gzip.compress(data, mtime=0)).decode()
    return {
        "same": {name: hashlib.sha256(bits_of(f(x))).hexdigest() for name, f in functions.items()},
        # As what they add to the bits of x, which packs well.
        "near": {name: packed((np.frombuffer(bits_of(y), "<u2") - np.frombuffer(bits_of(x), "<u2")).tobytes()) for name, y in (("gelu", gelu(x)), ("geluTanh", gelu(x, approximate="tanh")))},
    }


def main(path):
    random = np.random.RandomState(16)
    found = {"bfloat16": bfloat16(random), "float16": float16(random)}
    cases = [attention(random, kind, *rest) for kind in ("bfloat16", "float16") for rest in ((1, False, False), (1, True, True), (2, True, False))]
    with open(path, "w") as file:
        json.dump({"torch": torch.__version__, "operations": found, "every": {str(dtype)[6:]: every(dtype) for dtype in (torch.bfloat16, torch.float16)}, "cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
