"""Tensor files written by NumPy, and safetensors files written from the format's description, with the numbers that they contain.

Run: python3 test/reference/make_tensor_files.py
Writes test/fixtures/files/tensor-files.json and the examples extension/examples/projections.npz and heads.safetensors.
Needs NumPy and PyTorch (for bfloat16). The library safetensors is not used.
"""
import base64
import hashlib
import io
import json
import struct
import warnings
import zipfile
from pathlib import Path

import numpy as np
import torch

root = Path(__file__).resolve().parents[1]
rng = np.random.default_rng(8)
warnings.simplefilter("ignore")


def b64(data):
    return base64.b64encode(data).decode("ascii")


def bits(array):
    """Numbers as little-endian float64 in row-major order."""
    return b64(np.ascontiguousarray(np.asarray(array).astype(np.float64), dtype="<f8").tobytes())


def npy(array, version=None, **more):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version, **more)
    return out.getvalue()


def values(kind, shape):
    n = int(np.prod(shape))
    if kind[0] == "f":
        a = rng.standard_normal(n) * 10.0 ** rng.integers(-6, 5, n)
        odd = [np.nan, np.inf, -np.inf, -0.0, np.finfo(kind).tiny / 4, np.finfo(kind).max, np.finfo(kind).eps]
        a[: min(n, len(odd))] = odd[: min(n, len(odd))]
    elif kind == "b1":
        a = rng.random(n) < 0.5
    else:
        info = np.iinfo(kind)
        a = rng.integers(info.min, info.max, n, dtype=kind, endpoint=True)
        a[: min(n, 3)] = np.array([info.min, info.max, 7], dtype=kind)[: min(n, 3)]
    return a.astype(kind).reshape(shape)


names = {"f8": "float64", "f4": "float32", "f2": "float16", "b1": "bool"}
names.update({f"{s}{b}": f"{'u' if s == 'u' else ''}int{8 * b}" for s in "iu" for b in (1, 2, 4, 8)})


def inexact(a):
    """Number of integers that float64 does not represent exactly."""
    return sum(int(float(int(x))) != int(x) for x in a.ravel()) if a.dtype.kind in "iu" else 0


arrays = []
for kind, name in names.items():
    for order in "CF":
        for endian in "<>":
            for shape in [(3, 4), (2, 3, 4)]:
                a = np.array(values(kind, shape).astype(endian + kind), order=order, copy=True)
                case = dict(name=f"{endian}{kind} {order} {'x'.join(map(str, shape))}", dtype=name, shape=list(shape), file=b64(npy(a)), bits=bits(a), inexact=inexact(a))
                if len(shape) == 3:
                    case["slices"] = [
                        dict(slice=dict(index=[1]), shape=[3, 4], bits=bits(a[1])),
                        dict(slice=dict(index=[0], rows=dict(start=1, end=3)), shape=[2, 4], bits=bits(a[0, 1:3])),
                        dict(slice=dict(rows=dict(start=2, end=3)), shape=[2, 1, 4], bits=bits(a[:, 2:3])),
                    ]
                arrays.append(case)
for shape in [(), (5,), (1, 1), (0, 4), (2, 2, 3, 2), (1, 2, 1, 2, 3)]:
    for order in "CF":
        a = np.array(values("f4", shape) if shape else np.float32(2.5), dtype="<f4", order=order)
        arrays.append(dict(name=f"rank {len(shape)} {order} {shape}", dtype="float32", shape=list(shape), file=b64(npy(a)), bits=bits(a), inexact=0))
for version in [(1, 0), (2, 0), (3, 0)]:
    a = values("f8", (4, 2))
    arrays.append(dict(name=f"version {version[0]}", dtype="float64", shape=[4, 2], file=b64(npy(a, version)), bits=bits(a), inexact=0))

# Files that NumPy can write and the product refuses.
field = np.zeros(2, dtype=[("a", "<f4"), ("b", "<i2")])
with_object = npy(np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
refused = [
    dict(name="object", code="dtype", file=b64(with_object)),
    dict(name="structured", code="dtype", file=b64(npy(field))),
    dict(name="complex", code="dtype", file=b64(npy(np.zeros((2, 2), np.complex64)))),
    dict(name="longdouble", code="dtype", file=b64(npy(np.zeros((2, 2), np.longdouble)))),
    dict(name="text", code="dtype", file=b64(npy(np.array(["a", "bc"])))),
    dict(name="bytes", code="dtype", file=b64(npy(np.array([b"a", b"bc"])))),
    dict(name="date", code="dtype", file=b64(npy(np.array(["2020-01-01"], dtype="M8[D]")))),
    dict(name="void", code="dtype", file=b64(npy(np.zeros(3, "V2")))),
]

# Every float16 and every bfloat16, NaNs as one: SHA-256 of the float64 bytes.
every = np.arange(65536, dtype=np.uint16)


def digest(a):
    a = np.asarray(a, dtype=np.float64).copy()
    a[np.isnan(a)] = np.float64("nan")
    return hashlib.sha256(a.astype("<f8").tobytes()).hexdigest()


brains = torch.from_numpy(every.view(np.int16)).view(torch.bfloat16).double().numpy()
digests = dict(float16=digest(every.view(np.float16)), bfloat16=digest(brains))

# .npz
members = {"Q": values("f4", (3, 4)), "K": np.asfortranarray(values("f8", (5, 4))), "layers.0/W_q": values("i8", (2, 3)), "mask": values("b1", (3, 5)), "big": rng.standard_normal((40, 50))}
archives = []
savers = {"savez": np.savez, "savez_compressed": np.savez_compressed}
narrow = zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT
for name in (*savers, *(f"{saver} zip64" for saver in savers)):
    out = io.BytesIO()
    # The zip64 form that NumPy writes above 4 GB: Python's zipfile gets lower limits, so that a small file has it.
    zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = (300, 3) if "zip64" in name else narrow
    savers[name.split()[0]](out, **members)
    tensors = [dict(name=k, dtype=names[a.dtype.str[1:]], shape=list(a.shape), bits=bits(a)) for k, a in members.items()]
    with np.load(io.BytesIO(out.getvalue())) as loaded:
        assert all(loaded[k].tobytes() == a.tobytes() for k, a in members.items())
    archives.append(dict(name=name, file=b64(out.getvalue()), tensors=tensors))
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = narrow


def safetensors(tensors, metadata=None, pad=0):
    """[(name, dtype, shape, bytes)] -> the bytes of a file: length, JSON header, numbers one after the other."""
    header, data = {}, b""
    if metadata is not None:
        header["__metadata__"] = metadata
    for name, dtype, shape, raw in tensors:
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode("utf-8") + b" " * pad
    return struct.pack("<Q", len(text)) + text + data


tensor_names = {"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "i4": "I32", "i2": "I16", "i1": "I8", "u8": "U64", "u4": "U32", "u2": "U16", "u1": "U8", "b1": "BOOL"}
tensors, expected = [], []
for kind, name in tensor_names.items():
    a = values(kind, (3, 2, 4))
    tensors.append((f"t.{kind}", name, a.shape, a.astype("<" + kind).tobytes()))
    expected.append(dict(name=f"t.{kind}", dtype=names[kind], shape=list(a.shape), bits=bits(a)))
t = torch.from_numpy(rng.standard_normal((4, 3))).to(torch.bfloat16)
tensors.append(("größe.bf16", "BF16", (4, 3), t.view(torch.int16).numpy().tobytes()))
expected.append(dict(name="größe.bf16", dtype="bfloat16", shape=[4, 3], bits=bits(t.double().numpy())))
tensors.append(("empty", "F32", (0, 7), b""))
expected.append(dict(name="empty", dtype="float32", shape=[0, 7], bits=""))
tensors.append(("scalar", "F32", (), struct.pack("<f", 0.1)))
expected.append(dict(name="scalar", dtype="float32", shape=[], bits=bits(np.float32(0.1))))
metadata = {"format": "pt", "made by": "test"}
file = dict(name="safetensors", file=b64(safetensors(tensors, metadata, 5)), tensors=expected, metadata=metadata)

# Examples: inputs and weights as in tutorial 000 (NumPy seed 3, without biases), and two heads of a decoder with a cache.
examples = root.parent / "extension/examples"
state = np.random.RandomState(3)
walk = {name: state.randn(*shape) for name, shape in dict(X=(3, 4), W_q=(4, 4), W_k=(4, 4), W_v=(4, 4)).items()}
np.savez_compressed(examples / "projections.npz", **walk)
q, k, v = (walk["X"] @ walk[name].T for name in ("W_q", "W_k", "W_v"))
weights = np.exp(q @ k.T - (q @ k.T).max(axis=1, keepdims=True))
output = (weights / weights.sum(axis=1, keepdims=True)) @ v
heads = {f"attn.{name}": state.randn(1, 2, n, 4).astype(np.float32) for name, n in dict(query=5, key=6, value=6).items()}
causal = np.triu(np.ones((5, 6), bool), 2)
layers = [(name, "F32", a.shape, a.tobytes()) for name, a in heads.items()] + [("attn.mask", "BOOL", causal.shape, causal.tobytes())]
(examples / "heads.safetensors").write_bytes(safetensors(layers, {"format": "pt"}))

version = {"numpy": np.__version__, "torch": torch.__version__}
lines = lambda cases: "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]"
(root / "fixtures/files").mkdir(exist_ok=True)
(root / "fixtures/files/tensor-files.json").write_text(
    "{\n" + f'"versions": {json.dumps(version)},\n"digests": {json.dumps(digests)},\n"arrays": {lines(arrays)},\n"refused": {lines(refused)},\n'
    f'"archives": {lines(archives)},\n"safetensors": {json.dumps(file)},\n"walk": {json.dumps(output.ravel().tolist())}\n' + "}\n"
)
