/** What attention code takes from packages around PyTorch: layers of timm, seeds of Lightning, checkpoints of activations. In Python. */
/** SciPy, `scipy/special/_logsumexp.py`. */
export const scipySpecial = String.raw`
def softmax(x, axis=None):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    y = x - np.max(x, axis=axis, keepdims=True)
    return y - np.log(np.sum(np.exp(y), axis=axis, keepdims=True))


def logsumexp(a, axis=None, b=None, keepdims=False):
    m = np.max(a, axis=axis, keepdims=True)
    s = np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True)) + m
    return s if keepdims else np.squeeze(s, axis=axis)


def erf(x):
    return np.asarray(torch.erf(torch.tensor(np.asarray(x) * 1.0)))


def expit(x):
    return 1 / (1 + np.exp(-np.asarray(x)))
`;

/** Recomputed in the backward pass: forward it is a call. */
export const checkpoints = String.raw`
def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None, determinism_check=None, debug=False, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for function in functions:
        input = function(input)
    return input
`;

/** One process, as long as the program starts no group of several. */
export const distributed = String.raw`
class _Group:
    started = False


def is_available():
    return True


def is_initialized():
    return _open('torch.distributed') if _Group.started else False


def init_process_group(*args, **kwargs):
    _Group.started = True
`;

/** pytorch-image-models, timm/layers. */
export const timm = String.raw`
def to_2tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x)


def to_3tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x, x)


def make_divisible(v, divisor=8, min_value=None, round_limit=.9):
    min_value = min_value or divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    return new_v + divisor if new_v < round_limit * v else new_v


def trunc_normal_(tensor, mean=0., std=1., a=-2., b=2.):
    return torch.nn.init.trunc_normal_(tensor, mean, std, a, b)


def drop_path(x, drop_prob=0., training=False, scale_by_keep=True):
    if drop_prob == 0. or not training:
        return x
    return F.dropout(x, drop_prob)


class DropPath(nn.Module):
    def __init__(self, drop_prob=0., scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob
        self.scale_by_keep = scale_by_keep

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training, self.scale_by_keep)


class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.GELU, norm_layer=None, bias=True, drop=0., use_conv=False):
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        self.fc1 = nn.Linear(in_features, hidden_features, bias=bias)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drop)
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden_features, out_features, bias=bias)
        self.drop2 = nn.Dropout(drop)

    def forward(self, x):
        x = self.drop1(self.act(self.fc1(x)))
        return self.drop2(self.fc2(self.norm(x)))
`;

/** Lightning; its Trainer is not followed. */
export const lightning = String.raw`
def seed_everything(seed=None, workers=False, verbose=True):
    np.random.seed(seed)
    torch.manual_seed(seed)
    return seed


class LightningModule(nn.Module):
    device = torch.device('cpu')

    def log(self, *args, **kwargs):
        pass

    def log_dict(self, *args, **kwargs):
        pass
`;

/** NumPy, `numpy/core/numeric.py`. */
/** Python's own library, as its documentation defines them. */
export const queues = String.raw`
class deque:
    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._items = []
        self.extend(iterable)

    def _trim(self, at):
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop(at)

    def append(self, x):
        self._items.append(x)
        self._trim(0)

    def appendleft(self, x):
        self._items.insert(0, x)
        self._trim(-1)

    def extend(self, iterable):
        for x in iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in iterable:
            self.appendleft(x)

    def pop(self):
        return self._items.pop()

    def popleft(self):
        return self._items.pop(0)

    def clear(self):
        self._items.clear()

    def rotate(self, n=1):
        if self._items:
            n = -n % len(self._items)
            self._items = self._items[n:] + self._items[:n]

    def __getitem__(self, i):
        return self._items[i]

    def __setitem__(self, i, x):
        self._items[i] = x

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __bool__(self):
        return len(self._items) > 0

    def __contains__(self, x):
        return x in self._items

    def __repr__(self):
        return f'deque({self._items}' + (')' if self.maxlen is None else f', maxlen={self.maxlen})')
`;

export const grouping = String.raw`
def groupby(iterable, key=None):
    groups = []
    for x in iterable:
        k = x if key is None else key(x)
        if groups and groups[-1][0] == k:
            groups[-1][1].append(x)
        else:
            groups.append((k, [x]))
    return groups
`;

export const operators = String.raw`
def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def matmul(a, b):
    return a @ b


def itemgetter(*items):
    return lambda obj: obj[items[0]] if len(items) == 1 else tuple([obj[i] for i in items])


def attrgetter(name):
    return lambda obj: getattr(obj, name)
`;

/** Until PyTorch 0.4 tensors were wrapped so; now it gives them themselves. */
export const autograd = String.raw`
def Variable(data, requires_grad=False, volatile=False):
    return data
`;

/** einops, `pack` and `unpack`: what an asterisk stands for becomes one axis, along which the tensors stand. */
export const einopsPacking = String.raw`
def pack(tensors, pattern):
    names = pattern.split()
    before = names.index('*')
    after = len(names) - before - 1
    shapes = [tuple(x.shape[before:x.ndim - after]) for x in tensors]
    flat = [x.reshape(*x.shape[:before], math.prod(s), *x.shape[x.ndim - after:]) for x, s in zip(tensors, shapes)]
    return np.concatenate(flat, axis=before) if isinstance(flat[0], np.ndarray) else torch.cat(flat, dim=before), shapes


def unpack(tensor, packed_shapes, pattern):
    before = pattern.split().index('*')
    sizes = [math.prod(s) for s in packed_shapes]
    if -1 in [d for s in packed_shapes for d in s]:
        known = sum([n for n in sizes if n >= 0])
        sizes = [n if n >= 0 else tensor.shape[before] - known for n in sizes]
    parts = []
    start = 0
    for shape, size in zip(packed_shapes, sizes):
        part = tensor[(slice(None),) * before + (slice(start, start + size),)]
        parts.append(part.reshape(*part.shape[:before], *shape, *part.shape[before + 1:]))
        start += size
    return parts
`;

/** rotary-embedding-torch: RoPE (Su et al. 2021) of neighbouring pairs; its angles of positions along other axes are not here. */
export const rotaryEmbedding = String.raw`
def rotate_half(x):
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    return torch.stack((-pairs[..., 1], pairs[..., 0]), dim=-1).flatten(-2)


def apply_rotary_emb(freqs, t, start_index=0, scale=1.0, seq_dim=-2, freqs_seq_dim=None):
    if freqs_seq_dim is not None:
        return _unfollowed(t.clone(), 'freqs_seq_dim')
    if freqs.ndim == 2 or t.ndim == 3:
        freqs = freqs[-t.shape[seq_dim]:]
    end = start_index + freqs.shape[-1]
    turned = t[..., start_index:end]
    turned = turned * freqs.cos() * scale + rotate_half(turned) * freqs.sin() * scale
    return torch.cat((t[..., :start_index], turned, t[..., end:]), dim=-1)


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, custom_freqs=None, freqs_for='lang', theta=10000, max_freq=10, num_freqs=1, learned_freq=False, use_xpos=False, xpos_scale_base=512, interpolate_factor=1.0, theta_rescale_factor=1.0, seq_before_head_dim=False, cache_if_possible=True, cache_max_seq_len=8192):
        super().__init__()
        if custom_freqs is not None:
            freqs = custom_freqs
        elif freqs_for == 'pixel':
            freqs = torch.linspace(1.0, max_freq / 2, dim // 2) * math.pi
        elif freqs_for == 'constant':
            freqs = torch.ones(num_freqs).float()
        else:
            theta = theta * theta_rescale_factor ** (dim / (dim - 2)) if theta_rescale_factor != 1.0 else theta
            freqs = 1.0 / theta ** (torch.arange(0, dim, 2)[:dim // 2].float() / dim)
        self.freqs = nn.Parameter(freqs, requires_grad=learned_freq)
        self.use_xpos = use_xpos
        self.interpolate_factor = interpolate_factor
        self.default_seq_dim = -3 if seq_before_head_dim else -2

    def get_seq_pos(self, seq_len, device=None, dtype=None, offset=0):
        return (torch.arange(seq_len, dtype=dtype) + offset) / self.interpolate_factor

    def rotate_queries_or_keys(self, t, seq_dim=None, offset=0, scale=None):
        if self.use_xpos:
            return _unfollowed(t.clone(), 'use_xpos')
        seq_dim = self.default_seq_dim if seq_dim is None else seq_dim
        n = t.shape[seq_dim]
        freqs = self.forward(self.get_seq_pos(n, dtype=t.dtype, offset=offset), n, offset)
        if seq_dim == -3:
            freqs = freqs.unsqueeze(-2)
        return apply_rotary_emb(freqs, t, scale=1.0 if scale is None else scale, seq_dim=seq_dim)

    def rotate_queries_with_cached_keys(self, q, k, seq_dim=None, offset=0):
        seq_dim = self.default_seq_dim if seq_dim is None else seq_dim
        return (self.rotate_queries_or_keys(q, seq_dim=seq_dim, offset=k.shape[seq_dim] - q.shape[seq_dim] + offset), self.rotate_queries_or_keys(k, seq_dim=seq_dim))

    def forward(self, t, seq_len=None, offset=0):
        return (t.to(self.freqs.dtype).unsqueeze(-1) * self.freqs).repeat_interleave(2, dim=-1)
`;

/** torch.nn.utils: what a norm of weights makes of them at the start, and what changes no number of a forward pass. */
export const moduleUtilities = String.raw`
def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    _unfollowed(getattr(module, name), 'spectral_norm')
    return module


def weight_norm(module, name='weight', dim=0):
    return module


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return _unfollowed(torch.zeros(()), 'clip_grad_norm_')


def parameters_to_vector(parameters):
    return torch.cat([p.reshape(-1) for p in parameters])
`;

export const contexts = String.raw`
class _Managed:
    def __init__(self, make, args, keywords):
        self._made = (make, args, keywords)
        self.gen = make(*args, **keywords)

    def __call__(self, function):
        def inner(*args, **keywords):
            with _Managed(*self._made):
                return function(*args, **keywords)
        return inner

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield")

    def __exit__(self, kind, value, trace):
        if kind is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self.gen.throw(value)
        except StopIteration as end:
            return end is not value
        except BaseException as error:
            if error is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    def helper(*args, **keywords):
        return _Managed(func, args, keywords)
    return helper


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, value, trace):
        return kind is not None and issubclass(kind, self._exceptions)


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, value, trace):
        self.thing.close()


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, kind, value, trace):
        return None
`;

export const dataclassTools = String.raw`
def is_dataclass(obj):
    return _fields(obj) is not None


def replace(obj, **changes):
    return type(obj)(**{**{name: getattr(obj, name) for name in _fields(obj, 'init')}, **changes})


def asdict(obj):
    if _fields(obj) is not None:
        return {name: asdict(getattr(obj, name)) for name in _fields(obj)}
    if isinstance(obj, (list, tuple)):
        return type(obj)([asdict(item) for item in obj])
    if isinstance(obj, dict):
        return {key: asdict(item) for key, item in obj.items()}
    return copy.deepcopy(obj)


def astuple(obj):
    if _fields(obj) is not None:
        return tuple([astuple(getattr(obj, name)) for name in _fields(obj)])
    if isinstance(obj, (list, tuple)):
        return type(obj)([astuple(item) for item in obj])
    return copy.deepcopy(obj)
`;
export const namedTuples = String.raw`
class NamedTuple:
    __collects_fields__ = ()

    @property
    def _fields(self):
        return tuple(self.__annotations__)

    def _asdict(self):
        return {name: getattr(self, name) for name in self._fields}

    def _replace(self, **changes):
        return type(self)(**{**self._asdict(), **changes})

    def __iter__(self):
        return iter([getattr(self, name) for name in self._fields])

    def __len__(self):
        return len(self._fields)

    def __getitem__(self, key):
        return tuple(list(iter(self)))[key]
`;

/** `types.SimpleNamespace`. */
export const namespaces = String.raw`
class SimpleNamespace:
    def __init__(self, **kwargs):
        for key in kwargs:
            setattr(self, key, kwargs[key])

    def __repr__(self):
        return 'namespace(' + ', '.join([f'{key}={value!r}' for key, value in vars(self).items()]) + ')'

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, SimpleNamespace) else NotImplemented
`;

/** argparse: what a program has that is called without arguments. */
export const commandLine = String.raw`
class Namespace:
    def __init__(self, **kwargs):
        for key in kwargs:
            setattr(self, key, kwargs[key])

    def __contains__(self, key):
        return hasattr(self, key)


class ArgumentParser:
    def __init__(self, *args, **kwargs):
        self._defaults = {}

    def add_argument(self, *names, dest=None, default=None, action=None, nargs=None, required=False, **kwargs):
        long = [name for name in names if name[:2] == '--']
        name = dest or (long + list(names))[0].lstrip('-').replace('-', '_')
        if action == 'store_true' or action == 'store_false':
            default = action != 'store_true' if default is None else default
        if default is None and (required or names[0][0] != '-' and nargs not in ('?', '*')):
            default = _open(name)
        if action != 'help' and action != 'version':
            self._defaults.setdefault(name, default)

    def add_argument_group(self, *args, **kwargs):
        return self

    def add_mutually_exclusive_group(self, **kwargs):
        return self

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)

    def parse_args(self, args=None, namespace=None):
        _assumed()
        return Namespace(**self._defaults)

    def parse_known_args(self, args=None, namespace=None):
        return self.parse_args(), []


class ArgumentDefaultsHelpFormatter:
    pass
`;

/** PyTorch, `torch/nn/utils/rnn.py`, but for packed sequences. */
export const sequences = String.raw`
def pad_sequence(sequences, batch_first=False, padding_value=0.0):
    sequences = list(sequences)
    size = max([one.shape[0] for one in sequences])
    rows = [torch.cat([one, one.new_full((size - one.shape[0], *one.shape[1:]), padding_value)]) for one in sequences]
    return torch.stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[:length] for row, length in zip(rows, lengths)]
`;

/** Python's own library, `functools.py`; which way is taken for a class is what an annotation says, which is not followed. */
export const ways = String.raw`
class singledispatch:
    def __init__(self, func):
        self._func = func
        self._ways = []

    def register(self, cls, func=None):
        if func is not None:
            self._ways.append((cls, func))
            return func
        if isinstance(cls, type):
            return lambda func: self.register(cls, func)
        self._ways = _open('cls')
        return cls

    def __call__(self, *args, **kwargs):
        fits = [(cls, func) for cls, func in self._ways if isinstance(args[0], cls)]
        exact = [func for cls, func in fits if type(args[0]) == cls]
        return (exact[-1] if exact else self._func if not fits else fits[0][1] if len(fits) == 1 else _open('cls'))(*args, **kwargs)
`;
