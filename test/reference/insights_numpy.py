"""Expected values for test/engine/insights-numpy.test.ts. Standard input: JSON with the matrices. Standard output: JSON.

Written from the definitions: entropy in nats, the Jacobian as a whole matrix (diag(p) - p p^T), NumPy's var.
"""

import json
import sys

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sharpness(logits):
    entropy, largest, jacobian = [], [], []
    for p in softmax(logits):
        entropy.append(-np.sum(p[p > 0] * np.log(p[p > 0])))
        largest.append(p.max())
        jacobian.append(np.linalg.norm(np.diag(p) - np.outer(p, p)))
    return {"entropy": np.mean(entropy), "largest": np.mean(largest), "jacobianNorm": np.mean(jacobian)}


task = json.load(sys.stdin)
q, k = np.array(task["q"]), np.array(task["k"])
scores = q @ k.T
logits = scores / np.sqrt(q.shape[1])
hidden = np.triu(np.ones(scores.shape, bool), 1)
after = np.where(hidden, 0, softmax(logits))
true = softmax(np.where(hidden, -np.inf, logits))
i, j = task["at"]

n = task["sweep"]
rng = np.random.default_rng(0)
wide_q, wide_k = rng.standard_normal((n, 1024)), rng.standard_normal((n, 1024))
sweep = []
for d in [2**i for i in range(11)]:
    products = wide_q[:, :d] @ wide_k[:, :d].T
    row = {"dK": d, "variance": products.var(), "unscaled": sharpness(products), "scaled": sharpness(products / np.sqrt(d))}
    sweep.append(row)

print(
    json.dumps(
        {
            "effect": [{"divideBy": by, **sharpness(scores / by)} for by in task["divisors"]],
            "after": {"row": int(after.sum(-1).argmin()), "sum": after.sum(-1).min(), "deviation": np.abs(after - true).max()},
            "meeting": {
                "queryNorm": np.linalg.norm(q[i]),
                "keyNorm": np.linalg.norm(k[j]),
                "cosine": q[i] @ k[j] / (np.linalg.norm(q[i]) * np.linalg.norm(k[j])),
                "product": q[i] @ k[j],
            },
            "exponential": np.exp(logits.max()),
            "sweep": sweep,
        },
        default=float,
    )
)
