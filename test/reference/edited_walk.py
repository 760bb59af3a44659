"""The computation of text_walk.py with edited cells in its inputs, and the differences between variants, in NumPy alone.

Run: python3 test/reference/edited_walk.py > test/fixtures/attention/the-cat-edited.json
"""
import json
import os

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "../fixtures/attention/the-cat.json")) as file:
    cat = json.load(file)["default"]
start = {name: np.array(cat[name]) for name in ("tokens", "table", "positions", "wq", "wk", "wv")}


def softmax(rows):
    e = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def walk(sources, hidden=None):
    x = sources["table"][sources["tokens"][:, 0]] + sources["positions"]
    q, k, v = x @ sources["wq"], x @ sources["wk"], x @ sources["wv"]
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[1])
    masked = scaled if hidden is None else np.where(hidden, -np.inf, scaled)
    weights = softmax(masked)
    return dict(x=x, q=q, k=k, v=v, scores=scores, scaled=scaled, weights=weights, output=weights @ v)


def written(name, row, column, value):
    sources = {**start, name: start[name].copy()}
    sources[name][row, column] = value
    return sources


def plain(steps):
    return {name: value.tolist() for name, value in steps.items()}


causal = np.triu(np.ones((6, 6), dtype=bool), k=1)
seen = causal.copy()
seen[0, 5] = False
pasted = {**start, "wv": np.arange(16 * 8).reshape(16, 8) / 64.0}
edits = dict(
    table=walk(written("table", 1, 0, 1 / 3)),
    positions=walk(written("positions", 2, 3, -1e-3)),
    wk=walk(written("wk", 2, 3, 0.5)),
    mask=walk(start, seen),
    wv=walk(pasted),
)

column = np.arange(16)[None, :]
angle = np.arange(6)[:, None] / 10000 ** ((column % 8) / 8)
concatenated = {**start, "positions": np.where(column < 8, np.sin(angle), np.cos(angle))}
plainly, unscaled = walk(start), walk(start)
unscaled["scaled"] = unscaled["scores"]
unscaled["weights"] = softmax(unscaled["scores"])
unscaled["output"] = unscaled["weights"] @ unscaled["v"]


def less(now, then):
    return {name: (now[name] - then[name]).tolist() for name in now}


differences = dict(
    unscaled=less(unscaled, plainly),
    concatenated=less(walk(concatenated), plainly),
    causal=less(walk(start, causal), plainly),
)
print(json.dumps(dict(numpy=np.__version__, edits={name: plain(steps) for name, steps in edits.items()}, differences=differences)))
