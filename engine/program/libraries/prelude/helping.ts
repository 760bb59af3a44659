/** What attention code takes from packages around PyTorch: layers of timm, seeds of Lightning, checkpoints of activations. In Python. */
export const moreOfTorch = String.raw`
def tril_indices(row, col, offset=0, dtype=None, device=None, layout=None):
    return torch.stack([torch.from_numpy(places) for places in np.tril_indices(row, offset, col)])


def triu_indices(row, col, offset=0, dtype=None, device=None, layout=None):
    return torch.stack([torch.from_numpy(places) for places in np.triu_indices(row, offset, col)])


def multinomial(input, num_samples, replacement=False, generator=None, out=None):
    return _unfollowed(torch.zeros(*input.shape[:-1], num_samples, dtype=torch.int64), 'torch.multinomial')


def nan_to_num(input, nan=0.0, posinf=None, neginf=None, out=None):
    limits = torch.finfo(input.dtype)
    whole = torch.where(torch.isnan(input), torch.full_like(input, nan), input)
    upper = torch.where(whole == float('inf'), torch.full_like(input, limits.max if posinf is None else posinf), whole)
    return torch.where(upper == float('-inf'), torch.full_like(input, limits.min if neginf is None else neginf), upper)


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    near = (torch.abs(input - other) <= atol + rtol * torch.abs(other)) & torch.isfinite(other) | (input == other)
    return near | (torch.isnan(input) & torch.isnan(other)) if equal_nan else near


def nonzero(input, *, as_tuple=False):
    places = torch.where(input != 0)
    return places if as_tuple else torch.stack(places, dim=1)


def bernoulli(input, p=None, generator=None, out=None):
    return _unfollowed(torch.zeros_like(input), 'torch.bernoulli')
`;

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
export const moreOfNumpy = String.raw`
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = np.asarray(a), np.asarray(b)
    near = (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b) | (a == b)
    return near | (np.isnan(a) & np.isnan(b)) if equal_nan else near


def column_stack(tup):
    columns = [np.asarray(a) for a in tup]
    return np.concatenate([a[:, None] if a.ndim < 2 else a for a in columns], axis=1)
`;

/** Until PyTorch 0.4 tensors were wrapped so; now it gives them themselves. */
export const autograd = String.raw`
def Variable(data, requires_grad=False, volatile=False):
    return data
`;
