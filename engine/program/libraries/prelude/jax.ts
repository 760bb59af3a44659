/**
 * JAX's functions that NumPy lacks or gives another number type, and Flax's layers, in Python from their documentation. An array is a NumPy array
 * of float32 or int32; what JAX draws is not followed, so weights are known in shape only.
 */
export const jaxNumpy = String.raw`
def _narrow(x, dtype=None):
    if dtype is not None:
        return x.astype(dtype)
    if jax.config.x64:
        return x
    if x.dtype == np.float64:
        return x.astype(np.float32)
    return x.astype(np.int32) if x.dtype == np.int64 else x


def array(object, dtype=None, copy=True):
    return _narrow(np.array(object), dtype)


def asarray(a, dtype=None):
    return _narrow(np.asarray(a), dtype)


def arange(start, stop=None, step=None, dtype=None):
    made = np.arange(start) if stop is None else np.arange(start, stop) if step is None else np.arange(start, stop, step)
    return _narrow(made, dtype)


def zeros(shape, dtype=None):
    return _narrow(np.zeros(shape), dtype)


def ones(shape, dtype=None):
    return _narrow(np.ones(shape), dtype)


def full(shape, fill_value, dtype=None):
    return _narrow(np.full(shape, fill_value), dtype)


def eye(N, M=None, k=0, dtype=None):
    return _narrow(np.eye(N, M), dtype)


def tri(N, M=None, k=0, dtype=None):
    return _narrow(np.tril(np.ones((N, N if M is None else M)), k), dtype)


def linspace(start, stop, num=50):
    return _narrow(np.linspace(start, stop, num))


def where(condition, x=None, y=None):
    return _narrow(np.where(condition, x, y))


def sqrt(x):
    return _narrow(np.sqrt(x))


def exp(x):
    return _narrow(np.exp(x))

`;

export const jaxNN = String.raw`
def relu(x):
    return np.maximum(x, 0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x / (1 + np.exp(-x))


def swish(x):
    return x / (1 + np.exp(-x))


def tanh(x):
    return np.tanh(x)


def gelu(x, approximate=True):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def one_hot(x, num_classes, dtype=None, axis=-1):
    return jax.numpy.array((np.expand_dims(x, -1) == np.arange(num_classes)) * 1.0, dtype)
`;

export const jaxRandom = String.raw`
class _Key:
    def __init__(self):
        pass


def PRNGKey(seed, impl=None):
    return _Key()


def key(seed, impl=None):
    return _Key()


def split(key, num=2):
    return [_Key() for _ in range(num)]


def fold_in(key, data):
    return _Key()


def normal(key, shape=(), dtype=None):
    return _drawn(shape, True)


def uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0):
    return _drawn(shape, True)


def categorical(key, logits, axis=-1, shape=None, replace=True):
    sizes = list(logits.shape)
    sizes.pop(axis)
    return _unfollowed(np.zeros(sizes if shape is None else shape, np.int32), 'jax.random.categorical')


def randint(key, shape, minval, maxval, dtype=None):
    return _unfollowed(np.zeros(shape, np.int32), 'jax.random.randint')


def truncated_normal(key, lower, upper, shape=(), dtype=None):
    return _drawn(shape, True)
`;

export const jaxItself = String.raw`
class config:
    x64 = False

    def update(name, value):
        if name == 'jax_enable_x64':
            config.x64 = value


def jit(fun=None, static_argnums=None, static_argnames=None, donate_argnums=None, **kwargs):
    return (lambda f: f) if fun is None else fun


def _mapped(tree, axis, i):
    if axis is None or tree is None:
        return tree
    if isinstance(tree, dict):
        return {key: _mapped(tree[key], axis[key] if isinstance(axis, dict) else axis, i) for key in tree}
    if isinstance(tree, (list, tuple)):
        if tree and isinstance(tree[0], jax.random._Key):
            return tree[i]
        parts = [_mapped(one, axis[j] if isinstance(axis, (list, tuple)) else axis, i) for j, one in enumerate(tree)]
        return tuple(parts) if isinstance(tree, tuple) else parts
    return np.moveaxis(tree, axis, 0)[i] if hasattr(tree, 'shape') else getattr(jax, 'vmap(…)')


def _length(tree, axis):
    if axis is None or tree is None:
        return None
    if isinstance(tree, dict):
        sizes = [_length(tree[key], axis[key] if isinstance(axis, dict) else axis) for key in tree]
    elif isinstance(tree, (list, tuple)):
        if tree and isinstance(tree[0], jax.random._Key):
            return len(tree)
        sizes = [_length(one, axis[j] if isinstance(axis, (list, tuple)) else axis) for j, one in enumerate(tree)]
    else:
        return tree.shape[axis] if hasattr(tree, 'shape') else None
    return ([size for size in sizes if size is not None] + [None])[0]


def _joined(trees, axis, n):
    first = trees[0]
    if axis is None or first is None:
        return first
    if isinstance(first, dict):
        return {key: _joined([one[key] for one in trees], axis, n) for key in first}
    if isinstance(first, (list, tuple)):
        parts = [_joined([one[i] for one in trees], axis[i] if isinstance(axis, (list, tuple)) else axis, n) for i in range(len(first))]
        return tuple(parts) if isinstance(first, tuple) else parts
    if _known(n) and n == len(trees):
        return np.stack(trees, axis)
    sizes = list(np.asarray(first).shape)
    sizes.insert(axis if axis >= 0 else len(sizes) + 1 + axis, n)
    return _unfollowed(np.zeros(sizes, np.asarray(first).dtype), 'jax')


def _turns(n):
    # Of many turns, and where it is not known how many there are, the first says the shapes.
    return range(n) if _known(n) and n <= 64 else range(1)


def vmap(fun, in_axes=0, out_axes=0, axis_name=None, **options):
    def batched(*args, **kwargs):
        axes = list(in_axes) if isinstance(in_axes, (list, tuple)) else [in_axes] * len(args)
        n = _length([list(args), list(kwargs.values())], [axes, 0])
        if n == 0:
            return getattr(jax, 'vmap(…)')
        made = [fun(*_mapped(list(args), axes, i), **{key: _mapped(kwargs[key], 0, i) for key in kwargs}) for i in _turns(n)]
        return _joined(made, out_axes, n)

    return batched


def device_get(x):
    return x


def device_put(x, device=None):
    return x
`;

export const jaxLax = String.raw`
def scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    n = length if xs is None else jax._length(xs, 0)
    turns = jax._turns(n)
    carry = init
    made = []
    for i in (reversed(turns) if reverse else turns):
        carry, y = f(carry, jax._mapped(xs, 0, i))
        made.append(y)
    if not _known(n) or n != len(made):
        carry = jax._mapped(jax._joined([carry], 0, n), 0, 0)
    return carry, jax._joined(made[::-1] if reverse else made, 0, n)


def stop_gradient(x):
    return x


def select(pred, on_true, on_false):
    return np.where(pred, on_true, on_false)


def broadcast(operand, sizes):
    operand = jax.numpy.asarray(operand)
    return np.broadcast_to(operand, tuple(sizes) + operand.shape)


def rsqrt(x):
    return 1 / np.sqrt(x)
`;

export const flax = String.raw`
class Module(_Open):
    __collects_fields__ = ('parent', 'name')
    parent = None
    name = None

    def __post_init__(self):
        self.setup()

    def setup(self):
        pass

    def param(self, name, init_fn, shape=(), *args, **kwargs):
        return _drawn(shape, True)

    def variable(self, collection, name, init_fn=None, *args):
        raise NotImplementedError()

    def sow(self, *args, **kwargs):
        return True

    def make_rng(self, name='params'):
        return None

    def init(self, rngs, *args, **kwargs):
        return {'params': getattr(jax, 'init(…)')}

    def apply(self, variables, *args, rngs=None, mutable=None, method=None, **kwargs):
        of = self.__call__ if method is None else getattr(self, method if isinstance(method, str) else method.__name__)
        made = of(*args, **kwargs)
        return (made, getattr(jax, 'apply(…)')) if mutable else made


def compact(fun):
    return fun


def remat(of, *args, **kwargs):
    return of


def make_causal_mask(x, extra_batch_dims=0, dtype=None):
    n = x.shape[-1]
    return np.tril(np.ones((n, n), np.float32))[None, None]


def combine_masks(*masks, dtype=None):
    known = [one for one in masks if one is not None]
    made = known[0]
    for one in known[1:]:
        made = np.logical_and(made, one)
    return made


class Dense:
    def __init__(self, features, use_bias=True, name=None, **kwargs):
        self.features = features
        self.use_bias = use_bias
        self.kernel = None

    def __call__(self, inputs):
        if self.kernel is None:
            self.kernel = _drawn((inputs.shape[-1], self.features), True, 1 / math.sqrt(inputs.shape[-1]))
            self.bias = np.zeros((self.features,), np.float32)
        x = np.matmul(inputs, self.kernel)
        return x + self.bias if self.use_bias else x


class DenseGeneral:
    def __init__(self, features, axis=-1, use_bias=True, name=None, **kwargs):
        self.features = [features] if not isinstance(features, (list, tuple)) else list(features)
        self.axes = 1 if not isinstance(axis, (list, tuple)) else len(axis)
        self.use_bias = use_bias
        self.kernel = None

    def __call__(self, inputs):
        lead = list(inputs.shape[:inputs.ndim - self.axes])
        width = math.prod(inputs.shape[inputs.ndim - self.axes:])
        out = math.prod(self.features)
        if self.kernel is None:
            self.kernel = _drawn((width, out), True, 1 / math.sqrt(width))
            self.bias = np.zeros((out,), np.float32)
        x = np.matmul(inputs.reshape(lead + [width]), self.kernel)
        return (x + self.bias if self.use_bias else x).reshape(lead + self.features)


class Embed:
    def __init__(self, num_embeddings, features, name=None, **kwargs):
        self.embedding = _drawn((num_embeddings, features), True)

    def __call__(self, inputs):
        return self.embedding[inputs]


class LayerNorm:
    def __init__(self, epsilon=1e-6, use_bias=True, use_scale=True, name=None, **kwargs):
        self.epsilon = epsilon

    def __call__(self, x):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + self.epsilon)


class RMSNorm:
    def __init__(self, epsilon=1e-6, name=None, **kwargs):
        self.epsilon = epsilon

    def __call__(self, x):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + self.epsilon)


class Dropout:
    def __init__(self, rate, deterministic=None, broadcast_dims=(), name=None, **kwargs):
        self.rate = rate

        self.deterministic = deterministic

    def __call__(self, inputs, deterministic=None, rng=None):
        still = self.deterministic if deterministic is None else deterministic
        return inputs if still or self.rate == 0 else np.asarray(F.dropout(inputs, self.rate, True))


class Sequential:
    def __init__(self, layers, name=None, **kwargs):
        self.layers = layers

    def __call__(self, x, **kwargs):
        for layer in self.layers:
            x = layer(x)
        return x


class MultiHeadDotProductAttention:
    def __init__(self, num_heads, qkv_features=None, out_features=None, dropout_rate=0.0, deterministic=None, use_bias=True, name=None, **kwargs):
        self.num_heads = num_heads
        self.qkv_features = qkv_features
        self.out_features = out_features
        self.use_bias = use_bias

    def __call__(self, inputs_q, inputs_k=None, inputs_v=None, mask=None, deterministic=None, dropout_rng=None, **kwargs):
        inputs_k = inputs_q if inputs_k is None else inputs_k
        inputs_v = inputs_k if inputs_v is None else inputs_v
        width = inputs_q.shape[-1] if self.qkv_features is None else self.qkv_features
        d = width // self.num_heads
        heads = (self.num_heads, d)
        q = np.swapaxes(DenseGeneral(heads, use_bias=self.use_bias)(inputs_q), -3, -2) / math.sqrt(d)
        k = np.swapaxes(DenseGeneral(heads, use_bias=self.use_bias)(inputs_k), -3, -2)
        v = np.swapaxes(DenseGeneral(heads, use_bias=self.use_bias)(inputs_v), -3, -2)
        scores = np.matmul(q, np.swapaxes(k, -1, -2))
        if mask is not None:
            scores = np.where(mask, scores, np.finfo(np.float32).min)
        weights = jax.nn.softmax(scores)
        merged = np.swapaxes(np.matmul(weights, v), -3, -2)
        out = inputs_q.shape[-1] if self.out_features is None else self.out_features
        return DenseGeneral(out, axis=(-2, -1), use_bias=self.use_bias)(merged)
`;
