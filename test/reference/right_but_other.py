"""Attention that looks different and is right, and attention in half precision, in PyTorch, from Vaswani et al. 2017, equation 1.

    python3 test/reference/right_but_other.py

Reads {"x", "wq", "wk", "wv"} from stdin (one causal head), writes {"right": {name: {"of", "rows"}}, "half": {dtype: {"weights", "output"}}}.
"""

import json
import math
import sys

import torch

given = {name: torch.tensor(rows, dtype=torch.float64) for name, rows in json.load(sys.stdin).items()}
q, k, v = (given["x"] @ given[w] for w in ("wq", "wk", "wv"))
n, d = q.shape
later = torch.ones(n, n).triu(1).bool()
scores = q @ k.T / math.sqrt(d)
right = {}


def keep(name, of, rows):
    right[name] = {"of": of, "rows": rows.tolist()}


for fill in (-1e4, -1e9, torch.finfo(torch.float32).min):
    filled = scores.masked_fill(later, fill)
    keep(f"filled with {fill:g}", "masked", filled)
    keep(f"weights of {fill:g}", "weights", torch.softmax(filled, -1))
    keep(f"added {fill:g}", "masked", scores + later * fill)
exponentials = torch.exp(scores) * ~later
keep("no maximum subtracted", "weights", exponentials / exponentials.sum(-1, keepdim=True))
weights = torch.softmax(scores, -1) * ~later
keep("masked after softmax, then divided by the sum", "weights", weights / weights.sum(-1, keepdim=True))
hidden = scores.masked_fill(later, -math.inf)
keep("before the division", "weights", torch.exp(hidden - hidden.max(-1, keepdim=True).values))
keep("queries divided instead of scores", "weights", torch.softmax(((q / math.sqrt(d)) @ k.T).masked_fill(later, -math.inf), -1))
keep("log2(e) in the scores and exp2", "weights", (lambda e: e / e.sum(-1, keepdim=True))(torch.exp2(hidden * math.log2(math.e))))
half = {}
for dtype in (torch.float16, torch.bfloat16):
    x, wq, wk, wv = (given[name].to(dtype).float() for name in ("x", "wq", "wk", "wv"))
    cast = lambda a: a.to(dtype).float()
    q, k, v = cast(x @ wq), cast(x @ wk), cast(x @ wv)
    s = cast(cast(q @ k.T) / math.sqrt(d)).masked_fill(later, -math.inf)
    a = cast(torch.softmax(s, -1))
    half[str(dtype)[6:]] = {"weights": a.tolist(), "output": cast(a @ v).tolist()}
print(json.dumps({"right": right, "half": half}))
