"""What explain_attention.py records, beside the model's own tensors. Prints a JSON list of [name, what is wrong, or null].

capture_checks.py HELPER_FOLDER OUT_FOLDER
"""
import json
import math
import os
import subprocess
import sys
import time
import types

sys.path.insert(0, sys.argv[1])
target = sys.argv[2]

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.overrides import handle_torch_function, has_torch_function

import explain_attention
from captured import again, with_sink
from explain_attention import capture, explain

found = []


def check(name):
    def run(test):
        torch.manual_seed(7)
        try:
            test()
            found.append([name, None])
        except Exception as error:
            import traceback
            found.append([name, f'{type(error).__name__}: {error} {traceback.format_exc()[-600:]}'])
    return run


def same(a, b, what):
    if tuple(a.shape) != tuple(b.shape) or not torch.equal(a, b):
        raise AssertionError(f'{what}: {tuple(a.shape)} and {tuple(b.shape)}, or other numbers')


def near(a, b, what, limit=1e-6):
    apart = float((a.double() - b.double()).abs().max())
    if tuple(a.shape) != tuple(b.shape) or not apart <= limit:
        raise AssertionError(f'{what}: apart by {apart}, {tuple(a.shape)} and {tuple(b.shape)}')


class Own(nn.Module):
    """GPT-2's attention as tutorials write it; keeps its tensors for the comparison."""

    def __init__(self, width=12, heads=3, how='fill'):
        super().__init__()
        self.qkv, self.heads, self.how, self.n_head = nn.Linear(width, 3 * width), heads, how, heads
        self.register_buffer('sinks', torch.tensor([0.75, -1.5, 0.25]))

    def forward(self, x):
        b, n, width = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(x).split(width, dim=2))
        later = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
        scores = q @ k.transpose(-2, -1)
        if self.how == 'fill':
            scores = (scores / math.sqrt(k.shape[-1])).masked_fill(later, float('-inf'))
        elif self.how == 'in place':
            scores *= 0.5
            scores[later.expand_as(scores)] = float('-inf')
        elif self.how == 'where':
            scores = torch.where(later, torch.full_like(scores, -1e9), scores * 0.5)
        elif self.how == 'added':
            scores = scores * 0.5 + torch.zeros(n, n).masked_fill(later, float('-inf')) + torch.randn(1, self.heads, n, n)
        elif self.how == 'cap':
            scores = torch.tanh(scores * 0.5 / 3.0) * 3.0
            scores = scores.masked_fill(later, float('-inf'))
        elif self.how == 'largest':
            scores = (scores * 0.5).masked_fill(later, float('-inf'))
            scores = scores - scores.max(dim=-1, keepdim=True).values
        elif self.how == 'odd':
            scores = torch.relu(scores)
        elif self.how.startswith('sinks'):
            scores = (scores * 0.5).masked_fill(later, float('-inf'))
            if self.how == 'sinks, odd':
                scores = torch.nan_to_num(scores)
            sinks = self.sinks.reshape(1, -1, 1, 1).expand(b, -1, n, -1)
            scores = torch.cat([scores, sinks], dim=-1)
            if self.how != 'sinks, odd':
                scores = scores - scores.max(dim=-1, keepdim=True).values
        w = F.softmax(scores, dim=-1)
        if self.how.startswith('sinks'):
            w = w[..., :-1]
        y = F.dropout(w, 0.0, self.training) @ v
        self.kept = q, k, v, w, y
        return y.transpose(1, 2).reshape(b, n, width)


for how in ('fill', 'in place', 'where', 'added', 'cap', 'odd', 'largest', 'sinks', 'sinks, odd'):
    @check(f'softmax by hand, {how}')
    def _(how=how):
        model = nn.Sequential(Own(how=how), Own(how=how)).eval()
        x = torch.randn(2, 5, 12)
        with capture(model, batch=None) as c:
            model(x)
        assert [one.about['module'] for one in c.attentions] == ['0', '1'], c
        assert not c.unseen, c.unseen
        for one, module in zip(c.attentions, model):
            q, k, v, w, y = module.kept
            same(one.tensors['out'], y, 'out')
            same(one.tensors['v'], v, 'v')
            if 'odd' in how:
                assert one.about['notes'], 'a step that is not understood is not named'
                near(with_sink(one.tensors, one.tensors['scores'].double()), w, 'weights')
                continue
            same(one.tensors['q'], q, 'q')
            same(one.tensors['k'], k, 'k')
            weights, out = again(one)
            near(weights, w, 'weights')
            near(out, y, 'output')
            assert os.path.basename(one.about['where'][0]) == 'capture_checks.py' and one.about['where'][2] == 'forward'


@check('sinks whose scores cannot be told')
def _():
    class Other(nn.Module):
        def forward(self, x, how):
            scores = torch.nan_to_num(x @ x.transpose(-2, -1)) if how == 'shifted' else x @ x.transpose(-2, -1)
            sinks = torch.randn(2, 3, 5, 1) if how == 'of each query' else torch.zeros(2, 3, 5, 1)
            scores = torch.cat([scores, sinks], dim=-1)
            w = (scores - scores.max(dim=-1, keepdim=True).values).softmax(-1)
            v = torch.cat([x, x[..., :1, :]], dim=-2) if how == 'in V' else x
            return (w if how == 'in V' else w[..., :-1]) @ v

    for how, reason in (('shifted', 'moved by a number of their own'), ('of each query', 'differ from query to query'), ('in V', 'its share stays among the weights')):
        model = Other()
        with capture(model, batch=None) as c:
            model(torch.randn(2, 3, 5, 4), how)
        assert not c.attentions and len(c.unseen) == 1 and reason in c.unseen[0], (how, c)


@check('einsum')
def _():
    class Named(nn.Module):
        def forward(self, x):
            scores = torch.einsum('bqhd,bkhd->bhqk', x, x * 2) * 0.25
            self.w = scores.softmax(-1)
            self.y = torch.einsum('bhqk,bkhd->bqhd', self.w, x)
            return self.y
    model = Named()
    with capture(model, batch=[1], heads=[2, 0]) as c:
        model(torch.randn(2, 4, 3, 5))
    weights, out = again(c.attentions[0])
    near(weights, model.w[1:2, [2, 0]], 'weights')
    near(out, model.y.transpose(1, 2)[1:2, [2, 0]], 'output')


@check('nn.MultiheadAttention with both masks')
def _():
    model = nn.MultiheadAttention(12, 3, batch_first=True).eval()
    x, later = torch.randn(2, 4, 12), torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
    padding = torch.tensor([[False] * 4, [False, False, False, True]])
    with torch.no_grad():
        plain = model(x, x, x, key_padding_mask=padding, attn_mask=later, average_attn_weights=False)
        with capture(model, batch=None) as c:
            y, w = model(x, x, x, key_padding_mask=padding, attn_mask=later, average_attn_weights=False)
    same(y, plain[0], 'its own result')
    assert len(c.attentions) == 1 and c.attentions[0].about['shape'] == [2, 3, 4, 4], c
    near(again(c.attentions[0])[0], w, 'weights')


@check('a layer that has a fused path of its own')
def _():
    model = nn.TransformerEncoderLayer(12, 3, 24, batch_first=True).eval()
    x = torch.randn(2, 4, 12)
    with torch.no_grad():
        plain = model(x)
        with capture(model) as c:
            y = model(x)
    near(y, plain, 'its own result', 1e-5)
    assert len(c.attentions) == 1 and c.attentions[0].about['module'] == 'self_attn' and c.notes, c


def sdpa(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False):
    """A double of PyTorch 2's function, with its published signature, for a PyTorch that lacks it."""
    if has_torch_function((query, key, value)):
        return handle_torch_function(sdpa, (query, key, value), query, key, value, attn_mask, dropout_p, is_causal, scale=scale)
    scores = query @ key.repeat_interleave(query.shape[1] // key.shape[1], 1).transpose(-2, -1)
    scores = scores * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -math.inf)
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
    return scores.softmax(-1) @ value.repeat_interleave(query.shape[1] // key.shape[1], 1)


sdpa.__name__ = 'scaled_dot_product_attention'
attend = getattr(F, 'scaled_dot_product_attention', sdpa)


@check('scaled_dot_product_attention: causal, a slice of tokens, grouped heads')
def _():
    q, k, v = torch.randn(2, 4, 9, 6), torch.randn(2, 2, 9, 6), torch.randn(2, 2, 9, 5)
    with capture(batch=1, heads=[3, 1], tokens=slice(2, 6)) as c:
        y = attend(q, k, v, is_causal=True, enable_gqa=True)
    one = c.attentions[0]
    same(one.tensors['q'], q[1:2, [3, 1], 2:6], 'q')
    same(one.tensors['k'], k[1:2, :, :6], 'k')
    near(again(one)[1], y[1:2, [3, 1], 2:6], 'output')
    assert one.about['kv'] == [1, 0] and one.about['keys'] == 6, one.about


@check('a mask that is a rule without numbers (torch.nn.attention.bias)')
def _():
    class CausalBias(torch.Tensor):
        """A double of PyTorch 2's, with its published fields."""

    q, k, v = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 5, 4), torch.randn(1, 2, 5, 4)
    for variant, offset in (('UPPER_LEFT', 0), ('LOWER_RIGHT', 2)):
        bias = torch.empty(0).as_subclass(CausalBias)
        bias.variant, bias.seq_len_q, bias.seq_len_kv = types.SimpleNamespace(name=variant), 3, 5
        shown = torch.ones(3, 5, dtype=torch.bool).tril(offset)

        def biased(query, key, value, attn_mask=None):
            if has_torch_function((query, key, value)):
                return handle_torch_function(biased, (query, key, value), query, key, value, attn_mask)
            return sdpa(query, key, value, shown)
        biased.__name__ = 'scaled_dot_product_attention'
        with capture() as c:
            y = biased(q, k, v, bias)
        assert not c.unseen and c.attentions[0].about['causal'] == offset, (c, c.attentions and c.attentions[0].about)
        near(again(c.attentions[0])[1], y, variant)


def flex(query, key, value, score_mod=None, block_mask=(), scale=None, kernel_options=None):
    """A double of the operation behind flex_attention, with the signature that PyTorch 2.5 to 2.13 give it."""
    if has_torch_function((query, key, value)):
        return handle_torch_function(flex, (query, key, value), query, key, value, score_mod, block_mask, scale, kernel_options)
    group = query.shape[1] // key.shape[1]
    scores = query @ key.repeat_interleave(group, 1).transpose(-2, -1) * (query.shape[-1] ** -0.5 if scale is None else scale)
    for b in range(scores.shape[0]):
        for h in range(scores.shape[1]):
            for i in range(scores.shape[2]):
                for j in range(scores.shape[3]):
                    at = [torch.tensor(x) for x in (b, h, i, j)]
                    if score_mod is not None:
                        scores[b, h, i, j] = score_mod(scores[b, h, i, j].clone(), *at)
                    if not block_mask[-1](*at):
                        scores[b, h, i, j] = -math.inf
    return scores.softmax(-1) @ value.repeat_interleave(group, 1), scores.logsumexp(-1)


flex.__name__ = 'flex_attention'


@check('flex_attention: mask_mod and score_mod, grouped heads, a part of it')
def _():
    q, k, v = torch.randn(2, 4, 6, 8), torch.randn(2, 2, 6, 8), torch.randn(2, 2, 6, 8)
    if not hasattr(torch, 'vmap'):  # Debian's PyTorch has it under its old name.
        from torch._vmap_internals import vmap
        torch.vmap = vmap
    window = lambda b, h, i, j: (i >= j) & (i - j < 3 + b)
    with capture(batch=None, heads=[3, 1], tokens=slice(1, 5)) as c:
        y = flex(q, k, v, lambda score, b, h, i, j: score + 0.0, (None, window))[0]
        z = flex(q, k, v, lambda score, b, h, i, j: score + (j - i) * (h + 1) * 0.25, (None, window), 0.3)[0]
    assert not c.unseen and len(c.attentions) == 2, c
    plain, changed = c.attentions
    same(plain.tensors['q'], q[:, [3, 1], 1:5], 'q')
    near(again(plain)[1], y[:, [3, 1], 1:5], 'output')
    assert 'q' not in changed.tensors and changed.about['notes'] and changed.about['scale'] == 1, changed.about
    near(again(changed)[1], z[:, [3, 1], 1:5], 'output by its own scores')


@check('scaled_dot_product_attention: a boolean mask, an additive one, a scale, cross-attention')
def _():
    q, k, v = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 5, 4), torch.randn(1, 2, 5, 4)
    shown = torch.tensor([[True, True, False, True, True]] * 3)
    added = torch.randn(2, 3, 5)
    with capture() as c:
        y = [attend(q, k, v, shown, scale=0.3), attend(q, k, v, added)]
    for one, own in zip(c.attentions, y):
        near(again(one)[1], own, 'output')
    assert c.attentions[0].about['scale'] == 0.3


@check("PyTorch 1.13's own private function")
def _():
    own = getattr(F, '_scaled_dot_product_attention', None)
    if own is None:
        return
    q = torch.randn(1, 2, 3, 4)
    with capture() as c:
        y = own(q, q, q, None, 0.0, True, True)[0]
    near(again(c.attentions[0])[1], y, 'output')
    assert c.attentions[0].about['causal'] == 0


def flash(q, k, v, dropout_p=0.0, softmax_scale=None, causal=False, window_size=(-1, -1), softcap=0.0, alibi_slopes=None):
    """A double with flash-attn's published signature and convention: causal and window are aligned at the end."""
    n, m = q.shape[1], k.shape[1]
    scores = torch.einsum('bihd,bjhd->bhij', q, k) * (q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale)
    if softcap:
        scores = softcap * torch.tanh(scores / softcap)
    distance = torch.arange(m)[None] - torch.arange(n)[:, None] - (m - n)
    left, right = window_size
    hidden = (distance > 0) & causal | (distance < -left) & (left >= 0) | (distance > right) & (right >= 0)
    return torch.einsum('bhij,bjhd->bihd', scores.masked_fill(hidden, -math.inf).softmax(-1), v)


@check('flash_attn_func by its arguments, where it was imported by name')
def _():
    library, user = types.ModuleType('flash_attn'), types.ModuleType('somebody')
    library.flash_attn_func = user.flash_attn_func = flash
    sys.modules.update(flash_attn=library, somebody=user)
    q, k, v = torch.randn(2, 3, 2, 4), torch.randn(2, 5, 2, 4), torch.randn(2, 5, 2, 4)
    with capture(batch=None) as c:
        y = [user.flash_attn_func(q, k, v, causal=True), user.flash_attn_func(q, k, v, 0.0, 0.4, False, (1, 0), softcap=2.0),
             library.flash_attn_func(q, k, v, alibi_slopes=torch.ones(2))]
    assert user.flash_attn_func is flash and library.flash_attn_func is flash, 'not put back'
    assert len(c.attentions) == 2 and 'alibi' in c.unseen[0], c
    for one, own in zip(c.attentions, y):
        near(again(one)[1], own.transpose(1, 2), 'output')
    del sys.modules['flash_attn'], sys.modules['somebody']


@check("the attention functions of Hugging Face's transformers")
def _():
    def fused(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **kwargs):
        y = flash(*(t.transpose(1, 2) for t in (query, key, value)), softmax_scale=scaling, causal=module.is_causal)
        return y, None

    def eager(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **kwargs):
        w = (query @ key.transpose(2, 3) * scaling + attention_mask).softmax(-1)
        return (w @ value).transpose(1, 2), w

    library = types.ModuleType('transformers.modeling_utils')
    table = library.ALL_ATTENTION_FUNCTIONS = {'flash_attention_2': fused, 'eager': eager}
    sys.modules['transformers.modeling_utils'] = library

    class Layer(nn.Module):
        is_causal = True

        def forward(self, x, name):
            mask = torch.zeros(1, 1, 4, 4) if name == 'eager' else None
            self.y = table[name](self, x, x, x, mask, scaling=0.7)[0]
            return self.y
    kernel = torch._C._nn.gelu  # A kernel's inside is not seen: the double's is, so it is hidden as flash-attn's is.
    muted = capture._called

    model = nn.ModuleDict({'a': Layer(), 'b': Layer()})
    x = torch.randn(1, 2, 4, 4)
    with capture(model) as c:
        model['b'](x, 'eager')
    near(again(c.attentions[0])[1], model['b'].y.transpose(1, 2), 'eager')
    assert c.attentions[0].about['kind'] == 'softmax' and c.attentions[0].about['module'] == 'b'
    with capture(model) as c:
        capture._called = lambda self, func, args, kwargs, *_: func(*args, **kwargs)
        try:
            model['a'](x, 'flash_attention_2')
        finally:
            capture._called = muted
    near(again(c.attentions[0])[1], model['a'].y.transpose(1, 2), 'fused')
    assert c.attentions[0].about['kind'] == 'transformers' and table['eager'] is eager
    del sys.modules['transformers.modeling_utils'], kernel


@check('what was not seen is listed')
def _():
    class StrangeAttention(nn.Module):
        def forward(self, x):
            return x.cumsum(1)

    class Wrong(nn.Module):
        def forward(self, x):
            w = (x @ x.transpose(-2, -1)).softmax(-2)
            return w @ x

    class Unused(nn.Module):
        def forward(self, x):
            return (x @ x.transpose(-2, -1)).softmax(-1).sum()

    class Changed(nn.Module):
        def forward(self, x):
            return ((x @ x.transpose(-2, -1)).softmax(-1) * 0.5) @ x
    model = nn.ModuleList([StrangeAttention(), Wrong(), Unused(), Changed()])
    x = torch.randn(1, 4, 4)
    with capture(model) as c:
        for one in model:
            one(x)
    said = '\n'.join(c.unseen)
    assert not c.attentions, c
    for words in ('StrangeAttention', 'over axis -2', 'no product with V', 'changed after the softmax'):
        assert words in said, f'{words} is not in {said}'


@check('nothing of the program is changed')
def _():
    model, x = Own(), torch.randn(2, 5, 12, requires_grad=True)
    names, state = set(globals()), torch.random.get_rng_state()
    asks, before = F.has_torch_function, {p: p._version for p in model.parameters()}
    torch.random.set_rng_state(state)
    model(x).sum().backward()
    grads = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    with capture(model) as c:
        y = model(x)
        y.sum().backward()
    for p, grad in zip(model.parameters(), grads):
        same(p.grad, grad, 'grad')
        assert p._version == before[p], 'a version'
    assert torch.equal(torch.random.get_rng_state(), state), 'the random state'
    assert set(globals()) == names and F.has_torch_function is asks
    assert not model._forward_hooks and not model._forward_pre_hooks and not c.attentions[0].tensors['q'].requires_grad


@check('an error of the program is the program\'s')
def _():
    class Fails(nn.Module):
        def forward(self, x):
            raise KeyError('mine')
    model = nn.Sequential(Own(), Fails())
    try:
        with capture(model):
            model(torch.randn(1, 3, 12))
    except KeyError:
        pass
    assert not model._forward_hooks and not model[0]._forward_hooks
    with capture(model) as c:
        model[0](torch.randn(1, 3, 12))
    assert c.attentions[0].about['module'] == '0'


@check('a module within an attention is named where it ran, and only attentions have hooks')
def _():
    class Core(nn.Module):
        def forward(self, q):
            return (q @ q.transpose(-2, -1)).softmax(-1) @ q

    class SelfAttention(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.core, self.second, self.out = nn.LayerNorm(4), Core(), Core(), nn.Linear(4, 4)

        def forward(self, x):
            # The second one by its method: it was not called, so the attention itself is named.
            return self.out(self.core(self.norm(x)) + self.second.forward(x))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.attn, self.mlp = SelfAttention(), nn.Sequential(nn.Linear(4, 4), nn.GELU(), Core())

        def forward(self, x):
            return self.mlp(self.attn(x))
    model, x = nn.ModuleDict({'blocks': nn.Sequential(Block(), Block())}), torch.randn(1, 2, 3, 4)
    with capture(model) as c:
        hooked = [name for name, one in model.named_modules() if one._forward_hooks or one._forward_pre_hooks]
        model['blocks'](x)
    named = [(one.about['module'], one.about['class']) for one in c.attentions]
    each = [('attn.core', 'Core'), ('attn', 'SelfAttention'), ('mlp.2', 'Core')]
    assert named == [(f'blocks.{i}.{name}', kind) for i in (0, 1) for name, kind in each], named
    assert hooked == ['', 'blocks.0.attn', 'blocks.1.attn'], hooked
    assert not c.unseen and not any(one._forward_hooks or one._forward_pre_hooks for one in model.modules())


@check('operations that are given nothing of an attention are not looked at, also while weights are kept')
def _():
    looked, own = [], capture._called

    def called(self, func, *rest):
        looked.append(func.__name__)
        return own(self, func, *rest)
    capture._called = called
    try:
        x, kept = torch.randn(1, 2, 3, 4), []
        with capture() as c:
            for _ in range(2):
                w = torch.softmax(input=x @ x.transpose(-2, -1) * 0.5, dim=-1)
                kept.append(w)
                y = (x * 2 + x).reshape(2, 3, 4).tanh().view(1, 2, 3, 4)
                torch.cat([y, x]), torch.where(x > 0, x, y), y[..., :-1]
                # As argument by name, and within a list: it is.
                z = torch.nan_to_num(input=w) @ x
                torch.cat([w, w], -1)
    finally:
        capture._called = own
    assert looked == ['__matmul__', '__mul__', 'softmax', 'nan_to_num', '__matmul__', 'cat'] * 2 or looked == [
        'matmul', 'mul', 'softmax', 'nan_to_num', 'matmul', 'cat'] * 2, looked
    assert len(c.attentions) == 2 and not c.unseen, c
    near(again(c.attentions[1])[1], z, 'output')


@check('layers of one shape, and of others between them: each has its own part')
def _():
    torch.manual_seed(4)
    shapes = [(2, 4, 2, 6), (2, 4, 4, 6), (2, 4, 2, 6), (1, 4, 1, 9), (2, 4, 2, 6)]
    runs = []
    with capture(batch=[-1], heads=[3, 1], tokens=slice(1, 5)) as c:
        for i, (inputs, heads, groups, n) in enumerate(shapes):
            q, k, v = torch.randn(inputs, heads, n, 8), torch.randn(inputs, groups, n, 8), torch.randn(inputs, groups, n, 8)
            dtype = torch.float64 if i == 4 else torch.float32
            q, k, v = q.to(dtype), k.to(dtype), v.to(dtype)
            k, v = (t.repeat_interleave(heads // groups, 1) for t in (k, v))
            mask = torch.rand(n, n) > 0.3 if i == 2 else None
            runs.append((q, k, v, attend(q, k, v, mask, is_causal=mask is None)))
    for one, (q, k, v, out) in zip(c.attentions, runs):
        assert one.about['heads'] == [3, 1] and one.about['rows'] == [1, 5] and ('hidden' in one.tensors) == (one.about['causal'] is None)
        same(one.tensors['q'], q[-1:, [3, 1], 1:5], 'q')
        same(one.tensors['out'], out[-1:, [3, 1], 1:5], 'out')
        last = 5 if one.about['causal'] == 0 else k.shape[2]
        same(one.tensors['v'], v[-1:, [1, 3]][:, :, :last], 'v')
        near(again(one)[1], one.tensors['out'], 'again')


@check('bfloat16 and float16 keep their bytes, and a limit is kept')
def _():
    q = torch.randn(1, 1, 3, 4).bfloat16()
    with capture(limit=100) as c:
        for _ in range(3):
            w = (q @ q.transpose(-2, -1)).float().softmax(-1).to(q.dtype)
            w @ q
    assert len(c.attentions) == 1 and 'bytes in all' in c.unseen[0], c
    same(c.attentions[0].tensors['q'], q, 'q')
    assert c.attentions[0].about['dtype'] == 'bfloat16'


@check('disabled, it does nothing')
def _():
    model = Own()
    with capture(model, enabled=False) as c:
        assert not model._forward_hooks
        model(torch.randn(1, 3, 12))
    assert c.attentions == []


worker = '''
import sys, torch, torch.distributed as dist
sys.path.insert(0, sys.argv[1])
sys.argv[1:] = sys.argv[1:] + ['']
import torch.nn as nn
from explain_attention import capture
rank, store, out = int(sys.argv[2]), sys.argv[3], sys.argv[4]
dist.init_process_group('gloo', init_method='file://' + store, rank=rank, world_size=2)
class A(nn.Module):
    def __init__(self):
        super().__init__(); self.p = nn.Linear(4, 4)
    def forward(self, x):
        q = self.p(x); return (q @ q.transpose(-2, -1)).softmax(-1) @ x
torch.manual_seed(1)
model = nn.parallel.DistributedDataParallel(nn.Sequential(A()))
with capture(model) as c:
    model(torch.full((1, 3, 4), float(rank + 1)) + torch.eye(3, 4)).sum().backward()
print(c.save(out), c.attentions[0].about['module'], float(c.attentions[0].tensors['v'][0, 0, 2, 0]))
'''


@check('two processes of DistributedDataParallel: a file for each')
def _():
    if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
        raise AssertionError('this PyTorch has no gloo')
    store, out = os.path.join(target, 'store'), os.path.join(target, 'run.safetensors')
    if os.path.exists(store):
        os.remove(store)
    runs = [subprocess.Popen([sys.executable, '-c', worker, sys.argv[1], str(rank), store, out], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for rank in (0, 1)]
    for rank, run in enumerate(runs):
        printed, error = run.communicate(timeout=100)
        assert printed.split() == [out.replace('.safetensors', f'.rank{rank}.safetensors'), '0', f'{rank + 1:.1f}'], printed + error[-500:]


@check('explain: every kind of array that is there, the same numbers')
def _():
    import numpy as np
    q = torch.randn(3, 4, requires_grad=True)
    kinds = [q, q.detach().numpy(), q.tolist(), nn.Parameter(q.detach()), q.detach().t().contiguous().t()]
    specs = [explain(x, x, x).spec for x in kinds]
    for spec, dtype in zip(specs, ('float32', 'float32', 'float64', 'float32', 'float32')):
        assert spec['dtype'] == dtype, spec['dtype']
        got = torch.tensor(spec['start']['q'], dtype=torch.float64).to(torch.float32)
        same(got, q.detach(), 'numbers')
    assert q.grad is None and q._version == 0
    same(torch.tensor(explain(q.bfloat16(), q.bfloat16()).spec['start']['q']).bfloat16(), q.detach().bfloat16(), 'bfloat16')
    assert explain(np.array([[math.inf, -0.0, math.nan]]), np.ones((1, 3))).spec['start']['q'] == [['inf', '-0', 'nan']]


@check('explain: what is too large is left out from the heads and queries, never from the keys, and said')
def _():
    q, k, v = (torch.randn(12, 40, 16) for _ in range(3))
    # Less than the table itself takes: said, and come to an end.
    for most in (1, 5_000, 11_999, 12_001):
        assert explain(torch.randn(4, 4), torch.randn(4, 4), torch.randn(4, 4), max_bytes=most, name=None).spec is None, most
    whole = explain(q, k, v, max_bytes=2_000_000)
    assert whole.spec['heads'] == 12 and len(whole.notes) == 1
    some = explain(q, k, v)
    size = len(json.dumps(some._repr_mimebundle_()))
    assert size <= 200_000 and 1 <= some.spec['heads'] < 12 and any('Heads' in note for note in some.notes), (size, some.notes)
    long = explain(torch.randn(900, 16), torch.randn(300, 16), torch.randn(300, 16))
    assert len(long.spec['start']['k']) == 300 and len(long.spec['start']['q']) < 900 and 'Queries' in long.notes[-1], long.notes
    assert len(json.dumps(long._repr_mimebundle_())) <= 200_000
    huge = explain(torch.randn(4000, 64), torch.randn(4000, 64), torch.randn(4000, 64))
    assert huge.spec is None and 'Pass tokens=' in huge.notes[-1] and explain_attention.MIME not in huge._repr_mimebundle_()
    # What cannot fit is not written first: this took six seconds, and a minute with more heads.
    began, many = time.process_time(), torch.randn(64, 4096, 64)
    causal = explain(many, many, many, is_causal=True)
    assert causal.spec['heads'] == 1 and 60 < len(causal.spec['start']['q']) < 600 and time.process_time() - began < 5, causal.notes
    named = explain(q[0], k[0], labels=['x' * 4000 + str(i) for i in range(40)], name='x' * 90_000)
    assert len(json.dumps(named._repr_mimebundle_())) <= 200_000
    cut = explain(torch.randn(90, 4), torch.randn(90, 4), is_causal=True, tokens=slice(10, 14))
    assert len(cut.spec['start']['k']) == 4 and 'alone' in cut.notes[0]


@check('explain: bad input is refused with what was found and expected')
def _():
    q = torch.randn(3, 4)
    for call, words in ((lambda: explain(q, torch.randn(3, 5)), 'Q has 4 columns, K 5'),
                        (lambda: explain(q, q, torch.randn(2, 4)), 'K has 3 rows, V 2'),
                        (lambda: explain(q, q, mask=torch.ones(2, 3, dtype=torch.bool)), 'mask is 2×3'),
                        (lambda: explain(q, q, mask=torch.ones(3, 3, dtype=torch.int64)), 'whole numbers'),
                        (lambda: explain(q[0], q), 'Q is 4'), (lambda: explain([[1, 2], [3]], q), 'different lengths'),
                        (lambda: explain(q, q, scale=0), 'other than 0'), (lambda: explain(torch.zeros(0, 4), q), 'empty')):
        try:
            call()
        except ValueError as error:
            assert words in str(error), f'{words} is not in {error}'
        else:
            raise AssertionError(f'{words}: not refused')


# Files for the tests of what opens them.
model = nn.Sequential(Own(how='fill'), Own(how='added'), Own(how='odd'), Own(how='sinks'), Own(how='sinks, odd')).eval()
torch.manual_seed(11)
with capture(model, batch=[1, 0], heads=[2, 0]) as kept:
    model(torch.randn(2, 5, 12))
    q, k = torch.randn(2, 4, 6, 8), torch.randn(2, 2, 6, 8)
    attend(q, k, k, is_causal=True, enable_gqa=True)
kept.save(os.path.join(target, 'kinds.safetensors'))
expected = []
for one in kept.attentions:
    w = again(one)[0]
    expected.append({'weights': w.tolist(), 'out': one.tensors['out'].double().tolist(), 'about': one.about})
with open(os.path.join(target, 'kinds.json'), 'w') as file:
    json.dump(expected, file)



def double(body):
    """A double of scaled_dot_product_attention that computes something else than it is asked for."""
    def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None):
        if has_torch_function((query, key, value)):
            return handle_torch_function(scaled_dot_product_attention, (query, key, value), query, key, value, attn_mask,
                                         dropout_p, is_causal, scale=scale)
        return body(query, key, value, attn_mask, is_causal)
    return scaled_dot_product_attention


def halved(*tensors):
    return [t.half().float() for t in tensors]


torch.manual_seed(12)
q, k, v = torch.randn(1, 1, 4, 16), torch.randn(1, 1, 6, 16), torch.randn(1, 1, 6, 8)
shown = torch.rand(4, 6) > 0.4
empty = shown.clone()
empty[2] = False
ends = torch.ones(4, 6, dtype=torch.bool).tril(2)
faults = [
    ('right', double(lambda q, k, v, mask, causal: sdpa(q, k, v, mask)), dict(attn_mask=shown)),
    ('later keys were seen', double(lambda q, k, v, mask, causal: sdpa(q, k, v)), dict(is_causal=True)),
    ('sees keys up to 2', double(lambda q, k, v, mask, causal: sdpa(q, k, v, ends)), dict(is_causal=True)),
    ('the other way round', double(lambda q, k, v, mask, causal: sdpa(q, k, v, ~mask)), dict(attn_mask=shown)),
    ('was not applied', double(lambda q, k, v, mask, causal: sdpa(q, k, v)), dict(attn_mask=shown)),
    ('A scale of 1 ', double(lambda q, k, v, mask, causal: sdpa(q, k, v, scale=1.0)), {}),
    ('A scale of 0.0625', double(lambda q, k, v, mask, causal: sdpa(q, k, v, scale=1 / 16)), {}),
    ('rounding as in', double(lambda q, k, v, mask, causal: halved(sdpa(*halved(q, k, v)))[0]), {}),
    ('gives zeros', double(lambda q, k, v, mask, causal: torch.nan_to_num(sdpa(q, k, v, mask))), dict(attn_mask=empty)),
    ('A scale of 1 ', double(lambda q, k, v, mask, causal: torch.nan_to_num(sdpa(q, k, v, mask, scale=1.0))), dict(attn_mask=empty)),
    ('that was tried', double(lambda q, k, v, mask, causal: torch.zeros_like(v[:, :, :q.shape[-2]])), dict(attn_mask=torch.zeros_like(shown))),
    ('that was tried', double(lambda q, k, v, mask, causal: sdpa(q, k, v) + 0.25), {}),
    ('at random', double(lambda q, k, v, mask, causal: sdpa(q, k, v) * 0.5), dict(dropout_p=0.5)),
]
with capture() as wrong:
    for _, function, options in faults:
        function(q, k, v, **options)
    # Right ones in every type: nothing is said of them.
    for dtype in (torch.float64, torch.bfloat16):
        for _ in range(4):
            x, y, z = (torch.randn(1, 3, 9, 8).to(dtype) for _ in range(3))
            w = (x @ y.transpose(-2, -1) * 0.35).softmax(-1)
            w @ z
wrong.save(os.path.join(target, 'faults.safetensors'))
with open(os.path.join(target, 'faults.json'), 'w') as file:
    json.dump([name for name, _, _ in faults], file)

print(json.dumps(found))
