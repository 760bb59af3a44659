/**
 * JAX's functions that NumPy lacks or gives another number type, and Flax's layers, in Python from their documentation. An array is a NumPy array
 * of float32 or int32; what JAX draws is not followed, so weights are known in shape only.
 */
export const jaxNumpy = String.raw`
def _narrow(x, dtype=None):
    if dtype is not None:
        return x.astype(dtype)
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
    return np.zeros(shape, np.float32 if dtype is None else dtype)


def ones(shape, dtype=None):
    return np.ones(shape, np.float32 if dtype is None else dtype)


def full(shape, fill_value, dtype=None):
    return _narrow(np.full(shape, fill_value), dtype)


def eye(N, M=None, k=0, dtype=None):
    return np.eye(N, M).astype(np.float32 if dtype is None else dtype)


def tri(N, M=None, k=0, dtype=None):
    return np.tril(np.ones((N, N if M is None else M), np.float32 if dtype is None else dtype), k)


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
    return (np.expand_dims(x, -1) == np.arange(num_classes)).astype(np.float32)
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


def truncated_normal(key, lower, upper, shape=(), dtype=None):
    return _drawn(shape, True)
`;

export const jaxItself = String.raw`
def jit(fun=None, static_argnums=None, static_argnames=None, donate_argnums=None, **kwargs):
    return (lambda f: f) if fun is None else fun


def device_get(x):
    return x


def device_put(x, device=None):
    return x
`;

export const flax = String.raw`
class Module(_Open):
    __collects_fields__ = True
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
        return {'params': _drawn((1,), True)}

    def apply(self, variables, *args, rngs=None, mutable=None, method=None, **kwargs):
        return self(*args, **kwargs)


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
