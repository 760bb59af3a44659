/**
 * Attention in one call by packages of their own, from their documented definitions, in Python: flash-attn (Dao 2023; README of Dao-AILab/flash-attention)
 * and xFormers (`xformers.ops.memory_efficient_attention`). Tokens stand before heads in both: b×n×h×d.
 */
export const flashAttention = String.raw`
def flash_attn_func(q, k, v, dropout_p=0.0, softmax_scale=None, causal=False, window_size=(-1, -1), softcap=0.0, alibi_slopes=None,
                    deterministic=False, return_attn_probs=False):
    n, m = q.shape[1], k.shape[1]
    queries, keys, values = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
    if queries.shape[1] != keys.shape[1]:
        keys = keys.repeat_interleave(queries.shape[1] // keys.shape[1], 1)
        values = values.repeat_interleave(queries.shape[1] // values.shape[1], 1)
    scores = queries @ keys.transpose(-2, -1) * (1 / math.sqrt(q.shape[-1]) if softmax_scale is None else softmax_scale)
    if softcap > 0:
        scores = softcap * torch.tanh(scores / softcap)
    rows, columns = torch.arange(n).unsqueeze(1) + (m - n), torch.arange(m).unsqueeze(0)
    if alibi_slopes is not None:
        scores = scores - alibi_slopes.view(-1, queries.shape[1], 1, 1) * (rows - columns).abs()
    left, right = window_size
    if causal:
        right = 0
    if right >= 0:
        scores = scores.masked_fill(columns > rows + right, float('-inf'))
    if left >= 0:
        scores = scores.masked_fill(columns < rows - left, float('-inf'))
    weights = torch.softmax(scores, dim=-1)
    output = (F.dropout(weights, dropout_p, training=True) @ values).transpose(1, 2)
    return (output, torch.logsumexp(scores, dim=-1), weights) if return_attn_probs else output


def flash_attn_qkvpacked_func(qkv, dropout_p=0.0, softmax_scale=None, causal=False, window_size=(-1, -1), softcap=0.0, alibi_slopes=None,
                              deterministic=False, return_attn_probs=False):
    q, k, v = qkv.unbind(2)
    return flash_attn_func(q, k, v, dropout_p, softmax_scale, causal, window_size, softcap, alibi_slopes, deterministic, return_attn_probs)


def flash_attn_kvpacked_func(q, kv, dropout_p=0.0, softmax_scale=None, causal=False, window_size=(-1, -1), softcap=0.0, alibi_slopes=None,
                             deterministic=False, return_attn_probs=False):
    k, v = kv.unbind(2)
    return flash_attn_func(q, k, v, dropout_p, softmax_scale, causal, window_size, softcap, alibi_slopes, deterministic, return_attn_probs)
`;

export const xformers = String.raw`
class LowerTriangularMask:
    def __init__(self, *args, **kwargs):
        pass

    def _hide(self, scores):
        return scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), float('-inf'))


def memory_efficient_attention(query, key, value, attn_bias=None, p=0.0, scale=None, op=None):
    heads = query.dim() == 4
    q, k, v = (query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)) if heads else (query, key, value)
    scores = q * (1 / math.sqrt(query.shape[-1]) if scale is None else scale) @ k.transpose(-2, -1)
    if isinstance(attn_bias, LowerTriangularMask):
        scores = attn_bias._hide(scores)
    elif attn_bias is not None:
        scores = scores + attn_bias
    output = F.dropout(torch.softmax(scores, dim=-1), p, training=True) @ v
    return output.transpose(1, 2) if heads else output
`;

/**
 * `torch.nn.attention.flex_attention`, by PyTorch's documentation: scores are scaled, then changed by `score_mod` and hidden by the mask's function, each of
 * batch, head and both places. The functions take all places at once here.
 */
export const flexAttention = String.raw`
def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False, kernel_options=None):
    if enable_gqa:
        key = key.repeat_interleave(query.size(1) // key.size(1), 1)
        value = value.repeat_interleave(query.size(1) // value.size(1), 1)
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(query.size(-1)) if scale is None else scale)
    b, h = torch.arange(query.size(0)).view(-1, 1, 1, 1), torch.arange(query.size(1)).view(1, -1, 1, 1)
    q_idx, kv_idx = torch.arange(query.size(2)).view(1, 1, -1, 1), torch.arange(key.size(2)).view(1, 1, 1, -1)
    if score_mod is not None:
        scores = score_mod(scores, b, h, q_idx, kv_idx)
    if block_mask is not None:
        hidden = ~block_mask.mask_mod(b, h, q_idx, kv_idx)
        scores = scores.masked_fill(hidden, float('-inf'))
    weights = torch.softmax(scores, dim=-1)
    if block_mask is not None and _hides_a_row(hidden):
        weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    output = weights @ value
    return (output, torch.logsumexp(scores, dim=-1)) if return_lse else output


class BlockMask:
    def __init__(self, mask_mod):
        self.mask_mod = mask_mod


def create_block_mask(mask_mod, B=None, H=None, Q_LEN=None, KV_LEN=None, device='cuda', BLOCK_SIZE=128, _compile=False):
    return BlockMask(mask_mod)


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device='cuda'):
    b, h = torch.arange(1 if B is None else B).view(-1, 1, 1, 1), torch.arange(1 if H is None else H).view(1, -1, 1, 1)
    seen = mod_fn(b, h, torch.arange(Q_LEN).view(1, 1, -1, 1), torch.arange(KV_LEN).view(1, 1, 1, -1))
    return seen.expand(1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)


def and_masks(*mask_mods):
    def and_mask(b, h, q_idx, kv_idx):
        seen = torch.ones((), dtype=torch.bool)
        for mask in mask_mods:
            seen = seen & mask(b, h, q_idx, kv_idx)
        return seen
    return and_mask


def or_masks(*mask_mods):
    def or_mask(b, h, q_idx, kv_idx):
        seen = torch.zeros((), dtype=torch.bool)
        for mask in mask_mods:
            seen = seen | mask(b, h, q_idx, kv_idx)
        return seen
    return or_mask
`;

/** Which kernel computes it changes no shape and no definition. */
export const attentionKernels = String.raw`
class SDPBackend:
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3


class sdpa_kernel:
    def __init__(self, backends, set_priority=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False
`;

/** `einops.layers.torch`: the functions as modules (Rogozhnikov 2022). */
export const einopsLayers = String.raw`
class Rearrange(nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def forward(self, input):
        return _einops.rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def forward(self, input):
        return _einops.reduce(input, self.pattern, self.reduction, **self.axes_lengths)
`;
