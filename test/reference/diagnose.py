"""Attention (Vaswani et al. 2017, equation 1) with one mistake each, in NumPy. Writes the printed results to test/fixtures/diagnose.json.

The mistakes are programmed from their descriptions, without reading the engine."""

import json
import os

import numpy as np

rng = np.random.RandomState(18)
n, width, h = 6, 8, 2
X = rng.randn(n, width).round(3)
Wq, Wk, Wv, Wo = (rng.randn(width, width).round(3) * 0.5 for _ in range(4))
bq, bk, bv = (rng.randn(width).round(3) for _ in range(3))
future = np.triu(np.ones((n, n)), 1).astype(bool)


def soft(S, axis=-1):
    E = np.exp(S - S.max(axis, keepdims=True))
    return E / E.sum(axis, keepdims=True)


def run(m):
    q = X @ (Wq.T if m == "transposedWq" else Wq) + (0 if m == "noBq" else bq)
    k = X @ Wk + (0 if m == "noBias" else bk)
    if m == "noBias":
        q = X @ Wq
    v = X @ Wv + (0 if m in ("noBv", "noBias") else bv)
    if m == "swapQK":
        q, k = k, q
    heads = (lambda a: a.reshape(h, n, -1)) if m == "viewHeads" else (lambda a: a.reshape(n, h, -1).transpose(1, 0, 2))
    if m == "strideHeads":
        heads = lambda a: a.reshape(n, -1, h).transpose(2, 0, 1)
    Q, K, V = heads(q), heads(k), heads(v)
    d = Q.shape[-1]
    by = {"noScale": 1, "scaleD": d, "scaleModel": width**0.5, "scaleTimes": d**-0.5, "scaleKeys": n**0.5}.get(m, d**0.5)
    S = Q @ K.transpose(0, 2, 1) / by
    hide = {"maskInverted": ~future, "maskTransposed": future.T, "maskStrict": np.triu(np.ones((n, n))).astype(bool),
            "maskLoose": np.triu(np.ones((n, n)), 2).astype(bool), "noMask": future & False, "maskAfter": future & False}.get(m, future)
    S = np.where(hide, 0 if m == "maskZero" else -np.inf, S) if m != "maskAdded" else S + future
    with np.errstate(all="ignore"):
        if m == "softmaxQueries":
            A = soft(S, 1)
        elif m == "softmaxWhole":
            A = np.stack([soft(s.ravel()).reshape(n, n) for s in S])
        elif m == "sigmoid":
            A = 1 / (1 + np.exp(-S))
        else:
            A = soft(S)
    A = soft(A) if m == "softmaxTwice" else A * ~future if m == "maskAfter" else A
    O = (A.transpose(0, 2, 1) if m == "weightsTransposed" else A) @ V
    Z = O.reshape(n, -1) if m == "viewMerge" else O.transpose(1, 0, 2).reshape(n, -1)
    Z = Z if m == "noWo" else Z @ (Wo.T if m == "transposedWo" else Wo)
    return Z + X if m == "residual" else Z


names = """right transposedWq noBq noBv noBias swapQK viewHeads strideHeads noScale scaleD scaleModel scaleTimes scaleKeys
maskTransposed maskLoose noMask maskZero maskAdded maskAfter softmaxQueries softmaxWhole sigmoid softmaxTwice weightsTransposed viewMerge
noWo transposedWo residual""".split()
given = dict(x=X, wq=Wq, wk=Wk, wv=Wv, wo=Wo, bq=bq, bk=bk, bv=bv)
data = {"given": {key: a.tolist() for key, a in given.items()}, "results": {m: run(m).tolist() for m in names}}
with open(os.path.join(os.path.dirname(__file__), "../fixtures/diagnose.json"), "w") as file:
    json.dump(data, file)
    file.write("\n")
