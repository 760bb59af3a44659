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


def main(folder, out):
    cases = []
    for path in sorted(Path(folder).glob("*.safetensors")):
        about, t = read(path)
        tokenizer = re.sub(r"-\d+$", "", path.stem) if "training" in path.stem else path.stem
        tokenizer = json.loads((path.parent / f"{tokenizer}.tokenizer.json").read_text())
        texts = TEXTS[about["kind"]]
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
        f.write(json.dumps(dict(cases=cases)).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
