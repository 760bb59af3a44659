"""Fields of a spec together, as models have them together: one scalar program for all, in float64, without the engine.

Written from the papers and the published sources: RoPE, YaRN and llama3 after Hugging Face's modeling_rope_utils.py, T5's buckets after
modeling_t5.py, ALiBi after Press et al. 2022, section 3, sinks after gpt-oss's modeling_gpt_oss.py, differential attention after Ye et al. 2024,
eqs. 1 to 3, RMSNorm after its documentation in torch.nn, SwiGLU after Shazeer 2020. Every cell is made by loops over numbers, so that nothing here is
broadcast. Prints {"cases": [{"name", "spec", "steps": {id: numbers in row-major order}}]}, "nan", "inf" and "-inf" as texts.

    python3 test/reference/combined_fields.py | gzip -9n > test/fixtures/attention/combined-fields.json.gz
"""

import json
import math
import random

NEG = -math.inf
pick = random.Random(20261126)


def numbers(rows, columns, scale=1.0):
    return [[round(scale * pick.uniform(-1.5, 1.5), 3) for _ in range(columns)] for _ in range(rows)]


def row(columns):
    return numbers(1, columns)[0]


def times(a, b):
    return [[math.fsum(x * b[t][j] for t, x in enumerate(line)) for j in range(len(b[0]))] for line in a]


def turned_over(a):
    return [list(column) for column in zip(*a)]


def apply(x, w, convention, bias=None):
    made = times(x, turned_over(w) if convention == "XWT" else w)
    return [[v + bias[j] for j, v in enumerate(line)] for line in made] if bias else made


def rms(line, epsilon, gain=None):
    root = math.sqrt(math.fsum(v * v for v in line) / len(line) + epsilon)
    return [v / root * (gain[j] if gain else 1) for j, v in enumerate(line)]


def frequencies(rope, width):
    """Radians a token for each pair, and the factor of cosines and sines."""
    base, dims, scaling = rope.get("base", 10000), rope.get("dims", width), rope.get("scaling", {})
    kind, factor = scaling.get("kind"), scaling.get("factor")
    if kind == "ntk":
        base = base * factor ** (dims / (dims - 2))
    if kind == "dynamic":
        length = max(scaling["length"], scaling["original"])
        base = base * (factor * length / scaling["original"] - (factor - 1)) ** (dims / (dims - 2))
    plain = [base ** (-2 * i / dims) for i in range(dims // 2)]
    if kind == "linear":
        return [f / factor for f in plain], 1
    if kind == "llama3":
        low, high, old = scaling["lowFrequency"], scaling["highFrequency"], scaling["original"]
        made = []
        for f in plain:
            wave = 2 * math.pi / f
            if wave < old / high:
                made.append(f)
            elif wave > old / low:
                made.append(f / factor)
            else:
                smooth = (old / wave - low) / (high - low)
                made.append((1 - smooth) * f / factor + smooth * f)
        return made, 1
    if kind == "yarn":
        old = scaling["original"]

        def dimension(turns):
            return dims * math.log(old / (turns * 2 * math.pi)) / (2 * math.log(base))

        low, high = dimension(scaling.get("betaFast", 32)), dimension(scaling.get("betaSlow", 1))
        if scaling.get("truncate", True):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, dims - 1)
        if low == high:
            high += 0.001
        made = []
        for i, f in enumerate(plain):
            ramp = min(1, max(0, (i - low) / (high - low)))
            made.append(f / factor * ramp + f * (1 - ramp))
        return made, scaling.get("attentionFactor", 0.1 * math.log(factor) + 1 if factor > 1 else 1)
    return plain, 1


def rotate(line, place, rope, how):
    speeds, size = frequencies(rope, len(line))
    pairs = len(speeds)
    made = list(line)
    for i, speed in enumerate(speeds):
        a, b = (i, i + pairs) if how == "rope-half" else (2 * i, 2 * i + 1)
        c, s = size * math.cos(place * speed), size * math.sin(place * speed)
        made[a], made[b] = line[a] * c - line[b] * s, line[b] * c + line[a] * s
    return made


def bucket(distance, bidirectional, buckets, most):
    """distance: the key's place minus the query's (memory_position - context_position)."""
    found = 0
    if bidirectional:
        buckets //= 2
        if distance > 0:
            found += buckets
        distance = abs(distance)
    else:
        distance = -min(distance, 0)
    exact = buckets // 2
    if distance < exact:
        return found + distance
    large = exact + int(math.log(distance / exact) / math.log(most / exact) * (buckets - exact))
    return found + min(large, buckets - 1)


def attention(spec, x, context=None, values=None, weights=None, lists=0, layer=1, full_window=False):
    """One input of a batch, or the only one: the steps by name."""
    steps = {}
    start, h = spec["start"], spec["heads"]
    kv = spec.get("kvHeads", h)
    convention, own = spec.get("convention", "XW"), weights or spec.get("projections", {})
    if start["from"] == "qkv":
        q, k, v = start["q"], start["k"], start["v"]
    else:
        source = context or x
        worth = values or source
        if own.get("from") == "fused":
            all_three = apply(x, own["wqkv"], convention, own.get("bqkv"))
            wide = len(all_three[0]) // (h + 2 * kv)
            if own["order"] == "blocks":
                q = [line[: h * wide] for line in all_three]
                k = [line[h * wide : (h + kv) * wide] for line in all_three]
                v = [line[(h + kv) * wide :] for line in all_three]
            else:
                group = (h // kv + 2) * wide
                q, k, v = [], [], []
                for line in all_three:
                    parts = [line[g * group : (g + 1) * group] for g in range(kv)]
                    q.append([n for p in parts for n in p[: -2 * wide]])
                    k.append([n for p in parts for n in p[-2 * wide : -wide]])
                    v.append([n for p in parts for n in p[-wide:]])
        else:
            q = apply(x, own["wq"], convention, own.get("bq"))
            k = apply(source, own["wk"], convention, own.get("bk"))
            v = apply(worth, own["wv"], convention, own.get("bv"))
    steps["q"], steps["k"], steps["v"] = q, k, v
    same = start["from"] != "qkv" and not context
    places = spec.get("positionIds", {})
    offset = places.get("offset", 0)

    def listed(given):
        return given[lists] if isinstance(given[0], list) else given

    query_places = [offset + i for i in range(len(q))]
    key_places = [(offset if same else 0) + j for j in range(len(k))]
    if "queries" in places:
        query_places = listed(places["queries"])
        if same:
            key_places = query_places
    if "keys" in places:
        key_places = listed(places["keys"])
    # Where rows stand in the sequence, which masks count.
    query_rows = [(0 if same else offset) + i for i in range(len(q))]
    key_rows = list(range(len(k)))
    if "decode" in spec:
        t = spec["decode"]["step"]
        q, k, v = [q[t]], k[: t + 1], v[: t + 1]
        query_places, key_places = [query_places[t]], key_places[: t + 1]
        query_rows, key_rows = [query_rows[t]], key_rows[: t + 1]
    paired = spec.get("differential")
    value_heads = kv // 2 if paired else kv
    wide, value_wide = len(q[0]) // h, len(v[0]) // value_heads

    def cut(a, count):
        size = len(a[0]) // count
        return [[line[c * size : (c + 1) * size] for line in a] for c in range(count)]

    norm = spec.get("qkNorm")
    if norm and norm["over"] == "all":
        q = [rms(line, norm.get("epsilon", 1e-6), norm.get("gq")) for line in q]
        k = [rms(line, norm.get("epsilon", 1e-6), norm.get("gk")) for line in k]
    qs, ks, vs = cut(q, h), cut(k, kv), cut(v, value_heads)
    if norm and norm["over"] == "head":
        qs = [[rms(line, norm.get("epsilon", 1e-6), norm.get("gq")) for line in one] for one in qs]
        ks = [[rms(line, norm.get("epsilon", 1e-6), norm.get("gk")) for line in one] for one in ks]
    if norm:
        steps["qNormed"], steps["kNormed"] = (q, k) if norm["over"] == "all" else (qs, ks)
    how = spec.get("positions", "none")
    if how.startswith("rope"):
        rope = spec.get("rope", {})
        qs = [[rotate(line, query_places[i], rope, how) for i, line in enumerate(one)] for one in qs]
        ks = [[rotate(line, key_places[j], rope, how) for j, line in enumerate(one)] for one in ks]
        steps["qRotated"], steps["kRotated"] = qs, ks
    additive = spec.get("scoring")
    linear = spec.get("weighting", {}).get("by") == "linear"

    def phi(line):
        return [n + 1 if n > 0 else math.exp(n) for n in line]

    hidden = [[False] * len(k) for _ in q]
    mask, also = spec.get("mask", "none"), spec.get("alsoHidden", {})
    filling = also.get("keys")
    segments = also.get("segments")
    for i, at in enumerate(query_rows):
        for j, there in enumerate(key_rows):
            if mask == "causal" or also.get("causal"):
                hidden[i][j] |= there > at
            if isinstance(mask, dict) and mask["kind"] == "causal":
                hidden[i][j] |= there > at + (len(k) - len(q) if mask["alignment"] == "end" else 0)
            if isinstance(mask, dict) and mask["kind"] == "window":
                if mask["causal"]:
                    hidden[i][j] |= there > at
                if not full_window:
                    size = mask["size"] if mask.get("counts", "others") == "others" else mask["size"] - 1
                    hidden[i][j] |= abs(at - there) > size
            if isinstance(mask, dict) and mask["kind"] == "padding":
                hidden[i][j] |= there >= mask["visible"]
            if filling:
                hidden[i][j] |= (listed(filling["values"])[there] == 1) == (filling["oneMeans"] == "hidden")
            if segments:
                of_queries = listed(segments["queries"])
                of_keys = listed(segments["keys"]) if "keys" in segments else of_queries
                row_of_query = spec["decode"]["step"] if "decode" in spec else i
                hidden[i][j] |= of_queries[row_of_query] != of_keys[there]
    divisor = {"sqrt_d_k": math.sqrt(wide), "none": 1}.get(spec.get("scale", "sqrt_d_k")) if isinstance(spec.get("scale", "sqrt_d_k"), str) else spec["scale"]["divideBy"]
    relative = spec.get("relativeBias")
    stages = {name: [] for name in ("scores", "scaled", "capped", "tempered", "masked", "weights")}
    for head in range(h):
        slope = 2 ** (-8 * (head + 1) / h)
        table = {name: [] for name in stages}
        for i in range(len(q)):
            line = {name: [] for name in stages}
            for j in range(len(k)):
                one, other = qs[head][i], ks[head * kv // h][j]
                if linear:
                    s = math.fsum(a * b for a, b in zip(phi(one), phi(other)))
                elif additive:
                    s = math.fsum(additive["v"][head][c] * math.tanh(a + b) for c, (a, b) in enumerate(zip(one, other)))
                else:
                    s = math.fsum(a * b for a, b in zip(one, other))
                line["scores"].append(s)
                if not linear and not additive:
                    s = s / divisor
                line["scaled"].append(s)
                distance = key_places[j] - query_places[i]
                if how == "alibi":
                    s -= slope * abs(distance)
                if relative:
                    found = bucket(distance, relative["bidirectional"], len(relative["table"]), relative.get("maxDistance", 128))
                    s += relative["table"][found][head]
                if "softcap" in spec:
                    s = spec["softcap"] * math.tanh(s / spec["softcap"])
                    line["capped"].append(s)
                if "temperature" in spec:
                    s = s / spec["temperature"]
                    line["tempered"].append(s)
                fill = spec.get("maskFill", "-inf")
                if hidden[i][j]:
                    s = 0.0 if linear else NEG if fill == "-inf" else float(fill)
                line["masked"].append(s)
            sigmoid = spec.get("weighting", {}).get("by") == "sigmoid"
            if sigmoid:
                bias = spec["weighting"].get("bias", -math.log(len(steps["k"])))
                line["weights"] = [1 / (1 + math.exp(-(s + bias))) if s > NEG else 0.0 for s in line["masked"]]
            elif linear:
                total = math.fsum(line["masked"])
                line["weights"] = [s / total if total else math.nan for s in line["masked"]]
            else:
                sink = spec.get("sink")
                extra = [] if not sink else [0.0 if sink["from"] == "one" else sink["logits"][head]]
                top = max(line["masked"] + extra)
                if top == NEG:
                    line["weights"] = [math.nan if spec.get("fullyMasked", "nan") == "nan" else 0.0] * len(k)
                else:
                    total = math.fsum(math.exp(s - top) for s in line["masked"] + extra)
                    line["weights"] = [math.exp(s - top) / total for s in line["masked"]]
            for name in stages:
                table[name].append(line[name])
        for name in stages:
            stages[name].append(table[name])
    steps.update({name: made for name, made in stages.items() if made[0][0]})
    if linear or additive:
        del steps["scaled"]
    if linear:
        del steps["masked"]
    weigh = stages["weights"]
    if paired:
        first = paired.get("layer", 1) + layer - 1
        initial = paired.get("init", 0.8 - 0.6 * math.exp(-0.3 * (first - 1)))
        share = initial
        if paired["lambda"] == "given":
            q1, k1, q2, k2 = paired["vectors"]
            share = math.exp(math.fsum(a * b for a, b in zip(q1, k1))) - math.exp(math.fsum(a * b for a, b in zip(q2, k2))) + initial
        weigh = [[[a - share * b for a, b in zip(*lines)] for lines in zip(weigh[2 * p], weigh[2 * p + 1])] for p in range(h // 2)]
        steps["differences"] = weigh
    # What is averaged is what weighs the values.
    if spec.get("averageWeights"):
        steps["averagedWeights"] = [[math.fsum(w[i][j] for w in weigh) / len(weigh) for j in range(len(k))] for i in range(len(q))]
    outputs = [times(w, vs[c * value_heads // len(weigh)]) for c, w in enumerate(weigh)]
    steps["headOutputs"] = outputs
    if paired:
        outputs = [[[n * (1 - initial) for n in rms(line, paired.get("epsilon", 1e-5), paired.get("gain"))] for line in one] for one in outputs]
        steps["headsScaled"] = outputs
    joined = [[n for one in outputs for n in one[i]] for i in range(len(q))]
    wo = own.get("wo") if weights else spec.get("outputProjection", {}).get("wo")
    bo = own.get("bo") if weights else spec.get("outputProjection", {}).get("bo")
    if wo:
        joined = apply(joined, wo, convention, bo)
    return steps, joined


def silu(n):
    return n / (1 + math.exp(-n))


def gelu(n):
    return n * 0.5 * (1 + math.erf(n / math.sqrt(2)))


def layer_norm(line, epsilon, gain, bias):
    mean = math.fsum(line) / len(line)
    spread = math.fsum((n - mean) ** 2 for n in line) / len(line)
    return [(n - mean) / math.sqrt(spread + epsilon) * gain[j] + (bias[j] if bias else 0) for j, n in enumerate(line)]


def stack(spec, x):
    """The layers of a block: the last layer's steps."""
    block, forward = spec["block"], spec["feedForward"]
    epsilon = block.get("epsilon", 1e-5)

    def normed(rows, w, name):
        if block.get("of", "layer") == "rms":
            return [rms(line, epsilon, w[name]) for line in rows]
        return [layer_norm(line, epsilon, w[name], w.get(name + "Bias")) for line in rows]

    def feed(rows, w):
        convention = spec.get("convention", "XW")
        first = apply(rows, w["w1"], convention, w.get("b1"))
        if forward["of"] == "swiglu":
            gate = apply(rows, w["wg"], convention)
            middle = [[silu(g) * n for g, n in zip(*lines)] for lines in zip(gate, first)]
        else:
            middle = [[gelu(n) for n in line] for line in first]
        return apply(middle, w["w2"], convention, w.get("b2"))

    def add(a, b):
        return [[m + n for m, n in zip(*lines)] for lines in zip(a, b)]

    for at, w in enumerate(block["weights"]):
        full = block.get("layerTypes", ["sliding_attention"] * len(block["weights"]))[at] == "full_attention"
        if block["norm"] == "before":
            steps, made = attention(spec, normed(x, w, "norm1"), weights=w, layer=at + 1, full_window=full)
            x = add(x, made)
            x = add(x, feed(normed(x, w, "norm2"), w))
        else:
            steps, made = attention(spec, x, weights=w, layer=at + 1, full_window=full)
            x = normed(add(x, made), w, "norm1")
            x = normed(add(x, feed(x, w)), w, "norm2")
    if block.get("finalNorm"):
        x = normed(x, {"norm": block["last"]["norm"], "normBias": block["last"].get("normBias")}, "norm")
    return steps, x


def flat(value):
    return [n for one in value for n in flat(one)] if isinstance(value, list) else [value]


def steps_of(spec):
    start = spec["start"]
    if "block" in spec:
        steps, last = stack(spec, start["x"])
        return {**{name: flat(made) for name, made in steps.items()}, "last": flat(last)}
    batch = start["from"] == "x" and isinstance(start["x"][0][0], list)
    made = []
    for at in range(len(start["x"]) if batch else 1):
        of = lambda name: None if name not in start else start[name][at] if batch else start[name]
        steps, joined = attention(spec, of("x"), of("context"), of("values"), lists=at)
        made.append({**steps, "last": joined})
    return {name: flat([one[name] for one in made]) for name in made[0]}


SCALINGS = [
    {"kind": "linear", "factor": 3},
    {"kind": "ntk", "factor": 3},
    {"kind": "dynamic", "factor": 3, "original": 4, "length": 11},
    {"kind": "yarn", "factor": 4, "original": 16},
    {"kind": "yarn", "factor": 4, "original": 32, "betaFast": 4, "betaSlow": 1, "truncate": False, "attentionFactor": 0.9},
    {"kind": "llama3", "factor": 8, "lowFrequency": 1, "highFrequency": 4, "original": 64},
]


def rope(dims=None, scaling=None, base=None):
    return {**({"base": base} if base else {}), **({"dims": dims} if dims else {}), **({"scaling": scaling} if scaling else {})}


def layer_weights(width, heads, kv, each, middle, gated, bias):
    made = {"wq": numbers(width, heads * each), "wk": numbers(width, kv * each), "wv": numbers(width, kv * each), "wo": numbers(heads * each, width)}
    made |= {"norm1": row(width), "norm2": row(width), "w1": numbers(width, middle, 0.5), "w2": numbers(middle, width, 0.5)}
    if gated:
        made["wg"] = numbers(width, middle)
    if bias:
        made |= {"norm1Bias": row(width), "norm2Bias": row(width), "b1": row(middle), "b2": row(width)}
    return made


def given(width, heads, kv, key, value, convention="XW", values=None, bias=False):
    shape = (lambda a, b: numbers(b, a)) if convention == "XWT" else numbers
    made = {"from": "given", "wq": shape(width, heads * key), "wk": shape(width, kv * key), "wv": shape(values or width, value)}
    return {**made, **({"bq": row(heads * key), "bk": row(kv * key), "bv": row(value)} if bias else {})}


def x_of(rows, columns, batch=0):
    return [numbers(rows, columns) for _ in range(batch)] if batch else numbers(rows, columns)


def named():
    """Those that models have."""
    start = {"from": "x", "x": x_of(6, 8)}
    both = {"from": "x", "x": x_of(5, 8, 2)}
    left = {"keys": {"values": [[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]], "oneMeans": "visible"}}
    at = {"queries": [[1, 1, 0, 1, 2], [0, 1, 2, 3, 4]]}
    for t in range(6):
        yield f"YaRN, some columns, grouped heads, step {t} beside a cache", {
            "start": start, "heads": 4, "kvHeads": 2, "projections": given(8, 4, 2, 6, 8, "XWT"), "convention": "XWT", "positions": "rope-half",
            "rope": rope(4, SCALINGS[3], 500), "decode": {"step": t}, "mask": "causal", "positionIds": {"offset": 7}}
    for t in range(0, 6, 2):
        for how in ("rope-interleaved", "alibi", "none"):
            yield f"{how}, a window, step {t} beside a cache", {
                "start": start, "heads": 2, "projections": given(8, 2, 2, 4, 6), "positions": how, "decode": {"step": t}, "qkNorm": {"over": "all", "gq": row(8), "gk": row(8)},
                "mask": {"kind": "window", "size": 3, "causal": True, "counts": "self"}, "alsoHidden": {"segments": {"queries": [0, 0, 0, 1, 1, 1]}}, "sink": {"from": "one"}}
    yield "ALiBi, a window, filling on the left", {
        "start": both, "heads": 4, "projections": given(8, 4, 4, 2, 8), "positions": "alibi", "positionIds": at, "alsoHidden": left,
        "mask": {"kind": "window", "size": 2, "causal": True}, "fullyMasked": "zero"}
    yield "RoPE, filling on the left, a fill that is a number", {
        "start": both, "heads": 2, "projections": given(8, 2, 2, 4, 6, bias=True), "positions": "rope-half", "positionIds": at, "alsoHidden": left, "mask": "causal",
        "maskFill": -10000, "outputProjection": {"from": "given", "wo": numbers(6, 8), "bo": row(8)}}
    yield "T5's encoder beside other lengths", {
        "start": {"from": "x", "x": x_of(4, 8), "context": x_of(7, 8)}, "heads": 2, "projections": given(8, 2, 2, 4, 6), "scale": "none",
        "relativeBias": {"bidirectional": True, "maxDistance": 5, "table": numbers(6, 2)}}
    yield "T5's decoder with a cache", {
        "start": {"from": "qkv", "q": x_of(2, 8), "k": x_of(9, 8), "v": x_of(9, 6)}, "heads": 2, "scale": "none", "positionIds": {"offset": 7}, "mask": "causal",
        "relativeBias": {"bidirectional": False, "maxDistance": 6, "table": numbers(4, 2)}}
    yield "sinks, a soft cap, a window", {
        "start": start, "heads": 4, "kvHeads": 2, "projections": given(8, 4, 2, 4, 8, bias=True), "softcap": 2.5, "sink": {"from": "given", "logits": row(4)},
        "mask": {"kind": "window", "size": 2, "causal": True, "counts": "self"}, "positions": "rope-half", "rope": rope(None, SCALINGS[4], 1000)}
    yield "differential attention, grouped, causal with filling", {
        "start": both, "heads": 4, "kvHeads": 2, "projections": given(8, 4, 2, 4, 6), "differential": {"lambda": "given", "vectors": numbers(4, 4, 0.4), "layer": 3, "gain": row(6)},
        "positions": "rope-interleaved", "alsoHidden": {"causal": True, "keys": {"values": [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], "oneMeans": "visible"}}}
    yield "differential attention, segments, step 4", {
        "start": start, "heads": 4, "projections": given(8, 4, 4, 2, 6), "differential": {"lambda": "init", "layer": 2}, "mask": "causal", "decode": {"step": 4},
        "alsoHidden": {"segments": {"queries": [0, 0, 1, 1, 1, 1]}}, "positionIds": {"queries": [0, 1, 0, 1, 2, 3]}, "positions": "rope-half"}
    yield "texts packed into one sequence", {
        "start": start, "heads": 2, "projections": given(8, 2, 2, 4, 6), "mask": "causal", "positions": "rope-half", "positionIds": {"queries": [0, 1, 0, 1, 2, 0]},
        "alsoHidden": {"segments": {"queries": [0, 0, 1, 1, 1, 2]}}, "averageWeights": True}
    yield "positions with gaps, llama3", {
        "start": start, "heads": 4, "kvHeads": 1, "projections": given(8, 4, 1, 4, 4), "mask": "causal", "positions": "rope-interleaved", "rope": rope(None, SCALINGS[5], 50),
        "positionIds": {"queries": [3, 4, 9, 10, 40, 41]}}
    yield "keys and values of different inputs and widths", {
        "start": {"from": "x", "x": x_of(3, 8), "context": x_of(5, 8), "values": x_of(5, 6)}, "heads": 2, "projections": given(8, 2, 2, 4, 10, values=6, bias=True), "averageWeights": True,
        "alsoHidden": {"keys": {"values": [1, 0, 0, 1, 0], "oneMeans": "hidden"}}}
    for order in ("blocks", "heads"):
        yield f"one matrix in {order}, grouped, a norm of each head", {
            "start": start, "heads": 4, "kvHeads": 2, "projections": {"from": "fused", "order": order, "wqkv": numbers(8, 32), "bqkv": row(32)}, "mask": "causal",
            "qkNorm": {"over": "head", "gq": row(4), "gk": row(4)}, "positions": "rope-half", "rope": rope(2, None, 100)}
    for by in ("sigmoid", "linear"):
        yield f"{by}, RoPE, causal, filling", {
            "start": both, "heads": 2, "projections": given(8, 2, 2, 4, 6), "weighting": {"by": by}, "positions": "rope-half", "rope": rope(2),
            "alsoHidden": {"causal": True, "keys": {"values": [1, 1, 1, 0, 1], "oneMeans": "visible"}}}
    yield "additive scores, cross-attention, filling, a sink", {
        "start": {"from": "x", "x": x_of(2, 8), "context": x_of(5, 8)}, "heads": 2, "projections": given(8, 2, 2, 4, 6), "scoring": {"by": "additive", "v": numbers(2, 4)},
        "mask": {"kind": "padding", "visible": 3}, "sink": {"from": "one"}, "temperature": 0.6}
    for types in (["sliding_attention", "full_attention"], ["full_attention", "sliding_attention"]):
        yield f"two layers, RMSNorm and SwiGLU, {types[0]} first", {
            "start": start, "heads": 4, "kvHeads": 2, "projections": {"from": "random", "dK": 4, "dV": 4}, "positions": "rope-half", "rope": rope(None, None, 300),
            "mask": {"kind": "window", "size": 2, "causal": True, "counts": "self"}, "outputProjection": {"from": "random"},
            "block": {"norm": "before", "of": "rms", "layers": 2, "shown": 2, "finalNorm": True, "layerTypes": types, "last": {"norm": row(8)},
                      "weights": [layer_weights(8, 4, 2, 4, 5, True, False) for _ in range(2)]}, "feedForward": {"of": "swiglu", "width": 5}}
    yield "two layers, LayerNorm after each sum, GELU, ALiBi, filling", {
        "start": start, "heads": 2, "projections": {"from": "random", "dK": 4, "dV": 4}, "positions": "alibi", "outputProjection": {"from": "random"},
        "alsoHidden": {"keys": {"values": [1, 1, 1, 1, 0, 0], "oneMeans": "visible"}},
        "block": {"norm": "after", "of": "layer", "layers": 2, "shown": 2, "weights": [layer_weights(8, 2, 2, 4, 7, False, True) for _ in range(2)]},
        "feedForward": {"of": "gelu", "width": 7, "bias": True}}


def drawn(count):
    """Fields that go together, drawn."""
    for at in range(count):
        n, h = pick.randint(3, 6), pick.choice([1, 2, 4])
        kv = pick.choice([c for c in (1, 2, 4) if h % c == 0])
        convention, each, worth = pick.choice(["XW", "XWT"]), pick.choice([4, 6, 8]), pick.choice([2, 3])
        batch, cross = pick.choice([0, 0, 2]), pick.random() < 0.25
        m = pick.randint(3, 7) if cross else n
        start = {"from": "x", "x": x_of(n, 8, batch), **({"context": x_of(m, 8, batch)} if cross else {})}
        wide = 8
        if pick.random() < 0.3:
            wide = 5
            start["values"] = x_of(m, wide, batch)
        paired = kv % 2 == 0 and pick.random() < 0.35
        value = worth * (kv // 2 if paired else kv)
        spec = {"start": start, "heads": h, "kvHeads": kv, "projections": given(8, h, kv, each, value, convention, wide, pick.random() < 0.4), "convention": convention}
        if paired:
            spec["differential"] = pick.choice([{"lambda": "init"}, {"lambda": "given", "vectors": numbers(4, each, 0.4), "layer": 2}])
        spec["positions"] = pick.choice(["none", "alibi", "rope-half", "rope-half", "rope-interleaved", "rope-interleaved"])
        if spec["positions"].startswith("rope") and pick.random() < 0.8:
            spec["rope"] = rope(pick.choice([None, 4]), pick.choice([None, *SCALINGS]), pick.choice([None, 20, 500]))
        if pick.random() < 0.3:
            spec["relativeBias"] = {"bidirectional": pick.random() < 0.5, "maxDistance": 6, "table": numbers(8, h)}
        if not cross and pick.random() < 0.35:
            spec["decode"] = {"step": pick.randrange(n)}
        many = lambda make: [make() for _ in range(batch)] if batch and pick.random() < 0.6 else make()
        asks = spec["positions"] != "none" or "relativeBias" in spec
        if asks and pick.random() < 0.4:
            spec["positionIds"] = {"queries": many(lambda: sorted(pick.sample(range(20), n)))}
            if pick.random() < 0.5:
                spec["positionIds"]["keys"] = many(lambda: [pick.randrange(12) for _ in range(m)])
        elif spec["positions"].startswith("rope") and pick.random() < 0.3:
            spec["positionIds"] = {"offset": pick.randint(1, 9)}
        masks = ["none", "causal", {"kind": "window", "size": pick.randint(1, 3), "causal": pick.random() < 0.5}, {"kind": "window", "size": 2, "causal": True, "counts": "self"}]
        spec["mask"] = pick.choice(masks)
        also = {}
        if pick.random() < 0.35:
            also["keys"] = {"values": many(lambda: [1, *(pick.choice([0, 1]) for _ in range(m - 1))]), "oneMeans": "visible"}
        if not cross and pick.random() < 0.25:
            also["segments"] = {"queries": many(lambda: sorted(pick.randrange(3) for _ in range(n)))}
        if also:
            spec["alsoHidden"] = also
        if pick.random() < 0.3:
            spec["qkNorm"] = pick.choice([{"over": "head", "gq": row(each), "gk": row(each)}, {"over": "all", "epsilon": 0.01}])
        if pick.random() < 0.3:
            spec["softcap"] = 2.5
        if pick.random() < 0.2:
            spec["temperature"] = 0.7
        if pick.random() < 0.3:
            spec["sink"] = pick.choice([{"from": "one"}, {"from": "given", "logits": row(h)}])
        elif not paired and pick.random() < 0.15:
            spec["weighting"] = {"by": "sigmoid"}
        if h > (2 if paired else 1) and pick.random() < 0.3:
            spec["averageWeights"] = True
        if pick.random() < 0.5:
            inner = (h // 2 if paired else h) * worth
            spec["outputProjection"] = {"from": "given", "wo": numbers(8, inner) if convention == "XWT" else numbers(inner, 8)}
        if "weighting" not in spec and (also or spec["mask"] != "none") and pick.random() < 0.2:
            spec["fullyMasked"] = "zero"
        yield f"drawn {at}", spec


def plain(n):
    return "nan" if math.isnan(n) else "inf" if n == math.inf else "-inf" if n == -math.inf else float(f"{n:.16g}")


def main():
    cases = [{"name": name, "spec": spec, "steps": {key: [plain(n) for n in made] for key, made in steps_of(spec).items()}} for name, spec in [*named(), *drawn(60)]]
    print(json.dumps({"cases": cases}, separators=(",", ":")))


if __name__ == "__main__":
    main()
