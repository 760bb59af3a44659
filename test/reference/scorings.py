"""Additive attention by PyTorch.

Write the values:  python3 test/reference/scorings.py test/fixtures/attention/scorings.json

After Bahdanau et al. 2015, "Neural Machine Translation by Jointly Learning to Align and Translate", section A.1.2: a(s, h) = v_a^T tanh(W_a s + U_a h), softmax
over the keys, and the weighted sum of eq. 5; and after "Dive into Deep Learning", section 11.3.3: features = queries + keys, each query beside each key, tanh,
w_v. The module below is d2l's, without dropout. Nothing here knows the engine.
"""
import json
import math
import sys

import numpy as np
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens):
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    def forward(self, queries, keys, hidden):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3))
        scores = self.w_v(features).squeeze(-1)
        return queries, keys, scores, torch.softmax(scores.masked_fill(hidden, -math.inf), -1)


def one_head(random, query_size, key_size, hiddens, kind):
    module = AdditiveAttention(key_size, query_size, hiddens).to(kind)
    for weight in module.parameters():
        weight.data = torch.tensor(np.round(random.randn(*weight.shape) * 64) / 64).to(kind)
    return module


def main(path):
    random = np.random.RandomState(53)
    draw = lambda *shape: torch.tensor(np.round(random.randn(*shape) * 64) / 64)
    cases = []
    for dtype in ("float64", "float32"):
        kind = getattr(torch, dtype)
        for heads, batch, mask in ((1, 0, "none"), (1, 0, "causal"), (2, 0, "none"), (1, 2, "none"), (2, 2, "causal")):
            causal = mask == "causal"
            n, m = (4, 4) if causal else (3, 5)
            query_size, key_size, hiddens, value_size = (6, 6, 5, 3) if causal else (6, 4, 5, 3)
            lead = (batch,) if batch else ()
            x = draw(*lead, n, query_size).to(kind)
            context = x if causal else draw(*lead, m, key_size).to(kind)
            modules = [one_head(random, query_size, key_size, hiddens, kind) for _ in range(heads)]
            wv = draw(heads * value_size, key_size).to(kind)
            hidden = torch.ones(n, m, dtype=torch.bool).triu(1) if causal else torch.zeros(n, m, dtype=torch.bool)
            with torch.no_grad():
                all_heads = [module(x, context, hidden) for module in modules]
                values = (context @ wv.T).split(value_size, -1)
                outputs = [weights @ value for (_, _, _, weights), value in zip(all_heads, values)]
            joined = lambda parts: torch.stack(parts, -3) if heads > 1 else parts[0]
            steps = {
                "q": torch.cat([q for q, _, _, _ in all_heads], -1), "k": torch.cat([k for _, k, _, _ in all_heads], -1),
                "scores": joined([s for _, _, s, _ in all_heads]), "weights": joined([w for _, _, _, w in all_heads]),
                "output": torch.cat(outputs, -1),
            }
            rows = lambda name: torch.cat([getattr(module, name).weight.data for module in modules]).tolist()
            spec = {
                "start": {"from": "x", "x": x.tolist(), **({} if causal else {"context": context.tolist()})}, "heads": heads, "dtype": dtype, "mask": mask,
                "convention": "XWT", "projections": {"from": "given", "wq": rows("W_q"), "wk": rows("W_k"), "wv": wv.tolist()},
                "scoring": {"by": "additive", "v": rows("w_v")},
            }
            cases.append({"spec": spec, "steps": {name: values.tolist() for name, values in steps.items()}})
    with open(path, "w") as file:
        json.dump({"cases": cases}, file)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
