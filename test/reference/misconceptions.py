"""Numbers that learners get with a mistake, for questions of a small lesson.

Write the values:  python3 test/reference/misconceptions.py test/fixtures/lessons/misconceptions.json

Each mistake is written from its name, in NumPy. Nothing here knows the engine.
"""
import json
import sys

import numpy as np

Q = np.array([[1.0, 2, 0], [0, 1, 1], [2, -1, 1]])
K = np.array([[1.0, 0, 1], [3, 1, 0], [0, 2, -1]])
V = np.array([[1.0, 0.5], [0, 2], [-1, 1.5]])
HIDDEN = np.triu(np.ones((3, 3)), 1) == 1
SCORES = np.array([[2.0, 1, -1], [0.5, 3, 1], [1, 0, 2.5]])
XS = np.array([2.0, 4, 9, -1])


def softmax(s, axis=-1):
    with np.errstate(invalid="ignore"):
        e = np.exp(s - s.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)


def of_qkv(mistake=None):
    q, k = (K, Q) if mistake == "swapQK" else (Q, K)
    s = q @ k.T
    s = s / {"noScale": 1, "scaleD": 3, "scaleTimes": 1 / np.sqrt(3)}.get(mistake, np.sqrt(3))
    hidden = ~HIDDEN if mistake == "maskInverted" else HIDDEN
    if mistake in ("maskZero", "noMask", "maskAfter"):
        s = np.where(hidden, 0, s) if mistake == "maskZero" else s
    else:
        s = np.where(hidden, -np.inf, s)
    if mistake == "softmaxQueries":
        a = softmax(s, 0)
    elif mistake == "softmaxTwice":
        a = softmax(softmax(s))
    else:
        a = softmax(s)
    if mistake == "maskAfter":
        a = np.where(hidden, 0, a)
    o = {"meanOfValues": np.tile(V.mean(0), (3, 1)), "weightsTransposed": a.T @ V}.get(mistake, a @ V)
    return {"scaled": (q @ k.T / {"noScale": 1, "scaleD": 3, "scaleTimes": 1 / np.sqrt(3)}.get(mistake, np.sqrt(3))), "weights": a, "output": o}


def of_scores(mistake=None):
    s = SCORES / np.sqrt(4)
    return {
        None: softmax(s),
        "noScale": softmax(SCORES),
        "softmaxQueries": softmax(s, 0),
        "softmaxWhole": np.exp(s) / np.exp(s).sum(),
        "noSoftmax": s,
        "sumOnly": s / s.sum(-1, keepdims=True),
        "noSum": np.exp(s),
        "undivided": np.exp(s - s.max(-1, keepdims=True)),
        "softmaxNegative": softmax(-s),
    }[mistake]


def main(path):
    asked = {
        "scaled": ("noScale", "scaleD", "scaleTimes", "swapQK"),
        "weights": ("noScale", "scaleD", "softmaxQueries", "softmaxTwice", "noMask", "maskInverted", "maskZero", "maskAfter", "swapQK"),
        "output": ("noScale", "softmaxQueries", "noMask", "meanOfValues", "weightsTransposed"),
    }
    right = of_qkv()
    row = SCORES[1] / np.sqrt(4)
    cases = [
        {"step": step, "mistake": m, "right": right[step].tolist(), "wrong": of_qkv(m)[step].tolist()}
        for step, mistakes in asked.items()
        for m in mistakes
    ]
    given = [
        {"step": "weights", "mistake": m, "right": of_scores().tolist(), "wrong": of_scores(m).tolist()}
        for m in ("noScale", "softmaxQueries", "softmaxWhole", "noSoftmax", "sumOnly", "noSum", "undivided", "softmaxNegative")
    ]
    taken = [
        {"take": "exponential", "id": "noMax", "wrong": np.exp(row[0])},
        {"take": "exponential", "id": "noExp", "wrong": row[0] - row.max()},
        {"take": "exponential", "id": "weight", "wrong": softmax(row)[0]},
        {"take": "denominator", "id": "noMax", "wrong": np.exp(row).sum()},
        {"take": "denominator", "id": "noExp", "wrong": row.sum()},
        {"take": "variance", "id": "unbiased", "wrong": np.var(V[:, 1], ddof=1)},
        {"take": "variance", "id": "deviation", "wrong": np.std(V[:, 1])},
        {"take": "gradient", "id": "otherCase", "wrong": softmax(row)[0] * (1 - softmax(row)[0])},
        {"take": "gradient", "id": "sign", "wrong": softmax(row)[0] * softmax(row)[1]},
    ]

    def plain(x):
        if isinstance(x, dict):
            return {key: plain(value) for key, value in x.items()}
        if isinstance(x, list):
            return [plain(value) for value in x]
        if isinstance(x, (float, np.floating)):
            return float(x) if np.isfinite(x) else str(float(x))
        return x

    out = {"q": Q.tolist(), "k": K.tolist(), "v": V.tolist(), "scores": SCORES.tolist(), "cases": cases, "given": given, "taken": taken}
    with open(path, "w") as file:
        json.dump(plain(out), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
