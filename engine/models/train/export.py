"""Rounds a checkpoint to float16 and writes it as safetensors under GPT-2's names, with its tokenizer and what was measured of it.

    python3 export.py char-s1/curve.json OUT --name characters-1 --steps 4000
    python3 export.py word-p1/curve.json OUT --name words-1 --steps 1500
    python3 export.py story-s1/curve.json OUT --name characters-training --steps 0,200,600,1000,...

What is measured is the rounded model, which is the one that is shipped. The cost of a head is what a loss rises by when
each row of its output is replaced by the mean over rows ("mean ablation": Wang et al. 2022, section 2.1).
"""
import argparse
import hashlib
import json
import random
import struct
from pathlib import Path

import torch
import torch.nn.functional as F

import characters
import words
from grammar import Grammar
from measure import measure_characters, mean_diagonal
from model import Transformer, parameters

HERE = Path(__file__).parent


def tensors_of(model):
    """GPT-2's names and layout: weights of a layer stand as in x out."""
    found = {"wte.weight": model.wte.weight, "wpe.weight": model.wpe.weight}
    for i, block in enumerate(model.h):
        parts = {"ln_1": block.ln_1, "attn.c_attn": block.c_attn, "attn.c_proj": block.c_proj}
        if block.mlp:
            parts.update({"ln_2": block.ln_2, "mlp.c_fc": block.c_fc, "mlp.c_proj": block.m_proj})
        for name, part in parts.items():
            weight = part.weight if name.startswith("ln") else part.weight.t()
            found[f"h.{i}.{name}.weight"] = weight
            found[f"h.{i}.{name}.bias"] = part.bias
    found.update({"ln_f.weight": model.ln_f.weight, "ln_f.bias": model.ln_f.bias})
    return {name: value.detach().contiguous().half().numpy() for name, value in found.items()}


def write_safetensors(path, tensors, metadata):
    """https://github.com/huggingface/safetensors, "Format". Returns the file's SHA-256 and its size in bytes."""
    header, blobs, offset = {"__metadata__": metadata}, [], 0
    for name, value in tensors.items():
        blob = value.astype("<f2").tobytes()
        header[name] = dict(dtype="F16", shape=list(value.shape), data_offsets=[offset, offset + len(blob)])
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    whole = struct.pack("<Q", len(text)) + text + b"".join(blobs)
    path.write_bytes(whole)
    return hashlib.sha256(whole).hexdigest(), len(whole)


def tokenizer(kind, vocabulary):
    """A Hugging Face tokenizer.json: each character as it is seen, or each word in lower case and each mark, behind the start token."""
    # A flag is two letters; a mark, a skin tone, a tag and what a joiner joins belong to what stands before.
    seen = "[\U0001f1e6-\U0001f1ff]{2}|[\\s\\S](?:\\p{M}|[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d[\\s\\S])*"
    split = {"type": "Split", "pattern": {"Regex": seen}, "behavior": "Isolated", "invert": False}
    start = {"id": "<s>", "type_id": 0}
    return dict(
        version="1.0",
        truncation=None,
        padding=None,
        added_tokens=[
            dict(id=0, content="<s>", special=True, single_word=False, lstrip=False, rstrip=False, normalized=False)
        ],
        normalizer=None if kind == "characters" else {"type": "Lowercase"},
        pre_tokenizer=split if kind == "characters" else {"type": "Whitespace"},
        post_processor={
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": start}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"SpecialToken": start}, {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}},
        },
        decoder=None,
        model=dict(type="WordLevel", vocab={w: i for i, w in enumerate(vocabulary)}, unk_token="<unknown>"),
    )


def rounded(model):
    for p in model.parameters():
        p.data = p.data.half().float()
    return model


def without_head(head):
    def change(weights, v):
        context = weights @ v
        context[:, head] = context[:, head].mean(1, keepdim=True)
        return context

    return change


def costs(model, losses):
    """losses(change) -> {name: loss}. For each head, what each loss rises by without it."""
    whole = losses(None)
    heads = {}
    for layer in range(model.shape["layers"]):
        for head in range(model.shape["heads"]):
            cut = losses({layer: without_head(head)})
            heads[layer, head] = {k: round(cut[k] - whole[k], 4) for k in whole}
    return heads, {k: round(v, 4) for k, v in whole.items()}


# --- characters -------------------------------------------------------------------------


class Characters:
    kind = "characters"
    data = "King James Bible (public domain), random characters repeated, and text repeated"
    kinds = ("induction", "duplicate", "previous", "sinkOnText")

    def __init__(self, trained, o):
        text = characters.read(o.text)
        self.hash = hashlib.sha256(text.encode()).hexdigest()
        self.held = characters.Batches(text[len(text) * 95 // 100 :], 99, trained["shape"]["context"], 2048)
        self.vocabulary = ["<s>", "<unknown>"] + list(characters.CHARACTERS)

    def scores(self, model):
        self.held.generator.manual_seed(99)
        measured = measure_characters(model, self.held)
        heads = {(h.pop("layer"), h.pop("head")): h for h in measured.pop("heads")}
        return heads, measured

    @torch.no_grad()
    def losses(self, model):
        def of(change):
            self.held.generator.manual_seed(77)
            text = self.held.text(32, 64)
            period = 31
            copy = self.held.repeated(32, 64, True, period)

            def loss(ids, part):
                logits = model(ids, change=change)[:, part].reshape(-1, characters.VOCABULARY)
                return F.cross_entropy(logits, ids[:, part.start + 1 : part.stop + 1].reshape(-1)).item()

            return dict(text=loss(text, slice(0, 63)), repeated=loss(copy, slice(period + 1, 2 * period)))

        return of


# --- words --------------------------------------------------------------------------------


class Words:
    kind = "words"
    data = "Sentences of grammar.txt and random words repeated; noun pairs of the tests were held back"
    kinds = ("agreement", "pronoun", "induction", "duplicate", "previous", "sink")

    def __init__(self, trained, o):
        self.grammar = Grammar(HERE / "grammar.txt")
        self.hash = hashlib.sha256((HERE / "grammar.txt").read_bytes()).hexdigest()
        self.batches = words.Batches(self.grammar, 1000, trained["shape"]["context"], 2048)
        self.vocabulary = self.batches.vocabulary

    @torch.no_grad()
    def scores(self, model):
        shape = model.shape
        heads = {(l, h): {} for l in range(shape["layers"]) for h in range(shape["heads"])}
        measured = {}
        for kind in ("agreement", "pronoun"):
            m = words.measure(model, self.batches, self.grammar, kind, 500)
            measured[kind] = dict(n=m["n"], right=round(m["right"], 4))
            for (l, h), found in heads.items():
                found[kind] = round(m["gap"][l][h], 4)
                found[kind + "Picks"] = round(m["picks"][l][h], 4)
        model.eval()
        kept = []
        self.batches.generator.manual_seed(99)
        period, n = 31, 64
        piece = torch.randint(2, len(self.vocabulary), (32, period), generator=self.batches.generator)
        ids = torch.cat([torch.zeros(32, 1, dtype=torch.long), piece.repeat(1, 3)[:, : n - 1]], 1)
        model(ids, kept)
        i, j = torch.arange(period + 1, 2 * period), torch.arange(2, n)
        for l, weights in enumerate(kept):
            found = dict(
                induction=mean_diagonal(weights, i, i - period + 1),
                duplicate=mean_diagonal(weights, i, i - period),
                previous=mean_diagonal(weights, j, j - 1),
                sink=weights[:, :, 8:, 0].mean((0, 2)),
            )
            for h in range(shape["heads"]):
                heads[l, h].update({k: round(v[h].item(), 4) for k, v in found.items()})
        return heads, measured

    @torch.no_grad()
    def losses(self, model):
        """Losses at what is asked: the verb's number, the name behind "who was ...?", any word of a sentence, a second copy."""
        rng = random.Random(7)
        asked = {"agreement": [], "pronoun": []}
        while min(len(a) for a in asked.values()) < 150:
            for kind, found in asked.items():
                s = self.grammar.sentence(rng, True, kind)
                links = [l for l in s.links if l[1] == kind and l[3] and l[0] != l[2]]
                if not links or len(found) >= 150:
                    continue
                row, _, true, _ = links[0]
                ids = [words.START] + self.batches.encode(s.words)
                # The verb stands behind the asking word; a pronoun's noun is said again at the end.
                at = row + 2 if kind == "agreement" else max(i for i, w in enumerate(s.words) if w == s.words[true]) + 1
                if kind == "pronoun" and at - 1 == true:
                    continue
                found.append((torch.tensor([ids]), at))
        self.batches.generator.manual_seed(5)
        copy = self.batches.repeated(32, 64)

        def of(change):
            found = {
                kind: sum(F.cross_entropy(model(ids, change=change)[:, at - 1], ids[:, at]).item() for ids, at in list_) / len(list_)
                for kind, list_ in asked.items()
            }
            text = [
                F.cross_entropy(model(ids, change=change)[0, :-1], ids[0, 1:]).item() for ids, _ in asked["agreement"] + asked["pronoun"]
            ]
            logits = model(copy, change=change)[:, 40:-1].reshape(-1, len(self.vocabulary))
            return dict(found, text=sum(text) / len(text), repeated=F.cross_entropy(logits, copy[:, 41:].reshape(-1)).item())

        return of


# --- a model's file ------------------------------------------------------------------------

# A head is named by a kind only from this mean weight on; of agreement and pronoun, from this share of right picks.
NAMED, PICKS = 0.3, 0.95


def named(scores, kinds, pointing):
    """The kind of a head, by the largest of its scores."""
    def fits(kind):
        return scores[kind] >= NAMED and scores.get(kind + "Picks", 1) >= PICKS
    found = [k for k in kinds if fits(k)]
    sinks = [k for k in found if k.startswith("sink")]
    # Most heads rest on the first token where they have nothing to say: that names only those that do nothing else.
    others = [k for k in found if k not in sinks]
    best = next((k for k in pointing if k in found), None) or max(others or sinks, key=lambda k: scores[k], default="none")
    return best.replace("OnText", "")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("curve", type=Path)
    a.add_argument("out", type=Path)
    a.add_argument("--name", required=True)
    a.add_argument("--steps", required=True)
    a.add_argument("--text", default="kjv.txt")
    o = a.parse_args()
    torch.set_num_threads(1)
    trained = json.load(open(o.curve))
    shape = trained["shape"]
    about = (Words if "point" in trained["options"] else Characters)(trained, o)
    o.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    control, _ = about.scores(Transformer(**shape).eval())
    steps = [int(s) for s in o.steps.split(",")]
    files = []
    for step in steps:
        model = Transformer(**shape)
        model.load_state_dict(torch.load(o.curve.parent / f"{step:06d}.pt"))
        model = rounded(model).eval()
        scores, measured = about.scores(model)
        without, losses = costs(model, about.losses(model.eval()))
        evidence = []
        for (layer, head), found in scores.items():
            last = layer == shape["layers"] - 1
            pointing = [k for k, h in words.POINTS.items() if last and h == head] if trained["options"].get("point") else []
            kind = named(found, about.kinds, pointing)
            key = "sinkOnText" if kind == "sink" and "sinkOnText" in found else kind
            evidence.append(
                dict(
                    layer=layer,
                    head=head,
                    kind=kind,
                    score=found.get(key, 0),
                    control=control[layer, head].get(key, 0),
                    **(dict(pointed=True) if kind in pointing else {}),
                    scores=found,
                    costs=without[layer, head],
                )
            )
        name = f"{o.name}-{step}" if len(steps) > 1 else o.name
        card = dict(
            name=name,
            kind=about.kind,
            width=shape["width"],
            heads=shape["heads"],
            layers=shape["layers"],
            mlp=shape["mlp"],
            context=shape["context"],
            step=step,
            losses=losses,
            vocabulary=about.vocabulary,
            evidence=evidence,
        )
        sha256, size = write_safetensors(
            o.out / f"{name}.safetensors", tensors_of(model), {"model": json.dumps(card, separators=(",", ":"))}
        )
        files.append(dict(file=f"{name}.safetensors", step=step, bytes=size, sha256=sha256, losses=losses, **measured, heads=evidence))
        print(name, size, sha256, losses, [(e["layer"], e["head"], e["kind"], e["score"]) for e in evidence], flush=True)
    (o.out / f"{o.name}.tokenizer.json").write_text(json.dumps(tokenizer(about.kind, about.vocabulary), separators=(",", ":")))
    report = dict(
        name=o.name,
        kind=about.kind,
        data=about.data,
        dataSha256=about.hash,
        licence="weights: as this extension; data: public domain or our own",
        parameters=parameters(model),
        shape=shape,
        options={k: v for k, v in trained["options"].items() if k not in ("text", "out", "begin")},
        curve=[
            {k: v if not isinstance(v, float) else round(v, 4) for k, v in row.items() if k != "heads"}
            | ({k: max(h[k] for h in row["heads"]) for k in ("induction", "previous")} if "heads" in row else {})
            for row in trained["curve"]
        ],
        files=files,
    )
    (o.out / f"{o.name}.card.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
