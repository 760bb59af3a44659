"""QK-norm by NumPy, from the definition, and by PyTorch, as two models' code has it.

Write the values:  python3 test/reference/qk_norm.py test/fixtures/attention/qk-norm.json

RMSNorm: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", equation 4: a_i / RMS(a) * g_i, with epsilon under the root as every model has
it. `head` is Qwen 3's attention (transformers, models/qwen3/modeling_qwen3.py: q_norm = Qwen3RMSNorm(head_dim), applied to
q_proj(x).view(..., heads, head_dim)); `all` is OLMo 2's (models/olmo2/modeling_olmo2.py: q_norm = Olmo2RMSNorm(heads * head_dim), k_norm =
Olmo2RMSNorm(kv_heads * head_dim), applied to q_proj(x) before the heads are cut). RoPE follows, in the layout of halves. Nothing here knows the engine.
"""
import json
import sys

import numpy as np
import torch
from torch import nn


class RMSNorm(nn.Module):
    """Qwen3RMSNorm, Olmo2RMSNorm: without their conversion to float32, since the dtype here is what is asked for."""

    def __init__(self, weight, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(weight, requires_grad=False), eps

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))


def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


def rope(x):
    """x: ..., n, d."""
    n, d = x.shape[-2:]
    angle = torch.arange(n, dtype=torch.float64)[:, None] / 10000.0 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.cat((angle, angle), dim=-1)
    return x * angle.cos().to(x.dtype) + rotate_half(x) * angle.sin().to(x.dtype)


def walk(case):
    """The steps by PyTorch."""
    dtype = getattr(torch, case['dtype'])
    t = lambda name: torch.tensor(case[name], dtype=dtype)
    heads, kv = case['heads'], case['kv']
    x = t('x')
    context = t('context') if 'context' in case else x
    found = {}
    lanes = {}
    for lane, of, count in (('q', x, heads), ('k', context, kv), ('v', context, kv)):
        rows = of @ t('w' + lane)
        width = rows.shape[-1] // count
        normed = None
        if lane != 'v':
            size = width if case['over'] == 'head' else rows.shape[-1]
            gains = t('g' + lane) if 'g' + lane in case else torch.ones(size, dtype=dtype)
            norm = RMSNorm(gains, case['epsilon'])
            if case['over'] == 'all':
                rows = normed = norm(rows)
        rows = rows.reshape(*rows.shape[:-1], count, width).transpose(-3, -2)
        if lane != 'v':
            if case['over'] == 'head':
                rows = normed = norm(rows)
            found[lane + 'Normed'] = normed if heads > 1 or case['over'] == 'all' else normed.squeeze(-3)
            if case['rope']:
                rows = rope(rows)
        lanes[lane] = rows.repeat_interleave(heads // count, dim=-3)
    scores = lanes['q'] @ lanes['k'].transpose(-2, -1)
    weights = torch.softmax(scores / np.sqrt(lanes['q'].shape[-1]), dim=-1)
    out = weights @ lanes['v']
    found['scores'], found['weights'] = (s if heads > 1 else s.squeeze(-3) for s in (scores, weights))
    found['output'] = out.transpose(-3, -2).reshape(*out.shape[:-3], out.shape[-2], -1)
    return {name: values.numpy() for name, values in found.items()}


def by_definition(case):
    """Q and K normalized by loops from the definition, in float64. The two models' code must agree with it."""
    found = {}
    for lane, count in (('q', case['heads']), ('k', case['kv'])):
        x = np.array(case['context'] if lane == 'k' and 'context' in case else case['x'], dtype=np.float64)
        rows = x @ np.array(case['w' + lane], dtype=np.float64)
        size = rows.shape[-1] // count if case['over'] == 'head' else rows.shape[-1]
        gains = case.get('g' + lane, [1.0] * size)
        for row in rows.reshape(-1, rows.shape[-1]):
            for start in range(0, rows.shape[-1], size):
                part = [float(a) for a in row[start:start + size]]
                rms = (sum(a * a for a in part) / size + case['epsilon']) ** 0.5
                row[start:start + size] = [a / rms * g for a, g in zip(part, gains)]
        found[lane + 'Normed'] = rows
    return found


def check(case, found):
    for name, rows in by_definition(case).items():
        values = found[name]
        if case['over'] == 'head' and case['heads'] > 1:
            values = np.swapaxes(values, -3, -2).reshape(rows.shape)
        assert np.allclose(values, rows, rtol=1e-5 if case['dtype'] == 'float32' else 1e-12, atol=1e-6 if case['dtype'] == 'float32' else 1e-12), name


def cases():
    random = np.random.RandomState(2019)
    matrix = lambda *shape, size=1: np.round(random.randn(*shape) * size, 3).tolist()
    for over in ('head', 'all'):
        for dtype in ('float64', 'float32'):
            for heads, kv, n, m, gains, epsilon, rotated in (
                (1, 1, 3, None, False, 1e-6, False), (2, 2, 4, None, True, 1e-6, True), (4, 2, 3, None, True, 1e-5, True),
                (4, 1, 2, 5, True, 0.25, False), (2, 2, 1, 6, False, 1e-6, False), (3, 3, 4, None, True, 0.0, True),
            ):
                d_model, d_k, d_v = 6, 4, 3
                case = {
                    'over': over, 'dtype': dtype, 'heads': heads, 'kv': kv, 'epsilon': epsilon, 'rope': rotated,
                    'x': matrix(n, d_model, size=3), 'wq': matrix(d_model, heads * d_k), 'wk': matrix(d_model, kv * d_k), 'wv': matrix(d_model, kv * d_v),
                }
                if m is not None:
                    case['context'] = matrix(m, d_model)
                if gains:
                    case['gq'] = matrix(d_k * (1 if over == 'head' else heads))
                    case['gk'] = matrix(d_k * (1 if over == 'head' else kv))
                yield case
    # Numbers so small that epsilon dominates the divisor, and a row of zeros.
    yield {
        'over': 'head', 'dtype': 'float64', 'heads': 1, 'kv': 1, 'epsilon': 1e-6, 'rope': False,
        'x': [[1e-4, -2e-4], [0, 0], [3, 4]], 'wq': [[1, 0], [0, 1]], 'wk': [[1, 0], [0, 1]], 'wv': [[1, 0], [0, 1]],
    }
    # A batch of two.
    yield {
        'over': 'head', 'dtype': 'float64', 'heads': 2, 'kv': 1, 'epsilon': 1e-6, 'rope': True, 'gq': [1, 2], 'gk': [0.5, -1],
        'x': matrix(2, 3, 4), 'wq': matrix(4, 4), 'wk': matrix(4, 2), 'wv': matrix(4, 4)[0:4],
    }


def main(path):
    written = []
    for case in cases():
        if len(case['wv'][0]) % case['kv']:
            raise ValueError(case)
        found = walk(case)
        check(case, found)
        written.append({'case': case, 'steps': {name: values.tolist() for name, values in found.items()}})
    with open(path, 'w') as file:
        json.dump({'numpy': np.__version__, 'torch': torch.__version__, 'cases': written}, file, separators=(',', ':'))
        file.write('\n')


if __name__ == '__main__':
    main(sys.argv[1])
