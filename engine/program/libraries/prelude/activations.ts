/** `torch.nn`'s activations and losses as modules, from their documented definitions, in Python. */
export const activations = String.raw`
class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.softmax(input, self.dim)


class LogSoftmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.log_softmax(input, self.dim)


class ReLU(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.relu(input, inplace=self.inplace)


class GELU(Module):
    def __init__(self, approximate='none'):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)


class SiLU(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.silu(input, inplace=self.inplace)


class Tanh(Module):
    def forward(self, input):
        return torch.tanh(input)


class Sigmoid(Module):
    def forward(self, input):
        return torch.sigmoid(input)


class Softplus(Module):
    def forward(self, input):
        return F.softplus(input)


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.weight = Parameter(torch.full((num_parameters,), init))

    def forward(self, input):
        w = self.weight
        w = w if w.numel() == 1 else w.view([-1] + [1] * (input.dim() - 2))
        return torch.where(input > 0, input, w * input)


class LeakyReLU(Module):
    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.negative_slope = negative_slope

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, inplace=self.inplace)


class ELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.alpha = alpha

    def forward(self, input):
        return F.elu(input, self.alpha, inplace=self.inplace)


class CrossEntropyLoss(Module):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0):
        super().__init__()
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction, label_smoothing=self.label_smoothing)


class MSELoss(Module):
    def __init__(self, reduction='mean'):
        super().__init__()
        self.reduction = reduction

    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class _Applied(Module):
    _takes = {}

    def __init__(self, *args, **kwargs):
        super().__init__()
        if len(args) > len(self._takes) or [name for name in kwargs if name not in self._takes]:
            raise TypeError(f'{self.__class__.__name__}.__init__() got an unexpected argument')
        for name, value in {**self._takes, **dict(zip(self._takes, args)), **kwargs}.items():
            setattr(self, name, value)

    def forward(self, *inputs):
        return self._f(*inputs, **{name: getattr(self, name) for name in self._takes})


class _Loss(_Applied):
    _takes = {'size_average': None, 'reduce': None, 'reduction': 'mean'}


class GLU(_Applied):
    _takes = {'dim': -1}
    _f = staticmethod(F.glu)


class Mish(_Applied):
    _takes = {'inplace': False}
    _f = staticmethod(F.mish)


class Hardswish(_Applied):
    _takes = {'inplace': False}
    _f = staticmethod(F.hardswish)


class Hardsigmoid(_Applied):
    _takes = {'inplace': False}
    _f = staticmethod(F.hardsigmoid)


class ReLU6(_Applied):
    _takes = {'inplace': False}
    _f = staticmethod(F.relu6)


class Hardtanh(_Applied):
    _takes = {'min_val': -1.0, 'max_val': 1.0, 'inplace': False}
    _f = staticmethod(F.hardtanh)


class CELU(_Applied):
    _takes = {'alpha': 1.0, 'inplace': False}
    _f = staticmethod(F.celu)


class SELU(_Applied):
    _takes = {'inplace': False}
    _f = staticmethod(F.selu)


class Softsign(_Applied):
    _f = staticmethod(F.softsign)


class Softmin(_Applied):
    _takes = {'dim': None}
    _f = staticmethod(F.softmin)


class LogSigmoid(_Applied):
    _f = staticmethod(F.logsigmoid)


class Tanhshrink(_Applied):
    _f = staticmethod(F.tanhshrink)


class CosineSimilarity(_Applied):
    _takes = {'dim': 1, 'eps': 1e-8}
    _f = staticmethod(F.cosine_similarity)


class PixelShuffle(_Applied):
    _takes = {'upscale_factor': 1}
    _f = staticmethod(F.pixel_shuffle)


class MaxPool1d(_Applied):
    _takes = {'kernel_size': 1, 'stride': None, 'padding': 0}
    _f = staticmethod(F.max_pool1d)


class AvgPool1d(_Applied):
    _takes = {'kernel_size': 1, 'stride': None, 'padding': 0}
    _f = staticmethod(F.avg_pool1d)


class Fold(_Applied):
    _takes = {'output_size': 1, 'kernel_size': 1, 'dilation': 1, 'padding': 0, 'stride': 1}
    _f = staticmethod(F.fold)


class L1Loss(_Loss):
    _f = staticmethod(F.l1_loss)


class NLLLoss(_Applied):
    _takes = {'weight': None, 'size_average': None, 'ignore_index': -100, 'reduce': None, 'reduction': 'mean'}
    _f = staticmethod(F.nll_loss)


class KLDivLoss(_Applied):
    _takes = {'size_average': None, 'reduce': None, 'reduction': 'mean', 'log_target': False}
    _f = staticmethod(F.kl_div)


class BCELoss(_Applied):
    _takes = {'weight': None, 'size_average': None, 'reduce': None, 'reduction': 'mean'}
    _f = staticmethod(F.binary_cross_entropy)


class BCEWithLogitsLoss(_Applied):
    _takes = {'weight': None, 'size_average': None, 'reduce': None, 'reduction': 'mean', 'pos_weight': None}
    _f = staticmethod(F.binary_cross_entropy_with_logits)


class SmoothL1Loss(_Applied):
    _takes = {'size_average': None, 'reduce': None, 'reduction': 'mean', 'beta': 1.0}
    _f = staticmethod(F.smooth_l1_loss)


class HuberLoss(_Applied):
    _takes = {'reduction': 'mean', 'delta': 1.0}
    _f = staticmethod(F.huber_loss)


class CosineEmbeddingLoss(_Applied):
    _takes = {'margin': 0.0, 'size_average': None, 'reduce': None, 'reduction': 'mean'}
    _f = staticmethod(F.cosine_embedding_loss)


class MarginRankingLoss(_Applied):
    _takes = {'margin': 0.0, 'size_average': None, 'reduce': None, 'reduction': 'mean'}
    _f = staticmethod(F.margin_ranking_loss)


class TripletMarginLoss(_Applied):
    _takes = {'margin': 1.0, 'p': 2.0, 'eps': 1e-6, 'swap': False, 'size_average': None, 'reduce': None, 'reduction': 'mean'}
    _f = staticmethod(F.triplet_margin_loss)


class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        bound = 1 / math.sqrt(in1_features)
        self.weight = Parameter(torch.empty(out_features, in1_features, in2_features))
        self.bias = Parameter(torch.empty(out_features)) if bias else None
        torch.nn.init.uniform_(self.weight, -bound, bound)
        if bias:
            torch.nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)
`;
