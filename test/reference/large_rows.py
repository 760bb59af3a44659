"""Some rows of causal attention over n tokens, in NumPy alone. Each row is computed by itself, without an n×n matrix.

Run: python3 test/reference/large_rows.py N FIRST LAST prints, as little-endian float64, for each query FIRST … LAST−1 its weights
(N numbers) and its output (8 numbers). The tokens repeat w0 … w49. Random numbers are drawn as in text_walk.py, from seed 0.
"""
import sys

import numpy as np

n, first, last = map(int, sys.argv[1:])
d_model, d_k, d_v = 16, 8, 8
np.random.seed(0)
ids = np.arange(n) % 50
table = np.random.randn(min(n, 50), d_model)
wq = np.random.randn(d_model, d_k) / np.sqrt(d_model)
wk = np.random.randn(d_model, d_k) / np.sqrt(d_model)
wv = np.random.randn(d_model, d_v) / np.sqrt(d_model)
column = np.arange(d_model)[None, :]
angle = np.arange(n)[:, None] / 10000 ** (2 * (column // 2) / d_model)
x = table[ids] + np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
q, k, v = x @ wq, x @ wk, x @ wv

for row in range(first, last):
    scaled = k @ q[row] / np.sqrt(d_k)
    scaled[row + 1:] = -np.inf
    e = np.exp(scaled - scaled.max())
    weights = e / e.sum()
    sys.stdout.buffer.write(weights.astype("<f8").tobytes())
    sys.stdout.buffer.write((weights @ v).astype("<f8").tobytes())
