"""What explain_attention.py records of softmax by hand whose tensors are changed in place, of softmax written as exp, and of more axes than four,
beside PyTorch's own weights. Fails with a list of what is wrong.

capture_changes.py HELPER_FOLDER
"""
import importlib
import itertools
import json
import math
import os
import struct
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

import numpy
import torch
import torch.nn as nn

import explain_attention
from captured import again
from explain_attention import capture

wrong = []
torch.manual_seed(3)
q, k, v = (torch.randn(2, 3, 5, 4) for _ in range(3))
later, bias = torch.ones(5, 5).triu(1).bool(), torch.randn(5, 5)
index, draws = torch.zeros(2, 3, 5, 1, dtype=torch.long), torch.randn(2 * 3 * 5 * 5)


def attend(scores=lambda s: None, weights=lambda w: None, softmax=lambda s: s.softmax(-1)):
    """An attention; what is returned takes the place of scores or weights, None stands for a change in place."""
    s = q @ k.transpose(-1, -2) * 0.5
    changed = scores(s)
    w = softmax(s if changed is None else changed)
    changed = weights(w)
    w = w if changed is None else changed
    return w, w @ v


def look(name, run, recorded=None, heads=None, batch=None):
    """Recorded are its own weights and output, or nothing and a reason."""
    for mode in (torch.enable_grad, torch.no_grad, torch.inference_mode):
        with mode(), capture(heads=heads, batch=batch) as c:
            w, out = run()
        if recorded is not None and len(c.attentions) != recorded or not c.attentions and not c.unseen:
            wrong.append(f'{name}, {mode.__name__}: {c}')
        for one in c.attentions:
            apart = float((again(one)[1] - out[one.about['batch']][:, one.about['heads']].double()).abs().max())
            if not apart < 1e-5:
                wrong.append(f'{name}, {mode.__name__}: apart by {apart}, {one.about["notes"]}')


def in_place(change):
    def run(x):
        change(x)
    return run


look('relu that writes', lambda: attend(in_place(lambda s: nn.functional.relu(s, inplace=True))))
look('relu that writes, asked for by 1', lambda: attend(in_place(lambda s: nn.functional.relu(s, inplace=1))))
look('sort that writes', lambda: attend(in_place(lambda s: torch.sort(s.clone(), dim=-1, out=(s, torch.empty(s.shape, dtype=torch.long)))))
     if not torch.is_grad_enabled() else attend())
# Dropout that is off changes nothing: all from Q and K, also through another tensor of the same numbers.
for name, off in (('function', lambda x: nn.functional.dropout(x, 0.5, False, True)), ('module', nn.Dropout(0.5, inplace=True).eval()),
                  ('share of 0', nn.Dropout(0.0, inplace=True)), ('view', lambda x: (nn.functional.dropout(x.view(-1), 0.5, False, True), x)[1]),
                  ('torch', lambda x: torch.dropout_(x, 0.5, False))):
    look(f'dropout that is off, {name}', lambda: attend(weights=off), 1)
    with torch.inference_mode(), capture() as c:
        attend(scores=off)
    if 'q' not in c.attentions[0].tensors:
        wrong.append(f'dropout of scores that is off, {name}: {c}')
look('clamp that writes', lambda: attend(in_place(lambda s: torch.clamp(s, -0.2, 0.2, out=s))) if not torch.is_grad_enabled() else attend())

library = torch.library.Library('explain_test', 'DEF')
library.define('twice(Tensor(a!) x) -> ()')
library.impl('twice', lambda x: (x.mul_(2.0), None)[1], 'CPU')
changes = {name: in_place(lambda x, name=name, args=args: getattr(x, name)(*args)) for name, *args in (
    ('clamp_', -0.2, 0.2), ('tril_',), ('neg_',), ('pow_', 2), ('exp_',), ('relu_',), ('sigmoid_',), ('copy_', bias), ('zero_',),
    ('round_',), ('index_fill_', 3, torch.tensor([0]), -9.0), ('scatter_', 3, index, -9.0), ('masked_scatter_', later, draws),
    ('addcmul_', bias, bias), ('__ifloordiv__', 0.1), ('masked_fill_', later, 0.0), ('mul_', bias), ('add_', bias), ('sub_', 0.5),
    ('div_', 3.0), ('tanh_',), ('transpose_', -1, -2), ('__setitem__', later.expand(2, 3, 5, 5), 0.0))}
changes.update({
    'a view': in_place(lambda x: x.view(6, 5, 5).__setitem__((slice(None), later), 0.1)),
    'a column': in_place(lambda x: x[..., 0].fill_(-5.0)),
    'a column set': in_place(lambda x: x.__setitem__((..., 0), 0.25)),
    'an input': in_place(lambda x: x.unbind(0)[0].mul_(3.0)),
    'x.data': in_place(lambda x: x.data.mul_(2.0)),
    'x.data =': in_place(lambda x: setattr(x, 'data', x.data * 2)),
    'x.set_': in_place(lambda x: x.set_(x.clone() * 2)),
    'torch.ops': in_place(lambda x: torch.ops.aten.clamp_.default(x, -0.2, 0.2)),
    'torch.ops, out=': in_place(lambda x: torch.ops.aten.relu.out(x.clone(), out=x)),
    'an operation of a library': in_place(lambda x: torch.ops.explain_test.twice(x)),
    'its overload': in_place(lambda x: torch.ops.explain_test.twice.default(x=x)),
    'a list': in_place(lambda x: torch._foreach_mul_([x], 2.0)),
    'x.detach()': in_place(lambda x: x.detach().mul_(2.0)),
    'whole numbers': lambda x: x.mul(9).to(torch.int8).float()})
for name, change in changes.items():
    look(f'scores, {name}', lambda: attend(scores=change), 1)
    look(f'weights, {name}', lambda: attend(weights=change))
look('weights of weights', lambda: attend(weights=lambda w: w.softmax(-1)), 1)
three = [x.reshape(6, 5, 4) for x in (q, k, v)]
for softmax in (lambda s: s.softmax(-1), lambda s: torch.relu(s).softmax(-1)):
    look('baddbmm by names', lambda: (lambda w: (w[:, None], (w @ three[2])[:, None]))(
        softmax(bias.expand(6, 5, 5).baddbmm(batch1=three[0], batch2=three[1].transpose(1, 2), beta=0.5, alpha=0.3))), 1)
look('by names', lambda: (lambda w: (w, torch.matmul(input=w, other=v)))(torch.softmax(input=torch.matmul(input=q, other=k.mT) * 0.5, dim=-1)), 1)
look('softmax into its scores', lambda: attend(softmax=lambda s: torch.softmax(s, -1, out=s)), 1)
look('softmax into its scores, after relu', lambda: attend(torch.relu, softmax=lambda s: torch.softmax(s, -1, out=s)))
# Changes that are understood stay so: all from Q and K.
for name, change in (('another', in_place(lambda s: torch.zeros(3).add_(1.0))), ('add_', in_place(lambda s: s.add_(bias))), ('masked_fill_', in_place(lambda s: s.masked_fill_(later, -math.inf))),
                     ('of a list', in_place(lambda s: torch._foreach_add_([torch.zeros(3)], 1.0))),
                     ('by its name', in_place(lambda s: nn.init.uniform_(tensor=torch.zeros(3))))):
    with capture() as c:
        attend(scores=change)
    if 'q' not in c.attentions[0].tensors:
        wrong.append(f'{name} in place is not understood: {c}')


def powers(s, less=0.0, total=lambda e: e.sum(-1, keepdim=True)):
    e = (s - less).exp()
    return e / total(e)


for name, softmax, recorded in (
        ('exp', powers, 1), ('less the largest', lambda s: powers(s, s.max(-1, keepdim=True).values), 1),
        ('amax and a mask', lambda s: powers(s.masked_fill(later, -math.inf), s.amax(-1, keepdim=True)), 1),
        ('sum and unsqueeze', lambda s: powers(s, total=lambda e: torch.sum(e, dim=-1).unsqueeze(-1)), 1),
        ('another axis', lambda s: powers(s, total=lambda e: e.sum(-2, keepdim=True)), 0),
        ('one more', lambda s: powers(s, total=lambda e: e.sum(-1, keepdim=True) + 1), 0),
        ('masked after exp', lambda s: s.exp() * later.logical_not() / (s.exp() * later.logical_not()).sum(-1, keepdim=True), 0),
        ('in place', lambda s: s.exp().div_(s.exp().sum(-1, keepdim=True)), 0)):
    look(f'exp, {name}', lambda: attend(softmax=softmax), recorded)


class Grouped(nn.Module):
    num_heads = 6

    def forward(self, mask):
        """Two groups of three heads: queries 2×2×3×5×4, keys 2×2×1×5×4."""
        grouped, keys, values = torch.cat([q, k], 1).view(2, 2, 3, 5, 4), k[:, :2, None], v[:, :2, None]
        self.w = (grouped @ keys.transpose(-1, -2) * 0.5 + mask).softmax(-1)
        return self.w @ values


class Windows(nn.Module):
    def forward(self, mask):
        """Swin's: windows of two images, as many masks as windows of one."""
        s = q.repeat(3, 1, 1, 1) @ k.repeat(3, 1, 1, 1).transpose(-1, -2)
        s = s.view(2, 3, 3, 5, 5) + mask[None, :, None]
        self.w = s.view(6, 3, 5, 5).softmax(-1)
        return self.w @ v.repeat(3, 1, 1, 1)


masks = torch.randn(3, 5, 5)
for model, mask, heads in ((Grouped(), masks[0], 6), (Grouped(), torch.randn(2, 3, 1, 5), 6), (Grouped(), torch.randn(2, 1, 1, 1, 5), 6), (Windows(), masks, 3)):
    for batch, some in ((None, None), ([1, 0], [2, 0]), (-1, [1])):
        with capture(model, batch=batch, heads=some) as c:
            model(mask)
        own = model.w.reshape(-1, heads, 5, 5)
        one = c.attentions[0] if c.attentions else None
        if one is None or one.about['shape'] != list(own.shape) or not torch.allclose(
                again(one)[0], own[one.about['batch']][:, one.about['heads']].double(), atol=1e-6):
            wrong.append(f'{type(model).__name__}, mask {tuple(mask.shape)}, {batch}, {some}: {c}')

# Heads that share keys in an axis of their own: what has one for each group is found by the head of the queries.
by_group = torch.randn(2, 2, 1, 5, 5)
own_keys = k[:, :2]
grouped = torch.cat([q, k], 1).view(2, 2, 3, 5, 4)
turned = torch.cat([q, k], 1).view(2, 3, 2, 5, 4)
for name, run in (
        ('a bias', lambda s: s + by_group), ('a mask', lambda s: s.masked_fill(by_group > 0.5, -math.inf)), ('scores', lambda s: torch.relu(s) + by_group),
        ('both', lambda s: (s + by_group).masked_fill(by_group > 0.5, -math.inf))):
    for some in (None, [1], [3], [0, 4], [5, 2]):
        look(f'grouped heads, {name}, {some}', lambda: (lambda w: (w, (w @ own_keys[:, :, None]).view(2, 6, 5, 4)))(
            run(grouped @ own_keys[:, :, None].transpose(-1, -2) * 0.3).softmax(-1)), 1, some)
for kind, change in (('q', lambda s: s * 0.3), ('scores', torch.relu)):
    with capture(batch=0) as c:
        w = change(torch.einsum('bghnd,bhsd->bghns', turned, own_keys)).softmax(-1)
        out = torch.einsum('bghns,bhsd->bghnd', w, own_keys)
    one = c.attentions[0]
    if one.about['shape'] != [2, 6, 5, 5] or kind not in one.tensors or not torch.allclose(again(one)[1], out.reshape(2, 6, 5, 4)[:1].double(), atol=1e-6):
        wrong.append(f'groups before the heads of the keys, {kind}: {c}')
with capture() as c:
    w = (grouped @ own_keys[:, :, None].transpose(-1, -2) * 0.5 + by_group).softmax(-1)
    w @ own_keys[:, :, None]
if 'groups of heads that share keys: 2×3' not in str(c.attentions[0].about['notes']):
    wrong.append(f'groups by a guess are not noted: {c.attentions[0].about}')
shown = c.explain(0, head=3).spec['mask']['values']
if not torch.allclose(torch.tensor(shown, dtype=torch.float32), by_group[0, 1, 0], atol=1e-6):
    wrong.append('explain(head=3) has the mask of another group')
with capture() as c:
    few = grouped[..., :3, :]
    w = torch.einsum('bqhgd,bkhd->bhgqk', few.permute(0, 3, 1, 2, 4), own_keys[..., :3, :].transpose(1, 2)).softmax(-1)
    torch.einsum('bhgqk,bkhd->bqhgd', w, own_keys[..., :3, :].transpose(1, 2))
if [one.about['shape'] for one in c.attentions] != [[2, 6, 3, 3]]:
    wrong.append(f'as many tokens as heads of a group: {c}')

# Products by the letters of their axes: heads that share keys, in axes of their own. Recorded is what the program has.
grouped, keys, values = torch.cat([q, k], 1).view(2, 2, 3, 5, 4)[..., :4], k[:, :2], v[:, :2]
rows = grouped.permute(0, 3, 1, 2, 4)
for name, heads, run in (
        ('keys of one on a fifth axis', 6, lambda: (lambda w: (w, w @ values[:, :, None]))((grouped @ keys[:, :, None].transpose(-1, -2)).softmax(-1))),
        ('groups', 6, lambda: (lambda w: (w, torch.einsum('bgrnm,bgmd->bgrnd', w, values)))(torch.einsum('bgrnd,bgmd->bgrnm', grouped, keys).softmax(-1))),
        ('groups behind the tokens', 6, lambda: (lambda w: (w, torch.einsum('bgrnm,bmgd->bngrd', w, values.transpose(1, 2)).permute(0, 2, 3, 1, 4)))(
            torch.einsum('bngrd,bmgd->bgrnm', rows, keys.transpose(1, 2)).softmax(-1))),
        ('one head of keys', 3, lambda: (lambda w: (w, torch.einsum('bhqk,bkd->bhqd', w, v[:, 0])))(torch.einsum('bhqd,bkd->bhqk', q, k[:, 0]).softmax(-1))),
        ('keys first', 3, lambda: (lambda w: (w, torch.einsum('bhkd,bhqk->bhqd', v, w)))(torch.einsum('bhkd,bhqd->bhqk', k, q).softmax(-1))),
        ('dots', 3, lambda: (lambda w: (w, torch.einsum('...qk,...kd->...qd', w, v)))(torch.einsum('...qd, ...kd -> ...qk', q, k).softmax(-1)))):
    with capture(batch=None) as c:
        w, out = run()
    one = c.attentions[0] if c.attentions else None
    apart = [*again(one)] if one else []
    if one is None or 'q' not in one.tensors or one.about['shape'] != [2, heads, w.shape[-2], 5] or not all(
            torch.allclose(x, own.reshape(x.shape).double(), atol=1e-6) for x, own in zip(apart, (w, out))):
        wrong.append(f'einsum, {name}: {c}')
# Which axis has the queries is not told by letters; sums that are no such product.
for first, second in (('bqhd,bkd->bqhk', 'bqhk,bkd->bqhd'), ('bhqd,bhkd->bhqk', 'bhqk,bhkd->bhd'), ('bhqd,bhkd->bhqk', 'bhqk,bhkd')):
    with capture() as c:
        one_head = first == 'bqhd,bkd->bqhk'
        w = torch.einsum(first, *((rows[:, :, 0], keys[:, 0]) if one_head else (q, k))).softmax(-1)
        torch.einsum(second, w, values[:, 0] if one_head else v)
    if any('q' in one.tensors for one in c.attentions) or not c.unseen or 'einsum' not in c.unseen[0]:
        wrong.append(f'einsum {first}, {second}: {c}')
# Weights that are read beside their product with V.
with capture() as c:
    w = torch.einsum('bhqd,bhkd->bhqk', q, k).softmax(-1)
    torch.einsum('bhqk,bhkd->bhqd', w, v)
    for text, others in (('bhqk->bqk', ()), ('bhqk,bhqk->bhq', (w.log(),)), ('bhqk,k->bhq', (torch.arange(5.0),)), ('bhqk,hg->bgqk', (torch.eye(3),))):
        torch.einsum(text, w, *others)
if len(c.attentions) != 1 or c.unseen:
    wrong.append(f'weights read by einsum: {c}')
# Three factors are an output; heads that are mixed are not the weights that were recorded.
for text, others in (('bhqk,bhkd,de->bhqe', (v, torch.eye(4))), ('bhqk,hg->bgqk', (torch.eye(3),))):
    with capture() as c:
        w = torch.einsum(text, (q @ k.transpose(-1, -2)).softmax(-1), *others)
        if w.shape[-1] == 5:
            w @ v
    if c.attentions or not c.unseen:
        wrong.append(f'einsum {text}: {c}')
# What is lent may be written into past PyTorch: said.
with torch.no_grad(), capture() as c:
    attend(weights=in_place(lambda w: w.numpy()))
if len(c.attentions) != 1 or not any('lent by numpy' in note for note in c.notes):
    wrong.append(f'numpy: {c}')
for name, said, run in (('after the product', False, lambda: attend()[0].numpy()),
                        ('a view of scores', True, lambda: attend(scores=in_place(lambda s: s[0].numpy().fill(0)))),
                        ('x.data of scores', True, lambda: attend(scores=in_place(lambda s: s.data.numpy().fill(0)))),
                        ('scores behind a view', True, lambda: attend(scores=lambda s: (s.view(6, 5, 5).view(2, 3, 5, 5), s.numpy().fill(0))[0])),
                        ('another tensor', False, lambda: attend(scores=in_place(lambda s: torch.zeros(3).numpy())))):
    with torch.no_grad(), capture() as c:
        run()
    if len(c.attentions) != 1 or bool(c.notes) != said:
        wrong.append(f'lent, {name}: {c}')
# An input that has other numbers at the product with V.
for change in (lambda x: setattr(x, 'data', x * 2), lambda x: x.set_(x * 2)):
    with torch.no_grad(), capture() as c:
        own = q.clone()
        s = own @ k.transpose(-1, -2)
        change(own)
        s.softmax(-1) @ v
    if 'q' in c.attentions[0].tensors:
        wrong.append(f'Q whose numbers are others: {c}')

# Tensors without numbers end no program, and are said.
for x in (torch.empty(2, 3, 4, device='meta'), torch.empty(1, 2, 3, 4, device='meta')):
    with capture() as c:
        (x @ x.transpose(-1, -2)).softmax(-1) @ x
    if c.attentions or len(c.unseen) != 1 or 'meta' not in c.unseen[0]:
        wrong.append(f'meta: {c}')
vmap = torch.func.vmap if hasattr(torch, 'func') else importlib.import_module('functorch').vmap
with capture() as c:
    vmap(lambda x: (x @ x.transpose(-1, -2)).softmax(-1) @ x)(q)
if c.attentions or len(c.unseen) != 1:
    wrong.append(f'vmap: {c}')


class Linear(nn.Module):
    def forward(self, x):
        return x.cumsum(1)


with capture(Linear()) as c:
    c.model(q)
if c.unseen != ['model (Linear) ran, and no attention was recognised in it']:
    wrong.append(f'a model without an attention: {c}')

# What is said once is missed each time: two layers with one reason.
class GatedAttention(nn.Module):
    def forward(self, x):
        w = (x @ x.transpose(-1, -2)).softmax(-1)
        return w.sin() @ x


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GatedAttention(), GatedAttention()

    def forward(self, x):
        return self.second(self.first(x))


with capture(Twice()) as c:
    c.model(q)
if len(c.unseen) != 1 or c.attentions:
    wrong.append(f'two layers that are missed for one reason: {c}')

# exp(s)/(1 + sum) is no softmax, also where the sum is large for its type.
for dtype in (torch.float32, torch.bfloat16):
    s = (q.to(dtype) @ k.to(dtype).transpose(-1, -2)).exp() * 4
    with capture() as c:
        e = (q.to(dtype) @ k.to(dtype).transpose(-1, -2)).exp()
        (e / (5 + e.sum(-1, keepdim=True))) @ v.to(dtype)
    if c.attentions:
        wrong.append(f'exp(s)/(5 + sum) in {dtype}: {c}')
# One query and key: the sum is one number.
look('one query by exp', lambda: (lambda e: (lambda w: (w, w @ v[:1, :1, :1]))(e / e.sum(-1, keepdim=True)))(
    (q[:1, :1, :1] @ k[:1, :1, :1].transpose(-1, -2)).exp()), 1)

# One head of values for three of keys.
look('shared values', lambda: (lambda w: (w, w @ v[:, :1]))((q @ k.transpose(-1, -2)).softmax(-1)), 1)
look('shared keys', lambda: (lambda w: (w, w @ v))((q @ k[:, :1].transpose(-1, -2)).softmax(-1)), 1)

# Files hold the numbers row by row, however they lie in the model's memory.
for order in itertools.permutations(range(4)):
    def lie(x):
        """The same numbers, with axes that lie in memory in this order."""
        return x.permute(order).contiguous().permute([order.index(axis) for axis in range(4)])
    with torch.no_grad(), capture(batch=None) as c:
        lie(lie(lie(q) @ lie(k).transpose(-1, -2) + lie(torch.randn(2, 3, 5, 5))).softmax(-1)) @ lie(v)
        lie(torch.relu(lie(q) @ lie(k).transpose(-1, -2))).softmax(-1) @ lie(v)
    with open(c.save(os.path.join(tempfile.mkdtemp(), 'a.safetensors')), 'rb') as file:
        whole = file.read()
    start = 8 + struct.unpack('<Q', whole[:8])[0]
    for name, of in json.loads(whole[8:start]).items():
        if name != '__metadata__':
            at, end = of['data_offsets']
            read = numpy.frombuffer(whole[start + at:start + end], 'float32').reshape(of['shape'])
            i, own = name.split('.')
            if not numpy.array_equal(read, c.attentions[int(i)].tensors[own].numpy()):
                wrong.append(f'saved with axes {order}: {name} is another')

# As on a card, where tensors of one size are copied in one operation: the same numbers.
for joins in (False, True):
    own = explain_attention._Layout.__init__

    def join(self, *given):
        own(self, *given)
        self._joins = joins
    explain_attention._Layout.__init__ = join
    with torch.no_grad(), capture(batch=[1, 0], heads=[2, 0], tokens=slice(1, 4)) as c:
        for _ in range(2):
            out = attend(scores=lambda s: s + bias)[1]
    explain_attention._Layout.__init__ = own
    for one in c.attentions:
        for name, x in (('q', q[:, :, 1:4]), ('k', k), ('v', v), ('out', out[:, :, 1:4])):
            if not torch.equal(one.tensors[name], x[[1, 0]][:, [0, 2] if name in 'kv' else [2, 0]]):
                wrong.append(f'{name}, joined {joins}: other numbers')
        if not torch.equal(one.tensors['bias'], bias[None, None, 1:4]) or joins and len(one.pieces):
            wrong.append(f'bias, joined {joins}')

if wrong:
    sys.exit('\n'.join(wrong))
