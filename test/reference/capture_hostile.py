"""Programs that make it hard for explain_attention.py: each gives the same numbers, gradients and versions with and without it, raises
nothing of its own, and what is not recorded is named. Fails with a list of what is wrong.

capture_hostile.py HELPER_FOLDER
"""
import contextlib
import copy
import importlib
import io
import math
import pickle
import sys
import threading
import warnings

sys.path.insert(0, sys.argv[1])
warnings.filterwarnings('ignore')

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.checkpoint

from captured import again
from explain_attention import capture

wrong = []


class Hand(nn.Module):
    def __init__(self, change=lambda s: s, softmax=lambda s: s.softmax(-1), heads=2, width=8):
        super().__init__()
        self.heads, self.change, self.softmax, self.qkv = heads, change, softmax, nn.Linear(width, 3 * width)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        w = self.softmax(self.change(q @ k.transpose(-1, -2) * 0.5))
        return (w @ v).transpose(1, 2).flatten(2)


def state(model, x):
    tensors = [x, *model.parameters(), *model.buffers()]
    return [None if t.is_inference() else t._version for t in tensors], [t.requires_grad for t in tensors], [
        None if t.grad is None else t.grad.clone() for t in tensors], torch.random.get_rng_state()


def equal(a, b):
    if torch.is_tensor(a):
        return torch.is_tensor(b) and a.dtype == b.dtype and a.shape == b.shape and a.requires_grad == b.requires_grad and (
            torch.equal(a.isnan(), b.isnan()) and torch.equal(a.nan_to_num(), b.nan_to_num()))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def program(name, recorded=1, unseen=(), notes=(), check=None, backward=False, exact=None):
    """`make()` gives a model and a function of it; run with and without the recorder, each from the same seed."""
    def decorate(make):
        results = []
        for records in (False, True):
            torch.manual_seed(4)
            model, run = make()
            x = torch.randn(2, 5, 8, requires_grad=backward)
            c = capture(model, batch=None)
            try:
                with c if records else contextlib.nullcontext():
                    given = run(model, x)
                    if backward:
                        given.sum().backward()
                results.append((given, *state(model, x)))
            except Exception as error:
                import traceback
                return wrong.append(f'{name}, recorder {"on" if records else "off"}: {traceback.format_exc()[-900:]}')
        for i, what in enumerate(('results', 'versions', 'requires_grad', 'gradients', 'random state')):
            if not equal(results[0][i], results[1][i]):
                wrong.append(f'{name}: other {what}')
        if torch._C._len_torch_function_stack() if hasattr(torch._C, '_len_torch_function_stack') else False:
            wrong.append(f'{name}: the mode is still on')
        if any(one._forward_hooks or one._forward_pre_hooks for one in model.modules()) and 'hook' not in name:
            wrong.append(f'{name}: hooks were left')
        if recorded is not None and len(c.attentions) != recorded:
            wrong.append(f'{name}: {c}')
        said = '\n'.join(c.unseen)
        for words in unseen:
            if words not in said:
                wrong.append(f'{name}: {words!r} is not in {c}')
        if not unseen and said:
            wrong.append(f'{name}: {c}')
        for one in c.attentions:
            if one.about['dropout']:
                continue
            out = one.tensors['out'].double()
            apart = float((again(one)[1] - out).abs().max())
            if not apart < (1e-5 if out.numel() and one.tensors['out'].dtype == torch.float32 and one.about['dtype'] == 'float32' else 0.05):
                wrong.append(f'{name}: {one.about} is apart by {apart}')
        if check:
            check(c)
    return decorate


@program('softmax in place', backward=False)
def _():
    def softmax(s):
        with torch.no_grad():
            return torch.softmax(s, -1, out=s) if not s.requires_grad else s.softmax(-1)
    return Hand(softmax=softmax).requires_grad_(False), lambda m, x: m(x)


@program('exp in place, then divided in place', 0, ['exp of scores'])
def _():
    return Hand(softmax=lambda s: (lambda e: e.div_(e.sum(-1, keepdim=True)))(s.exp_())).requires_grad_(False), lambda m, x: m(x)


@program('masked_fill_ of scores', backward=True)
def _():
    return Hand(lambda s: s.masked_fill_(torch.ones(5, 5).triu(1).bool(), -math.inf)), lambda m, x: m(x)


class Pickled(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)[0]


for mode in ('no_grad', 'inference_mode'):
    @program(mode)
    def _(mode=mode):
        def run(m, x):
            with getattr(torch, mode)():
                return m(x).clone()
        return Hand(), run


@program('autocast in bfloat16', backward=True)
def _():
    def run(m, x):
        with torch.autocast('cpu', torch.bfloat16):
            return m(x).float()
    return Hand(), run


for again_by in ({'use_reentrant': True}, {'use_reentrant': False}):
    @program(f'checkpointed {again_by}', None, backward=True)
    def _(again_by=again_by):
        return Hand(), lambda m, x: torch.utils.checkpoint.checkpoint(m, x, **again_by)


@program('vmap', 0, ['without numbers'])
def _():
    vmap = torch.func.vmap if hasattr(torch, 'func') else importlib.import_module('functorch').vmap
    return Hand(), lambda m, x: vmap(lambda row: m(row[None])[0])(x)


@program('threads of its own', None, ['not seen'])
def _():
    class Parallel(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Hand()

        def forward(self, x):
            found = [None, None]

            def work(i):
                found[i] = self.inner(x[i:i + 1]).detach()
            threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
            return torch.cat(found)
    Parallel.__name__ = 'DataParallel'
    return Parallel(), lambda m, x: m(x)


@program('a module called twice', 2)
def _():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = Hand()

        def forward(self, x):
            return self.attention(self.attention(x))
    return Twice(), lambda m, x: m(x)


@program('traced within', 0, ['compiled'])
def _():
    class Traced(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = torch.jit.trace(Hand(), torch.randn(2, 5, 8))

        def forward(self, x):
            return self.attention(x)
    return Traced(), lambda m, x: m(x)


@program('traced while it is recorded', None)
def _():
    return Hand(), lambda m, x: torch.jit.trace(m, x, check_trace=False)(x).detach()


class Scripted(nn.Module):
    def forward(self, x):
        return torch.matmul(torch.softmax(torch.matmul(x, x.transpose(-1, -2)), -1), x)


@program('scripted', 0, ['compiled'])
def _():
    return nn.Sequential(torch.jit.script(Scripted())), lambda m, x: m(x)


@program('scripted while it is recorded', 0)
def _():
    def run(m, x):
        own = torch.jit.script(m)

        @torch.jit.script
        def scaled(x: torch.Tensor):
            return x * 2
        assert torch.equal(scaled(x), x * 2)
        assert 'explain' not in str(own.code)
        return own(x)
    return Scripted(), run


@program('copied and stored while it is recorded', 3)
def _():
    def run(m, x):
        stored = io.BytesIO()
        pickle.dump(m, stored)
        other, loaded = copy.deepcopy(m), pickle.loads(stored.getvalue())
        return [one(x).detach() for one in (m, other, loaded)]
    return Pickled(), run


@program('recorded within a recording', None)
def _():
    def run(m, x):
        with capture(m) as inner:
            y = m(x)
        if len(inner.attentions) != 1 or inner.unseen:
            wrong.append(f'the inner one: {inner}')
        return [y.detach(), m(x).detach()]
    return Hand(), run


@program('layers of PyTorch recorded within a recording', None)
def _():
    def run(m, x):
        with capture(m) as inner:
            y = m(x, x, x)[0]
        if len(inner.attentions) != 1 or inner.unseen:
            wrong.append(f'the inner one, MultiheadAttention: {inner}')
        return [y.detach(), m(x, x, x)[0].detach()]
    return nn.MultiheadAttention(8, 2, batch_first=True), run


@program('hooks that raise')
def _():
    def run(m, x):
        def raises(*_):
            raise KeyError('mine')
        held = m.register_forward_hook(raises)
        try:
            m(x)
            return 'not raised'
        except KeyError as error:
            return str(error)
        finally:
            held.remove()
    return Hand(), run


@program('an exception in the forward', 1)
def _():
    class Fails(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = Hand(), Hand(lambda s: s[7])

        def forward(self, x):
            return self.second(self.first(x))

    def run(m, x):
        try:
            m(x)
        except IndexError as error:
            return str(error)
    return Fails(), run


@program('keys that grow', 3)
def _():
    class Cached(nn.Module):
        def __init__(self):
            super().__init__()
            self.proj = nn.Linear(8, 24)

        def forward(self, x, past):
            q, k, v = self.proj(x).chunk(3, -1)
            k, v = (torch.cat(pair, 1) for pair in zip(past, (k, v))) if past else (k, v)
            return (q @ k.transpose(-1, -2) / 8 ** 0.5).softmax(-1) @ v, (k, v)

    def run(m, x):
        past, found = None, []
        for i in range(3):
            y, past = m(x[:, i:i + 1], past)
            found.append(y.detach())
        return found
    return Cached(), run


@program('second derivatives', None, backward=False)
def _():
    def run(m, x):
        x = x.clone().requires_grad_()
        g, = torch.autograd.grad(m(x).sum(), x, create_graph=True)
        return torch.autograd.grad(g.pow(2).sum(), x)[0]
    return Hand(), run


@program('nn.MultiheadAttention with and without weights', 4)
def _():
    def run(m, x):
        a, w = m(x, x, x)
        b, none = m(x, x, x, need_weights=False, attn_mask=torch.ones(5, 5).triu(1).bool())
        c, own = m(x, x[:, :3], x[:, :3], average_attn_weights=False)
        m.train()
        d, _ = m(x, x, x)
        return [t.detach() for t in (a, w, b, c, own, d)] + [none]
    return nn.MultiheadAttention(8, 2, batch_first=True, dropout=0.0).eval().requires_grad_(True), run


@program('nn.MultiheadAttention with dropout', 1, backward=True, check=lambda c: c.attentions[0].about['dropout'] == 0.5 or wrong.append('dropout is not told'))
def _():
    return nn.MultiheadAttention(8, 2, batch_first=True, dropout=0.5), lambda m, x: m(x, x, x)[0].sum()


# Kinds of tensors: the program's own are not told what the recorder asks, and what has no numbers is said by name.
told = []


class Told(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        told.append(getattr(func, '__name__', ''))
        return super().__torch_function__(func, types, args, kwargs or {})


class Elsewhere(torch.Tensor):
    """As DTensor: its numbers are those of another."""

    @staticmethod
    def __new__(cls, held):
        made = torch.Tensor._make_wrapper_subclass(cls, held.shape, dtype=held.dtype)
        made.held = held
        return made

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        told.append(str(func))
        held = lambda x: x.held if isinstance(x, cls) else x
        given, named = torch.utils._pytree.tree_map(held, (args, kwargs or {}))
        return torch.utils._pytree.tree_map(lambda x: cls(x) if isinstance(x, torch.Tensor) else x, func(*given, **named))


def by_hand(q, k, v):
    return (q @ k.transpose(-1, -2)).softmax(-1) @ v


def fused(q, k, v):
    usual = getattr(F, 'scaled_dot_product_attention', None)
    return usual(q, k, v) if usual else F._scaled_dot_product_attention(q, k, v)[0]


def faked(x):
    from torch._subclasses.fake_tensor import FakeTensorMode
    return FakeTensorMode().from_tensor(x)


plain = torch.randn(1, 2, 5, 4)
for name, make, run, recorded, said in (
        ('told', lambda: plain.as_subclass(Told), by_hand, 1, None), ('told, fused', lambda: plain.as_subclass(Told), fused, 1, None),
        ('elsewhere', lambda: Elsewhere(plain), by_hand, 0, 'of their own (Elsewhere)'),
        ('elsewhere, fused', lambda: Elsewhere(plain), fused, 0, 'of their own (Elsewhere)'),
        ('fake', lambda: faked(plain), by_hand, 0, '(FakeTensor)'), ('fake, fused', lambda: faked(plain), fused, 0, '(FakeTensor)'),
        ('functional', lambda: torch._to_functional_tensor(plain), by_hand, 0, 'of their own'),
        ('meta, fused', lambda: plain.to('meta'), fused, 0, '(meta'), ('no inputs', lambda: plain[:0], by_hand, 0, 'no inputs, 0×2×5×4'),
        ('sparse', lambda: plain[0, 0], lambda q, k, v: torch.sparse.softmax((q @ k.t()).to_sparse(), 1) @ v, 0, 'of a sparse tensor'),
        ('sparse Q', lambda: plain[0, 0], lambda q, k, v: (q.to_sparse() @ k.t()).softmax(-1) @ v, 0, '(sparse)'),
        ('sparse weights', lambda: plain[0, 0], lambda q, k, v: (q @ k.t()).softmax(-1).to_sparse() @ v, 0, 'no product with V'),
        ('quantised weights', lambda: plain, lambda q, k, v: torch.quantize_per_tensor(
            (q @ k.transpose(-1, -2)).softmax(-1), 1 / 256, 0, torch.quint8).dequantize() @ v, 0, 'no product with V')):
    told.clear()
    with torch.no_grad():
        own = make()
        run(own, own, own)
        alone = list(told)
        told.clear()
        with capture() as c:
            run(own, own, own)
    # Its transposed K is made once more, which computes nothing.
    if [one for one in told if 'transpose' not in one] != [one for one in alone if 'transpose' not in one]:
        wrong.append(f'{name}: was told {told}, alone {alone}')
    if len(c.attentions) != recorded or (len(c.unseen) != 1 or said not in c.unseen[0] if said else c.unseen):
        wrong.append(f'{name}: {c}')
    for one in c.attentions:
        if not torch.allclose(again(one)[1], torch.Tensor.as_subclass(run(plain, plain, plain), torch.Tensor).double(), atol=1e-6):
            wrong.append(f'{name}: other numbers')
if hasattr(torch, 'nested_tensor') or hasattr(torch, 'nested'):
    nested = getattr(getattr(torch, 'nested', None), 'nested_tensor', None) or torch.nested_tensor
    rows = nested([torch.randn(2, 3, 4), torch.randn(2, 5, 4)])
    with capture() as c:
        rows.matmul(rows.transpose(-1, -2))
    if c.attentions or len(c.unseen) != 1 or '(nested)' not in c.unseen[0]:
        wrong.append(f'nested: {c}')

# Once more, and within itself.
torch.manual_seed(5)
model, x = Hand(), torch.randn(2, 5, 8)
c = capture(model)
for _ in range(2):
    with c:
        model(x)
if len(c.attentions) != 2 or c.unseen or model._forward_hooks:
    wrong.append(f'used twice: {c}')
c, plain = capture(model), model(x)
try:
    with c:
        with c:
            inner = model(x)
        outer = model(x)
except RuntimeError as error:
    if 'already' not in str(error):
        raise
else:
    if not torch.equal(plain, inner) or not torch.equal(plain, outer):
        wrong.append('within itself: other results')
if model._forward_hooks or model._forward_pre_hooks or F.softmax(x, -1).shape != x.shape:
    wrong.append('within itself: hooks are left')

# Two threads record two models at once: each has its own, and PyTorch's functions are as before.
before, failed = dict(vars(F)), []


def alone(i):
    layer, x = nn.MultiheadAttention(8, 2, batch_first=True), torch.randn(2, 5, 8)
    plain = layer(x, x, x)[0]
    for _ in range(40):
        with capture(layer) as c:
            y = layer(x, x, x)[0]
        if len(c.attentions) != 1 or c.unseen or not torch.equal(y, plain):
            failed.append(str(c))


threads = [threading.Thread(target=alone, args=(i,)) for i in range(3)]
for one in threads:
    one.start()
for one in threads:
    one.join()
if failed:
    wrong.append(f'threads: {len(failed)} times {failed[0]}')
if any(vars(F).get(name) is not value for name, value in before.items()):
    wrong.append('threads: functions of PyTorch are others')

if wrong:
    sys.exit('\n'.join(wrong))
