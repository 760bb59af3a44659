/**
 * What models copied from Hugging Face's transformers derive from and return, in Python from its modeling_utils, configuration_utils,
 * modeling_outputs, activations and cache_utils (4.x). `post_init` draws the weights anew, in an order of its own: they are known in shape only.
 */
export const huggingFace = String.raw`
class PretrainedConfig:
    model_type = ''

    def __init__(self, **kwargs):
        self._given = kwargs.pop('attn_implementation', None)
        self._attn_implementation = self._given or 'eager'
        for key in ('output_attentions', 'output_hidden_states', 'is_encoder_decoder', 'is_decoder', 'add_cross_attention'):
            setattr(self, key, False)
        for key in ('return_dict', 'use_return_dict', 'tie_word_embeddings'):
            setattr(self, key, True)
        for key in ('pad_token_id', 'bos_token_id', 'eos_token_id'):
            setattr(self, key, None)
        self.chunk_size_feed_forward = 0
        for key in kwargs:
            setattr(self, key, kwargs[key])


class PreTrainedModel(nn.Module):
    _supports_sdpa = False
    device = torch.device('cpu')
    dtype = torch.float32

    def __init__(self, config, *inputs, **kwargs):
        super().__init__()
        self.config = config
        if self._supports_sdpa and isinstance(config, PretrainedConfig) and config._given is None:
            config._attn_implementation = 'sdpa'

    def post_init(self):
        for value in self.parameters():
            _unfollowed(value, 'post_init')

    def init_weights(self):
        self.post_init()


class ModelOutput:
    def __init__(self, **fields):
        self._fields = fields
        for key in fields:
            setattr(self, key, fields[key])

    def to_tuple(self):
        return tuple([value for value in self._fields.values() if value is not None])

    def __getitem__(self, key):
        return self._fields[key] if isinstance(key, str) else self.to_tuple()[key]


class BaseModelOutput(ModelOutput):
    pass


class BaseModelOutputWithPast(ModelOutput):
    pass


class BaseModelOutputWithPooling(ModelOutput):
    pass


class BaseModelOutputWithPastAndCrossAttentions(ModelOutput):
    pass


class CausalLMOutput(ModelOutput):
    pass


class CausalLMOutputWithPast(ModelOutput):
    pass


class CausalLMOutputWithCrossAttentions(ModelOutput):
    pass


class MaskedLMOutput(ModelOutput):
    pass


class SequenceClassifierOutput(ModelOutput):
    pass


class DynamicCache:
    def __init__(self, *args, **kwargs):
        self.key_cache = []
        self.value_cache = []

    def update(self, key_states, value_states, layer_idx, cache_kwargs=None):
        if len(self.key_cache) <= layer_idx:
            self.key_cache.append(key_states)
            self.value_cache.append(value_states)
        else:
            self.key_cache[layer_idx] = torch.cat([self.key_cache[layer_idx], key_states], dim=-2)
            self.value_cache[layer_idx] = torch.cat([self.value_cache[layer_idx], value_states], dim=-2)
        return self.key_cache[layer_idx], self.value_cache[layer_idx]

    def get_seq_length(self, layer_idx=0):
        return self.key_cache[layer_idx].shape[-2] if layer_idx < len(self.key_cache) else 0


class ACT2FN:
    def __getitem__(self, key):
        plain = {'gelu': nn.GELU, 'relu': nn.ReLU, 'silu': nn.SiLU, 'swish': nn.SiLU, 'tanh': nn.Tanh, 'sigmoid': nn.Sigmoid}
        if key in ('gelu_new', 'gelu_pytorch_tanh'):
            return nn.GELU('tanh')
        return plain[key]() if key in plain else getattr(nn, f'ACT2FN[{key}]')


ACT2FN = ACT2FN()
`;
