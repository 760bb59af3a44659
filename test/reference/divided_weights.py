"""Weights drawn by torch.randn(...) / math.sqrt(d), as notebooks write it.

Write the values:  python3 test/reference/divided_weights.py test/fixtures/attention/divided-weights.json

The expression itself, in PyTorch; float16 and bfloat16 are made of the float32 weights. Seed 16 has, in wq[1][2],
a quotient that float32 rounds to a tie of float16, so that float16 at once would be another number. Every number is written in full. Nothing here knows the engine.
"""
import json
import math
import sys

import torch


def main(path):
    cases = []
    for dtype in ("float32", "float16", "bfloat16"):
        for seed, d, width, bias in ((0, 6, 8, False), (3, 12, 10, True), (42, 24, 8, False), (7, 16, 8, False), (16, 6, 8, False)):
            torch.manual_seed(seed)
            kind = getattr(torch, dtype)
            drawn = {}
            for branch in "qkv":
                drawn[f"w{branch}"] = (torch.randn(d, width) / math.sqrt(d)).to(kind)
            for branch in "qkv" if bias else "":
                drawn[f"b{branch}"] = (torch.randn(1, width) / math.sqrt(d)).to(kind)
            drawn["wo"] = (torch.randn(width, d) / math.sqrt(width)).to(kind)
            spec = {
                "start": {"from": "x", "x": [[((i * 7 + j * 3) % 5 - 2) / 2 for j in range(d)] for i in range(2)]}, "dModel": d, "dtype": dtype,
                "projections": {"from": "random", "dK": width, "dV": width, **({"bias": True} if bias else {})}, "outputProjection": {"from": "random"},
                "random": {"generator": "torch", "seed": seed}, "weightsDividedIn": "float32",
            }
            cases.append({"spec": spec, "steps": {name: value.double().tolist() for name, value in drawn.items()}})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
