"""Unusual combinations that attention_specs.py leaves out, in NumPy: batches of X and of Q, K, V; masks for each head and for each head of
each input; contexts of another width; shared key heads with RoPE and ALiBi; PyTorch's draws; seeds beyond 2^64; negative divisors.

Write the values:  python3 test/reference/attention_odd.py test/fixtures/attention/odd.json.gz
Print some:        python3 test/reference/attention_odd.py --first 40

Written from the papers that attention_numpy.py names and from the docstrings of a spec, with einsum and loops. It does not use that file,
so the two are unlikely to share an error. Needs PyTorch for its draws.
"""
import gzip
import json
import math
import sys

import numpy as np
import torch

NAMED = {'inf': np.inf, '-inf': -np.inf, 'nan': np.nan, '-0': -0.0}


def decode(x):
    return [decode(y) for y in x] if isinstance(x, list) else NAMED[x] if isinstance(x, str) else float(x)


def encode(x):
    if isinstance(x, np.ndarray):
        return [encode(y) for y in x]
    x = float(str(x))  # the shortest digits that give the number back in its dtype
    if math.isnan(x) or math.isinf(x):
        return 'nan' if math.isnan(x) else 'inf' if x > 0 else '-inf'
    return '-0' if x == 0 and math.copysign(1, x) < 0 else x


class Specs:
    """Random specs from a fixed seed."""

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)

    def pick(self, *choices):
        return choices[self.random.randint(len(choices))]

    def sometimes(self, share):
        return self.random.rand() < share

    def matrix(self, *shape):
        return np.round(self.random.randn(*shape) * self.pick(0.3, 1, 3), 3)

    def spec(self):
        pick = self.pick
        self.heads = pick(1, 1, 2, 3, 4, 6, 5)
        self.kv = pick(*[d for d in range(1, self.heads + 1) if self.heads % d == 0])
        self.d_k, self.d_v = pick(1, 2, 3, 4, 6, 8), pick(1, 2, 3, 5)
        self.n, self.d_model = pick(1, 2, 3, 5, 7), pick(1, 2, 3, 4, 6, 8, 12)
        self.m = pick(1, 2, 4, 6)
        self.batch = pick([], [], [1], [2], [3])
        seed = pick(int(self.random.randint(2**31)), str(2**64 + int(self.random.randint(2**31)) * 2**40 + 7))
        names = ['numpy.default_rng'] if isinstance(seed, str) else ['numpy.RandomState', 'numpy.default_rng', 'torch']
        spec = {
            'version': 1, 'dtype': pick('float64', 'float32'), 'dModel': self.d_model, 'positions': 'none',
            'projections': {'from': 'none'}, 'convention': pick('XW', 'XWT'), 'heads': self.heads, 'kvHeads': self.kv,
            'scale': pick('sqrt_d_k', 'none', 'sqrt_d_model', {'divideBy': pick(0.5, 3.7, -2, 1e-3)}), 'mask': 'none',
            'maskFill': pick('-inf', '-inf', 'min', -1e9, -5), 'random': {'generator': pick(*names), 'seed': seed},
        }
        for field, share, values in (('softcap', 0.3, (0.5, 2, 50)), ('temperature', 0.3, (0.1, 0.7, 4)), ('fullyMasked', 0.3, ('nan', 'zero'))):
            if self.sometimes(share):
                spec[field] = pick(*values)
        start = pick('x', 'x', 'context', 'context', 'qkv', 'qkv', 'scores', 'weights', 'ids')
        (self.from_x if start in ('x', 'context', 'ids') else self.from_later)(spec, start)
        self.mask(spec)
        if 'v' in spec['start'] or start in ('x', 'context', 'ids'):
            self.output(spec)
        return spec

    def from_x(self, spec, start):
        pick = self.pick
        if start == 'ids':
            self.batch = []
            spec['start'] = {'from': 'ids', 'ids': [int(i) for i in self.random.randint(0, 9, self.n)]}
            if self.sometimes(0.5):
                spec['embedding'] = {'from': 'given', 'table': encode(self.matrix(9, self.d_model))}
        else:
            spec['start'] = {'from': 'x', 'x': encode(self.matrix(*self.batch, self.n, self.d_model))}
        kind = pick('none', 'random', 'given', 'given')
        if kind == 'none':
            self.heads = spec['heads'] = self.heads if self.d_model % self.heads == 0 else 1
            self.kv = spec['kvHeads'] = self.heads
            self.d_k = self.d_v = self.d_model // self.heads
        width = self.d_model
        if start == 'context':
            width = self.d_model if kind == 'none' else pick(self.d_model, self.d_model + 1, 3)
            spec['start']['context'] = encode(self.matrix(*self.batch, self.m, width))
        else:
            self.m = self.n
        if kind == 'random':
            spec['projections'] = {'from': 'random', 'dK': self.d_k, 'dV': self.d_v, 'bias': bool(self.sometimes(0.5))}
        if kind == 'given':
            self.projections(spec, width)
        self.positions(spec)

    def projections(self, spec, width):
        sizes = {'q': (self.d_model, self.heads * self.d_k), 'k': (width, self.kv * self.d_k), 'v': (width, self.kv * self.d_v)}
        spec['projections'] = {'from': 'given', **{'w' + l: self.weight(spec, *size) for l, size in sizes.items()}}
        for letter, (_, made) in sizes.items():
            if self.sometimes(0.5):
                spec['projections']['b' + letter] = encode(self.matrix(made))

    def weight(self, spec, fan_in, fan_out):
        return encode(self.matrix(fan_in, fan_out) if spec['convention'] == 'XW' else self.matrix(fan_out, fan_in))

    def positions(self, spec):
        kind = self.pick('none', 'sinusoidal-interleaved', 'sinusoidal-concatenated', 'learned-random', 'learned', 'rope-half', 'rope-interleaved', 'alibi')
        if kind == 'sinusoidal-concatenated' and self.d_model % 2:
            kind = 'sinusoidal-interleaved'
        if kind.startswith('rope') and self.d_k % 2:
            kind = 'alibi'
        spec['positions'] = {'learned': encode(self.matrix(self.n, self.d_model))} if kind == 'learned' else kind

    def from_later(self, spec, start):
        n, m = self.n, self.m
        grid = self.matrix(*self.batch, self.heads, n, m) if self.heads > 1 or self.batch else self.matrix(n, m)
        if start == 'qkv':
            spec['start'] = {'from': 'qkv', 'q': self.per_head(n, self.d_k, self.heads), 'k': self.per_head(m, self.d_k, self.kv)}
            kind = self.pick('none', 'rope-half', 'rope-interleaved', 'alibi')
            spec['positions'] = 'none' if kind.startswith('rope') and self.d_k % 2 else kind
        elif start == 'scores':
            if self.sometimes(0.3):
                grid.reshape(-1, m)[0] = -np.inf
            spec['start'] = {'from': 'scores', 'scores': encode(grid), 'dK': self.pick(1, 2, 7, 64)}
            spec['positions'] = self.pick('none', 'alibi')
        else:
            spec['start'] = {'from': 'weights', 'weights': encode(np.abs(grid))}
        if start == 'weights' or self.sometimes(0.7):
            spec['start']['v'] = self.per_head(m, self.d_v, self.kv)

    def per_head(self, rows, width, heads):
        if self.batch or self.sometimes(0.5):
            return encode(self.matrix(*self.batch, heads, rows, width))
        return encode(self.matrix(rows, heads * width))

    def mask(self, spec):
        pick, n, m = self.pick, self.n, self.m
        kind = pick('none', 'causal', 'aligned', 'padding', 'window', 'boolean', 'boolean', 'additive', 'additive')
        per_head = [self.heads] if self.heads > 1 else []
        given = 'q' in spec['start'] or 'scores' in spec['start'] or 'weights' in spec['start']
        all_of_them = self.batch + ([self.heads] if self.heads > 1 or (given and self.batch) else [])
        shape = (*pick([], per_head, all_of_them), n, m)
        hidden = self.random.rand(*shape) < 0.4
        spec['mask'] = {
            'none': 'none', 'causal': 'causal',
            'aligned': {'kind': 'causal', 'alignment': pick('start', 'end')},
            'padding': {'kind': 'padding', 'visible': int(self.random.randint(0, m + 1))},
            'window': {'kind': 'window', 'size': int(self.random.randint(0, 4)), 'causal': bool(self.sometimes(0.5))},
            'boolean': {'kind': 'boolean', 'values': hidden.astype(int).tolist(), 'trueMeans': pick('hidden', 'visible')},
            'additive': {'kind': 'additive', 'values': encode(np.where(hidden, pick(-np.inf, -3.5), self.matrix(*shape)))},
        }[kind]  # fmt: skip

    def output(self, spec):
        kind = self.pick('none', 'random', 'given')
        if kind == 'random':
            spec['outputProjection'] = {'from': 'random', 'bias': bool(self.sometimes(0.5))}
        if kind == 'given':
            made = self.pick(1, 3, self.d_model)
            spec['outputProjection'] = {'from': 'given', 'wo': self.weight(spec, self.heads * self.d_v, made)}
            if self.sometimes(0.5):
                spec['outputProjection']['bo'] = encode(self.matrix(made))


class Walk:
    """Every number that the panel shows for a spec, by the engine's step names."""

    def __init__(self, spec):
        self.spec, self.steps = spec, {}
        self.T = np.float32 if spec['dtype'] == 'float32' else np.float64
        self.h, self.kv = spec['heads'], spec['kvHeads']
        self.draw = drawer(spec['random'], spec['dtype'])
        self.d_model = spec['dModel']
        start = spec['start']
        if start['from'] in ('x', 'ids'):
            q, k, v = self.projected(start)
        else:
            q, k, v = (self.split(self.given(start[l]), self.h if l == 'q' else self.kv) if l in start else None for l in 'qkv')
        weights = self.given(start['weights']) if 'weights' in start else self.weights(q, k)
        if v is not None:
            self.output(np.einsum('...ij,...jd->...id', weights, self.repeated(v)))

    def given(self, x):
        return np.array(decode(x), dtype=np.float64).astype(self.T)

    def drawn(self, rows, columns, fan_in=1):
        return (self.draw(rows, columns) / math.sqrt(fan_in)).astype(self.T)

    def applied(self, x, w):
        return np.einsum('...nd,do->...no' if self.spec['convention'] == 'XW' else '...nd,od->...no', x, w)

    def split(self, x, heads):
        """Splits the columns of a matrix of all heads into heads. A single head needs no axis of its own."""
        if x.ndim > 2 or self.h == 1:
            return x
        return np.stack(np.split(x, heads, axis=-1))

    def cut(self, x, heads):
        """Like `split`, for rows that may be a batch."""
        return x if self.h == 1 else np.stack(np.split(x, heads, axis=-1), axis=-3)

    def repeated(self, x):
        return x if self.kv == self.h else np.concatenate([x[..., [i * self.kv // self.h], :, :] for i in range(self.h)], axis=-3)

    def projected(self, start):
        x = self.steps['x'] = self.placed(self.given(start['x']) if 'x' in start else self.embedded(start['ids']))
        self.d_model = x.shape[-1]
        source = self.given(start['context']) if 'context' in start else x
        rows = {'q': x, 'k': source, 'v': source}
        if self.spec['projections']['from'] != 'none':
            w = self.parameters({l: r.shape[-1] for l, r in rows.items()})
            rows = {l: self.applied(r, w['w' + l]) + w.get('b' + l, self.T(0)) for l, r in rows.items()}
        self.steps.update(rows)
        return (self.cut(r, self.h if l == 'q' else self.kv) for l, r in rows.items())

    def embedded(self, ids):
        table = self.spec.get('embedding', {}).get('table')
        return (self.drawn(max(ids) + 1, self.d_model) if table is None else self.given(table))[ids]

    def parameters(self, widths):
        given = self.spec['projections']
        if given['from'] == 'given':
            return {name: self.given(value) for name, value in given.items() if name != 'from'}
        made = {'q': self.h * given['dK'], 'k': self.kv * given['dK'], 'v': self.kv * given['dV']}
        order = (lambda a, b: (a, b)) if self.spec['convention'] == 'XW' else (lambda a, b: (b, a))
        out = {'w' + l: self.drawn(*order(widths[l], made[l]), widths[l]) for l in 'qkv'}
        if given['bias']:
            out.update({'b' + l: self.drawn(1, made[l], widths[l])[0] for l in 'qkv'})
        return out

    def placed(self, x):
        positions, (n, d) = self.spec['positions'], x.shape[-2:]
        if isinstance(positions, dict):
            return x + self.given(positions['learned'])
        if positions == 'learned-random':
            return x + self.drawn(n, d)
        if not positions.startswith('sinusoidal'):
            return x
        added = np.empty((n, d))
        for p in range(n):
            for j in range(d):
                pair, odd = (j // 2, j % 2) if positions.endswith('interleaved') else (j % (d // 2), j >= d // 2)
                added[p, j] = (math.cos if odd else math.sin)(p / 10000 ** (2 * pair / d))
        return x + added.astype(self.T)

    def rotated(self, x):
        kind, out, d = self.spec['positions'], np.array(x, dtype=np.float64), x.shape[-1]
        for p in range(x.shape[-2]):
            for i in range(d // 2):
                angle = p / 10000 ** (2 * i / d)
                a, b = (2 * i, 2 * i + 1) if kind == 'rope-interleaved' else (i, i + d // 2)
                out[..., p, a] = x[..., p, a] * math.cos(angle) - x[..., p, b] * math.sin(angle)
                out[..., p, b] = x[..., p, a] * math.sin(angle) + x[..., p, b] * math.cos(angle)
        return out.astype(self.T)

    def weights(self, q, k):
        start, positions, steps = self.spec['start'], self.spec['positions'], self.steps
        if q is None:
            scores, d_k = self.given(start['scores']), start['dK']
        else:
            if 'rope-' in positions:
                q, k = self.rotated(q), self.rotated(k)
            scores, d_k = np.einsum('...id,...jd->...ij', q, self.repeated(k)), q.shape[-1]
        steps['scores'] = scores
        scale = self.spec['scale']
        by = scale['divideBy'] if isinstance(scale, dict) else {'none': 1, 'sqrt_d_k': math.sqrt(d_k), 'sqrt_d_model': math.sqrt(self.d_model)}[scale]
        z = steps['scaled'] = scores / self.T(by)
        if positions == 'alibi':
            distance = np.abs(np.subtract.outer(*map(np.arange, z.shape[-2:])))
            bias = np.array([-slope * distance for slope in slopes(self.h)]).astype(self.T)
            z = z + (bias if self.h > 1 else bias[0])
        if 'softcap' in self.spec:
            z = self.T(self.spec['softcap']) * np.tanh(z / self.T(self.spec['softcap']))
        z = steps['masked'] = self.masked(z / self.T(self.spec.get('temperature', 1)))
        e = np.exp(z - z.max(axis=-1, keepdims=True))
        weights = steps['weights'] = e / e.sum(axis=-1, keepdims=True)
        if self.spec.get('fullyMasked') == 'zero':
            weights[(z == -np.inf).all(axis=-1)] = 0
        return weights

    def masked(self, z):
        mask, (n, m) = self.spec['mask'], z.shape[-2:]
        if mask == 'none':
            return z
        mask = {'kind': 'causal', 'alignment': 'start'} if mask == 'causal' else mask
        if mask['kind'] == 'additive':
            return z + self.given(mask['values'])
        i, j = np.indices((n, m))
        hidden = {
            'causal': lambda: j > i + (m - n if mask['alignment'] == 'end' else 0),
            'padding': lambda: j >= mask['visible'],
            'window': lambda: (abs(i - j) > mask['size']) | ((j > i) & mask['causal']),
            'boolean': lambda: np.equal(mask['values'], 1 if mask['trueMeans'] == 'hidden' else 0),
        }[mask['kind']]()
        fill = self.spec['maskFill']
        return np.where(hidden, np.finfo(self.T).min if fill == 'min' else self.T(decode(fill)), z).astype(self.T)

    def output(self, o):
        if self.h > 1:
            o = np.concatenate([o[..., i, :, :] for i in range(self.h)], axis=-1)
        last = self.spec.get('outputProjection', {'from': 'none'})
        if last['from'] == 'given':
            o = self.applied(o, self.given(last['wo'])) + (self.given(last['bo']) if 'bo' in last else self.T(0))
        if last['from'] == 'random':
            width = o.shape[-1]
            shape = (width, self.d_model) if self.spec['convention'] == 'XW' else (self.d_model, width)
            o = self.applied(o, self.drawn(*shape, width))
            o = o + (self.drawn(1, self.d_model, width) if last['bias'] else self.T(0))
        self.steps['output'] = o


def drawer(random, dtype):
    seed = int(random['seed'])
    if random['generator'] == 'torch':
        torch.manual_seed(seed)
        return lambda *shape: torch.randn(*shape, dtype=getattr(torch, dtype)).double().numpy()
    made = np.random.default_rng(seed) if random['generator'] == 'numpy.default_rng' else np.random.RandomState(seed)
    return lambda *shape: made.standard_normal(shape)


def slopes(h):
    """Press et al. 2022: 2^(-8/h), 2^(-16/h), …; between powers of two, every other one of the next power's after those of the last."""
    if h & (h - 1) == 0:
        return [2 ** (-8 * (i + 1) / h) for i in range(h)]
    power = 2 ** int(math.log2(h))
    return slopes(power) + slopes(2 * power)[0::2][: h - power]


def lines(count):
    specs = Specs(2017)
    for _ in range(count):
        spec = specs.spec()
        with np.errstate(all='ignore'):
            steps = {name: encode(value) for name, value in Walk(spec).steps.items()}
        yield json.dumps({'spec': spec, 'steps': steps}, separators=(',', ':'))


if __name__ == '__main__':
    if len(sys.argv) == 3 and sys.argv[1] == '--first':
        print('\n'.join(lines(int(sys.argv[2]))))
    elif len(sys.argv) == 2:
        with open(sys.argv[1], 'wb') as file:
            file.write(gzip.compress('\n'.join(lines(250)).encode(), 9, mtime=0))
    else:
        sys.exit(__doc__)
