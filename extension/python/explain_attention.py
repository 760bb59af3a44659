"""Shows the attention of a running program in VS Code, with the extension Explain Attention.

    from explain_attention import explain, capture

    explain(Q, K, V, mask=mask)                           # in a notebook: every step, under the cell

    with capture(model, heads=[0, 1], tokens=128) as c:   # every attention of a PyTorch model as it runs
        model(batch)
    c.save('run.safetensors')                             # open it in VS Code

One file that needs nothing but Python: lists, NumPy, PyTorch, JAX, TensorFlow and CuPy arrays are read as they are.
"""
import functools
import json
import math
import os
import re
import struct
import sys
import weakref

__all__ = ['explain', 'capture']
__version__ = '1'

MIME = 'application/vnd.explain-attention+json'
# Bytes of an output: it is stored in the notebook.
OUTPUT_LIMIT = 200_000
# Bytes of copies that wait on a card at most.
_WAITING = 256_000_000
_LISTS = {tuple, list}
# Numbers of a copy that is brought over together with others.
_SMALL = 1 << 18
_EVERY = slice(None)
# What text and table take of it.
_FALLBACK = 12_000


# ---------------------------------------------------------------------------------------------------- explain()


def explain(Q, K, V=None, *, mask=None, is_causal=False, scale=None, true_means='visible', batch=0, heads=None,
            tokens=None, labels=None, name='', max_bytes=OUTPUT_LIMIT):
    """Attention of these numbers, shown step by step.

    Q: queries × d_k, K: keys × d_k, V: keys × d_v; a leading axis counts heads, one before it inputs of a batch.
    mask: booleans, or floats that are added to the scaled scores; 'causal' or is_causal=True hides later keys.
    true_means: 'visible' as in scaled_dot_product_attention, 'hidden' as in nn.MultiheadAttention.
    scale: what the scores are multiplied by, 1/√d_k by default. batch: the input that is shown.
    heads: an index or several. tokens: a count or a slice; the softmax is then over these tokens alone.
    labels: names of the rows. max_bytes: what an output may hold; more heads or queries are left out, and that is said.
    """
    if isinstance(mask, str):
        if mask not in ('causal', 'none'):
            raise ValueError(f"mask is {mask!r}, expected an array, 'causal' or 'none'")
        is_causal, mask = is_causal or mask == 'causal', None
    if is_causal and mask is not None:
        raise ValueError('mask and is_causal are both given, expected one of them')
    if true_means not in ('visible', 'hidden'):
        raise ValueError(f"true_means is {true_means!r}, expected 'visible' or 'hidden'")
    notes = []
    q, k = _heads_of(Q, 'Q', batch, notes), _heads_of(K, 'K', batch, notes)
    v = None if V is None else _heads_of(V, 'V', batch, notes)
    _check(q, k, v)
    rows, keys = _token_range(tokens, _rows(q[0])), _token_range(tokens, _rows(k[0]))
    if tokens is not None and (rows, keys) != ((0, _rows(q[0])), (0, _rows(k[0]))):
        notes.append(f'Tokens {keys[0]} to {keys[1] - 1} of {_rows(k[0])} alone: the softmax is over these keys.')
    chosen = _indexes(heads, len(q), 'heads')
    if len(chosen) < len(q):
        notes.append(f'Heads {", ".join(map(str, chosen))} of {len(q)}.')
    hidden = None if mask is None else _mask_of(mask, batch, len(q), _rows(q[0]), _rows(k[0]), true_means, notes)
    whole = _Call(q, k, v, hidden, is_causal, scale, _names(labels, _rows(q[0]), _rows(k[0])), _dtype(Q, K, V, notes))
    return Explanation(whole, chosen, rows, keys, notes, name, max_bytes)


class Explanation:
    """What explain() returns. A notebook shows it; `spec` is plain JSON, print() gives the weights as text."""

    def __init__(self, call, heads, rows, keys, notes, name, max_bytes):
        self.name, self.notes = (name or '')[:200], list(notes)
        self.spec = None
        self._call, self._first = call, (heads[0], rows, keys)
        many = len(heads) * ((rows[1] - rows[0]) * call.width + (keys[1] - keys[0]) * (call.width + call.values))
        fitted = call.fit(heads, rows, keys, max_bytes - _FALLBACK)
        if fitted:
            self.spec, said = fitted
            self.notes += said
        else:
            self.notes.append(f'Q, K and V hold {many:,} numbers, more than {max_bytes:,} bytes. '
                              f'Pass tokens=, heads=, or max_bytes=.')

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {'text/plain': repr(self), 'text/html': self._repr_html_()}
        if self.spec:
            # As text: a notebook's file puts each number of a list on a line of its own.
            spec = json.dumps(self.spec, separators=(',', ':'))
            data[MIME] = {'version': 1, 'label': self.name or 'explain', 'notes': self.notes, 'spec': spec}
        return data

    def __repr__(self):
        head, rows, keys = self._first
        lines = [f'Attention {self._call.says()}'] + self.notes
        table = self._call.attend(head, rows, keys)
        if table:
            lines += [f'weights of head {head}, computed in float64:']
            lines += ['  ' + ' '.join(_digits(x) for x in weights[:12]) + (' …' if len(weights) > 12 else '')
                      for weights, _ in table]
        return '\n'.join(lines)

    def _repr_html_(self):
        head, rows, keys = self._first
        parts = [f'<p>Attention {_html(self._call.says())}</p>'] + [f'<p>{_html(note)}</p>' for note in self.notes]
        table = self._call.attend(head, rows, keys)
        if table:
            names = self._call.labels or {}
            queries, over = names.get('queries'), names.get('keys', names.get('queries'))
            shown = min(12, keys[1] - keys[0])
            top = ''.join(f'<th>{_html(over[keys[0] + j][:40] if over else keys[0] + j)}</th>' for j in range(shown))
            body = ''
            for i, (weights, output) in enumerate(table):
                label = queries[rows[0] + i][:40] if queries else rows[0] + i
                cells = ''.join(f'<td>{_digits(x)}</td>' for x in weights[:12])
                mixed = ' '.join(_digits(x) for x in output[:8]) + (' …' if len(output) > 8 else '')
                body += f'<tr><th>{_html(label)}</th>{cells}<td>{mixed}</td></tr>'
            result = '' if self._call.v is None else 'output'
            caption = f'Weights of head {head}, computed in float64'
            parts.append(f'<table><caption>{caption}</caption><tr><th></th>{top}<th>{result}</th></tr>{body}</table>')
        return ''.join(parts)


class _Call:
    """Q, K, V as matrices of heads, not yet read, and what is done with them."""

    def __init__(self, q, k, v, mask, causal, scale, labels, dtype):
        self.q, self.k, self.v, self.mask, self.causal, self.labels, self.dtype = q, k, v, mask, causal, labels, dtype
        self.width = _columns(q[0])
        self.values = 0 if v is None else _columns(v[0])
        self.scale = 1 / math.sqrt(self.width) if scale is None else float(scale)
        if not math.isfinite(self.scale) or self.scale == 0:
            raise ValueError(f'scale is {scale}, expected a number other than 0')

    def says(self):
        heads = f'{len(self.q)} × ' if len(self.q) > 1 else ''
        v = '' if self.v is None else f', V {_rows(self.v[0])}×{self.values}'
        kind = 'causal' if self.causal else 'with a mask' if self.mask else 'without a mask'
        return f'{heads}Q {_rows(self.q[0])}×{self.width}, K {_rows(self.k[0])}×{self.width}{v}, {self.dtype}, {kind}'

    def fit(self, heads, rows, keys, limit):
        """A spec within so many bytes: fewer heads, then fewer queries. Keys are never left out: weights would be others."""
        if limit <= 0:
            return None
        said, group, n = [], len(self.q) // len(self.k), rows[1] - rows[0]
        # Two characters at least for a number: what cannot fit is not even written.
        query, pair = 2 * self.width, 2 * (keys[1] - keys[0]) * (self.width + self.values)
        count = int(limit / (n * query + pair / group))
        count = min(len(heads), count // group * group or max(1, count))
        while True:
            size = limit + 1
            if n * query + pair <= limit:
                spec = self.spec(heads[:count], rows, keys)
                size = _size(spec)
            if size <= limit or count == 1:
                break
            # Masks may be shared by all heads, so the share of a head is estimated and then checked.
            count = min(count - 1, int(count * limit / size))
            count = count // group * group or max(1, count)
        if count < len(heads):
            said.append(f'Heads {heads[0]} to {heads[count - 1]} of {len(heads)}: all would exceed {limit:,} bytes.')
        heads, last = heads[:count], rows[1]
        while size > limit and n > 1:
            most = limit // (query + 2 * (self.width + self.values)) if self.causal else (limit - pair) // query
            n = max(1, min(n - 1, int(n * limit / size), most))
            last = rows[0] + n
            # What a causal mask hides from the last query may go.
            seen = min(keys[1], keys[0] + n) if self.causal else keys[1]
            if n == 1 and not self.causal and pair > limit:
                return None
            spec = self.spec(heads, (rows[0], last), (keys[0], seen))
            size = _size(spec)
        if size > limit:
            return None
        if last < rows[1]:
            said.append(f'Queries {rows[0]} to {last - 1} of {rows[1]}: all would exceed {limit:,} bytes. '
                        'Their numbers are those of the whole.')
        return spec, said

    def spec(self, heads, rows, keys):
        numbers = lambda matrix, part: _numbers(matrix, part, self.dtype)
        q = [numbers(self.q[h], rows) for h in heads]
        kv = sorted({self.kv(h) for h in heads})
        # Heads that share keys must come in whole groups; else each gets its own.
        shares = len(self.k) < len(self.q) and len(heads) % len(kv) == 0 and all(
            self.kv(h) == kv[i * len(kv) // len(heads)] for i, h in enumerate(heads))
        own = kv if shares or len(self.k) == len(self.q) else [self.kv(h) for h in heads]
        if len(self.k) == len(self.q):
            own = list(heads)
        k = [numbers(self.k[h], keys) for h in own]
        start = {'from': 'qkv', 'q': _one(q), 'k': _one(k)}
        if self.v is not None:
            start['v'] = _one([numbers(self.v[h], keys) for h in own])
        spec = {'version': 1, 'dtype': self.dtype, 'start': start, 'dModel': 16, 'positions': 'none',
                'projections': {'from': 'none'}, 'convention': 'XW', 'heads': len(heads), 'scale': self.divisor(),
                'mask': self.masked(heads, rows, keys), 'maskFill': '-inf',
                'random': {'generator': 'numpy.RandomState', 'seed': 0}}
        if len(k) != len(q):
            spec['kvHeads'] = len(k)
        if self.labels:
            names = {'queries': self.labels['queries'][rows[0]:rows[1]]}
            over = self.labels.get('keys')
            if over or rows != keys:
                names['keys'] = (over or self.labels['queries'])[keys[0]:keys[1]]
            spec['labels'] = names
        return spec

    def kv(self, head):
        return head * len(self.k) // len(self.q)

    def divisor(self):
        if self.scale == 1:
            return 'none'
        return 'sqrt_d_k' if self.scale == 1 / math.sqrt(self.width) else {'divideBy': 1 / self.scale}

    def masked(self, heads, rows, keys):
        if self.causal:
            same = rows[0] == keys[0]
            return 'causal' if same else {'kind': 'boolean', 'trueMeans': 'hidden', 'values': [
                [int(j > i) for j in range(*keys)] for i in range(*rows)]}
        if not self.mask:
            return 'none'
        means, matrices = self.mask
        cut = [_cut(matrices[h % len(matrices)], rows, keys) for h in (heads if len(matrices) > 1 else [0])]
        if means == 'added':
            return {'kind': 'additive', 'values': _one([_numbers(m, None, self.dtype) for m in cut])}
        return {'kind': 'boolean', 'trueMeans': means, 'values': _one([[[int(x) for x in row] for row in m] for m in cut])}

    def attend(self, head, rows, keys):
        """Weights and output of the first eight queries, in float64; nothing where that would take long."""
        last = min(rows[1], rows[0] + 8)
        if (keys[1] - keys[0]) * (self.width + self.values) > 200_000:
            return None
        q = _floats(self.q[head], (rows[0], last))
        k = _floats(self.k[self.kv(head)], keys)
        v = None if self.v is None else _floats(self.v[self.kv(head)], keys)
        found = []
        for i, row in enumerate(q):
            scores = [math.fsum(a * b for a, b in zip(row, key)) * self.scale for key in k]
            scores = [self.added(head, rows[0] + i, keys[0] + j, s, rows, keys) for j, s in enumerate(scores)]
            weights = _softmax(scores)
            output = [] if v is None else [math.fsum(w * x[c] for w, x in zip(weights, v)) for c in range(self.values)]
            found.append((weights, output))
        return found

    def added(self, head, i, j, score, rows, keys):
        if self.causal:
            return -math.inf if j > i else score
        if not self.mask:
            return score
        means, matrices = self.mask
        matrix = matrices[head % len(matrices)]
        row = matrix[i if len(matrix) > 1 else 0]
        cell = row[j if len(row) > 1 else 0]
        if means == 'added':
            return score + cell
        return -math.inf if bool(cell) == (means == 'hidden') else score


def _heads_of(x, name, batch, notes):
    """The matrices of an input, one for each head, not yet read."""
    shape = _shape(x, name)
    if len(shape) < 2 or len(shape) > 4:
        raise ValueError(f'{name} is {_times(shape)}, expected rows × columns, with heads or inputs and heads before them')
    if 0 in shape:
        raise ValueError(f'{name} is {_times(shape)}: it is empty')
    if len(shape) == 4:
        index = _indexes(batch, shape[0], 'batch')[0]
        if shape[0] > 1:
            _say(notes, f'Input {index} of {shape[0]}.')
        x = x[index]
    elif len(shape) == 3 and shape[0] > 1:
        _say(notes, 'Of three axes the first is taken as heads.')
    return [x] if len(shape) == 2 else [x[h] for h in range(shape[-3])]


def _say(notes, note):
    if note not in notes:
        notes.append(note)


def _check(q, k, v):
    for name, x in (('K', k), ('V', v)):
        if x is not None and len(q) % len(x):
            raise ValueError(f'Q has {len(q)} heads, {name} {len(x)}: expected as many, or a divisor')
    if v is not None and len(k) != len(v):
        raise ValueError(f'K has {len(k)} heads, V {len(v)}: expected as many')
    if _columns(q[0]) != _columns(k[0]):
        raise ValueError(f'Q has {_columns(q[0])} columns, K {_columns(k[0])}: expected as many')
    if v is not None and _rows(k[0]) != _rows(v[0]):
        raise ValueError(f'K has {_rows(k[0])} rows, V {_rows(v[0])}: expected as many')


def _mask_of(mask, batch, heads, n, m, true_means, notes):
    shape = _shape(mask, 'mask')
    fits = len(shape) in (1, 2, 3, 4) and shape[-1] in (1, m) and (len(shape) < 2 or shape[-2] in (1, n)) and (
        len(shape) < 3 or shape[-3] in (1, heads))
    if not fits:
        raise ValueError(f'mask is {_times(shape)}, expected {n}×{m}, or {heads}×{n}×{m}')
    if len(shape) == 4:
        mask = mask[batch if shape[0] > 1 else 0]
    matrices = [mask[h] for h in range(shape[-3])] if len(shape) > 2 else [[mask] if len(shape) == 1 else mask]
    read = [_raw(matrix) for matrix in matrices]
    if len(shape) == 1:
        read = [[_raw(mask)]]
    kinds = {type(x) for matrix in read for row in matrix for x in row}
    if kinds == {bool}:
        _say(notes, f'True in mask means {true_means}.')
        return true_means, read
    if kinds <= {float} or (kinds <= {int, float} and 'float' in str(getattr(mask, 'dtype', 'float'))):
        return 'added', [[[float(x) for x in row] for row in matrix] for matrix in read]
    raise ValueError('mask holds whole numbers, expected booleans, or floats that are added to the scores')


def _names(labels, n, m):
    if labels is None:
        return None
    given = labels if isinstance(labels, dict) else {'queries': labels}
    names = {key: [str(x) for x in value] for key, value in given.items()}
    for key, count in (('queries', n), ('keys', m)):
        if key in names and len(names[key]) != count:
            raise ValueError(f'labels: {len(names[key])} for {count} {key}')
    if 'queries' not in names:
        raise ValueError("labels: expected a list, or {'queries': …, 'keys': …}")
    if 'keys' not in names and n != m:
        raise ValueError(f"labels: {n} queries and {m} keys, expected {{'queries': …, 'keys': …}}")
    return names


def _dtype(Q, K, V, notes):
    order = ['bfloat16', 'float16', 'float32', 'float64']
    found = [_dtype_name(x) for x in (Q, K, V) if x is not None]
    widest = max(found, key=order.index)
    if {'bfloat16', 'float16'} <= set(found):
        widest = max(widest, 'float32', key=order.index)
    if len(set(found)) > 1:
        _say(notes, f'Q, K and V are {", ".join(found)}; computed in {widest}.')
    return widest


def _dtype_name(x):
    name = str(getattr(x, 'dtype', 'float64')).lower()
    if 'complex' in name or getattr(x, 'is_quantized', False) or 'qint' in name:
        raise ValueError(f'{name} is no attention that is explained here, expected real numbers')
    found = re.search(r'bfloat16|float16|float32|float64|half', name)
    return {'half': 'float16'}.get(found.group(), found.group()) if found else 'float64'


def _shape(x, name):
    if hasattr(x, 'shape'):
        return [int(n) for n in x.shape]
    shape = []
    while isinstance(x, (list, tuple)):
        shape.append(len(x))
        if not x:
            break
        if isinstance(x[0], (list, tuple)) and any(not isinstance(y, (list, tuple)) or len(y) != len(x[0]) for y in x):
            raise ValueError(f'{name}: rows have different lengths')
        x = x[0]
    if not shape:
        raise ValueError(f'{name} is {type(x).__name__}, expected an array or lists of numbers')
    return shape


def _rows(x):
    return int(x.shape[0]) if hasattr(x, 'shape') else len(x)


def _columns(x):
    return int(x.shape[1]) if hasattr(x, 'shape') else len(x[0])


def _raw(x):
    """Lists of what an array holds. A tensor with a gradient, on a device or in bfloat16 too; nothing of it is changed."""
    if hasattr(x, 'detach') and hasattr(x, 'cpu'):
        x = x.detach().cpu()
        if 'bfloat16' in str(x.dtype):
            x = x.float()
    elif not hasattr(x, 'tolist') and hasattr(x, 'numpy'):
        x = x.numpy()
    if hasattr(x, 'tolist'):
        return x.tolist()
    if isinstance(x, (list, tuple)):
        return [_raw(y) for y in x]
    return x


def _floats(matrix, part):
    rows = _raw(matrix if part is None else matrix[part[0]:part[1]])
    return [[float(x) for x in row] for row in rows]


def _numbers(matrix, part, dtype):
    short = _exact if dtype == 'float64' else _shortest
    return [[short(x) for x in row] for row in _floats(matrix, part)]


def _exact(x):
    if math.isnan(x):
        return 'nan'
    if math.isinf(x):
        return 'inf' if x > 0 else '-inf'
    if x == 0:
        return '-0' if math.copysign(1, x) < 0 else 0
    return int(x) if x.is_integer() and abs(x) < 1e15 else x


def _shortest(x):
    """The fewest digits that are the same number in float32."""
    plain = _exact(x)
    if not isinstance(plain, float):
        return plain
    for digits in range(3, 10):
        near = float(f'{x:.{digits}g}')
        if struct.unpack('<f', struct.pack('<f', near))[0] == x:
            return near
    return plain


def _cut(matrix, rows, keys):
    held = matrix if len(matrix) == 1 else matrix[rows[0]:rows[1]]
    return [row if len(row) == 1 else row[keys[0]:keys[1]] for row in held]


def _token_range(tokens, count):
    if tokens is None:
        return 0, count
    part = tokens if isinstance(tokens, slice) else slice(0, tokens)
    start, end, step = part.indices(count)
    if step != 1 or end <= start:
        raise ValueError(f'tokens is {tokens}, expected a count or a slice of the {count}')
    return start, end


def _indexes(chosen, count, name):
    if chosen is None:
        return list(range(count))
    if isinstance(chosen, slice):
        found = list(range(count))[chosen]
    else:
        found = [chosen] if isinstance(chosen, int) else list(chosen)
    if not found or any(not -count <= i < count for i in found):
        raise ValueError(f'{name} is {chosen}, expected of {count}: 0 to {count - 1}')
    return [i % count for i in found]


def _one(matrices):
    return matrices[0] if len(matrices) == 1 else matrices


def _size(spec):
    return len(json.dumps(spec, separators=(',', ':')))


def _softmax(scores):
    top = max(scores)
    if math.isnan(top) or top == -math.inf:
        return [math.nan] * len(scores)
    powers = [math.exp(s - top) for s in scores]
    total = math.fsum(powers)
    return [p / total for p in powers]


def _digits(x):
    return f'{x:.4f}'


def _times(shape):
    return '×'.join(map(str, shape))


def _html(text):
    return str(text).replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('"', '&quot;')


# ---------------------------------------------------------------------------------------------------- capture()


class capture:
    """Records every attention of a PyTorch model as it runs, and changes nothing in it.

        with capture(model, batch=0, heads=[0, 1], tokens=128) as c:
            model(x)
        c.save('run.safetensors')

    Seen are scaled_dot_product_attention, nn.MultiheadAttention, softmax written by hand (product, scale, mask, softmax,
    product), and by their arguments flash_attn_func and the attention functions of Hugging Face's transformers.
    batch, heads: an index, several or None for all. tokens: the queries that are kept (a count or a slice); of keys all
    that these see. What ran and was not recognised is in `unseen`. enabled=False records nothing and costs nothing.
    limit: bytes that are kept at most.
    """

    def __init__(self, model=None, *, batch=0, heads=None, tokens=None, enabled=True, limit=400_000_000):
        self.model, self.batch, self.heads, self.tokens = model, batch, heads, tokens
        self.enabled, self.limit = enabled, limit
        self.attentions, self.unseen, self.notes = [], [], []
        self._bytes, self._waiting, self._busy, self._muted, self._missed, self._depth = 0, 0, False, 0, 0, 0
        self._nodes, self._path, self._calls, self._undo, self._changes = {}, [], {}, [], {}
        self._heads_hint, self._files, self._modules, self._layouts = None, {}, {}, {}

    def __enter__(self):
        if not self.enabled:
            return self
        self._depth += 1
        if self._depth > 1:  # Within itself: it records once.
            return self
        import torch
        if not hasattr(torch.overrides, 'TorchFunctionMode'):
            raise RuntimeError(f'PyTorch {torch.__version__} has no TorchFunctionMode, expected 1.13 or newer')
        self._torch = torch
        self._library = os.path.dirname(torch.__file__) + os.sep
        self._called_by = torch.nn.Module._call_impl.__code__
        self._mode, self._ends = _mode_of(torch)(self), self._gone
        self._products = _Instead(torch, **{name: self._looked_at(getattr(torch, name), name) for name in ('bmm', 'baddbmm')})
        self._run_uncompiled()
        self._watch_modules()
        self._watch_flash()
        self._watch_transformers()
        stack, overrides = _stack_of(torch), torch.overrides
        if stack is not None:
            usual, overrides._TorchFunctionStackMode = overrides._TorchFunctionStackMode, stack
            self._undo.append(lambda: setattr(overrides, '_TorchFunctionStackMode', usual))
        self._mode.__enter__()
        return self

    def __exit__(self, *error):
        if not self.enabled:
            return False
        self._depth -= 1
        if self._depth:
            return False
        self._mode.__exit__(*error)
        for undo in reversed(self._undo):
            undo()
        for node in self._nodes.values():
            if node.softmax and not node.shared.used:
                self._miss(f'{node.where_text()}: a softmax over keys, no product with V after it')
        self._nodes.clear()
        self._changes.clear()
        self._undo, self._path, self._modules, self._layouts = [], [], {}, {}
        # No circles: what was kept ends with the recorder.
        self._mode = self._ends = self._products = None
        self._bring_over()
        return False

    def save(self, path='attention.safetensors'):
        """Writes what was recorded; one file for each process of a distributed run. Returns the path."""
        rank, world = _rank()
        if world > 1:
            stem, extension = os.path.splitext(path)
            path = f'{stem}.rank{rank}{extension}'
        torch = sys.modules.get('torch')
        about = {'version': 1, 'library': f'torch {torch.__version__}' if torch else '', 'rank': rank, 'world': world,
                 'attentions': [one.about for one in self.attentions], 'unseen': self.unseen, 'notes': self.notes}
        tensors = {}
        for i, one in enumerate(self.attentions):
            for name, tensor in one.tensors.items():
                tensors[f'{i}.{name}'] = tensor
        _write_safetensors(path, tensors, {'explain_attention': json.dumps(about)})
        return path

    def explain(self, index=0, head=0, batch=0, **options):
        """A recorded head, as explain() shows it."""
        return self.attentions[index].explain(head, batch, **options)

    def __repr__(self):
        lines = [f'{len(self.attentions)} attentions, {self._bytes:,} bytes']
        lines += [f'  {i}: {one.says()}' for i, one in enumerate(self.attentions)]
        lines += [f'  not recorded: {reason}' for reason in self.unseen] + [f'  {note}' for note in self.notes]
        return '\n'.join(lines)

    # ---- where the program is

    def _run_uncompiled(self):
        """What torch.compile has fused cannot be seen, and compiling within a mode fails: so nothing is compiled meanwhile."""
        stance = getattr(getattr(self._torch, 'compiler', None), 'set_stance', None)
        if stance is not None:
            eager = stance('force_eager')
            eager.__enter__()
            self._undo.append(lambda: eager.__exit__(None, None, None))

    def _note(self, note):
        if note not in self.notes:
            self.notes.append(note)

    def _watch_modules(self):
        if self.model is None:
            return
        kinds, modules, model = {}, self._modules, self.model
        distributed = type(model).__name__ == 'DistributedDataParallel'

        def look_at(module, name):
            cls = type(module)
            kind, looks, special, is_plain = kinds.get(cls) or kinds.setdefault(cls, self._kind_of(cls))
            inner = module._modules
            if is_plain and not inner and module is not model or id(module) in seen:
                return
            seen.add(id(module))
            if special:
                self._say_of(special, name or 'model', kind)
            if special != 'script':
                path = name
                if '_orig_mod' in name or '_fsdp_wrapped_module' in name:
                    path = re.sub(r'(^|\.)(_orig_mod|_fsdp_wrapped_module)(?=\.|$)', '', name).lstrip('.')
                if distributed:
                    path = re.sub(r'^module\.?', '', path)
                modules[id(module)] = module, path, kind
                # Each hook costs time at each call: the model and what is called an attention have one.
                # Any other module is found when it is needed, among those that run.
                if looks or module is model:
                    hook(module, self._entering(path, kind, looks))
            if inner:
                start = name + '.' if name else ''
                for key, one in inner.items():
                    if one is not None:
                        look_at(one, start + key)

        def hook(module, enter):
            leave, held = _Hook(self._leaving), []
            hooks.append((held, lambda: held.extend((module.register_forward_pre_hook(enter), module.register_forward_hook(leave)))))
            hooks[-1][1]()

        def unhook():
            for held, _ in hooks:
                while held:
                    held.pop().remove()

        def scripted(*args, **kwargs):
            """torch.jit.script compiles the hooks of a module too, and ours are none that it can: it gets the program's own module."""
            unhook()
            try:
                # It looks up names where it is called.
                return script(*args, **{**kwargs, '_frames_up': kwargs.get('_frames_up', 0) + 1})
            finally:
                for _, again in hooks:
                    again()

        seen, hooks, jit = set(), [], self._torch.jit
        look_at(model, '')
        script, jit.script = jit.script, scripted
        self._undo += [unhook, lambda: setattr(jit, 'script', script)]

    def _kind_of(self, cls):
        """A class of modules: its name, whether it is called an attention, what is to be said of it, whether it is one of torch.nn that holds none."""
        kind = cls.__name__
        special = ('script' if issubclass(cls, self._torch.jit.ScriptModule)
                   else kind if kind in ('OptimizedModule', 'DataParallel') else None)
        is_plain = cls.__module__.startswith('torch.nn.modules.') and kind != 'MultiheadAttention'
        return kind, 'attention' in kind.lower() or 'attn' in kind.lower(), special, is_plain

    def _say_of(self, special, name, kind):
        if special == 'script':
            self._miss(f'{name} ({kind}) is compiled: what runs in it is not seen')
        elif special == 'DataParallel':
            self._miss(f'{name} runs in threads of its own: what runs there is not seen')
        elif self._undo and hasattr(self._torch.compiler, 'set_stance'):
            self._note('While it was recorded the model ran without torch.compile: its last digits may be others.')
        else:
            self._miss(f'{name} is compiled by torch.compile: what runs fused in it is not seen')

    def _entering(self, path, kind, looks):
        def enter(module, _):
            # A forward that ended with an exception has left its entries behind.
            if module is self.model:
                self._path.clear()
            self._path.append([module, path, kind, len(self.attentions), self._missed, False, looks])
        return _Hook(enter)

    def _leaving(self, module, *_):
        while self._path:
            own, path, kind, count, missed, has_inner, looks = self._path.pop()
            if (looks or own is self.model) and not has_inner and len(self.attentions) == count and self._missed == missed and (
                    not self._is_backward()):
                self._miss(f'{path or "model"} ({kind}) ran, and no attention was recognised in it')
            if looks or has_inner:
                for entry in self._path:
                    entry[5] = True
            if own is module:
                break

    def _is_backward(self):
        """Whether a module is computed again for its gradients, as a checkpoint is: the first time counted."""
        frame, codes = sys._getframe(1), [getattr(self._torch.autograd, name).__code__ for name in ('backward', 'grad')]
        while frame and frame.f_code not in codes:
            frame = frame.f_back
        return frame is not None

    def _module(self):
        """The module in which the program is: itself, its path and its class. Within an attention the one that was called last."""
        frame = sys._getframe(1)
        if self._path and self._path[-1][6]:
            while frame:
                if frame.f_code is self._called_by:
                    found = self._modules.get(id(frame.f_locals.get('self')))
                    if found:
                        return found
                frame = frame.f_back
            return self._path[-1][:3]
        while frame:
            code = frame.f_code
            if code.co_argcount and code.co_filename != __file__:
                found = self._modules.get(id(frame.f_locals.get(code.co_varnames[0])))
                if found:
                    return found
            frame = frame.f_back
        return None, '', ''

    def _where(self):
        frame, files = sys._getframe(1), self._files
        while frame:
            file = frame.f_code.co_filename
            short = files.get(file)
            if short is None:
                is_own = file == __file__ or file.startswith(self._library)
                short = files[file] = '' if is_own else _short_path(file)
            if short:
                return [short, frame.f_lineno, frame.f_code.co_name]
            frame = frame.f_back
        return ['', 0, '']

    def _miss(self, reason):
        # Counted each time, said once: the second layer has the reason of the first.
        self._missed += 1
        if reason[:300] not in self.unseen and len(self.unseen) < 1000:
            self.unseen.append(reason[:300])

    # ---- what the program computes

    def _called(self, func, args, kwargs, handler, name, changes, types=()):
        """
        An operation that is looked at. `changes`: it writes into its first argument, or a list of those into which it writes, each by its
        place (None where it has none) and its name.
        """
        if handler is None and name == 'multi_head_attention_forward':
            return self._multi_head(func, args, kwargs)
        # The node of an operation's tensor, looked up before the operation changes it.
        first = args[0] if args else kwargs.get('input')
        if types:  # What the recorder does is not told to the program's own kinds of tensors.
            with self._torch._C.DisableTorchFunction():
                given = self._node(first) if id(first) in self._nodes else None
            result = func(*args, **kwargs)
            with self._torch._C.DisableTorchFunction():
                return self._look(args, kwargs, handler, name, changes, first, given, result)
        given = self._node(first) if id(first) in self._nodes else None
        result = func(*args, **kwargs) if kwargs else func(*args)
        return self._look(args, kwargs, handler, name, changes, first, given, result)

    def _look(self, args, kwargs, handler, name, changes, first, given, result):
        if kwargs:
            changes = changes or bool(kwargs.get('inplace'))
            out = kwargs.get('out')
            for x in out if isinstance(out, (tuple, list)) else (out,):
                if self._torch.is_tensor(x):
                    self._changed(x)
        if changes:
            if handler is _on_dropout and not _drops(args, kwargs):
                changes = False
            if changes is True and first is not None and (given is None or first.is_inference()):
                for x in first if type(first) in _LISTS else (first,):
                    self._changed(x)
            elif type(changes) is list:
                for at, own in changes:
                    x = kwargs.get(own) if at is None or at >= len(args) else args[at]
                    for one in x if type(x) in _LISTS else () if x is None else (x,):
                        self._changed(one)
        if handler is None:
            if name in _FUSED:
                self._miss(f'{name} at {_place(self._where())}: one fused operation, whose Q, K and V do not come out')
            return result
        if not args and 'input' in kwargs and name != 'where':
            # torch.softmax(input=scores, dim=-1): handlers find the tensor where it usually stands.
            args, kwargs = (first,), {key: value for key, value in kwargs.items() if key != 'input'}
        self._busy = True
        try:
            handler(self, name, args, kwargs, result, given)
        except Exception as error:  # A recorder must not end the program that it watches.
            self._miss(f'{name} at {_place(self._where())}: {type(error).__name__}: {error}')
        finally:
            self._busy = False
        return result

    def _changed(self, tensor):
        place = _storage(tensor)
        self._changes[place] = self._changes.get(place, 0) + 1

    def _node(self, tensor):
        node = self._nodes.get(id(tensor))
        if node is None or node.ref() is not tensor:
            return None
        if self._version(tensor) != node.version:
            node = node.then('unknown', 'a change in place')
            self._keep(tensor, node)
        return node

    def _keep(self, tensor, node):
        key = id(tensor)
        before = self._nodes.get(key)
        if before is not None:
            before.shared.alive -= 1
        node.version = self._version(tensor)
        node.ref = ref = _Ref(tensor, self._ends)
        ref.key = key
        node.shared.alive += 1
        self._nodes[key] = node

    def _version(self, tensor):
        """A version and an address: x.data = … and x.set_(…) give a tensor other numbers, which tells no version."""
        try:
            if not self._changes and not tensor.is_inference():
                return tensor._version, tensor.data_ptr()
        except Exception:
            pass
        try:
            # Asked for first: the exception of an inference tensor takes longer.
            found = 0 if tensor.is_inference() else tensor._version
        except (AttributeError, RuntimeError):
            found = 0
        # Inference tensors keep no version, and x.data does not tell x: what is named as a change of them is counted.
        if self._changes:
            found += self._changes.get(_storage(tensor), 0)
        try:
            return found, tensor.data_ptr()
        except Exception:
            return found, None

    def _versions(self, *tensors):
        return tuple([self._version(x) for x in tensors])

    def _gone(self, ref):
        node = self._nodes.get(ref.key)
        if node is not None and node.ref is ref:
            del self._nodes[ref.key]
            node.shared.alive -= 1
            if node.softmax and not node.shared.used and node.shared.alive == 0:
                self._miss(f'{node.where_text()}: a softmax over keys, no product with V after it')

    def _multi_head(self, func, args, kwargs):
        """
        Runs the function's own body, in which names of ours stand for what an attention is made of: all else in it passes at no cost.
        """
        if not kwargs.get('training', True):
            self._note('nn.MultiheadAttention ran step by step: its fused path is not taken while something is recorded.')
        names = {**func.__globals__, 'has_torch_function': lambda *_: False, 'torch': self._products}
        names.update((name, self._looked_at(names[name], name)) for name in _OF_MULTI_HEAD if name in names)
        body = type(func)(func.__code__, names, func.__name__, func.__defaults__, func.__closure__)
        body.__kwdefaults__ = func.__kwdefaults__
        before, self._heads_hint = self._heads_hint, kwargs.get('num_heads', args[4] if len(args) > 4 else None)
        try:
            return body(*args, **kwargs)
        finally:
            self._heads_hint = before

    def _looked_at(self, func, name):
        return lambda *args, **kwargs: self._called(func, args, kwargs, _HANDLERS[name], name, False)

    # ---- functions that are known by their arguments

    def _watch_flash(self):
        library = sys.modules.get('flash_attn')
        for name, layout in _FLASH.items():
            original = getattr(library, name, None)
            if original is None:
                continue
            wrapped = self._flash(original, name, layout)
            for module in list(sys.modules.values()):
                names = getattr(module, '__dict__', None) or {}
                if names.get(name) is original:
                    names[name] = wrapped
                    self._undo.append(lambda names=names, name=name, original=original: names.__setitem__(name, original))

    def _flash(self, original, name, layout):
        def call(*args, **kwargs):
            self._muted += 1
            try:
                result = original(*args, **kwargs)
            finally:
                self._muted -= 1
            if self._muted or self._busy:
                return result
            self._busy = True
            try:
                self._flash_call(name, layout, args, kwargs, result)
            except Exception as error:
                self._miss(f'{name} at {_place(self._where())}: {type(error).__name__}: {error}')
            finally:
                self._busy = False
            return result
        return call

    def _flash_call(self, name, layout, args, kwargs, result):
        if layout is None:
            return self._miss(f'{name} at {_place(self._where())}: its layout is not recorded')
        count = {'qkv': 3, 'kv': 2, 'packed': 1}[layout]
        q, k, v = (args[:3] if layout == 'qkv' else (args[0], *args[1].unbind(2)) if layout == 'kv' else args[0].unbind(2))
        names = ['dropout_p', 'softmax_scale', 'causal', 'window_size', 'softcap', 'alibi_slopes']
        given = {**dict(zip(names, args[count:])), **kwargs}
        window = tuple(given.get('window_size') or (-1, -1))
        if given.get('alibi_slopes') is not None:
            return self._miss(f'{name} at {_place(self._where())}: alibi_slopes are not recorded')
        q, k, v, out = (x.transpose(1, 2) for x in (q, k, v, result[0] if isinstance(result, tuple) else result))
        n, m = q.shape[-2], k.shape[-2]
        hidden = None
        if window != (-1, -1):
            hidden = self._window(n, m, window, q.device)
        scale = given.get('softmax_scale')
        self._add('flash_attn', q, k, v, out, scale=q.shape[-1] ** -0.5 if scale is None else scale, hidden=hidden,
                  causal=m - n if given.get('causal') else None, softcap=given.get('softcap') or None,
                  dropout=given.get('dropout_p') or 0, function=name)

    def _window(self, n, m, window, device):
        torch = self._torch
        distance = torch.arange(m, device=device)[None, :] - (torch.arange(n, device=device)[:, None] + (m - n))
        left, right = window
        hidden = torch.zeros_like(distance, dtype=torch.bool)
        if left >= 0:
            hidden |= distance < -left
        if right >= 0:
            hidden |= distance > right
        return hidden[None, None]

    def _watch_transformers(self):
        table = getattr(sys.modules.get('transformers.modeling_utils'), 'ALL_ATTENTION_FUNCTIONS', None)
        if table is None:
            return
        for name in list(table.keys()):
            original = table[name]
            own = name in getattr(table, '_local_mapping', table)
            table[name] = self._interface(original, name)
            self._undo.append(lambda name=name, original=original, own=own:
                              table.__setitem__(name, original) if own else table.__delitem__(name))

    def _interface(self, original, name):
        def call(module, query, key, value, attention_mask=None, *args, **kwargs):
            count, missed = len(self.attentions), self._missed
            result = original(module, query, key, value, attention_mask, *args, **kwargs)
            if self._busy or self._muted or len(self.attentions) > count or self._missed > missed:
                return result
            self._busy = True
            try:
                self._interface_call(name, module, query, key, value, attention_mask, args, kwargs, result)
            except Exception as error:
                self._miss(f'{name} at {_place(self._where())}: {type(error).__name__}: {error}')
            finally:
                self._busy = False
            return result
        return call

    def _interface_call(self, name, module, q, k, v, mask, args, kwargs, result):
        torch = self._torch
        given = {**dict(zip(['scaling', 'dropout'], args)), **kwargs}
        if given.get('sliding_window'):
            return self._miss(f'{name} at {_place(self._where())}: sliding_window is not recorded')
        if mask is not None and not torch.is_tensor(mask):
            return self._miss(f'{name} at {_place(self._where())}: a mask of {type(mask).__name__} is not recorded')
        hidden = bias = causal = None
        if mask is not None and mask.dim() == 2:
            hidden = mask[:, None, None, :] == 0
        elif mask is not None and mask.dtype == torch.bool:
            hidden = ~mask
        elif mask is not None:
            bias = mask
        if mask is None or mask.dim() == 2:
            asked = given.get('is_causal')
            if getattr(module, 'is_causal', True) if asked is None else asked:
                causal = k.shape[-2] - q.shape[-2]
        scale = given.get('scaling')
        self._add('transformers', q, k, v, result[0].transpose(1, 2), scale=q.shape[-1] ** -0.5 if scale is None else scale,
                  hidden=hidden, bias=bias, causal=causal, softcap=given.get('softcap'), dropout=given.get('dropout') or 0,
                  function=name)

    # ---- recording

    def _add(self, kind, q, k, v, out, *, scale=1.0, hidden=None, fill='-inf', bias=None, causal=None, softcap=None,
             scores=None, sink=None, dropout=0, where=None, function='', notes=(), make=None):
        """
        Keeps the chosen part of an attention. Q, K, V, out: any leading axes, rows, columns. `scores`: as softmax got them.
        `sink`: one number for each head, in rows and columns of one.
        `make(inputs, heads, rows, keys)` gives 'hidden' or 'scores' of that part alone, where the whole would be too large.
        """
        torch, layouts = self._torch, self._layouts
        module, path, kind_of_module = self._module()
        # The layers of a model have one layout: what is kept of each is the same part.
        parts = [q, k, v, out, scores, hidden, bias, sink]
        for x in parts:
            lacks = x is not None and _without_numbers(torch, x)
            if lacks:
                return self._miss(f'{_place(where or self._where())}: tensors without numbers of their own ({lacks})')
        if not all((scores if q is None else q).shape[:-2]):
            return self._miss(f'{_place(where or self._where())}: no inputs, {_times(out.shape)}')
        axes = (scores if q is None else q).shape[:-2]
        heads = None if len(axes) == 2 else self._heads_hint or _head_count(module)
        key = (heads, self._heads_hint, causal, out.device, *[x if x is None else (x.shape, x.dtype) for x in parts])
        layout, lead, shared, said = layouts.get(key) or (None, None, 0, [])
        if layout is None:
            if any(x is not None and x.dim() != 4 for x in parts):
                lead = _leading(axes, heads, (v if k is None else k).shape[:-2])
                if len(axes) == 1 and lead[1][0] > 1 and not self._heads_hint:
                    said.append(f'Its first axis is taken as inputs of {lead[1][0]} heads each.')
                if lead[2]:
                    said.append(f'Its second and third axis are taken as groups of heads that share keys: {_times(lead[1])}.')
        if lead:
            # K and V alone may have one head for each group: all else is found by the head of the queries.
            parts = [x if x is None else _four(x, lead, i in (1, 2)) for i, x in enumerate(parts)]
        if layout is None and k is not None:
            # One head of keys for all of V, or one of values for all of K.
            both = parts[1].shape[1], parts[2].shape[1]
            shared = max(both) if both[0] != both[1] and 1 in both else 0
        if shared:
            parts[1:3] = [x.expand(-1, shared, -1, -1) for x in parts[1:3]]
        if layout is None:
            layout = _Layout(self, parts, causal)
            layouts[key] = layout, lead, shared, said
        if torch.is_grad_enabled():
            with torch.no_grad():
                pieces = layout.pieces(torch, parts, make)
        else:
            pieces = layout.pieces(torch, parts, make)
        if make and any('scores' in names for _, names, _ in pieces):
            scale, notes = 1.0, [*notes, 'From the scores on: score_mod changes them.']
        size = sum([x.numel() * x.element_size() for x, _, _ in pieces])
        call = self._calls[(path, kind)] = self._calls.get((path, kind), -1) + 1
        if self._bytes + size > self.limit:
            return self._miss(f'{path or kind}, call {call}: more than {self.limit:,} bytes in all')
        self._bytes += size
        about = {'module': path, 'class': kind_of_module, 'kind': kind, 'function': function, 'where': where or self._where(),
                 'call': call, **layout.about, 'scale': float(scale), 'causal': causal, 'fill': fill, 'softcap': softcap,
                 'dropout': float(dropout), 'notes': [*notes, *said, *layout.notes]}
        self.attentions.append(_Attention(about, pieces))
        self._waiting += size
        if self._waiting > _WAITING:
            self._bring_over()

    def _bring_over(self):
        """Copies from a card what waits there: small ones of a type together, since each transfer waits for the card."""
        groups = {}
        for one in self.attentions:
            for piece in one.pieces:
                x = piece[0]
                if x.device.type != 'cpu':
                    groups.setdefault((x.device, x.dtype) if x.numel() < _SMALL else id(x), []).append(piece)
        for group in groups.values():
            if len(group) == 1:
                group[0][0] = group[0][0].cpu()
                continue
            flat = self._torch.cat([x.reshape(-1) for x, _, _ in group]).cpu()
            for piece, part in zip(group, flat.split([x.numel() for x, _, _ in group])):
                piece[0] = part.view(piece[0].shape)
        self._waiting = 0


class _Layout:
    """What is kept of attentions of one shape: `about` and `notes` are said of each, `chosen` are inputs, heads, queries and keys."""

    def __init__(self, capture, parts, causal):
        shapes, out = [x if x is None else x.shape for x in parts], parts[3]
        kept_as = parts[4] if parts[0] is None else parts[0]
        first, k, v = kept_as.shape, shapes[1], shapes[2]
        inputs, heads, n = first[:3]
        m = v[2] if k is None else k[2]
        batch, chosen = _indexes(capture.batch, inputs, 'batch'), _indexes(capture.heads, heads, 'heads')
        rows = _token_range(capture.tokens, n)
        # Of chosen queries, keys that causal hides from the last are not kept. Of all queries they are: the process may have seen them.
        last = m if causal is None or rows == (0, n) else min(m, max(1, rows[1] + causal))
        own = [h * v[1] // heads for h in chosen]
        kept = sorted(set(own))
        every, seen = (0, max(first[3], v[3])), (0, last)
        self.chosen = batch, chosen, rows, seen
        self.about = {'dtype': _name(kept_as), 'computed': _name(out), 'device': str(kept_as.device), 'shape': [inputs, heads, n, m],
                      'batch': batch, 'heads': chosen, 'kv': [kept.index(h) for h in own], 'rows': list(rows), 'keys': last}
        self.notes = (['Q, K and V came in another type than the output has: autocast.']
                      if out.dtype != kept_as.dtype and kept_as.is_floating_point() else [])
        wanted = (('q', chosen, rows, every), ('k', kept, seen, every), ('v', kept, seen, every), ('out', chosen, rows, every),
                  ('scores', chosen, rows, seen), ('hidden', chosen, rows, seen), ('bias', chosen, rows, seen), ('sink', chosen, rows, seen))
        self._cuts = [(i, name, *_slices(shapes[i], batch, *part)) for i, (name, *part) in enumerate(wanted) if shapes[i] is not None]
        self._groups, self._joins = None, out.device.type != 'cpu'

    def pieces(self, torch, parts, make):
        """Copies, in any case. On a card those of a size in one operation, since there each costs more than its copy; from a card they are
        brought over later, with all others: each transfer would wait for the card."""
        made = {name: x.contiguous() for name, x in make(*self.chosen).items()} if make else None
        cuts, found = {}, []
        for i, name, picked, slices in self._cuts:
            x = parts[i]
            for axis, index in picked:
                x = x.index_select(axis, torch.tensor(index, device=x.device))
            # One indexing for all axes: on a card each operation costs more than its copy.
            cuts[name] = x[slices] if slices else x
        if made:
            if 'scores' in made:
                del cuts['q'], cuts['k']
            found = [[x, (name,), x.shape[:1]] for name, x in made.items()]
        if not self._joins:
            form = torch.contiguous_format
            # Not len(x): PyTorch answers it in Python.
            return found + [[x.clone(memory_format=form), (name,), x.shape[:1]] for name, x in cuts.items()]
        groups = _alike(cuts) if made else self._groups
        if groups is None:
            groups = self._groups = _alike(cuts)
        for names, counts in groups:
            found.append([torch.cat([cuts[name] for name in names]), names, counts])
        return found


def _slices(shape, batch, heads, row, column):
    """What of a tensor is kept: axes with the indices that no slice gives, and a slice of each axis."""
    picked, slices = [], []
    for axis, index in ((0, batch), (1, heads)):
        whole = shape[axis] == 1
        if not whole and index != list(range(index[0], index[-1] + 1)):
            picked.append((axis, index))
            whole = True
        slices.append(_EVERY if whole else slice(index[0], index[-1] + 1))
    slices += [slice(*between) if size > 1 else _EVERY for size, between in zip(shape[2:], (row, column))]
    slices = [_EVERY if part.indices(size) == (0, size, 1) else part for size, part in zip(shape, slices)]
    while slices and slices[-1] is _EVERY:
        slices.pop()
    return picked, tuple(slices)


def _alike(cuts):
    """Names of tensors of one type and size, that fit into one, and how long each is in it."""
    groups = {}
    for name, x in cuts.items():
        groups.setdefault((x.dtype, x.shape[1:]), []).append((name, x.shape[0]))
    return [tuple(zip(*group)) for group in groups.values()]


class _Attention:
    """A recorded attention: `about` is plain JSON, `tensors` are copies on the processor, inputs × heads × rows × columns."""

    def __init__(self, about, pieces):
        self.about, self.pieces, self._tensors = about, pieces, None

    @property
    def tensors(self):
        if self._tensors is None:
            self._tensors = {name: part for x, names, counts in self.pieces for name, part in zip(names, x.cpu().split(counts))}
            self.pieces = ()
        return self._tensors

    def says(self):
        about = self.about
        inputs, heads, n, m = about['shape']
        return f"{about['module'] or '(no module)'}: {about['kind']}, {heads} heads, {n} × {m}, {_place(about['where'])}"

    def explain(self, head=0, batch=0, **options):
        about, own = self.about, self.tensors
        at = about['heads'].index(head)
        kv = about['kv'][at]
        take = lambda name, h: own[name][batch if own[name].shape[0] > 1 else 0, h if own[name].shape[1] > 1 else 0]
        if 'q' not in own:
            raise ValueError('what stands between product and softmax is not understood here: open the file in VS Code')
        mask = None
        if 'hidden' in own and 'bias' in own or about['softcap'] or about['fill'] != '-inf' or 'sink' in own:
            raise ValueError('its mask, soft cap or sinks are explained in VS Code: save the capture and open it')
        if 'bias' in own:
            mask = take('bias', at)
        q, k, v = take('q', at), take('k', kv), take('v', kv)
        if 'hidden' in own:
            mask = take('hidden', at)
        elif about['causal'] is not None:
            offset = about['causal'] + about['rows'][0]
            mask = [[j > i + offset for j in range(k.shape[0])] for i in range(q.shape[0])]
        return explain(q, k, v, mask=mask, true_means='hidden', scale=about['scale'], name=self.says(), **options)


class _Hook:
    """A hook on a module of the program. In a copy of the module, or where it is stored, it does nothing."""

    def __init__(self, call=None):
        self.call = call

    def __call__(self, *given):
        return self.call and self.call(*given)

    def __reduce__(self):
        return _Hook, ()


class _Instead:
    """A module of which some functions are others."""

    def __init__(self, module, **functions):
        self.__dict__.update(functions, _module=module)

    def __getattr__(self, name):
        return getattr(self._module, name)


class _Ref(weakref.ref):
    """A tensor, as long as the program has it."""
    __slots__ = ('key',)


class _Node:
    """A tensor on its way from a product to a product: what was multiplied, and what was done since."""
    __slots__ = ('q', 'k', 'steps', 'versions', 'softmax', 'scores', 'dropout', 'where', 'ref', 'altered', 'is_cut', 'is_exp', 'version', 'shared', 'lent')

    def __init__(self, q=None, k=None, steps=(), versions=()):
        self.q, self.k, self.steps, self.versions = q, k, steps, versions
        self.softmax = self.is_cut = self.is_exp = False
        # What changed the weights between softmax and the product with V.
        self.scores = self.where = self.altered = self.lent = None
        self.dropout, self.shared = 0, _Shared()

    def then(self, *step):
        node = _Node.__new__(_Node)
        node.q, node.k, node.versions, node.softmax, node.scores = self.q, self.k, self.versions, self.softmax, self.scores
        node.dropout, node.where, node.altered, node.is_cut, node.shared = self.dropout, self.where, self.altered, self.is_cut, self.shared
        node.steps, node.is_exp, node.lent = self.steps, False, self.lent
        if step and self.softmax:
            node.altered = step[1] if step[0] == 'unknown' else step[0]
        elif step:
            node.steps = (*self.steps, step)
        return node

    def sink(self):
        return next((step[1] for step in self.steps if step[0] == 'sink'), None)

    def where_text(self):
        return _place(self.where or ['', 0, ''])


class _Shared:
    """Of all tensors that come of one softmax: whether a product with V was seen, and how many of them there still are."""
    __slots__ = ('used', 'alive')

    def __init__(self):
        self.used, self.alive = False, 0


# ---- handlers: what an operation makes of the nodes of its tensors


def _on_product(c, name, args, kwargs, result, given):
    a, b = args[0], args[1] if len(args) > 1 else kwargs.get('other', kwargs.get('mat2'))
    if name == '__rmatmul__':
        a, b = b, a
        given = c._node(a)
    if not isinstance(b, c._torch.Tensor) or a.dim() < 2 or b.dim() < 2:
        return
    if a.is_nested or b.is_nested:
        return c._miss(f'{_place(c._where())}: tensors without numbers of their own (nested)')
    if given is not None and given.softmax:
        return _finish(c, given, b, result)
    if given is not None and given.where:
        c._miss(f'{given.where_text()}: exp of scores, and no division by its sum is recognised before the product with V')
    if _computes_itself(c._torch, a) or _computes_itself(c._torch, b):
        return  # Said at the product with V: until then nothing is asked of it that could make it wait.
    c._keep(result, _Node(a, b.transpose(-2, -1), (), (c._version(a), c._version(b))))


def _on_baddbmm(c, name, args, kwargs, result, given):
    added, a, b = [*args, *(kwargs[key] for key in ('input', 'batch1', 'batch2')[len(args):])]
    if kwargs.get('beta', 1) != 1:
        added = added * kwargs['beta']
    if a.dim() == 3 and not c._node(a):
        node = _Node(a, b.transpose(-2, -1), (), c._versions(a, b))
        if kwargs.get('alpha', 1) != 1:
            node.steps += (('times', float(kwargs['alpha'])),)
        if kwargs.get('beta', 1) != 0:
            node.steps += (('add', added, c._versions(added)),)
        c._keep(result, node)


def _on_einsum(c, name, args, kwargs, result, given):
    operands = args[1] if len(args) == 2 and isinstance(args[1], (list, tuple)) else args[1:]
    weights = next((node for node in map(c._node, operands) if node and node.softmax), None)
    terms = _letters(args[0], operands)
    if terms:
        (a, b, out), (x, y) = terms, operands
        if weights and c._node(x) is not weights:
            x, y, a, b = y, x, b, a
        summed = [i for i in a if i in b and i not in out]
        is_product = len(summed) == 1 and len(out) > 1 and all(i in out or i in summed for i in a + b)
    if weights:
        columns = [i for i in b if i not in a] if terms else ()
        if not terms or not is_product or len(columns) != 1 or a[-1] != summed[0] or a[-2] in b:
            # With V the keys are summed, and V's own axis stays. Anything else is no output: a mean over heads, an entropy.
            if len(operands) > 1 and (not terms or a[-1] in summed and any(i in out for i in columns)):
                c._miss(f'{weights.where_text()}: the weights are used in einsum({args[0]!r}), which is not recorded')
            return
        v = _by_letters(y, b, a[:-2], summed + columns)
        return _finish(c, weights, v, result.permute(*[out.index(i) for i in a[:-1] + columns[0]]))
    if not terms or not is_product:
        return
    if out[-1] in a:
        x, y, a, b = y, x, b, a
    lead, row, column = out[:-2], out[-2], out[-1]
    if row not in a or row in b or column not in b or column in a:
        return
    # An axis that only the queries have is of heads that share keys, or of tokens: in bqhd,bkd->bqhk the tokens stand before the heads,
    # in bhqd,bkd->bhqk behind them. Letters do not tell which; sizes and the module may.
    others = [i for i in lead if i in a and i not in b]
    if others and (len(others) > 1 or x.shape[a.index(row)] != y.shape[b.index(column)] or x.shape[a.index(others[0])] == y.shape[b.index(column)]
                   or x.shape[a.index(row)] == (c._heads_hint or _head_count(c._module()[0]))):
        return c._miss(f'{_place(c._where())}: einsum({args[0]!r}): which axis has the queries is not told')
    q, k = _by_letters(x, a, lead, [row, *summed]), _by_letters(y, b, lead, [column, *summed])
    c._keep(result, _Node(q, k, (), c._versions(x, y)))


def _letters(text, operands):
    """Letters of the axes of two operands and of their product."""
    if not isinstance(text, str) or len(operands) != 2:
        return None
    sides = text.replace(' ', '').split('->')
    terms = [*sides[0].split(','), *sides[1:]]
    if '...' in text and len(terms) == 3:
        counts = [x.dim() - len(term) + 3 if '...' in term else 0 for x, term in zip(operands, terms)]
        free = [i for i in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' if i not in text][:max(counts)]
        terms = [term.replace('...', ''.join(free[len(free) - n:])) for term, n in zip(terms, [*counts, len(free)])]
    return terms if len(terms) == 3 and not any('.' in term or len(set(term)) < len(term) for term in terms) else None


def _by_letters(x, letters, lead, last):
    """Its axes in this order, of one where it has none of these."""
    x = x.permute(*[letters.index(i) for i in [*lead, *last] if i in letters])
    return x[tuple(None if i not in letters else _EVERY for i in [*lead, *last])]


def _on_factor(c, name, args, kwargs, result, given):
    a, b = args[0], args[1] if len(args) > 1 else kwargs.get('other', kwargs.get('value'))
    node, factor = given or c._node(a), b
    if node is None and not isinstance(b, (int, float)):
        node, factor = c._node(b), a
        if 'div' in name and node is not None:
            return c._keep(result, node.then('unknown', name))
    if node is None:
        return
    if name in ('__rdiv__', '__rtruediv__') or kwargs.get('rounding_mode'):
        return c._keep(result, node.then('unknown', name))
    divides = 'div' in name
    if node.is_exp and divides and result is not a and _is_sum(c._torch, factor, a):
        before = node.then()
        before.steps = before.steps[:-1]
        return _weigh(c, before, result, c._where())
    number = _scalar(c, factor)
    if number is None:
        return c._keep(result, node.then('unknown', name))
    c._keep(result, node.then('times', 1 / number if divides and number else 0.0 if divides else number))


def _on_exp(c, name, args, kwargs, result, given):
    """exp(scores): weights, where a division by their sum follows."""
    node = given or c._node(args[0])
    if node is None or node.softmax:
        return
    made = node.then('unknown', 'exp')
    made.is_exp, made.where = True, c._where()
    if result is not args[0]:
        made.scores = args[0], c._versions(args[0])
    c._keep(result, made)


def _is_sum(torch, x, powers):
    if not torch.is_tensor(x) or x.shape[-1:] != (1,) or not x.is_floating_point():
        return False
    return torch.allclose(x, powers.sum(-1, keepdim=True).to(x.dtype), rtol=torch.finfo(x.dtype).eps, atol=0)


def _on_sum(c, name, args, kwargs, result, given):
    a, b = args[0], args[1] if len(args) > 1 else kwargs.get('other')
    alpha = kwargs.get('alpha', 1)
    node, added = given or c._node(a), b
    if node is None:
        node, added = c._node(b), a
    if node is None or node.softmax:
        return
    if 'sub' in name and alpha == 1 and node is not None and added is b and _is_one_per_row(c, b, args[0]):
        return c._keep(result, node.then('shift'))
    if 'sub' in name or alpha != 1 or result.shape != _shape_of(node, c, result):
        return c._keep(result, node.then('unknown', name))
    if not c._torch.is_tensor(added):
        added = c._torch.tensor(float(added))
    c._keep(result, node.then('add', added, c._versions(added)))


def _is_one_per_row(c, added, scores):
    """One number for each row of the scores, such as its largest: softmax gives the same whatever it is."""
    return c._torch.is_tensor(added) and added.dim() == scores.dim() and added.shape[-1] == 1 and scores.shape[-1] > 1


def _on_lent(c, name, args, kwargs, result, given):
    """Told where a product with V follows, of any tensor that has its numbers in the same place."""
    place = _storage(args[0])
    for node in list(c._nodes.values()):
        held = (node.ref(), node.q, node.k, node.scores and node.scores[0])
        if any(x is not None and _storage(x) == place for x in held):
            node.lent = f'{_place(c._where())}: Q, K, scores or weights were lent by {name}; what is written there is not seen.'


def _on_cat(c, name, args, kwargs, result, _):
    """A column beside the scores that no key has: the sinks of gpt-oss."""
    parts = args[0] if args else kwargs.get('tensors')
    axis = args[1] if len(args) > 1 else kwargs.get('dim', 0)
    if len(parts) != 2 or axis not in (-1, result.dim() - 1):
        return
    node, sink = c._node(parts[0]), parts[1]
    if node is not None and not node.softmax and sink.shape[-1] == 1:
        c._keep(result, node.then('sink', sink, c._versions(sink)))


def _on_cut(c, name, args, kwargs, result, _):
    """weights[..., :-1]: the sinks' share goes to no value."""
    node = c._node(args[0])
    if node is None or not node.softmax or node.sink() is None or node.is_cut:
        return
    index = args[1] if isinstance(args[1], tuple) else (args[1],)
    last, keys = index[-1], args[0].shape[-1] - 1
    whole = [i for i in index[:-1] if i is not Ellipsis and i != slice(None)]
    reaches = Ellipsis in index[:-1] or len(index) == args[0].dim()
    if isinstance(last, slice) and not whole and reaches and last.indices(keys + 1) == (0, keys, 1):
        made = node.then()
        made.is_cut = True
        c._keep(result, made)


def _shape_of(node, c, result):
    """The shape of the scores, as their product had it in this layout: its last two axes are queries and keys."""
    return (*result.shape[:-2], node.q.shape[-2], node.k.shape[-2])


def _on_fill(c, name, args, kwargs, result, given):
    node = given or c._node(args[0])
    if node is None or node.softmax:
        return
    hidden = args[1] if len(args) > 1 else kwargs.get('mask')
    value = _scalar(c, args[2] if len(args) > 2 else kwargs.get('value'))
    c._keep(result, node.then('unknown', name) if value is None else node.then('fill', hidden, value, c._versions(hidden)))


def _on_set(c, name, args, kwargs, result, given):
    """scores[mask] = -inf changes the tensor itself."""
    if given is None or given.softmax:
        return
    index, value = args[1], _scalar(c, args[2])
    is_mask = c._torch.is_tensor(index) and index.dtype == c._torch.bool and index.dim() == args[0].dim()
    c._keep(args[0], given.then('fill', index, value, c._versions(index)) if is_mask and value is not None
            else given.then('unknown', name))


def _on_where(c, name, args, kwargs, result, _):
    if len(args) < 3:
        return
    condition, a, b = args[:3]
    if not c._torch.is_tensor(condition):  # Tensor.where(self, condition, other)
        return
    if condition.dtype != c._torch.bool and c._torch.is_tensor(a) and a.dtype == c._torch.bool:
        condition, a = a, condition
    node, filler, hides_true = c._node(a), b, False
    if node is None:
        node, filler, hides_true = c._node(b), a, True
    if node is None or node.softmax:
        return
    value = _scalar(c, filler)
    if value is None:
        same = c._torch.is_tensor(filler) and filler.numel() > 0 and bool((filler == filler.flatten()[0]).all())
        value = float(filler.flatten()[0]) if same else None
    if value is None:
        return c._keep(result, node.then('unknown', name))
    hidden = condition if hides_true else ~condition
    c._keep(result, node.then('fill', hidden, value, c._versions(hidden)))


def _on_tanh(c, name, args, kwargs, result, given):
    node = given or c._node(args[0])
    if node and not node.softmax:
        c._keep(result, node.then('tanh'))


def _on_softmax(c, name, args, kwargs, result, given):
    scores = args[0]
    dim = kwargs.get('dim', args[1] if len(args) > 1 else None)
    if scores.dim() < 2:
        return
    node = given or c._node(scores)
    where = c._where()
    if dim is None or dim % scores.dim() != scores.dim() - 1:
        if node:
            c._miss(f'{_place(where)}: a softmax over axis {dim} of scores that are {_times(scores.shape)}, not over the keys')
        return
    if node and node.softmax:  # Weights as scores.
        node.shared.used, node = True, None
    made = (node or _Node()).then()
    made.scores = (scores, c._versions(scores)) if result is not scores else None
    _weigh(c, made, result, where)
    # A softmax without a product before it is recorded only where a product with V follows.
    if node is None:
        made.shared.used = True


def _on_sparse(c, name, args, kwargs, result, given):
    c._miss(f'{_place(c._where())}: a softmax of a sparse tensor is not recorded')


def _weigh(c, made, result, where):
    made.shared, made.softmax, made.where = _Shared(), True, where
    c._keep(result, made)


def _on_dropout(c, name, args, kwargs, result, given):
    node = given or c._node(args[0])
    if node is None:
        return
    p = _drops(args, kwargs)
    if result is args[0] and not p:
        return
    made = node.then()
    if p:
        made.dropout = p
    c._keep(result, made)


def _drops(args, kwargs):
    """The share that a dropout drops: 0 where it is off, and then it changes nothing, in place neither."""
    p = kwargs.get('p', args[1] if len(args) > 1 else 0.5)
    return float(p) if kwargs.get('training', kwargs.get('train', args[2] if len(args) > 2 else True)) else 0.0


def _on_same(c, name, args, kwargs, result, given):
    """The same numbers in the same rows and columns: another type, another layout of what stands before them."""
    node = given or c._node(args[0])
    if node is None or not c._torch.is_tensor(result) or result is args[0]:
        return
    if not result.is_floating_point():
        return c._keep(result, node.then('unknown', name))
    before = args[0].shape
    if result.dim() < 2 or tuple(result.shape[-2:]) != tuple(before[-2:]):
        return
    moved = [a for a in args[1:] if isinstance(a, int)]
    if name in ('transpose', 'swapaxes', 'swapdims', 'transpose_'):
        moved = [kwargs.get('dim0', moved[0] if moved else 0), kwargs.get('dim1', moved[1] if len(moved) > 1 else 0)]
        if any(axis % len(before) >= len(before) - 2 for axis in moved):
            return
    if name == 'permute':
        order = args[1] if isinstance(args[1], (list, tuple)) else args[1:]
        if [axis % len(before) for axis in order][-2:] != [len(before) - 2, len(before) - 1]:
            return
    if name in ('view', 'reshape') and args[0].numel() != result.numel():
        return
    c._keep(result, node.then())


def _on_nan(c, name, args, kwargs, result, given):
    node = given or c._node(args[0])
    if node and node.softmax:
        made = node.then()
        c._keep(result, made)
    elif node:
        c._keep(result, node.then('unknown', name))


def _on_sdpa(c, name, args, kwargs, result, _):
    names = ['query', 'key', 'value', 'attn_mask', 'dropout_p', 'is_causal']
    if name == '_scaled_dot_product_attention':  # PyTorch 1.13: (q, k, v, mask, dropout, need weights, causal) -> (output, weights)
        names = ['query', 'key', 'value', 'attn_mask', 'dropout_p', 'need_attn_weights', 'is_causal']
    given = {**dict(zip(names, args)), **kwargs}
    q, k, v, mask = (given.get(key) for key in ('query', 'key', 'value', 'attn_mask'))
    hidden = bias = None
    causal = 0 if given.get('is_causal') else None
    if type(mask).__name__ == 'CausalBias':  # torch.nn.attention.bias: a tensor without numbers of its own
        causal = 0 if mask.variant.name == 'UPPER_LEFT' else mask.seq_len_kv - mask.seq_len_q
    elif mask is not None and type(mask) not in (c._torch.Tensor, c._torch.nn.Parameter):
        return c._miss(f'{name} at {_place(c._where())}: a mask of {type(mask).__name__} is not recorded')
    elif mask is not None and mask.dtype == c._torch.bool:
        hidden = ~mask
    elif mask is not None:
        bias = mask
    scale = given.get('scale')
    out = result[0] if isinstance(result, tuple) else result
    if q.is_nested:
        return c._miss(f'{_place(c._where())}: tensors without numbers of their own (nested)')
    c._add('sdpa', q, k, v, out, scale=q.shape[-1] ** -0.5 if scale is None else float(scale), hidden=hidden, bias=bias,
           causal=causal, dropout=given.get('dropout_p') or 0, function=name)


def _on_flex(c, name, args, kwargs, result, _):
    """The operation behind flex_attention: (q, k, v, score_mod, block mask whose last item is mask_mod, scale, …) -> (output, …)."""
    given = {**dict(zip(['query', 'key', 'value', 'score_mod', 'block_mask', 'scale'], args)), **kwargs}
    q, k, v, score_mod, block = (given.get(key) for key in ('query', 'key', 'value', 'score_mod', 'block_mask'))
    mask_mod = block[-1] if isinstance(block, tuple) else getattr(block, 'mask_mod', None)
    scale = given.get('scale')
    scale = q.shape[-1] ** -0.5 if scale is None else float(scale)
    group = q.shape[1] // k.shape[1]

    def make(batch, heads, rows, keys):
        """What mask_mod hides of the chosen part, and its scores where score_mod changes any."""
        torch = c._torch
        index = lambda values: torch.tensor(list(values), device=q.device)
        where = index(batch), index(heads), index(range(*rows)), index(range(*keys))
        found = {}
        if mask_mod is not None:
            seen = _over_all(torch, mask_mod)(*where)
            if not bool(seen.all()):
                found['hidden'] = ~seen
        if score_mod is not None:
            inputs = [b if k.shape[0] > 1 else 0 for b in batch]
            own = q[batch][:, heads, rows[0]:rows[1]].float()
            scores = own @ k[inputs][:, [h // group for h in heads], keys[0]:keys[1]].float().transpose(-2, -1) * scale
            changed = _over_all(torch, score_mod, True)(scores, *where)
            if not torch.equal(scores, changed):
                found['scores'] = changed.masked_fill(found.pop('hidden'), -math.inf) if 'hidden' in found else changed
        return found

    c._add('flex', q, k, v, result[0] if isinstance(result, tuple) else result, scale=scale, make=make, function=name)


def _over_all(torch, function, takes_score=False):
    """mask_mod or score_mod over every input, head, query and key, each of which it takes as one number."""
    for axes in ((None, None, None, 0), (None, None, 0, None), (None, 0, None, None), (0, None, None, None)):
        function = torch.vmap(function, in_dims=((0,) if takes_score else ()) + axes)
    # Lets a function look numbers up by such an index, as flex_attention itself does. Its module is there where flex_attention is.
    lookup = getattr(sys.modules.get('torch._dynamo._trace_wrapped_higher_order_op'), 'TransformGetItemToIndex', None)

    def looked_up(*given):
        with lookup():
            return function(*given)
    return looked_up if lookup else function


def _finish(c, node, v, out):
    """The product with V: an attention written by hand."""
    node.shared.used = True
    if node.lent:
        c._note(node.lent)
    q, k, where = node.q, node.k, node.where
    if node.altered:
        return c._miss(f'{_place(where)}: the weights are changed after the softmax ({node.altered})')
    changed = q is not None and c._versions(q, k) != node.versions
    understood = None if q is None or changed else _understand(c, node.steps)
    sink = node.sink()
    if sink is not None and not node.is_cut:
        return c._miss(f'{_place(where)}: a column was added to the scores, and its share stays among the weights')
    if sink is not None and not _is_one_per_head(sink):
        return c._miss(f'{_place(where)}: sinks that differ from query to query')
    if v.dim() != out.dim() or v.shape[-2] != node_keys(node):
        return c._miss(f'{_place(where)}: weights with a V of another layout, {_times(v.shape)}')
    if understood is None:
        scores, version = node.scores or (None, None)
        if scores is None or c._versions(scores) != version:
            return c._miss(f'{_place(where)}: scores that were changed in place')
        steps = sorted({step[1] for step in node.steps if step[0] == 'unknown'})
        why = ('Q and K were changed in place' if changed else 'no product Q·K was seen before it' if q is None
               else f'what stands between product and softmax is not understood ({", ".join(steps) or "several masks"})')
        if sink is not None and any(step[0] == 'shift' for step in node.steps):
            return c._miss(f'{_place(where)}: scores that are not understood, each row moved by a number of their own, and sinks')
        if sink is not None:
            scores, sink = scores[..., :-1], scores[..., :1, -1:]
        return c._add('softmax', None, None, v, out, scores=scores, sink=sink, dropout=node.dropout, where=where,
                      notes=[f'From the scores on: {why}.'])
    c._add('softmax', q, k, v, out, dropout=node.dropout, where=where, **understood)


def node_keys(node):
    return (node.k if node.k is not None else node.scores[0].transpose(-1, -2)).shape[-2]


def _is_one_per_head(sink):
    """The same number in each query. An expanded tensor says so by its stride; others are read."""
    return sink.shape[-2] == 1 or sink.stride(-2) == 0 or bool((sink == sink[..., :1, :]).all())


def _understand(c, steps):
    """Steps from product to softmax as scale, cap and mask; None where they are anything else."""
    torch = c._torch
    scale, cap, bias, hidden, fill, bounded, sink, shifted = 1.0, None, None, None, None, False, None, False
    for step in steps:
        if step[0] == 'shift':
            # Of no effect on softmax if nothing after it depends on the number itself.
            if bounded:
                return None
            shifted = True
        elif sink is not None or shifted and (step[0] in ('tanh', 'sink') or step[0] == 'fill' and step[2] != -math.inf):
            return None
        elif step[0] == 'sink':
            if bounded or c._versions(step[1]) != step[2]:
                return None
            sink = step[1][..., :1, :]
        elif step[0] == 'times':
            if bias is not None or hidden is not None:
                return None
            if bounded:
                cap, bounded = step[1], False
            else:
                scale *= step[1]
        elif step[0] == 'tanh':
            if cap is not None or bias is not None or hidden is not None:
                return None
            # softcap·tanh(scale·s/softcap): what stands before is scale/softcap.
            cap, bounded, before = 1.0, True, scale
        elif step[0] == 'add':
            if bounded or c._versions(step[1]) != step[2] or hidden is not None and fill != -math.inf:
                return None
            bias = step[1] if bias is None else bias + step[1]
        elif step[0] == 'fill':
            if bounded or c._versions(step[1]) != step[3]:
                return None
            if fill not in (None, step[2]) or bias is not None and step[2] != -math.inf:
                return None
            hidden, fill = step[1] if hidden is None else hidden | step[1], step[2]
        else:
            return None
    if bounded:
        return None
    found = {'scale': scale, 'hidden': hidden, 'bias': bias, 'sink': sink}
    if fill is not None:
        found['fill'] = '-inf' if fill == -math.inf else fill
    if cap is not None:
        found['softcap'], found['scale'] = cap, before * cap
    return found


def _scalar(c, x):
    if isinstance(x, (int, float)):
        return float(x)
    if c._torch.is_tensor(x) and x.numel() == 1 and x.device.type != 'meta':
        return float(x)
    return None


def _table(*groups):
    return {name: handler for handler, names in groups for name in names.split()}


_HANDLERS = _table(
    (_on_product, 'matmul bmm __matmul__ __rmatmul__ mm'),
    (_on_baddbmm, 'baddbmm'),
    (_on_einsum, 'einsum'),
    (_on_factor, 'mul mul_ multiply multiply_ __mul__ __rmul__ __imul__ div div_ divide divide_ true_divide true_divide_ '
                 '__div__ __idiv__ __truediv__ __itruediv__ __rdiv__ __rtruediv__'),
    (_on_sum, 'add add_ __add__ __radd__ __iadd__ sub sub_ __sub__ __isub__ __rsub__'),
    (_on_fill, 'masked_fill masked_fill_'),
    (_on_set, '__setitem__'),
    (_on_where, 'where'),
    (_on_exp, 'exp exp_'),
    (_on_tanh, 'tanh tanh_'),
    (_on_softmax, 'softmax _softmax softmax_'),
    (_on_sparse, '_sparse_softmax'),
    (_on_dropout, 'dropout dropout_'),
    (_on_same, 'to float half bfloat16 double type type_as view reshape contiguous clone expand expand_as unsqueeze squeeze '
               'transpose swapaxes swapdims permute unflatten flatten detach'),
    (_on_nan, 'nan_to_num nan_to_num_'),
    (_on_cat, 'cat concat concatenate'),
    (_on_cut, '__getitem__'),
    (_on_lent, 'numpy __array__ __dlpack__ data_ptr'),
    (_on_sdpa, 'scaled_dot_product_attention _scaled_dot_product_attention'),
    (_on_flex, 'flex_attention'),
)


@functools.lru_cache(None)
def _changes_in_place(name):
    return re.fullmatch(r'.*[^_]_|__i(?!n).*|__setitem__', name) is not None and name != 'requires_grad_'


def _storage(x):
    try:
        return (x.untyped_storage() if hasattr(x, 'untyped_storage') else x.storage()).data_ptr()
    except Exception:  # A tensor without numbers of its own.
        return None


def _computes_itself(torch, x):
    """A kind of tensor as DTensor and FakeTensor are: what is done with it is its own affair."""
    kind = type(x)
    return kind is not torch.Tensor and kind.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__


def _without_numbers(torch, x):
    """What a tensor is that has no numbers which a copy would hold; nothing where it has them. Asked without computing: that could wait for other processes."""
    if _computes_itself(torch, x):
        return type(x).__name__
    if x.is_nested:
        return 'nested'
    if x.layout is not torch.strided:
        return 'sparse'
    try:
        if x.data_ptr() or not x.numel() or x.device.type not in ('cpu', 'cuda', 'meta'):
            return None
    except Exception:
        pass
    return 'meta, fake or vmap'


# Kernels of a whole layer: they are not taken while a mode like ours is on, but a program may call them itself.
_FUSED = {'_native_multi_head_attention', '_transformer_encoder_layer_fwd', '_scaled_dot_product_flash_attention',
          '_scaled_dot_product_efficient_attention'}
# When an operation is looked at: never; while some product is on its way to a softmax or to V; always.
_NONE, _WHILE_TRACED, _ALWAYS = 1, 2, 3
_OF_MULTI_HEAD = 'softmax', 'dropout', 'scaled_dot_product_attention'
_BEGINS = {_on_product, _on_baddbmm, _on_einsum, _on_softmax, _on_sparse, _on_sdpa, _on_flex}


def _look_of(func):
    """When an operation is looked at, its handler, its name, and whether it writes into its first argument, or into which."""
    # torch.ops.aten.mul_.Scalar
    name = getattr(func, '__name__', '').split('.')[0]
    own = [func] if hasattr(func, '_schema') else [getattr(func, one) for one in func.overloads()] if hasattr(func, 'overloads') else []
    handler, changes = _HANDLERS.get(name), _changes_in_place(name)
    if name == '__set__':  # x.data = …
        changes = [(0, '')] if getattr(getattr(func, '__self__', None), '__name__', '') == 'data' else False
    elif own:
        changes = [(None if x.kwarg_only else i, x.name) for one in own for i, x in enumerate(one._schema.arguments)
                   if x.alias_info is not None and x.alias_info.is_write]
    if name in _FUSED or name == 'multi_head_attention_forward' or handler in _BEGINS or handler is _on_lent:
        return _ALWAYS, handler, name, changes
    return _WHILE_TRACED if handler or changes else _NONE, handler, name, changes


_FLASH = {'flash_attn_func': 'qkv', 'flash_attn_kvpacked_func': 'kv', 'flash_attn_qkvpacked_func': 'packed',
          'flash_attn_varlen_func': None, 'flash_attn_varlen_qkvpacked_func': None, 'flash_attn_varlen_kvpacked_func': None,
          'flash_attn_with_kvcache': None}


@functools.lru_cache(None)
def _mode_of(torch):
    class Recorder(torch.overrides.TorchFunctionMode):
        def __init__(self, owner):
            self.owner, self.nodes, self.looks, self.passed = owner, owner._nodes, {}, set()

        def __torch_function__(self, func, types, args=(), kwargs=None):
            # Most operations of a model are none that is recorded: they pass at the cost of a look-up.
            if not kwargs and func in self.passed:
                return func(*args)
            look = self.looks.get(func)
            if look is None:
                look = self.looks[func] = _look_of(func)
                if look[0] == _NONE:
                    self.passed.add(func)
            when, handler, name, changes = look
            nodes = self.nodes
            if when != _ALWAYS and not (kwargs and (kwargs.get('inplace') or kwargs.get('out') is not None)) and (
                    when == _NONE or not nodes or not changes and not _has_one_of(nodes, args, kwargs)):
                return func(*args, **kwargs) if kwargs else func(*args)
            owner = self.owner
            if owner._busy or owner._muted:
                return func(*args, **kwargs) if kwargs else func(*args)
            return owner._called(func, args, kwargs or {}, handler, name, changes, types)
    return Recorder


@functools.lru_cache(None)
def _stack_of(torch):
    """
    PyTorch 1.13 takes its stack of modes apart in Python for each operation, which is most of what a mode costs there. Where our mode is
    the only one, and the operation none of Python that could begin another, it is asked at once. Other versions have no such class.
    """
    usual, recorder = getattr(torch.overrides, '_TorchFunctionStackMode', None), _mode_of(torch)
    if usual is None:
        return None
    count, at, ask = torch.overrides._len_torch_function_stack, torch.overrides._get_function_stack_at, recorder.__torch_function__
    python = type(_stack_of.__wrapped__)

    class Stack(usual):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            if count() == 1 and (type(func) is not python or func.__module__ == 'torch.nn.functional'):
                mode = at(0)
                if type(mode) is recorder:
                    return ask(mode, func, types, args, kwargs)
            return usual.__torch_function__(self, func, types, args, kwargs)
    return Stack


def _has_one_of(nodes, args, kwargs):
    """Whether an operation is given a tensor that is on its way, itself or in a list."""
    for x in (*args, *kwargs.values()) if kwargs else args:
        if id(x) in nodes:
            return True
        if type(x) in _LISTS:
            for y in x:
                if id(y) in nodes:
                    return True
    return False


def _head_count(module):
    for name in ('num_heads', 'n_heads', 'n_head', 'num_attention_heads', 'nhead', 'heads'):
        count = getattr(module, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return None


def _leading(lead, heads, shared=()):
    """
    Axes of inputs and axes of heads, of those before rows and columns, and whether these are heads by a guess: axes of groups, where an axis
    of `shared` (those of the keys) has one for all. Three axes are heads of one input only there, or where the module says so.
    """
    heads = heads if math.prod(lead) > 1 else None
    if len(lead) > 1:
        at = next((i for i in range(1, len(lead)) if math.prod(lead[i:]) == heads), None)
        guessed = at is None and len(lead) == len(shared) == 3 and any(shared[i] == 1 < lead[i] for i in (1, 2))
        at = 1 if guessed else len(lead) - 1 if at is None else at
        return tuple(lead[:at]), tuple(lead[at:]), guessed
    count = math.prod(lead)
    return ((count // heads,), (heads,), False) if heads and count % heads == 0 else ((count,), (1,), False)


def _four(x, lead, shares=False):
    """Inputs × heads × rows × columns; of inputs and heads one where all have the same. `shares`: one for each group of heads is enough."""
    (inputs, heads, _), own = lead, tuple(x.shape[:-2])
    if x.dim() == 4 and len(inputs) + len(heads) == 2:
        return x
    if x.dim() <= 2:
        return x.expand(1, 1, *(x.shape if x.dim() == 2 else (1, x.numel())))
    if len(own) == 1 and len(inputs) + len(heads) == 2:
        if own[0] == inputs[0] * heads[0]:
            return x.reshape(*inputs, *heads, *x.shape[-2:])
        return x[None] if own[0] in (1, *heads) else x[:, None]
    if len(own) > len(inputs) + len(heads):  # A mask for each window: the windows of all inputs are inputs.
        inputs = math.prod(inputs) // math.prod(own[1:-1]), *own[1:-1]
    own = (1,) * (len(inputs) + len(heads) - len(own)) + own
    first, second = own[:len(inputs)], own[len(inputs):]
    if math.prod(first) > 1:
        first = inputs
    if math.prod(second) > 1 and not (shares and second == heads[:1] + (1,) * (len(heads) - 1)):
        second = heads
    return x.expand(*first, *second, -1, -1).reshape(math.prod(first), math.prod(second), *x.shape[-2:])


def _name(tensor):
    return str(tensor.dtype).replace('torch.', '')


def _short_path(file):
    try:
        near = os.path.relpath(file)
    except ValueError:
        return file
    return file if near.startswith('..') else near


def _place(where):
    return f'{where[0]}:{where[1]}' if where[1] else '(unknown)'


def _rank():
    distributed = getattr(sys.modules.get('torch'), 'distributed', None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return 0, 1
    return distributed.get_rank(), distributed.get_world_size()


_SAFE = {'float64': 'F64', 'float32': 'F32', 'float16': 'F16', 'bfloat16': 'BF16', 'bool': 'BOOL', 'int64': 'I64',
         'int32': 'I32', 'int16': 'I16', 'int8': 'I8', 'uint8': 'U8'}


def _write_safetensors(path, tensors, metadata):
    """github.com/huggingface/safetensors, "Format": the header's length, a JSON header, the numbers without gaps."""
    import ctypes
    if sys.byteorder != 'little':
        raise RuntimeError('safetensors files are little-endian, and this machine is not')
    header, at = {'__metadata__': metadata}, 0
    for name, tensor in tensors.items():
        if _name(tensor) not in _SAFE:
            raise ValueError(f'{name}: {_name(tensor)} has no place in a safetensors file')
        size = tensor.numel() * tensor.element_size()
        header[name] = {'dtype': _SAFE[_name(tensor)], 'shape': list(tensor.shape), 'data_offsets': [at, at + size]}
        at += size
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text)
        for tensor in tensors.values():
            tensor = tensor.contiguous()
            file.write(ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()))
