"""Weights drawn by randn(...) * factor, as notebooks write it.

Write the values:  python3 test/reference/times_weights.py test/fixtures/attention/times-weights.json

The expressions themselves, in PyTorch and NumPy; float16 and bfloat16 are made of the float32 weights. Every number is written in full.
Nothing here knows the engine.
"""
import json
import sys

import numpy as np
import torch


def weights(generator, seed, dtype, factor, shapes):
    if generator == "torch":
        torch.manual_seed(seed)
        own = torch.float64 if dtype == "float64" else torch.float32
        return [(torch.randn(*shape, dtype=own) * factor).to(getattr(torch, dtype)).double() for shape in shapes]
    state = np.random.RandomState(seed)
    return [torch.from_numpy((state.randn(*shape) * factor).astype(dtype)).double() for shape in shapes]


def main(path):
    cases = []
    for generator, dtype, seed, d, width, factor in (
        ("torch", "float32", 0, 6, 8, 0.02), ("torch", "float32", 3, 12, 10, 0.1), ("torch", "float32", 7, 4, 2, 0.3), ("torch", "float64", 1, 6, 8, 0.02),
        ("torch", "float16", 2, 6, 8, 0.7), ("torch", "bfloat16", 5, 6, 8, 0.02), ("numpy.RandomState", "float64", 0, 6, 8, 0.02), ("numpy.RandomState", "float32", 4, 6, 8, 0.1),
    ):
        drawn = dict(zip(("wq", "wk", "wv", "wo"), weights(generator, seed, dtype, factor, [(d, width)] * 3 + [(width, d)])))
        spec = {
            "start": {"from": "x", "x": [[((i * 7 + j * 3) % 5 - 2) / 2 for j in range(d)] for i in range(2)]}, "dModel": d, "dtype": dtype,
            "projections": {"from": "random", "dK": width, "dV": width}, "outputProjection": {"from": "random"},
            "random": {"generator": generator, "seed": seed}, "weightsTimes": factor,
        }
        cases.append({"spec": spec, "steps": {name: value.tolist() for name, value in drawn.items()}})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
