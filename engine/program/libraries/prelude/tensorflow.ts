/**
 * TensorFlow's functions as attention code uses them, in Python over the functions that there are, from its documentation. What it draws is not
 * followed: `_drawn` gives a shape. Numbers without a type are float32 and int32, as there.
 */
export const tensorflow = String.raw`
def _made(x, dtype=None):
    y = _tensor(x, torch.float32)
    if dtype is not None:
        return y.to(_type(dtype))
    if not isinstance(x, torch.Tensor) and y.dtype == torch.int64:
        return y.to(torch.int32)
    return y


def _type(dtype):
    return getattr(torch, dtype) if isinstance(dtype, str) else dtype


def constant(value, dtype=None, shape=None, name=None):
    x = _made(value, dtype)
    return x if shape is None else (x.expand(shape) if x.dim() == 0 else x.reshape(shape))


def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    return _made(value, dtype)


def Variable(initial_value=None, trainable=None, name=None, dtype=None, shape=None, **kwargs):
    return _made(initial_value() if callable(initial_value) else initial_value, dtype)


def identity(input, name=None):
    return _made(input)


def stop_gradient(input, name=None):
    return _made(input)


def print(*inputs, **kwargs):
    return None


def cast(x, dtype, name=None):
    return _tensor(x, torch.float32).to(_type(dtype))


def shape(input, out_type=None, name=None):
    return _tensor(input, torch.float32).shape


def Tensor_get_shape(x):
    return x.shape


def to_float(x, name=None):
    return _made(x).to(torch.float32)


def to_int32(x, name=None):
    return _made(x).to(torch.int32)


def rank(input, name=None):
    return _made(input).dim()


def size(input, out_type=None, name=None):
    return _made(input).numel()


def reshape(tensor, shape, name=None):
    return _made(tensor).reshape(_sizes(shape))


def transpose(a, perm=None, conjugate=False, name=None):
    a = _made(a)
    return a.permute(perm if perm is not None else list(range(a.dim()))[::-1])


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, name=None, **kwargs):
    a, b = _made(a), _made(b)
    if transpose_a or adjoint_a:
        a = a.transpose(-1, -2)
    if transpose_b or adjoint_b:
        b = b.transpose(-1, -2)
    return a @ b


def tensordot(a, b, axes, name=None):
    return torch.tensordot(_made(a), _made(b), dims=axes)


def einsum(equation, *inputs, **kwargs):
    return torch.einsum(equation, *[_made(x) for x in inputs])


def concat(values, axis=-1, name=None):
    return torch.cat([_made(x) for x in values], dim=axis)


def concatenate(values, axis=-1, name=None):
    return torch.cat([_made(x) for x in values], dim=axis)


def stack(values, axis=0, name=None):
    return torch.stack([_made(x) for x in values], dim=axis)


def unstack(value, num=None, axis=0, name=None):
    return list(_made(value).unbind(axis))


def split(value, num_or_size_splits, axis=0, num=None, name=None):
    value = _made(value)
    if isinstance(num_or_size_splits, int):
        return list(value.split(value.shape[axis] // num_or_size_splits, dim=axis))
    return list(value.split(list(num_or_size_splits), dim=axis))


def squeeze(input, axis=None, name=None):
    if isinstance(axis, (list, tuple)):
        axis = axis[0]
    return _made(input).squeeze() if axis is None else _made(input).squeeze(axis)


def expand_dims(input, axis=-1, name=None):
    return _made(input).unsqueeze(axis)


def tile(input, multiples, name=None):
    return _made(input).repeat(*_sizes(multiples))


def repeat(input, repeats, axis=None, name=None):
    x = _made(input)
    return x.reshape(-1).repeat_interleave(repeats) if axis is None else x.repeat_interleave(repeats, axis)


def broadcast_to(input, shape, name=None):
    return torch.broadcast_to(_made(input), _sizes(shape))


def gather(params, indices, validate_indices=None, axis=0, batch_dims=0, name=None):
    params, indices = _made(params), _tensor(indices, torch.int64)
    assert axis == 0 and batch_dims == 0
    return params[indices.long()]


def where(condition, x=None, y=None, name=None):
    x, y = _made(x), _made(y)
    return torch.where(_made(condition).bool(), x.to(y.dtype) if x.dim() == 0 else x, y.to(x.dtype) if y.dim() == 0 else y)


def range(start, limit=None, delta=1, dtype=None, name=None):
    a, b = (0, start) if limit is None else (start, limit)
    if dtype is None:
        floats = isinstance(a, float) or isinstance(b, float) or isinstance(delta, float)
        return torch.arange(a, b, delta, dtype=torch.float32 if floats else torch.int32)
    return torch.arange(a, b, delta, dtype=_type(dtype))


def zeros(shape, dtype=None, name=None):
    return torch.zeros(_sizes(shape), dtype=torch.float32 if dtype is None else _type(dtype))


def ones(shape, dtype=None, name=None):
    return torch.ones(_sizes(shape), dtype=torch.float32 if dtype is None else _type(dtype))


def fill(dims, value, name=None):
    return torch.full(_sizes(dims), value, dtype=torch.int32 if isinstance(value, int) else torch.float32)


def zeros_like(input, dtype=None, name=None):
    return torch.zeros_like(_made(input), dtype=None if dtype is None else _type(dtype))


def ones_like(input, dtype=None, name=None):
    return torch.ones_like(_made(input), dtype=None if dtype is None else _type(dtype))


def eye(num_rows, num_columns=None, dtype=None, name=None):
    return torch.eye(num_rows, num_rows if num_columns is None else num_columns, dtype=torch.float32 if dtype is None else _type(dtype))


def band_part(input, num_lower, num_upper, name=None):
    x = _made(input)
    x = x if num_lower < 0 else x.triu(-num_lower)
    return x if num_upper < 0 else x.tril(num_upper)


def linspace(start, stop, num, name=None):
    return torch.linspace(start, stop, num)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    return (_made(indices).unsqueeze(-1) == torch.arange(depth)).to(torch.float32 if dtype is None else _type(dtype))


def sequence_mask(lengths, maxlen=None, dtype=torch.bool, name=None):
    return (torch.arange(maxlen) < _made(lengths).unsqueeze(-1)).to(_type(dtype))


def _axes(x, axis):
    return list(torch.arange(x.dim()).tolist()) if axis is None else list(axis) if isinstance(axis, (list, tuple)) else axis


def reduce_sum(input, axis=None, keepdims=False, name=None, keep_dims=False):
    x = _made(input)
    return x.sum(_axes(x, axis), keepdim=keepdims or keep_dims)


def reduce_mean(input, axis=None, keepdims=False, name=None, keep_dims=False):
    x = _made(input)
    return x.mean(_axes(x, axis), keepdim=keepdims or keep_dims)


def reduce_max(input, axis=None, keepdims=False, name=None, keep_dims=False):
    x = _made(input)
    return x.amax(_axes(x, axis), keepdim=keepdims or keep_dims)


def reduce_min(input, axis=None, keepdims=False, name=None, keep_dims=False):
    x = _made(input)
    return x.amin(_axes(x, axis), keepdim=keepdims or keep_dims)


def reduce_std(input, axis=None, keepdims=False, name=None):
    x = _made(input)
    return x.std(_axes(x, axis), unbiased=False, keepdim=keepdims)


def reduce_variance(input, axis=None, keepdims=False, name=None):
    x = _made(input)
    return x.var(_axes(x, axis), unbiased=False, keepdim=keepdims)


def reduce_logsumexp(input, axis=None, keepdims=False, name=None):
    x = _made(input)
    return x.logsumexp(_axes(x, axis), keepdim=keepdims)


def moments(x, axes, shift=None, keepdims=False, name=None, keep_dims=False):
    x = _made(x)
    return x.mean(_axes(x, axes), keepdim=keepdims or keep_dims), x.var(_axes(x, axes), unbiased=False, keepdim=keepdims or keep_dims)


def argmax(input, axis=0, output_type=None, name=None):
    return _made(input).argmax(axis)


def argmin(input, axis=0, output_type=None, name=None):
    return _made(input).argmin(axis)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    assert not exclusive and not reverse
    return _made(x).cumsum(axis)


def top_k(input, k=1, sorted=True, name=None):
    return torch.topk(_made(input), k)


def sqrt(x, name=None):
    return torch.sqrt(_made(x))


def rsqrt(x, name=None):
    return 1 / torch.sqrt(_made(x))


def exp(x, name=None):
    return torch.exp(_made(x))


def log(x, name=None):
    return torch.log(_made(x))


def sin(x, name=None):
    return torch.sin(_made(x))


def cos(x, name=None):
    return torch.cos(_made(x))


def tanh(x, name=None):
    return torch.tanh(_made(x))


def sigmoid(x, name=None):
    return torch.sigmoid(_made(x))


def square(x, name=None):
    x = _made(x)
    return x * x


def abs(x, name=None):
    return torch.abs(_made(x))


def negative(x, name=None):
    return -_made(x)


def pow(x, y, name=None):
    return _made(x) ** y


def add(x, y, name=None):
    return _made(x) + y


def subtract(x, y, name=None):
    return _made(x) - y


def multiply(x, y, name=None):
    return _made(x) * y


def divide(x, y, name=None):
    return _made(x) / y


def maximum(x, y, name=None):
    return torch.maximum(_made(x), _made(y))


def minimum(x, y, name=None):
    return torch.minimum(_made(x), _made(y))


def equal(x, y, name=None):
    return _made(x) == y


def not_equal(x, y, name=None):
    return _made(x) != y


def less(x, y, name=None):
    return _made(x) < y


def less_equal(x, y, name=None):
    return _made(x) <= y


def greater(x, y, name=None):
    return _made(x) > y


def greater_equal(x, y, name=None):
    return _made(x) >= y


def logical_and(x, y, name=None):
    return torch.logical_and(_made(x), _made(y))


def logical_or(x, y, name=None):
    return torch.logical_or(_made(x), _made(y))


def logical_not(x, name=None):
    return torch.logical_not(_made(x))


def softmax(logits, axis=-1, name=None, dim=None):
    return torch.softmax(_made(logits), dim=axis if dim is None else dim)


def log_softmax(logits, axis=-1, name=None):
    return torch.log_softmax(_made(logits), dim=axis)


def relu(features, name=None):
    return torch.relu(_made(features))


def gelu(features, approximate=False, name=None):
    return F.gelu(_made(features), approximate='tanh' if approximate else 'none')


def silu(features, beta=1.0):
    x = _made(features)
    return x * torch.sigmoid(beta * x)


def elu(features, name=None):
    return F.elu(_made(features))


def leaky_relu(features, alpha=0.2, name=None):
    return F.leaky_relu(_made(features), alpha)


def softplus(features, name=None):
    return F.softplus(_made(features))


def bias_add(value, bias, data_format=None, name=None):
    return _made(value) + bias


def embedding_lookup(params, ids, max_norm=None, name=None):
    return params[_made(ids).long()]


def l2_normalize(x, axis=None, epsilon=1e-12, name=None):
    x = _made(x)
    return x / torch.sqrt(torch.maximum((x * x).sum(_axes(x, axis), keepdim=True), torch.tensor(epsilon)))


def dropout(x, rate=None, noise_shape=None, seed=None, name=None, keep_prob=None, training=True):
    return F.dropout(_made(x), rate if keep_prob is None else 1 - keep_prob, training)


def normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None, name=None):
    return _drawn(_sizes(shape)) * stddev + mean


def uniform(shape, minval=0, maxval=None, dtype=None, seed=None, name=None):
    return _drawn(_sizes(shape))


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None, name=None):
    return _drawn(_sizes(shape)) * stddev + mean


def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None, name=None):
    return _drawn(_sizes(shape)) * stddev + mean


def set_seed(seed):
    _seeded()


def set_random_seed(seed):
    _seeded()


def get_variable(name, shape=None, dtype=None, initializer=None, **kwargs):
    return _weight(shape)


def _weight(shape):
    sizes = _sizes(shape)
    return Parameter(_drawn(sizes, False, 1 / math.sqrt(sizes[0] if len(sizes) > 1 else 1)))


def _sizes(shape):
    if isinstance(shape, torch.Tensor):
        return [int(one) for one in shape]
    if not isinstance(shape, (list, tuple)):
        return [shape]
    return [int(one) if isinstance(one, torch.Tensor) else one for one in shape]


def function(func=None, input_signature=None, autograph=True, jit_compile=None, **kwargs):
    if func is None:
        return lambda f: function(f, input_signature)
    func.input_signature = input_signature
    return func


def custom_gradient(f):
    return f


def register_keras_serializable(package='Custom', name=None):
    return lambda of: of


def executing_eagerly():
    return True


def name_scope(name=None, *args, **kwargs):
    return _Scope()


def variable_scope(name=None, *args, **kwargs):
    return _Scope()


def control_dependencies(inputs):
    return _Scope()


def device(name):
    return _Scope()


class _Scope:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


def _same(x, k, s, value):
    more = [max((-(-n // b) - 1) * b + a - n, 0) for n, a, b in zip(x.shape[2:], k, s)]
    return F.pad(x, (more[1] // 2, more[1] - more[1] // 2, more[0] // 2, more[0] - more[0] // 2), value=value)


def max_pool2d(input, ksize, strides, padding, data_format='NHWC', name=None):
    first = data_format == 'NCHW'
    def two(value):
        sizes = list(value) if isinstance(value, (list, tuple)) else [value]
        return sizes * 2 if len(sizes) == 1 else sizes if len(sizes) == 2 else sizes[2:] if first else sizes[1:3]
    k, s = two(ksize), two(strides)
    x = input if first else input.permute(0, 3, 1, 2)
    if padding.upper() == 'SAME':
        x = _same(x, k, s, float('-inf'))
    x = F.max_pool2d(x, tuple(k), tuple(s))
    return x if first else x.permute(0, 2, 3, 1)


class LinearOperatorLowerTriangular:
    def __init__(self, tril, **kwargs):
        self.tril = tril

    def to_dense(self):
        return _made(self.tril).tril()


class Tensor:
    pass


class TensorShape:
    pass


class TensorSpec:
    def __init__(self, shape=None, dtype=None, name=None):
        self.shape = shape


class Module:
    def __init__(self, name=None):
        pass
`;
