/**
 * MLX and Equinox, in Python from their documentation. An array is one of JAX's NumPy, as `prelude/jax.ts` has it; what they draw is not followed, so
 * weights are known in shape only.
 */
export const mlxCore = String.raw`
def softmax(a, axis=None, precise=False, stream=None):
    return jax.nn.softmax(a.reshape(-1)).reshape(a.shape) if axis is None else jax.nn.softmax(a, axis)


def sigmoid(a, stream=None):
    return 1 / (1 + np.exp(-a))


def rsqrt(a, stream=None):
    return 1 / np.sqrt(a)


def addmm(c, a, b, alpha=1.0, beta=1.0, stream=None):
    return beta * c + alpha * np.matmul(a, b)


def as_strided(a, shape=None, strides=None, offset=0, stream=None):
    return np.reshape(a, a.shape if shape is None else shape) if strides is None and offset == 0 else getattr(jax, 'as_strided(…)')


def stop_gradient(a, stream=None):
    return a


def eval(*args):
    pass


def compile(fun, inputs=None, outputs=None, shapeless=False):
    return fun
`;

export const mlxRandom = String.raw`
def seed(seed):
    _seeded()


def normal(shape=(), dtype=None, loc=0.0, scale=1.0, key=None, stream=None):
    return loc + scale * _drawn(shape, True)


def uniform(low=0, high=1, shape=(), dtype=None, key=None, stream=None):
    return _drawn(shape, True)


def randint(low, high, shape=(), dtype=None, key=None, stream=None):
    return _unfollowed(np.zeros(shape, np.int32), 'mlx.core.random.randint')


def categorical(logits, axis=-1, shape=None, num_samples=None, key=None, stream=None):
    return jax.random.categorical(key, logits, axis)
`;

export const mlxFast = String.raw`
def scaled_dot_product_attention(q, k, v, scale=1.0, mask=None, sinks=None, stream=None):
    many = q.shape[1] // k.shape[1]
    if many != 1:
        k, v = np.repeat(k, many, axis=1), np.repeat(v, many, axis=1)
    scores = np.matmul(q * scale, np.swapaxes(k, -1, -2))
    if isinstance(mask, str):
        mask = np.tril(np.ones((q.shape[-2], k.shape[-2]), np.bool_), k.shape[-2] - q.shape[-2])
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-np.inf)) if mask.dtype == np.bool_ else scores + mask
    return np.matmul(jax.nn.softmax(scores), v)


def rms_norm(x, weight, eps=1e-5, stream=None):
    made = x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)
    return made if weight is None else made * weight


def layer_norm(x, weight, bias, eps=1e-5, stream=None):
    centred = x - x.mean(-1, keepdims=True)
    made = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + eps)
    made = made if weight is None else made * weight
    return made if bias is None else made + bias


def rope(a, dims, traditional=False, base=10000.0, scale=1.0, offset=0, freqs=None, stream=None):
    if freqs is not None:
        return getattr(jax, 'rope(freqs=)')
    turns = np.exp(np.arange(0, dims, 2) * (-math.log(base) / dims))
    angles = (((np.arange(a.shape[-2]) + offset) * scale)[:, None] * turns).astype(np.float32)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = (a[..., 0:dims:2], a[..., 1:dims:2]) if traditional else (a[..., :dims // 2], a[..., dims // 2:dims])
    parts = [first * cos - second * sin, first * sin + second * cos]
    made = np.stack(parts, -1).reshape(a.shape[:-1] + (dims,)) if traditional else np.concatenate(parts, -1)
    return np.concatenate([made, a[..., dims:]], -1)
`;

export const mlxLayers = String.raw`
class Module(_Open):
    training = True

    def __init__(self):
        pass

    def train(self, mode=True):
        self.training = mode
        return self

    def eval(self):
        return self.train(False)


class Linear(Module):
    def __init__(self, input_dims, output_dims, bias=True):
        self.weight = _drawn((output_dims, input_dims), True, 1 / math.sqrt(input_dims))
        self.has_bias = bias
        if bias:
            self.bias = _drawn((output_dims,), True, 1 / math.sqrt(input_dims))

    def __call__(self, x):
        made = np.matmul(x, self.weight.T)
        return made + self.bias if self.has_bias else made


class Embedding(Module):
    def __init__(self, num_embeddings, dims):
        self.weight = _drawn((num_embeddings, dims), True, 1 / math.sqrt(dims))

    def __call__(self, x):
        return self.weight[x]

    def as_linear(self, x):
        return np.matmul(x, self.weight.T)


class LayerNorm(Module):
    def __init__(self, dims, eps=1e-5, affine=True, bias=True):
        self.eps = eps
        self.weight = np.ones((dims,), np.float32) if affine else None
        self.bias = np.zeros((dims,), np.float32) if affine and bias else None

    def __call__(self, x):
        return mx.fast.layer_norm(x, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    def __init__(self, dims, eps=1e-5):
        self.eps = eps
        self.weight = np.ones((dims,), np.float32)

    def __call__(self, x):
        return mx.fast.rms_norm(x, self.weight, self.eps)


class Dropout(Module):
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, x):
        return np.asarray(F.dropout(x, self.p, True)) if self.training and self.p != 0 else x


class RoPE(Module):
    def __init__(self, dims, traditional=False, base=10000, scale=1.0):
        self.dims = dims
        self.traditional = traditional
        self.base = base
        self.scale = scale

    def __call__(self, x, offset=0):
        return mx.fast.rope(x, self.dims, self.traditional, self.base, self.scale, offset)


class Sequential(Module):
    def __init__(self, *modules):
        self.layers = list(modules)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class ReLU(Module):
    def __call__(self, x):
        return np.maximum(x, 0)


class SiLU(Module):
    def __call__(self, x):
        return jax.nn.silu(x)


class Tanh(Module):
    def __call__(self, x):
        return np.tanh(x)


class GELU(Module):
    def __init__(self, approx='none'):
        self.approx = approx

    def __call__(self, x):
        return gelu(x) if self.approx == 'none' else jax.nn.gelu(x)


def gelu(x):
    return np.asarray(F.gelu(torch.from_numpy(x)))


def gelu_approx(x):
    return jax.nn.gelu(x)


class MultiHeadAttention(Module):
    def __init__(self, dims, num_heads, query_input_dims=None, key_input_dims=None, value_input_dims=None, value_dims=None, value_output_dims=None, bias=False):
        if dims % num_heads != 0:
            raise ValueError(f"The input feature dimensions should be divisible by the number of heads ({dims} % {num_heads}) != 0")
        self.num_heads = num_heads
        self.query_proj = Linear(query_input_dims or dims, dims, bias)
        self.key_proj = Linear(key_input_dims or dims, dims, bias)
        self.value_proj = Linear(value_input_dims or key_input_dims or dims, value_dims or dims, bias)
        self.out_proj = Linear(value_dims or dims, value_output_dims or dims, bias)

    def __call__(self, queries, keys, values, mask=None):
        parts = [self.query_proj(queries), self.key_proj(keys), self.value_proj(values)]
        q, k, v = [np.swapaxes(one.reshape(one.shape[0], one.shape[1], self.num_heads, -1), 1, 2) for one in parts]
        made = mx.fast.scaled_dot_product_attention(q, k, v, math.sqrt(1 / q.shape[-1]), mask)
        return self.out_proj(np.swapaxes(made, 1, 2).reshape(queries.shape[0], queries.shape[1], -1))

    @staticmethod
    def create_additive_causal_mask(N, dtype=None):
        places = np.arange(N)
        return (places[:, None] < places[None]).astype(np.float32) * np.float32(-1e9)
`;

export const equinox = String.raw`
class Module(_Open):
    __collects_fields__ = ()


def filter_jit(fun=None, **kwargs):
    return (lambda f: f) if fun is None else fun


def filter_vmap(fun, in_axes=0, out_axes=0, **kwargs):
    return jax.vmap(fun, in_axes, out_axes)
`;

export const equinoxLayers = String.raw`
class Linear(_Open):
    def __init__(self, in_features, out_features, use_bias=True, dtype=None, key=None):
        self.weight = _drawn((out_features, in_features), True, 1 / math.sqrt(in_features))
        self.use_bias = use_bias
        self.bias = _drawn((out_features,), True, 1 / math.sqrt(in_features)) if use_bias else None

    def __call__(self, x, key=None):
        made = np.matmul(self.weight, x)
        return made + self.bias if self.use_bias else made


class Embedding(_Open):
    def __init__(self, num_embeddings=None, embedding_size=None, weight=None, dtype=None, key=None):
        self.weight = _drawn((num_embeddings, embedding_size), True) if weight is None else weight

    def __call__(self, x, key=None):
        return self.weight[x]


class LayerNorm(_Open):
    def __init__(self, shape, eps=1e-5, use_weight=True, use_bias=True, dtype=None):
        self.eps = eps

    def __call__(self, x, key=None):
        return mx.fast.layer_norm(x, None, None, self.eps)


class Dropout(_Open):
    def __init__(self, p=0.5, inference=False):
        self.p = p
        self.inference = inference

    def __call__(self, x, key=None, inference=None, deterministic=None):
        still = self.inference if inference is None else inference
        return x if still or self.p == 0 else np.asarray(F.dropout(x, self.p, True))


class MultiheadAttention(_Open):
    def __init__(self, num_heads, query_size, key_size=None, value_size=None, output_size=None, qk_size=None, vo_size=None, use_query_bias=False, use_key_bias=False, use_value_bias=False, use_output_bias=False, dropout_p=0.0, inference=False, dtype=None, key=None):
        width = qk_size or query_size // num_heads
        inner = vo_size or query_size // num_heads
        self.num_heads = num_heads
        self.query_proj = Linear(query_size, num_heads * width, use_query_bias)
        self.key_proj = Linear(key_size or query_size, num_heads * width, use_key_bias)
        self.value_proj = Linear(value_size or query_size, num_heads * inner, use_value_bias)
        self.output_proj = Linear(num_heads * inner, output_size or query_size, use_output_bias)
        self.dropout = Dropout(dropout_p, inference)

    def _project(self, layer, x):
        made = np.matmul(x, layer.weight.T)
        return made + layer.bias if layer.use_bias else made

    def __call__(self, query, key_, value, mask=None, key=None, inference=None, deterministic=None, process_heads=None):
        parts = [self._project(self.query_proj, query), self._project(self.key_proj, key_), self._project(self.value_proj, value)]
        q, k, v = [np.swapaxes(one.reshape(one.shape[0], self.num_heads, -1), 0, 1) for one in parts]
        scores = np.matmul(q / math.sqrt(q.shape[-1]), np.swapaxes(k, -1, -2))
        if mask is not None:
            scores = np.where(mask, scores, np.finfo(np.float32).min)
        weights = self.dropout(jax.nn.softmax(scores), inference=inference)
        return self._project(self.output_proj, np.swapaxes(np.matmul(weights, v), 0, 1).reshape(query.shape[0], -1))
`;
