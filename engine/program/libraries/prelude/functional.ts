/** `torch.nn.functional` and `torch.nn.init`, where they are made of other functions: from their documented definitions, in Python. */
export const functional = String.raw`
def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    n, m = query.size(-2), key.size(-2)
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    scores = query @ key.transpose(-2, -1) * factor
    if is_causal:
        allowed = torch.ones(n, m, dtype=torch.bool).tril(diagonal=0)
        scores = scores.masked_fill(~allowed, float('-inf'))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, float('-inf'))
            hidden = ~(attn_mask & allowed) if is_causal else ~attn_mask
        else:
            scores = scores + attn_mask
            hidden = attn_mask == float('-inf')
            if is_causal:
                hidden = hidden | ~allowed
    weights = torch.softmax(scores, dim=-1)
    # Since PyTorch 2.5 a query that sees no key gets zeros, where softmax itself gives NaN.
    if attn_mask is not None and _hides_a_row(hidden):
        weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    weights = dropout(weights, dropout_p, training=True)
    return weights @ value


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v,
                                 add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None,
                                 need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None,
                                 k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True,
                                 is_causal=False):
    q, k, v = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else in_proj_weight.chunk(3)
    biases = in_proj_bias.chunk(3) if in_proj_bias is not None else (None, None, None)
    output, weights = nn._attended(q, k, v, num_heads, weights, biases, bias_k, bias_v, add_zero_attn, dropout_p, training,
                                   lambda x: F.linear(x, out_proj_weight, out_proj_bias), key_padding_mask, attn_mask)
    if average_attn_weights:
        weights = weights.mean(dim=1)
    return output.transpose(0, 1), weights if need_weights else None


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', _smoothing=0.0):
    if weight is not None or _smoothing > 0:
        return _weighted_loss(input, target, weight, ignore_index, reduction, _smoothing)
    keep = target != ignore_index
    safe = torch.where(keep, target, 0)
    picked = -input.gather(1, safe.unsqueeze(1)).squeeze(1)
    losses = torch.where(keep, picked, 0.0)
    if reduction == 'none':
        return losses
    return losses.sum() if reduction == 'sum' else losses.sum() / keep.sum()


def _weighted_loss(logs, target, weight, ignore_index, reduction, smoothing):
    keep = target != ignore_index
    at = torch.where(keep, target, torch.zeros_like(target))
    w = torch.ones(logs.shape[1]) if weight is None else weight
    own = w[at] * keep
    losses = -(1 - smoothing) * logs.gather(1, at.unsqueeze(1)).squeeze(1) * own - smoothing / logs.shape[1] * (logs * w).sum(1) * keep
    return losses if reduction == 'none' else losses.sum() if reduction == 'sum' else losses.sum() / own.sum()


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0):
    if input.dim() > 2:
        rows = input.movedim(1, -1).reshape(-1, input.size(1))
        losses = _cross_entropy(rows, target.reshape(-1), ignore_index, reduction, weight, label_smoothing)
        return losses.reshape(target.shape) if reduction == 'none' else losses
    if input.dim() == 1:
        return _cross_entropy(input.unsqueeze(0), target.unsqueeze(0), -100, reduction, weight, label_smoothing).reshape(())
    return _cross_entropy(input, target, ignore_index, reduction, weight, label_smoothing)


def _cross_entropy(input, target, ignore_index, reduction, weight, smoothing):
    logs = log_softmax(input, dim=1)
    if target.is_floating_point():
        shares = target if smoothing == 0 else target * (1 - smoothing) + smoothing / input.shape[1]
        losses = -(shares * logs if weight is None else shares * logs * weight).sum(1)
        return losses if reduction == 'none' else losses.sum() if reduction == 'sum' else losses.mean()
    return nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction, _smoothing=smoothing)


def mse_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    squares = (input - target) ** 2
    return squares if reduction == 'none' else squares.sum() if reduction == 'sum' else squares.mean()


def one_hot(tensor, num_classes=-1):
    if num_classes == -1:
        num_classes = int(tensor.max().item()) + 1
    return (tensor.unsqueeze(-1) == torch.arange(num_classes)).long()


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return (x1 * x2).sum(dim) / (x1.norm(2, dim).clamp_min(eps) * x2.norm(2, dim).clamp_min(eps))


def glu(input, dim=-1):
    a, b = input.chunk(2, dim)
    return a * torch.sigmoid(b)


def _placed(input, made, inplace):
    return input.copy_(made) if inplace else made


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return _placed(input, torch.clamp(input, min_val, max_val), inplace)


def hardswish(input, inplace=False):
    return _placed(input, input * relu6(input + 3) / 6, inplace)


def hardsigmoid(input, inplace=False):
    return _placed(input, relu6(input + 3) / 6, inplace)


def celu(input, alpha=1.0, inplace=False):
    return _placed(input, torch.where(input > 0, input, alpha * torch.expm1(input / alpha)), inplace)


def softmin(input, dim=None, dtype=None):
    return torch.softmax(-input, dim)


def tanhshrink(input):
    return input - torch.tanh(input)


def _reduced(loss, reduction):
    return loss.mean() if reduction == 'mean' else loss.sum() if reduction == 'sum' else loss


def kl_div(input, target, size_average=None, reduce=None, reduction='mean', log_target=False):
    loss = torch.exp(target) * (target - input) if log_target else torch.where(target > 0, target * torch.log(target), 0.0) - target * input
    return loss.sum() / input.shape[0] if reduction == 'batchmean' else _reduced(loss, reduction)


def l1_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    return _reduced(torch.abs(input - target), reduction)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0):
    gap = torch.abs(input - target)
    return _reduced(torch.where(gap < beta, 0.5 * gap * gap / beta, gap - 0.5 * beta), reduction)


def huber_loss(input, target, reduction='mean', delta=1.0):
    gap = torch.abs(input - target)
    return _reduced(torch.where(gap < delta, 0.5 * gap * gap, delta * (gap - 0.5 * delta)), reduction)


def margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction='mean'):
    return _reduced((-target * (input1 - input2) + margin).clamp(min=0), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction='mean'):
    cos = (input1 * input2).sum(-1) / torch.sqrt(((input1 * input1).sum(-1) + 1e-12) * ((input2 * input2).sum(-1) + 1e-12))
    return _reduced(torch.where(target == 1, 1 - cos, 0.0) + torch.where(target == -1, (cos - margin).clamp(min=0), 0.0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction='mean'):
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced((margin + pairwise_distance(anchor, positive, p, eps) - far).clamp(min=0), reduction)


def selu(input, inplace=False):
    return _placed(input, 1.0507009873554805 * torch.where(input > 0, input, 1.6732632423543772 * torch.expm1(input)), inplace)


def softsign(input):
    return input / (torch.abs(input) + 1)


def bilinear(input1, input2, weight, bias=None):
    made = torch.einsum('...i,oij,...j->...o', input1, weight, input2)
    return made if bias is None else made + bias


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    height, width = (output_size, output_size) if isinstance(output_size, int) else output_size
    places = torch.arange(1.0, height * width + 1).view(1, 1, height, width)
    places = F.unfold(places, kernel_size, dilation, padding, stride).long()
    parts = input.unflatten(-2, (-1, places.shape[1])).flatten(-2)
    sums = parts.new_zeros(*parts.shape[:-1], height * width + 1)
    return sums.scatter_add(-1, places.flatten().expand_as(parts), parts)[..., 1:].unflatten(-1, (height, width))

def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction='mean'):
    loss = -(target * torch.log(input).clamp(min=-100) + (1 - target) * torch.log1p(-input).clamp(min=-100))
    return _reduced(loss if weight is None else loss * weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None):
    logs = torch.clamp(-input, min=0) + torch.log1p(torch.exp(-torch.abs(input)))
    loss = (1 - target) * input + (logs if pos_weight is None else (1 + (pos_weight - 1) * target) * logs)
    return _reduced(loss if weight is None else loss * weight, reduction)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return torch.linalg.vector_norm(x1 - x2 + eps, p, dim=-1, keepdim=keepdim)


def pixel_shuffle(input, upscale_factor):
    *batch, c, h, w = input.shape
    r = upscale_factor
    n = len(batch)
    apart = input.reshape(*batch, c // (r * r), r, r, h, w)
    return apart.permute(*range(n), n, n + 3, n + 1, n + 4, n + 2).reshape(*batch, c // (r * r), h * r, w * r)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    grouped = input.reshape(input.shape[0], num_groups, -1)
    mean, var = grouped.mean(-1, keepdim=True), grouped.var(-1, unbiased=False, keepdim=True)
    out = ((grouped - mean) / torch.sqrt(var + eps)).reshape(input.shape)
    shape = [1, input.shape[1]] + [1] * (input.dim() - 2)
    out = out if weight is None else out * weight.reshape(shape)
    return out if bias is None else out + bias.reshape(shape)


def _adaptive(input, size, dim):
    n = input.shape[dim]
    if size is None or size == n:
        return input
    return torch.cat([input.narrow(dim, i * n // size, -(-(i + 1) * n // size) - i * n // size).mean(dim, keepdim=True) for i in range(size)], dim)


def adaptive_avg_pool1d(input, output_size):
    return _adaptive(input, output_size if isinstance(output_size, int) else output_size[0], -1)


def adaptive_avg_pool2d(input, output_size):
    height, width = (output_size, output_size) if isinstance(output_size, int) else output_size
    return _adaptive(_adaptive(input, height, -2), width, -1)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    one = lambda value: value if value is None or isinstance(value, int) else value[0]
    step = one(kernel_size) if stride is None else one(stride)
    return avg_pool2d(input.unsqueeze(-2), (1, one(kernel_size)), (1, step), (0, one(padding))).squeeze(-2)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    one = lambda value: value if value is None or isinstance(value, int) else value[0]
    step = one(kernel_size) if stride is None else one(stride)
    return max_pool2d(input.unsqueeze(-2), (1, one(kernel_size)), (1, step), (0, one(padding)), (1, one(dilation))).squeeze(-2)


def interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False):
    for dim in range(2, input.dim()):
        n = input.shape[dim]
        factor = None if scale_factor is None else scale_factor[dim - 2] if isinstance(scale_factor, (tuple, list)) else scale_factor
        wanted = math.floor(n * factor) if size is None else size[dim - 2] if isinstance(size, (tuple, list)) else size
        if mode not in ('nearest', 'linear', 'bilinear', 'trilinear') or antialias:
            input = _unfollowed(input.narrow(dim, 0, 1).expand(*input.shape[:dim], wanted, *input.shape[dim + 1:]).clone(), f'F.interpolate(mode={mode})')
            continue
        step = n / wanted if size is not None else 1 / factor
        if mode == 'nearest':
            input = input.index_select(dim, torch.tensor([min(n - 1, math.floor(i * step)) for i in range(wanted)]))
            continue
        at = [i * (n - 1) / max(1, wanted - 1) if align_corners else max(0.0, (i + 0.5) * step - 0.5) for i in range(wanted)]
        low = [min(n - 1, math.floor(x)) for x in at]
        share = torch.tensor([x - i for x, i in zip(at, low)], dtype=input.dtype).reshape([-1 if i == dim else 1 for i in range(input.dim())])
        left, right = [input.index_select(dim, torch.tensor(places)) for places in (low, [min(n - 1, i + 1) for i in low])]
        input = left * (1 - share) + right * share
    return input


def relu6(input, inplace=False):
    return _placed(input, input.clamp(0, 6), inplace)
`;

export const initialisation = String.raw`
def calculate_gain(nonlinearity, param=None):
    if nonlinearity == 'tanh':
        return 5.0 / 3
    if nonlinearity == 'relu':
        return math.sqrt(2.0)
    if nonlinearity == 'leaky_relu':
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope ** 2))
    if nonlinearity == 'selu':
        return 3.0 / 4
    return 1


def _fans(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = 1
    for size in tensor.shape[2:]:
        field = field * size
    return tensor.size(1) * field, tensor.size(0) * field


def kaiming_uniform_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None):
    fan_in, fan_out = _fans(tensor)
    gain = calculate_gain(nonlinearity, a)
    std = gain / math.sqrt(fan_in if mode == 'fan_in' else fan_out)
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator=generator)


def kaiming_normal_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None):
    fan_in, fan_out = _fans(tensor)
    gain = calculate_gain(nonlinearity, a)
    return normal_(tensor, 0, gain / math.sqrt(fan_in if mode == 'fan_in' else fan_out), generator=generator)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _fans(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    a = math.sqrt(3.0) * std
    return uniform_(tensor, -a, a, generator=generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _fans(tensor)
    return normal_(tensor, 0., gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator=generator)


def eye_(tensor):
    return tensor.copy_(torch.eye(*tensor.shape))


def _calculate_fan_in_and_fan_out(tensor):
    return _fans(tensor)


def uniform(*args, **kwargs):
    return uniform_(*args, **kwargs)


def normal(*args, **kwargs):
    return normal_(*args, **kwargs)


def constant(tensor, val):
    return tensor.fill_(val)


def xavier_uniform(*args, **kwargs):
    return xavier_uniform_(*args, **kwargs)


def xavier_normal(*args, **kwargs):
    return xavier_normal_(*args, **kwargs)


def kaiming_uniform(*args, **kwargs):
    return kaiming_uniform_(*args, **kwargs)


def kaiming_normal(*args, **kwargs):
    return kaiming_normal_(*args, **kwargs)
`;

/** Training is not followed: what it changes is not known from then on. */
export const optimisation = String.raw`
class Optimizer:
    def __init__(self, params, *args, **kwargs):
        self.param_groups = [{'params': [p['params'] if isinstance(p, dict) else p for p in params], 'lr': kwargs.get('lr', 0.001)}]

    def zero_grad(self, set_to_none=True):
        pass

    def step(self, closure=None):
        _forget(self.param_groups)


class Adam(Optimizer):
    pass


class AdamW(Optimizer):
    pass


class SGD(Optimizer):
    pass
`;
