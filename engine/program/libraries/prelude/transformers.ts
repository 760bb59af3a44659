/** Messages of PyTorch have backticks, which would end the program's text here. */
const tick = '`';

/** `torch.nn`'s attention and the layers around it, from their documented definitions, in Python. */
export const transformers = String.raw`
class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == self.embed_dim, "embed_dim must be divisible by num_heads"
        self._same = kdim is None and vdim is None
        if self._same:
            self.in_proj_weight = Parameter(torch.empty((3 * embed_dim, embed_dim), dtype=dtype))
        else:
            self.q_proj_weight = Parameter(torch.empty((embed_dim, embed_dim), dtype=dtype))
            self.k_proj_weight = Parameter(torch.empty((embed_dim, self.kdim), dtype=dtype))
            self.v_proj_weight = Parameter(torch.empty((embed_dim, self.vdim), dtype=dtype))
        if bias:
            self.in_proj_bias = Parameter(torch.empty(3 * embed_dim, dtype=dtype))
        else:
            self.in_proj_bias = None
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        self.add_zero_attn = add_zero_attn
        self.bias_k = Parameter(torch.empty((1, 1, embed_dim), dtype=dtype)) if add_bias_kv else None
        self.bias_v = Parameter(torch.empty((1, 1, embed_dim), dtype=dtype)) if add_bias_kv else None
        if self._same:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            init.xavier_uniform_(self.q_proj_weight)
            init.xavier_uniform_(self.k_proj_weight)
            init.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.)
            init.constant_(self.out_proj.bias, 0.)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
            init.xavier_normal_(self.bias_v)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        _check_dims(query, key, value, key_padding_mask, attn_mask, self.num_heads)
        for name, mask in (('key_padding_mask', key_padding_mask), ('attn_mask', attn_mask)):
            assert mask is None or mask.dtype == torch.bool or mask.is_floating_point(), f"only bool and floating types of {name} are supported"
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                               "${tick}generate_square_subsequent_mask${tick} to create this mask.")
        single = query.dim() == 2
        assert query.shape[-1] == self.embed_dim, f"was expecting embedding dimension of {self.embed_dim}, but got {query.shape[-1]}"
        if single and key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
        if single:
            query, key, value = query.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0)
        elif not self.batch_first:
            query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
        if self._same:
            assert key.shape == value.shape, f"key shape {_tokens_first(key, 3)} does not match value shape {_tokens_first(value, 3)}"
        else:
            assert key.shape[:2] == value.shape[:2], (
                f"key's sequence and batch dims {_tokens_first(key, 2)} do not match value's {_tokens_first(value, 2)}")
        weights = self.in_proj_weight.chunk(3) if self._same else (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        biases = self.in_proj_bias.chunk(3) if self.in_proj_bias is not None else (None, None, None)
        output, weights = _attended(query, key, value, self.num_heads, weights, biases, self.bias_k, self.bias_v, self.add_zero_attn,
                                    self.dropout, self.training, self.out_proj, key_padding_mask, attn_mask)
        if not single and not self.batch_first:
            output = output.transpose(0, 1)
        if average_attn_weights:
            weights = weights.mean(dim=1)
        if single:
            output, weights = output.squeeze(0), weights.squeeze(0)
        return output, weights if need_weights else None


def _tokens_first(x, axes):
    B, n, C = x.shape
    return f"torch.Size({[n, B, C][:axes]})"


def _check_dims(query, key, value, key_padding_mask, attn_mask, h):
    # torch.nn.functional._mha_shape_check
    if query.dim() == 3:
        assert key.dim() == 3 and value.dim() == 3, (
            f"For batched (3-D) ${tick}query${tick}, expected ${tick}key${tick} and ${tick}value${tick} to be 3-D but found {key.dim()}-D and {value.dim()}-D tensors respectively")
        if key_padding_mask is not None:
            assert key_padding_mask.dim() == 2, (
                f"For batched (3-D) ${tick}query${tick}, expected ${tick}key_padding_mask${tick} to be ${tick}None${tick} or 2-D but found {key_padding_mask.dim()}-D tensor instead")
        if attn_mask is not None:
            assert attn_mask.dim() in (2, 3), (
                f"For batched (3-D) ${tick}query${tick}, expected ${tick}attn_mask${tick} to be ${tick}None${tick}, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead")
    elif query.dim() == 2:
        assert key.dim() == 2 and value.dim() == 2, (
            f"For unbatched (2-D) ${tick}query${tick}, expected ${tick}key${tick} and ${tick}value${tick} to be 2-D but found {key.dim()}-D and {value.dim()}-D tensors respectively")
        if key_padding_mask is not None:
            assert key_padding_mask.dim() == 1, (
                f"For unbatched (2-D) ${tick}query${tick}, expected ${tick}key_padding_mask${tick} to be ${tick}None${tick} or 1-D but found {key_padding_mask.dim()}-D tensor instead")
        if attn_mask is not None:
            assert attn_mask.dim() in (2, 3), (
                f"For unbatched (2-D) ${tick}query${tick}, expected ${tick}attn_mask${tick} to be ${tick}None${tick}, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead")
            if attn_mask.dim() == 3:
                right = (h, query.shape[0], key.shape[0])
                assert tuple(attn_mask.shape) == right, f"Expected ${tick}attn_mask${tick} shape to be {right} but got {attn_mask.shape}"
    else:
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {query.dim()}-D query tensor")


def _attended(query, key, value, h, weights, biases, bias_k, bias_v, add_zero_attn, dropout, training, out_proj, key_padding_mask, attn_mask):
    B, n, C = query.shape
    m = key.shape[1]
    d = C // h
    w_q, w_k, w_v = weights
    b_q, b_k, b_v = biases
    if attn_mask is not None:
        right = (n, m) if attn_mask.dim() == 2 else (B * h, n, m)
        if tuple(attn_mask.shape) != right:
            raise RuntimeError(f"The shape of the {attn_mask.dim()}D attn_mask is {attn_mask.shape}, but should be {right}.")
    if key.shape[0] != B:
        raise RuntimeError(f"shape '[{m}, {B * h}, {d}]' is invalid for input of size {key.shape[0] * m * C}")
    if key_padding_mask is not None:
        assert key_padding_mask.shape[0] == B, f"Expected key_padded_mask.shape[0] to be {B}, but got {key_padding_mask.shape[0]}"
        assert key_padding_mask.shape[1] == m, f"Expected key_padded_mask.shape[1] to be {m}, but got {key_padding_mask.shape[1]}"
    q = F.linear(query, w_q, b_q).view(B, n, h, d).transpose(1, 2)
    k, v = F.linear(key, w_k, b_k), F.linear(value, w_v, b_v)
    more = 0
    if bias_k is not None:
        k = torch.cat([k, bias_k.repeat(B, 1, 1)], dim=1)
        v = torch.cat([v, bias_v.repeat(B, 1, 1)], dim=1)
        more += 1
    if add_zero_attn:
        k = torch.cat([k, torch.zeros((B, 1, C), dtype=k.dtype)], dim=1)
        v = torch.cat([v, torch.zeros((B, 1, C), dtype=v.dtype)], dim=1)
        more += 1
    if more > 0:
        m = m + more
        attn_mask = F.pad(attn_mask, (0, more)) if attn_mask is not None else None
        key_padding_mask = F.pad(key_padding_mask, (0, more)) if key_padding_mask is not None else None
    k, v = k.view(B, m, h, d).transpose(1, 2), v.view(B, m, h, d).transpose(1, 2)
    scores = (q / math.sqrt(d)) @ k.transpose(-2, -1)
    if attn_mask is not None:
        if attn_mask.dim() == 3:
            attn_mask = attn_mask.view(B, h, n, m)
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(attn_mask, float('-inf'))
        else:
            scores = scores + attn_mask
    if key_padding_mask is not None:
        padding = key_padding_mask.view(-1, 1, 1, m)
        if padding.dtype == torch.bool:
            scores = scores.masked_fill(padding, float('-inf'))
        else:
            scores = scores + padding
    weights = F.dropout(F.softmax(scores, dim=-1), dropout, training)
    output = weights @ v
    return out_proj(output.transpose(1, 2).reshape(B, n, C)), weights


def _activation(activation):
    if activation is None or activation == 'relu':
        return F.relu
    if activation == 'gelu':
        return F.gelu
    if isinstance(activation, str):
        raise RuntimeError(f'activation should be relu/gelu, not {activation}')
    return activation


class TransformerEncoderLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=None, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def _sa_block(self, x, attn_mask, key_padding_mask):
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)[0]
        return self.dropout1(x)

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask)
            x = x + self._ff_block(self.norm2(x))
        else:
            x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask))
            x = self.norm2(x + self._ff_block(x))
        return x


class TransformerDecoderLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=None, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def _sa_block(self, x, attn_mask, key_padding_mask):
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)[0]
        return self.dropout1(x)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask):
        x = self.multihead_attn(x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)[0]
        return self.dropout2(x)

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask, tgt_key_padding_mask)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            x = x + self._ff_block(self.norm3(x))
        else:
            x = self.norm1(x + self._sa_block(x, tgt_mask, tgt_key_padding_mask))
            x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask))
            x = self.norm3(x + self._ff_block(x))
        return x


class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False):
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                        tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
        return self.norm(tgt) if self.norm is not None else tgt


class Transformer(Module):
    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
                 activation=None, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        layer = TransformerEncoderLayer(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        self.encoder = TransformerEncoder(layer, num_encoder_layers, LayerNorm(d_model, eps=layer_norm_eps))
        layer = TransformerDecoderLayer(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        self.decoder = TransformerDecoder(layer, num_decoder_layers, LayerNorm(d_model, eps=layer_norm_eps))
        for p in self.parameters():
            if p.dim() > 1:
                init.xavier_uniform_(p)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return torch.triu(torch.full((sz, sz), float('-inf')), diagonal=1)

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
                tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None, memory_is_causal=False):
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                            tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)


class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return self.norm(src) if self.norm is not None else src
`;
