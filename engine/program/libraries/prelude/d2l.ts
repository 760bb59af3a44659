/** What the chapters on attention of "Dive into Deep Learning" take from its package, from the definitions that the book prints: in Python. */
export const d2l = String.raw`
def add_to_class(Class):
    def wrapper(obj):
        setattr(Class, obj.__name__, obj)
    return wrapper


def check_shape(a, shape):
    assert a.shape == shape, f'tensor\'s shape {a.shape} != expected shape {shape}'


def try_gpu(i=0):
    return torch.device('cpu')


class HyperParameters:
    pass


class Module(nn.Module, HyperParameters):
    def __init__(self, plot_train_per_epoch=2, plot_valid_per_epoch=1):
        super().__init__()
        self.save_hyperparameters()

    def forward(self, X):
        assert hasattr(self, 'net'), 'Neural network is defined'
        return self.net(X)

    def apply_init(self, inputs, init=None):
        self.forward(*inputs)
        if init is not None:
            self.net.apply(init)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, X, *args):
        raise NotImplementedError


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()

    def init_state(self, enc_all_outputs, *args):
        raise NotImplementedError

    def forward(self, X, state):
        raise NotImplementedError


class AttentionDecoder(Decoder):
    def __init__(self):
        super().__init__()

    @property
    def attention_weights(self):
        raise NotImplementedError


def init_seq2seq(module):
    if type(module) == nn.Linear:
        nn.init.xavier_uniform_(module.weight)
    if type(module) == nn.GRU:
        for name, weight in module.named_parameters():
            if 'weight' in name:
                nn.init.xavier_uniform_(weight)


def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    lens = valid_lens.repeat_interleave(X.shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    seen = torch.arange(X.shape[-1], dtype=torch.float32)[None, :] < lens[:, None]
    return F.softmax(X.masked_fill(~seen.reshape(X.shape), -1e6), dim=-1)


class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)


class AdditiveAttention(nn.Module):
    def __init__(self, num_hiddens, dropout, *older, **kwargs):
        super().__init__()
        if older:
            # d2l before 1.0: key_size, query_size, num_hiddens, dropout
            self.W_k = nn.Linear(num_hiddens, older[0], bias=False)
            self.W_q = nn.Linear(dropout, older[0], bias=False)
            self.w_v = nn.Linear(older[0], 1, bias=False)
            dropout = older[1]
        else:
            self.W_k = nn.LazyLinear(num_hiddens, bias=False)
            self.W_q = nn.LazyLinear(num_hiddens, bias=False)
            self.w_v = nn.LazyLinear(1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = torch.tanh(queries.unsqueeze(2) + keys.unsqueeze(1))
        self.attention_weights = masked_softmax(self.w_v(features).squeeze(-1), valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)


def sequence_mask(X, valid_len, value=0):
    mask = torch.arange(X.size(1), dtype=torch.float32)[None, :] < valid_len[:, None]
    X[~mask] = value
    return X


class MultiHeadAttention(Module):
    def __init__(self, num_hiddens=None, num_heads=None, dropout=None, *more, bias=False, key_size=None, query_size=None, value_size=None, **kwargs):
        super().__init__()
        # In the book's first edition: key_size, query_size, value_size, num_hiddens, num_heads, dropout, bias.
        if len(more) > 1:
            key_size, query_size, value_size = num_hiddens, num_heads, dropout
            num_hiddens, num_heads, dropout = more[0], more[1], more[2]
        if len(more) == 1 or len(more) == 4:
            bias = more[-1]
        self.num_heads = num_heads
        self.attention = DotProductAttention(dropout)
        if key_size is None:
            self.W_q = nn.LazyLinear(num_hiddens, bias=bias)
            self.W_k = nn.LazyLinear(num_hiddens, bias=bias)
            self.W_v = nn.LazyLinear(num_hiddens, bias=bias)
            self.W_o = nn.LazyLinear(num_hiddens, bias=bias)
        else:
            self.W_q = nn.Linear(query_size, num_hiddens, bias=bias)
            self.W_k = nn.Linear(key_size, num_hiddens, bias=bias)
            self.W_v = nn.Linear(value_size, num_hiddens, bias=bias)
            self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    def forward(self, queries, keys, values, valid_lens):
        queries = self.transpose_qkv(self.W_q(queries))
        keys = self.transpose_qkv(self.W_k(keys))
        values = self.transpose_qkv(self.W_v(values))
        if valid_lens is not None:
            valid_lens = torch.repeat_interleave(valid_lens, repeats=self.num_heads, dim=0)
        output = self.attention(queries, keys, values, valid_lens)
        return self.W_o(self.transpose_output(output))

    def transpose_qkv(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])

    def transpose_output(self, X):
        X = X.reshape(-1, self.num_heads, X.shape[1], X.shape[2]).permute(0, 2, 1, 3)
        return X.reshape(X.shape[0], X.shape[1], -1)


class PositionalEncoding(nn.Module):
    def __init__(self, num_hiddens, dropout, max_len=1000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.P = torch.zeros((1, max_len, num_hiddens))
        angles = torch.arange(max_len, dtype=torch.float32).reshape(-1, 1) / torch.pow(
            10000, torch.arange(0, num_hiddens, 2, dtype=torch.float32) / num_hiddens)
        self.P[:, :, 0::2] = torch.sin(angles)
        self.P[:, :, 1::2] = torch.cos(angles)

    def forward(self, X):
        return self.dropout(X + self.P[:, :X.shape[1], :])
`;
