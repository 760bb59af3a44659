/** `torch.nn`'s convolutions, norms over batches, pooling and recurrent layers, from their documented definitions, in Python. */
export const layers = String.raw`
def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


class _Conv(Module):
    def _start(self, in_channels, out_channels, kernel, stride, padding, dilation, groups, bias):
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.groups = groups
        self.weight = Parameter(torch.empty((out_channels, in_channels // groups) + kernel))
        self.bias = Parameter(torch.empty(out_channels)) if bias else None
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if bias:
            bound = 1 / math.sqrt(in_channels // groups * math.prod(kernel))
            init.uniform_(self.bias, -bound, bound)


class Conv1d(_Conv):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__()
        kernel = tuple(kernel_size) if isinstance(kernel_size, (tuple, list)) else (kernel_size,)
        self._start(in_channels, out_channels, kernel, stride, padding, dilation, groups, bias)

    def forward(self, input):
        return F.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Conv):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__()
        self._start(in_channels, out_channels, _pair(kernel_size), stride, padding, dilation, groups, bias)

    def forward(self, input):
        return F.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class LazyLinear(Module):
    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.out_features = out_features
        self._with_bias = bias
        self._layer = None

    def forward(self, input):
        if self._layer is None:
            self._layer = Linear(input.shape[-1], self.out_features, bias=self._with_bias)
            self.weight, self.bias = self._layer.weight, self._layer.bias
        return self._layer(input)


class _BatchNorm(Module):
    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.weight = Parameter(torch.ones(num_features)) if affine else None
        self.bias = Parameter(torch.zeros(num_features)) if affine else None
        self.track_running_stats = track_running_stats
        if track_running_stats:
            self.register_buffer('running_mean', torch.zeros(num_features))
            self.register_buffer('running_var', torch.ones(num_features))
            self.register_buffer('num_batches_tracked', torch.tensor(0))

    def forward(self, input):
        if input.shape[1] != self.num_features:
            raise RuntimeError(f"running_mean should contain {input.shape[1]} elements not {self.num_features}")
        shape = [1, self.num_features] + [1] * (input.dim() - 2)
        if self.training or not self.track_running_stats:
            axes = [0] + list(range(2, input.dim()))
            mean, var = input.mean(axes), input.var(axes, unbiased=False)
            if self.track_running_stats:
                self.num_batches_tracked.add_(1)
                self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
                self.running_var = (1 - self.momentum) * self.running_var + self.momentum * input.var(axes, unbiased=True)
        else:
            mean, var = self.running_mean, self.running_var
        out = (input - mean.reshape(shape)) / torch.sqrt(var.reshape(shape) + self.eps)
        if self.weight is None:
            return out
        return out * self.weight.reshape(shape) + self.bias.reshape(shape)


class BatchNorm1d(_BatchNorm):
    pass


class BatchNorm2d(_BatchNorm):
    pass


class _InstanceNorm(Module):
    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None):
        super().__init__()
        self.eps = eps
        self.weight = Parameter(torch.ones(num_features)) if affine else None
        self.bias = Parameter(torch.zeros(num_features)) if affine else None
        if track_running_stats:
            raise NotImplementedError()

    def forward(self, input):
        axes = list(range(2, input.dim()))
        out = (input - input.mean(axes, keepdim=True)) / torch.sqrt(input.var(axes, unbiased=False, keepdim=True) + self.eps)
        if self.weight is None:
            return out
        shape = [-1] + [1] * len(axes)
        return out * self.weight.view(shape) + self.bias.view(shape)


class InstanceNorm1d(_InstanceNorm):
    pass


class InstanceNorm2d(_InstanceNorm):
    pass


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups = num_groups
        self.eps = eps
        self.weight = Parameter(torch.ones(num_channels)) if affine else None
        self.bias = Parameter(torch.zeros(num_channels)) if affine else None

    def forward(self, input):
        if input.shape[1] % self.num_groups != 0:
            raise RuntimeError(f"Expected number of channels in input to be divisible by num_groups, but got input of shape {list(input.shape)} and num_groups={self.num_groups}")
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class MaxPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding)


class AvgPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, input):
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding)


class AdaptiveAvgPool1d(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return F.adaptive_avg_pool2d(input, self.output_size)


class Unfold(Module):
    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class _Recurrent(Module):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, **kwargs):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.batch_first = batch_first
        self.bidirectional = bidirectional
        self.dropout = dropout
        self.bias = bias
        bound = 1 / math.sqrt(hidden_size)
        ways = 2 if bidirectional else 1
        for layer in range(num_layers):
            for way in range(ways):
                end = f"_l{layer}" + ("_reverse" if way else "")
                width = input_size if layer == 0 else hidden_size * ways
                shapes = [('weight_ih', (self._gates * hidden_size, width)), ('weight_hh', (self._gates * hidden_size, hidden_size))]
                if bias:
                    shapes += [('bias_ih', (self._gates * hidden_size,)), ('bias_hh', (self._gates * hidden_size,))]
                for name, shape in shapes:
                    setattr(self, name + end, Parameter(torch.empty(shape)))
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _run(self, x, end, state):
        w_ih, w_hh = getattr(self, 'weight_ih' + end), getattr(self, 'weight_hh' + end)
        b_ih, b_hh = (getattr(self, 'bias_ih' + end), getattr(self, 'bias_hh' + end)) if self.bias else (None, None)
        outputs = []
        for step in x.unbind(0):
            state = self._step(F.linear(step, w_ih, b_ih), F.linear(state[0], w_hh, b_hh), state)
            outputs.append(state[0])
        return outputs, state

    def forward(self, input, hx=None):
        single = input.dim() == 2
        x = input.unsqueeze(1) if single else input.transpose(0, 1) if self.batch_first else input
        ways = 2 if self.bidirectional else 1
        given = None if hx is None else list(hx) if self._states == 2 else [hx]
        if input.dim() not in (2, 3):
            raise ValueError(f"{self._name}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        dims = [f"{one.dim()}-D" for one in given or []]
        if [one for one in given or [] if one.dim() != input.dim()]:
            kind, n = ('unbatched', 2) if single else ('batched', 3)
            got = f"hx and cx should also be {n}-D but got ({dims[0]}, {dims[1]}) tensors" if self._states == 2 else f"hx should also be {n}-D but got {dims[0]} tensor"
            raise RuntimeError(f"For {kind} {n}-D input, {got}")
        if input.size(-1) != self.input_size:
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}")
        if given is not None and single:
            given = [one.unsqueeze(1) for one in given]
        expected = (self.num_layers * ways, x.shape[1], self.hidden_size)
        for i, one in enumerate(given or []):
            if tuple(one.shape) != expected:
                raise RuntimeError(f"Expected hidden{[i] if self._states == 2 else ''} size {expected}, got {list(one.shape)}")
        ends = []
        for layer in range(self.num_layers):
            halves = []
            for way in range(ways):
                at = layer * ways + way
                state = [torch.zeros(x.shape[1], self.hidden_size) if given is None else given[i][at] for i in range(self._states)]
                outputs, state = self._run(x.flip(0) if way else x, f"_l{layer}" + ("_reverse" if way else ""), state)
                halves.append(torch.stack(outputs[::-1] if way else outputs))
                ends.append(state)
            x = halves[0] if ways == 1 else torch.cat(halves, dim=-1)
            if layer < self.num_layers - 1:
                x = F.dropout(x, self.dropout, self.training)
        last = [torch.stack([end[i] for end in ends]) for i in range(self._states)]
        if single:
            x, last = x.squeeze(1), [one.squeeze(1) for one in last]
        elif self.batch_first:
            x = x.transpose(0, 1)
        return x, last[0] if self._states == 1 else tuple(last)


class RNN(_Recurrent):
    _name = 'RNN'
    _gates = 1
    _states = 1

    def _step(self, a, b, state):
        return [torch.tanh(a + b)]


class GRU(_Recurrent):
    _name = 'GRU'
    _gates = 3
    _states = 1

    def _step(self, a, b, state):
        r_a, z_a, n_a = a.chunk(3, -1)
        r_b, z_b, n_b = b.chunk(3, -1)
        r, z = torch.sigmoid(r_a + r_b), torch.sigmoid(z_a + z_b)
        n = torch.tanh(n_a + r * n_b)
        return [(1 - z) * n + z * state[0]]


class LSTM(_Recurrent):
    _name = 'LSTM'
    _gates = 4
    _states = 2

    def _step(self, a, b, state):
        i, f, g, o = (a + b).chunk(4, -1)
        c = torch.sigmoid(f) * state[1] + torch.sigmoid(i) * torch.tanh(g)
        return [torch.sigmoid(o) * torch.tanh(c), c]


class _Cell(Module):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        Module.__init__(self)
        self.input_size = input_size
        self.hidden_size = hidden_size
        n, bound = self._gates * hidden_size, 1 / math.sqrt(hidden_size)
        self.weight_ih = Parameter(torch.empty(n, input_size))
        self.weight_hh = Parameter(torch.empty(n, hidden_size))
        self.bias_ih = Parameter(torch.empty(n)) if bias else None
        self.bias_hh = Parameter(torch.empty(n)) if bias else None
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def forward(self, input, hx=None):
        zeros = torch.zeros(*input.shape[:-1], self.hidden_size)
        state = [zeros] * self._states if hx is None else list(hx) if self._states == 2 else [hx]
        if input.size(-1) != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.size(-1)} expected {self.input_size}")
        for one in state:
            if input.dim() == 2 and one.size(0) != input.size(0):
                raise RuntimeError(f"Input batch size {input.size(0)} doesn't match hidden0 batch size {one.size(0)}")
            if one.size(-1) != self.hidden_size:
                raise RuntimeError(f"hidden0 has inconsistent hidden_size: got {one.size(-1)}, expected {self.hidden_size}")
        state = self._step(F.linear(input, self.weight_ih, self.bias_ih), F.linear(state[0], self.weight_hh, self.bias_hh), state)
        return tuple(state) if self._states == 2 else state[0]


class RNNCell(_Cell, RNN):
    pass


class GRUCell(_Cell, GRU):
    pass


class LSTMCell(_Cell, LSTM):
    pass
`;

export const convolutions = String.raw`
def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def _windows(input, kernel, stride, padding, dilation, fill):
    kh, kw = kernel
    (sh, sw), (ph, pw), (dh, dw) = _pair(stride), _pair(padding), _pair(dilation)
    if ph > 0 or pw > 0:
        input = F.pad(input, (pw, pw, ph, ph), value=fill)
    oh = (input.shape[-2] - dh * (kh - 1) - 1) // sh + 1
    ow = (input.shape[-1] - dw * (kw - 1) - 1) // sw + 1
    return [
        input[:, :, i * dh:i * dh + (oh - 1) * sh + 1:sh, j * dw:j * dw + (ow - 1) * sw + 1:sw]
        for i in range(kh) for j in range(kw)
    ]


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    if input.dim() == 3:
        return _conv2d(input.unsqueeze(0), weight, bias, stride, padding, dilation, groups).squeeze(0)
    return _conv2d(input, weight, bias, stride, padding, dilation, groups)


def _fits(input, weight, groups):
    channels = weight.shape[1] * groups
    if input.shape[1] != channels:
        raise RuntimeError(f"Given groups={groups}, weight of size {list(weight.shape)}, expected input{list(input.shape)} to have {channels} channels, but got {input.shape[1]} channels instead")


def _conv2d(input, weight, bias, stride, padding, dilation, groups):
    out, channels, kh, kw = weight.shape
    _fits(input, weight, groups)
    if padding == 'same':
        padding = (_pair(dilation)[0] * (kh - 1) // 2, _pair(dilation)[1] * (kw - 1) // 2)
    elif padding == 'valid':
        padding = 0
    if _pair(stride) == (kh, kw) and _pair(padding) == (0, 0) and groups == 1 and kh > 1:
        B, C, H, W = input.shape
        rows, columns = H // kh, W // kw
        patches = input[:, :, :rows * kh, :columns * kw].reshape(B, C, rows, kh, columns, kw)
        patches = patches.permute(0, 2, 4, 1, 3, 5).reshape(B, rows, columns, C * kh * kw)
        total = F.linear(patches, weight.reshape(out, -1)).permute(0, 3, 1, 2)
    else:
        total = None
        places = [(i, j) for i in range(kh) for j in range(kw)]
        for (i, j), part in zip(places, _windows(input, (kh, kw), stride, padding, dilation, 0)):
            here = weight[:, :, i, j]
            if groups == 1:
                term = torch.einsum('bchw,oc->bohw', part, here)
            else:
                B, C, h, w = part.shape
                split = part.reshape(B, groups, channels, h, w)
                term = torch.einsum('bgchw,goc->bgohw', split, here.reshape(groups, out // groups, channels)).reshape(B, out, h, w)
            total = term if total is None else total + term
    return total if bias is None else total + bias.reshape(-1, 1, 1)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    one = lambda value, other: (other, value[0] if isinstance(value, (tuple, list)) else value)
    pad = padding if isinstance(padding, str) else one(padding, 0)
    _fits(input if input.dim() > 2 else input.unsqueeze(0), weight, groups)
    return conv2d(input.unsqueeze(-2), weight.unsqueeze(-2), bias, one(stride, 1), pad, one(dilation, 1), groups).squeeze(-2)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if input.dim() == 3:
        return _pooled(input.unsqueeze(0), kernel_size, stride, padding, 1, float('-inf')).amax(0).squeeze(0)
    return _pooled(input, kernel_size, stride, padding, dilation, float('-inf')).amax(0)


def _pooled(input, kernel_size, stride, padding, dilation, fill):
    return torch.stack(_windows(input, _pair(kernel_size), kernel_size if stride is None else stride, padding, dilation, fill))


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    if input.dim() == 3:
        return _pooled(input.unsqueeze(0), kernel_size, stride, padding, 1, 0).mean(0).squeeze(0)
    return _pooled(input, kernel_size, stride, padding, 1, 0).mean(0)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    parts = torch.stack(_windows(input, _pair(kernel_size), stride, padding, dilation, 0), dim=2)
    return parts.reshape(parts.shape[0], parts.shape[1] * parts.shape[2], -1)
`;

export const truncated = String.raw`
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    return _unfollowed(tensor)
`;
