"""Records attention with the real libraries, on a graphics card where there is one: fused kernels in half precision, torch.compile, and models of
`transformers`, which Debian's PyTorch does not have. What was recorded is computed again in float64 from the recorded Q, K and V.

capture_real.py HELPER_FOLDER OUT_FOLDER [costs]

Writes a capture of each case into OUT_FOLDER and prints one JSON object: versions, and for each case the attentions, how far the process's own output
is from float64 (in units of its type's rounding at the size of the largest value), what was not seen, and what went wrong.
"""
import json
import math
import sys
import time
import warnings

sys.path.insert(0, sys.argv[1])
target = sys.argv[2]
warnings.filterwarnings('ignore')

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from captured import again
from explain_attention import capture

device = 'cuda' if torch.cuda.is_available() else 'cpu'
unit = {torch.float32: 2**-24, torch.float16: 2**-11, torch.bfloat16: 2**-8, torch.float64: 2**-53}
cases = []


def record(name, expected, model, run, **options):
    case = {'name': name, 'expected': expected}
    cases.append(case)
    try:
        torch.manual_seed(1)
        plain = run()
        versions = [p._version for p in model.parameters()] if model is not None else []
        with capture(model, **options) as c:
            recorded = run()
        if torch.is_tensor(plain):
            case['same'] = bool(torch.equal(plain, recorded))
            case['apart'] = float((plain.double() - recorded.double()).abs().max())
        case['attentions'] = [one.says() for one in c.attentions]
        case['unseen'], case['notes'] = c.unseen, c.notes
        if model is not None:
            case['unchanged'] = versions == [p._version for p in model.parameters()] and all(p.grad is None for p in model.parameters())
        distances = []
        for one in c.attentions:
            out = one.tensors['out'].double()
            known = out.isfinite()
            # A query that sees no key is NaN by softmax, and 0 by most kernels.
            apart = ((out - again(one)[1].nan_to_num(0)).abs() * known).max()
            distances.append(float(apart / (unit[one.tensors['out'].dtype] * max(1e-30, float(out[known].abs().max())))))
        case['rounding_units'] = distances
        case['ok'] = len(c.attentions) == expected
        c.save(f"{target}/{name.replace(' ', '-').replace('/', '-')}.safetensors")
    except Exception as error:
        import traceback
        case['error'] = f'{type(error).__name__}: {error} {traceback.format_exc()[-700:]}'


def qkv(dtype, heads=4, kv=None, n=24, m=None, d=64):
    torch.manual_seed(3)
    shape = lambda h, r: torch.randn(1, h, r, d).to(device, dtype)
    return shape(heads, n), shape(kv or heads, m or n), shape(kv or heads, m or n)


@torch.no_grad()
def kernels():
    backends = {'math': SDPBackend.MATH, 'efficient': SDPBackend.EFFICIENT_ATTENTION, 'flash': SDPBackend.FLASH_ATTENTION,
                'cudnn': SDPBackend.CUDNN_ATTENTION}
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        for label, backend in backends.items():
            q, k, v = qkv(dtype)
            usual = str(dtype).replace('torch.', '')

            def run(**given):
                with sdpa_kernel(backend):
                    return F.scaled_dot_product_attention(q, k, v, **given)
            try:
                run(is_causal=True)
            except RuntimeError as error:
                cases.append({'name': f'sdpa {label} {usual}', 'refused': str(error)[:80]})
                continue
            record(f'sdpa {label} {usual} causal', 1, None, lambda: run(is_causal=True))
    q, k, v = qkv(torch.bfloat16, heads=8, kv=2)
    record('sdpa gqa bfloat16', 1, None, lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True))
    q2, k2, v2 = qkv(torch.bfloat16, n=5, m=24)
    mask = torch.rand(5, 24, device=device) > 0.3
    record('sdpa mask rows beside more keys', 1, None, lambda: F.scaled_dot_product_attention(q2, k2, v2, attn_mask=mask, scale=0.2))
    record('sdpa causal with fewer queries', 1, None, lambda: F.scaled_dot_product_attention(q2, k2, v2, is_causal=True))
    try:
        from torch.nn.attention.bias import causal_lower_right
        bias = causal_lower_right(5, 24)
        record('sdpa causal lower right', 1, None, lambda: F.scaled_dot_product_attention(q2, k2, v2, attn_mask=bias))
    except ImportError:
        pass
    try:
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention
        q4, k4, v4 = qkv(torch.float32, n=128)
        causal = lambda b, h, i, j: i >= j
        blocks = create_block_mask(causal, None, None, 128, 128, device=device)
        record('flex causal', 1, None, lambda: flex_attention(q4, k4, v4, block_mask=blocks))
        record('flex causal, two heads and some tokens', 1, None, lambda: flex_attention(q4, k4, v4, block_mask=blocks), heads=[1, 3], tokens=slice(8, 20))
        document = torch.arange(128, device=device) // 50
        packed = create_block_mask(lambda b, h, i, j: (document[i] == document[j]) & (i >= j), None, None, 128, 128, device=device)
        record('flex documents', 1, None, lambda: flex_attention(q4, k4, v4, block_mask=packed))
        slopes = torch.tensor([0.5, 0.25, 0.125, 0.0625], device=device)
        record('flex ALiBi', 1, None, lambda: flex_attention(q4, k4, v4, score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i), block_mask=blocks, scale=0.3))
        q5, k5, v5 = qkv(torch.bfloat16, heads=8, kv=2, n=128)
        record('flex gqa bfloat16', 1, None, lambda: flex_attention(q5, k5, v5, block_mask=blocks, enable_gqa=True), heads=[2, 7])
        record('flex without anything', 1, None, lambda: flex_attention(q4, k4, v4))
    except ImportError:
        pass


class Head(nn.Module):
    """Attention as courses write it, several heads in one product."""

    def __init__(self, d=64, heads=4):
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.register_buffer('mask', torch.tril(torch.ones(64, 64)).bool())

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).split(d, -1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(~self.mask[:t, :t], float('-inf')).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, d))


def modules():
    x = torch.randn(2, 12, 64).to(device)
    for dtype in (torch.float32, torch.bfloat16):
        usual = str(dtype).replace('torch.', '')
        own = Head().to(device, dtype).eval()
        with torch.no_grad():
            record(f'by hand {usual}', 1, own, lambda: own(x.to(dtype)))
            multi = nn.MultiheadAttention(64, 4, batch_first=True).to(device, dtype).eval()
            record(f'MultiheadAttention {usual}', 1, multi, lambda: multi(*[x.to(dtype)] * 3, need_weights=False)[0])
            layer = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4, 128, batch_first=True), 2).to(device, dtype).eval()
            record(f'TransformerEncoder {usual}', 2, layer, lambda: layer(x.to(dtype)))
    with torch.no_grad():
        auto = Head().to(device).eval()

        def mixed():
            with torch.autocast(device, torch.bfloat16):
                return auto(x)
        record('by hand, autocast', 1, auto, mixed)
        fused = torch.compile(Head().to(device).eval())
        try:
            fused(x)
        except Exception as error:
            cases.append({'name': 'torch.compile', 'refused': str(error)[:120]})
        else:
            record('by hand, torch.compile', 1, fused, lambda: fused(x))
    trained = Head().to(device)
    record('by hand, with gradients', 1, trained, lambda: trained(x))


def library():
    import transformers
    from transformers import AutoModel, AutoModelForCausalLM
    small = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, vocab_size=97, max_position_embeddings=64)
    configs = {
        'GPT-2': transformers.GPT2Config(n_embd=64, n_layer=2, n_head=4, vocab_size=97, n_positions=64),
        'Llama': transformers.LlamaConfig(**small, num_key_value_heads=2),
        'Qwen3': transformers.Qwen3Config(**small, num_key_value_heads=2, head_dim=16),
        'Mistral window': transformers.MistralConfig(**small, num_key_value_heads=2, sliding_window=5),
        'Gemma2': transformers.Gemma2Config(**small, num_key_value_heads=2, head_dim=16, sliding_window=5, query_pre_attn_scalar=16),
        'Gemma3': transformers.Gemma3TextConfig(**small, num_key_value_heads=2, head_dim=16, sliding_window=5, query_pre_attn_scalar=16),
        'Phi': transformers.PhiConfig(**small),
        'OLMo2': transformers.Olmo2Config(**small),
        'Pythia': transformers.GPTNeoXConfig(**small),
        'gpt-oss': transformers.GptOssConfig(**{**small, 'num_key_value_heads': 2, 'head_dim': 16, 'num_local_experts': 2, 'num_experts_per_tok': 1, 'sliding_window': 8}),
        'BERT': transformers.BertConfig(**small),
        'T5 encoder': transformers.T5Config(d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4, vocab_size=97),
    }
    ids = torch.arange(1, 13).remainder(97)[None].repeat(2, 1).to(device)
    padded = torch.ones_like(ids)
    padded[1, :3] = 0
    for family, config in configs.items():
        for how in ('sdpa', 'eager', 'flex_attention'):
            for dtype in (torch.float32, torch.bfloat16):
                name = f"{family} {how} {str(dtype).replace('torch.', '')}"
                if family == 'T5 encoder' and how == 'flex_attention':
                    continue  # T5 has no mask of blocks: on a card the error ends the process's use of it.
                try:
                    torch.manual_seed(5)
                    config._attn_implementation = how
                    kind = AutoModel if family == 'BERT' else transformers.T5EncoderModel if family == 'T5 encoder' else AutoModelForCausalLM
                    model = (kind.from_config(config, attn_implementation=how) if kind is not transformers.T5EncoderModel
                             else kind(config)).to(device, dtype).eval()
                    with torch.no_grad():
                        model(ids, attention_mask=padded)
                except Exception as error:
                    cases.append({'name': name, 'refused': f'{type(error).__name__}: {str(error)[:100]}'})
                    continue
                with torch.no_grad():
                    record(name, 2, model, lambda: model(ids, attention_mask=padded)[0], batch=1)
    return transformers.__version__


@torch.no_grad()
def costs(about):
    """The forward pass of a GPT-2-sized model with 512 tokens: as it is, with a recorder that is off, and recorded (two heads, 128 tokens)."""
    import transformers
    config = transformers.GPT2Config()
    model = transformers.GPT2LMHeadModel(config).to(device, torch.bfloat16 if device == 'cuda' else torch.float32).eval()
    ids = torch.randint(0, 50257, (1, 512)).to(device)

    def timed(**options):
        if device == 'cuda':
            torch.cuda.synchronize()
        begin = time.perf_counter()
        if options:
            with capture(model, **options):
                model(ids)
        else:
            model(ids)
        if device == 'cuda':
            torch.cuda.synchronize()
        return 1000 * (time.perf_counter() - begin)
    kinds = {'plain': {}, 'off': {'enabled': False}, 'two heads, 128 tokens': {'heads': [0, 1], 'tokens': 128}, 'whole': {'heads': None}}
    for _ in range(3):
        for options in kinds.values():
            timed(**options)
    rounds = [[timed(**options) for options in kinds.values()] for _ in range(about)]
    middle = lambda values: sorted(values)[len(values) // 2]
    return {name: {'ms': middle([r[i] for r in rounds]), 'times_plain': middle([r[i] / r[0] for r in rounds])}
            for i, name in enumerate(kinds)}


only_costs = sys.argv[3:] == ['costs']
if not only_costs:
    kernels()
    modules()
answer = {'torch': torch.__version__, 'device': torch.cuda.get_device_name() if device == 'cuda' else 'cpu'}
try:
    if not only_costs:
        answer['transformers'] = library()
    answer['costs'] = costs(9 if device == 'cuda' else 3)
except Exception as error:
    answer['error'] = f'{type(error).__name__}: {error}'
answer['cases'] = cases
print(json.dumps(answer, indent=1))
