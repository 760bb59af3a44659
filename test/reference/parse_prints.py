"""Matrices as NumPy and PyTorch print them, with the numbers that the printed digits stand for.

Run: python3 test/reference/parse_prints.py > test/fixtures/parse/prints.json
Needs NumPy and PyTorch. TensorFlow's two forms are NumPy's text with the prefix and suffix of its `Tensor.__str__` and `__repr__`.
"""
import json
import re

import numpy as np
import torch

rng = np.random.default_rng(20240501)
cases = []


def number(value):
    value = float(value)
    if np.isnan(value):
        return "nan"
    if np.isinf(value):
        return "inf" if value > 0 else "-inf"
    return "-0" if value == 0 and np.signbit(value) else value


def digits(text):
    """The numbers of a printed array by Python's own float()."""
    words = re.sub(r"dtype=\S+|grad_fn=\S+|device=\S+|shape=\([^)]*\)|numpy=", " ", text)
    tokens = re.findall(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|inf|nan)|True|False", words)
    return [float({"True": 1, "False": 0}.get(t, t)) for t in tokens]


def add(name, text, shape, values, **more):
    flat = [number(v) for v in np.asarray(values, dtype=np.float64).ravel()]
    assert len(flat) == int(np.prod(shape)), name
    cases.append(dict(name=name, text=text, shape=list(shape), values=flat, **more))


def printed(name, array, text, **more):
    found = digits(text)
    assert len(found) == array.size, (name, text)
    add(name, text, array.shape, found, **more)


shapes = [(1,), (5,), (1, 1), (4, 1), (1, 6), (3, 4), (4, 8), (7, 13), (12, 3), (2, 3, 4), (3, 2, 2, 5)]

# All digits are printed, so the expected numbers are the exact ones.
with np.printoptions(floatmode="unique", threshold=100000, precision=17):
    for shape in shapes:
        wide = rng.standard_normal(shape) * 10.0 ** rng.integers(-12, 12, shape)
        plain = rng.standard_normal(shape)
        for kind, a in (("wide", wide), ("plain", plain), ("float32", plain.astype(np.float32))):
            label = f"{kind} {'x'.join(map(str, shape))}"
            values = a if a.dtype == np.float64 else digits(repr(a).replace("dtype=float32", ""))
            dtype = {"dtype": "float32"} if a.dtype == np.float32 else {}
            add(f"numpy repr, {label}", repr(a), shape, values, **dtype)
            add(f"numpy str, {label}", str(a), shape, values)
            if a.dtype == np.float64:
                add(f"python list, {label}", repr(a.tolist()), shape, a)
                add(f"json, {label}", json.dumps(a.tolist(), indent=1), shape, a)
                add(f"tuples, {label}", repr(tuple(map(tuple, a.tolist()))) if a.ndim == 2 else repr(a.tolist()), shape, a)

# Common printing options. The expected numbers are those of the printed digits.
options = {
    "default": {},
    "precision 3": dict(precision=3),
    "suppress": dict(suppress=True),
    "fixed": dict(floatmode="fixed", precision=4),
    "narrow": dict(linewidth=30),
    "wide": dict(linewidth=200),
    "sign": dict(sign="+"),
    "legacy": dict(legacy="1.13"),
}
for option, settings in options.items():
    with np.printoptions(threshold=100000, **settings):
        for shape in shapes:
            a = rng.standard_normal(shape) * 3
            label = f"{option} {'x'.join(map(str, shape))}"
            printed(f"numpy repr, {label}", a, repr(a))
            printed(f"numpy str, {label}", a, str(a))

odd = np.array([[1.0, np.nan, -np.inf], [np.inf, -0.0, 1e-300], [1e300, 2.5, -3.0]])
ints = rng.integers(-999, 999, (3, 5))
flags = rng.random((3, 4)) < 0.5
for name, a in (("odd", odd), ("ints", ints), ("flags", flags), ("int32", ints.astype(np.int32)), ("mask", np.triu(np.full((4, 4), -np.inf), k=1))):
    text = repr(a)
    dtype = re.search(r"dtype=(\w+)", text)
    printed(f"numpy repr, {name}", a, text, **({"dtype": dtype.group(1)} if dtype else {}))
    printed(f"numpy str, {name}", a, str(a))

torch.set_printoptions(threshold=100000)
for shape in shapes:
    a = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
    label = "x".join(map(str, shape))
    printed(f"torch repr, {label}", a.numpy(), repr(a))
    grown = a.clone().requires_grad_(True) * 1e6
    printed(f"torch grad_fn, {label}", a.numpy(), repr(grown))
    double = torch.tensor(rng.standard_normal(shape))
    printed(f"torch float64, {label}", double.numpy(), repr(double), dtype="float64")
hidden = torch.full((4, 4), float("-inf")).triu(1)
printed("torch mask", hidden.numpy(), repr(hidden))
printed("torch bool", flags, repr(torch.tensor(flags)))
printed("torch ints", ints, repr(torch.tensor(ints)))

for shape in ((3, 4), (2, 2, 3), (4, 1)):
    a = rng.standard_normal(shape).astype(np.float32)
    size = "(" + ", ".join(map(str, shape)) + ")"
    label = "x".join(map(str, shape))
    printed(f"tensorflow str, {label}", a, f"tf.Tensor(\n{a}, shape={size}, dtype=float32)", dtype="float32")
    text = f"<tf.Tensor: shape={size}, dtype=float32, numpy=\n{a!r}>"
    printed(f"tensorflow repr, {label}", a, text, dtype="float32")

version = {"numpy": np.__version__, "torch": torch.__version__}
print("{\n" + f'"versions": {json.dumps(version)},\n"cases": [\n' + ",\n".join(map(json.dumps, cases)) + "\n]}")
