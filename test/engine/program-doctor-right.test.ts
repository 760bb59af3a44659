// Right programs of a reviewer's hand, of each of which a rule once said something false.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosingText, type Diagnosis } from '../../engine/program/doctor/diagnose';
import { finish } from '../../engine/text';
import { programs } from './doctor-cases';

const diagnosed = (text: string): Diagnosis => finish(diagnosingText(text));
const found = (text: string): readonly string[] =>
  diagnosed(text).findings.map(({ rule, range }) => `${rule} ${text.slice(range.start, range.end)}`);

/** Nothing is said, though each attention is computed. */
function isQuiet(text: string): void {
  const { findings, computed } = diagnosed(text);
  assert.deepEqual(findings, [], text);
  assert.ok(computed > 0, text);
}

describe('the code doctor on masks that are joined', () => {
  const masked = (lines: string, mask: string, n = 6): string => `import torch, math
n, d = ${n}, 8
q, k, v = torch.randn(3, n, d)
i = torch.arange(n)
${lines}
scores = (q @ k.T / math.sqrt(d)).masked_fill(${mask}, float('-inf'))
print(scores.softmax(-1) @ v)
`; // prettier-ignore

  it('says nothing of windows beside global tokens or strides that leave no key hidden in so few tokens', () => {
    const near = 'local = (i[:, None] - i[None, :]).abs() <= ';
    const global = 'is_global = (i[:, None] == 0) | (i[None, :] == 0)';
    isQuiet(masked(`${near}4\n${global}`, '~(local | is_global)'));
    isQuiet(masked(`${near}3\nis_global = (i[:, None] < 1) | (i[None, :] < 1)`, '~(local | is_global)', 5));
    isQuiet(masked(`far = (i[:, None] - i[None, :]).abs() > 8\ninner = (i[:, None] >= 1) & (i[None, :] >= 1)`, 'far & inner', 10)); // prettier-ignore
    isQuiet(masked(`${near}2\nstrided = (i[:, None] - i[None, :]) % 3 == 0`, '~(local | strided)', 4));
  });

  it('says nothing of two directions, and of a triangle beside what hides more than a window does', () => {
    const causal = 'causal = i[None, :] <= i[:, None]';
    isQuiet(masked(`${causal}\nfuture = i[None, :] >= i[:, None]`, '~(causal | future)'));
    isQuiet(masked(`${causal}\nprefix = i[None, :] < 5`, '~(causal | prefix)'));
    isQuiet(masked(`${causal}\nlast = i[None, :] > 0`, '~(causal | last)'));
    assert.deepEqual(found(masked(`${causal}\nrecent = i[:, None] - i[None, :] < 3`, '~(causal | recent)')), ['mask-unused causal | recent']); // prettier-ignore
    assert.deepEqual(found(masked(`late = i[None, :] > i[:, None]\nold = i[:, None] - i[None, :] > 2`, 'late & old')), ['mask-unused late & old']); // prettier-ignore
  });
});

describe('the code doctor on softmax by hand', () => {
  const scored = (lines: string): string => `import numpy as np
rng = np.random.default_rng(0)
n, m, d = 4, 6, 8
Q, K, V = rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=(m, d))
S = Q @ K.T / np.sqrt(d)
${lines}
O = W @ V
`; // prettier-ignore
  const rows = 'W /= W.sum(axis=1, keepdims=True)';

  it('says nothing of maxima over the queries that fall out in sums over the queries', () => {
    const exp = 'E = np.exp(S - S.max(axis=0))';
    isQuiet(scored(`${exp}\nA = E / E.sum(axis=0)\nW = A / A.sum(axis=1, keepdims=True)`));
    // Sinkhorn: rows, columns, rows.
    isQuiet(scored(`W = np.exp(S - S.max(axis=0))\n${rows}\nW = W / W.sum(axis=0)\n${rows}`));
    assert.deepEqual(found(scored(`${exp}\nW = E / E.sum(axis=1, keepdims=True)`)), ['softmax-axis S.max(axis=0)']);
    assert.deepEqual(found(scored(`W = np.exp(S - S.max(axis=0))\n${rows}`)), ['softmax-axis S.max(axis=0)']);
  });

  it('says nothing of a bias that is counted from its own maximum', () => {
    const bias = 't = np.sort(rng.random((n, m)), axis=0)\nS = S + t - t.max(axis=0)';
    isQuiet(scored(`${bias}\nW = np.exp(S - S.max(-1, keepdims=True))\n${rows}`));
  });

  it('says nothing of weights that a softmax over the queries multiplies', () => {
    const both = (product: string, lines = ''): string => `import torch, math
n, d = 5, 8
q, k, v = torch.randn(3, n, d)
s = q @ k.T / math.sqrt(d)
${lines}
p = ${product}
print(p / p.sum(1, keepdim=True) @ v)
`; // prettier-ignore
    isQuiet(both('s.softmax(1) * s.softmax(0)'));
    isQuiet(both('s.softmax(0) * s.softmax(1)'));
    const exp = (name: string, axis: number): string => `${name} = torch.exp(s - s.max(dim=${axis}, keepdim=True).values)`; // prettier-ignore
    isQuiet(both('s.softmax(1) * b', `${exp('b', 0)}\nb = b / b.sum(dim=0, keepdim=True)`));
    isQuiet(both('(a / a.sum(1, keepdim=True)) * (b / b.sum(0, keepdim=True))', `${exp('a', 1)}\n${exp('b', 0)}`));
  });
});

describe('the code doctor on positions that begin anew', () => {
  /** A call with five tokens and one with three, or others, of a layer that keeps its keys. */
  const kept = (added: string, side: string, calls: readonly string[], norm = ''): string => `import torch, math
import torch.nn as nn
class Turns(nn.Module):
    def __init__(self, vocab=50, d=16, longest=32, turns=8):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(longest, d)
        self.turn = nn.Embedding(turns, d)
        self.norm = nn.LayerNorm(d)
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
    def forward(self, ids, ${side}past=None):
        B, T = ids.shape
        x = ${norm}(self.tok(ids) * 4 + self.pos(torch.arange(T))${added})
        q, k, v = self.q(x), self.k(x), self.v(x)
        if past is not None:
            k, v = torch.cat([past[0], k], dim=1), torch.cat([past[1], v], dim=1)
        w = (q @ k.transpose(-2, -1) / math.sqrt(16)).softmax(-1)
        return w @ v, (k, v)
m = Turns()
y, past = m(torch.randint(50, (1, 5)), ${calls[0]})
y, past = m(torch.randint(50, (1, 3)), ${calls[1]}past=past)
`; // prettier-ignore

  it('says nothing where something else tells the calls apart: whose turn it is, a kind, a side', () => {
    const ids = ['torch.zeros(1, 5).long(), ', 'torch.ones(1, 3).long(), '];
    isQuiet(kept(' + self.turn(turn)', 'turn, ', ids));
    isQuiet(kept(' + self.turn(turn)', 'turn, ', ids, 'self.norm'));
    isQuiet(kept(' + self.turn(torch.tensor(turn))', 'turn, ', ['0, ', '1, ']));
    isQuiet(kept(' + self.turn(torch.tensor(turn))', 'turn, ', ['1, ', '0, ']));
    isQuiet(kept(' + self.turn.weight[turn]', 'turn, ', ['0, ', '1, ']));
    isQuiet(kept(' + side', 'side, ', ['m.turn.weight[0], ', 'm.turn.weight[1], ']));
    // What both calls have alike tells none apart.
    const named = ['positions-cache torch.arange(T)'];
    assert.deepEqual(found(kept('', '', ['', ''])), named);
    assert.deepEqual(found(kept('', '', ['', ''], 'self.norm')), named);
    assert.deepEqual(found(kept(' + self.turn.weight[0]', '', ['', ''])), named);
  });

  it('says nothing of an encoder and a decoder that share a layer, each with a side of its own', () => {
    isQuiet(`import torch, math
import torch.nn as nn
class Shared(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.side = nn.Parameter(torch.randn(2, d))
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
    def forward(self, x, side, memory=None):
        T, d = x.shape
        freqs = torch.exp(-torch.arange(0, d, 2) * math.log(10000.0) / d)
        angles = torch.arange(T)[:, None] * freqs
        x = x + torch.cat([angles.sin(), angles.cos()], -1) + side
        q, k, v = self.q(x), self.k(x), self.v(x)
        if memory:
            k, v = torch.cat([memory[0], k]), torch.cat([memory[1], v])
        w = (q @ k.T / math.sqrt(d)).softmax(-1)
        return w @ v, (k, v)
m = Shared()
_, memory = m(torch.randn(6, 16), m.side[0])
y, _ = m(torch.randn(4, 16), m.side[1], memory)
`);
  });

  it('says nothing of kept keys that are rotated back', () => {
    const text = (old: string): string => `import torch, math
import torch.nn as nn
def rotate(x):
    angles = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(0, 8, 2) / 8)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), -1).flatten(-2)
def turn_back(x, steps):
    angles = -steps * 10000.0 ** (-torch.arange(0, 8, 2) / 8)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), -1).flatten(-2)
class Attention(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.keys = self.values = None
    def forward(self, x):
        q, k, v = rotate(self.q(x)), rotate(self.k(x)), self.v(x)
        if self.keys is not None:
            k, v = torch.cat([${old}, k], dim=1), torch.cat([self.values, v], dim=1)
        self.keys, self.values = k, v
        return (q @ k.transpose(-2, -1) / math.sqrt(8)).softmax(-1) @ v
m = Attention()
m(torch.randn(1, 5, 8))
y = m(torch.randn(1, 2, 8))
`; // prettier-ignore
    isQuiet(text('turn_back(self.keys, self.keys.shape[1])'));
    assert.match(found(text('self.keys')).join(), /^positions-cache torch\.arange\(x\.shape\[-2\]\)/);
  });
});

describe('the code doctor on a layer whose name says an order', () => {
  const cut = (names: string, lines: string): string => `import torch
import torch.nn as nn
class Attention(nn.Module):
    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.heads, self.scale = heads, 8 ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        ${names} = qkv[0], qkv[1], qkv[2]
        ${lines}
        return y.transpose(1, 2).reshape(B, N, C)
y = Attention()(torch.randn(2, 6, 16))
`; // prettier-ignore

  it('says nothing of channels that attend to channels, and where the code’s own names are in order', () => {
    const isNamed = (text: string): boolean => diagnosed(text).findings.some(({ message }) => message.startsWith('`self.qkv` is cut in the order')); // prettier-ignore
    const channels = (k: string): string => `y = (((${k} * self.scale).mT @ v).softmax(-1) @ q.mT).mT`;
    assert.ok(!isNamed(cut('q, k, v', channels('k'))));
    assert.ok(!isNamed(cut('a, b, c', 'y = (((b * self.scale).mT @ c).softmax(-1) @ a.mT).mT')));
    const tokens = (q: string, k: string, v: string): string => `y = (${q} * self.scale @ ${k}.mT).softmax(-1) @ ${v}`;
    assert.ok(!isNamed(cut('q, k, v', tokens('v', 'k', 'q'))));
    assert.ok(isNamed(cut('a, b, c', tokens('c', 'b', 'a'))));
    assert.ok(isNamed(cut('k, q, v', tokens('q', 'k', 'v'))));
    isQuiet(cut('a, b, c', tokens('a', 'b', 'c')));
  });
});

describe('the code doctor on keys that join after the attention', () => {
  const model = (forward: string, calls: string): string => `import torch, math
import torch.nn as nn
class Memory(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.keys = self.values = None
        self.sink = nn.Parameter(torch.randn(2, 1, d))
    def forward(self, x, other=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
${forward.replace(/^/gm, '        ')}
    def add(self, k, v):
        self.keys, self.values = torch.cat([self.keys, k], 1), torch.cat([self.values, v], 1)
def attend(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(8)).softmax(-1) @ v
m = Memory()
${calls}
`; // prettier-ignore
  const steps = 'for step in range(3):\n    y = m(torch.randn(2, 1, 8))';
  const begin = 'if self.keys is None:\n    self.keys, self.values = k, v\n    return ';
  const read = 'y = attend(q, self.keys, self.values)\nself.add(k, v)\nreturn y';
  const named = 'mask-hides-own q @ k.transpose(-2, -1)';

  it('says nothing of a memory that is read before it is written', () => {
    isQuiet(model(`${begin}x\nread = attend(q, self.keys, self.values)\nself.add(k, v)\nreturn x + read`, steps));
    const frames = model(`${begin}x\nq = k\n${read}`, steps.replace('2, 1', '2, 4'));
    assert.ok(!found(frames).some((one) => one.startsWith('mask-hides-own')));
  });

  it('says nothing of a sink before the first token, of whole frames, and of keys of other tokens', () => {
    const sink = 'if self.keys is None:\n    self.keys, self.values = self.key(self.sink), self.value(self.sink)\n';
    isQuiet(model(sink + read, steps));
    isQuiet(model(`${begin}attend(q, k, v)\n${read}`, steps.replace('2, 1', '2, 4')));
    const memory = 'if self.keys is None:\n    self.keys, self.values = self.key(other), self.value(other)\n';
    isQuiet(model(memory + read, 'for step in range(3):\n    y = m(torch.randn(2, 1, 8), torch.randn(2, 5, 8))'));
  });

  it('names a token that its own query does not see, though the tokens of the first call do', () => {
    assert.deepEqual(found(model(`${begin}attend(q, k, v)\n${read}`, steps)), [named]);
    const prompt = `y = m(torch.randn(2, 4, 8))\n${steps}`;
    assert.deepEqual(found(model(`${begin}attend(q, k, v)\n${read}`, prompt)), [named]);
    isQuiet(model(`${begin}attend(q, k, v)\nself.add(k, v)\nreturn attend(q, self.keys, self.values)`, prompt));
  });
});

describe('the code doctor on scores that are rounded down', () => {
  const scored = (weights: string, made = 'torch.randn(3, 5, d)'): string => `import torch, math
torch.manual_seed(0)
d, h = 8, 2
q, k, v = ${made}
w = torch.softmax(${weights}, dim=-1)
print(w @ v)
`; // prettier-ignore

  it('takes the division of the scores, not one in what they are divided by, and calls it as the code does', () => {
    for (const [was, now, called] of [
      ['q @ k.T // math.sqrt(d)', 'q @ k.T / math.sqrt(d)', '//'],
      ['q @ k.T // math.sqrt(2 * d // h)', 'q @ k.T / math.sqrt(2 * d // h)', '//'],
      ['torch.floor_divide(q @ k.T, math.sqrt(d))', 'torch.divide(q @ k.T, math.sqrt(d))', 'torch.floor_divide'],
      ['(q @ k.T).floor_divide(math.sqrt(2 * d // h))', '(q @ k.T).divide(math.sqrt(2 * d // h))', 'floor_divide'],
      ["torch.div(q @ k.T, math.sqrt(d), rounding_mode='floor')", 'torch.div(q @ k.T, math.sqrt(d))', 'torch.div'],
    ] as const) {
      const [one, ...more] = diagnosed(scored(was)).findings;
      assert.deepEqual([one?.rule, one?.mend?.edits[0]?.text, more], ['scale-other', now, []], was);
      assert.ok(one?.message.startsWith(`\`${called}\` rounds each score down to a whole number.`), one?.message);
    }
  });

  it('says nothing of integers', () => {
    const codes = 'torch.randint(-127, 128, (5, d)), torch.randint(-127, 128, (5, d)), torch.randn(5, d)';
    isQuiet(scored('((q @ k.T) // 256).float() / math.sqrt(d)', codes));
  });
});

describe('the code doctor on keys that are made of the queries', () => {
  it('says nothing of keys that are given back or kept for others, before they change', () => {
    const text = (lines: string): string => `import torch
from torch import nn
class A(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.norm = nn.LayerNorm(d)
        self.kept = []
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        ${lines}
A()(torch.randn(2, 5, 8))
`; // prettier-ignore
    const unused = (lines: string): boolean => diagnosed(text(lines)).findings.some(({ rule }) => rule === 'part-unused');
    const y = '(q @ self.norm(q).mT / 8 ** 0.5).softmax(-1) @ v';
    for (const given of [`return ${y}, k`, `y = ${y}\n        return y, {'k': k.detach(), 'v': v}`, `self.kept.append(k)\n        return ${y}`, `self.last = k, v\n        return ${y}`])
      assert.ok(!unused(given), given);
    for (const lost of [`return ${y}`, `return ${y}, k.shape`, `k = self.norm(q)\n        return (q @ k.mT / 8 ** 0.5).softmax(-1) @ v, k`])
      assert.ok(unused(lost), lost);
  }); // prettier-ignore
});

describe('the code doctor on rotary positions of queries, keys and values', () => {
  const rotary = programs.torch_rotary;
  const turning = 'q, k = turn(q, cos, sin), turn(k, cos, sin)';
  const turned = (lines: string, sum = '(p @ v)'): string => rotary.replace(turning, lines).replace('(p @ v)', sum);
  const all = `${turning}\nv = turn(v, cos, sin)`;

  it('says nothing where the output is turned back, also of values that are the keys', () => {
    isQuiet(turned(all, 'turn(p @ v, cos, -sin)'));
    isQuiet(turned(`${turning}\nh = k`, 'turn(p @ h, cos, -sin)').replace('q, k, v =', 'q, k, _ ='));
    assert.deepEqual(found(turned(all)), ['positions-values turn(v, cos, sin)']);
  });

  // RoPER of labml, in the order of its axes: tokens, inputs, heads.
  it('says nothing where it is turned back, of weights whose axes are in another order', () => {
    isQuiet(`import torch
from torch import nn
torch.manual_seed(0)
def rope(x, sign=1):
    n, _, _, d = x.shape
    a = torch.einsum('n,d->nd', torch.arange(n).float(), 10000 ** (-torch.arange(0, d, 2).float() / d))
    a = torch.cat([a, a], 1)[:, None, None, :]
    half = torch.cat([-x[..., d // 2:], x[..., :d // 2]], -1)
    return x * a.cos() + sign * half * a.sin()
class A(nn.Module):
    def __init__(self, h=2, d=8):
        super().__init__()
        self.h = h
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
    def forward(self, x):
        n, b, d = x.shape
        q, k, v = (f(x).view(n, b, self.h, d // self.h) for f in (self.q, self.k, self.v))
        s = torch.einsum('ibhd,jbhd->ijbh', rope(q), rope(k)) * (d // self.h) ** -0.5
        y = torch.einsum('ijbh,jbhd->ibhd', s.softmax(dim=1), rope(v))
        return self.o(rope(y, -1).reshape(n, b, -1))
y = A()(torch.randn(5, 2, 8))
`);
  });

  it('says nothing of positions of two axes, of several texts in one, from 1 on, negative, and beside tokens that have none', () => {
    const two = 'i, j = torch.arange(5) // 3, torch.arange(5) % 3\nturn2 = lambda x: torch.cat([turn(a, *(one[at] for one in angles(4, 5))) for a, at in zip(x.chunk(2, -1), (i, j))], -1)\nq, k = turn2(q), turn2(k)';
    const packed = 'cos, sin = cos[torch.tensor([0, 1, 2, 0, 1])], sin[torch.tensor([0, 1, 2, 0, 1])]\n';
    const first = 'q, k = (torch.cat((x[:, :, :1], turn(x[:, :, 1:], cos[1:], sin[1:])), 2) for x in (q, k))';
    const head = 'q, k = (torch.cat((turn(x[:, :1], cos, sin), x[:, 1:]), 1) for x in (q, k))';
    for (const lines of [two, packed + turning, `cos, sin = angles(8, 6)\ncos, sin = cos[1:], sin[1:]\n${turning}`, `sin = -sin\n${turning}`, first, head]) isQuiet(turned(lines));
  }); // prettier-ignore

  it('says nothing of a scale that grows with the token, of decay on both sides, of norms behind, and of keys in another order', () => {
    const decay = `${turning}\nz = (0.5 + torch.arange(4) / 8).repeat(2) ** (torch.arange(5)[:, None] / 4)\nq, k = q * z, k / z`;
    const norms = `${turning}\nq, k = (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) for x in (q, k))`;
    const oneBefore = `q = torch.nn.functional.layer_norm(q, (8,))\n${turning}\nk = torch.nn.functional.layer_norm(k, (8,))`;
    for (const lines of [`${turning}\nq = q * torch.log(torch.arange(2, 7))[:, None]`, decay, norms, oneBefore, `${turning}\nk, v = k.flip(2), v.flip(2)`])
      isQuiet(turned(lines));
    // Other tokens are no own, nor are queries and keys that no layer made of the same.
    isQuiet(turned('q = turn(q, cos, sin)').replace('for w in (w_q, w_k, w_v))', 'for w in (w_q, w_k, w_v))\nm = torch.randn(2, 5, 16)\nk, v = ((m @ w).view(2, 5, 2, 8).transpose(1, 2) for w in (w_k, w_v))'));
    isQuiet(turned('q, k = turn(torch.randn(2, 2, 5, 8), cos, sin), torch.randn(2, 2, 5, 8)'));
  }); // prettier-ignore

  /* NumPy: sin 1 = 0.8415, cos 2 = -0.4161. */
  it('says by which numbers a token and itself show where they stand, in matrices, pairs and complex numbers', () => {
    const message = (text: string): string => diagnosed(text).findings.map((one) => one.message).join();
    assert.match(message(turned('k = turn(k, cos, sin)')), /the keys are turned and the queries are not\. .* counts 0\.00 at token 0, -?0\.84 at token 1/);
    assert.match(message(turned('q, k = turn(q, cos, sin), turn(k, cos, -sin)')), /otherwise than its key\. .*feature 0 of the query times feature 0 of the key counts 1\.00 at token 0, -0\.42 at token 1/);
    const pairs = (q: string, k: string): string => `import numpy as np
rng = np.random.default_rng(0)
X, Wq, Wk, Wv = rng.normal(size=(5, 4)), *rng.normal(size=(3, 4, 4))
def rope(x, pos):
    a, out = pos[:, None] * 10000 ** (-np.arange(0, 4, 2) / 4), np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * np.cos(a) - x[:, 1::2] * np.sin(a)
    out[:, 1::2] = x[:, 0::2] * np.sin(a) + x[:, 1::2] * np.cos(a)
    return out
pos = np.arange(5)
S = ${q} @ (${k}).T / 2
A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
O = A @ (X @ Wv)
`;
    isQuiet(pairs('rope(X @ Wq, pos)', 'rope(X @ Wk, pos)'));
    assert.match(message(pairs('rope(X @ Wq, pos)', 'X @ Wk')), /the queries are turned and the keys are not/);
    assert.match(message(pairs('rope(X @ Wq, pos)', 'rope(X @ Wk, 2 * pos)')), /otherwise than its key/);
    assert.match(message(pairs('rope(X @ Wq, pos + 1)', 'rope(X @ Wk, pos)')), /query 0 is turned as key 1 is; the key of its own token is key 0\. .* counts as 1, not 0/);
    assert.match(message(pairs('rope(X @ Wq, pos)', 'rope(rope(X @ Wk, pos), pos)')), /the keys are turned twice by the same angles\./);
  }); // prettier-ignore

  const cached = (lines: string): string => `import torch
from torch import nn
torch.manual_seed(0)
def rope(x, pos):
    a = pos[:, None] * 10000 ** (-torch.arange(0, 8, 2) / 8)
    b, c = x[..., ::2], x[..., 1::2]
    return torch.stack((b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()), -1).flatten(-2)
class Attention(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.keys = self.values = torch.zeros(1, 0, d)
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        n, m = x.shape[1], x.shape[1] + self.keys.shape[1]
        now = torch.arange(m - n, m)
        ${lines.replaceAll('\n', '\n        ')}
        self.values = torch.cat((self.values, v), 1)
        s = q @ keys.transpose(-2, -1) / 8 ** 0.5
        return s.masked_fill(~torch.ones(n, m).tril(m - n).bool(), float('-inf')).softmax(-1) @ self.values
m = Attention()
for n in (4, 2, 1):
    y = m(torch.randn(1, n, 8))
`; // prettier-ignore

  it('says nothing of tokens of two kinds, each of layers of its own, of keys in two places, of features that keys and values share, and of what is turned back or from one place', () => {
    const image = 'm = torch.randn(2, 3, 16)\nmq, mk, mv = ((m @ torch.randn(16, 16)).view(2, 3, 2, 8).transpose(1, 2) for _ in range(3))\nq, k, v = torch.cat((mq, q), 2), torch.cat((mk, k), 2), torch.cat((mv, v), 2)\nat = torch.tensor([0, 0, 0, 0, 1, 2, 3, 4])\ncos, sin = cos[at], sin[at]\n';
    const twice = `q, k = turn(q, cos, sin), torch.cat((turn(k, cos, -sin), turn(k, cos, sin)), 2)\nv = torch.cat((v, v), 2)`;
    const shared = 'v = torch.cat((k[..., :4], v[..., 4:]), -1)\nk = torch.cat((k[..., :4], turn(k[..., 4:], *angles(4, 5))), -1)\nq = torch.cat((q[..., :4], turn(q[..., 4:], *angles(4, 5))), -1)';
    // Turned back before they are turned by other angles; from one place all; cut off behind the sum.
    const again = `${turning}\nk = turn(turn(k, cos, -sin), cos.flip(0), sin.flip(0))\nq = turn(turn(q, cos, -sin), cos.flip(0), sin.flip(0))`;
    const place = 'q, k = turn(q, cos[4:], sin[4:]), turn(k, cos, sin)';
    for (const lines of [image + turning, twice, shared, again, place]) isQuiet(turned(lines));
    isQuiet(turned(`${shared}\nv = k`, '(p @ v)[..., :4]').replace('reshape(2, 5, 16)', 'flatten(2)').replace('q, k, v =', 'q, k, _ =').replace('v = torch.cat((k[..., :4], v[..., 4:]), -1)\n', ''));
  }); // prettier-ignore

  it('says nothing of steps that are cut of one text: row 0 of each is another token', () => {
    const join = 'keys = self.keys = torch.cat((self.keys, k), 1)\n';
    const steps = 'x = torch.randn(1, 7, 8)\nfor t, n in ((0, 4), (4, 1), (5, 1), (6, 1)):\n    y = m(x[:, t:t + n])';
    isQuiet(cached(`q, k = rope(q, now), rope(k, now)\n${join}`).replace(/for n in .*\n.*/, steps));
  });

  it('says of kept keys that they are turned again, and of queries that begin anew where keys do not; nothing of keys that are turned when read, or on', () => {
    const join = 'keys = self.keys = torch.cat((self.keys, k), 1)\n';
    isQuiet(cached(`q, k = rope(q, now), rope(k, now)\n${join}`));
    isQuiet(cached(`${join}q, keys = rope(q, now), rope(keys, torch.arange(m))`));
    isQuiet(cached(`self.keys = rope(self.keys, torch.full((m - n,), -n))\nq, k = rope(q, 8 - n + torch.arange(n)), rope(k, 8 - n + torch.arange(n))\n${join}`));
    assert.deepEqual(found(cached(`${join}q = rope(q, now)\nkeys = self.keys = rope(keys, torch.arange(m))`)).map((one) => one.split(' ')[0]), ['positions-sides']);
    assert.deepEqual(found(cached(`${join}q, keys = rope(q, torch.arange(n)), rope(keys, torch.arange(m))`)).map((one) => one.split(' ')[0]), ['positions-offset']);
  }); // prettier-ignore
});

describe('the code doctor on a bias by distance', () => {
  const slopes = 'torch.tensor([2 ** -2.0, 2 ** -4.0])[:, None, None]';
  const text = (bias: string, scores = 's + bias', mask = 'torch.ones(6, 6).triu(1).bool()', lines = ''): string => `import torch
torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 2, 6, 8)
i = torch.arange(6)
far = i[:, None] - i[None, :]
${lines}
s = q @ k.transpose(-2, -1) / 8 ** 0.5
bias = ${bias}
s = (${scores}).masked_fill(${mask}, float('-inf'))
out = torch.softmax(s, dim=-1) @ v
`; // prettier-ignore
  const [none, named] = ['torch.zeros(6, 6).bool()', ['bias-farther']];
  const rulesOf = (one: string): readonly string[] => found(one).map((at) => at.split(' ')[0] ?? '');

  it('says nothing of slopes with their minus sign, wherever it stands, of distances that are counted down, and of a number for each query or each key', () => {
    for (const bias of [`-${slopes} * far`, `${slopes} * -far`, `${slopes} * i`, `${slopes} * (5 - far)`, `-${slopes} * far.abs()`, `${slopes} * (far.min() - far)`, `-${slopes} * i`]) isQuiet(text(bias));
    isQuiet(text(`${slopes} * far`, 's - bias'));
    isQuiet(text(`${slopes} * far`, '-(bias - s)'));
    isQuiet(text(`-${slopes} * far.abs()`, 's + bias', none));
    isQuiet(text(`${slopes} * far`, '-(-s + bias)'));
    isQuiet(text(`${slopes} * far`, '(bias - s) * -1'));
  }); // prettier-ignore

  it('says nothing where one head looks far and one near, where training moves the slopes, and of no straight line', () => {
    isQuiet(text('torch.tensor([-0.5, 0.5])[:, None, None] * far'));
    isQuiet(text('slope[:, None, None] * far', 's + bias', undefined, 'slope = torch.nn.Parameter(torch.ones(2))'));
    for (const given of [
      'torch.nn.Parameter(\n    torch.ones(2)\n)',
      'torch.ones(2, requires_grad=True)',
      'torch.ones(2)\nslope.requires_grad_()',
      'torch.nn.Embedding.from_pretrained(torch.ones(1, 2), freeze=False)(torch.tensor([0]))[0]',
    ])
      isQuiet(text('slope[:, None, None] * far', 's + bias', undefined, `slope = ${given}`));
    // What is taken off again grows with no distance.
    isQuiet(text(`${slopes} * far`, 's + bias - 2 * bias'));
    isQuiet(text('torch.log1p(far.abs())'));
    isQuiet(text('torch.randn(2, 1, 1) * far'));
    // Without a mask what is after a query is nearer the more it is after: the last keys are favoured, as the code may mean.
    isQuiet(text(`${slopes} * -far`, 's + bias', none));
  });

  /* NumPy: 0.25 · 5 = 1.25. */
  it('names slopes that lack their minus sign, beside a mask or none', () => {
    for (const bias of [`${slopes} * far`, `${slopes} * far.abs()`, `${slopes} * far.clamp(min=0)`, `-${slopes} * -far`]) assert.deepEqual(rulesOf(text(bias)), named, bias);
    assert.deepEqual(rulesOf(text(`${slopes} * -far`, 's - bias')), named);
    assert.deepEqual(rulesOf(text(`${slopes} * far.abs()`, 's + bias', none)), named);
    assert.match(diagnosed(text(`${slopes} * far`)).findings[0]?.message ?? '', /query 5 adds 1\.25 to its score of key 0, 0\.00 to that of its own\./);
  }); // prettier-ignore
});

describe('the code doctor on the order of heads in the features', () => {
  const text = (cut: string, join: string): string => `import torch
from torch import nn
from einops import rearrange
torch.manual_seed(0)
class Attention(nn.Module):
    def __init__(self, dim=12, heads=3):
        super().__init__()
        self.h, self.qkv, self.out = heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
    def forward(self, x):
        B, N, C = x.shape
        ${cut}
        y = (q @ k.transpose(-2, -1) * (C // self.h) ** -0.5).softmax(-1) @ v
        return self.out(${join})
y = Attention()(torch.randn(2, 5, 12))
`; // prettier-ignore
  const cut = (by: string): string => `q, k, v = (rearrange(t, 'b n ${by} -> b h n d', h=self.h) for t in self.qkv(x).chunk(3, dim=-1))`; // prettier-ignore
  const join = (by: string): string => `rearrange(y, 'b h n d -> b n ${by}')`;

  it('says nothing where heads are joined as they were cut, whatever stands between the features of one', () => {
    isQuiet(text(cut('(h d)'), join('(h d)')));
    isQuiet(text(cut('(d h)'), join('(d h)')));
    isQuiet(text(cut('(h d)'), 'y.transpose(2, 3).reshape(B, C, N).transpose(1, 2)'));
    for (const by of ['(h d qkv)', '(qkv h d)', '(h qkv d)'])
      isQuiet(text(`q, k, v = rearrange(self.qkv(x), 'b n ${by} -> qkv b h n d', qkv=3, h=self.h)`, join('(h d)')));
    isQuiet(text(`q, k, v = self.qkv(x).view(B, N, C // self.h, self.h, 3).permute(4, 0, 3, 1, 2)`, 'y.permute(0, 2, 3, 1).flatten(2)'));
  }); // prettier-ignore

  it('says nothing where no features are cut, or where the rows of W_O were put in the order that takes them', () => {
    const features = 'y.permute(0, 2, 3, 1).reshape(B, N, C)';
    const w = 'self.out.weight.view(C, self.h, -1).transpose(1, 2).reshape(C, C)';
    isQuiet(text(cut('(h d)'), features).replace(`self.out(${features})`, `${features} @ ${w}.T`));
    isQuiet(text("q, k, v = torch.einsum('bnc,khcd->kbhnd', x, self.w)", features).replace('        self.h, ', '        self.w = nn.Parameter(torch.randn(3, 3, 12, 4))\n        self.h, '));
  }); // prettier-ignore

  it('says how heads are cut and how they are joined, and joins them by the other equation', () => {
    const [one] = diagnosed(text(cut('(h d)'), join('(d h)'))).findings;
    assert.match(one?.message ?? '', /^Heads are cut from the features one after the other and joined feature by feature: feature 0 of each of the 3 heads/);
    assert.deepEqual(one?.mend?.edits.map((edit) => edit.text), [join('(h d)')]);
    const [other, ...more] = diagnosed(text(cut('(d h)'), join('(h d)'))).findings;
    assert.deepEqual([other?.rule, more], ['heads-interleaved', []]);
    assert.match(other?.message ?? '', /^Heads are cut feature by feature, feature 0 to the first of 3 heads/);
    assert.deepEqual(found(text(cut('(h d)'), 'y.permute(0, 2, 3, 1).reshape(B, N, C)')), ['heads-interleaved y.permute(0, 2, 3, 1).reshape(B, N, C)']);
  }); // prettier-ignore
});

describe('the code doctor on scores of two kinds', () => {
  it('says nothing of a mask of 0 and 1 that chooses between them', () => {
    isQuiet(`import torch
torch.manual_seed(0)
a, b, k, v = torch.randn(4, 6, 8)
i = torch.arange(6)
near = ((i[:, None] - i).abs() < 3).float()
y = (((a @ k.T) * near + (b @ k.T) * (1 - near)) / 8 ** 0.5).softmax(-1) @ v
`);
  });
});

describe('the code doctor on a causal mask that hides nothing', () => {
  const tril = 'torch.tril(torch.ones(T, T))';
  const masked = `if causal:\n        scores = scores.masked_fill(${tril} == 0, float('-inf'))`;
  const text = (lines: string, call = 'causal=True', head = 'causal=True'): string => `import torch
torch.manual_seed(0)
def attention(q, k, v, ${head}):
    scores = q @ k.transpose(-2, -1) / 8 ** 0.5
    T = scores.shape[-1]
    ${lines}
    return scores.softmax(-1) @ v
q, k, v = torch.randn(3, 2, 5, 8)
out = attention(q, k, v${call ? `, ${call}` : ''})
`; // prettier-ignore
  const unused = ['mask-unused'];
  const rulesOf = (one: string): readonly string[] => found(one).map((at) => at.split(' ')[0] ?? '');

  it('says nothing where no causal mask is asked for, where one query sees all, and where a caller may give the mask', () => {
    const ones = masked.replace(tril, 'torch.ones(T, T)');
    isQuiet(text(masked));
    isQuiet(text(`mask = ${tril} if causal else torch.ones(T, T)\n    scores = scores.masked_fill(mask == 0, float('-inf'))`, 'causal=False'));
    isQuiet(text(`mask = ${tril}\n    if not causal:\n        mask = torch.ones(T, T)\n    scores = scores.masked_fill(mask == 0, float('-inf'))`, 'causal=False'));
    isQuiet(text(`causal_mask = None\n    if causal_mask is None:\n        causal_mask = torch.ones(T, T)\n    ${masked.replace('True', 'False')}\n    scores = scores.masked_fill(causal_mask == 0, -1e9)`, 'causal=False'));
    isQuiet(text(ones).replace('= attention(q,', '= attention(q[:, -1:],').replace('torch.ones(T, T)', 'torch.ones(1, T)'));
    isQuiet(text(masked.replace(tril, 'torch.tril(torch.ones(T, T), diagonal=16)')));
    for (const call of ['causal=False', 'False', 'causal=flag', '']) isQuiet(text('flag = False', call, call === '' ? 'causal=False' : 'causal=True').replace('\nq, k', '\nflag = False\nq, k'));
    isQuiet(text('if mask is not None:\n        scores = scores + mask', 'causal=True', 'causal=True, mask=None'));
  }); // prettier-ignore

  it('says nothing of a mask whose name or condition leaves open which one it is, that training moves, and beside another one', () => {
    const at = (lines: string, head = 'kind="full"', call = ''): void => { isQuiet(text(`${lines}\n    scores = scores.masked_fill(causal_mask == 0, -1e9)`, call, head)); };
    at(`causal_mask = torch.ones(T, T)\n    if kind == 'causal':\n        causal_mask = torch.tril(causal_mask)`);
    at(`if kind in ('causal', 'full'):\n        causal_mask = torch.ones(T, T)\n        if kind == 'causal': causal_mask = torch.tril(causal_mask)`);
    at(`noncausal_mask = torch.ones(T, T)\n    causal_mask = noncausal_mask`);
    isQuiet(text('scores = scores + causal_bias(T)', '', 'kind=0').replace('def attention', 'def causal_bias(n):\n    return torch.zeros(n, n)\ndef attention'));
    isQuiet(text('causal_bias = torch.nn.Parameter(torch.zeros(T, T))\n    scores = scores + causal_bias', '', 'kind=0'));
    isQuiet(text('scores = scores + torch.tril(torch.nn.Parameter(torch.zeros(T, T)))', '', 'kind=0'));
    isQuiet(text('scores = scores.masked_fill(~torch.ones(T, T, dtype=torch.bool), -1e9)'));
    isQuiet(text('if valid is not None:\n        scores = scores + valid', '', 'valid=None, causal=True'));
  }); // prettier-ignore

  /* PyTorch 1.13: query 0 gives key 0 the weight 0.0907 of five. */
  it('names a mask of ones under its condition or its name, a triangle of zeros, and a switch that nothing reads', () => {
    for (const lines of [masked.replace(tril, 'torch.ones(T, T)'), `causal_mask = torch.ones(T, T)\n    scores = scores.masked_fill(causal_mask == 0, float('-inf'))`, masked.replace(`${tril} == 0`, 'torch.triu(torch.zeros(T, T), diagonal=1) == 1'), 'if causal:\n        scores = scores + torch.zeros(T, T) * -1e9'])
      assert.deepEqual(rulesOf(text(lines)), unused, lines);
    for (const [call, head] of [['causal=True', 'causal=False'], ['', 'causal=True'], ['is_causal=True', 'is_causal: bool = False']])
      assert.deepEqual(found(text('', call, head)), ['mask-unused scores.softmax(-1)'], call);
    assert.match(diagnosed(text('')).findings[0]?.message ?? '', /^causal is True and nothing reads it: .* Query 0 gives key 0 the weight 0\.0907, in standard attention 1\.0000/);
  }); // prettier-ignore

  it('says nothing of a switch that a layer keeps: another file may read it, and give the mask', () => {
    isQuiet(`import torch
from torch import nn
class A(nn.Module):
    def __init__(self, d=8, causal=True):
        super().__init__()
        self.causal = causal
        self.qkv = nn.Linear(d, 3 * d)
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return (q @ k.transpose(-2, -1) / 8 ** 0.5).softmax(-1) @ v
`);
  });
});

describe('the code doctor on a loop that keeps keys in a list', () => {
  const loop = (before: string, after: string, x = 'X[t:t+1]'): string => `import torch
torch.manual_seed(0)
Wq, Wk, Wv = torch.randn(3, 8, 8)
X = torch.randn(6, 8)
ks, vs, out = [], [], []
for t in range(5):
    x = ${x}
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    ${before}
    w = torch.softmax(q @ torch.cat(ks).T / 8 ** 0.5, dim=-1)
    out.append(w @ torch.cat(vs))
    ${after}
`; // prettier-ignore
  const keep = 'ks.append(k); vs.append(v)';
  const late = 'if t > 0:\n        ks.append(k); vs.append(v)';
  const first = late.replace('>', '==');

  it('says that no query sees its own key where each is kept after its turn, and nothing of what is kept before or read from another', () => {
    isQuiet(loop(keep, ''));
    isQuiet(loop(keep, '', 'torch.cat([X[t:t+1]] + out[-1:])[-1:]'));
    assert.deepEqual(found(loop(first, late)), ['mask-hides-own q @ torch.cat(ks).T']);
    // A memory of what came before, empty or of something else at first.
    isQuiet(loop('if t == 0:\n        ks.append(X[5:] @ Wk); vs.append(X[5:] @ Wv)', keep));
    isQuiet(loop('if t == 0:\n        ks.append(torch.zeros(1, 8)); vs.append(torch.zeros(1, 8))', keep));
    isQuiet(loop(`if t == 0:\n        ${keep}\n        continue`, late));
  }); // prettier-ignore
});

describe('the code doctor on heads that are mixed', () => {
  it('says nothing of talking heads: they are no departure, but another kind of attention', () => {
    const text = readFileSync(join(__dirname, '../fixtures/programs/uncalled/talking_heads.py'), 'utf8');
    assert.deepEqual(found(text), []);
    // Without a layer between them both moves of axes do turn the scores.
    const turned = text.replace('self.before(scores.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)', 'scores.permute(0, 1, 3, 2)').replace('self.behind(scores.softmax(dim=-1))', 'scores.softmax(dim=-1)'); // prettier-ignore
    assert.deepEqual(found(turned), ['queries-keys-swapped scores.permute(0, 1, 3, 2)']);
  });
});

describe('the code doctor on texts that are read from the right', () => {
  const text = (head: string, mask: string, out = 'y', lines = ''): string => `import torch
torch.manual_seed(0)
${head}
q, k, v = torch.randn(3, 6, 8)
i = torch.arange(6)
s = q @ k.T / 8 ** 0.5
y = s.masked_fill(${mask}, float('-inf')).softmax(-1) @ v
${lines}
out = ${out}
`; // prettier-ignore
  const past = 'i[:, None] > i[None, :]';
  const rulesOf = (one: string): readonly string[] => found(one).map((at) => at.split(' ')[0] ?? '');

  it('says nothing of a mask that hides the past where the code says so, or where both directions are joined', () => {
    for (const head of ['# A right-to-left language model', '# the backward direction', 'reverse_mask = True', 'class BackwardLM: pass'])
      isQuiet(text(head, past));
    const forward = "x = s.masked_fill(i[:, None] < i[None, :], float('-inf')).softmax(-1) @ v";
    isQuiet(text('', past, 'torch.cat([x, y], -1)', forward));
    isQuiet(text('', past, 'x + y', forward));
    assert.deepEqual(rulesOf(text('', past, '(x - y).abs().max()', forward)), ['mask-inverted']);
  }); // prettier-ignore

  it('names one that hides the past without a word, and one by which the last query sees nothing', () => {
    for (const head of ['', '# the backward pass', 'def backward(self, grad): pass', 'w = torch.zeros(1, requires_grad=True); w.sum().backward()']) assert.deepEqual(rulesOf(text(head, past)), ['mask-inverted'], head);
    assert.deepEqual(rulesOf(text('# right-to-left', 'i[:, None] >= i[None, :]')), ['mask-inverted']);
  }); // prettier-ignore
});

describe('the code doctor on queries and keys of one projection', () => {
  const text = (k: string, mask: string): string => `import torch
import torch.nn.functional as F
torch.manual_seed(0)
x, w, wv = torch.randn(6, 8), torch.randn(8, 16), torch.randn(8, 8)
q, other = (x @ w).chunk(2, -1)
i = torch.arange(6)
s = q @ F.normalize(${k}, dim=-1).T / 8 ** 0.5
s = s.masked_fill(i[:, None] == i, -5e4).masked_fill(${mask}, float('-inf'))
y = s.softmax(-1) @ (x @ wv)
`; // prettier-ignore

  it('says nothing of keys that are the queries with length 1, and of a first query that sees its own for want of another', () => {
    isQuiet(text('q', 'i < 0'));
    isQuiet(text('q', 'i[:, None] < i'));
    assert.deepEqual(found(text('other', 'i < 0')).map((one) => one.split(' ')[0]), ['norm-one-side']);
  }); // prettier-ignore
});

describe('the code doctor on what stands for a scale', () => {
  const text = (s: string, lines = ''): string => `import torch
import torch.nn.functional as F
torch.manual_seed(0)
q, k, v = torch.randn(3, 6, 16)
${lines}
y = (${s}).softmax(-1) @ v
`; // prettier-ignore
  const rulesOf = (one: string): readonly string[] => found(one).map((at) => at.split(' ')[0] ?? '');

  it('takes a number before queries for one behind them: they were called not scaled, with a mend that scaled them twice', () => {
    isQuiet(text('q @ k.T', 'q = 16 ** -0.5 * q'));
    isQuiet(text('q @ k.T', 'q, k = 0.5 * q, 0.5 * k'));
    // A number that is √d_k by chance, as a Hopfield network's β may be.
    for (const by of ['3', '4']) assert.deepEqual(rulesOf(text(`${by} * q @ k.T`)), ['scale-other']);
    assert.deepEqual(rulesOf(text('q @ k.T')), ['scale-none']);
  });

  it('says nothing of means of scaled queries, of cosines by a temperature, and of scores that tanh caps', () => {
    isQuiet(text('q @ k.reshape(3, 2, 16).mean(1).T', 'q, k, v = q / 2, k / 2, v[:3]'));
    const unit = 'q, k = F.normalize(q, dim=-1), k / k.norm(dim=-1, keepdim=True)';
    for (const by of ['4', '16 ** 0.5', '10']) isQuiet(text(`q @ k.T * ${by}`, unit));
    assert.deepEqual(rulesOf(text('q @ k.T * 16 ** 0.5')), ['scale-inverse']);
    isQuiet(text('50 * torch.tanh(q @ k.T / 4 / 50)'));
    assert.deepEqual(rulesOf(text('500 * torch.tanh(q @ k.T / 500)')), ['scale-none']);
  });

  it('says nothing of a width that is no head’s: features of a kernel, a query by the keys’ weight', () => {
    const twice = (of: string): string => `torch.cat([torch.relu(${of}) * a.sin(), torch.relu(${of}) * a.cos()], -1)`;
    const features = (of: string): string => `torch.cat([(${of} @ w).sin(), (${of} @ w).cos()], -1)`;
    isQuiet(text(`${features('q')} @ ${features('k')}.T / 6.4`, 'w = torch.randn(16, 64)'));
    isQuiet(text('a @ b.T / 4', `a = torch.arange(6)[:, None] / 4\nr, s = torch.relu(q), torch.relu(k)\na, b = ${twice('q').replaceAll('torch.relu(q)', 'r')}, ${twice('k').replaceAll('torch.relu(k)', 's')}`));
    isQuiet(text('q @ wq @ wk.T @ k.T / 2', 'wq, wk = torch.randn(2, 16, 4)'));
    const summed = (lines: string): string => `import torch\ntorch.manual_seed(0)\nq, k, v = torch.randn(3, 6, 8).softmax(-1)\n${lines}\ns = q @ k.T\ny = (s / s.sum(-1, keepdim=True)) @ v\n`;
    assert.deepEqual(found(summed('q, k = torch.cat([q.exp(), (-q).exp()], -1) / 4, torch.cat([k.exp(), (-k).exp()], -1) / 4')), []);
  }); // prettier-ignore
});

describe('the code doctor on names that say how many', () => {
  const rulesOf = (one: string): readonly string[] => found(one).map((at) => at.split(' ')[0] ?? '');
  const masked = (hidden: string, lines: string, n = 8): string => `import torch
torch.manual_seed(0)
q, k, v = torch.randn(3, 2, ${n}, 8)
i = torch.arange(${n})
dist = i[:, None] - i
ones = torch.ones(${n}, ${n})
${lines}
y = (q @ k.transpose(1, 2) / 8 ** 0.5).masked_fill(${hidden}, float('-inf')).softmax(-1) @ v
`; // prettier-ignore

  it('says of a window that it shows one key less than its name says, and nothing of one more, of other widths and other names', () => {
    const bands = (w: string): readonly string[] => [`(dist < 0) | (dist >= ${w})`, `(dist < 0) | (dist > ${w} - 1)`, `(i > i[:, None]) | (i <= i[:, None] - ${w})`, `(i > i[:, None]) | (i < i[:, None] - ${w} + 1)`, `ones.tril() * ones.triu(-${w} + 1) == 0`, `ones.tril() * ones.triu(-(${w} - 1)) == 0`, `torch.triu(ones, diagonal=1 - ${w}).tril() == 0`, `ones.triu(1) + ones.tril(-${w}) == 1`];
    for (const one of bands('window')) isQuiet(masked(one, 'window = 4'));
    for (const one of bands('w')) isQuiet(masked(one, 'window = 3; w = 4'));
    for (const one of ['dist.abs() > window', '(dist < 0) | (dist > window // 2)', '(dist < 0) | (dist >= 2 * window)']) isQuiet(masked(one, 'window = 3'));
    isQuiet(masked('(dist < 0) | (dist > window_left)', 'window_left = 3'));
    // As Mistral's own code, FlexAttention's examples and FlashAttention's window_size have it.
    for (const one of ['(dist < 0) | (dist > window_size)', 'ones.tril() * ones.triu(-window_size) == 0', '(i > i[:, None]) | (i < i[:, None] - window_size)', '~((dist >= 0) & (dist <= window_size))']) isQuiet(masked(one, 'window_size = 4'));
    isQuiet(masked('(dist < 0) | (dist >= past_window - 1)', 'past_window = 4'));
    isQuiet(`# n-grams of window words, the last of which is not seen\n${masked('(dist < 0) | (dist >= window - 1)', 'window = 4')}`);
    const wrong = [`(dist < 0) | (dist >= window_size - 1)`, `ones.triu(1) + ones.tril(-(window_size - 1)) == 1`];
    for (const one of wrong) assert.deepEqual(rulesOf(masked(one, 'window_size = 4')), ['mask-window'], one);
    assert.equal(diagnosed(masked(wrong[0] ?? '', 'window_size = 4')).findings[0]?.message, 'Each query sees 3 keys, its own and 2 before it; window_size is 4.');
  }); // prettier-ignore

  it('says of lengths that one key of padding is shown, where the longest input has none', () => {
    const hidden = (keep: string): string => `~(${keep})[:, None]`;
    const lengths = (of: string): string => `lengths = torch.tensor([${of}])`;
    for (const keep of ['i < lengths[:, None]', 'lengths[:, None] > i', 'i <= lengths[:, None] - 1', 'i + 1 <= lengths[:, None]']) isQuiet(masked(hidden(keep), lengths('8, 3')));
    // A first token that is not counted.
    isQuiet(masked(hidden('i <= lengths[:, None]'), lengths('7, 3')));
    isQuiet(masked('(i > valid_len[:, None])[:, None]', 'valid_len = torch.tensor([5, 3])'));
    isQuiet(masked(hidden('i <= lengths[:, None]'), 'lengths = torch.tensor([12, 3]).clamp(max=8)'));
    // Padding on the left, by places from the end; keys that are left out.
    isQuiet(masked(hidden('8 - i <= lengths[:, None]'), lengths('8, 3')));
    for (const name of ['context_len', 'length', 'text_len']) isQuiet(masked(`(i < ${name}[:, None])[:, None]`, `${name} = torch.tensor([2, 3])`));
    assert.deepEqual(rulesOf(masked('(i < lengths[:, None])[:, None]', lengths('8, 3'))), ['mask-padding']);
    isQuiet(masked(hidden('i < lengths[:, None] - 1'), lengths('8, 3')));
    const [one] = diagnosed(masked(hidden('i <= lengths[:, None]'), lengths('8, 3'))).findings;
    assert.match(one?.message ?? '', /^The mask shows 4 keys of input 1, for which lengths says 3: the last of them is padding\./);
    assert.deepEqual(rulesOf(masked('(i > valid_len[:, None])[:, None]', 'valid_len = torch.tensor([8, 3])')), ['mask-padding']);
  }); // prettier-ignore

  it('takes a number for each key for a distance where it is called ALiBi, beside a causal mask', () => {
    const bias = (of: string, name: string): string => masked('ones.triu(1) == 1', `slopes = torch.tensor([0.5, 0.25])[:, None, None]\n${name} = ${of}`).replace('(q @ k.transpose(1, 2) / 8 ** 0.5)', `(q @ k.transpose(1, 2) / 8 ** 0.5 + ${name})`);
    isQuiet(bias('slopes * i', 'alibi'));
    isQuiet(bias('-slopes * i', 'prior'));
    isQuiet(`# Not ALiBi.\n${bias('-slopes * i', 'prior')}`);
    assert.deepEqual(rulesOf(bias('-slopes * i', 'alibi')), ['bias-farther']);
  }); // prettier-ignore
});

describe('the code doctor on what a call is given', () => {
  const rulesOf = (one: string): readonly string[] => found(one).map((at) => at.split(' ')[0] ?? '');
  const layer = (lines: string, call: string, head = 'mask=None', before = ''): string => `import torch
from torch import nn
torch.manual_seed(0)
class Attention(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
    def forward(self, x, ${head}):
        q, k, v = self.qkv(x).chunk(3, -1)
        s = q @ k.transpose(-2, -1) / 4
        ${lines}
        return s.softmax(-1) @ v
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()
    def forward(self, x, mask=None):
        return x + self.attention(x, mask)
${before}
y = ${call}
`; // prettier-ignore
  const tril = 'torch.tril(torch.ones(5, 5))';
  const x = 'torch.randn(1, 5, 16)';

  it('names a causal mask that nothing reads, also behind a call that passes it on', () => {
    assert.deepEqual(rulesOf(layer('', `Attention()(${x}, ${tril})`)), ['mask-unused']);
    assert.deepEqual(rulesOf(layer('', `Block()(${x}, mask=${tril})`)), ['mask-unused']);
    assert.deepEqual(rulesOf(layer('', `Block()(${x}, m)`, 'mask=None', `m = ${tril}`)), ['mask-unused']);
  });

  it('says nothing where it is read, where none is given or another one, and where another mask is read', () => {
    const read = "s = s if mask is None else s.masked_fill(mask == 0, float('-inf'))";
    for (const call of ['Attention', 'Block']) {
      isQuiet(layer(read, `${call}()(${x}, ${tril})`));
      for (const given of ['', ', None', ', mask=None', ', torch.ones(5, 5)', ', m']) isQuiet(layer('', `${call}()(${x}${given})`, 'mask=None', `m = ${tril} if False else None`));
    }
    isQuiet(layer(read, `Attention()(${x}, None, ${tril})`, 'mask, tgt_mask'));
    isQuiet(layer('s = masked(s, locals())', `Attention()(${x}, ${tril})`, 'mask', 'def masked(s, given): return s'));
    isQuiet(layer('', `Block()(${x}, m)`, 'mask=None', `m = ${tril}\nm = torch.ones(5, 5)`));
    // What hides no key, or is called unused.
    for (const given of ['torch.ones(5, 5).triu(-9)', `${tril} + torch.ones(5, 5).triu(1)`, `${tril}[2]`, `${tril}[-1]`]) isQuiet(layer('', `Block()(${x}, mask=${given})`));
    isQuiet(layer('', `Attention()(${x}, ${tril})`, '_mask'));
    isQuiet(layer('# The mask is for the signature alone.', `Attention()(${x}, ${tril})`));
    isQuiet(layer('a = torch.arange(5)[:, None]\n        s = (q * a.cos()) @ (k * a.cos()).transpose(-2, -1) / 4', `Attention()(${x}, ${tril})`));
    // Latents stand in no order.
    isQuiet(layer('s = torch.randn(5, 16) @ k.transpose(-2, -1) / 4', `Attention()(${x}, ${tril})`));
  }); // prettier-ignore

  it('says nothing where functions of one signature are called alike, of which another takes a mask', () => {
    const two = (call: string): string => `import torch
torch.manual_seed(0)
def full(x, mask):
    return (x @ x.T / 4).softmax(-1) @ x
def causal(x, mask):
    return (x @ x.T / 4).masked_fill(mask == 0, float('-inf')).softmax(-1) @ x
mask = torch.tril(torch.ones(5, 5))
${call}
`; // prettier-ignore
    isQuiet(two('for of, x in ((full, torch.randn(5, 16)), (causal, torch.randn(5, 16))): print(of(x, mask))'));
    isQuiet(two('for of in (full, causal):\n    print(of(torch.randn(5, 16), mask))'));
  });

  const positions = (rows: string, call: string, head = '# (batch, tokens, width)'): string => `${head}
import torch
from torch import nn
torch.manual_seed(0)
a = torch.arange(50)[:, None] * 10000 ** (-torch.arange(0, 16, 2) / 16)
pe = torch.stack([a.sin(), a.cos()], -1).flatten(1)
wq, wk, wv = torch.randn(3, 16, 16) / 4
def attend(x): return ((x @ wq) @ (x @ wk).transpose(-2, -1) / 4).softmax(-1) @ (x @ wv)
def add(x): return x + ${rows}
y = ${call}
`; // prettier-ignore

  it('names rows of positions that are added input by input, and not those of tokens, of frames, and of tokens that stand first', () => {
    const [first, inputs] = ['pe[:x.size(1)]', 'pe[:x.size(0), None]'];
    isQuiet(positions(first, 'attend(add(torch.randn(2, 5, 16)))'));
    isQuiet(positions(inputs, 'attend(add(torch.randn(5, 2, 16)).transpose(0, 1))'));
    isQuiet(positions(inputs, 'attend(add(torch.randn(5, 5, 16)))'));
    isQuiet(
      positions(inputs.replace('pe[', 'frame_pe['), 'attend(add(torch.randn(2, 5, 16)))').replace(
        'pe = ',
        'frame_pe = ',
      ),
    );
    isQuiet(positions('pe[torch.tensor([3, 9])][:, None]', 'attend(add(torch.randn(2, 5, 16)))'));
    // Rows of an image, and segments, have positions too.
    for (const head of ['', '# (rows, columns, width); B, T, C', '# each segment has its number'])
      isQuiet(positions(inputs, 'attend(add(torch.randn(2, 5, 16)))', head));
    assert.deepEqual(rulesOf(positions(inputs, 'attend(add(torch.randn(2, 5, 16)))')), ['positions-axis']);
  });

  const heads = (y: string, head = '# 2 heads'): string => `${head}
import torch
torch.manual_seed(0)
qkv = torch.nn.Linear(16, 48)
q, k, v = qkv(torch.randn(2, 5, 16)).view(2, 5, 3, 2, 8).unbind(2)
y = ${y}
`; // prettier-ignore

  it('names heads of one token that attend to each other where one layer makes all three parts', () => {
    const fused = 'torch.nn.functional.scaled_dot_product_attention';
    assert.deepEqual(rulesOf(heads(`${fused}(q, k, v).reshape(2, 5, 16)`)), ['heads-split']);
    // Slots of each step attend to each other.
    isQuiet(heads(`${fused}(q, k, v)`, '# 2 slots'));
    isQuiet(
      heads(`${fused}(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2).reshape(2, 5, 16)`),
    );
    isQuiet(
      heads(
        "torch.einsum('bhij,bjhd->bihd', (torch.einsum('bihd,bjhd->bhij', q, k) / 8 ** 0.5).softmax(-1), v).flatten(2)",
      ),
    );
  });

  const kept = (keys: string, mask = '', steps = 5): string => `import torch
torch.manual_seed(0)
wq, wk, wv = torch.randn(3, 8, 8)
cache_k, cache_v = torch.zeros(2, 8, 8)
for t in range(${steps}):
    x = torch.randn(1, 8)
    cache_k[t], cache_v[t] = (x @ wk)[0], (x @ wv)[0]
    s = x @ wq @ cache_k${keys}.T / 8 ** 0.5${mask}
    y = s.softmax(-1) @ cache_v${keys}
`; // prettier-ignore

  it('names a mask of shifted windows that hides a window’s own region', () => {
    const swin = (fills: string): string =>
      `import torch
import torch.nn as nn
torch.manual_seed(0)
def window_partition(x, ws):
    B, H, W, C = x.shape
    x = x.view(B, H // ws, ws, W // ws, ws, C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, ws, ws, C)
class WindowAttention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
    def forward(self, x, mask=None):
        B_, N, C = x.shape
        qkv = self.qkv(x).reshape(B_, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        q = q * self.scale
        attn = q @ k.transpose(-2, -1)
        if mask is not None:
            nW = mask.shape[0]
            attn = attn.view(B_ // nW, nW, self.num_heads, N, N) + mask.unsqueeze(1).unsqueeze(0)
            attn = attn.view(-1, self.num_heads, N, N)
        attn = attn.softmax(dim=-1)
        x = (attn @ v).transpose(1, 2).reshape(B_, N, C)
        return self.proj(x)
H = W = 4; ws, ss = 2, 1
img = torch.zeros(1, H, W, 1); cnt = 0
for h in (slice(0, -ws), slice(-ws, -ss), slice(-ss, None)):
    for w in (slice(0, -ws), slice(-ws, -ss), slice(-ss, None)):
        img[:, h, w, :] = cnt; cnt += 1
mw = window_partition(img, ws).view(-1, ws * ws)
attn_mask = mw.unsqueeze(1) - mw.unsqueeze(2)
attn_mask = attn_mask.${fills}
x = torch.roll(torch.randn(1, H, W, 8), (-ss, -ss), (1, 2))
out = WindowAttention(8, 2)(window_partition(x, ws).view(-1, ws * ws, 8), attn_mask)
`;
    const wrong = swin('masked_fill(attn_mask == 0, float(-100.0)).masked_fill(attn_mask != 0, float(0.0))');
    assert.deepEqual(rulesOf(wrong), ['mask-inverted']);
    assert.match(diagnosed(wrong).findings[0]?.message ?? '', /^The mask hides the keys of a query’s own region/);
    isQuiet(swin('masked_fill(attn_mask != 0, float(-100.0)).masked_fill(attn_mask == 0, float(0.0))'));
    // Two kinds of tokens that see each other alone, in every input.
    isQuiet(`import torch
torch.manual_seed(0)
kind = torch.tensor([[0, 0, 1, 1], [0, 1, 1, 0]])
mask = torch.where(kind[:, :, None] == kind[:, None, :], -100.0, 0.0)
q, k, v = torch.randn(3, 2, 4, 8)
out = (q @ k.transpose(1, 2) / 8 ** 0.5 + mask).softmax(-1) @ v
`);
  });

  it('names a triangle that begins at key 0 beside a cache also where keys of padding are hidden with it', () => {
    const step = (triangle: string, pad = '[[1, 1, 1, 1, 1], [0, 1, 1, 1, 1]]'): string =>
      `import torch
torch.manual_seed(0)
W_q, W_k, W_v = (torch.randn(8, 8) for _ in range(3))
prompt, step = torch.randn(2, 3, 8), torch.randn(2, 2, 8)
pad = torch.tensor(${pad}).bool()
q = step @ W_q
k = torch.cat([prompt @ W_k, step @ W_k], dim=1)
v = torch.cat([prompt @ W_v, step @ W_v], dim=1)
T, S = q.size(1), k.size(1)
mask = torch.ones(T, S).${triangle}.bool() & pad[:, None, :]
s = q @ k.transpose(1, 2) / 8 ** 0.5
w = s.masked_fill(~mask, -1e9).softmax(-1)
out = w @ v
`;
    assert.deepEqual(rulesOf(step('tril()')), ['mask-cache']);
    const [found] = diagnosed(step('tril()')).findings;
    assert.match(found?.message ?? '', /^The mask begins at the first key, but 3 keys .* no query sees its own key/);
    assert.deepEqual(found?.mend?.edits.map(({ text }) => text), ['torch.ones(T, S).tril(S - T)']); // prettier-ignore
    isQuiet(step('tril(S - T)'));
    isQuiet(step('tril(S - T)', '[[0, 0, 1, 1, 1], [0, 0, 0, 1, 1]]'));
  });

  /* PyTorch 1.13: the weights of keys 5, 6 and 7 sum to 0.3208. */
  it('names zeros of a cache that are attended to before a token is written there', () => {
    isQuiet(kept('[:t + 1]'));
    isQuiet(kept('', "\n    s = s.masked_fill(torch.arange(8) > t, float('-inf'))"));
    isQuiet(kept('', '', 8));
    // Key 0 is zeros on purpose, and the last one, as add_zero_attn has it.
    isQuiet(kept('[:t + 2]').replace('cache_k[t], cache_v[t]', 'cache_k[t + 1], cache_v[t + 1]'));
    for (const head of ['add_zero_attn', 'a memory with empty slots']) isQuiet(`# ${head}\n${kept('[:t + 2]')}`);
    // Weights of what was not written are taken away, and the rest divided again.
    isQuiet(
      kept('').replace(
        'y = s.softmax(-1)',
        'w = s.softmax(-1) * (torch.arange(8) <= t)\n    y = w / w.sum(-1, keepdim=True)',
      ),
    );
    assert.deepEqual(rulesOf(kept('')), ['mask-cache']);
    assert.deepEqual(rulesOf(kept('[:t + 2]')), ['mask-cache']);
    assert.match(
      diagnosed(kept('')).findings[0]?.message ?? '',
      /^3 of the 8 keys, from key 5 on, are zeros .* query 0 gives them the weight /,
    );
  });
});

describe('the code doctor on the positions of kept keys', () => {
  const cached = (calls: string, kept = 'self.cache = k, v'): string => `import torch
from torch import nn
torch.manual_seed(0)
def precompute(dim, end):
    angles = torch.outer(torch.arange(end), 10000.0 ** (-torch.arange(0, dim, 2) / dim))
    return torch.polar(torch.ones_like(angles), angles)
def turned(x, factors):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * factors).flatten(-2)
class Attention(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.cache = None
    def forward(self, x, factors):
        q, k, v = turned(self.q(x), factors), turned(self.k(x), factors), self.v(x)
        if self.cache is not None:
            k, v = torch.cat((self.cache[0], k), 1), torch.cat((self.cache[1], v), 1)
        ${kept}
        n, m = q.shape[1], k.shape[1]
        s = q @ k.transpose(-2, -1) / 8 ** 0.5
        return s.masked_fill(torch.ones(n, m).triu(m - n + 1).bool(), float('-inf')).softmax(-1) @ v
m, f, x = Attention(), precompute(8, 32), torch.randn(1, 9, 8)
${calls}
`; // prettier-ignore
  const said = (one: string): readonly string[] => diagnosed(one).findings.map(({ rule, message }) => `${rule}: ${message}`); // prettier-ignore
  const prompt = 'y = m(x[:, :4], f[:4])\n';

  it('says nothing of positions that go on, by whatever step, and of keys that are no longer kept', () => {
    isQuiet(cached(`${prompt}for t in range(4, 8): y = m(x[:, t:t + 1], f[t:t + 1])`));
    isQuiet(cached('for t in range(6): y = m(x[:, t:t + 1], f[2 * t:2 * t + 1])'));
    isQuiet(cached('y = m(x[:, :3], f[:3])\ny = m(x[:, 3:6], f[3:6])\ny = m(x[:, 6:9], f[6:9])'));
    // Of a text without its fifth token.
    isQuiet(cached(`${prompt}for t in range(5, 9): y = m(x[:, t:t + 1], f[t:t + 1])`));
    const steps = 'for t in range(7): y = m(x[:, t:t + 1], f[t:t + 1])';
    isQuiet(cached(steps, 'self.cache = k[:, -4:], v[:, -4:]'));
    isQuiet(cached(steps, 'self.cache = [torch.cat((one[:, :2], one[:, 3:]), 1) if one.shape[1] > 4 else one for one in (k, v)]'));
    isQuiet(cached(`${prompt}for t in range(4, 8): y = m(x[:, t:t + 1], f[t:t + 1])`, 'self.cache = (k[:, :3], v[:, :3]) if len(k[0]) == 4 else (k, v)'));
  }); // prettier-ignore

  it('says where a position is left out or stands twice between two calls, and that all calls have one', () => {
    const words = 'positions-offset: Rotary positions: ';
    assert.deepEqual(said(cached(`${prompt}for t in range(4, 8): y = m(x[:, t:t + 1], f[t + 1:t + 2])`)), [`${words}between keys 3 and 4, of two calls, a position is left out; from all others to the next it grows evenly.`]);
    assert.deepEqual(said(cached(`${prompt}for t in range(4, 8): y = m(x[:, t:t + 1], f[t - 1:t])`)), [`${words}keys 3 and 4, of two calls, have one position; from all others to the next it grows evenly.`]);
    assert.deepEqual(said(cached('for t in range(5): y = m(x[:, t:t + 1], f[:1])')), [`${words}the keys of all 5 calls are turned by the same angles, so that the scores do not show their order.`]);
  }); // prettier-ignore

  it('says nothing of positions that are shared or left out on purpose, or beside others', () => {
    const at = (places: string, of = 'torch.randn(1, 1, 8)'): string => `for t, p in enumerate([${places}]): y = m(${of}, f[p:p + 1])`;
    const next = 'x[:, t:t + 1]';
    for (const places of ['0, 0, 1, 2, 3, 4', '0, 1, 2, 3, 3, 4, 5', '0, 1, 2, 4, 5, 6']) isQuiet(cached(at(places)));
    isQuiet(cached(`# a patch of an image at a time\n${at('0, 1, 2, 3, 3, 4, 5', next)}`));
    isQuiet(cached(`# padding has position 0\n${at('0, 0, 1, 2, 3, 4', next)}`));
    isQuiet(cached(`# passages\n${at('0, 0, 0, 0')}`));
    isQuiet(cached('y = m(torch.randn(1, 3, 8), f[:3])\ny = m(torch.randn(1, 5, 8), f[4:9])'));
    isQuiet(cached('y = m(x[:, :4], f[:4])\ny = m(x[:, 4:8], f[5:9])'));
    isQuiet(cached(`x = x + torch.randn(9, 8)\n${at('0, 0, 0, 0, 0', next)}`));
    assert.equal(said(cached(at('0, 0, 0, 0, 0', next))).length, 1);
    assert.equal(said(cached(at('0, 0, 1, 2, 3, 4', next))).length, 1);
  }); // prettier-ignore

  it('names complex factors that grow with the head', () => {
    const text = cached("y = m(x, f[:9])").replace('return torch.view_as_real', 'factors = factors[: x.shape[2]]\n    return torch.view_as_real').replace('turned(self.q(x), factors), turned(self.k(x), factors), self.v(x)', '(one(x).view(1, 9, 2, 4) for one in (self.q, self.k, self.v))\n        q, k, v = turned(q, factors).transpose(1, 2), turned(k, factors).transpose(1, 2), v.transpose(1, 2)').replace('n, m = q.shape[1], k.shape[1]', 'n, m = q.shape[2], k.shape[2]').replace('precompute(8', 'precompute(4'); // prettier-ignore
    assert.deepEqual(
      found(text.replaceAll('8 ** 0.5', '2')).map((one) => one.split(' ')[0]),
      ['positions-axis'],
    );
  });
});

it('the code doctor says nothing of one query whose scores are a column, one row for each key', () => {
  const text = (sum: string): string => `import torch, torch.nn as nn
torch.manual_seed(0)
encoder, cell = nn.GRU(8, 8, batch_first=True), nn.GRUCell(8, 8)
memory, h = encoder(torch.randn(2, 5, 8))
h = cell(torch.randn(2, 8), h[0])
general = nn.Linear(8, 8, bias=False)
seen = torch.arange(5).expand(2, 5) < torch.tensor([5, 2]).unsqueeze(1)
scores = torch.bmm(general(memory), h.unsqueeze(2)).squeeze(2)
scores[~seen] = -1e10
weights = scores.softmax(dim=1)
context = ${sum}
`;
  for (const sum of ['(weights.unsqueeze(2) * memory).sum(dim=1)', 'torch.bmm(weights.unsqueeze(1), memory)'])
    assert.deepEqual(diagnosed(text(sum)).findings, []);
});
