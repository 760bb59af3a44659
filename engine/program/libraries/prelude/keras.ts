/**
 * Layers of Keras, from their documentation, in Python. Weights come with the first call, when the size of the input is known; their draws are
 * not followed, so they are known in shape only.
 */
export const keras = String.raw`
class Layer(Module, _Open):
    _built = False

    def __init__(self, *args, name=None, dtype=None, trainable=True, input_shape=None, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        self._prepared(args)
        return self.call(*args, **kwargs)

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
    return _drawn([batch_size] + list(shape))


def _fresh(shape):
    sizes = list(shape) if shape is not None else []
    return Parameter(_drawn(sizes, False, 1 / math.sqrt(sizes[0] if len(sizes) > 1 else 1)))


def _activated(x, activation):
    if activation is None or activation == 'linear':
        return x
    if isinstance(activation, str):
        return getattr(tf, activation)(x)
    return activation(x)


class Model(Layer):
    def compile(self, *args, **kwargs):
        pass

    def summary(self, *args, **kwargs):
        pass

    def fit(self, *args, **kwargs):
        _forget(self.parameters())


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
        if self.kernel is None:
            self.kernel = _fresh((inputs.shape[-1], self.units))
            self.bias = Parameter(torch.zeros(self.units)) if self.use_bias else None
        x = inputs @ self.kernel
        return _activated(x + self.bias if self.use_bias else x, self.activation)


class EinsumDense(Layer):
    pass


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


class Dot(Layer):
    def __init__(self, axes, normalize=False, name=None, **kwargs):
        super().__init__()
        self.axes = axes

    def call(self, inputs):
        a, b = inputs
        first, second = self.axes if isinstance(self.axes, (list, tuple)) else (self.axes, self.axes)
        return a.movedim(first, -1) @ b.movedim(second, 1)


class Lambda(Layer):
    def __init__(self, function, output_shape=None, mask=None, arguments=None, name=None, **kwargs):
        super().__init__()
        self.function = function

    def call(self, inputs):
        return self.function(inputs)


class Attention(Layer):
    def __init__(self, use_scale=False, score_mode='dot', dropout=0.0, name=None, **kwargs):
        super().__init__()
        assert not use_scale and score_mode == 'dot'
        self.dropout = dropout

    def call(self, inputs, mask=None, training=None, return_attention_scores=False, use_causal_mask=False):
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        scores = query @ key.transpose(-1, -2)
        if use_causal_mask:
            allowed = torch.ones(query.shape[-2], key.shape[-2]).tril()
            scores = scores - (1.0 - allowed) * 1e9
        weights = torch.softmax(scores, dim=-1)
        output = weights @ value
        return (output, weights) if return_attention_scores else output


class AdditiveAttention(Layer):
    def __init__(self, use_scale=True, dropout=0.0, name=None, **kwargs):
        super().__init__()
        self.use_scale = use_scale
        self.scale = None

    def call(self, inputs, mask=None, training=None, return_attention_scores=False, use_causal_mask=False):
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        assert mask is None and not use_causal_mask
        features = torch.tanh(query.unsqueeze(-2) + key.unsqueeze(-3))
        if self.use_scale:
            if self.scale is None:
                self.scale = _fresh((query.shape[-1],))
            features = self.scale * features
        weights = torch.softmax(features.sum(-1), dim=-1)
        output = weights @ value
        return (output, weights) if return_attention_scores else output


class MultiHeadAttention(Layer):
    def __init__(self, num_heads, key_dim, value_dim=None, dropout=0.0, use_bias=True, output_shape=None, attention_axes=None,
                 name=None, **kwargs):
        super().__init__()
        self.num_heads = num_heads
        self.key_dim = key_dim
        self.value_dim = key_dim if value_dim is None else value_dim
        self.dropout = dropout
        self.use_bias = use_bias
        assert output_shape is None and attention_axes is None
        self.query_dense = Dense(num_heads * key_dim, use_bias=use_bias)
        self.key_dense = Dense(num_heads * key_dim, use_bias=use_bias)
        self.value_dense = Dense(num_heads * self.value_dim, use_bias=use_bias)
        self.output_dense = None

    def call(self, query, value, key=None, query_mask=None, value_mask=None, key_mask=None, attention_mask=None,
             return_attention_scores=False, training=None, use_causal_mask=False):
        key = value if key is None else key
        B, n = query.shape[0], query.shape[1]
        m = key.shape[1]
        h = self.num_heads
        q = self.query_dense(query).reshape(B, n, h, self.key_dim).transpose(1, 2)
        k = self.key_dense(key).reshape(B, m, h, self.key_dim).transpose(1, 2)
        v = self.value_dense(value).reshape(B, m, h, self.value_dim).transpose(1, 2)
        scores = (q * (1.0 / math.sqrt(self.key_dim))) @ k.transpose(-1, -2)
        if use_causal_mask:
            causal = torch.ones(n, m, dtype=torch.bool).tril()
            attention_mask = causal if attention_mask is None else torch.logical_and(attention_mask.bool(), causal)
        if attention_mask is not None:
            if attention_mask.dim() == 3:
                attention_mask = attention_mask.unsqueeze(1)
            scores = scores + (1.0 - attention_mask.to(scores.dtype)) * -1e9
        weights = torch.softmax(scores, dim=-1)
        dropped = F.dropout(weights, self.dropout, True) if training and self.dropout else weights
        merged = (dropped @ v).transpose(1, 2).reshape(B, n, h * self.value_dim)
        if self.output_dense is None:
            self.output_dense = Dense(query.shape[-1], use_bias=self.use_bias)
        output = self.output_dense(merged)
        return (output, weights) if return_attention_scores else output
`;
