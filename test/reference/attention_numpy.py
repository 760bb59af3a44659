"""Attention in NumPy: every intermediate result by name, in the dtype of the spec.

Written from the papers and from the docstrings of a spec's fields, without reading the engine that it checks:
- Vaswani et al. 2017, "Attention Is All You Need": eq. 1, sections 3.2.2 (heads) and 3.5 (sines and cosines)
- Su et al. 2021, "RoFormer": eq. 34 (adjacent pairs); GPT-NeoX and Llama pair element i with element i + d/2
- Press et al. 2022, "Train Short, Test Long": slopes as in the authors' get_slopes, bias -slope·|i - j|
- Shazeer 2019, Ainslie et al. 2023: one key and value head for several query heads
- Gemma 2 (2024): softcap·tanh(scores / softcap)

Shapes: n queries, m keys, h heads, kv key and value heads; a batch, where there is one, is the first axis.
"""
import numpy as np

NAMED = {'inf': np.inf, '-inf': -np.inf, 'nan': np.nan, '-0': -0.0}


def decode(value):
    """Nested lists of a spec's numbers to floats."""
    if isinstance(value, list):
        return [decode(v) for v in value]
    return NAMED[value] if isinstance(value, str) else float(value)


def partials(spec):
    """All steps of a spec, in the order in which they are computed: {step: array}."""
    with np.errstate(all='ignore'):
        return Walk(spec).steps


class Walk:
    def __init__(self, spec):
        self.spec = spec
        self.T = np.float32 if spec['dtype'] == 'float32' else np.float64
        self.standard_normal = generator(**spec['random'])
        self.heads = spec['heads']
        self.kv_heads = spec.get('kvHeads', self.heads)
        self.steps = {}
        {'qkv': self.from_qkv, 'scores': self.from_scores, 'weights': self.from_weights}.get(
            spec['start']['from'], self.from_x
        )()

    # Where the numbers come from

    def given(self, rows):
        return np.array(decode(rows), dtype=np.float64).astype(self.T)

    def draw(self, rows, columns, fan_in=1):
        """Numbers that are drawn and divided in float64, then rounded once."""
        return (self.standard_normal((rows, columns)) / np.sqrt(fan_in)).astype(self.T)

    def keep(self, name, value):
        assert value.dtype == self.T, name
        self.steps[name] = value
        return value

    # The possible starts of a spec

    def from_x(self):
        embedded = self.embedded()
        x = self.keep('x', self.with_positions(embedded))
        context = self.spec['start'].get('context')
        source = x if context is None else self.keep('context', self.given(context))
        self.d_model = x.shape[1]
        self.project(x, source)
        self.attend()

    def from_qkv(self):
        self.d_model = self.spec['dModel']
        for name in 'qkv':
            if name in self.spec['start']:
                self.keep(name, self.given(self.spec['start'][name]))
        self.attend()

    def from_scores(self):
        start = self.spec['start']
        self.d_model = self.spec['dModel']
        self.d_k = start['dK']
        if 'v' in start:
            self.keep('v', self.given(start['v']))
        self.to_weights(self.keep('scores', self.given(start['scores'])))
        self.to_output(self.values())

    def from_weights(self):
        start = self.spec['start']
        self.d_model = self.spec['dModel']
        self.keep('v', self.given(start['v']))
        self.keep('weights', self.given(start['weights']))
        self.to_output(self.values())

    # X

    def embedded(self):
        start = self.spec['start']
        additive = is_additive(self.spec['positions'])
        if start['from'] == 'x':
            x = self.given(start['x'])
            return self.keep('given', x) if additive else x
        ids = ids_of(start)
        embedding = self.spec.get('embedding', {'from': 'random'})
        if embedding['from'] == 'random' and 'pieces' in start:
            return self.embedded_distinct(ids)
        self.keep('tokens', np.array(ids, dtype=self.T)[:, None])
        if embedding['from'] == 'given':
            table = self.given(embedding['table'])
        else:
            table = self.draw(max(ids) + 1, self.spec['dModel'])
        return self.keep('embedding', self.keep('table', table)[ids])

    def embedded_distinct(self, ids):
        """A vocabulary's ids with a random table: a row for each distinct one, in order of first appearance."""
        rows = order_of_appearance(ids)
        self.keep('tokens', np.array([ids, rows], dtype=self.T).T.copy())
        table = self.keep('table', self.draw(max(rows) + 1, self.spec['dModel']))
        return self.keep('embedding', table[rows])

    def with_positions(self, x):
        positions = self.spec['positions']
        if not is_additive(positions):
            return x
        n, d_model = x.shape
        if isinstance(positions, dict):
            added = self.given(positions['learned'])
        elif positions == 'learned-random':
            added = self.draw(n, d_model)
        else:
            added = sinusoids(n, d_model, positions, self.T)
        return x + self.keep('positions', added)

    # Q, K, V

    def project(self, x, source):
        projections = self.spec['projections']
        if projections['from'] == 'none':
            for name, rows in (('q', x), ('k', source), ('v', source)):
                self.keep(name, rows)
            return
        weights, biases = self.matrices(projections)
        for letter, rows in (('q', x), ('k', source), ('v', source)):
            product = self.apply(rows, weights[letter])
            if letter in biases:
                product = self.keep(letter + 'Product', product) + biases[letter]
            self.keep(letter, product)

    def matrices(self, projections):
        if projections['from'] == 'given':
            weights = {l: self.given(projections['w' + l]) for l in 'qkv'}
            biases = {l: self.given([projections['b' + l]]) for l in 'qkv' if 'b' + l in projections}
        else:
            width = {
                'q': self.heads * projections['dK'],
                'k': self.kv_heads * projections['dK'],
                'v': self.kv_heads * projections['dV'],
            }
            weights = {l: self.draw(*self.weight_shape(self.d_model, width[l]), self.d_model) for l in 'qkv'}
            biased = 'qkv' if projections.get('bias') else ''
            biases = {l: self.draw(1, width[l], self.d_model) for l in biased}
        for kind, made in (('w', weights), ('b', biases)):
            for letter, value in made.items():
                self.keep(kind + letter, value)
        return weights, biases

    def weight_shape(self, fan_in, fan_out):
        return (fan_in, fan_out) if self.spec['convention'] == 'XW' else (fan_out, fan_in)

    def apply(self, rows, weight):
        return rows @ (weight if self.spec['convention'] == 'XW' else weight.T)

    # Heads

    def per_head(self, name, heads):
        """The rows of q, k or v by head: h×n×d; as they are when there is one head, or when they were given per head."""
        rows = self.steps[name]
        if self.heads == 1 or rows.ndim > 2:
            return rows
        n, width = rows.shape
        return self.keep(name + 'Heads', rows.reshape(n, heads, width // heads).transpose(1, 0, 2))

    def shared(self, name, rows):
        """Each key and value head serves heads / kvHeads query heads in a row."""
        if self.kv_heads == self.heads:
            return rows
        return self.keep(name + 'Shared', np.repeat(rows, self.heads // self.kv_heads, axis=-3))

    def rotated(self, name, rows):
        positions = self.spec['positions']
        if positions not in ('rope-interleaved', 'rope-half'):
            return rows
        n, d = rows.shape[-2:]
        cos, sin = rotations(n, d, self.T)
        self.keep(name + 'Rotations', np.stack([cos, sin], axis=1).reshape(2 * n, d // 2))
        out = np.empty_like(rows)
        first, second = pairs(positions, d)
        a, b = rows[..., first], rows[..., second]
        out[..., first] = a * cos - b * sin
        out[..., second] = a * sin + b * cos
        return self.keep(name + 'Rotated', out)

    def values(self):
        if 'v' not in self.steps:
            return None
        return self.shared('v', self.per_head('v', self.kv_heads))

    # Attention

    def attend(self):
        q = self.rotated('q', self.per_head('q', self.heads))
        k = self.shared('k', self.rotated('k', self.per_head('k', self.kv_heads)))
        v = self.values()
        self.d_k = q.shape[-1]
        self.to_weights(self.keep('scores', q @ np.swapaxes(k, -1, -2)))
        self.to_output(v)

    def to_weights(self, scores):
        s = self.keep('scaled', self.scaled(scores))
        n, m = s.shape[-2:]
        if self.spec['positions'] == 'alibi':
            s = self.keep('biased', s + self.keep('alibi', self.alibi(n, m)))
        if 'softcap' in self.spec:
            cap = self.T(self.spec['softcap'])
            s = self.keep('capped', cap * np.tanh(s / cap))
        if 'temperature' in self.spec:
            s = self.keep('tempered', s / self.T(self.spec['temperature']))
        s = self.keep('masked', self.masked(s))
        self.keep('weights', softmax(s, self.spec.get('fullyMasked', 'nan')))

    def scaled(self, scores):
        scale = self.spec['scale']
        if scale == 'none':
            return scores
        if isinstance(scale, dict):
            return scores / self.T(scale['divideBy'])
        return scores / np.sqrt(self.T(self.d_k if scale == 'sqrt_d_k' else self.d_model))

    def alibi(self, n, m):
        distance = np.abs(np.arange(n)[:, None] - np.arange(m)[None, :]).astype(self.T)
        slopes = np.array(alibi_slopes(self.heads), dtype=np.float64).astype(self.T)
        bias = -(slopes[:, None, None] * distance)
        return bias[0] if self.heads == 1 else bias

    def masked(self, s):
        mask = self.spec['mask']
        if mask == 'none':
            return s
        n, m = s.shape[-2:]
        if isinstance(mask, dict) and mask['kind'] == 'additive':
            return s + self.keep('mask', self.given(mask['values']))
        hidden = hidden_keys(mask, n, m)
        self.keep('mask', hidden.astype(self.T))
        return np.where(hidden, self.fill(), s)

    def fill(self):
        fill = self.spec['maskFill']
        if fill == 'min':
            return np.finfo(self.T).min
        return self.T(decode(fill))

    def to_output(self, v):
        if v is None:
            return
        projection = self.spec.get('outputProjection', {'from': 'none'})
        last = projection['from'] == 'none'
        attended = self.steps['weights'] @ v
        if self.heads > 1:
            self.keep('headOutputs', attended)
            attended = concatenated(attended)
        if last:
            self.keep('output', attended)
            return
        self.keep('concat' if self.heads > 1 else 'attended', attended)
        wo, bo = self.output_matrices(projection, attended.shape[-1])
        output = self.apply(attended, wo)
        if bo is not None:
            output = self.keep('outputProduct', output) + bo
        self.keep('output', output)

    def output_matrices(self, projection, width):
        if projection['from'] == 'given':
            wo = self.given(projection['wo'])
            bo = self.given([projection['bo']]) if 'bo' in projection else None
        else:
            wo = self.draw(*self.weight_shape(width, self.d_model), width)
            bo = self.draw(1, self.d_model, width) if projection.get('bias') else None
        self.keep('wo', wo)
        if bo is not None:
            self.keep('bo', bo)
        return wo, bo


def generator(generator, seed):
    """Standard normal draws; a seed beyond 2^53 stands as a decimal string."""
    if generator == 'numpy.default_rng':
        return np.random.default_rng(int(seed)).standard_normal
    return np.random.RandomState(int(seed)).standard_normal


def split(start):
    text = start['text']
    if start['tokenizer'] == 'words':
        return text.split()
    return list(text) if start['tokenizer'] == 'characters' else list(text.encode('utf-8'))


def ids_of(start):
    """Token ids: the given ids, those of a vocabulary, the bytes themselves, or the order in which tokens first appear."""
    if start['from'] == 'ids':
        return start['ids']
    if 'pieces' in start:
        return [piece[0] for piece in start['pieces']]
    tokens = split(start)
    return tokens if start['tokenizer'] == 'bytes' else order_of_appearance(tokens)


def order_of_appearance(tokens):
    known = {}
    return [known.setdefault(token, len(known)) for token in tokens]


def is_additive(positions):
    return isinstance(positions, dict) or positions == 'learned-random' or positions.startswith('sinusoidal')


def sinusoids(n, d_model, layout, T):
    """PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i+1) = cos(the same); concatenated: all sines, then all cosines."""
    p = np.arange(n, dtype=T)[:, None]
    pair = np.arange((d_model + 1) // 2, dtype=T)[None, :]
    angle = p / T(10000) ** (T(2) * pair / T(d_model))
    sin, cos = np.sin(angle), np.cos(angle)
    if layout == 'sinusoidal-concatenated':
        return np.concatenate([sin, cos[:, : d_model // 2]], axis=1)
    out = np.empty((n, d_model), dtype=T)
    out[:, 0::2] = sin
    out[:, 1::2] = cos[:, : d_model // 2]
    return out


def rotations(n, d, T):
    """cos and sin of p / 10000^(2i/d): each n×(d/2)."""
    angle = np.arange(n, dtype=T)[:, None] / T(10000) ** (T(2) * np.arange(d // 2, dtype=T)[None, :] / T(d))
    return np.cos(angle), np.sin(angle)


def pairs(convention, d):
    """The pairs of columns that RoPE rotates together: (0, 1), (2, 3), … or (0, d/2), (1, d/2 + 1), …"""
    columns = np.arange(d)
    if convention == 'rope-interleaved':
        return columns[0::2], columns[1::2]
    return columns[: d // 2], columns[d // 2 :]


def alibi_slopes(heads):
    """Press et al. 2022, get_slopes: 2^(-8/h), 2^(-16/h), …; between powers of two, every other slope of the next one."""

    def of_power(h):
        return [2.0 ** (-8.0 * (i + 1) / h) for i in range(h)]

    power = 1 << (heads.bit_length() - 1)
    return of_power(power) + of_power(2 * power)[0::2][: heads - power]


def hidden_keys(mask, n, m):
    """True where query i may not see key j: n×m, or h×n×m when there is one mask a head."""
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    if mask == 'causal':
        return j > i
    if mask['kind'] == 'causal':
        return j > i + (m - n if mask['alignment'] == 'end' else 0)
    if mask['kind'] == 'padding':
        return np.broadcast_to(j >= mask['visible'], (n, m))
    if mask['kind'] == 'window':
        return (np.abs(i - j) > mask['size']) | (mask['causal'] & (j > i))
    values = np.array(mask['values']) != 0
    return values if mask['trueMeans'] == 'hidden' else ~values


def softmax(s, fully_masked):
    exponentials = np.exp(s - s.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    if fully_masked == 'zero':
        weights[np.isneginf(s).all(axis=-1)] = 0
    return weights


def concatenated(heads):
    """[batch×]h×n×d to [batch×]n×(h·d)."""
    rows = np.swapaxes(heads, -2, -3)
    return rows.reshape(*rows.shape[:-2], -1)
