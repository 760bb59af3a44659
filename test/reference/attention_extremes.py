"""Specs that a covering of all pairs of settings does not contain: extreme numbers, every way to mask a whole row, many heads, large
positions, and layers as in torch.nn.MultiheadAttention."""
import itertools

import numpy as np

from attention_specs import plain

BASE = {
    'version': 1,
    'dtype': 'float64',
    'start': None,
    'dModel': 8,
    'positions': 'none',
    'projections': {'from': 'none'},
    'convention': 'XW',
    'heads': 1,
    'scale': 'sqrt_d_k',
    'mask': 'none',
    'maskFill': '-inf',
    'random': {'generator': 'numpy.RandomState', 'seed': 0},
}
DTYPES = ('float64', 'float32')


def extremes():
    """[(name, spec)]; each name says what is extreme."""
    made = []
    for part in (layers, hidden_rows, special_numbers, large_and_small, many_heads, far_positions, shapes, settings, tokens, pieces, seeds, tutorial):
        made += part(np.random.RandomState(len(part.__name__)))
    return made


def spec(**fields):
    return {**BASE, **fields}


def randn(random, rows, columns, times=1.0):
    return plain(times * random.randn(rows, columns))


def layers(random):
    """nn.MultiheadAttention: X·Wᵀ + b, h·d = d_model, W_O and b_O; self and cross; its masks and their polarity."""
    made = []
    n, m, d_model = 4, 3, 6
    for dtype, heads, cross in itertools.product(DTYPES, (1, 2, 3), (False, True)):
        keys = m if cross else n
        masks = {
            'none': 'none',
            'boolean': {'kind': 'boolean', 'values': random.randint(0, 2, (n, keys)).tolist(), 'trueMeans': 'hidden'},
            'additive': {'kind': 'additive', 'values': randn(random, n, keys)},
            'causal': 'causal',
        }
        for name, mask in masks.items():
            start = {'from': 'x', 'x': randn(random, n, d_model)}
            if cross:
                start['context'] = randn(random, m, d_model)
            weights = {w: randn(random, d_model, d_model) for w in ('wq', 'wk', 'wv')}
            biases = {b: randn(random, 1, d_model)[0] for b in ('bq', 'bk', 'bv')}
            output = {'from': 'given', 'wo': randn(random, d_model, d_model), 'bo': randn(random, 1, d_model)[0]}
            made.append((
                f'MultiheadAttention, {"cross" if cross else "self"}, {heads} heads, mask {name}, {dtype}',
                spec(dtype=dtype, start=start, heads=heads, convention='XWT', mask=mask, outputProjection=output,
                     projections={'from': 'given', **weights, **biases}),
            ))
    return made


def hidden_rows(random):
    """A query that may attend to no key: every mask that can cause it, every fill value, and every treatment of such a row."""
    ways = {
        'causal, aligned at the end': {'kind': 'causal', 'alignment': 'end'},
        'padding': {'kind': 'padding', 'visible': 0},
        'window': {'kind': 'window', 'size': 0, 'causal': True},
        'boolean': {'kind': 'boolean', 'values': [[0, 1], [0, 0], [1, 1], [1, 0]], 'trueMeans': 'visible'},
        'additive': {'kind': 'additive', 'values': [[0, '-inf'], ['-inf', '-inf'], [1.5, 0], [0, -2]]},
        'per head': {'kind': 'boolean', 'values': [[[1, 1], [0, 1], [0, 0], [1, 0]], [[0, 0], [1, 1], [1, 0], [1, 1]]],
                     'trueMeans': 'hidden'},
    }
    made = []
    for (way, mask), result, fill in itertools.product(ways.items(), (None, 'nan', 'zero'), ('-inf', 'min', -100.5)):
        if way == 'additive' and fill != '-inf':
            continue
        heads = 2 if way == 'per head' else 1
        qkv = {'from': 'qkv', 'q': randn(random, 4, 2 * heads), 'k': randn(random, 2, 2 * heads), 'v': randn(random, 2, heads)}
        fields = {} if result is None else {'fullyMasked': result}
        dtype = DTYPES[len(made) % 2]
        made.append((
            f'fully masked by {way}, fill {fill}, result {result}, {dtype}',
            spec(dtype=dtype, start=qkv, heads=heads, mask=mask, maskFill=fill, **fields),
        ))
    return made


def special_numbers(_):
    """NaN, infinities and -0 where a user may have them."""
    rows = {
        'NaN in X': {'from': 'x', 'x': [[1, 2], ['nan', 0.5], [0, -1]]},
        'infinity in X': {'from': 'x', 'x': [[1, 2], ['inf', 0.5], [0.25, -1]]},
        'minus infinity in scores': {'from': 'scores', 'dK': 4, 'scores': [[1, '-inf', 2], ['-inf', 0, '-0'], [3, 1, -1]], 'v': [[1], [2], [3]]},
        'infinity in scores': {'from': 'scores', 'dK': 4, 'scores': [['inf', 1, 2], [0.5, 0, 1]], 'v': [[1], [2], [3]]},
        'a row of minus infinity in scores': {'from': 'scores', 'dK': 4, 'scores': [['-inf', '-inf'], [0.5, 0]], 'v': [[1], [2]]},
        'NaN in scores': {'from': 'scores', 'dK': 4, 'scores': [['nan', 1], [0.5, 0]], 'v': [[1], [2]]},
        'minus zero': {'from': 'qkv', 'q': [['-0', 0]], 'k': [['-0', 1], [0, '-0']], 'v': [['-0'], ['-0']]},
        'weights that do not sum to 1': {'from': 'weights', 'weights': [[2, '-0', 0.5], ['nan', 0, 1]], 'v': [[1, 2], [3, -4], [0.1, 0]]},
        'infinity in V': {'from': 'weights', 'weights': [[0.5, 0.5], [1, 0]], 'v': [[1, 'inf'], [3, 2]]},
    }
    return [(f'{name}, {dtype}', spec(dtype=dtype, start=start)) for (name, start), dtype in itertools.product(rows.items(), DTYPES)]


def large_and_small(random):
    """Scores of ±1e4, weights that underflow, denormal scores and values, overflow of a float32 score."""
    starts = {
        'scores ±1e4': {'scores': [[1e4, -1e4, 0], [1e4, 9999.5, 9999.9], [-1e4, -1e4, -9999]], 'dK': 1},
        'weights that underflow': {'scores': [[0, -700, -740, -745, -746], [0, -80, -90, -100, -104]], 'dK': 1},
        'denormal scores': {'scores': [[5e-324, 1e-310, -3e-309], [1.4e-45, 1e-40, -2e-39], [0, 1e-44, -1e-320]], 'dK': 2},
        'equal scores': {'scores': [[1e4] * 7, [-1e4] * 7, [0.1] * 7], 'dK': 3},
    }
    made = []
    for (name, start), dtype in itertools.product(starts.items(), DTYPES):
        columns = len(start['scores'][0])
        v = {'v': randn(random, columns, 2)}
        made.append((f'{name}, {dtype}', spec(dtype=dtype, start={'from': 'scores', **start, **v})))
        made.append((
            f'{name}, capped and tempered, {dtype}',
            spec(dtype=dtype, start={'from': 'scores', **start, **v}, softcap=50, temperature=0.1, mask='causal', maskFill='min'),
        ))
    for dtype in DTYPES:
        q, k = randn(random, 3, 5, 45), randn(random, 4, 5, 45)
        made.append((f'logits of thousands, {dtype}', spec(dtype=dtype, start={'from': 'qkv', 'q': q, 'k': k, 'v': randn(random, 4, 2)}, scale='none')))
        tiny = [[f'{x}e-{308 if dtype == "float64" else 39}' for x in row] for row in randn(random, 3, 2)]
        made.append((
            f'denormal V, {dtype}',
            spec(dtype=dtype, start={'from': 'weights', 'weights': [[0.25, 0.5, 0.25], [1, 0, 0]], 'v': [[float(x) for x in row] for row in tiny]}),
        ))
    overflow = {'from': 'qkv', 'q': [[1e20, 1], [1, 2]], 'k': [[1e20, 1], [-1e20, 2]], 'v': [[1], [2]]}
    return made + [(f'scores beyond float32, {dtype}', spec(dtype=dtype, start=overflow)) for dtype in DTYPES]


def many_heads(random):
    """ALiBi slopes that are not powers of two, grouped queries with 3 of 6 and 2 of 6 heads."""
    made = []
    for heads, dtype in ((5, 'float64'), (6, 'float32'), (8, 'float64'), (12, 'float64'), (12, 'float32')):
        start = {'from': 'qkv', 'q': randn(random, 2, heads), 'k': randn(random, 3, heads), 'v': randn(random, 3, heads)}
        made.append((f'ALiBi, {heads} heads, {dtype}', spec(dtype=dtype, start=start, heads=heads, positions='alibi', mask='causal')))
    for kv, dtype in ((3, 'float64'), (2, 'float32')):
        projections = {'from': 'random', 'dK': 2, 'dV': 1, 'bias': True}
        made.append((
            f'{kv} key heads for 6, {dtype}',
            spec(dtype=dtype, start={'from': 'x', 'x': randn(random, 3, 5)}, heads=6, kvHeads=kv, projections=projections,
                 positions='rope-half', outputProjection={'from': 'random', 'bias': True}),
        ))
    return made


def far_positions(random):
    """Large angles: rotations and sines at positions up to 47."""
    made = []
    for dtype, convention in itertools.product(DTYPES, ('rope-interleaved', 'rope-half')):
        start = {'from': 'qkv', 'q': randn(random, 2, 6), 'k': randn(random, 48, 6)}
        made.append((f'far keys, {convention}, {dtype}', spec(dtype=dtype, start=start, positions=convention)))
    for dtype, layout in itertools.product(DTYPES, ('sinusoidal-interleaved', 'sinusoidal-concatenated')):
        start = {'from': 'x', 'x': randn(random, 48, 4), 'context': randn(random, 2, 4)}
        made.append((f'far queries, {layout}, {dtype}', spec(dtype=dtype, start=start, positions=layout)))
    return made


def shapes(random):
    """1×1 matrices from every start, sizes that are primes, and longer sums."""
    one = [[0.75]]
    starts = {
        'x': {'from': 'x', 'x': one},
        'x and context': {'from': 'x', 'x': one, 'context': [[-2]]},
        'Q, K, V': {'from': 'qkv', 'q': one, 'k': one, 'v': [[-3.5]]},
        'Q and K': {'from': 'qkv', 'q': one, 'k': one},
        'scores': {'from': 'scores', 'scores': one, 'dK': 1, 'v': one},
        'weights': {'from': 'weights', 'weights': one, 'v': one},
    }
    made = [(f'1×1 from {name}, {dtype}', spec(dtype=dtype, start=s)) for (name, s), dtype in itertools.product(starts.items(), DTYPES)]
    for dtype in DTYPES:
        qkv = {'from': 'qkv', 'q': randn(random, 7, 13), 'k': randn(random, 11, 13), 'v': randn(random, 11, 5)}
        made.append((f'primes 7, 11, 13, 5, {dtype}', spec(dtype=dtype, start=qkv)))
        x = {'from': 'x', 'x': randn(random, 5, 61)}
        made.append((f'sums of 61 terms, {dtype}', spec(dtype=dtype, start=x, projections={'from': 'random', 'dK': 3, 'dV': 2})))
        made.append((f'odd width under sines, {dtype}', spec(dtype=dtype, start={'from': 'x', 'x': randn(random, 3, 5)}, positions='sinusoidal-interleaved')))
    return made


def settings(random):
    """Unusual values of the numeric settings."""
    q, k, v = randn(random, 3, 2), randn(random, 4, 2), randn(random, 4, 2)
    start = {'from': 'qkv', 'q': q, 'k': k, 'v': v}
    changes = {
        'divided by 0.1': {'scale': {'divideBy': 0.1}},
        'divided by -2': {'scale': {'divideBy': -2}},
        'softcap 0.5': {'softcap': 0.5},
        'softcap 30': {'softcap': 30},
        'temperature 0.05': {'temperature': 0.05},
        'temperature 1000': {'temperature': 1000},
        'fill 0': {'mask': 'causal', 'maskFill': 0},
        'fill -10000': {'mask': 'causal', 'maskFill': -10000},
        'all keys visible': {'mask': {'kind': 'padding', 'visible': 4}},
        'a window wider than the keys': {'mask': {'kind': 'window', 'size': 9, 'causal': False}},
        'a causal window': {'mask': {'kind': 'window', 'size': 2, 'causal': True}},
        'ALiBi, capped, tempered, masked': {'positions': 'alibi', 'softcap': 1.5, 'temperature': 0.3, 'mask': 'causal'},
    }
    return [(f'{name}, {dtype}', spec(dtype=dtype, start=start, **fields)) for (name, fields), dtype in itertools.product(changes.items(), DTYPES)]


def tokens(random):
    """Repeated and spaced tokens, characters outside the basic plane, ids with gaps."""
    common = {'embedding': {'from': 'random'}, 'dModel': 4, 'projections': {'from': 'random', 'dK': 2, 'dV': 2}}
    starts = {
        'six words': {'from': 'text', 'text': 'The cat sat on the mat', 'tokenizer': 'words'},
        'spaces and lines': {'from': 'text', 'text': '  to be\n\tor   not to be ', 'tokenizer': 'words'},
        'characters with a space': {'from': 'text', 'text': 'to be', 'tokenizer': 'characters'},
        'characters beyond 16 bits': {'from': 'text', 'text': '😀é😀x', 'tokenizer': 'characters'},
        'bytes of a word': {'from': 'text', 'text': 'é€é', 'tokenizer': 'bytes'},
        'ids with gaps': {'from': 'ids', 'ids': [9, 0, 9, 3]},
    }
    return [
        (f'{name}, {dtype}', spec(dtype=dtype, start=start, positions='sinusoidal-interleaved', **common))
        for (name, start), dtype in itertools.product(starts.items(), DTYPES)
    ]


def pieces(random):
    """Tokens of a vocabulary: very large ids, repeated ids, special tokens, and tokens that are part of a character."""
    common = {'projections': {'from': 'random', 'dK': 2, 'dV': 2}, 'positions': 'sinusoidal-interleaved'}
    drawn = {'embedding': {'from': 'random'}, 'dModel': 4, **common}

    def text(text, tokenizer, *parts):
        return {'from': 'text', 'text': text, 'tokenizer': tokenizer, 'pieces': list(parts)}

    # tiktoken: the ids of "What is the capital of France?" in cl100k_base, of " the cat the" in gpt2, of "😀" in cl100k_base.
    france = [[3923, 0, 4], [374, 4, 7], [279, 7, 11], [6864, 11, 19], [315, 19, 22], [9822, 22, 29], [30, 29, 30]]
    repeated = [[262, 0, 4], [3797, 4, 8], [262, 8, 12]]
    grin = [[76460, 0, 2, '\\xF0\\x9F\\x98'], [222, 0, 2, '\\x80']]
    ended = [[50256, 0, 13, '<|endoftext|>', True], [262, 13, 17]]
    bert = [[2, 0, 0, '[CLS]', True], [4, 0, 4], [5, 4, 7, '##ing'], [3, 7, 7, '[SEP]', True]]
    cases = {
        'seven tokens of cl100k_base': {'start': text('What is the capital of France?', 'cl100k_base', *france), **drawn},
        'a repeated token of gpt2': {'start': text(' the cat the', 'gpt2', *repeated), **drawn},
        'two tokens of one character': {'start': text('😀', 'cl100k_base', *grin), **drawn},
        'a special token in the text': {'start': text('<|endoftext|> the', 'gpt2', *ended), **drawn},
        'no embedding said': {'start': text(' the cat the', 'gpt2', *repeated), 'dModel': 4, **common},
        'special tokens around, a drawn table': {'start': text('walking', {'file': 'vocab.txt'}, *bert), **drawn},
        'special tokens around, a given table': {
            'start': text('walking', {'file': 'vocab.txt'}, *bert),
            'embedding': {'from': 'given', 'table': randn(random, 6, 4)},
            **common,
        },
        'small ids of gpt2, a given table': {
            'start': text('!"!', 'gpt2', [0, 0, 1], [1, 1, 2], [0, 2, 3]),
            'embedding': {'from': 'given', 'table': randn(random, 2, 4)},
            **common,
        },
    }
    return [(f'{name}, {dtype}', spec(dtype=dtype, **fields)) for (name, fields), dtype in itertools.product(cases.items(), DTYPES)]


def seeds(_):
    """Seeds that are too large for a JSON number: default_rng takes integers of any size."""
    x = [[1, 0.5], [-0.25, 2], [0.75, -1]]
    made = []
    for seed, dtype in itertools.product((7, 2**53 - 1, str(2**53 + 1), str(2**128 + 12345)), DTYPES):
        fields = {'start': {'from': 'x', 'x': x}, 'projections': {'from': 'random', 'dK': 2, 'dV': 3}}
        generator = {'generator': 'numpy.default_rng', 'seed': seed}
        made.append((f'default_rng, seed {seed}, {dtype}', spec(dtype=dtype, random=generator, **fields)))
    return made


def tutorial(_):
    """Tutorial 003: its question in cl100k_base, sines and cosines, Q = K = V = M; then heads with W_O."""
    text = 'What is the capital of France?'
    france = [[3923, 0, 4], [374, 4, 7], [279, 7, 11], [6864, 11, 19], [315, 19, 22], [9822, 22, 29], [30, 29, 30]]
    start = {'from': 'text', 'text': text, 'tokenizer': 'cl100k_base', 'pieces': france}
    common = {'start': start, 'dModel': 8, 'positions': 'sinusoidal-interleaved'}
    many = {'heads': 2, 'projections': {'from': 'random', 'dK': 4, 'dV': 3}, 'outputProjection': {'from': 'random'}}
    cases = {'Q = K = V = M': common, 'two heads and W_O': {**common, **many}}
    return [(f'tutorial 003, {name}, {dtype}', spec(dtype=dtype, **fields)) for (name, fields), dtype in itertools.product(cases.items(), DTYPES)]
