"""Every intermediate result for "The cat sat on the mat", from seed 0, in NumPy alone (Vaswani et al. 2017, eq. 1 and section 3.5).

Run: python3 test/reference/text_walk.py > test/fixtures/attention/the-cat.json
Numbers are drawn in the order that extension/docs/numbers.md states: embedding table, W_q, W_k, W_v.
"""
import json

import numpy as np

tokens = "The cat sat on the mat".split()
d_model, d_k, d_v = 16, 8, 8

np.random.seed(0)
vocabulary = list(dict.fromkeys(tokens))
ids = np.array([vocabulary.index(t) for t in tokens])
table = np.random.randn(len(vocabulary), d_model)
wq = np.random.randn(d_model, d_k) / np.sqrt(d_model)
wk = np.random.randn(d_model, d_k) / np.sqrt(d_model)
wv = np.random.randn(d_model, d_v) / np.sqrt(d_model)

embedding = table[ids]
position = np.arange(len(tokens))[:, None]
column = np.arange(d_model)[None, :]
angle = position / 10000 ** (2 * (column // 2) / d_model)
positions = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
x = embedding + positions
q, k, v = x @ wq, x @ wk, x @ wv
scores = q @ k.T
scaled = scores / np.sqrt(d_k)


def softmax(rows):
    e = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


hidden = np.triu(np.ones((len(tokens), len(tokens)), dtype=bool), k=1)
weights = softmax(scaled)
causal_weights = softmax(np.where(hidden, -np.inf, scaled))

partials = dict(
    tokens=ids[:, None], table=table, embedding=embedding, positions=positions, x=x, wq=wq, wk=wk, wv=wv,
    q=q, k=k, v=v, scores=scores, scaled=scaled, masked=scaled, weights=weights, output=weights @ v,
)
causal = dict(weights=causal_weights, output=causal_weights @ v)
unscaled = dict(weights=softmax(scores), output=softmax(scores) @ v)
plain = lambda steps: {name: value.tolist() for name, value in steps.items()}
print(json.dumps(dict(numpy=np.__version__, tokens=tokens, default=plain(partials), causal=plain(causal), unscaled=plain(unscaled))))
