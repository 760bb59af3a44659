"""Every intermediate result, in NumPy, of some hundred specs that cover each variant of attention and each pair of variants.

Write the golden values:     python3 test/reference/attention_variants.py test/fixtures/attention/variants.json.gz
Print every eighth of them:  python3 test/reference/attention_variants.py --every 8

Writing also needs PyTorch. Where PyTorch has the function (embedding, linear, softmax, tanh, MultiheadAttention), its results must
agree before anything is written. Numbers have the fewest digits that identify them in the spec's dtype. Values that JSON lacks are
"inf", "-inf", "nan" and "-0". One line is one spec.
"""
import collections
import gzip
import json
import sys

import numpy as np

from attention_extremes import extremes
from attention_numpy import partials
from attention_specs import NAMES, build, pairwise


def specs():
    """[(name, spec)] and a description of the pairwise covering."""
    cases, pairs, impossible = pairwise()
    named = [(', '.join(f'{f} {c[f]}' for f in NAMES if c[f] not in ('-', 'none')), build(c, i)) for i, c in enumerate(cases)]
    named += extremes()
    return named, {'pairs': pairs, 'pairs that exclude each other': len(impossible)}


def encode(x):
    if np.isnan(x):
        return 'nan'
    if np.isinf(x):
        return 'inf' if x > 0 else '-inf'
    if x == 0:
        return '-0' if np.signbit(x) else 0
    shortest = float(str(x))
    return int(shortest) if shortest.is_integer() and abs(shortest) < 1e15 else shortest


def nested(values):
    return [nested(v) if isinstance(v, np.ndarray) else encode(v) for v in values]


def line(name, spec, steps):
    record = {'name': name, 'spec': spec, 'steps': {step: nested(value) for step, value in steps.items()}}
    return json.dumps(record, separators=(',', ':'), ensure_ascii=False)


def document(head, lines):
    opening = json.dumps(head, separators=(',', ':'))
    return opening[:-1] + ',"specs":[\n' + ',\n'.join(lines) + '\n]}\n'


def sample(every):
    named, _ = specs()
    chosen = named[::every]
    sys.stdout.reconfigure(encoding='utf-8')
    print(document({'numpy': np.__version__}, [line(n, s, partials(s)) for n, s in chosen]), end='')


def write(path):
    import torch

    from attention_torch import check

    named, about = specs()
    calls = collections.Counter()
    lines = []
    for name, spec in named:
        steps = partials(spec)
        try:
            calls.update(check(spec, steps))
        except AssertionError as error:
            raise AssertionError(f'{name}\n{json.dumps(spec)}\n{error}') from None
        lines.append(line(name, spec, steps))
    head = {'numpy': np.__version__, 'torch': torch.__version__, **about, 'agreed with torch': dict(calls)}
    text = document(head, lines).encode('utf-8')
    # The archive has no timestamp, so that the same values give the same bytes.
    data = gzip.compress(text, 9, mtime=0) if path.endswith('.gz') else text
    with open(path, 'wb') as file:
        file.write(data)
    print(f'{len(named)} specs, {len(text)} bytes, {len(data)} written; {head}', file=sys.stderr)


if __name__ == '__main__':
    if len(sys.argv) == 3 and sys.argv[1] == '--every':
        sample(int(sys.argv[2]))
    elif len(sys.argv) == 2:
        write(sys.argv[1])
    else:
        sys.exit(__doc__)
