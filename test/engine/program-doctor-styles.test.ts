// The code doctor on mistakes in the styles of tutorials, each beside right code that looks alike.
import assert from 'node:assert/strict';
import { diagnosingText, edited, type Diagnosis } from '../../engine/program/doctor/diagnose';
import { finish } from '../../engine/text';

const diagnosed = (text: string): Diagnosis => finish(diagnosingText(text));
const rulesOf = (text: string): readonly string[] => diagnosed(text).findings.map(({ rule }) => rule);

/** NumPy 1.24 has of this: softmax(S)[1, 1] = 0.659807, (S / sums)[1, 1] = 0.326707. */
const positive = (weights: string): string => `import numpy as np\nrng = np.random.default_rng(0)\nX = rng.random((4, 6))\nWq, Wk, Wv = rng.random((6, 3)), rng.random((6, 3)), rng.random((6, 3))\nQ, K, V = X @ Wq, X @ Wk, X @ Wv\nscores = Q @ K.T / np.sqrt(3)\nweights = ${weights}\nprint(weights @ V)\n`; // prettier-ignore

const torch = (rest: string): string => `import torch\nimport torch.nn.functional as F\ntorch.manual_seed(0)\nx = torch.randn(5, 8)\nwq, wk, wv = (torch.nn.Linear(8, 8, bias=False) for _ in range(3))\nq, k, v = wq(x), wk(x), wv(x)\n${rest}\n`; // prettier-ignore

describe('the code doctor on weights that no softmax made', () => {
  it('says of scores that are divided by their sum that exp is missing, with what NumPy has of both, and mends it', () => {
    const text = positive('scores / scores.sum(axis=-1, keepdims=True)');
    const [found, ...more] = diagnosed(text).findings;
    assert.deepEqual([found?.rule, found?.severity, found?.which, more], ['softmax-none', 'information', -1, []]);
    assert.match(found?.message ?? '', /without exp: .*Query 1 gives key 1 the weight 0\.3267, in standard attention 0\.6598\.$/);
    assert.equal(found?.mend?.edits[0]?.text, 'np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)');
    assert.deepEqual(rulesOf(edited(text, found.mend.edits)), []);
  }); // prettier-ignore

  it('says it of log_softmax as a warning and of sigmoid as information', () => {
    const scores = 's = q @ k.T / 8 ** 0.5\n';
    for (const [weights, rule, mend] of [
      ['F.log_softmax(s, dim=-1)', 'softmax-log', 'F.softmax(s, dim=-1)'],
      ['torch.sigmoid(s)', 'softmax-none', 'torch.softmax(s, dim=-1)'],
      ['s.sigmoid()', 'softmax-none', 's.softmax(dim=-1)'],
      ['F.normalize(s, p=1, dim=-1)', 'softmax-none', 'F.softmax(s, dim=-1)'],
      ['s / s.norm(p=1, dim=-1, keepdim=True)', 'softmax-none', undefined],
    ] as const) {
      const { findings } = diagnosed(torch(`${scores}w = ${weights}\nprint(w @ v)`));
      assert.deepEqual(findings.map((one) => [one.rule, one.mend?.edits[0]?.text]), [[rule, mend]], weights);
    }
  }); // prettier-ignore

  it('says nothing of a loss, a gate, a network or linear attention', () => {
    for (const right of [
      'w = F.log_softmax(q @ k.T, dim=-1)\nprint(F.nll_loss(w, torch.arange(5)))',
      'w = F.log_softmax(q @ k.T, dim=-1)\nprint(-(w * torch.eye(5)).sum(-1).mean())',
      'w = F.log_softmax(q @ k.T, dim=-1)\nprint(torch.einsum("ij,ij->i", w, torch.eye(5)))',
      'g = torch.sigmoid(q @ k.T)\nprint(g * (q @ k.T))',
      'h = torch.sigmoid(x @ torch.randn(8, 6))\nprint(h @ torch.randn(6, 2))',
      'a, b = torch.randn(8, 6), torch.randn(6, 2)\nprint(torch.sigmoid(x @ a) @ b)',
      'a, b = torch.randn(6, 8), torch.randn(6, 2)\nprint(torch.sigmoid(x @ a.T) @ b)',
      's = (F.elu(q) + 1) @ (F.elu(k) + 1).T\nprint(s / s.sum(-1, keepdim=True) @ v)',
      's = q.abs() @ k.abs().T\nprint(s / s.sum(-1, keepdim=True) @ v)',
      'print(F.normalize(q, p=1, dim=-1) @ k.T)',
      's = F.relu(q) @ F.relu(k).T\nprint(s / s.sum(-1, keepdim=True) @ v)',
    ])
      assert.deepEqual(diagnosed(torch(right)).findings, [], right);
  });
});

describe('the code doctor on one side and the other', () => {
  it('asks for the norm of the other side, and says nothing where both are normed, or what both are made of', () => {
    const text = (before: string): string => torch(`${before}\nprint(torch.softmax(q @ k.T / 8 ** 0.5, dim=-1) @ v)`);
    for (const wrong of ['k = F.layer_norm(k, (8,))', 'q = F.normalize(q, dim=-1)', 'q = q * torch.rsqrt(q.pow(2).mean(-1, keepdim=True) + 1e-6)', 'k = k / k.norm(dim=-1, keepdim=True)'])
      assert.deepEqual(rulesOf(text(wrong)), ['norm-one-side'], wrong);
    for (const right of ['', 'q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)', 'x = F.layer_norm(x, (8,))\nq, k, v = wq(x), wk(x), wv(x)', 'y = F.layer_norm(x, (8,))\nq = wq(y)', 'v = F.layer_norm(v, (8,))'])
      assert.deepEqual(rulesOf(text(right)), [], right);
  }); // prettier-ignore

  it('says of dropout before the softmax that it hides no key, and nothing of dropout behind it', () => {
    const text = (weights: string): string => torch(`drop = torch.nn.Dropout(0.1)\ns = q @ k.T / 8 ** 0.5\nprint(${weights} @ v)`); // prettier-ignore
    assert.deepEqual(rulesOf(text('torch.softmax(drop(s), dim=-1)')), ['dropout-scores']);
    assert.deepEqual(rulesOf(text('drop(torch.softmax(s, dim=-1))')), []);
  });
});

describe('the code doctor on masks and letters', () => {
  it('says of a mask that is added to the weights that it comes too late', () => {
    const text = (fill: string, sum = 'F.softmax(s, dim=-1) + mask'): string => torch(`s = q @ k.T / 8 ** 0.5\nmask = torch.triu(torch.full((5, 5), ${fill}), diagonal=1)\nprint((${sum}) @ v)`); // prettier-ignore
    const said = (one: string): unknown => diagnosed(one).findings.map(({ rule, message }) => [rule, /^(.*?):/.exec(message)?.[1]]);
    assert.deepEqual(said(text("float('-inf')")), [['mask-after-softmax', 'Keys are hidden with −∞ after the softmax, not before it']]);
    assert.deepEqual(said(text('-1e9')), [['mask-after-softmax', 'Keys are hidden with -1000000000 after the softmax, not before it']]);
    // As far as windows that are shifted hide their keys.
    assert.deepEqual(said(text('-100.0')), [['mask-after-softmax', 'Keys are hidden with -100 after the softmax, not before it']]);
    // A bias that is learned is no mask.
    assert.deepEqual(said(text('-100.0', 'F.softmax(s, dim=-1) + torch.randn(5, 5)')), []);
    assert.deepEqual(said(text('-1e9', 'F.softmax(s + mask, dim=-1)')), []);
    assert.deepEqual(said(text('0.5', 'F.softmax(s, dim=-1)')), []);
  }); // prettier-ignore

  it('reads equations that name the keys first, and says where letters exchange queries and keys', () => {
    const text = (scores: string): string => `import torch\ntorch.manual_seed(0)\nq, k, v = (torch.randn(1, 5, 2, 4) for _ in range(3))\na = torch.softmax(torch.einsum(${scores}) / 2, dim=-1)\nprint(torch.einsum('nhqk,nkhd->nqhd', a, v).reshape(1, 5, 8))\n`; // prettier-ignore
    for (const right of ["'nqhd,nkhd->nhqk', q, k", "'nkhd,nqhd->nhqk', k, q"]) {
      const found = diagnosed(text(right));
      assert.deepEqual([found.computed, found.findings], [1, []], right);
    }
    const [found, ...more] = diagnosed(text("'nqhd,nkhd->nhkq', q, k")).findings;
    assert.deepEqual([found?.rule, more], ['queries-keys-swapped', []]);
    assert.equal(found?.mend?.edits[0]?.text, "torch.einsum('nqhd,nkhd->nhqk', q, k)");
  });

  it('takes the root of a head’s width for that of all heads, also where the scale has a name', () => {
    const text = (scale: string): string => `import torch\nfrom torch import nn\ntorch.manual_seed(0)\nclass A(nn.Module):\n    def __init__(self, dim, heads):\n        super().__init__()\n        self.heads, self.head_dim = heads, dim // heads\n        self.scale = ${scale}\n        self.qkv = nn.Linear(dim, 3 * dim)\n    def forward(self, x):\n        B, T, C = x.shape\n        q, k, v = self.qkv(x).reshape(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)\n        a = ((q @ k.transpose(-2, -1)) * self.scale).softmax(dim=-1)\n        return (a @ v).transpose(1, 2).reshape(B, T, C)\nA(8, 2)(torch.randn(1, 5, 8))\n`; // prettier-ignore
    const wrong = text('dim ** -0.5');
    const [found, ...more] = diagnosed(wrong).findings;
    assert.deepEqual([found?.rule, more], ['scale-width', []]);
    assert.ok(found?.mend);
    assert.equal(edited(wrong, found.mend.edits), text('self.head_dim ** -0.5'));
  });

  it('names all queries whose numbers a row of joined heads has', () => {
    const text = torch('q, k, v = (one.view(5, 4, 2).transpose(0, 1) for one in (q, k, v))\nprint((torch.softmax(q @ k.transpose(1, 2) / 2 ** 0.5, dim=-1) @ v).reshape(5, 8))'); // prettier-ignore
    assert.match(diagnosed(text).findings[0]?.message ?? '', /row 0 of the result has numbers of queries 0, 1, 2, 3, not of query 0 alone/); // prettier-ignore
  });
});

/** NumPy 1.24 has of this at row 3, column 0: 6.258307 by √3, 4.953955 by 3; 0.019931 where each column sums to 1. */
const loops = (score: string, weights = 'e / e.sum()', rest = ''): string =>
  `import numpy as np\nnp.random.seed(0)\nx = np.random.randn(4, 6)\nW_q, W_k, W_v = np.random.randn(6, 3), np.random.randn(6, 3), np.random.randn(6, 3)\nQ, K, V = x @ W_q, x @ W_k, x @ W_v\nn, d_k = 4, 3\nout = np.zeros((n, 3))\nfor i in range(n):\n    scores = []\n    for j in range(n):\n        scores.append(${score})\n    e = np.exp(np.array(scores) - max(scores))\n    weights = ${weights}\n    for j in range(n):\n        out[i] += weights[j] * V[j]\n${rest}print(out)\n`;

describe('the code doctor on loops over numbers', () => {
  const dot = 'sum(Q[i][c] * K[j][c] for c in range(d_k))';
  const said = (text: string): unknown => diagnosed(text).findings.map(({ rule, which, message }) => [rule, which, /at row .*$/.exec(message)?.[0]]); // prettier-ignore

  it('says by the numbers which mistake makes the result, with what NumPy has', () => {
    assert.deepEqual(said(loops(`${dot} / d_k`)), [['scale-without-root', -1, 'at row 3, column 0 it has 4.9540, standard attention 6.2583.']]); // prettier-ignore
    assert.deepEqual(diagnosed(loops(dot)).findings.map(({ rule }) => rule), ['scale-none']); // prettier-ignore
    assert.deepEqual(diagnosed(loops(`${dot.replace('K[j]', 'Q[j]')} / np.sqrt(d_k)`)).findings.map(({ message }) => message), ['K is computed and not used: Q stands in its place.']); // prettier-ignore
    const columns = 'import numpy as np\nnp.random.seed(0)\nx = np.random.randn(4, 6)\nW_q, W_k, W_v = np.random.randn(6, 3), np.random.randn(6, 3), np.random.randn(6, 3)\nQ, K, V = x @ W_q, x @ W_k, x @ W_v\nS, A = np.zeros((4, 4)), np.zeros((4, 4))\nfor i in range(4):\n    for j in range(4):\n        S[i, j] = np.dot(Q[i], K[j]) / np.sqrt(3)\nfor j in range(4):\n    A[:, j] = np.exp(S[:, j]) / np.exp(S[:, j]).sum()\nout = A @ V\nprint(out)\n'; // prettier-ignore
    assert.deepEqual(said(columns), [['softmax-axis', -1, 'at row 3, column 0 it has 0.0199, standard attention 6.2583.']]); // prettier-ignore
  });

  it('says nothing of right loops, with lists too, of another result, and where a comment says so', () => {
    for (const right of [
      loops(`${dot} / np.sqrt(d_k)`),
      loops(`${dot} / np.sqrt(d_k) if j <= i else -np.inf`),
      loops(`${dot} / d_k`, 'e'),
      loops(`${dot} / d_k`).replace('    scores = []', '    np.random.rand()\n    scores = []').replace('out = np.zeros((n, 3))', 'out = np.zeros((n, 3))  # explain-attention: ignore'),
      loops(`${dot} / np.sqrt(d_k)`, 'e / e.sum()', 'y = 2 * out\n'),
    ])
      assert.deepEqual(diagnosed(right).findings, [], right);
    const lists = (key: string): string => `import math\nq = [[0.2, 0.4, -1.0], [1.1, 0.3, 0.5], [0.0, -0.7, 0.9]]\nk = [[0.5, 0.1, 0.3], [-0.4, 0.8, 0.2], [0.6, -0.2, 1.0]]\nv = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]\nout = []\nfor i in range(3):\n    scores = [sum(q[i][c] * ${key}[j][c] for c in range(3)) / math.sqrt(3) for j in range(3)]\n    exps = [math.exp(s) for s in scores]\n    out.append([sum(exps[j] / sum(exps) * v[j][c] for j in range(3)) for c in range(2)])\n`; // prettier-ignore
    assert.deepEqual([diagnosed(lists('k')).findings, diagnosed(lists('q')).findings.map(({ rule }) => rule)], [[], ['part-unused']]); // prettier-ignore
  });
}); // prettier-ignore

describe('the code doctor where sizes stand in', () => {
  /* threelittlemonkeys/seq2seq-pytorch, the copying mechanism: one query, whose axis is squeezed away, and two false warnings before. */
  it('does not judge scores whose axis of one query is squeezed away', () => {
    const text = (scores: string, axis: number): string => `import torch\nimport torch.nn.functional as F\nfrom torch import nn\nclass Copy(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.W = nn.Linear(8, 8)\n    def attn(self, hs, ht, mask):\n        c = self.W(hs).tanh()\n        c = ht.bmm(c.transpose(1, 2))\n        c = ${scores}\n        r = F.softmax(c, ${axis})\n        return r.bmm(hs)\n`; // prettier-ignore
    assert.deepEqual(rulesOf(text('c.squeeze(1).masked_fill(mask, -10000)', 1)), []);
    assert.ok(rulesOf(text('c', 1)).includes('softmax-axis'));
  });
});

describe('the code doctor on caches and joined heads', () => {
  const cached = (taken: string, given: string, joined = 'y.transpose(1, 2).flatten(2)'): string =>
    `import torch\nimport torch.nn.functional as F\nclass A(torch.nn.Module):\n    def __init__(self, dim: int, n_head: int):\n        super().__init__()\n        self.n_head, self.hd = n_head, dim // n_head\n        self.wq, self.wk, self.wv, self.wo = (torch.nn.Linear(dim, dim) for _ in range(4))\n    def split(self, t):\n        return t.unflatten(-1, (self.n_head, self.hd)).transpose(1, 2)\n    def forward(self, x, past=None):\n        q, k, v = self.split(self.wq(x)), self.split(self.wk(x)), self.split(self.wv(x))\n        if past is not None:\n            ${taken} = past\n            k = torch.cat([past_k, k], dim=2)\n            v = torch.cat([past_v, v], dim=2)\n        y = F.scaled_dot_product_attention(q, k, v, is_causal=past is None)\n        y = ${joined}\n        ${given}\n`;

  it('names a cache that is given back in another order than it is taken, and mends it', () => {
    for (const [taken, wrong, right] of [
      ['past_k, past_v', 'return self.wo(y), (v, k)', 'return self.wo(y), (k, v)'],
      ['past_v, past_k', 'return self.wo(y), (k, v)', 'return self.wo(y), (v, k)'],
      ['past_k, past_v', 'present = (v, k)\n        return self.wo(y), present', 'present = (k, v)\n        return self.wo(y), present'],
    ] as const) {
      const [found, ...more] = diagnosed(cached(taken, wrong)).findings;
      assert.deepEqual([found?.rule, found?.severity, more], ['values-from-keys', 'warning', []], wrong);
      assert.match(found?.message ?? '', /^The cache is given back as \((?:v, k|k, v)\) and taken as \(past_(?:k, past_v|v, past_k)\)/);
      assert.equal(edited(cached(taken, wrong), found?.mend?.edits ?? []), cached(taken, right));
      assert.deepEqual(rulesOf(cached(taken, right)), [], right);
    }
    // A call with both in that order, and a pair of other things, give back no cache.
    for (const right of ['return self.wo(y) + self.n_head * 0, max(v, k)', 'pair = (v, k)[::-1]\n        return self.wo(y), pair', 'return self.wo(y)'])
      assert.deepEqual(rulesOf(cached('past_k, past_v', right)), [], right);
  }); // prettier-ignore

  it('names heads that are joined by flatten without a transpose, though Python takes them for few lengths only', () => {
    const wrong = cached('past_k, past_v', 'return self.wo(y), (k, v)', 'y.flatten(2)');
    const [found, ...more] = diagnosed(wrong).findings;
    assert.deepEqual([found?.rule, more], ['heads-merged', []]);
    assert.equal(edited(wrong, found?.mend?.edits ?? []), cached('past_k, past_v', 'return self.wo(y), (k, v)'));
  });
});

describe('the code doctor on keys that nothing takes', () => {
  const numpy = (body: string): string => `import numpy as np\nrng = np.random.default_rng(0)\nQ, K, V = rng.normal(size=(3, 3, 4))\ndef attention(Q, K, V):\n    """Q, K, V: n x d"""\n    scores = ${body} / np.sqrt(K.shape[-1])\n    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n    return e / e.sum(axis=-1, keepdims=True) @ V\nprint(attention(Q, K, V))\n`; // prettier-ignore
  const letters = (first: string): string => `import torch\ntorch.manual_seed(0)\ndef attend(q, k, v):\n    s = torch.einsum("bjhd,bihd->bhij", ${first}, q) * q.shape[-1] ** -0.5\n    return torch.einsum("bhij,bjhd->bihd", s.softmax(dim=-1), v)\nq, k, v = torch.randn(3, 2, 5, 4, 8).unbind(0)\nprint(attend(q, k, v).shape)\n`; // prettier-ignore

  it('says of no view of a weight, nor of keys that have the name of what stands for them, that they are computed in vain', () => {
    const low = `import torch, torch.nn as nn
class Attention(nn.Module):
    def __init__(self, n_embd, rank):
        super().__init__()
        self.a_k, self.b_k, self.c_q = nn.Linear(n_embd, rank), nn.Linear(n_embd, rank), nn.Linear(n_embd, rank)
        self.reset(n_embd, rank)
    def reset(self, n_embd, rank):
        a_k_tensor = self.a_k.weight.view(n_embd, 1, rank)
        nn.init.xavier_uniform_(a_k_tensor)
        self.a_k.weight.data = a_k_tensor.view_as(self.a_k.weight)
    def forward(self, x):
        B, T, C = x.shape
        q, v = self.c_q(x), self.b_k(x)
        k = (self.a_k(x) * v).view(B, T, -1)
        return torch.softmax(q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5, dim=-1) @ v
`;
    assert.ok(!rulesOf(low).includes('part-unused'));
  }); // prettier-ignore

  it('names keys that a function is given and reads the size of alone', () => {
    const said = (text: string): unknown => diagnosed(text).findings.map(({ rule, message }) => [rule, message]);
    const message = (key: string): string => `${key} is given and not used: the scores are made without it.`;
    assert.deepEqual(said(numpy('Q @ V.T')), [['part-unused', message('K')]]);
    assert.deepEqual(said(numpy('Q @ Q.T')), [['part-unused', message('K')]]);
    assert.deepEqual(said(letters('v')), [['part-unused', message('k')]]);
    for (const right of [numpy('Q @ K.T'), numpy('Q @ (K * 1.0).T'), letters('k')]) assert.deepEqual(said(right), [], right);
    // Keys that are made of what the function is given otherwise.
    const own = numpy('Q @ kk.T').replace('    scores', '    kk = Q + 1\n    scores');
    assert.deepEqual(said(own.replace('kk = Q', 'key = Q').replace('kk.T', 'key.T')), []);
  }); // prettier-ignore

  it('names keys that a helper of the call made, by the name that the call has for them', () => {
    const text = (scores: string): string => `import torch\nclass A(torch.nn.Module):\n    def __init__(self, dim: int, heads: int):\n        super().__init__()\n        self.heads, self.wq, self.wk, self.wv = heads, torch.nn.Linear(dim, dim), torch.nn.Linear(dim, dim), torch.nn.Linear(dim, dim)\n    def split(self, t):\n        return t.unflatten(-1, (self.heads, -1)).transpose(1, 2)\n    def forward(self, x):\n        q, k, v = self.split(self.wq(x)), self.split(self.wk(x)), self.split(self.wv(x))\n        a = torch.softmax(${scores} / q.shape[-1] ** 0.5, dim=-1)\n        return (a @ v).transpose(1, 2).flatten(2)\n`; // prettier-ignore
    assert.deepEqual(diagnosed(text('q @ v.mT')).findings.map(({ message }) => message), ['k is computed and not used: v stands in its place.']);
    assert.deepEqual(diagnosed(text('q @ k.mT')).findings, []);
  }); // prettier-ignore
});

describe('the code doctor on two masks made one', () => {
  /** PyTorch 1.13 gives key 3 of query 4 the weight 0.6557 by `causal | pad`, and 0 by `causal & pad`: no other of the first head differs more. */
  const text = (
    mask: string,
    fill = 'scores.masked_fill(~mask, float("-inf"))',
    pad = '[[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]',
  ): string =>
    `import torch\ntorch.manual_seed(0)\nq, k, v = torch.randn(3, 2, 2, 5, 4).unbind(0)\npad = torch.tensor(${pad}).bool()[:, None, None, :]\nprefix = pad\ncausal = torch.tril(torch.ones(5, 5, dtype=torch.bool))\nfuture = ~causal\nmask = ${mask}\nscores = q @ k.transpose(-2, -1) / 2\nscores = ${fill}\nprint(torch.softmax(scores, dim=-1) @ v)\n`;
  const hidden = 'scores.masked_fill(mask, float("-inf"))';

  it('says which keys the wrong sign leaves to be seen, with the weights that PyTorch gives, and mends it', () => {
    for (const [wrong, right, fill] of [
      ['causal | pad', 'causal & pad', undefined],
      ['torch.logical_or(causal, pad)', 'torch.logical_and(causal, pad)', undefined],
      ['future & ~pad', 'future | ~pad', hidden],
      ['(causal | pad) == 0', '(causal & pad) == 0', hidden],
    ] as const) {
      const [found, ...more] = diagnosed(text(wrong, fill)).findings;
      assert.deepEqual([found?.rule, found?.severity, more], ['mask-padding', 'warning', []], wrong);
      assert.match(found?.message ?? '', /^`[|&]` joins the masks, .*Query 4 gives key 3 the weight 0\.6557, in standard attention 0\.0000/);
      assert.equal(edited(text(wrong, fill), found?.mend?.edits ?? []), text(right, fill));
      assert.deepEqual(rulesOf(text(right, fill)), [], right);
    }
  }); // prettier-ignore

  it('says of a triangle that is joined with a mask of ones that it has no effect', () => {
    assert.deepEqual(rulesOf(text('causal | torch.ones(5, 5, dtype=torch.bool)')), ['mask-unused']);
    assert.deepEqual(rulesOf(text('causal & torch.ones(5, 5, dtype=torch.bool)')), []);
  });

  it('says nothing of a prefix that all see, of a switch, or of an input without padding', () => {
    for (const right of ['causal | prefix', 'causal | torch.tensor(True)', 'causal | torch.eye(5).bool()']) assert.deepEqual(rulesOf(text(right).replace('pad = torch', 'begins = torch').replace('prefix = pad', 'prefix = begins')), [], right);
    assert.deepEqual(rulesOf(text('causal & pad', undefined, '[[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]')), []);
  }); // prettier-ignore

  it('says of a mask that hides every key of every query that nothing of the scores is left', () => {
    const fill = 'scores.masked_fill(mask == 0, -1e9)';
    assert.deepEqual(rulesOf(text('causal & future', fill)), ['mask-hides-all']);
    // A query of padding may see nothing.
    assert.deepEqual(rulesOf(text('causal & pad & pad.transpose(-2, -1)', fill)), []);
  });
});

describe('the code doctor on where a mistake stands', () => {
  it('marks the call that gives a helper its axis, where that mends it', () => {
    const text = (axis: string): string => `import numpy as np\nrng = np.random.default_rng(0)\nQ, K, V = rng.normal(size=(3, 3, 4))\ndef softmax(z, axis):\n    e = np.exp(z - z.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)\nweights = softmax(Q @ K.T / np.sqrt(4), axis=${axis})\nprint(weights @ V)\n`; // prettier-ignore
    const [found, ...more] = diagnosed(text('0')).findings;
    assert.deepEqual([found?.rule, found && text('0').slice(found.range.start, found.range.end), more], ['softmax-axis', 'softmax(Q @ K.T / np.sqrt(4), axis=0)', []]);
    assert.deepEqual(rulesOf(text('-1')), []);
  }); // prettier-ignore

  it('takes a root that W_q alone is divided by for the scale', () => {
    const text = (query: string, key = ''): string => `import torch\nfrom torch import nn\nclass A(nn.Module):\n    def __init__(self, d, d_k):\n        super().__init__()\n        self.W_q = nn.Parameter(torch.randn(d_k, d) / d ** 0.5${query})\n        self.W_k = nn.Parameter(torch.randn(d_k, d) / d ** 0.5${key})\n        self.W_v = nn.Parameter(torch.randn(d, d) / d ** 0.5)\n    def forward(self, X):\n        Q, K, V = self.W_q @ X, self.W_k @ X, self.W_v @ X\n        return V @ torch.softmax(K.transpose(-2, -1) @ Q, dim=-2)\n`; // prettier-ignore
    for (const right of [text(' / d_k ** 0.5'), text(' * d_k ** -0.5'), text('', ' / d_k ** 0.5')]) assert.deepEqual(rulesOf(right), [], right); // prettier-ignore
    // A usual start of both is no scale.
    for (const without of [text(''), text(' / d_k ** 0.5', ' / d_k ** 0.5'), text(' / d_k')]) assert.deepEqual(rulesOf(without), ['scale-none'], without); // prettier-ignore
  });
});
