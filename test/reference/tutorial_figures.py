"""The tutorials' inputs with every intermediate result (Vaswani et al. 2017, equation 1), recomputed by NumPy in each tutorial's dtype.

Run: python3 test/reference/tutorial_figures.py > test/fixtures/attention/tutorials.json
"""
import json

import numpy as np


def softmax(rows):
    e = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(q, k, v=None, scale=True, causal=False):
    scores = q @ k.T
    scaled = scores / np.sqrt(q.dtype.type(q.shape[1])) if scale else scores
    hidden = np.triu(np.ones(scores.shape, dtype=bool), k=1)
    masked = np.where(hidden, -np.inf, scaled) if causal else scaled
    weights = softmax(masked)
    steps = dict(q=q, k=k, scores=scores, scaled=scaled, masked=masked, weights=weights)
    return steps if v is None else dict(steps, v=v, output=weights @ v)


# 001: Q and K as printed; scaled, causal mask.
q001 = np.array([
    [0.09734245, -1.23944871, -1.95007434, -1.21171088, -1.39929826, -0.31226623, 0.31715713, -0.04633441],
    [-1.08375397, 0.66662904, -0.98343286, 0.0560969, 0.89519004, 0.10004913, -1.0552281, 0.69236504],
    [0.28716318, -1.82738228, 0.81813136, -1.68986197, 0.04376673, 0.3502005, -0.0423009, -0.41868561],
    [1.50431526, -0.22491201, -0.05686595, 0.33269655, 0.02673335, -0.1195548, -0.45053287, 0.6156462]])
k001 = np.array([
    [0.86628805, 0.94090168, -0.26610346, -0.64998308, 1.0927421, 0.84253231, 0.87369975, 1.05338847],
    [-1.424108, -0.32713153, 0.71388877, 0.61280272, 0.17939416, -0.87583657, -0.52110976, -1.161473],
    [-0.76329217, 1.07186251, -0.48726729, 0.67996207, 0.26643412, -0.89958272, 1.88396001, 0.49325744],
    [-1.71032029, -1.1453007, -0.91363038, -0.85842559, -1.24469381, -0.30221369, 1.13283269, 0.7531194]])

# 004: column vectors in float32, W·x, unscaled.
f = np.float32
x004 = np.array([
    [-0.20886648, 0.5476398, 0.72447395, -1.1310507],
    [0.1870852, -1.3414632, -1.1067361, -1.3406332],
    [-1.4844604, 0.60378075, 0.39966342, -0.7903915],
    [-0.39180905, -1.2203115, 1.0298591, -0.23658466]], dtype=f)
wq004 = np.array([
    [0.0558263, -1.7287809, 0.06325671, 0.8925434],
    [0.44502732, 2.3946028, -0.7817421, -0.5631514],
    [0.8664166, 0.14898889, -1.2681427, -1.3942317],
    [-0.52701306, 0.6796619, 0.95935136, -0.8240369]], dtype=f)
wk004 = np.array([
    [1.4865062, 0.53539854, 0.707822, -0.3496642],
    [-0.36981565, -0.43839103, 0.06208184, -0.34790948],
    [1.5218863, -1.1896831, 0.3180406, 1.2518362],
    [0.4551281, -1.190138, 1.8135393, 0.6393279]], dtype=f)
wv004 = np.array([
    [-1.9406502, 0.35411984, -0.59085363, -0.40704426],
    [0.8450196, -0.21295227, 2.219851, -0.58515114],
    [1.1703489, 1.7554591, 1.4085048, -0.09804194],
    [0.40726846, -0.44613966, -0.89044726, 0.1120782]], dtype=f)

# 000: NumPy's seed 3, drawn in the tutorial's order; unscaled.
np.random.seed(3)
x000 = np.array([np.random.normal(size=(4, 1)) for _ in range(3)]).squeeze()
a_q, a_k, a_v = (np.random.normal(size=(4, 4)) for _ in range(3))
b_q, b_k, b_v = (np.random.normal(size=(4, 1)) for _ in range(3))
walk000 = attention(x000 @ a_q.T + b_q.T, x000 @ a_k.T + b_k.T, x000 @ a_v.T + b_v.T, scale=False)

walk001 = attention(q001, k001, causal=True)
walk004 = dict(x=x004, wq=wq004, wk=wk004, wv=wv004, **attention(x004 @ wq004.T, x004 @ wk004.T, x004 @ wv004.T, scale=False))
walk000.update(x=x000, wq=a_q, wk=a_k, wv=a_v, bq=b_q.T, bk=b_k.T, bv=b_v.T)


def plain(steps):
    number = lambda v: v if np.isfinite(v) else ("nan" if np.isnan(v) else "inf" if v > 0 else "-inf")
    return {name: [[number(float(v)) for v in row] for row in value] for name, value in steps.items()}


print(json.dumps({"numpy": np.__version__, "000": plain(walk000), "001": plain(walk001), "004": plain(walk004)}))
