/**
 * `torch.nn`'s modules, written in Python from their documented definitions and read by the same evaluation as everyone's code: so a subclass,
 * `super().__init__()`, `parameters()` and the order of draws are what they are there. `_own` lists what an instance itself holds.
 */
export const modules = String.raw`
class Module:
    training = True
    _non_persistent_buffers_set = ()

    def __init__(self, *args, **kwargs):
        _started(self)

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def register_buffer(self, name, tensor, persistent=True):
        setattr(self, name, tensor)
        _mark_buffer(self, name)
        if not persistent:
            self._non_persistent_buffers_set += (name,)

    def register_parameter(self, name, param):
        setattr(self, name, param)

    def add_module(self, name, module):
        setattr(self, name, module)

    register_module = add_module

    @property
    def _modules(self):
        return _Held(self, 'module')

    @property
    def _parameters(self):
        return _Held(self, 'parameter')

    @property
    def _buffers(self):
        return _Held(self, 'buffer')

    def named_children(self):
        return _own(self, 'module')

    def children(self):
        return [module for name, module in _own(self, 'module')]

    def named_modules(self, memo=None, prefix='', remove_duplicate=True):
        found = [(prefix, self)]
        for name, module in _own(self, 'module'):
            for inner in module.named_modules(None, prefix + ('.' if prefix else '') + name):
                if not _contains(found, inner[1]):
                    found.append(inner)
        return found

    def modules(self):
        return [module for name, module in self.named_modules()]

    def _named(self, kind, prefix, recurse):
        found = []
        for path, module in (self.named_modules(None, prefix) if recurse else [(prefix, self)]):
            for name, value in _own(module, kind):
                if not _contains(found, value):
                    found.append((path + ('.' if path else '') + name, value))
        return found

    def named_parameters(self, prefix='', recurse=True, remove_duplicate=True):
        return self._named('parameter', prefix, recurse)

    def parameters(self, recurse=True):
        return [value for name, value in self._named('parameter', '', recurse)]

    def named_buffers(self, prefix='', recurse=True):
        return self._named('buffer', prefix, recurse)

    def buffers(self, recurse=True):
        return [value for name, value in self._named('buffer', '', recurse)]

    def state_dict(self, destination=None, prefix='', keep_vars=False):
        found = {} if destination is None else destination
        for name, value in _own(self, 'parameter') + _own(self, 'buffer'):
            if name not in self._non_persistent_buffers_set:
                found[prefix + name] = value if keep_vars else value.detach()
        for name, module in _own(self, 'module'):
            module.state_dict(destination=found, prefix=prefix + name + '.')
        return found

    def load_state_dict(self, state_dict, strict=True, assign=False):
        own = self.state_dict()
        missing = []
        errors = []
        for name in own:
            if name not in state_dict:
                missing.append(name)
            elif state_dict[name].shape != own[name].shape:
                errors.append(f'size mismatch for {name}: copying a param with shape {state_dict[name].shape} from checkpoint, the shape in current model is {own[name].shape}.')
            else:
                own[name].copy_(state_dict[name])
        unexpected = [name for name in state_dict if name not in own]
        if strict and unexpected:
            errors.insert(0, 'Unexpected key(s) in state_dict: ' + ', '.join([f'"{name}"' for name in unexpected]) + '. ')
        if strict and missing:
            errors.insert(0, 'Missing key(s) in state_dict: ' + ', '.join([f'"{name}"' for name in missing]) + '. ')
        if errors:
            raise RuntimeError('Error(s) in loading state_dict for ' + type(self).__name__ + ':\n\t' + '\n\t'.join(errors))
        return _IncompatibleKeys(missing, unexpected)

    def train(self, mode=True):
        self.training = mode
        for name, module in _own(self, 'module'):
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def apply(self, fn):
        for name, module in _own(self, 'module'):
            module.apply(fn)
        fn(self)
        return self

    def _cast(self, dtype):
        for name, value in _own(self, 'parameter'):
            value.data = value.to(dtype)
        for name, value in _own(self, 'buffer'):
            setattr(self, name, value.to(dtype) if value.is_floating_point() else value)
        for name, module in _own(self, 'module'):
            module._cast(dtype)
        return self

    def to(self, *args, **kwargs):
        for value in list(args) + list(kwargs.values()):
            if isinstance(value, _dtype):
                self._cast(value)
        return self

    def double(self):
        return self._cast(torch.float64)

    def float(self):
        return self._cast(torch.float32)

    def half(self):
        return self._cast(torch.float16)

    def bfloat16(self):
        return self._cast(torch.bfloat16)

    def cuda(self, device=None):
        return self

    def cpu(self):
        return self

    def requires_grad_(self, requires_grad=True):
        for value in self.parameters():
            value.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        pass

    def register_forward_hook(self, hook, prepend=False, with_kwargs=False):
        return _Hook(self, '_hooks_after', (hook, with_kwargs), prepend)

    def register_forward_pre_hook(self, hook, prepend=False, with_kwargs=False):
        return _Hook(self, '_hooks_before', (hook, with_kwargs), prepend)

    def _hooked(self, *args, **kwargs):
        for hook, named in list(self._hooks_before):
            changed = hook(self, args, kwargs) if named else hook(self, args)
            if changed is not None:
                if named:
                    args, kwargs = changed
                else:
                    args = changed if isinstance(changed, tuple) else (changed,)
        out = self.forward(*args, **kwargs)
        for hook, named in list(self._hooks_after):
            changed = hook(self, args, kwargs, out) if named else hook(self, args, out)
            if changed is not None:
                out = changed
        return out

    def get_submodule(self, name):
        return dict(self.named_modules())[name]

    def get_parameter(self, target):
        return dict(self.named_parameters())[target]

    def get_buffer(self, target):
        return dict(self.named_buffers())[target]


class _Hook:
    def __init__(self, of, kind, hook, prepend):
        if '_hooks_after' not in vars(of):
            of._hooks_after = []
            of._hooks_before = []
            of.__call__ = of._hooked
        self.held = getattr(of, kind)
        self.hook = hook
        self.held.insert(0 if prepend else len(self.held), hook)

    def remove(self):
        self.held[:] = [hook for hook in self.held if hook is not self.hook]

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.remove()


class _IncompatibleKeys:
    def __init__(self, missing_keys, unexpected_keys):
        self.missing_keys = missing_keys
        self.unexpected_keys = unexpected_keys

    def __iter__(self):
        return iter([self.missing_keys, self.unexpected_keys])

    def __getitem__(self, i):
        return [self.missing_keys, self.unexpected_keys][i]

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return '<All keys matched successfully>'
        return f'_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})'


class _Held:
    def __init__(self, of, kind):
        self.of = of
        self.kind = kind

    def __getitem__(self, name):
        return dict(_own(self.of, self.kind))[name]

    def __setitem__(self, name, value):
        setattr(self.of, name, value)

    def __contains__(self, name):
        return name in self.keys()

    def __len__(self):
        return len(_own(self.of, self.kind))

    def __iter__(self):
        return iter(self.keys())

    def get(self, name, otherwise=None):
        return dict(_own(self.of, self.kind)).get(name, otherwise)

    def keys(self):
        return [name for name, value in _own(self.of, self.kind)]

    def values(self):
        return [value for name, value in _own(self.of, self.kind)]

    def items(self):
        return _own(self.of, self.kind)


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.empty((out_features, in_features), dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_features, dtype=dtype))
        else:
            self.register_parameter('bias', None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = self.in_features
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
                 scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx + num_embeddings if padding_idx is not None and padding_idx < 0 else padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        if _weight is None:
            self.weight = Parameter(torch.empty((num_embeddings, embedding_dim), dtype=dtype))
            self.reset_parameters()
        else:
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def reset_parameters(self):
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight[self.padding_idx] = 0

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0):
        rows, cols = embeddings.shape
        return cls(rows, cols, padding_idx, max_norm, norm_type, _weight=embeddings, _freeze=freeze)

    def forward(self, input):
        if self.max_norm is not None:
            norms = self.weight.norm(self.norm_type, 1).double()
            used = torch.zeros(self.num_embeddings, dtype=torch.bool)
            used[input.reshape(-1)] = True
            self.weight.data.mul_(torch.where(used & (norms > self.max_norm), self.max_norm / (norms + 1e-7), 1.0).float()[:, None])
        return F.embedding(input, self.weight)


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = tuple(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else (normalized_shape,)
        self.eps = eps
        if elementwise_affine:
            self.weight = Parameter(torch.ones(self.normalized_shape, dtype=dtype))
            self.bias = Parameter(torch.zeros(self.normalized_shape, dtype=dtype)) if bias else None
        else:
            self.weight = None
            self.bias = None

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = tuple(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else (normalized_shape,)
        self.eps = eps
        self.weight = Parameter(torch.ones(self.normalized_shape, dtype=dtype)) if elementwise_affine else None

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)


class Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p

    def forward(self, input):
        return F.dropout(input, self.p, self.training)


class Dropout1d(Dropout):
    pass


class Dropout2d(Dropout):
    pass


class AlphaDropout(Dropout):
    pass


class Identity(Module):
    def forward(self, input):
        return input


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return torch.flatten(input, self.start_dim, self.end_dim)
`;
