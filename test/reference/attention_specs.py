"""The specs of the golden values: a pairwise covering (every pair of settings occurs in a spec), then cases beyond pairs.

Everything is drawn from RandomState, whose stream NumPy guarantees, so the list is the same on every machine.
"""
import numpy as np

PROJECTED = ('random', 'random-bias', 'given', 'given-bias', 'given-some-bias')
ADDED = ('sinusoidal-interleaved', 'sinusoidal-concatenated', 'learned-random', 'learned-given')
ROPE = ('rope-interleaved', 'rope-half')
X_STARTS = ('words', 'characters', 'bytes', 'ids', 'x', 'x+context')

FACTORS = {
    'start': X_STARTS
    + ('qkv', 'qkv-heads', 'qkv-batch', 'qk', 'qk-heads', 'scores', 'scores+v', 'scores-heads', 'scores-heads+v')
    + ('scores-batch+v', 'weights', 'weights-heads', 'weights-batch'),
    'embedding': ('-', 'random', 'given'),
    'positions': ('none',) + ADDED + ROPE + ('alibi',),
    'projections': ('none',) + PROJECTED,
    'convention': ('XW', 'XWT'),
    'heads': (1, 2, 3, 4),
    'kvHeads': ('-', 'heads', 'one', 'divisor'),
    'output': ('-', 'none', 'random', 'random-bias', 'given', 'given-bias'),
    'scale': ('sqrt_d_k', 'none', 'sqrt_d_model', 'divideBy'),
    'softcap': ('-', 2.5),
    'temperature': ('-', 0.7, 2),
    'mask': ('none', 'causal', 'causal-start', 'causal-end', 'padding', 'window', 'window-causal', 'hidden', 'visible')
    + ('hidden-heads', 'visible-heads', 'additive', 'additive-heads', 'additive-inf'),
    'maskFill': ('-inf', 'min', -1e9),
    'fullyMasked': ('-', 'nan', 'zero'),
    'dtype': ('float64', 'float32'),
    'numbers': ('plain', 'large', 'tiny'),
    'shape': ('one', 'small', 'wide', 'tall', 'prime'),
}
NAMES = list(FACTORS)

# n, m, d_k, d_v, d_model (d_model only where it is free).
SHAPES = {'one': (1, 1, 1, 1, 1), 'small': (3, 3, 2, 2, 0), 'wide': (2, 4, 4, 3, 5), 'tall': (4, 2, 2, 1, 3), 'prime': (5, 3, 3, 5, 7)}

TEXTS = {
    'words': {1: 'cat', 2: 'big bang', 3: 'the cat the', 4: 'the cat sat the', 5: 'to be or not to'},
    'characters': {1: 'a', 2: 'ab', 3: 'aba', 4: 'a😀ba', 5: 'naïve'},
    'bytes': {1: 'a', 2: 'é', 3: 'aé', 4: '😀', 5: 'naïv'},
}


def allowed(c):
    """Whether a combination of settings is a valid spec: settings that do not apply to its start have their neutral value."""
    start = c['start']
    from_x = start in X_STARTS
    embeds = start in ('words', 'characters', 'bytes', 'ids')
    has_v = from_x or start in ('qkv', 'qkv-heads', 'qkv-batch') or '+v' in start or start.startswith('weights')
    per_head = start.endswith(('-heads', '-batch')) or start in ('scores-heads+v', 'scores-batch+v')
    rules = [
        (c['embedding'] != '-') == embeds,
        from_x or c['projections'] == 'none',
        from_x or c['positions'] not in ADDED,
        not start.startswith(('scores', 'weights')) or c['positions'] not in ROPE,
        has_v or c['output'] == '-',
        not per_head or c['heads'] > 1,
        start not in ('scores', 'scores+v', 'weights') or c['heads'] == 1,
        c['kvHeads'] != 'divisor' or c['heads'] == 4,
        c['kvHeads'] != 'one' or c['heads'] > 1,
        c['kvHeads'] == '-' or not (start == 'scores' or start == 'scores-heads'),
        c['kvHeads'] in ('-', 'heads') or not from_x or c['projections'] != 'none',
        not c['mask'].endswith('-heads') or c['heads'] > 1,
        c['numbers'] != 'large' or not embeds or c['embedding'] == 'given' or c['projections'].startswith('given'),
        c['numbers'] != 'tiny' or not embeds or c['embedding'] == 'given',
    ]
    if start.startswith('weights'):
        # Nothing before the weights exists.
        rules += [c[f] == FACTORS[f][0] for f in ('positions', 'scale', 'softcap', 'temperature', 'mask', 'fullyMasked')]
    return all(rules)


def draw_case(random, fixed):
    """A random combination with the fixed settings, or None when none is found."""
    for _ in range(400):
        dice = random.randint(0, 1 << 30, len(NAMES)).tolist()
        case = {f: fixed[f] if f in fixed else FACTORS[f][d % len(FACTORS[f])] for f, d in zip(NAMES, dice)}
        repair(case, fixed)
        if allowed(case):
            return case
    return None


def repair(case, fixed):
    """Sets the free settings that cannot apply to their neutral values, so that few draws have to be discarded."""

    def neutral(factor, value):
        if factor not in fixed:
            case[factor] = value

    if case['start'] in ('words', 'characters', 'bytes', 'ids'):
        if case['embedding'] == '-':
            neutral('embedding', 'given')
    else:
        neutral('embedding', '-')
    if case['start'] not in X_STARTS:
        neutral('projections', 'none')
        if case['positions'] in ADDED:
            neutral('positions', 'none')
    if case['start'].startswith('weights'):
        for factor in ('positions', 'scale', 'softcap', 'temperature', 'mask', 'fullyMasked'):
            neutral(factor, FACTORS[factor][0])
    if case['start'] in ('scores', 'scores+v', 'weights'):
        neutral('heads', 1)
        neutral('kvHeads', '-')
    elif case['kvHeads'] == 'divisor':
        neutral('heads', 4)
    if case['start'] in ('qk', 'qk-heads', 'scores', 'scores-heads'):
        neutral('output', '-')


def pairs_of(case):
    return {(i, case[f], j, case[g]) for i, f in enumerate(NAMES) for j, g in enumerate(NAMES) if i < j}


def pairwise(seed=2017):
    """Cases in which every possible pair of settings occurs, and the number of these pairs."""
    random = np.random.RandomState(seed)
    open_pairs = [
        (i, a, j, b)
        for i, f in enumerate(NAMES)
        for j, g in enumerate(NAMES)
        if i < j
        for a in FACTORS[f]
        for b in FACTORS[g]
    ]
    left = dict.fromkeys(open_pairs)
    cases, impossible = [], []
    while left:
        i, a, j, b = pair = next(iter(left))
        fixed = {NAMES[i]: a, NAMES[j]: b}
        first = draw_case(random, fixed)
        if first is None:
            impossible.append((NAMES[i], a, NAMES[j], b))
            del left[pair]
            continue
        candidates = [first] + [c for c in (draw_case(random, fixed) for _ in range(24)) if c is not None]
        best = max(candidates, key=lambda c: sum(p in left for p in pairs_of(c)))
        cases.append(best)
        for p in pairs_of(best):
            left.pop(p, None)
    return cases, len(open_pairs) - len(impossible), impossible


class Numbers:
    """The given numbers of one spec: three decimals, scaled to what the case asks for."""

    def __init__(self, seed, kind, dtype):
        self.random = np.random.RandomState(seed)
        self.kind, self.dtype = kind, dtype

    def matrix(self, rows, columns, power=1.0):
        """`power` 1: scores are products of two of these; 2: these are the scores."""
        values = self.random.randn(rows, columns)
        if self.kind == 'large':
            return [[round(float(x) * 100.0**power, 1) for x in row] for row in values]
        if self.kind == 'tiny':
            exponent = int((-160 if self.dtype == 'float64' else -21) * power)
            return [[float(f'{round(float(x), 3)}e{exponent}') for x in row] for row in values]
        return plain(values)

    def weight(self, rows, columns):
        return plain(self.random.randn(rows, columns))

    def row(self, columns):
        return plain(self.random.randn(1, columns))[0]


def plain(values):
    return [[round(float(x), 3) + 0.0 for x in row] for row in values]


def build(case, index):
    """A combination of settings to the spec's JSON."""
    return Builder(case, index).spec()


class Builder:
    def __init__(self, case, index):
        self.case, self.index = case, index
        self.numbers = Numbers(1000 + index, case['numbers'], case['dtype'])
        self.heads = case['heads']
        self.kv_heads = {'-': self.heads, 'heads': self.heads, 'one': 1, 'divisor': 2}[case['kvHeads']]
        self.sizes()

    def sizes(self):
        case = self.case
        self.n, self.m, self.d_k, self.d_v, self.d_model = SHAPES[case['shape']]
        if case['positions'] in ROPE:
            self.d_k += self.d_k % 2
        if case['start'] not in X_STARTS:
            self.d_model = self.d_model or self.heads * self.d_v
            return
        if case['start'] != 'x+context':
            self.m = self.n
        if case['projections'] == 'none':
            if case['positions'] == 'sinusoidal-concatenated' and self.heads * self.d_k % 2:
                self.d_k += 1
            self.d_v, self.d_model = self.d_k, self.heads * self.d_k
        self.d_model = self.d_model or self.heads * self.d_k
        if case['positions'] == 'sinusoidal-concatenated':
            self.d_model += self.d_model % 2

    def spec(self):
        case = self.case
        # The embedding's width is read only where a table is drawn; elsewhere another number must change nothing.
        unread = case['start'] in X_STARTS and case['embedding'] != 'random' and self.index % 2 == 1
        spec = {'version': 1, 'dtype': case['dtype'], 'start': self.start(), 'dModel': 16 if unread else self.d_model}
        if case['embedding'] != '-':
            spec['embedding'] = self.embedding(spec['start'])
        spec['positions'] = self.positions()
        spec['projections'] = self.projections()
        spec['convention'] = case['convention']
        spec['heads'] = self.heads
        if case['kvHeads'] != '-':
            spec['kvHeads'] = self.kv_heads
        if case['output'] != '-':
            spec['outputProjection'] = self.output()
        spec['scale'] = {'divideBy': 3.7} if case['scale'] == 'divideBy' else case['scale']
        for name in ('softcap', 'temperature'):
            if case[name] != '-':
                spec[name] = case[name]
        spec['mask'] = self.mask()
        spec['maskFill'] = case['maskFill']
        if case['fullyMasked'] != '-':
            spec['fullyMasked'] = case['fullyMasked']
        spec['random'] = {'generator': 'numpy.RandomState', 'seed': self.index}
        return spec

    def stack(self, heads, rows, columns, power=1.0):
        start = self.case['start']
        if 'batch' in start:
            return [[self.numbers.matrix(rows, columns, power) for _ in range(heads)] for _ in range(2)]
        if 'heads' in start:
            return [self.numbers.matrix(rows, columns, power) for _ in range(heads)]
        return self.numbers.matrix(rows, columns, power)

    def start(self):
        start = self.case['start']
        if start in TEXTS:
            return {'from': 'text', 'text': TEXTS[start][self.n], 'tokenizer': start}
        if start == 'ids':
            return {'from': 'ids', 'ids': [int(i) for i in self.numbers.random.randint(0, 5, self.n)]}
        if start.startswith('x'):
            made = {'from': 'x', 'x': self.numbers.matrix(self.n, self.d_model)}
            if start == 'x+context':
                made['context'] = self.numbers.matrix(self.m, self.d_model)
            return made
        if start.startswith('q'):
            return self.qkv(start)
        return self.late(start)

    def qkv(self, start):
        wide = 1 if start.endswith(('-heads', '-batch')) else 0
        per = lambda heads, d: d if wide else heads * d
        made = {
            'from': 'qkv',
            'q': self.stack(self.heads, self.n, per(self.heads, self.d_k)),
            'k': self.stack(self.kv_heads, self.m, per(self.kv_heads, self.d_k)),
        }
        if start.startswith('qkv'):
            made['v'] = self.stack(self.kv_heads, self.m, per(self.kv_heads, self.d_v))
        return made

    def late(self, start):
        made = {'from': start.split('-')[0].split('+')[0]}
        if made['from'] == 'scores':
            made['scores'] = self.stack(self.heads, self.n, self.m, 2.0)
            made['dK'] = self.d_k
        else:
            made['weights'] = map_rows(self.stack(self.heads, self.n, self.m), shares)
        if '+v' in start or made['from'] == 'weights':
            made['v'] = self.stack(self.kv_heads, self.m, self.d_v)
        return made

    def embedding(self, start):
        if self.case['embedding'] == 'random':
            return {'from': 'random'}
        if start['from'] == 'ids':
            rows = max(start['ids']) + 2
        else:
            tokens = {'words': str.split, 'characters': list, 'bytes': str.encode}[start['tokenizer']](start['text'])
            rows = max(tokens) + 1 if start['tokenizer'] == 'bytes' else len(set(tokens))
        return {'from': 'given', 'table': self.numbers.matrix(rows, self.d_model)}

    def positions(self):
        if self.case['positions'] == 'learned-given':
            return {'learned': self.numbers.weight(self.n, self.d_model)}
        return self.case['positions']

    def shaped(self, fan_in, fan_out):
        return self.numbers.weight(*((fan_in, fan_out) if self.case['convention'] == 'XW' else (fan_out, fan_in)))

    def projections(self):
        kind = self.case['projections']
        if kind == 'none':
            return {'from': 'none'}
        if kind.startswith('random'):
            made = {'from': 'random', 'dK': self.d_k, 'dV': self.d_v}
            return {**made, 'bias': True} if kind == 'random-bias' else made
        width = {'q': self.heads * self.d_k, 'k': self.kv_heads * self.d_k, 'v': self.kv_heads * self.d_v}
        made = {'from': 'given', **{'w' + l: self.shaped(self.d_model, width[l]) for l in 'qkv'}}
        if self.case['numbers'] == 'large' and self.case['embedding'] == 'random':
            for name in ('wq', 'wk'):
                made[name] = [[round(x * 50, 2) for x in row] for row in made[name]]
        biased = {'given': '', 'given-bias': 'qkv', 'given-some-bias': 'qv' if self.index % 2 else 'k'}[kind]
        return {**made, **{'b' + l: self.numbers.row(width[l]) for l in biased}}

    def output(self):
        kind = self.case['output']
        if kind == 'none':
            return {'from': 'none'}
        if kind.startswith('random'):
            return {'from': 'random', 'bias': True} if kind == 'random-bias' else {'from': 'random'}
        made = {'from': 'given', 'wo': self.shaped(self.heads * self.d_v, self.d_model)}
        return {**made, 'bo': self.numbers.row(self.d_model)} if kind == 'given-bias' else made

    def mask(self):
        kind = self.case['mask']
        if kind in ('none', 'causal'):
            return kind
        if kind.startswith('causal-'):
            return {'kind': 'causal', 'alignment': kind[7:]}
        if kind == 'padding':
            return {'kind': 'padding', 'visible': self.m - 1}
        if kind.startswith('window'):
            return {'kind': 'window', 'size': 1 if self.m > 2 else 0, 'causal': kind == 'window-causal'}
        if kind.startswith('additive'):
            return {'kind': 'additive', 'values': self.per_head(kind, self.additive)}
        return {'kind': 'boolean', 'values': self.per_head(kind, self.boolean), 'trueMeans': kind.split('-')[0]}

    def per_head(self, kind, make):
        return [make(kind) for _ in range(self.heads)] if kind.endswith('-heads') else make(kind)

    def boolean(self, _):
        return self.numbers.random.randint(0, 2, (self.n, self.m)).tolist()

    def additive(self, kind):
        values = plain(self.numbers.random.randn(self.n, self.m))
        if kind == 'additive-inf':
            hide = self.numbers.random.randint(0, 2, (self.n, self.m))
            hide[self.index % self.n] = 1
            values = [['-inf' if h else x for x, h in zip(*rows)] for rows in zip(values, hide)]
        return values


def map_rows(nested, f):
    return [map_rows(x, f) for x in nested] if isinstance(nested[0], list) else f(nested)


def shares(row):
    """A row of weights: positive, summing to about 1, three decimals; denormal numbers stay as small as they are."""
    total = sum(abs(x) for x in row)
    if total < 1e-15:
        return [abs(x) for x in row]
    return [round(abs(x) / total, 3) for x in row]
