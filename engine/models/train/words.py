"""Trains a word model on the sentences of grammar.txt: the next word, over several sentences, and repeated random words.

    python3 words.py OUT --width 80 --mlp 256 --steps 6000 --seed 0
"""
import argparse
import json
import math
import os
import random
from pathlib import Path

import torch
import torch.nn.functional as F

from grammar import Grammar, baselines
from model import Transformer, parameters

START, UNKNOWN = 0, 1


class Batches:
    def __init__(self, grammar, seed, context, tokens):
        self.rng = random.Random(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.grammar, self.context, self.tokens = grammar, context, tokens
        words = {e.split("/")[0] for c in grammar.categories.values() for e in c}
        rng = random.Random(1)
        for _ in range(60000):
            words.update(grammar.sentence(rng, rng.random() < 0.125).words)
        self.vocabulary = ["<s>", "<unknown>"] + sorted(words)
        self.ids = {w: i for i, w in enumerate(self.vocabulary)}

    def encode(self, words):
        return [self.ids.get(w, UNKNOWN) for w in words]

    def add(self, row, links, number):
        """Appends a sentence to row, and its links as (row number, place of the asking word, kind, place of the true word)."""
        s = self.grammar.sentence(self.rng, False)
        links += [(number, r + len(row), kind, t + len(row)) for r, kind, t, rivals in s.links if rivals and r != t]
        row += self.encode(s.words)

    def story(self, n, links, number):
        row = [START]
        while len(row) < n:
            self.add(row, links, number)
        return row[:n]

    def single(self, n, links, number):
        """Rows of one or two sentences; what is left over is not counted in the loss (-1)."""
        row = [START]
        self.add(row, links, number)
        if self.rng.random() < 0.3:
            self.add(row, links, number)
        return (row + [-1] * n)[:n]

    def repeated(self, rows, n):
        period = self.rng.randint(3, n // 2)
        piece = torch.randint(2, len(self.vocabulary), (rows, period), generator=self.generator)
        return torch.cat([torch.full((rows, 1), START), piece.repeat(1, n // period + 2)[:, : n - 1]], 1)

    def next(self):
        """Ids, and the links of their sentences."""
        r = self.rng.random()
        if r < 0.2:
            return self.repeated(self.tokens // 64, 64), []
        n = 28 if r < 0.6 else 64 if r < 0.9 else self.context
        make = self.single if n == 28 else self.story
        links = []
        ids = torch.tensor([make(n, links, i) for i in range(self.tokens // n)])
        unknown = (torch.rand(ids.shape, generator=self.generator) < 0.01) & (ids > 1)
        return ids.masked_fill(unknown, UNKNOWN), [l for l in links if l[1] < n]


def weights_of(model, sentence, batches):
    keep = []
    ids = torch.tensor([[START] + batches.encode(sentence.words)])
    logits = model(ids, keep)
    return torch.stack([k[0] for k in keep]), logits[0]


@torch.no_grad()
def measure(model, batches, grammar, kind, count=300):
    """For each head: gap (weight on the true word minus the mean weight on its rivals) and picks (how often the true word
    gets more than every rival), on noun pairs never seen in training. `right`: how often the model's own next word agrees."""
    model.eval()
    rng = random.Random(5)
    heads = None
    n = right = asked = 0
    while n < count:
        s = grammar.sentence(rng, True, kind)
        links = [l for l in s.links if l[1] == kind and l[3] and l[0] != l[2]]
        if not links:
            continue
        weights, logits = weights_of(model, s, batches)
        for row, _, true, rivals in links:
            a = weights[:, :, row + 1]
            other = a[:, :, [r + 1 for r in rivals]]
            gap = a[:, :, true + 1] - other.mean(-1)
            pick = (a[:, :, true + 1] > other.max(-1).values).float()
            heads = torch.stack([gap, pick]) if heads is None else heads + torch.stack([gap, pick])
            n += 1
            if kind == "agreement":
                word = s.words[row + 1]
                pairs = {"is": "are", "was": "were", "has": "have"}
                pairs |= {v: k for k, v in pairs.items()}
                if word in pairs:
                    asked += 1
                    a, b = batches.encode([word, pairs[word]])
                    right += bool(logits[row + 1, a] > logits[row + 1, b])
        if kind == "pronoun":
            answer = max(i for i, w in enumerate(s.words) if w in {s.words[links[0][2]], *(s.words[r] for r in links[0][3])})
            rivals = batches.encode([s.words[r] for r in links[0][3]])
            asked += 1
            right += bool(logits[answer, batches.encode([s.words[answer]])[0]] > logits[answer, rivals].max()) if s.words[answer] == s.words[links[0][2]] else 0
    model.train()
    heads /= n
    return dict(n=n, right=right / max(asked, 1), gap=heads[0].tolist(), picks=heads[1].tolist())


def best(m):
    cells = [(m["gap"][l][h], m["picks"][l][h], f"L{l}H{h}") for l in range(len(m["gap"])) for h in range(len(m["gap"][0]))]
    gap, picks, name = max(cells)
    return f"{name} gap {gap:.2f} picks {picks:.2f} right {m['right']:.2f}"


# The heads of the last layer that are trained to point: from a pronoun to its noun, from the word before a verb to its subject.
POINTS = {"pronoun": 0, "agreement": 1}


def pointing(weights, links):
    """Mean of -log of the weight that the pointing head of each link's kind gives to the true word.
    weights: batch x heads x n x n, of the last layer."""
    loss = 0
    for kind, head in POINTS.items():
        of = torch.tensor([(b, r, t) for b, r, k, t in links if k == kind])
        if len(of):
            loss = loss - weights[of[:, 0], head, of[:, 1], of[:, 2]].clamp(min=1e-6).log().mean()
    return loss


def main():
    a = argparse.ArgumentParser()
    a.add_argument("out")
    for name, value in dict(width=80, heads=4, layers=2, mlp=256, context=256, steps=6000, seed=0, tokens=2048, every=500).items():
        a.add_argument("--" + name, type=int, default=value)
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--begin", help="a checkpoint to go on from")
    a.add_argument("--point", type=float, default=0.0, help="weight of the pointing heads' loss")
    o = a.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    grammar = Grammar(Path(__file__).with_name("grammar.txt"))
    batches = Batches(grammar, o.seed + 1, o.context, o.tokens)
    vocabulary = len(batches.vocabulary)
    model = Transformer(vocabulary, o.width, o.heads, o.layers, o.mlp, o.context)
    if o.begin:
        model.load_state_dict(torch.load(o.begin))
    rng = random.Random(3)
    print("words", vocabulary, "parameters", parameters(model), baselines([grammar.sentence(rng, True) for _ in range(5000)]), flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=o.rate, betas=(0.9, 0.98), weight_decay=0.01)
    os.makedirs(o.out, exist_ok=True)
    json.dump(batches.vocabulary, open(f"{o.out}/vocabulary.json", "w"))
    curve = []
    for step in range(o.steps + 1):
        if step % o.every == 0:
            row = dict(step=step, **{k: measure(model, batches, grammar, k, 100 if step < o.steps else 500) for k in ("agreement", "pronoun")})
            curve.append(row)
            torch.save(model.state_dict(), f"{o.out}/{step:06d}.pt")
            json.dump(dict(options=vars(o), shape=model.shape, curve=curve), open(f"{o.out}/curve.json", "w"))
            print(step, "agreement", best(row["agreement"]), "| pronoun", best(row["pronoun"]), flush=True)
        if step == o.steps:
            break
        rate = o.rate * min(1, (step + 1) / 200) * (0.05 + 0.475 * (1 + math.cos(math.pi * step / o.steps)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        ids, links = batches.next()
        kept = []
        logits = model(ids.clamp(min=0), kept)
        target = ids[:, 1:]
        loss = F.cross_entropy(logits[:, :-1].reshape(-1, vocabulary), target.reshape(-1), ignore_index=-1)
        if o.point and links:
            loss = loss + o.point * pointing(kept[-1], links)
        if step % 100 == 0:
            print("  ", step, "loss %.3f" % loss.item(), flush=True)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


if __name__ == "__main__":
    main()
