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
