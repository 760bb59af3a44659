// What a trial with forty programs of other hands showed: false words about right code, and mistakes that nothing was said of.
import assert from 'node:assert/strict';
import { diagnosingText, type Diagnosis } from '../../engine/program/doctor/diagnose';
import { finish } from '../../engine/text';

const diagnosed = (text: string): Diagnosis => finish(diagnosingText(text));
const found = (text: string): readonly string[] =>
  diagnosed(text).findings.map(({ rule, range }) => `${rule} ${text.slice(range.start, range.end)}`);

/** One layer that keeps its keys, called with a prompt of four tokens and then with one at a time. */
const cached = (positions: string, turned = 'k'): string => `import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self, d=16, n=32):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.pos = nn.Embedding(n, d)
        a = torch.outer(torch.arange(n).float(), 1 / 100 ** (torch.arange(0, d, 2) / d))
        a = torch.cat([a, a], -1)
        self.register_buffer('cos', a.cos())
        self.register_buffer('sin', a.sin())
    def turn(self, x, cos, sin):
        a, b = x.chunk(2, -1)
        return x * cos + torch.cat([-b, a], -1) * sin
    def forward(self, x, past=None):
        B, T, D = x.shape
        P = 0 if past is None else past[0].shape[1]
        ${positions.split('\n')[0]}
        q, k, v = self.qkv(x).chunk(3, -1)
        ${positions.split('\n')[1] ?? 'pass'}
        if past is not None:
            k = torch.cat((past[0], ${turned}), 1)
            v = torch.cat((past[1], v), 1)
        s = q @ k.transpose(-2, -1) / D ** 0.5
        hidden = torch.ones(T, P + T, dtype=torch.bool).triu(P + 1)
        return s.masked_fill(hidden, float('-inf')).softmax(-1) @ v, (k, v)
m = A()
y, past = m(torch.randn(2, 4, 16))
for _ in range(2):
    y, past = m(torch.randn(2, 1, 16), past)
`; // prettier-ignore

describe('the code doctor on positions beside keys of earlier calls', () => {
  const turns = 'q, k = self.turn(q, cos, sin), self.turn(k, cos, sin)';
  it('names positions that begin anew in each call: rows of a table, an embedding, angles', () => {
    const of = (positions: string): readonly string[] => found(cached(positions));
    assert.deepEqual(of('x = x + self.pos(torch.arange(T))'), ['positions-cache torch.arange(T)']);
    assert.deepEqual(of('x = x + self.pos.weight[:T]'), ['positions-cache self.pos.weight[:T]']);
    assert.deepEqual(of(`cos, sin = self.cos[:T], self.sin[:T]\n${turns}`), ['positions-cache self.cos[:T]']);
    const { message, severity } = diagnosed(cached('x = x + self.pos.weight[:T]')).findings[0] ?? {};
    assert.equal(severity, 'warning');
    assert.match(message ?? '', /beside 5 keys of earlier calls: the first token of this call has the position of key 0\.$/);
  }); // prettier-ignore

  it('says nothing where positions go on, however that is written', () => {
    for (const right of [
      'x = x + self.pos(torch.arange(P, P + T))',
      'x = x + self.pos(torch.arange(T) + P)',
      'x = x + self.pos(torch.arange(T).unsqueeze(0).expand(B, T) + P)',
      'x = x + self.pos(torch.arange(P + T)[-T:])',
      'x = x + self.pos.weight[P:P + T]',
      'x = x + self.pos(torch.full((B, 1), P) + torch.arange(T))',
      `cos, sin = self.cos[P:P + T], self.sin[P:P + T]\n${turns}`,
      `i = torch.arange(T)[None] + P; cos, sin = self.cos[i], self.sin[i]\n${turns}`,
      'pass',
    ]) {
      const { findings, computed } = diagnosed(cached(right));
      assert.deepEqual(findings, [], right);
      assert.equal(computed, 2, right);
    }
  });
});

describe('the code doctor on right programs of other hands', () => {
  it('takes no heads that come before the tokens for inputs: kept keys of grouped heads without a batch', () => {
    const right = `import torch
class Kept:
    def __init__(self): self.k = self.v = None
    def add(self, k, v):
        self.k = k if self.k is None else torch.cat((self.k, k), -2)
        self.v = v if self.v is None else torch.cat((self.v, v), -2)
        return self.k, self.v
def attend(x, w, kept, *, heads, shared):
    T, D = x.shape
    d = D // heads
    q = (x @ w['q']).view(T, heads, d).transpose(0, 1)
    k = (x @ w['k']).view(T, shared, d).transpose(0, 1)
    v = (x @ w['v']).view(T, shared, d).transpose(0, 1)
    k, v = kept.add(k, v)
    k, v = (one.repeat_interleave(heads // shared, dim=0) for one in (k, v))
    s = q @ k.transpose(-2, -1) / d ** 0.5
    return (torch.softmax(s, -1) @ v).transpose(0, 1).reshape(T, D)
w = {'q': torch.randn(16, 16), 'k': torch.randn(16, 8), 'v': torch.randn(16, 8)}
kept = Kept()
attend(torch.randn(4, 16), w, kept, heads=4, shared=2)
attend(torch.randn(1, 16), w, kept, heads=4, shared=2)
`;
    const { findings, computed } = diagnosed(right);
    assert.deepEqual([findings, computed], [[], 2]);
  });

  it('takes a factor for each head for a scale', () => {
    const text = (by: string): string => `import torch
q, k, v = torch.randn(3, 2, 4, 6, 8)
s = q @ k.transpose(-2, -1)${by}
print(torch.softmax(s, -1) @ v)
`; // prettier-ignore
    assert.deepEqual(found(text(' * torch.full((4, 1, 1), 9.0)')), []);
    // One for each input, as a mask of padding has it, is none.
    assert.deepEqual(found(text(' * torch.ones(2, 1, 1, 1)')), ['scale-none q @ k.transpose(-2, -1)']);
    assert.deepEqual(found(text('')), ['scale-none q @ k.transpose(-2, -1)']);
  });

  it('names keys that are made of the queries beside keys that nothing takes', () => {
    const text = (given: string): string => `import torch
norm = torch.nn.LayerNorm(8)
q, k, v = torch.nn.Linear(8, 24)(torch.randn(2, 5, 8)).chunk(3, -1)
q = norm(q)
k = norm(${given})
print(torch.softmax(q @ k.transpose(-2, -1) / 8 ** 0.5, -1) @ v)
`; // prettier-ignore
    assert.deepEqual(diagnosed(text('q')).findings.map(({ rule, message }) => [rule, message]), [['part-unused', 'k is computed and not used: q stands in its place.']]); // prettier-ignore
    assert.deepEqual(found(text('k')), []);
  });

  it('names scores that are rounded down, and mends them', () => {
    const text = `import numpy as np
rng = np.random.default_rng(1)
Q, K, V = rng.normal(size=(3, 4, 6))
E = np.exp(Q @ K.T // np.sqrt(6))
print(E / E.sum(-1, keepdims=True) @ V)
`;
    const [one, ...more] = diagnosed(text).findings;
    // NumPy 1.24 has these of both.
    assert.deepEqual([one?.rule, one?.mend?.edits[0]?.text, more], ['scale-other', 'Q @ K.T / np.sqrt(6)', []]);
    assert.match(
      one?.message ?? '',
      /rounds each score down to a whole number\. Query 1 gives key 0 the weight 0\.4754, in standard attention 0\.3527\.$/,
    );
  });

  it('names a maximum by hand that is not the row’s, also where its axis was lost', () => {
    const text = (maximum: string): string => `import numpy as np
rng = np.random.default_rng(1)
Q, K, V = rng.normal(size=(3, 4, 6))
S = Q @ K.T / np.sqrt(6)
E = np.exp(S - ${maximum})
print(E / E.sum(-1, keepdims=True) @ V)
`; // prettier-ignore
    assert.deepEqual(found(text('S.max(axis=0)')), ['softmax-axis S.max(axis=0)']);
    assert.deepEqual(found(text('S.max(axis=-1)')), ['softmax-axis S.max(axis=-1)']);
    // NumPy has these of both.
    assert.match(
      diagnosed(text('S.max(axis=0)')).findings[0]?.message ?? '',
      /another for each key: it changes the weights\. Query 3 gives key 0 the weight 0\.3277, in standard attention 0\.6167\.$/,
    );
    for (const right of ['S.max()', 'S.max(axis=-1, keepdims=True)', 'S.max(1)[:, None]', '0'])
      assert.deepEqual(found(text(right)), []);
  });

  it('names two masks of which `|` leaves nothing', () => {
    const text = (sign: string, second: string): string => `import torch
q, k, v = torch.randn(3, 2, 6, 8)
i, j = torch.arange(6)[:, None], torch.arange(6)[None]
seen = (j <= i) ${sign} (${second})
print((q @ k.mT / 8 ** 0.5).masked_fill(~seen, float('-inf')).softmax(-1) @ v)
`; // prettier-ignore
    assert.deepEqual(found(text('|', 'j > i - 3')), ['mask-unused (j <= i) | (j > i - 3)']);
    assert.equal(diagnosed(text('|', 'j > i - 3')).findings[0]?.mend?.edits[0]?.text, '(j <= i) & (j > i - 3)');
    // A window, and a prefix that all see.
    for (const [sign, second] of [
      ['&', 'j > i - 3'],
      ['|', 'j < 2'],
      ['|', 'j < 6'],
    ] as const)
      assert.deepEqual(found(text(sign, second)), []);
  });

  it('says in which order a layer that names one is cut', () => {
    const text = (order: string, layer = 'to_qkv'): string => `import torch
${layer} = torch.nn.Linear(16, 48)
x = torch.randn(2, 5, 16)
${order} = ${layer}(x).view(2, 5, 3, 4, 4).permute(2, 0, 3, 1, 4)
print((q @ k.mT / 4 ** 0.5).softmax(-1) @ v)
`; // prettier-ignore
    assert.deepEqual(diagnosed(text('v, k, q')).findings.map(({ rule, severity, message }) => [rule, severity, message]), [['projections-named-otherwise', 'information', '`to_qkv` is cut in the order v, k, q.']]); // prettier-ignore
    assert.deepEqual(found(text('q, k, v')), []);
    assert.deepEqual(found(text('v, k, q', 'in_proj')), []);
  });

  it('says that a query does not see its own key, where it is kept after the attention', () => {
    const text = (before: string, after: string, more = ''): string => `import torch
from torch import nn
class A(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.old = None
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        ${before}
        K, V = self.old or (k, v)
        y = (q @ K.mT / 8 ** 0.5).softmax(-1) @ V
        ${more}
        ${after}
        return y
    def keep(self, k, v):
        self.old = (k, v) if self.old is None else (torch.cat((self.old[0], k), 1), torch.cat((self.old[1], v), 1))
a = A()
for _ in range(4):
    a(torch.randn(1, 1, 8))
`; // prettier-ignore
    assert.deepEqual(found(text('pass', 'self.keep(k, v)')), ['mask-hides-own q @ K.mT']);
    assert.deepEqual(found(text('self.keep(k, v)', 'pass')), []);
    // A memory beside a window that has it.
    assert.deepEqual(found(text('pass', 'self.keep(k, v)', 'y = y + (q @ k.mT / 8 ** 0.5).softmax(-1) @ v')), []);
  });

  it('reads what no line calls with as many tokens as a layer takes of heads that are joined without a transpose', () => {
    const text = `import torch
import torch.nn.functional as F
class A(torch.nn.Module):
    def __init__(self, dim: int, n_head: int):
        super().__init__()
        self.n_head, self.hd = n_head, dim // n_head
        self.wq, self.wk, self.wv, self.wo = (torch.nn.Linear(dim, dim) for _ in range(4))
    def split(self, t):
        return t.unflatten(-1, (self.n_head, self.hd)).transpose(1, 2)
    def forward(self, x):
        y = F.scaled_dot_product_attention(self.split(self.wq(x)), self.split(self.wk(x)), self.split(self.wv(x)))
        return self.wo(y.flatten(2))
`;
    assert.deepEqual(found(text), ['heads-merged y.flatten(2)']);
  });
});
