"""Draws from NumPy's RandomState and default_rng and from PyTorch's CPU generator, for the tests of engine/random.

    python3 test/reference/random_streams.py                 writes test/fixtures/random/streams.json
    python3 test/reference/random_streams.py draw            reads cases (JSON), writes all draws as float64

A case is {"generator", "seed", "dtype"?, "calls": [[method, count, ...arguments], ...]}, made on one generator in order.
In the fixture each call has its first values, evenly spaced ones, and two hashes of all values: of their bytes (little-endian float64; SHA-256, first
8 bytes), and of their 13 significant digits, for values that depend on the C library's logarithm.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np


def numpy_calls(generator, seed):
    seed = [int(s) for s in seed] if isinstance(seed, list) else int(seed)
    if generator == "numpy.RandomState":
        g = np.random.RandomState()
        g.seed(seed)
        integers = g.randint
    else:
        g = np.random.default_rng(seed)
        integers = g.integers
    return {
        "normal": lambda n, loc=0.0, scale=1.0: g.normal(loc, scale, n),
        "uniform": lambda n, low=0.0, high=1.0: g.uniform(low, high, n),
        "integers": lambda n, low, high: integers(low, high, n),
        "randn": lambda n: g.randn(n) if generator == "numpy.RandomState" else g.standard_normal(n),
        "rand": lambda n: g.rand(n) if generator == "numpy.RandomState" else g.random(n),
    }


def torch_calls(seed, dtype):
    import torch

    torch.manual_seed(int(seed))
    kind = getattr(torch, dtype)
    return {
        "normal": lambda n, mean=0.0, std=1.0: torch.empty(n, dtype=kind).normal_(mean, std).numpy(),
        "uniform": lambda n, low=0.0, high=1.0: torch.empty(n, dtype=kind).uniform_(low, high).numpy(),
        "integers": lambda n, low, high: torch.randint(low, high, (n,)).numpy(),
        "randn": lambda n: torch.randn(n, dtype=kind).numpy(),
        "rand": lambda n: torch.rand(n, dtype=kind).numpy(),
    }


def draw(case):
    generator, seed = case["generator"], case["seed"]
    if generator == "torch":
        methods = torch_calls(seed, case.get("dtype", "float32"))
    else:
        methods = numpy_calls(generator, seed)
    return [methods[method](count, *arguments).astype("<f8") for method, count, *arguments in case["calls"]]


def digits(x):
    """x to 13 significant digits as JavaScript's toExponential(12) writes it."""
    mantissa, exponent = f"{x:.12e}".split("e")
    return f"{mantissa}e{int(exponent):+d}"


def described(values):
    places = sorted({*range(min(8, len(values))), *range(0, len(values), max(1, len(values) // 12))})
    return {
        "bytes": hashlib.sha256(values.tobytes()).hexdigest()[:16],
        "digits": hashlib.sha256("\n".join(map(digits, values.tolist())).encode()).hexdigest()[:16],
        "sample": [[i, float(values[i])] for i in places],
    }


N = 20000
EVERY = [["randn", N], ["rand", N], ["normal", N, 5.0, 2.5], ["uniform", N, -3.0, 0.7], ["integers", N, 0, 10]]
WIDE = [["integers", 2000, -5, 2**40], ["integers", 2000, 0, 2**32], ["integers", 20, 7, 8], ["integers", 2000, -9, 120],
        ["integers", 2000, 0, 3 * 10**9], ["integers", N, -(2**53) + 1, 2**52]]
# Between calls randn caches the second number of a pair, and default_rng the unused half of a word.
INTERLEAVED = [["randn", 3], ["rand", 2], ["randn", 2], ["integers", 3, 0, 100], ["randn", 1], ["normal", 4, 1.0, 2.0],
               ["integers", 1, 0, 7], ["rand", 1], ["integers", 2, 0, 7], ["randn", 5], ["uniform", 3, 2.0, 4.0]]
# PyTorch draws fewer than 16 normal numbers by one method and more by another. The second does not use the cached number.
BORDER = [["randn", 15], ["randn", 16], ["randn", 1], ["randn", 17], ["randn", 3], ["randn", 31], ["randn", 32],
          ["normal", 7, 0.5, 3.0], ["normal", 40, 0.5, 3.0], ["uniform", 9, -1.0, 0.25], ["randn", 1], ["rand", 33]]
# Tutorial 000: three x of (4, 1), then A_q, A_k, A_v of (4, 4), then b_q, b_k, b_v of (4, 1).
TUTORIAL = [["normal", 4]] * 3 + [["normal", 16]] * 3 + [["normal", 4]] * 3


def cases():
    many = list(range(1, 700))
    for seed in [0, 3, 42, 2**32 - 1, [0], [1, 2, 3], [2**32 - 1, 0, 7], many]:
        yield {"generator": "numpy.RandomState", "seed": seed, "calls": EVERY + INTERLEAVED}
    for seed in [0, 3, 42, 2**32 - 1, str(2**64 + 5), str(10**60 + 3), [0], [1, 2**33, 3], [], many]:
        yield {"generator": "numpy.default_rng", "seed": seed, "calls": EVERY + INTERLEAVED}
    for generator in ["numpy.RandomState", "numpy.default_rng"]:
        yield {"generator": generator, "seed": 5, "calls": WIDE}
    yield {"generator": "numpy.RandomState", "seed": 3, "calls": TUTORIAL}
    for dtype in ["float32", "float64"]:
        for seed in [0, 3, 42, 2**32 - 1, -1, str(2**63 + 11), str(2**64 - 1), str(-(2**63))]:
            yield {"generator": "torch", "seed": seed, "dtype": dtype, "calls": EVERY + INTERLEAVED + BORDER}
    yield {"generator": "torch", "seed": 5, "calls": WIDE}


def main():
    if sys.argv[1:2] == ["draw"]:
        drawn = [values for case in json.load(sys.stdin) for values in draw(case)]
        sys.stdout.buffer.write(np.concatenate(drawn).tobytes())
        return
    import torch

    fixtures = [{**case, "drawn": [described(values) for values in draw(case)]} for case in cases()]
    path = Path(__file__).parent.parent / "fixtures" / "random" / "streams.json"
    versions = f"NumPy {np.__version__}, PyTorch {torch.__version__}"
    rows = ",\n".join(json.dumps(fixture, separators=(",", ":")) for fixture in fixtures)
    path.write_text(f'{{"from":"{versions}","cases":[\n{rows}\n]}}\n')
    print(f"{len(fixtures)} cases from {versions}")


if __name__ == "__main__":
    main()
