"""Layers of a transformer by PyTorch, from the papers and the documentation of torch.nn.

Write the values:  python3 test/reference/block.py test/fixtures/attention/block.json.gz

Attention: Vaswani et al. 2017, section 3.2. A layer with the norm after each sum: the same, section 3.1 and 5.4 (LayerNorm(x + Sublayer(x))); with
the norm before: Radford et al. 2019, section 2.3 (x + Sublayer(LayerNorm(x)), one more norm after the last layer). LayerNorm: torch.nn.LayerNorm.
RMSNorm: transcribed from the documentation of torch.nn.RMSNorm (x / sqrt(eps + mean(x^2)) * gamma), which this torch lacks. Feed-forward:
Vaswani et al. 2017, section 3.3; GELU: torch.nn.GELU; SwiGLU: Shazeer 2020, equation 6, FFN_SwiGLU(x) = (SiLU(x W) * (x V)) W2. Tied unembedding: Press and Wolf
2017. Top k: transformers' TopKLogitsWarper, `scores < torch.topk(scores, k)[0][..., -1, None]` becomes -inf. Nothing here knows the engine.
Drawn weights come from np.random.seed(seed); np.random.randn(rows, columns) / sqrt(rows), in the order in which a forward pass first needs them,
gains before biases, weights before biases.
"""
import gzip
import json
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Given:
    """The case's weights by name. Those of nn.Linear have the shape out x in and are transposed."""

    def __init__(self, case, dtype):
        self.case, self.dtype = case, dtype

    def of(self, layer, name, shape):
        found = (self.case['weights'][layer] if layer is not None else self.case['last']).get(name)
        if found is None:
            return None
        values = torch.tensor(found, dtype=self.dtype)
        turned = self.case['convention'] == 'XWT' and name.startswith('w')
        return values.T if turned else values

    row = of


class Drawn:
    """Weights that are drawn when they are first needed."""

    def __init__(self, case, dtype):
        self.case, self.dtype = case, dtype
        np.random.seed(case['seed'])

    def draw(self, shape, by):
        return torch.tensor(np.random.randn(*shape) / by, dtype=self.dtype)

    def of(self, layer, name, shape):
        if name.startswith('norm'):
            return self.draw((1, shape[-1]), 1.0)[0] if self.case['gains'] == 'random' else None
        if self.case['convention'] == 'XWT':
            return self.draw(shape[::-1], np.sqrt(shape[0])).T
        return self.draw(shape, np.sqrt(shape[0]))

    def row(self, layer, name, shape):
        """A bias, drawn like its weights. `shape` is the shape of the weights."""
        if name.startswith('norm'):
            return self.of(layer, name, shape) if self.case['kind'] == 'layer' else None
        wanted = {'b': self.case['bias']}.get(name[0])
        wanted = self.case['ffBias'] if name in ('b1', 'b2') else wanted
        return self.draw((1, shape[1]), np.sqrt(shape[0]))[0] if wanted else None


def normed(case, weights, layer, name, x):
    d = x.shape[-1]
    gains = weights.of(layer, name, (d,))
    biases = weights.row(layer, name + 'Bias', (d,)) if gains is not None else None
    if case['kind'] == 'rms':
        y = x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + case['epsilon'])
        return y if gains is None else y * gains
    norm = nn.LayerNorm(d, eps=case['epsilon']).to(x.dtype)
    with torch.no_grad():
        if gains is not None:
            norm.weight.copy_(gains)
        if biases is not None:
            norm.bias.copy_(biases)
        return norm(x)


def attention(case, weights, layer, x, context, keep):
    heads, kv, dk, dv = case['heads'], case['kv'], case['dK'], case['dV']
    widths = {'q': heads * dk, 'k': kv * dk, 'v': kv * dv}
    sources = {'q': x, 'k': context if context is not None else x, 'v': context if context is not None else x}
    made = {lane: weights.of(layer, 'w' + lane, (sources[lane].shape[-1], widths[lane])) for lane in 'qkv'}
    biases = {lane: weights.row(layer, 'b' + lane, (sources[lane].shape[-1], widths[lane])) for lane in 'qkv'}
    lanes = {}
    for lane, count in (('q', heads), ('k', kv), ('v', kv)):
        rows = sources[lane] @ made[lane]
        if biases[lane] is not None:
            rows = rows + biases[lane]
        keep(lane, rows)
        cut = rows.reshape(*rows.shape[:-1], count, -1).transpose(-3, -2)
        lanes[lane] = cut.repeat_interleave(heads // count, dim=-3)
    scores = lanes['q'] @ lanes['k'].transpose(-2, -1)
    keep('scores', scores if heads > 1 else scores.squeeze(-3))
    scores = scores / dk ** 0.5
    if case['causal']:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -torch.inf)
    a = torch.softmax(scores, dim=-1)
    keep('weights', a if heads > 1 else a.squeeze(-3))
    out = (a @ lanes['v']).transpose(-3, -2)
    out = out.reshape(*out.shape[:-2], -1)
    wo = weights.of(layer, 'wo', (out.shape[-1], x.shape[-1]))
    bo = weights.row(layer, 'bo', (out.shape[-1], x.shape[-1]))
    out = out @ wo
    if bo is not None:
        out = out + bo
    keep('output', out)
    return out


activations = {
    'relu': F.relu, 'gelu': F.gelu, 'gelu-tanh': lambda x: F.gelu(x, approximate='tanh'), 'silu': F.silu,
}


def feed_forward(case, weights, layer, x, keep):
    d, width = x.shape[-1], case['width']
    gated = case['feed'] == 'swiglu'
    if gated:
        gate = x @ weights.of(layer, 'wg', (d, width))
        keep('ffGate', gate)
    w1, b1 = weights.of(layer, 'w1', (d, width)), weights.row(layer, 'b1', (d, width))
    hidden = x @ w1 if b1 is None else x @ w1 + b1
    keep('ffHidden', hidden)
    active = F.silu(gate) if gated else activations[case['feed']](hidden)
    keep('ffActive', active)
    if gated:
        active = active * hidden
        keep('ffGated', active)
    w2, b2 = weights.of(layer, 'w2', (width, d)), weights.row(layer, 'b2', (width, d))
    out = active @ w2 if b2 is None else active @ w2 + b2
    keep('ffOutput', out)
    return out


def walk(case):
    dtype = getattr(torch, case['dtype'])
    x = torch.tensor(case['x'], dtype=dtype)
    context = torch.tensor(case['context'], dtype=dtype) if 'context' in case else None
    weights = Drawn(case, dtype) if 'seed' in case else Given(case, dtype)
    found = {}
    for layer in range(case['layers']):
        scope = '' if layer + 1 == case['shown'] else f'layer{layer + 1}_'

        def keep(name, values):
            found[scope + name] = values

        if case['norm'] == 'before':
            inner = normed(case, weights, layer, 'norm1', x)
            keep('normed', inner)
        else:
            inner = x
        x = x + attention(case, weights, layer, inner, context, keep)
        keep('residual', x)
        if case['norm'] == 'after':
            x = normed(case, weights, layer, 'norm1', x)
            keep('residualNormed', x)
        if case['feed'] is None:
            continue
        inner = x
        if case['norm'] == 'before':
            inner = normed(case, weights, layer, 'norm2', x)
            keep('ffNormed', inner)
        x = x + feed_forward(case, weights, layer, inner, keep)
        if case['norm'] == 'after':
            keep('blockSum', x)
            x = normed(case, weights, layer, 'norm2', x)
        keep('blockOutput', x)
    if case['finalNorm']:
        x = normed(case, weights, None, 'norm', x)
        found['finalNormed'] = x
    if case['vocabulary']:
        logits = x @ weights.of(None, 'wu', (x.shape[-1], case['vocabulary']))
        found['logits'] = logits
        if case['topK']:
            logits = logits.masked_fill(logits < torch.topk(logits, case['topK'])[0][..., -1, None], -torch.inf)
            found['topLogits'] = logits
        found['probabilities'] = torch.softmax(logits, dim=-1)
    return {name: values.detach().numpy() for name, values in found.items()}


def given_weights(random, case, d, m):
    matrix = lambda *shape: np.round(random.randn(*shape) / np.sqrt(shape[0]), 3)
    stored = lambda *shape: (matrix(*shape).T if case['convention'] == 'XWT' else matrix(*shape)).tolist()
    row = lambda width: np.round(random.randn(width), 3).tolist()
    heads, kv, dk, dv, width = case['heads'], case['kv'], case['dK'], case['dV'], case['width']
    layers = []
    for _ in range(case['layers']):
        of = {'wq': stored(d, heads * dk), 'wk': stored(m, kv * dk), 'wv': stored(m, kv * dv), 'wo': stored(heads * dv, d)}
        if case['bias']:
            of.update(bq=row(heads * dk), bk=row(kv * dk), bv=row(kv * dv), bo=row(d))
        if case['norm'] != 'none':
            for name in ('norm1', 'norm2')[:2 if case['feed'] else 1]:
                of[name] = row(d)
                if case['kind'] == 'layer':
                    of[name + 'Bias'] = row(d)
        if case['feed']:
            of.update(w1=stored(d, width), w2=stored(width, d))
            if case['feed'] == 'swiglu':
                of['wg'] = stored(d, width)
            if case['ffBias']:
                of.update(b1=row(width), b2=row(d))
        layers.append(of)
    last = {}
    if case['finalNorm']:
        last['norm'] = row(d)
        if case['kind'] == 'layer':
            last['normBias'] = row(d)
    if case['vocabulary']:
        last['wu'] = stored(d, case['vocabulary'])
    return layers, last


def cases():
    random = np.random.RandomState(1706)
    feeds = [None, 'relu', 'gelu', 'gelu-tanh', 'silu', 'swiglu']
    i = 0
    for norm in ('before', 'after', 'none'):
        for kind in ('layer', 'rms'):
            for feed in feeds:
                i += 1
                d, layers = (4, 6, 8)[i % 3], (1, 2, 3, 1)[i % 4]
                case = {
                    'norm': norm, 'kind': kind, 'feed': feed, 'layers': layers, 'shown': 1 + i % layers, 'epsilon': (1e-5, 1e-6, 0.1)[i % 3],
                    'dtype': ('float64', 'float32')[i // 2 % 2], 'convention': ('XW', 'XWT')[i % 2], 'heads': (1, 2, 4)[i % 3],
                    'kv': (1, 1, 2)[i % 3], 'dK': 2 + i % 3, 'dV': 2 + i % 2, 'width': 5 + i % 4, 'bias': i % 3 == 0, 'ffBias': i % 4 < 2 and feed != None,
                    'causal': i % 2 == 0, 'finalNorm': i % 2 == 1 and norm != 'none', 'vocabulary': (0, 7, 5)[i % 3], 'topK': (0, 3)[i % 2],
                }
                n, m = 3 + i % 3, d
                case['x'] = np.round(random.randn(*((2, n, d) if i % 5 == 0 else (n, d))), 3).tolist()
                if i % 7 == 0 and not case['causal'] and i % 5:
                    m = 3
                    case['context'] = np.round(random.randn(4, m), 3).tolist()
                if i % 4 == 3 or (i % 5 == 2 and 'context' not in case):
                    yield {**case, 'seed': i, 'gains': ('ones', 'random')[i // 4 % 2]}
                else:
                    case['weights'], case['last'] = given_weights(random, case, d, m)
                    yield case


def main(path):
    written = [{'case': case, 'steps': {name: values.tolist() for name, values in walk(case).items()}} for case in cases()]
    text = json.dumps({'numpy': np.__version__, 'torch': torch.__version__, 'cases': written}, separators=(',', ':')).replace('-Infinity', '"-inf"')
    with open(path, 'wb') as file, gzip.GzipFile(fileobj=file, mode='wb', mtime=0) as packed:
        packed.write(text.encode() + b'\n')


if __name__ == '__main__':
    main(sys.argv[1])
