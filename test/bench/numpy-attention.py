# NumPy's attention, as one writes it, in float32: a peer of `npm run bench numpy`. Its BLAS must be OpenBLAS without more than SSE, on one thread.
# Reads n; d; Q, K, V as float32 from files; for each line of input it computes once and says how many milliseconds that took.
import ctypes
import sys
import time

import numpy as np


def openblas():
    """The loaded OpenBLAS's core and threads, or nothing. Wheels give its functions other names."""
    np.ones((2, 2), np.float32) @ np.ones((2, 2), np.float32)
    paths = {line.split()[-1] for line in open("/proc/self/maps") if "blas" in line}
    for path in paths:
        library = ctypes.CDLL(path)
        for name in ("openblas_{}", "openblas_{}64_", "scipy_openblas_{}", "scipy_openblas_{}64_"):
            try:
                core = getattr(library, name.format("get_corename"))
                threads = getattr(library, name.format("get_num_threads"))
            except AttributeError:
                continue
            core.restype = ctypes.c_char_p
            return f"{core().decode()} {threads()}"
    return ""


def attention(q, k, v, scale):
    scores = q @ k.T
    scores *= scale
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores, scores @ v


n, d, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
q, k, v = (np.fromfile(f"{folder}/{name}.f32", np.float32).reshape(n, d) for name in "qkv")
scale = np.float32(1 / np.sqrt(d))
weights, output = attention(q, k, v, scale)
weights.tofile(f"{folder}/weights.f32")
output.tofile(f"{folder}/output.f32")
print(f"NumPy {np.__version__}; {openblas()}", flush=True)
for line in sys.stdin:
    begin = time.perf_counter()
    attention(q, k, v, scale)
    print(1000 * (time.perf_counter() - begin), flush=True)
