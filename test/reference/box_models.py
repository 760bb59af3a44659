"""The trained models of the extension by NumPy in float64: GPT-2 (Radford et al. 2019, section 2.3; layers as Vaswani et al. 2017).

Write the values:  python3 test/reference/box_models.py extension/models test/fixtures/models.json.gz

x_0 = E[ids] + P; in each layer x = x + attention(LN(x)), then x = x + W_2 GELU(W_1 LN(x)); logits = LN(x) E^T. LayerNorm: Ba et al. 2016 with
epsilon 1e-5. Removed heads: see CHANGED. GELU: x/2 (1 + erf(x / sqrt 2)), Hendrycks and Gimpel 2016. File format: github.com/huggingface/safetensors, "Format". Tokens: by the
tokenizer.json beside it, as Hugging Face documents WordLevel and TemplateProcessing. Nothing here knows the engine.
"""
import gzip
import json
import math
import re
import sys
from pathlib import Path

import numpy as np

TEXTS = {
    "characters": ["Zadok met Hur; Zadok met Hur", "the cat sat on the mat", "xqz 7a! xqz 7a!", "caf\u00e9 \U0001f600 ok"],
    "words": ["The keys to the cabinet are lost.", "Tom helped Anna because she was sad. Who was sad? Anna", "the telescope is here"],
}


# Sentences of the word model's kinds, with both orders and distractors: (text, the word that asks, the word it should look at).
POINTED = {
    "pronoun": [
        ("Tom helped Anna because she was sad.", "she", "anna"),
        ("Anna helped Tom because she was sad.", "she", "anna"),
        ("Tom helped Anna because he was sad.", "he", "tom"),
        ("Anna helped Tom because he was sad.", "he", "tom"),
        ("the king met the queen when he was tired .", "he", "king"),
        ("the queen met the king when he was tired .", "he", "king"),
        ("the king met the queen when she was tired .", "she", "queen"),
        ("the queen met the king when she was tired .", "she", "queen"),
        ("peter saw lucy and he was angry .", "he", "peter"),
        ("lucy saw peter and he was angry .", "he", "peter"),
        ("the boy called the aunt because she was lonely .", "she", "aunt"),
        ("the aunt called the boy because she was lonely .", "she", "aunt"),
        ("mark loved kate and she was happy .", "she", "kate"),
        ("kate loved mark and she was happy .", "she", "kate"),
        ("the prince visited the grandmother because he was sick .", "he", "prince"),
        ("the grandmother visited the prince because he was sick .", "he", "prince"),
        ("emma followed george when he was late .", "he", "george"),
        ("george followed emma when he was late .", "he", "george"),
        ("the sister found the uncle when she was afraid .", "she", "sister"),
        ("the uncle found the sister when she was afraid .", "she", "sister"),
    ],
    "agreement": [
        ("the keys near the table are lost .", "table", "keys"),
        ("the key near the tables is lost .", "tables", "key"),
        ("near the tables the key is lost .", "key", "key"),
        ("near the table the keys are lost .", "keys", "keys"),
        ("the old letters under the red chair are dirty .", "chair", "letters"),
        ("the old letter under the red chairs is dirty .", "chairs", "letter"),
        ("the dogs behind the church are tired .", "church", "dogs"),
        ("the dog behind the churches is tired .", "churches", "dog"),
        ("the men that the horse follows are angry .", "follows", "men"),
        ("the man that the horses follow is angry .", "follow", "man"),
        ("the birds that the woman likes are small .", "likes", "birds"),
        ("the bird that the women like is hungry .", "like", "bird"),
        ("the coats beside the park were old .", "park", "coats"),
        ("the coat beside the parks was old .", "parks", "coat"),
        ("the pens in the boxes are new .", "boxes", "pens"),
        ("the pictures by the shelf are old .", "shelf", "pictures"),
        ("the picture by the shelves is old .", "shelves", "picture"),
        ("the foxes under the bridge are hungry .", "bridge", "foxes"),
        ("the fox under the bridges is hungry .", "bridges", "fox"),
        ("the lamps from the shop were clean .", "shop", "lamps"),
    ],
}

# Heads that are removed: each row of their output is the mean of its rows (Wang et al. 2022, section 2.1); or weigh by another head's weights.
CHANGED = [
    ("words-1", TEXTS["words"][0], [{"layer": 2, "head": 1}]),
    ("words-1", TEXTS["words"][1], [{"layer": 1, "head": 2}, {"layer": 2, "head": 0}]),
    ("characters-1", TEXTS["characters"][0], [{"layer": 2, "head": 2, "weightsOf": 0}]),
    ("characters-1", TEXTS["characters"][2], [{"layer": 1, "head": 0}, {"layer": 2, "head": 1, "weightsOf": 3}]),
]


def read(path):
    raw = path.read_bytes()
    n = int.from_bytes(raw[:8], "little")
    header, data = json.loads(raw[8 : 8 + n]), raw[8 + n :]
    about = json.loads(header.pop("__metadata__")["model"])
    tensors = {
        name: np.frombuffer(data[slice(*t["data_offsets"])], "<f2").reshape(t["shape"]).astype(np.float64)
        for name, t in header.items()
    }
    return about, tensors


def tokens(text, tokenizer):
    vocabulary = tokenizer["model"]["vocab"]
    unknown = vocabulary[tokenizer["model"]["unk_token"]]
    if tokenizer["normalizer"]:
        text = text.lower()
    pieces = re.findall(r"\w+|[^\w\s]+", text) if tokenizer["pre_tokenizer"]["type"] == "Whitespace" else list(text)
    return [0] + [vocabulary.get(p, unknown) for p in pieces]


def norm(x, gain, bias):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * gain + bias


gelu = np.vectorize(lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2))))


def forward(ids, about, t, changes=()):
    """Logits (n x vocabulary) and the weights of every layer (heads x n x n)."""
    n, heads = len(ids), about["heads"]
    x = t["wte.weight"][ids] + t["wpe.weight"][:n]
    patterns = []
    for i in range(about["layers"]):
        layer = lambda name: t[f"h.{i}.{name}.weight"], lambda name: t[f"h.{i}.{name}.bias"]
        w, b = layer
        h = norm(x, w("ln_1"), b("ln_1")) @ w("attn.c_attn") + b("attn.c_attn")
        q, k, v = [part.reshape(n, heads, -1).transpose(1, 0, 2) for part in np.split(h, 3, axis=1)]
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        scores[:, np.triu(np.ones((n, n), bool), 1)] = -np.inf
        e = np.exp(scores - scores.max(-1, keepdims=True))
        weights = e / e.sum(-1, keepdims=True)
        patterns.append(weights)
        used = weights.copy()
        for c in changes:
            if c["layer"] == i + 1 and "weightsOf" in c:
                used[c["head"]] = weights[c["weightsOf"]]
        said = used @ v
        for c in changes:
            if c["layer"] == i + 1 and "weightsOf" not in c:
                said[c["head"]] = said[c["head"]].mean(0, keepdims=True)
        x = x + said.transpose(1, 0, 2).reshape(n, -1) @ w("attn.c_proj") + b("attn.c_proj")
        if about["mlp"]:
            h = norm(x, w("ln_2"), b("ln_2")) @ w("mlp.c_fc") + b("mlp.c_fc")
            x = x + gelu(h) @ w("mlp.c_proj") + b("mlp.c_proj")
    return norm(x, t["ln_f.weight"], t["ln_f.bias"]) @ t["wte.weight"].T, patterns


def walk(ids, about, t, changes=()):
    """Every step by the name that a lesson gives it: those of the last layer as they are, of layer i before it as layer{i}_…, and the model's first and last."""
    n, heads, layers = len(ids), about["heads"], about["layers"]
    steps = {"tokens": np.array(ids)[:, None], "table": t["wte.weight"], "embedding": t["wte.weight"][ids], "positions": t["wpe.weight"][:n]}
    x = steps["x"] = steps["embedding"] + steps["positions"]
    for i in range(layers):
        name = lambda step: step if i == layers - 1 else f"layer{i + 1}_{step}"
        w, b = lambda part: t[f"h.{i}.{part}.weight"], lambda part: t[f"h.{i}.{part}.bias"]
        h = norm(x, w("ln_1"), b("ln_1")) @ w("attn.c_attn") + b("attn.c_attn")
        q, k, v = [part.reshape(n, heads, -1).transpose(1, 0, 2) for part in np.split(h, 3, axis=1)]
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        scores[:, np.triu(np.ones((n, n), bool), 1)] = -np.inf
        weights = np.array([[softmax(row) for row in head] for head in scores])
        said = weights @ v
        for c in changes:
            if c["layer"] == i + 1:
                said[c["head"]] = said[c["head"]].mean(0, keepdims=True)
        x = x + said.transpose(1, 0, 2).reshape(n, -1) @ w("attn.c_proj") + b("attn.c_proj")
        if about["mlp"]:
            h = norm(x, w("ln_2"), b("ln_2")) @ w("mlp.c_fc") + b("mlp.c_fc")
            x = x + gelu(h) @ w("mlp.c_proj") + b("mlp.c_proj")
        steps |= {name("weights"): weights, name("vHeads"): v, name("blockOutput"): x, name("wq"): w("attn.c_attn")[:, : x.shape[1]]}
    logits = norm(x, t["ln_f.weight"], t["ln_f.bias"]) @ t["wte.weight"].T
    return steps | {"probabilities": np.array([softmax(row) for row in logits])}


def scores(about, t):
    """What each head does on 24 rows of random tokens repeated once, as means of weights: on the token after the earlier occurrence (induction), on that
    occurrence (duplicate), on the token before (previous), on the first token (sink; rows from the eighth). Olsson et al. 2022, "In-context Learning and
    Induction Heads"; Xiao et al. 2023 for the sink."""
    rng = np.random.RandomState(2026)
    period, found = 25, []
    for _ in range(24):
        piece = rng.randint(2, len(about["vocabulary"]), period)
        ids = [0, *piece, *piece]
        patterns = np.stack(forward(ids, about, t)[1])
        n = len(ids)
        second = np.arange(period + 1, n - 1)
        rows = np.arange(2, n)
        found.append(
            [
                patterns[:, :, second, second - period + 1].mean(-1),
                patterns[:, :, second, second - period].mean(-1),
                patterns[:, :, rows, rows - 1].mean(-1),
                patterns[:, :, 8:, 0].mean(-1),
            ]
        )
    mean = np.mean(found, axis=0)
    names = ("induction", "duplicate", "previous", "sink")
    return [
        dict(layer=l, head=h, **{name: round(float(mean[i][l][h]), 4) for i, name in enumerate(names)})
        for l in range(about["layers"])
        for h in range(about["heads"])
    ]


def pointed(about, t, tokenizer):
    """Sentences written by hand for this file: the words that a head which was trained to point should look at. The share that it does, by head of the last layer."""
    hits = {}
    for kind, sentences in POINTED.items():
        for text, row, target in sentences:
            ids = tokens(text, tokenizer)
            words = re.findall(r"\w+|[^\w\s]+", text.lower())
            at, to = words.index(row) + 1, words.index(target) + 1
            last = forward(ids, about, t)[1][-1]
            for head in range(about["heads"]):
                hits.setdefault((kind, head), []).append(int(last[head][at].argmax()) == to)
    return [dict(kind=kind, head=head, share=round(float(np.mean(found)), 4), n=len(found)) for (kind, head), found in hits.items()]


def softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


# What lessons 14 and 15 say in numbers: by block, the model, its text, what is removed, cells (head, row, column) of the last layer's weights, and words whose probability
# after the last token counts.
LESSONS = {
    **{
        f"14:{id}": (f"characters-training-{step}", "the dwarf Brubix; Brub", [], [(h, 22, 15) for h in range(4)], ["i"])
        for id, step in dict(untrained=0, early=600, later=2000, s1000=1000, s1400=1400, s1600=1600, s5000=5000).items()
    },
    "15:keys": ("words-1", "the keys near the table", [], [(0, 5, 2), (1, 5, 2)], ["are", "is"]),
    "15:without1": ("words-1", "the keys near the table", [dict(layer=2, head=1)], [], ["are", "is"]),
    "15:without0": ("words-1", "the keys near the table", [dict(layer=2, head=0)], [], ["are", "is"]),
}


def lessons(folder):
    found = {}
    for name, (model, text, changes, cells, words) in LESSONS.items():
        about, t = read(Path(folder) / f"{model}.safetensors")
        tokenizer = re.sub(r"-\d+$", "", model) if "training" in model else model
        tokenizer = json.loads((Path(folder) / f"{tokenizer}.tokenizer.json").read_text())
        logits, weights = forward(tokens(text, tokenizer), about, t, changes)
        next_ = softmax(logits[-1])
        at = {w: about["vocabulary"].index(w) for w in words}
        found[name] = dict(
            weights=[[*cell, round(float(weights[-1][cell]), 8)] for cell in cells],
            next=[[len(logits) - 1, id, round(float(next_[id]), 8)] for id in at.values()],
        )
        print(name, found[name])
    return found


def main(folder, out):
    cases, heads = [], {}
    for path in sorted(Path(folder).glob("*.safetensors")):
        about, t = read(path)
        tokenizer = re.sub(r"-\d+$", "", path.stem) if "training" in path.stem else path.stem
        tokenizer = json.loads((path.parent / f"{tokenizer}.tokenizer.json").read_text())
        texts = TEXTS[about["kind"]]
        heads[path.stem] = dict(scores=scores(about, t))
        if path.stem == "words-1":
            heads[path.stem]["pointed"] = pointed(about, t, tokenizer)
            print(heads[path.stem]["pointed"])
        for text in texts[:1] if "training" in path.stem else texts:
            ids = tokens(text, tokenizer)
            logits, weights = forward(ids, about, t)
            cases.append(dict(model=path.stem, text=text, ids=ids, logits=logits.round(8).tolist(), weights=[w.round(8).tolist() for w in weights]))
            print(path.stem, repr(text), "next:", about["vocabulary"][int(logits[-1].argmax())])
    for name, text, changes in CHANGED:
        about, t = read(Path(folder) / f"{name}.safetensors")
        ids = tokens(text, json.loads((Path(folder) / f"{name}.tokenizer.json").read_text()))
        logits, _ = forward(ids, about, t, changes)
        cases.append(dict(model=name, text=text, ids=ids, changes=changes, logits=logits.round(8).tolist()))
        print(name, repr(text), changes, "next:", about["vocabulary"][int(logits[-1].argmax())])
    with gzip.GzipFile(out, "wb", mtime=0) as f:
        f.write(json.dumps(dict(cases=cases, heads=heads, lessons=lessons(folder))).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
