"""Values of every kind that a stopped program may have, and the hash of the bytes of each. Run under the debugger by reading.test.ts."""
import hashlib
import json
import sys
from collections import namedtuple

import numpy as np
import torch

torch.manual_seed(3)


def sha(data):
    return hashlib.sha256(data).hexdigest()


class Sub(torch.Tensor):
    calls = 0

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        Sub.calls += 1
        return super().__torch_function__(func, types, args, kwargs or {})


class Holder:
    touched = 0
    __slots__ = ('slot', 'unset', '__dict__')

    def __init__(self, w):
        self.w = w
        self.slot = w * 2

    @property
    def computed(self):
        Holder.touched += 1
        return self.w

    def __getattr__(self, name):
        Holder.touched += 1
        raise AttributeError(name)


class Duck:
    """As arrays of other libraries are: nothing but `__array__`, a shape and a type of numbers."""

    asked = 0

    def __init__(self, data):
        self.data, self.shape, self.dtype = data, data.shape, data.dtype

    def __array__(self, dtype=None, copy=None):
        Duck.asked += 1
        return self.data


class Liar:
    """What it says of itself is another, and asking it is counted."""

    asked = 0

    def say(answer):
        def said(self, *_):
            Liar.asked += 1
            return answer
        return said

    shape, dtype, device = property(say((9, 9))), property(say(np.dtype('int8'))), property(say('nowhere'))
    item, detach, view = say(3), say(None), say(None)


class Array(Liar, np.ndarray):
    pass


class Tensor(Liar, torch.Tensor):
    pass


class Number(Liar, np.float64):
    pass


class Closed:
    def __getattribute__(self, name):
        Liar.asked += 1
        raise ValueError(name)


def raw(t):
    t = t.detach().cpu().contiguous()
    kinds = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return t.view(kinds[t.element_size()]).numpy().tobytes() if t.dim() else t.numpy().tobytes()


Q = torch.randn(2, 4, 128, 64, requires_grad=True)
K_t = Q.transpose(-2, -1)
B16 = torch.randn(3, 5).to(torch.bfloat16)
half = torch.randn(7, 3).half()
P = torch.nn.Parameter(torch.randn(6, 5))
flags = torch.tensor([[True, False], [False, True]])
ids = torch.tensor([1, 2**40, -7])
strided = torch.arange(24.0).view(4, 6)[::2, 1::2]
negative = torch.view_as_complex(torch.randn(3, 2)).conj().imag
sub = torch.randn(2, 3).as_subclass(Sub)
N = np.random.RandomState(0).randn(3, 4, 5).transpose(2, 0, 1)
big = np.arange(6, dtype='>f4').reshape(2, 3)
back = np.arange(10.0)[::-2]
zero = np.array(2.5)
scalar = torch.tensor(3.5)
empty = torch.zeros(0, 4)
rows = [[1.5, 2], [3, 4.25]]
duck = Duck(np.arange(6, dtype=np.float32).reshape(2, 3))
holder = Holder(torch.randn(2, 2))
Pair = namedtuple('Pair', 'a b')
pair = Pair(1, 2)
wide = torch.randn(300_000)
huge = torch.randint(0, 255, (2048, 2048), dtype=torch.uint8)
masked = np.ma.masked_array([1.0, 2.0], mask=[0, 1])
quant = torch.quantize_per_tensor(torch.randn(2, 2), 0.1, 0, torch.qint8)
meta = torch.empty(2, 3, device='meta')
sparse = torch.eye(3).to_sparse()
objects = np.array([None, 1], dtype=object)
ragged = [[1, 2], [3]]
unusual_né = torch.ones(1, 2)
false_array = np.ndarray.view(np.arange(4.0), Array)
false_tensor = torch.arange(6.0).reshape(2, 3).as_subclass(Tensor)
false_number, closed = Number(2.5), Closed()
extended, beyond = [np.longdouble(1) / 3], [2**70, 1]
long_list = [[0.5, 1.5]] * (1 << 21)
layer = torch.nn.Linear(4, 3)
number, text, nothing, infinite = 7, 'causal "é"', None, float('-inf')
loss = (P * 2).sum()

hashes = {
    'Q': sha(raw(Q)), 'K_t': sha(raw(K_t)), 'B16': sha(raw(B16)), 'half': sha(raw(half)), 'P': sha(raw(P)),
    'flags': sha(raw(flags)), 'ids': sha(raw(ids)), 'strided': sha(raw(strided)), 'negative': sha(raw(negative.resolve_neg())),
    'sub': sha(raw(torch.Tensor.as_subclass(sub, torch.Tensor))), 'N': sha(np.ascontiguousarray(N).tobytes()),
    'big': sha(big.astype('<f4').tobytes()), 'back': sha(np.ascontiguousarray(back).tobytes()), 'zero': sha(zero.tobytes()),
    'scalar': sha(raw(scalar)), 'empty': sha(b''), 'rows': sha(np.array(rows).tobytes()), 'duck': sha(duck.data.tobytes()),
    'holder.w': sha(raw(holder.w)), 'holder.slot': sha(raw(holder.slot)), 'wide': sha(raw(wide)),
    'false_array': sha(np.arange(4.0).tobytes()), 'false_tensor': sha(np.arange(6, dtype=np.float32).tobytes()),
    'layer.weight': sha(raw(layer.weight)), 'unusual_né': sha(raw(unusual_né)),
}  # fmt: skip
parts = {
    'Q': [[[1, 2, [3, 7]], sha(raw(Q[1, 2, 3:7]))], [[0, [1, 3]], sha(raw(Q[0, 1:3]))]],
    'K_t': [[[1, [0, 2], [5, 9]], sha(raw(K_t[1, 0:2, 5:9]))]],
    'N': [[[4, [1, 3]], sha(np.ascontiguousarray(N[4, 1:3]).tobytes())]],
    'rows': [[[1], sha(np.array(rows[1], dtype=float).tobytes())]],
}  # fmt: skip
Sub.calls = Liar.asked = 0
with open(sys.argv[1] if len(sys.argv) > 1 else __file__ + '.json', 'w') as file:
    json.dump({'hashes': hashes, 'parts': parts}, file)
del file


def state():
    """All that a reader might change: names, identities, gradients, versions, calls of the program's own code, streams."""
    names = sorted((k, id(v)) for k, v in globals().items() if k not in ('__builtins__',))
    versions = [t._version for t in (Q, K_t, B16, P, wide, layer.weight)]
    grads = [t.grad is None for t in (Q, P, layer.weight)]
    return repr((names, versions, grads, Sub.calls, Holder.touched, Duck.asked, Liar.asked, torch.get_rng_state().sum().item(), torch.is_grad_enabled(), Q.grad_fn))  # fmt: skip


def inner(first):
    local = first + 1
    return local  # stop here


inner(torch.ones(2, 3))
