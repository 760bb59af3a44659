"""Small models with random numbers in the exact layout of each family's files, and their forward passes in plain PyTorch.

    python3 checkpoints.py OUT

writes OUT/<name>/config.json, model.safetensors (or shards with an index), and OUT/<name>/expected.json: ids, logits at every position,
attention weights of every layer and head. Written from the papers and from the tensors' names in published files; it shares nothing with the engine.

Sources: Radford et al. 2019 (GPT-2); Black et al. 2022 (GPT-NeoX); Devlin et al. 2019, Sanh et al. 2019, Liu et al. 2019 (BERT, DistilBERT, RoBERTa);
Touvron et al. 2023 (Llama); Jiang et al. 2023 (Mistral); Qwen 2 and Qwen 3 reports; Gemma Team 2024, 2025; Li et al. 2023 (Phi); OLMo Team 2024; Raffel et al.
2020, Shazeer 2020 (T5); Su et al. 2021 (RoPE).
"""
import json
import math
import struct
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
DTYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}


def raw(tensor):
    tensor = tensor.contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().tobytes()
    return tensor.numpy().tobytes()


def save(path, tensors):
    """safetensors: the header's length, the header, the numbers."""
    header, blobs, at = {"__metadata__": {"format": "pt"}}, [], 0
    for name, tensor in tensors.items():
        blob = raw(tensor)
        header[name] = dict(dtype=DTYPES[tensor.dtype], shape=list(tensor.shape), data_offsets=[at, at + len(blob)])
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


class Draw:
    """Random tensors by name, in the order in which they are asked for; gains are near 1."""

    def __init__(self, seed, dtype=torch.float32):
        self.g = torch.Generator().manual_seed(seed)
        self.dtype, self.tensors = dtype, {}

    def __call__(self, name, *shape, around=0.0, spread=0.3):
        x = (around + spread * torch.randn(*shape, generator=self.g)).to(self.dtype)
        self.tensors[name] = x
        return x.float()

    def norm(self, name, width, bias=True, around=1.0, names=("weight", "bias")):
        g = self(f"{name}.{names[0]}", width, around=around, spread=0.2)
        return (g, self(f"{name}.{names[1]}", width)) if bias else g


def layer_norm(x, gb, eps):
    return F.layer_norm(x, x.shape[-1:], gb[0], gb[1], eps)


def rms(x, g, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * g


def tanh_gelu(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def heads(x, count):
    """n x (count d) to count x n x d."""
    n, width = x.shape
    return x.reshape(n, count, width // count).permute(1, 0, 2)


def merged(x):
    count, n, d = x.shape
    return x.permute(1, 0, 2).reshape(n, count * d)


def seen(n, m, causal, window=None):
    i, j = torch.arange(n)[:, None], torch.arange(m)[None, :]
    ok = (j <= i) if causal else torch.ones(n, m, dtype=torch.bool)
    return ok if window is None else ok & (i - j < window)


def attend(q, k, v, scale, ok, cap=None, bias=None):
    s = torch.einsum("hid,hjd->hij", q, k) * scale
    if cap is not None:
        s = cap * torch.tanh(s / cap)
    if bias is not None:
        s = s + bias
    w = torch.softmax(s.masked_fill(~ok, float("-inf")), -1)
    return w, torch.einsum("hij,hjd->hid", w, v)


def inverse_frequencies(d, base):
    return 1.0 / base ** (torch.arange(0, d, 2).float() / d)


def llama3_frequencies(inv, factor, low, high, original):
    out = []
    for f in inv.tolist():
        length = 2 * math.pi / f
        if length < original / high:
            out.append(f)
        elif length > original / low:
            out.append(f / factor)
        else:
            s = (original / length - low) / (high - low)
            out.append((1 - s) * f / factor + s * f)
    return torch.tensor(out)


def turned(x, inv):
    """Halves in pairs; columns beyond 2 * len(inv) stay."""
    n, d = x.shape[-2], 2 * len(inv)
    a = torch.arange(n).float()[:, None] * inv[None, :]
    c, s = torch.cos(a), torch.sin(a)
    u, v, rest = x[..., : d // 2], x[..., d // 2 : d], x[..., d:]
    return torch.cat((u * c - v * s, v * c + u * s, rest), -1)


IDS = [3, 17, 9, 3, 17, 25, 9, 3, 40, 17, 9, 1]


def gpt2():
    c = dict(model_type="gpt2", n_embd=24, n_head=3, n_layer=3, n_positions=32, vocab_size=50, n_inner=None,
             activation_function="gelu_new", layer_norm_epsilon=1e-5)
    w, d = 24, Draw(1)
    wte, wpe = d("transformer.wte.weight", 50, w), d("transformer.wpe.weight", 32, w)
    x, maps = wte[IDS] + wpe[: len(IDS)], []
    ok = seen(len(IDS), len(IDS), True)
    for i in range(3):
        at = f"transformer.h.{i}"
        h = layer_norm(x, d.norm(f"{at}.ln_1", w), 1e-5)
        qkv = h @ d(f"{at}.attn.c_attn.weight", w, 3 * w) + d(f"{at}.attn.c_attn.bias", 3 * w)
        q, k, v = (heads(part, 3) for part in qkv.split(w, -1))
        a, o = attend(q, k, v, 8**-0.5, ok)
        maps.append(a)
        x = x + merged(o) @ d(f"{at}.attn.c_proj.weight", w, w) + d(f"{at}.attn.c_proj.bias", w)
        h = layer_norm(x, d.norm(f"{at}.ln_2", w), 1e-5)
        h = tanh_gelu(h @ d(f"{at}.mlp.c_fc.weight", w, 4 * w) + d(f"{at}.mlp.c_fc.bias", 4 * w))
        x = x + h @ d(f"{at}.mlp.c_proj.weight", 4 * w, w) + d(f"{at}.mlp.c_proj.bias", w)
    x = layer_norm(x, d.norm("transformer.ln_f", w), 1e-5)
    return c, d.tensors, x @ wte.T, maps


def neox(parallel=True):
    c = dict(model_type="gpt_neox", hidden_size=32, num_attention_heads=4, num_hidden_layers=2, intermediate_size=48, vocab_size=50,
             max_position_embeddings=64, rotary_pct=0.5, rotary_emb_base=5000, hidden_act="gelu", layer_norm_eps=1e-5,
             use_parallel_residual=parallel)
    w, d = 32, Draw(2)
    x, maps = d("gpt_neox.embed_in.weight", 50, w)[IDS], []
    ok, inv = seen(len(IDS), len(IDS), True), inverse_frequencies(4, 5000)
    for i in range(2):
        at = f"gpt_neox.layers.{i}"
        n1, n2 = d.norm(f"{at}.input_layernorm", w), d.norm(f"{at}.post_attention_layernorm", w)
        qkv = F.linear(layer_norm(x, n1, 1e-5), d(f"{at}.attention.query_key_value.weight", 3 * w, w), d(f"{at}.attention.query_key_value.bias", 3 * w))
        # Each head's rows stand together: its query, its key, its value.
        q, k, v = qkv.reshape(len(IDS), 4, 3, 8).permute(2, 1, 0, 3)
        a, o = attend(turned(q, inv), turned(k, inv), v, 8**-0.5, ok)
        maps.append(a)
        attention = F.linear(merged(o), d(f"{at}.attention.dense.weight", w, w), d(f"{at}.attention.dense.bias", w))
        h = layer_norm(x if parallel else x + attention, n2, 1e-5)
        h = F.gelu(F.linear(h, d(f"{at}.mlp.dense_h_to_4h.weight", 48, w), d(f"{at}.mlp.dense_h_to_4h.bias", 48)))
        x = x + attention + F.linear(h, d(f"{at}.mlp.dense_4h_to_h.weight", w, 48), d(f"{at}.mlp.dense_4h_to_h.bias", w))
    x = layer_norm(x, d.norm("gpt_neox.final_layer_norm", w), 1e-5)
    return c, d.tensors, x @ d("embed_out.weight", 50, w).T, maps


def encoder(kind, pair=None):
    """`pair`: for each token, the text it is of. RoBERTa's own code gives both texts type 0."""
    names = dict(
        bert=dict(root="bert.", at="bert.encoder.layer.{}", q="attention.self.query", k="attention.self.key", v="attention.self.value",
                  o="attention.output.dense", n1="attention.output.LayerNorm", up="intermediate.dense", down="output.dense", n2="output.LayerNorm"),
        distilbert=dict(root="distilbert.", at="distilbert.transformer.layer.{}", q="attention.q_lin", k="attention.k_lin", v="attention.v_lin",
                        o="attention.out_lin", n1="sa_layer_norm", up="ffn.lin1", down="ffn.lin2", n2="output_layer_norm"),
    )
    names["roberta"] = {key: value.replace("bert.", "roberta.") for key, value in names["bert"].items()}
    at, w, d = names[kind], 24, Draw(3 + len(kind))
    eps = 1e-5 if kind == "roberta" else 1e-12
    c = dict(model_type=kind, hidden_size=w, num_attention_heads=3, num_hidden_layers=2, intermediate_size=40, vocab_size=50,
             max_position_embeddings=32, type_vocab_size=2, hidden_act="gelu", layer_norm_eps=eps, pad_token_id=1)
    if kind == "distilbert":
        c = dict(model_type=kind, dim=w, n_heads=3, n_layers=2, hidden_dim=40, vocab_size=50, max_position_embeddings=32, activation="gelu",
                 sinusoidal_pos_embds=False)
    e = at["root"] + "embeddings."
    # RoBERTa counts positions from pad_token_id + 1; padding inside a text has the row before and is not counted.
    places = list(range(len(IDS)))
    if kind == "roberta":
        places = [1 if one == 1 else 2 + sum(other != 1 for other in IDS[:i]) for i, one in enumerate(IDS)]
    words = d(e + "word_embeddings.weight", 50, w)
    x = words[IDS] + d(e + "position_embeddings.weight", 32, w)[places]
    if kind != "distilbert":
        x = x + d(e + "token_type_embeddings.weight", 2, w)[pair if pair is not None and kind == "bert" else [0] * len(IDS)]
    old = ("gamma", "beta") if kind == "bert" else ("weight", "bias")
    x = layer_norm(x, d.norm(e + "LayerNorm", w, names=old), eps)
    ok, maps = seen(len(IDS), len(IDS), False), []
    linear = lambda name, x, m: F.linear(x, d(name + ".weight", m, x.shape[-1]), d(name + ".bias", m))
    for i in range(2):
        a = at["at"].format(i) + "."
        q, k, v = (heads(linear(a + at[part], x, w), 3) for part in "qkv")
        weights, o = attend(q, k, v, 8**-0.5, ok)
        maps.append(weights)
        x = layer_norm(x + linear(a + at["o"], merged(o), w), d.norm(a + at["n1"], w, names=old), eps)
        h = F.gelu(linear(a + at["up"], x, 40))
        x = layer_norm(x + linear(a + at["down"], h, w), d.norm(a + at["n2"], w, names=old), eps)
    dense, norm, bias = dict(
        bert=("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias"),
        roberta=("lm_head.dense", "lm_head.layer_norm", "lm_head.bias"),
        distilbert=("vocab_transform", "vocab_layer_norm", "vocab_projector.bias"),
    )[kind]
    h = layer_norm(F.gelu(linear(dense, x, w)), d.norm(norm, w, names=old), eps)
    return c, d.tensors, h @ words.T + d(bias, 50), maps


def llama_like(kind):
    """Llama's layers and what Mistral, Qwen, Phi-3, OLMo 2 and Gemma change of them."""
    w, n, layers = 32, len(IDS), 6 if kind == "gemma3_text" else 3
    h, kv, hd = 4, 2, {"qwen3": 12, "gemma": 16, "gemma2": 16, "gemma3_text": 16}.get(kind, 8)
    gemma = kind.startswith("gemma")
    c = dict(model_type=kind, hidden_size=w, num_attention_heads=h, num_key_value_heads=kv, num_hidden_layers=layers, intermediate_size=40,
             vocab_size=50, max_position_embeddings=64, rms_norm_eps=1e-6, rope_theta=10000.0, tie_word_embeddings=gemma)
    if hd * h != w:
        c["head_dim"] = hd
    c["hidden_activation" if gemma else "hidden_act"] = "gelu_pytorch_tanh" if gemma else "silu"
    window, inv = [None] * layers, [inverse_frequencies(hd, 10000.0)] * layers
    scale, cap, final_cap = hd**-0.5, None, None
    if kind == "llama":
        c.update(rope_theta=500000.0, rope_scaling=dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                                                         original_max_position_embeddings=16))
        inv = [llama3_frequencies(inverse_frequencies(hd, 500000.0), 8.0, 1.0, 4.0, 16)] * layers
    if kind == "mistral":
        c["sliding_window"] = 4
        window = [4] * layers
    if kind == "qwen2":
        c.update(use_sliding_window=True, sliding_window=5, max_window_layers=1)
        window = [None, 5, 5]
    if kind == "phi3":
        c["sliding_window"] = None
    if kind == "gemma2":
        c.update(sliding_window=4, query_pre_attn_scalar=20, attn_logit_softcapping=5.0, final_logit_softcapping=4.0)
        window, scale, cap, final_cap = [4, None, 4], 20**-0.5, 5.0, 4.0
    if kind == "gemma3_text":
        c.update(sliding_window=4, query_pre_attn_scalar=24, rope_theta=1000000.0, rope_local_base_freq=10000.0,
                 rope_scaling=dict(rope_type="linear", factor=8.0), sliding_window_pattern=3)
        window, scale = [4, 4, None] * 2, 24**-0.5
        inv = [inverse_frequencies(hd, 1000000.0) / 8.0 if s is None else inverse_frequencies(hd, 10000.0) for s in window]
    if kind == "qwen3":
        c["rope_theta"] = 1000000.0
        inv = [inverse_frequencies(hd, 1000000.0)] * layers
    d = Draw(20 + len(kind) + layers + hd, torch.bfloat16 if kind in ("llama", "gemma2") else torch.float16 if kind == "qwen2" else torch.float32)
    around = 0.0 if gemma else 1.0
    plus = 1.0 if gemma else 0.0
    gain = lambda name, width: plus + d.norm(name, width, False, around)
    table = d("model.embed_tokens.weight", 50, w)
    x, maps = table[IDS] * (math.sqrt(w) if gemma else 1.0), []
    bias = kind == "qwen2"
    linear = lambda name, x, m, b=False: F.linear(x, d(name + ".weight", m, x.shape[-1]), d(name + ".bias", m) if b else None)
    act = tanh_gelu if gemma else F.silu
    for i in range(layers):
        a = f"model.layers.{i}."
        pre = kind not in ("olmo2",)
        both = kind in ("gemma2", "gemma3_text")
        y = rms(x, gain(a + "input_layernorm", w), 1e-6) if pre else x
        if kind == "phi3":
            q, k, v = linear(a + "self_attn.qkv_proj", y, (h + 2 * kv) * hd).split((h * hd, kv * hd, kv * hd), -1)
        else:
            q, k, v = linear(a + "self_attn.q_proj", y, h * hd, bias), linear(a + "self_attn.k_proj", y, kv * hd, bias), linear(a + "self_attn.v_proj", y, kv * hd, bias)
        if kind == "olmo2":
            q, k = rms(q, gain(a + "self_attn.q_norm", h * hd), 1e-6), rms(k, gain(a + "self_attn.k_norm", kv * hd), 1e-6)
        q, k, v = heads(q, h), heads(k, kv), heads(v, kv)
        if kind in ("qwen3", "gemma3_text"):
            q, k = rms(q, gain(a + "self_attn.q_norm", hd), 1e-6), rms(k, gain(a + "self_attn.k_norm", hd), 1e-6)
        q, k = turned(q, inv[i]), turned(k, inv[i])
        k, v = k.repeat_interleave(h // kv, 0), v.repeat_interleave(h // kv, 0)
        weights, o = attend(q, k, v, scale, seen(n, n, True, window[i]), cap)
        maps.append(weights)
        y = linear(a + "self_attn.o_proj", merged(o), w)
        if both or not pre:
            y = rms(y, gain(a + "post_attention_layernorm", w), 1e-6)
        x = x + y
        if both:
            y = rms(x, gain(a + "pre_feedforward_layernorm", w), 1e-6)
        elif pre:
            y = rms(x, gain(a + "post_attention_layernorm", w), 1e-6)
        else:
            y = x
        if kind == "phi3":
            g, u = linear(a + "mlp.gate_up_proj", y, 80).chunk(2, -1)
        else:
            g, u = linear(a + "mlp.gate_proj", y, 40), linear(a + "mlp.up_proj", y, 40)
        y = linear(a + "mlp.down_proj", act(g) * u, w)
        if both or not pre:
            y = rms(y, gain(a + "post_feedforward_layernorm", w), 1e-6)
        x = x + y
    x = rms(x, gain("model.norm", w), 1e-6)
    logits = x @ (table if gemma else d("lm_head.weight", 50, w)).T
    return c, d.tensors, logits if final_cap is None else final_cap * torch.tanh(logits / final_cap), maps


def phi():
    w, h, hd, n = 32, 4, 8, len(IDS)
    c = dict(model_type="phi", hidden_size=w, num_attention_heads=h, num_hidden_layers=2, intermediate_size=48, vocab_size=50,
             max_position_embeddings=64, partial_rotary_factor=0.5, rope_theta=10000.0, hidden_act="gelu_new", layer_norm_eps=1e-5)
    d = Draw(60)
    linear = lambda name, x, m: F.linear(x, d(name + ".weight", m, x.shape[-1]), d(name + ".bias", m))
    x, maps, inv = d("model.embed_tokens.weight", 50, w)[IDS], [], inverse_frequencies(4, 10000.0)
    for i in range(2):
        a = f"model.layers.{i}."
        y = layer_norm(x, d.norm(a + "input_layernorm", w), 1e-5)
        q, k, v = (heads(linear(a + f"self_attn.{p}_proj", y, w), h) for p in "qkv")
        weights, o = attend(turned(q, inv), turned(k, inv), v, hd**-0.5, seen(n, n, True))
        maps.append(weights)
        x = x + linear(a + "self_attn.dense", merged(o), w) + linear(a + "mlp.fc2", tanh_gelu(linear(a + "mlp.fc1", y, 48)), w)
    x = layer_norm(x, d.norm("model.final_layernorm", w), 1e-5)
    return c, d.tensors, linear("lm_head", x, 50), maps


def bucket(relative, bidirectional, count=8, most=20):
    """Mesh TensorFlow's rule, in float32: relative is key less query."""
    out, n = 0, -relative
    if bidirectional:
        count //= 2
        if n < 0:
            out, n = count, -n
    else:
        n = max(n, 0)
    exact = count // 2
    if n < exact:
        return out + n
    far = torch.log(torch.tensor(n / exact, dtype=torch.float32)) / math.log(most / exact) * (count - exact)
    return out + min(exact + int(far), count - 1)


TARGET = [0, 5, 17, 9, 5]
TYPES = [0] * 5 + [1] * (len(IDS) - 5)


def t5(gated):
    w, h, hd, ff = 24, 3, 6, 32
    c = dict(model_type="t5", d_model=w, num_heads=h, d_kv=hd, d_ff=ff, num_layers=2, num_decoder_layers=2, vocab_size=50, n_positions=64,
             relative_attention_num_buckets=8, relative_attention_max_distance=20, layer_norm_epsilon=1e-6,
             feed_forward_proj="gated-gelu" if gated else "relu", tie_word_embeddings=not gated)
    d = Draw(70 + gated)
    shared = d("shared.weight", 50, w)
    linear = lambda name, x, m: F.linear(x, d(name + ".weight", m, x.shape[-1]))
    maps = []

    def attention(at, x, other, ok, bias):
        q, k, v = (heads(linear(f"{at}.{p}", x if p == "q" else other, h * hd), h) for p in "qkv")
        weights, o = attend(q, k, v, 1.0, ok, None, bias)
        maps.append(weights)
        return linear(f"{at}.o", merged(o), w)

    def stack(name, x, memory):
        n, decoder, bias = len(x), name == "decoder", None
        for i in range(2):
            at = f"{name}.block.{i}.layer."
            y = rms(x, d.norm(at + "0.layer_norm", w, False), 1e-6)
            if bias is None:
                table = d(at + "0.SelfAttention.relative_attention_bias.weight", 8, h)
                bias = torch.stack([torch.stack([table[bucket(j - i2, not decoder)] for j in range(n)]) for i2 in range(n)]).permute(2, 0, 1)
            x = x + attention(at + "0.SelfAttention", y, y, seen(n, n, decoder), bias)
            if decoder:
                y = rms(x, d.norm(at + "1.layer_norm", w, False), 1e-6)
                x = x + attention(at + "1.EncDecAttention", y, memory, seen(n, len(memory), False), None)
            last = at + ("2" if decoder else "1")
            y = rms(x, d.norm(last + ".layer_norm", w, False), 1e-6)
            f = last + ".DenseReluDense."
            y = tanh_gelu(linear(f + "wi_0", y, ff)) * linear(f + "wi_1", y, ff) if gated else torch.relu(linear(f + "wi", y, ff))
            x = x + linear(f + "wo", y, w)
        return rms(x, d.norm(f"{name}.final_layer_norm", w, False), 1e-6)

    memory = stack("encoder", shared[IDS], None)
    x = stack("decoder", shared[TARGET], memory)
    logits = x @ d("lm_head.weight", 50, w).T if gated else (x * w**-0.5) @ shared.T
    return c, d.tensors, logits, maps


def head_scores(w, ids):
    """Mean weights of a head (n x n, rows are queries) over the rows from the third on: on the token before; on what followed the same token earlier and on
    that token, over rows whose token has such (Olsson et al. 2022); on the first token (Xiao et al. 2023), the row's own, the next."""
    n = len(ids)
    followers = lambda i: [j + 1 for j in range(i) if ids[j] == ids[i] and j + 1 < i]
    repeats = [i for i in range(2, n) if followers(i)]
    mean = lambda rows, on: sum(sum(float(w[i, j]) for j in on(i)) for i in rows) / len(rows)
    return dict(previous=mean(range(2, n), lambda i: [i - 1]), induction=mean(repeats, followers), duplicate=mean(repeats, lambda i: [j for j in range(i) if ids[j] == ids[i]]),
                sink=mean(range(2, n), lambda i: [0]), self=mean(range(2, n), lambda i: [i]), next=mean(range(2, n - 1), lambda i: [i + 1]))


MODELS = {
    "gpt2": gpt2,
    "pythia": neox,
    "neox-in-turn": lambda: neox(False),
    "bert": lambda: encoder("bert"),
    "bert-pair": lambda: encoder("bert", TYPES),
    "roberta": lambda: encoder("roberta"),
    "distilbert": lambda: encoder("distilbert"),
    **{kind: (lambda kind=kind: llama_like(kind)) for kind in ("llama", "mistral", "qwen2", "qwen3", "phi3", "olmo2", "gemma", "gemma2", "gemma3_text")},
    "phi": phi,
    "t5": lambda: t5(False),
    "t5-gated": lambda: t5(True),
}


def main():
    out = Path(sys.argv[1])
    for name, make in MODELS.items():
        config, tensors, logits, maps = make()
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config))
        if name == "mistral":
            names = list(tensors)
            halves = {"model-00001-of-00002.safetensors": names[: len(names) // 2], "model-00002-of-00002.safetensors": names[len(names) // 2 :]}
            for file, own in halves.items():
                save(folder / file, {one: tensors[one] for one in own})
            index = {"metadata": {}, "weight_map": {one: file for file, own in halves.items() for one in own}}
            (folder / "model.safetensors.index.json").write_text(json.dumps(index))
        else:
            save(folder / "model.safetensors", tensors)
        expected = dict(ids=IDS, logits=logits.tolist(), weights=[m.tolist() for m in maps])
        if config["model_type"] == "t5":
            expected["target"] = TARGET
        else:
            expected["scores"] = [[head_scores(head, IDS) for head in m] for m in maps]
        if name == "bert-pair":
            expected["types"] = TYPES
        (folder / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    with torch.no_grad():
        main()
