"""What the transformers library itself computes for small models of every family, in the layouts that published folders have.

    python3 transformers_families.py OUT.json

needs torch 2 and transformers 5 (versions are written into OUT.json). For each case: config.json as published (fields of transformers 4 mostly), the one that
transformers 5 saves of it, names, types and shapes of the file's tensors, token ids, logits at every position and attention weights of every layer and head, all
by from_pretrained on a folder with that config.json and that model.safetensors. It shares nothing with the engine.

Weights are not stored: `rule` makes them from the tensor's name, and a test makes the same. Every number is a small fraction of a power of two, so float16 and
bfloat16 hold it exactly.

`fields`: each field of each family's config.json changed alone, with the same weights. Where the library's logits change, the changed ones are kept; where it
cannot load the model any more, or nothing changes, that is said.
"""
import base64
import copy
import json
import sys
import tempfile
import warnings
import zlib
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors import safe_open
from safetensors.torch import save_file

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
torch.set_num_threads(1)

IDS = [3, 17, 9, 3, 17, 25, 9, 3, 31, 17, 1]
TARGET = [0, 5, 17, 9, 5, 2]
TYPES = [0] * 5 + [1] * (len(IDS) - 5)
VOCABULARY = 32
DTYPES = {torch.float32: "float32", torch.float16: "float16", torch.bfloat16: "bfloat16"}
BITS = {torch.float32: 16, torch.float16: 10, torch.bfloat16: 7}


def rule(name, shape, dtype, gains_around):
    """Numbers of a tensor: m / 2^bits, m a whole number from -2^(bits-1) to 2^(bits-1) - 1, drawn by a mixing function of crc32(name) and the place; gains of
    norms are around `gains_around`."""
    count, bits = int(np.prod(shape)), BITS[dtype]
    x = (np.arange(count, dtype=np.uint64) * 2654435761 + zlib.crc32(name.encode())) & 0xFFFFFFFF
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = ((x ^ (x >> np.uint64(shift))) * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
    x ^= x >> np.uint64(16)
    m = (x >> np.uint64(32 - bits)).astype(np.int64) - (1 << (bits - 1))
    values = m / float(1 << bits)
    if len(shape) == 1 and name.endswith((".weight", ".gamma")):
        values = values + gains_around
    return torch.from_numpy(values.reshape(shape)).to(dtype)


def numbers(x):
    return base64.b64encode(np.ascontiguousarray(x.detach().float().numpy(), dtype="<f4").tobytes()).decode()


T = transformers
SIZES = dict(vocab_size=VOCABULARY, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=20)
LLAMA = dict(SIZES, num_key_value_heads=2, hidden_act="silu", max_position_embeddings=64, rms_norm_eps=1e-6, rope_theta=10000.0, attention_bias=False,
             attention_dropout=0.0, bos_token_id=1, eos_token_id=2, pad_token_id=0, initializer_range=0.02, tie_word_embeddings=False, use_cache=True, torch_dtype="float32",
             transformers_version="4.40.0")
GEMMA = dict(LLAMA, head_dim=8, hidden_act="gelu_pytorch_tanh", hidden_activation="gelu_pytorch_tanh", tie_word_embeddings=True, pad_token_id=0)
GEMMA2 = dict(GEMMA, num_hidden_layers=2, sliding_window=4, query_pre_attn_scalar=20, attn_logit_softcapping=5.0, final_logit_softcapping=4.0, cache_implementation="hybrid")
GEMMA3 = dict(GEMMA, num_hidden_layers=3, sliding_window=4, query_pre_attn_scalar=24, rope_theta=1000000.0, rope_local_base_freq=10000.0, sliding_window_pattern=3,
              rope_scaling=dict(rope_type="linear", factor=8.0), attn_logit_softcapping=None, final_logit_softcapping=None)
GPT2 = dict(model_type="gpt2", n_embd=24, n_head=3, n_layer=2, n_ctx=32, n_positions=32, vocab_size=VOCABULARY, activation_function="gelu_new", attn_pdrop=0.1, embd_pdrop=0.1,
            resid_pdrop=0.1, layer_norm_epsilon=1e-5, initializer_range=0.02, bos_token_id=1, eos_token_id=1, summary_activation=None, summary_first_dropout=0.1,
            summary_proj_to_labels=True, summary_type="cls_index", summary_use_proj=True, task_specific_params={"text-generation": {"do_sample": True, "max_length": 50}})
NEOX = dict(SIZES, hidden_size=32, model_type="gpt_neox", hidden_act="gelu", rotary_pct=0.5, rotary_emb_base=10000, max_position_embeddings=64, layer_norm_eps=1e-5, use_parallel_residual=True,
            tie_word_embeddings=False, bos_token_id=0, eos_token_id=0, initializer_range=0.02, use_cache=True, torch_dtype="float16", transformers_version="4.24.0")
BERT = dict(SIZES, model_type="bert", hidden_act="gelu", max_position_embeddings=32, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0, attention_probs_dropout_prob=0.1,
            hidden_dropout_prob=0.1, initializer_range=0.02, position_embedding_type="absolute", use_cache=True, classifier_dropout=None)
ROBERTA = dict(BERT, model_type="roberta", pad_token_id=1, type_vocab_size=1, layer_norm_eps=1e-5, bos_token_id=0, eos_token_id=2)
DISTIL = dict(model_type="distilbert", dim=24, n_heads=4, n_layers=2, hidden_dim=20, vocab_size=VOCABULARY, max_position_embeddings=32, activation="gelu", sinusoidal_pos_embds=False,
              attention_dropout=0.1, dropout=0.1, qa_dropout=0.1, seq_classif_dropout=0.2, initializer_range=0.02, pad_token_id=0, tie_weights_=True)
PHI = dict(SIZES, hidden_size=32, model_type="phi", hidden_act="gelu_new", max_position_embeddings=64, partial_rotary_factor=0.5, rope_theta=10000.0, layer_norm_eps=1e-5, qk_layernorm=False,
           tie_word_embeddings=False, embd_pdrop=0.0, resid_pdrop=0.0, attention_dropout=0.0, rope_scaling=None, num_key_value_heads=None)
T5 = dict(model_type="t5", d_model=24, num_heads=3, d_kv=6, d_ff=20, num_layers=2, num_decoder_layers=2, vocab_size=VOCABULARY, n_positions=64, relative_attention_num_buckets=8,
          relative_attention_max_distance=20, layer_norm_epsilon=1e-6, feed_forward_proj="relu", dropout_rate=0.1, is_encoder_decoder=True, pad_token_id=0, eos_token_id=1,
          decoder_start_token_id=0, initializer_factor=1.0, output_past=True)


VISION = dict(model_type="siglip_vision_model", hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1, image_size=8, patch_size=4, vision_use_head=False)
PICTURES = dict(model_type="gemma3", mm_tokens_per_image=1, boi_token_index=29, eoi_token_index=30, image_token_index=28, initializer_range=0.02, vision_config=VISION,
                text_config=dict(model_type="gemma3_text", vocab_size=VOCABULARY, hidden_size=24, intermediate_size=20, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=8,
                                 sliding_window=4, sliding_window_pattern=2, query_pre_attn_scalar=24, rope_scaling=dict(rope_type="linear", factor=8.0)))


def ll(kind, **more):
    base = GEMMA if kind == "gemma" else GEMMA2 if kind == "gemma2" else GEMMA3 if kind == "gemma3_text" else LLAMA
    return dict(base, model_type=kind, **more)


def without(config, *names):
    return {name: value for name, value in config.items() if name not in names}


YARN = dict(type="yarn", factor=4.0, original_max_position_embeddings=16)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)
# Phi-3 with a longer context: factors for each pair of columns, short up to the original length, long beyond it.
LONG = dict(type="longrope", short_factor=[1.0, 1.1, 1.3], long_factor=[1.5, 4.0, 9.0])
C = T.AutoModelForCausalLM
M = T.AutoModelForMaskedLM
S = T.AutoModelForSeq2SeqLM
B = T.AutoModel
half, brain = torch.float16, torch.bfloat16

# name: (class, config, options). Options: dtype of the file; types, for two texts; rename, from the names that transformers saves to older published ones; extra tensors.
CASES = {
    "gpt2": (C, GPT2, {}),
    "gpt2-older-names": (C, GPT2, dict(rename=lambda n: n.removeprefix("transformer."), extra={"h.0.attn.bias": (1, 1, 32, 32), "h.1.attn.bias": (1, 1, 32, 32)})),
    "gpt2-no-scale": (C, dict(GPT2, scale_attn_weights=False, n_inner=30, activation_function="relu"), {}),
    "gpt2-scale-by-layer": (C, dict(GPT2, scale_attn_by_inverse_layer_idx=True, reorder_and_upcast_attn=True), {}),
    "gpt2-untied": (C, dict(GPT2, tie_word_embeddings=False), dict(dtype=half)),
    "gpt2-body": (B, GPT2, {}),
    "pythia": (C, dict(NEOX, rotary_pct=0.25), dict(dtype=half)),
    "neox-in-turn": (C, dict(NEOX, use_parallel_residual=False, rotary_pct=1.0, rotary_emb_base=500), {}),
    "neox-no-bias": (C, dict(NEOX, attention_bias=False, hidden_act="gelu_fast"), {}),
    "neox-tied": (C, dict(NEOX, tie_word_embeddings=True), {}),
    "neox-linear": (C, dict(NEOX, rope_scaling=dict(type="linear", factor=2.0)), {}),
    "bert": (M, BERT, {}),
    "bert-pair": (M, BERT, dict(types=TYPES)),
    "bert-older-names": (M, BERT, dict(rename=lambda n: n.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"), extra={"cls.seq_relationship.weight": (2, 24), "bert.pooler.dense.weight": (24, 24)})),
    "bert-body": (B, dict(BERT, hidden_act="relu", layer_norm_eps=1e-5), {}),
    "roberta": (M, ROBERTA, {}),
    "xlm-roberta": (M, dict(ROBERTA, model_type="xlm-roberta", pad_token_id=1, position_embedding_type="absolute"), dict(dtype=half)),
    "roberta-body": (B, ROBERTA, {}),
    "distilbert": (M, DISTIL, {}),
    "distilbert-sinusoidal": (M, dict(DISTIL, sinusoidal_pos_embds=True), {}),
    "distilbert-body": (B, dict(DISTIL, activation="relu"), {}),
    "llama": (C, ll("llama"), {}),
    "llama-2": (C, ll("llama", num_key_value_heads=4, pretraining_tp=1, rope_scaling=None), dict(dtype=half)),
    "llama-one-key-head": (C, ll("llama", num_key_value_heads=1, head_dim=8), {}),
    "llama-biases": (C, dict(ll("llama"), attention_bias=True, mlp_bias=True), {}),
    "llama-3": (C, dict(ll("llama"), rope_theta=500000.0, rope_scaling=LLAMA3), dict(dtype=brain)),
    "smollm2": (C, dict(ll("llama"), tie_word_embeddings=True, rope_theta=100000, is_llama_config=True, rope_interleaved=False), dict(dtype=brain)),
    "llama-linear": (C, ll("llama", rope_scaling=dict(type="linear", factor=2.0)), {}),
    "llama-dynamic-within": (C, ll("llama", rope_scaling=dict(type="dynamic", factor=2.0)), {}),
    "llama-dynamic-beyond": (C, dict(ll("llama"), max_position_embeddings=8, rope_scaling=dict(type="dynamic", factor=2.0)), {}),
    "llama-yarn": (C, ll("llama", rope_scaling=YARN), {}),
    "smollm3": (C, dict(ll("smollm3"), num_hidden_layers=3, no_rope_layers=[1, 0, 1], no_rope_layer_interval=2, use_sliding_window=False, mlp_bias=False, tie_word_embeddings=True, layer_types=["full_attention"] * 3, rope_theta=50000.0), dict(dtype=brain)),
    "smollm3-by-interval": (C, dict(ll("smollm3"), no_rope_layer_interval=2, use_sliding_window=True, sliding_window=4, layer_types=["sliding_attention", "full_attention"]), {}),
    "mistral": (C, dict(ll("mistral"), sliding_window=4), {}),
    "mistral-no-window": (C, dict(ll("mistral"), sliding_window=None, rope_theta=1000000.0), dict(dtype=brain)),
    "mistral-nemo": (C, dict(ll("mistral"), sliding_window=None, head_dim=8, num_key_value_heads=2), {}),
    "qwen2": (C, dict(ll("qwen2"), use_sliding_window=False, sliding_window=5, max_window_layers=1), dict(dtype=brain)),
    "qwen2-window": (C, dict(ll("qwen2"), use_sliding_window=True, sliding_window=5, max_window_layers=1), {}),
    "qwen2-layer-types": (C, dict(ll("qwen2"), use_sliding_window=True, sliding_window=5, layer_types=["sliding_attention", "full_attention"]), {}),
    "qwen2-tied": (C, dict(ll("qwen2"), tie_word_embeddings=True, use_mrope=False), {}),
    "qwen2-yarn": (C, ll("qwen2", rope_scaling=dict(type="yarn", factor=4.0, original_max_position_embeddings=16, beta_fast=16, beta_slow=2)), {}),
    "qwen3": (C, dict(ll("qwen3"), head_dim=10, tie_word_embeddings=True, rope_theta=1000000), dict(dtype=brain)),
    "qwen3-biases": (C, dict(ll("qwen3"), head_dim=8, attention_bias=True, use_sliding_window=True, sliding_window=3, max_window_layers=1), {}),
    "phi3": (C, dict(ll("phi3"), sliding_window=4, num_key_value_heads=4), {}),
    "phi4-mini": (C, dict(ll("phi3"), hidden_size=32, partial_rotary_factor=0.75, sliding_window=262144, tie_word_embeddings=True, original_max_position_embeddings=64), dict(dtype=brain)),
    "phi3-long-within": (C, dict(ll("phi3"), sliding_window=None, max_position_embeddings=64, original_max_position_embeddings=16, rope_scaling=LONG), {}),
    "phi3-long-beyond": (C, dict(ll("phi3"), sliding_window=None, max_position_embeddings=64, original_max_position_embeddings=8, rope_scaling=LONG), {}),
    "phi": (C, PHI, {}),
    "phi-grouped": (C, dict(PHI, num_key_value_heads=2), dict(dtype=half)),
    "phi-qk-norm": (C, dict(PHI, qk_layernorm=True), {}),
    "olmo2": (C, ll("olmo2"), {}),
    "olmo2-biases": (C, dict(ll("olmo2"), attention_bias=True, num_key_value_heads=4), {}),
    "gemma": (C, ll("gemma"), dict(dtype=brain)),
    "gemma-older-activation": (C, dict(ll("gemma"), hidden_act="gelu", hidden_activation=None), {}),
    "gemma2": (C, ll("gemma2"), {}),
    "gemma2-no-caps": (C, dict(ll("gemma2"), attn_logit_softcapping=None, final_logit_softcapping=None, attention_bias=True), {}),
    "gemma3": (C, ll("gemma3_text"), dict(dtype=brain)),
    "gemma3-layer-types": (C, without(dict(ll("gemma3_text"), layer_types=["full_attention", "sliding_attention", "sliding_attention"], rope_scaling=None), "sliding_window_pattern"), {}),
    "gemma3-pictures": (T.AutoModelForImageTextToText, PICTURES, {}),
    "gemma3-pictures-older-names": (T.AutoModelForImageTextToText, PICTURES, dict(rename=lambda n: "language_model." + n.replace("model.language_model.", "model.") if n.startswith("model.language_model.") else n.removeprefix("model."))),
    "t5": (S, T5, {}),
    "t5-gated": (S, dict(T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False), dict(dtype=brain)),
    "t5-gated-silu": (S, dict(T5, feed_forward_proj="gated-silu", num_decoder_layers=1), {}),
    "t5-duplicate-tables": (S, T5, dict(copies={"encoder.embed_tokens.weight": "shared.weight", "decoder.embed_tokens.weight": "shared.weight"})),
    "t5-encoder": (T.T5EncoderModel, T5, {}),
    "mt5": (S, dict(T5, model_type="mt5", feed_forward_proj="gated-gelu", tie_word_embeddings=False), {}),
}

# Values that fields are tried with, beside those that their type suggests.
TRIED = {
    "hidden_act": ["gelu", "relu", "gelu_new", "quick_gelu", "tanh"], "hidden_activation": ["gelu", "silu"], "activation_function": ["gelu", "silu"], "activation": ["relu", "silu"],
    "feed_forward_proj": ["gelu", "gated-relu", "silu"], "rope_scaling": [None, dict(type="linear", factor=3.0), dict(rope_type="default"), dict(rope_type="proportional", factor=2.0)],
    "layer_types": [["sliding_attention", "full_attention", "full_attention"][:2]], "position_embedding_type": ["relative_key"], "num_key_value_heads": [1, 4],
    "rope_parameters": [dict(rope_type="default", rope_theta=50.0), dict(rope_type="linear", factor=2.0, rope_theta=50.0), dict(rope_type="default", rope_theta=50.0, partial_rotary_factor=0.5)],
    "sliding_window": [2, None], "head_dim": [6, None], "torch_dtype": ["bfloat16"], "n_inner": [None, 48], "is_decoder": [True], "use_bidirectional_attention": [True],
    "partial_rotary_factor": [0.5], "rotary_pct": [0.34], "tie_word_embeddings": [True, False], "qk_layernorm": [True], "attention_bias": [True], "mlp_bias": [True],
}
# Fields that a family's class has, or that other families have, and that the published config.json lacks.
ADDED = ["hidden_act", "hidden_activation", "layer_types", "rope_parameters", "rope_scaling", "sliding_window", "use_sliding_window", "head_dim", "num_key_value_heads", "partial_rotary_factor", "rotary_pct",
         "tie_word_embeddings", "qk_layernorm", "attention_bias", "mlp_bias", "is_decoder", "use_bidirectional_attention", "query_pre_attn_scalar", "attn_logit_softcapping", "final_logit_softcapping",
         "scale_attn_by_inverse_layer_idx", "scale_attn_weights", "reorder_and_upcast_attn", "add_cross_attention", "position_embedding_type", "embedding_multiplier", "logit_scale", "clip_qkv",
         "rope_theta", "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "type_vocab_size", "chunk_size_feed_forward", "pretraining_tp", "original_max_position_embeddings", "scale_decoder_outputs",
         "no_rope_layers", "rope_local_base_freq", "sliding_window_pattern", "max_window_layers", "cache_implementation", "residual_multiplier", "rotary_emb_base", "n_ctx", "hidden_size", "num_heads"]


def tried(name, value):
    options = list(TRIED.get(name, []))
    if isinstance(value, bool):
        options.append(not value)
    elif isinstance(value, (int, float)):
        options += [value * 2, value + 1 if isinstance(value, int) else value / 3]
    elif name not in TRIED and value is None:
        options += [2, True]
    return [one for one in options if one != value]


def load(kind, config, tensors, folder):
    folder = Path(folder)
    (folder / "config.json").write_text(json.dumps(config))
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    model, info = kind.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    return model.eval(), info


def run(model, config, options):
    arguments = dict(input_ids=torch.tensor([IDS]), output_attentions=True)
    is_seq2seq = config["model_type"] in ("t5", "mt5") and model.config.is_encoder_decoder
    if is_seq2seq:
        arguments["decoder_input_ids"] = torch.tensor([TARGET])
    if "types" in options:
        arguments["token_type_ids"] = torch.tensor([options["types"]])
    with torch.no_grad():
        out = model(**arguments)
    if is_seq2seq:
        crossing = [one for pair in zip(out.decoder_attentions, out.cross_attentions) for one in pair]
        maps = [*out.encoder_attentions, *crossing]
    else:
        maps = list(out.attentions)
    logits = out.logits if "logits" in out else None
    last = out.last_hidden_state if logits is None and "last_hidden_state" in out else None
    return logits, last, [one[0] for one in maps]


def tensors_of(kind, config, options):
    """Names, shapes of the file that the library saves, renamed as older files are."""
    with tempfile.TemporaryDirectory() as folder:
        made = config_of(config)
        model = kind.from_config(made) if hasattr(kind, "from_config") else kind(made)
        model.save_pretrained(folder)
        saved = json.loads((Path(folder) / "config.json").read_text())
        with safe_open(Path(folder) / "model.safetensors", "pt") as file:
            shapes = {name: list(file.get_slice(name).get_shape()) for name in file.keys()}
    rename = options.get("rename", lambda name: name)
    shapes = {rename(name): shape for name, shape in shapes.items()}
    shapes.update({name: list(shape) for name, shape in options.get("extra", {}).items()})
    shapes.update({name: shapes[of] for name, of in options.get("copies", {}).items()})
    return shapes, saved


def config_of(config):
    return T.AutoConfig.for_model(**copy.deepcopy(config))


def make(name, kind, config, options):
    shapes, saved = tensors_of(kind, config, options)
    dtype = options.get("dtype", torch.float32)
    around = 0.0 if config["model_type"].startswith("gemma") else 1.0
    copies = options.get("copies", {})
    tensors = {one: rule(copies.get(one, one), shape, dtype, around) for one, shape in shapes.items()}
    with tempfile.TemporaryDirectory() as folder:
        model, info = load(kind, config, tensors, folder)
        lost = sorted(info["missing_keys"]) + sorted(map(str, info["mismatched_keys"]))
        assert not lost, (name, lost)
        unused = sorted(info["unexpected_keys"])
        logits, last, maps = run(model, config, options)
    case = dict(name=name, config=config, saved=saved, dtype=DTYPES[dtype], gainsAround=around, tensors=shapes, weights=[numbers(one) for one in maps],
                weightShapes=[list(one.shape) for one in maps], ids=IDS, unused=unused)
    if copies:
        case["copies"] = copies
    if logits is not None:
        case["logits"] = numbers(logits[0])
    elif last is not None:
        case["last"] = numbers(last[0])
    if config["model_type"] in ("t5", "mt5") and logits is not None:
        case["target"] = TARGET
    if "types" in options:
        case["types"] = options["types"]
    return case, tensors, logits if logits is not None else last, maps


def fields(name, kind, config, options, tensors, right, maps):
    """Each field changed alone, or taken away, or added: what the library then computes with the same weights."""
    found = []
    changes = [(field, value) for field, own in config.items() if field not in ("model_type",) for value in tried(field, own)]
    changes += [(field, value) for field in ADDED if field not in config for value in (tried(field, None) + [3] if field not in TRIED else TRIED[field])]
    changes += [(field, "(absent)") for field in config if field != "model_type"]
    for field, value in changes:
        changed = without(config, field) if value == "(absent)" else dict(config, **{field: value})
        entry = dict(case=name, field=field, value=value)
        try:
            with tempfile.TemporaryDirectory() as folder:
                model, info = load(kind, changed, tensors, folder)
                if info["missing_keys"] or info["mismatched_keys"]:
                    found.append(dict(entry, result="other tensors", tensors=sorted(info["missing_keys"])[:2]))
                    continue
                logits, last, other = run(model, changed, options)
        except BaseException as error:  # The library's checks raise many kinds.
            found.append(dict(entry, result="refused", why=f"{type(error).__name__}: {error}"[:120]))
            continue
        made = logits if logits is not None else last
        if not bool(torch.isfinite(made).all()):
            found.append(dict(entry, result="not finite"))
            continue
        same = made.shape == right.shape and bool(torch.equal(made, right)) and all(torch.equal(a, b) for a, b in zip(maps, other))
        found.append(dict(entry, result="same") if same else dict(entry, result="changed", last=numbers(made[0, -1]), weights=numbers(other[-1][:, -1])))
    kept = {}
    for entry in found:  # Of those that change nothing, one for each field says so.
        kept.setdefault((entry["field"], entry["result"], "" if entry["result"] == "same" else json.dumps(entry["value"])), entry)
    return list(kept.values())


def main():
    cases, perturbed = [], []
    only = sys.argv[2:]
    for name, (kind, config, options) in CASES.items():
        if only and name not in only:
            continue
        case, tensors, right, maps = make(name, kind, config, options)
        cases.append(case)
        print(name, right.shape, "unused", case["unused"], file=sys.stderr)
        if name in ("gpt2", "pythia", "bert", "roberta", "distilbert", "llama", "mistral", "qwen2-window", "qwen3", "phi3", "phi", "olmo2", "gemma", "gemma2", "gemma3", "t5", "mt5"):
            perturbed += fields(name, kind, config, options, tensors, right, maps)
    versions = dict(torch=torch.__version__, transformers=transformers.__version__)
    Path(sys.argv[1]).write_text(json.dumps(dict(versions=versions, cases=cases, fields=perturbed)))


if __name__ == "__main__":
    main()
