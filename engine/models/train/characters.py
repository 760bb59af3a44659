"""Trains a character model: text, random characters repeated, and text repeated.

Text: the King James Bible (public domain; Debian's packages bible-kjv and bible-kjv-text):
    bible -f 'gen1:1-rev22:21' > kjv.txt

    python3 characters.py kjv.txt OUT --width 80 --mlp 320 --context 256 --steps 8000 --seed 0

One thread, all draws from the seed: the same machine and versions give the same curve. Another machine gives the same
kinds of heads and a phase change, not the same bytes.
"""
import argparse
import json
import math
import os
import re
import string

import numpy as np
import torch
import torch.nn.functional as F

from measure import measure_characters
from model import Transformer, parameters

START, UNKNOWN = 0, 1
CHARACTERS = " " + string.ascii_lowercase + string.ascii_uppercase + ",.:;?!'-" + string.digits + '"()\n'
VOCABULARY = len(CHARACTERS) + 2
ID = {c: i + 2 for i, c in enumerate(CHARACTERS)}


def read(path):
    """The text without its references (`Ge1:1 `), a verse after the other with a space between."""
    lines = open(path, encoding="ascii").read().splitlines()
    return " ".join(re.sub(r"^\S+ ", "", line).strip() for line in lines)


def encode(text):
    return torch.tensor([ID.get(c, UNKNOWN) for c in text])


class Batches:
    """Half text (a quarter of it in lower case), a quarter random characters repeated, a quarter text repeated.
    Random repeats cannot be foretold but by looking back, which is what makes induction heads form (Olsson et al. 2022)."""

    def __init__(self, text, seed, context, tokens):
        self.generator = torch.Generator().manual_seed(seed)
        self.data = encode(text)
        self.lower = encode(text.lower())
        self.context = context
        self.tokens = tokens

    def draw(self, low, high):
        return int(torch.randint(low, high, (1,), generator=self.generator))

    def windows(self, data, count, length):
        starts = torch.randint(0, len(data) - length, (count,), generator=self.generator)
        return torch.stack([data[s : s + length] for s in starts.tolist()])

    def started(self, rows, n):
        return torch.cat([torch.full((len(rows), 1), START), rows[:, : n - 1]], 1)

    def text(self, count, n):
        data = self.lower if self.draw(0, 4) == 0 else self.data
        return self.started(self.windows(data, count, n), n)

    def repeated(self, count, n, random, period=None):
        period = period or self.draw(4, n // 2 + 1)
        if random:
            piece = torch.randint(2, VOCABULARY, (count, period), generator=self.generator)
        else:
            piece = self.windows(self.data, count, period)
        return self.started(piece.repeat(1, n // period + 2), n)

    def next(self):
        n = self.context if self.draw(0, 4) == 0 else min(64, self.context)
        rows = self.tokens // n
        ids = torch.cat(
            [self.text(rows // 2, n), self.repeated(rows // 4, n, True), self.repeated(rows // 4, n, False)]
        )
        unknown = torch.rand(ids.shape, generator=self.generator) < 0.003
        unknown[:, 0] = False
        return ids.masked_fill(unknown, UNKNOWN)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("text")
    a.add_argument("out")
    for name, value in dict(
        width=80, heads=4, layers=2, mlp=320, context=256, steps=8000, seed=0, tokens=2048, every=100
    ).items():
        a.add_argument("--" + name, type=int, default=value)
    a.add_argument("--rate", type=float, default=2e-3)
    o = a.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    text = read(o.text)
    cut = len(text) * 95 // 100
    batches = Batches(text[:cut], o.seed + 1, o.context, o.tokens)
    held = Batches(text[cut:], 99, o.context, o.tokens)
    model = Transformer(VOCABULARY, o.width, o.heads, o.layers, o.mlp, o.context)
    print("parameters", parameters(model), "float16 kB", parameters(model) * 2 / 1e3, flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=o.rate, betas=(0.9, 0.98), weight_decay=0.01)
    os.makedirs(o.out, exist_ok=True)
    curve = []
    for step in range(o.steps + 1):
        if step % o.every == 0 or step == o.steps or step in (10, 20, 50):
            held.generator.manual_seed(99)
            row = dict(step=step, **measure_characters(model, held))
            curve.append(row)
            torch.save(model.state_dict(), f"{o.out}/{step:06d}.pt")
            json.dump(dict(options=vars(o), shape=model.shape, curve=curve), open(f"{o.out}/curve.json", "w"))
            best = lambda kind: max((h[kind], f"L{h['layer']}H{h['head']}") for h in row["heads"])
            print(
                step,
                f"text {row['textLoss']:.3f} second copy {row['secondCopyLoss']:.3f}",
                "induction %.2f %s" % best("induction"),
                "previous %.2f %s" % best("previous"),
                flush=True,
            )
        if step == o.steps:
            break
        rate = o.rate * min(1, (step + 1) / 200) * (0.05 + 0.475 * (1 + math.cos(math.pi * step / o.steps)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        ids = batches.next()
        logits = model(ids)
        loss = F.cross_entropy(logits[:, :-1].reshape(-1, VOCABULARY), ids[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


if __name__ == "__main__":
    main()
