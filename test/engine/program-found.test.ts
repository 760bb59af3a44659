import assert from 'node:assert/strict';
import { findAttention } from '../../engine/program/recognise/index';
import { runProgram, type ProgramOptions } from '../../engine/program/program';

const read = (text: string, options: ProgramOptions = {}) => {
  const program = runProgram(text, options);
  return { ...program, attentions: findAttention(program.graph) };
};

describe('attention that no line calls', () => {
  it('of matrices: `K.T` of a batch would turn all its axes around', () => {
    const { attentions, refusals } = read(`import numpy as np
def attention(Q, K, V):
    s = np.matmul(Q, K.T) / np.sqrt(K.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    return np.matmul(w, V)
`);
    assert.deepEqual([attentions.length, refusals.length], [1, 0]);
    assert.equal(attentions[0]?.site.weights.shape?.length, 2);
  });

  it('with a generator of random numbers that is handed on', () => {
    const { attentions, refusals } = read(`import numpy as np
class Attention:
    def __init__(self, dim, rng):
        self.w = rng.normal(0, 0.02, size=(dim, dim))
    def forward(self, x):
        q = x @ self.w
        s = np.einsum('btd,bsd->bts', q, x)
        e = np.exp(s)
        return e / e.sum(-1, keepdims=True) @ x
`);
    assert.deepEqual([attentions.length, refusals.length], [1, 0]);
  });

  it('with layers that are given as arguments', () => {
    const { attentions, refusals } = read(`import torch
import torch.nn.functional as F
def reference(model, x):
    h = model.embedding(x)
    a = F.scaled_dot_product_attention(model.q_proj(h), model.k_proj(h), model.v_proj(h))
    return model.norm(h + a)
`);
    assert.deepEqual([attentions.length, refusals.length], [1, 0]);
  });
});

describe('a match of what is not known', () => {
  it('leaves open what it binds and returns', () => {
    const { bindings } = read(`import torch
kind = int(open('kind').read())
def f(kind):
    match kind:
        case 1:
            return torch.ones(2)
    return torch.zeros(3)
match kind:
    case 1 | 2:
        m = torch.ones(2)
    case _:
        m = torch.zeros(3)
a = m + 1
b = f(kind)
c = b + 1
`);
    for (const name of ['a', 'c']) assert.ok(bindings.filter((one) => one.name === name).every(({ node }) => node === undefined || node.why), name); // prettier-ignore
  });
});

describe('a factor before the softmax', () => {
  const roles = (factor: string): (string | undefined)[] => {
    const { attentions } = read(`import torch
q, k, v = torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 4)
a = torch.softmax(q @ k.transpose(-2, -1) * ${factor}, dim=-1) @ v
`);
    const { scaled, masked } = attentions[0]?.parts ?? {};
    return [scaled?.operation, masked?.operation];
  };
  it('that is one for each head or query is a scale, such as a learned temperature; one for each key hides', () => {
    assert.deepEqual(roles('torch.nn.Parameter(torch.ones(2, 1, 1))'), ['multiply', undefined]);
    assert.deepEqual(roles('torch.ones(1, 1, 3, 1)'), ['multiply', undefined]);
    assert.deepEqual(roles('torch.tril(torch.ones(3, 3))'), [undefined, 'multiply']);
    assert.deepEqual(roles('torch.ones(1, 1, 1, 3)'), [undefined, 'multiply']);
  });
});

describe('what is read of arguments that nobody gives', () => {
  it('leaves open which is which behind what a star spreads out', () => {
    const { notes } = read(
      'import torch\ndef f(x, kv):\n    q, k, v = (x, *kv.chunk(2, dim=-1))\n    return q @ k.T @ v\n',
    );
    assert.deepEqual(notes, []);
  });
  it('takes a shape from an assertion, and the word that a class is made with from its comparisons', () => {
    const { attentions, refusals } = read(`import torch
class Score(torch.nn.Module):
    def __init__(self, how):
        super().__init__()
        assert how in ['plain', 'scaled']
        self.how = how
    def forward(self, q, k):
        n, heads, d = q.shape
        assert k.shape == (n, heads, d)
        s = torch.einsum('nhd,mhd->hnm', q, k)
        return (s if self.how == 'plain' else s / d ** 0.5).softmax(-1)
class Layer(torch.nn.Module):
    def __init__(self, scoring):
        super().__init__()
        self.score = Score(how=scoring)
    def forward(self, q, k):
        return torch.einsum('hnm,mhd->nhd', self.score(q, k), k)
`);
    assert.deepEqual([attentions.length > 0, refusals], [true, []]);
  });
});

describe('what is no attention with numbers', () => {
  const refused = (text: string): readonly string[] =>
    read(text).refusals.map(({ root, text: why }) => `${text.slice(root.start, root.end)}: ${why}`);
  it('is a layer that a line makes and nothing calls', () => {
    const layer = 'from torch import nn\nlayer = nn.TransformerEncoderLayer(768, 12, batch_first=True)\n';
    const said = ['layer: no line calls this'];
    assert.deepEqual(refused(layer), said);
    assert.deepEqual(refused(`${layer}layer\nsummary(model=layer, input_size=(1, 197, 768))\nprint(layer)\n`), said);
    assert.deepEqual(
      refused('import tensorflow as tf\nlayer = tf.keras.layers.MultiHeadAttention(3, 60)\nlayer.__dict__\n'),
      said,
    );
    assert.deepEqual(refused(`${layer}import torch\ny = layer(torch.ones(1, 2, 768))\n`), []);
    assert.deepEqual(refused(`${layer}stack = nn.Sequential(layer)\n`), []);
    assert.deepEqual(refused('from torch import nn\nlayer = nn.Linear(3, 4)\n'), []);
  });
  it('has several learned queries, the two ways of an LSTM side by side as tokens, and a mask behind the softmax that is no V', () => {
    const partsOf = (text: string): unknown =>
      read(`import torch\nfrom torch import nn\nh = torch.rand(2, 5, 6)\n${text}`).attentions.map(
        ({ parts: { k, v, mask } }) => [k?.operation, v?.operation, mask?.operation],
      );
    const pool = (columns: number): string =>
      `w = nn.Sequential(nn.Linear(6, 4), nn.Tanh(), nn.Linear(4, ${columns}), nn.Softmax(dim=1))(h)\n`;
    const masked = 'w = w * torch.ones(2, 5, 1)\nw = w / w.sum(1, keepdim=True).clamp(min=1e-9)\n';
    for (const columns of [1, 3])
      for (const after of ['', masked])
        assert.deepEqual(
          partsOf(`${pool(columns)}${after}y = w.transpose(1, 2) @ h\n`),
          [['tanh', 'input', undefined]],
          `${columns} ${after}`,
        );
    const both =
      'h, _ = nn.LSTM(6, 3, bidirectional=True, batch_first=True)(h)\ny = (torch.softmax(nn.Linear(4, 1)(torch.tanh(nn.Linear(6, 4)(h))), 1) * h).sum(1)\n';
    assert.deepEqual(partsOf(both), [['tanh', 'concat', undefined]]);
    // A router over experts has its softmax over the columns.
    assert.deepEqual(
      partsOf(
        'g = torch.softmax(nn.Linear(4, 3)(torch.relu(nn.Linear(6, 4)(h))), -1)\ny = g.unsqueeze(-2) @ torch.rand(2, 5, 3, 6)\n',
      ),
      [],
    );
  });

  it('has a bias, not a mask, in what is added below a tanh', () => {
    const text = (weights: string): string =>
      `import torch\nx, w, b = torch.rand(5, 8), torch.rand(8, 1), torch.rand(5, 1)\na = ${weights}\ny = a.T @ x\n`;
    const maskOf = (weights: string): unknown =>
      read(text(weights)).attentions.map(({ parts }) => parts.mask?.operation);
    assert.deepEqual(maskOf('torch.softmax(torch.tanh(x @ w + b), 0)'), [undefined]);
    assert.deepEqual(maskOf('torch.softmax(x @ w + b, 0)'), ['input']);
  });

  it('is an average by a mask alone', () => {
    const start =
      'import torch\nimport torch.nn.functional as F\nx = torch.ones(4, 3, 2)\nwei = torch.zeros(3, 3).masked_fill(torch.tril(torch.ones(3, 3)) == 0, float("-inf"))\n';
    const said = ['F.softmax(wei, dim=-1): these weights come from no product of queries and keys'];
    assert.deepEqual(refused(`${start}wei = F.softmax(wei, dim=-1)\nout = wei @ x\n`), said);
    assert.deepEqual(refused(`${start}wei = F.softmax(wei, dim=-1)\nout = wei @ torch.ones(3)\n`), said);
    assert.deepEqual(refused(`${start}p = F.softmax(wei, dim=-1)\n`), []);
    // A convolution over queries and keys before the softmax (Golovneva et al. 2025, multi-token attention): said of a class that no line calls as well.
    const talking =
      'import torch.nn as nn\nclass Talking(nn.Module):\n    def __init__(self, heads):\n        super().__init__()\n        self.mix = nn.Conv2d(heads, heads, 3, padding=1)\n    def forward(self, q, k, v):\n        B, H, N, d = q.shape\n        attn = q @ k.transpose(-2, -1)\n        attn = self.mix(attn)\n        return attn.softmax(dim=-1) @ v\n';
    assert.match(
      refused(talking)[0] ?? '',
      /: what stands between a product of two tensors and these weights is not followed$/,
    );
    // A sink beside the scores is no average by numbers alone.
    const sink = 'wei = F.softmax(torch.cat([x @ x.transpose(1, 2), torch.ones(4, 3, 1)], dim=-1), dim=-1)';
    assert.deepEqual(refused(`${start}${sink}\nout = wei[..., :-1] @ x\n`), []);
    assert.deepEqual(refused(`${start}out = F.softmax(x @ x.transpose(1, 2) + wei, dim=-1) @ x\n`), []);
  });
});

describe('the output of an attention', () => {
  it('is the whole weighted sum, also where one sequence of it is looked at', () => {
    const { attentions } = read(`import torch
q, k, v = torch.rand(2, 4, 3), torch.rand(2, 4, 3), torch.rand(2, 4, 5)
out = torch.softmax(q @ k.transpose(1, 2) / 3 ** 0.5, -1) @ v
print(out[0].numpy())
`);
    assert.deepEqual(attentions[0]?.parts.output?.shape, [2, 4, 5]);
  });
});

describe('layers whose order of axes is not given', () => {
  it('have the batch in front, as what stands in for their arguments', () => {
    const { attentions } = read(`import torch.nn as nn
class Layer(nn.Module):
    def __init__(self, dim, num_heads, batch_first):
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, num_heads, batch_first=batch_first)
    def forward(self, x):
        return self.attention(x, x, x)[0]
`);
    const shape = attentions[0]?.site.weights.shape ?? [];
    assert.ok(Number(shape.at(-1)) > 1, 'more than one token');
  });
});

describe('a module of a package', () => {
  it('is a file of its own where the package does not name it', () => {
    const { names } = read('from package import part\nx = part.width\n', {
      files: (module) => (module === 'package.part' ? { text: 'width = 3\n', isPackage: false } : undefined),
    });
    assert.deepEqual(names.get('x'), { kind: 'int', value: 3 });
  });
});

describe('a program that takes too long', () => {
  const training = 'x = 0\nfor i in range(90):\n    x = x + i\n';
  const few = { steps: 150, standIns: false };
  it('is read on after the statement that was stopped', () => {
    const { names, notes } = read(`${training}y = 2\nz = x\n`, few);
    assert.deepEqual(names.get('y'), { kind: 'int', value: 2 });
    assert.equal(names.get('z')?.kind, 'unknown');
    assert.equal(notes.filter(({ kind }) => kind === 'stopped').length, 1);
  });
  it('is given up the second time, and what comes after says so', () => {
    const text = `${training}${training}y = 2\n`;
    const { names, notes } = read(text, few);
    assert.equal(names.get('y'), undefined);
    assert.ok(notes.some(({ kind, range }) => kind === 'stopped' && range.start === text.indexOf('y = 2')));
  });
});
