/**
 * Layers of Keras, from their documentation, in Python. Weights come with the first call, when the size of the input is known; their draws are
 * not followed, so they are known in shape only.
 */
export const keras = String.raw`
def _autocast(layer, x):
    if isinstance(x, list):
        return [_autocast(layer, one) for one in x]
    if type(x) is tuple:
        return tuple([_autocast(layer, one) for one in x])
    x = tf.convert_to_tensor(x) if isinstance(x, np.ndarray) else x
    return tf.cast(x, tf.float32) if layer._autocasts and hasattr(x, 'dtype') and x.dtype == np.float64 else x


class Layer(Module, _Open):
    _autocasts = True
    _built = False

    def __init__(self, *args, name=None, dtype=None, trainable=True, input_shape=None, **kwargs):
        self._autocasts = dtype is None

    def __call__(self, *args, **kwargs):
        args = [_autocast(self, one) for one in args]
        self._prepared(args)
        return self.call(*args, **{key: _autocast(self, kwargs[key]) for key in kwargs})

    def _prepared(self, args):
        if not self._built:
            self._built = True
            first = args[0] if len(args) > 0 else None
            if first is not None:
                self.build([one.shape for one in first] if isinstance(first, (list, tuple)) else first.shape)

    def build(self, input_shape):
        pass

    def call(self, *args, **kwargs):
        return args[0]

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, **kwargs):
        return _fresh(name if isinstance(name, (list, tuple)) else shape)

    def get_config(self):
        return {}

    def compute_mask(self, inputs, mask=None):
        return mask

    def add_loss(self, *args, **kwargs):
        pass

    def get_weights(self):
        return self.parameters()


def Input(shape=None, batch_size=None, dtype=None, name=None, **kwargs):
    sizes = [batch_size] + list(shape)
    made = _drawn([_size('None' if i == 0 else f'None{i}') if n is None else n for i, n in enumerate(sizes)])
    return made if dtype is None else tf.cast(made, dtype)


def _fresh(shape):
    sizes = list(shape) if shape is not None else []
    return Parameter(_drawn(sizes, False, 1 / math.sqrt(sizes[0] if len(sizes) > 1 else 1)))


def _activated(x, activation):
    if activation is None or activation == 'linear':
        return x
    if isinstance(activation, str):
        return getattr(tf, activation)(x)
    return activation(x)


def _given(like, batch):
    if isinstance(like, (list, tuple)):
        return [_given(one, batch) for one in like]
    return _drawn([batch] + list(like.shape[1:]))


class Model(Layer):
    _outputs = None

    def __init__(self, inputs=None, outputs=None, name=None, **kwargs):
        self._outputs = outputs

    def call(self, inputs, training=None, mask=None):
        if self._outputs is None:
            raise NotImplementedError("Model " + type(self).__name__ + " does not have a call() method implemented.")
        first = inputs[0] if isinstance(inputs, (list, tuple)) else inputs
        return _given(self._outputs, first.shape[0])

    def compile(self, *args, **kwargs):
        pass

    def summary(self, *args, **kwargs):
        pass

    def fit(self, *args, **kwargs):
        _forget(self.parameters())
        return _Open()


class Sequential(Layer):
    def __init__(self, layers=None, name=None, **kwargs):
        super().__init__()
        self.layers = list(layers or [])

    def add(self, layer):
        self.layers.append(layer)

    def call(self, x, *args, **kwargs):
        for layer in self.layers:
            x = layer(x)
        return x


class Dense(Layer):
    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None, bias_initializer=None, name=None, **kwargs):
        super().__init__()
        self.units = units
        self.activation = activation
        self.use_bias = use_bias
        self.kernel = None

    def call(self, inputs, training=None):
        # Read without arguments it may have been made of sizes that nobody knew.
        if self.kernel is None or not _known(self.kernel.shape[0]):
            self.kernel = _fresh((inputs.shape[-1], self.units))
            self.bias = Parameter(torch.zeros(self.units)) if self.use_bias else None
        x = inputs @ self.kernel
        return _activated(x + self.bias if self.use_bias else x, self.activation)


class SpectralNormalization(Layer):
    def __init__(self, layer, *args, **kwargs):
        super().__init__()
        self.layer = layer

    def call(self, inputs, training=None):
        return self.layer(inputs)


class EinsumDense(Layer):
    def __init__(self, equation, output_shape, activation=None, bias_axes=None, name=None, **kwargs):
        super().__init__()
        self.equation = equation
        self.output_shape = output_shape
        self.activation = activation
        self.bias_axes = bias_axes or ''
        self.kernel = None

    def call(self, inputs, training=None):
        x, rest = self.equation.replace('...', '').split(',')
        w, out = rest.split('->')
        if self.kernel is None:
            sizes = dict(zip(reversed(x), reversed(inputs.shape)))
            given = self.output_shape if isinstance(self.output_shape, (list, tuple)) else [self.output_shape]
            for letter, size in zip(reversed(out), reversed(given)):
                if size is not None:
                    sizes[letter] = size
            self.kernel = _fresh([sizes[letter] for letter in w])
            self.bias = Parameter(torch.zeros([sizes[letter] if letter in self.bias_axes else 1 for letter in out if letter in w or letter in self.bias_axes]))
        y = torch.einsum(self.equation, inputs, self.kernel)
        return _activated(y + self.bias if self.bias_axes else y, self.activation)


class Embedding(Layer):
    def __init__(self, input_dim, output_dim, embeddings_initializer=None, mask_zero=False, input_length=None, name=None, **kwargs):
        super().__init__()
        self.input_dim = input_dim
        self.output_dim = output_dim
        self.embeddings = Parameter(_drawn((input_dim, output_dim)))

    def call(self, inputs):
        return F.embedding(inputs.long(), self.embeddings)

    def compute_mask(self, inputs, mask=None):
        return None


class LayerNormalization(Layer):
    def __init__(self, axis=-1, epsilon=0.001, center=True, scale=True, name=None, **kwargs):
        super().__init__()
        self.epsilon = epsilon
        self.gamma = None

    def call(self, inputs, training=None):
        if self.gamma is None:
            self.gamma = Parameter(torch.ones(inputs.shape[-1]))
            self.beta = Parameter(torch.zeros(inputs.shape[-1]))
        return F.layer_norm(inputs, (inputs.shape[-1],), self.gamma, self.beta, self.epsilon)


class BatchNormalization(Layer):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.gamma = None

    def call(self, inputs, training=None, mask=None):
        if self.gamma is None:
            self.gamma = Parameter(torch.ones(inputs.shape[-1]))
            self.beta = Parameter(torch.zeros(inputs.shape[-1]))
        return inputs / math.sqrt(1 + 0.001) * self.gamma + self.beta


class Dropout(Layer):
    def __init__(self, rate, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__()
        self.rate = rate

    def call(self, inputs, training=None):
        return F.dropout(inputs, self.rate, True) if training else inputs


class Softmax(Layer):
    def __init__(self, axis=-1, name=None, **kwargs):
        super().__init__()
        self.axis = axis

    def call(self, inputs, mask=None):
        if mask is not None:
            inputs = inputs + (1.0 - mask.to(inputs.dtype)) * -1e9
        return torch.softmax(inputs, dim=self.axis)


class Activation(Layer):
    def __init__(self, activation, name=None, **kwargs):
        super().__init__()
        self.activation = activation

    def call(self, inputs):
        return _activated(inputs, self.activation)


class ReLU(Layer):
    def call(self, inputs):
        return torch.relu(inputs)


class Flatten(Layer):
    def call(self, inputs):
        return inputs.reshape(inputs.shape[0], -1)


class Reshape(Layer):
    def __init__(self, target_shape, name=None, **kwargs):
        super().__init__()
        self.target_shape = target_shape

    def call(self, inputs):
        return inputs.reshape(inputs.shape[0], *self.target_shape)


class Permute(Layer):
    def __init__(self, dims, name=None, **kwargs):
        super().__init__()
        self.dims = dims

    def call(self, inputs):
        return inputs.permute(0, *self.dims)


class Add(Layer):
    def call(self, inputs):
        total = inputs[0]
        for one in inputs[1:]:
            total = total + one
        return total


class Concatenate(Layer):
    def __init__(self, axis=-1, name=None, **kwargs):
        super().__init__()
        self.axis = axis

    def call(self, inputs):
        return torch.cat(list(inputs), dim=self.axis)


class Multiply(Layer):
    def call(self, inputs):
        return math.prod(inputs)


class RepeatVector(Layer):
    def __init__(self, n, name=None, **kwargs):
        super().__init__()
        self.n = n

    def call(self, inputs):
        return inputs.unsqueeze(1).repeat(1, self.n, 1)


class _Recurrent(Layer):
    def __init__(self, units, activation='tanh', recurrent_activation='sigmoid', use_bias=True, return_sequences=False, return_state=False, go_backwards=False, name=None, **kwargs):
        super().__init__()
        self.units = units
        self.activation = activation
        self.use_bias = use_bias
        self.return_sequences = return_sequences
        self.return_state = return_state
        self.go_backwards = go_backwards
        self.cell = None

    def call(self, inputs, initial_state=None, mask=None, training=None):
        if _known(inputs.shape[1]) and _known(inputs.shape[2]) and self.activation == 'tanh':
            if self.cell is None:
                self.cell = getattr(torch.nn, self._cell)(inputs.shape[-1], self.units, bias=self.use_bias, batch_first=True)
            given = initial_state if initial_state is None or isinstance(initial_state, (list, tuple)) else [initial_state]
            if given is not None:
                given = tuple([one.unsqueeze(0) for one in given]) if len(given) > 1 else given[0].unsqueeze(0)
            outputs, last = self.cell(inputs.flip(1) if self.go_backwards else inputs, given)
            states = [one[0] for one in (last if isinstance(last, tuple) else (last,))]
        else:
            outputs = _drawn([inputs.shape[0], inputs.shape[1], self.units])
            states = [_drawn([inputs.shape[0], self.units]) for _ in range(2 if self._cell == 'LSTM' else 1)]
        first = outputs if self.return_sequences else states[0]
        return [first, *states] if self.return_state else first


class LSTM(_Recurrent):
    _cell = 'LSTM'


class GRU(_Recurrent):
    _cell = 'GRU'


class SimpleRNN(_Recurrent):
    _cell = 'RNN'


class Bidirectional(Layer):
    def __init__(self, layer, merge_mode='concat', weights=None, backward_layer=None, name=None, **kwargs):
        super().__init__()
        self.forward_layer = layer
        self.backward_layer = backward_layer or type(layer)(layer.units, layer.activation, use_bias=layer.use_bias, return_sequences=layer.return_sequences, return_state=layer.return_state, go_backwards=True)
        self.merge_mode = merge_mode

    def call(self, inputs, initial_state=None, mask=None, training=None):
        a, b = self.forward_layer(inputs), self.backward_layer(inputs)
        x, y = (a[0], b[0]) if self.forward_layer.return_state else (a, b)
        y = y.flip(1) if self.forward_layer.return_sequences else y
        joined = torch.cat((x, y), dim=-1) if self.merge_mode == 'concat' else x * y if self.merge_mode == 'mul' else (x + y) / (2 if self.merge_mode == 'ave' else 1)
        return [joined, *a[1:], *b[1:]] if self.forward_layer.return_state else joined


class TimeDistributed(Layer):
    def __init__(self, layer, name=None, **kwargs):
        super().__init__()
        self.layer = layer

    def call(self, inputs, mask=None, training=None):
        return self.layer(inputs)


class Conv2D(Layer):
    def __init__(self, filters, kernel_size, strides=1, padding='valid', data_format=None, dilation_rate=1, groups=1, activation=None, use_bias=True, name=None, **kwargs):
        super().__init__()
        self.filters = filters
        self.kernel_size = kernel_size if isinstance(kernel_size, (list, tuple)) else (kernel_size, kernel_size)
        self.options = (strides if isinstance(strides, (list, tuple)) else (strides, strides), padding.lower() == 'same', dilation_rate, groups)
        self.first = data_format == 'channels_first'
        self.activation = activation
        self.use_bias = use_bias
        self.kernel = None

    def call(self, inputs, training=None):
        x = inputs if self.first else inputs.permute(0, 3, 1, 2)
        (sh, sw), same, dilation, groups = self.options
        if self.kernel is None:
            self.kernel = _fresh((self.filters, x.shape[1] // groups, *self.kernel_size))
            self.bias = Parameter(torch.zeros(self.filters)) if self.use_bias else None
        if same:
            dh, dw = dilation if isinstance(dilation, (list, tuple)) else (dilation, dilation)
            x = tf._same(x, [dh * (self.kernel_size[0] - 1) + 1, dw * (self.kernel_size[1] - 1) + 1], (sh, sw), 0)
        x = F.conv2d(x, self.kernel, self.bias, (sh, sw), 0, dilation, groups)
        return _activated(x if self.first else x.permute(0, 2, 3, 1), self.activation)


class MaxPooling2D(Layer):
    def __init__(self, pool_size=2, strides=None, padding='valid', data_format=None, name=None, **kwargs):
        super().__init__()
        self.options = (pool_size, strides or pool_size, padding, 'NCHW' if data_format == 'channels_first' else 'NHWC')

    def call(self, inputs):
        return tf.nn.max_pool2d(inputs, *self.options)


class MaxPool2D(MaxPooling2D):
    pass


class GlobalAveragePooling1D(Layer):
    def call(self, inputs):
        return inputs.mean(1)


class GlobalMaxPooling1D(Layer):
    def call(self, inputs):
        return inputs.amax(1)


class Dot(Layer):
    def __init__(self, axes, normalize=False, name=None, **kwargs):
        super().__init__()
        self.axes = axes
        self.normalize = normalize

    def call(self, inputs):
        a, b = inputs
        first, second = self.axes if isinstance(self.axes, (list, tuple)) else (self.axes, self.axes)
        if self.normalize:
            a, b = F.normalize(a, dim=first), F.normalize(b, dim=second)
        if a.dim() == 2 and b.dim() == 2:
            return (a * b).sum(1, keepdim=True)
        x = a.unsqueeze(1) if a.dim() == 2 else a.movedim(first, -1)
        y = b.unsqueeze(-1) if b.dim() == 2 else b.movedim(second, 1)
        return (x @ y).squeeze(1 if a.dim() == 2 else -1) if a.dim() == 2 or b.dim() == 2 else x @ y


class Lambda(Layer):
    def __init__(self, function, output_shape=None, mask=None, arguments=None, name=None, **kwargs):
        super().__init__()
        self.function = function

    def call(self, inputs):
        return self.function(inputs)


class Attention(Layer):
    def __init__(self, use_scale=False, score_mode='dot', dropout=0.0, name=None, **kwargs):
        super().__init__()
        self.dropout = dropout
        self.score_mode = score_mode
        self.scale = Parameter(torch.ones(())) if use_scale else None

    def scores(self, query, key):
        if self.score_mode == 'dot':
            scores = query @ key.transpose(-1, -2)
            return scores if self.scale is None else scores * self.scale
        features = query.unsqueeze(-2) + key.unsqueeze(-3)
        return torch.tanh(features if self.scale is None else self.scale * features).sum(-1)

    def call(self, inputs, mask=None, training=None, return_attention_scores=False, use_causal_mask=False):
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        scores = self.scores(query, key)
        allowed = mask[1].unsqueeze(-2).bool() if mask and len(mask) > 1 and mask[1] is not None else None
        if use_causal_mask:
            causal = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril()
            allowed = causal if allowed is None else torch.logical_and(allowed, causal)
        if allowed is not None:
            scores = scores - (1.0 - allowed.to(scores.dtype)) * 1e9
        weights = torch.softmax(scores, dim=-1)
        output = (F.dropout(weights, self.dropout, True) if training and self.dropout else weights) @ value
        if mask and mask[0] is not None:
            output = output * mask[0].unsqueeze(-1)
        return (output, weights) if return_attention_scores else output


class AdditiveAttention(Attention):
    def __init__(self, use_scale=True, dropout=0.0, name=None, **kwargs):
        super().__init__(False, 'add', dropout)
        self.use_scale = use_scale

    def scores(self, query, key):
        if self.use_scale and self.scale is None:
            self.scale = _fresh((query.shape[-1],))
        features = torch.tanh(query.unsqueeze(-2) + key.unsqueeze(-3))
        return (self.scale * features if self.use_scale else features).sum(-1)


class MultiHeadAttention(Layer):
    def __init__(self, num_heads, key_dim, value_dim=None, dropout=0.0, use_bias=True, output_shape=None, attention_axes=None,
                 name=None, **kwargs):
        super().__init__()
        self.num_heads = num_heads
        self.key_dim = key_dim
        self.value_dim = key_dim if value_dim is None else value_dim
        self.dropout = dropout
        self.use_bias = use_bias
        self.width = output_shape
        self.attention_axes = attention_axes
        self.query_dense = Dense(num_heads * key_dim, use_bias=use_bias)
        self.key_dense = Dense(num_heads * key_dim, use_bias=use_bias)
        self.value_dense = Dense(num_heads * self.value_dim, use_bias=use_bias)
        self.output_dense = None

    def call(self, query, value, key=None, query_mask=None, value_mask=None, key_mask=None, attention_mask=None,
             return_attention_scores=False, training=None, use_causal_mask=False):
        if self.attention_axes is not None:
            return getattr(tf, 'keras.layers.MultiHeadAttention(attention_axes=)')
        key = value if key is None else key
        B, n = query.shape[0], query.shape[1]
        m = key.shape[1]
        h = self.num_heads
        q = self.query_dense(query).reshape(B, n, h, self.key_dim).transpose(1, 2)
        k = self.key_dense(key).reshape(B, m, h, self.key_dim).transpose(1, 2)
        v = self.value_dense(value).reshape(B, m, h, self.value_dim).transpose(1, 2)
        scores = (q * (1.0 / math.sqrt(self.key_dim))) @ k.transpose(-1, -2)
        masks = [one.unsqueeze(-2) for one in (value_mask, key_mask) if one is not None]
        if query_mask is not None:
            masks.append(query_mask.unsqueeze(-1))
        if use_causal_mask:
            masks.append(torch.ones(n, m, dtype=torch.bool).tril())
        for one in masks:
            attention_mask = one if attention_mask is None else torch.logical_and(attention_mask.bool(), one.bool())
        if attention_mask is not None:
            if attention_mask.dim() == 3:
                attention_mask = attention_mask.unsqueeze(1)
            scores = scores + (1.0 - attention_mask.to(scores.dtype)) * -1e9
        weights = torch.softmax(scores, dim=-1)
        dropped = F.dropout(weights, self.dropout, True) if training and self.dropout else weights
        merged = (dropped @ v).transpose(1, 2).reshape(B, n, h * self.value_dim)
        if self.output_dense is None:
            sizes = self.width if isinstance(self.width, (list, tuple)) else [self.width or query.shape[-1]]
            self.output_dense = Dense(math.prod(sizes), use_bias=self.use_bias)
        output = self.output_dense(merged)
        if isinstance(self.width, (list, tuple)):
            output = output.reshape(B, n, *self.width)
        return (output, weights) if return_attention_scores else output
`;

/** What Keras 3 calls `keras.ops` beside TensorFlow's own names. */
export const kerasOps = ['sum', 'max', 'min', 'mean']
  .map((name) => `def ${name}(x, axis=None, keepdims=False):\n    return tf.reduce_${name}(x, axis, keepdims)`)
  .concat(
    'def ndim(x):\n    return x.dim()',
    'def transpose(x, axes=None):\n    return tf.transpose(x, axes)',
    "def arange(start, stop=None, step=1, dtype='int32'):\n    return tf.cast(torch.arange(0 if stop is None else start, start if stop is None else stop, step), dtype)",
  )
  .join('\n\n\n');

/** `keras.backend`, whose `repeat` and `dot` are others than NumPy's and TensorFlow's. */
export const kerasBackend = `${kerasOps.replace(/def transpose[^]*?\n\n\n/, '')}

${String.raw`
def int_shape(x):
    return tuple(x.shape)


def epsilon():
    return 1e-07


def floatx():
    return 'float32'


def permute_dimensions(x, pattern):
    return tf.transpose(x, pattern)


def repeat(x, n):
    return x.unsqueeze(1).repeat(1, n, 1)


def repeat_elements(x, rep, axis):
    return torch.repeat_interleave(x, rep, dim=axis)


def dot(x, y):
    return x @ y if y.dim() < 3 else tf.tensordot(x, y, [[x.dim() - 1], [y.dim() - 2]])


def batch_dot(x, y, axes=None):
    return tf.keras.layers.Dot([x.dim() - 1, 1 if y.dim() == 2 else y.dim() - 2] if axes is None else axes)([x, y])
`}`;
