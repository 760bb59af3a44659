import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  explainAttention,
  explainCell,
  matrixDefaults,
  readSwitches,
  traceToJson,
  validateSpec,
  writeSwitches,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';
import { runProgram } from '../../engine/program/program';
import { readingAttention, type ProgramSpec } from '../../engine/program/explain/text';
import { explaining } from '../../engine/program/explain/explain';
import { findAttention } from '../../engine/program/recognise/find';
import type { Attention } from '../../engine/program/recognise/attention';
import { titleOf } from '../../engine/program/places/index';
import { valuesOf } from '../../engine/run/hash';
import { programRest } from '../../engine/spec/spec';
import { finish } from '../../engine/text/pace';
import { handWritten } from './program-compare';

const program = (name: string): string => {
  const found = handWritten().find((one) => one.name.startsWith(name));
  assert.ok(found, name);
  return found.text;
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Which part stands in which line, of every attention. */
const partsOf = (text: string): readonly object[] =>
  findAttention(runProgram(text).graph).map(({ parts, keys, normalised, heads }: Attention) => ({
    ...Object.fromEntries(
      Object.entries(parts).map(([name, { range, shape }]) => [
        name,
        `${lineOf(text, range.start)}: ${shape?.join('×')}`,
      ]),
    ),
    keys,
    normalised,
    heads,
  }));

function explained(text: string, at?: { start: number; end: number }): ProgramSpec {
  const found = finish(readingAttention(text, at));
  // A found one holds the graph, which is no tree to be written out.
  assert.ok(found?.ok, found && !found.ok ? JSON.stringify(found.problems) : 'none');
  return found.value;
}

function traced(spec: AttentionSpec): AttentionTrace {
  const valid = validateSpec(JSON.parse(JSON.stringify(spec)));
  assert.ok(valid.ok, JSON.stringify(valid));
  const trace = explainAttention(valid.value);
  assert.ok(trace.ok, JSON.stringify(trace));
  return trace.value;
}

const near = (found: ArrayLike<number>, expected: readonly number[], within: number): void =>
  expected.forEach((x, i) =>
    assert.ok(Math.abs((found[i] as number) - x) <= within, `${i}: ${found[i]}, expected ${x}`),
  );

const stepsOf = (trace: AttentionTrace, id: string): Float64Array => {
  const step = trace.plan.steps.find((one) => one.id === id);
  assert.ok(step, `${id} of ${trace.plan.steps.map((one) => one.id).join()}`);
  return valuesOf(trace, step);
};

/** Names that a person chose, each by another one. Keywords of a library's functions and what modules are called stay. */
function renamed(text: string): string {
  const bound = text.matchAll(
    /(?:^|[\s,(])(?:self\.)?([a-z_]\w*)(?=(?:\s*,\s*(?:self\.)?\w+)*\s*=[^=])|\bdef\s+(?!__|forward)(\w+)|class\s+(\w+)|\bfor\s+(\w+)/gm,
  );
  const library = new Set(
    'dim axis keepdims keepdim bias dtype size diagonal super self forward nn torch np F math shape requires_grad device batch_first num_heads dropout high low is_causal attn_mask'.split(
      ' ',
    ),
  );
  const names = new Set([...bound].flatMap(([, ...groups]) => groups.filter((name) => name && !library.has(name))));
  [...text.matchAll(/\bdef\s+\w+\(([^)]*)\)/g)].forEach(([, parameters = '']) =>
    parameters.split(',').forEach((parameter) => {
      const name = /^\s*\*{0,2}(\w+)/.exec(parameter)?.[1];
      if (name && !library.has(name)) names.add(name);
    }),
  );
  [...names].forEach((name, i) => {
    text = text.replace(
      new RegExp(`(?<![\\w'"]|torch\\.|np\\.|nn\\.|F\\.|math\\.)${name}(?![\\w'"])`, 'g'),
      `zz${i}${'_'.repeat(Math.max(0, (name as string).length - 3))}`,
    );
  });
  return text;
}

describe('attention in a program', () => {
  it('is the same with all names changed', () => {
    let compared = 0;
    for (const name of [
      'rasbt_chapter3',
      'numpy_attention',
      'softmax_wrong_axis',
      'karpathy_head',
      'cross_attention',
    ]) {
      const text = program(name);
      const other = renamed(text);
      assert.ok(
        !/\b(?:query|queries|keys|values|scores|attn_weights|softmax_rows)\b/.test(other.replaceAll(/#.*/g, '')),
        other,
      );
      const [own, again] = [partsOf(text), partsOf(other)];
      assert.ok(own.length > 0, name);
      assert.deepEqual(again, own, name);
      compared += own.length;
    }
    assert.ok(compared >= 6, `${compared}`);
  });

  it('is none in a classifier, a perceptron with softmax inside, and a mean over words', () => {
    const none = [
      'import numpy as np\nX = np.ones((5, 3))\nW = np.ones((3, 4))\ne = np.exp(X @ W)\np = e / e.sum(axis=1, keepdims=True)',
      'import torch\nx = torch.ones(5, 3)\nW1, W2 = torch.ones(3, 4), torch.ones(4, 2)\ny = torch.softmax(x @ W1 + 1, dim=-1) @ W2',
      'import torch, torch.nn as nn\nm = nn.Sequential(nn.Linear(3, 4), nn.Softmax(dim=-1), nn.Linear(4, 2))\ny = m(torch.ones(5, 3))',
      'import torch\nx = torch.ones(5, 3)\ny = torch.softmax(torch.zeros(5, 5), dim=-1)\nz = y.sum()',
      'import numpy as np\nX, W, b = np.random.randn(8, 4), 0.1 * np.random.randn(3, 4), np.zeros(3)\ne = np.exp(X @ W.T + b)\np = e / e.sum(axis=1, keepdims=True)',
      'import numpy as np\nX, W, b = np.random.randn(4, 8), 0.1 * np.random.randn(4, 3), np.zeros((3, 1))\ne = np.exp(W.T @ np.maximum(X, 0) + b)\np = e / e.sum(axis=0)',
    ];
    for (const text of none) assert.deepEqual(partsOf(text), [], text);
  });

  it('has the steps of the code, with its numbers and lines, in every program of the fixtures', () => {
    let [attentions, steps] = [0, 0];
    for (const { name, text } of handWritten()) {
      const ran = runProgram(text);
      for (const attention of findAttention(ran.graph).slice(-4)) {
        const made = finish(explaining(text, ran, attention));
        assert.ok(made.ok, `${name}: ${made.ok ? '' : JSON.stringify(made.problems)}`);
        const trace = traced(made.value.spec);
        attentions++;
        steps += trace.plan.steps.length;
        assert.ok(
          trace.plan.steps.every(({ line = 0, standIn }) => line > 0 && !standIn),
          name,
        );
        const weights = trace.plan.steps.find(({ id }) => id === 'weights');
        const own = finish(ran.look(attention.site.weights));
        assert.ok('data' in own && weights, name);
        assert.deepEqual([...valuesOf(trace, weights)], [...own.data], name);
        assert.equal(weights.line, lineOf(text, attention.site.weights.range.start));
      }
    }
    assert.ok(attentions >= 30 && steps > 300, `${attentions} attentions, ${steps} steps`);
  });

  it('prints what the book prints: chapter 3, v1 by its line, then multi-head', () => {
    const text = program('rasbt_chapter3');
    const at = text.indexOf('attn_scores = queries @ keys.T # omega');
    const first = traced(explained(text, { start: at, end: at + 1 }).spec);
    near(stepsOf(first, 'output'), [0.2996, 0.8053, 0.3061, 0.821], 5e-5);
    const v2 = text.indexOf('attn_weights = ', text.indexOf('class SelfAttention_v2'));
    near(stepsOf(traced(explained(text, { start: v2, end: v2 }).spec), 'output'), [-0.0739, 0.0713], 5e-5);
    near(stepsOf(traced(explained(text).spec), 'output'), [0.319, 0.4858, 0.2943, 0.3897], 5e-5);
  });

  it('prints what tutorial 001 prints, of an example that ends at the weights', () => {
    const text = readFileSync(join(__dirname, '../../extension/examples/1-the-cat-sat.py'), 'utf8');
    const trace = traced(explained(text).spec);
    near(stepsOf(trace, 'weights').slice(4, 6), [0.52712553, 0.47287447], 5e-9);
    near(stepsOf(trace, 'weights').slice(8, 11), [0.3922859, 0.49747004, 0.11024406], 5e-9);
  });

  it('shows softmax over the other axis as the code has it, and says so', () => {
    // PyTorch 1.13 prints these.
    const trace = traced(explained(program('softmax_wrong_axis')).spec);
    near(stepsOf(trace, 'weights'), [0.199359, 0.158377, 0.15873, 0.197621, 0.298421, 0.343985], 1e-6);
    near(stepsOf(trace, 'output'), [0.549506, 0.656963, 1.032033, 1.2536], 1e-6);
    assert.match(trace.plan.notes.map(({ message }) => message).join(), /over the queries/);
  });

  it('shows softmax over a whole matrix, written out, with what made its cells', () => {
    // NumPy 1.24 prints these.
    const text = `import numpy as np
np.random.seed(0)
q = np.random.randn(3, 2)
k = np.random.randn(3, 2)
v = np.random.randn(3, 2)
e = np.exp(q @ k.T / np.sqrt(2))
a = e / np.sum(e)
o = a @ v`;
    const trace = traced(explained(text).spec);
    near(stepsOf(trace, 'weights'), [0.1239119053492707, 0.03904484954747338, 0.07141096468980745], 1e-15);
    near(stepsOf(trace, 'output'), [0.2183258356448769, 0.01345469750761112, 0.730843098340534], 1e-15);
    assert.match(trace.plan.notes.map(({ message }) => message).join(), /whole matrix/);
    const cell = explainCell(trace, 'weights', [1, 2]);
    assert.ok(cell.kind === 'applied' && cell.function === '÷' && cell.operands.length === 2);
    assert.equal(cell.value, (cell.operands[0]?.value ?? NaN) / (cell.operands[1]?.value ?? NaN));
    const sum = trace.plan.steps.find(({ call }) => call.op === 'reduce');
    const total = explainCell(trace, sum?.id ?? '', [0, 0]);
    assert.ok(total.kind === 'reduced' && total.terms.length === 9);
    assert.equal(
      total.terms.reduce((all, { value }) => all + value, 0),
      total.value,
    );
  });

  it('finds softmax by a logarithm, behind rotations that generators make, with the numbers of PyTorch 1.13', () => {
    const text = `import torch
from torch import nn
def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)
class RotaryAttention(nn.Module):
    def __init__(self, dim=8, heads=2, base=10000.0):
        super().__init__()
        self.h, self.d = heads, dim // heads
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.register_buffer('inv', base ** (-torch.arange(0, self.d, 2) / self.d))
    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.to_qkv(x).view(b, t, 3, self.h, self.d).permute(2, 0, 3, 1, 4)
        ang = torch.arange(t)[:, None] * self.inv
        cos, sin = (f(torch.cat((ang, ang), -1)) for f in (torch.cos, torch.sin))
        q, k = (u * cos + rotate_half(u) * sin for u in (q, k))
        s = (q * self.d ** -0.25) @ (k * self.d ** -0.25).transpose(-1, -2)
        s = s + torch.full((t, t), float('-inf')).triu(1)
        y = torch.exp(s - s.logsumexp(-1, keepdim=True)) @ v
        return y.permute(0, 2, 1, 3).reshape(b, t, -1)
torch.manual_seed(0)
RotaryAttention()(torch.randn(1, 3, 8))`;
    const trace = traced(explained(text).spec);
    near(
      [...stepsOf(trace, 'output')].slice(16),
      [-0.271, -0.0369, 0.2279, 0.1331, -0.23, 0.6385, 0.2475, -0.3474],
      6e-5,
    );
    // V is cut from the product that makes all three.
    assert.equal(trace.plan.steps.find(({ id }) => id === 'v')?.call.op, 'rearrange');
  });

  it('finds softmax by a logarithm of sums, over whichever axis, and none where the sum is of other numbers', () => {
    // NumPy 1.24 has 0.55412817 in row 1, column 0, and 0.30676009 where columns sum to 1.
    const text = (weights: string): string =>
      `import numpy as np\nfrom scipy.special import logsumexp\nq, k, v = np.random.default_rng(0).normal(size=(3, 4, 4))\ns = q @ k.T / 2\nm = s.max(-1, keepdims=True)\nprint(${weights} @ v)`;
    for (const [weights, value, axis] of [
      ['np.exp(s - (m + np.log(np.exp(s - m).sum(-1, keepdims=True))))', 0.55412817, 1],
      ['np.exp(s - m - np.log(np.exp(s - m).sum(-1, keepdims=True)))', 0.55412817, 1],
      ['np.exp(s - logsumexp(s, axis=-1)[:, None])', 0.55412817, 1],
      ['np.exp(s - m - np.log(np.exp(s - m).sum(0, keepdims=True)))', 0.30676009, 0],
    ] as const) {
      near([stepsOf(traced(explained(text(weights)).spec), 'weights')[4] as number], [value], 1e-8);
      assert.deepEqual(findAttention(runProgram(text(weights)).graph).map(({ site }) => site.axes), [[axis]], weights);
    }
    for (const weights of ['np.exp(s - np.log(np.exp(2 * s).sum(-1, keepdims=True)))', 'np.exp(s - logsumexp(q, axis=-1)[:, None])', 'np.exp(s - (2 * m + np.log(np.exp(s - m).sum(-1, keepdims=True))))'])
      assert.deepEqual(findAttention(runProgram(text(weights)).graph), [], weights);
  }); // prettier-ignore

  it('marks numbers that the code does not have', () => {
    const text =
      'import numpy as np\nq = np.random.randn(3, 2)\nw = np.exp(q @ q.T)\nw = w / w.sum(-1, keepdims=True)\nprint(w @ q)';
    const trace = traced(explained(text).spec);
    assert.ok(trace.plan.steps.every(({ standIn }) => standIn));
    assert.ok(traceToJson(trace).steps.every(({ standIn }) => standIn));
    assert.match(trace.plan.notes[0]?.message ?? '', /numbers of q: .* come from seed 0\.$/);
  });

  it('says of its own mask, and of what is computed, not that they stand in; and gives no noise of float32 as a scale', () => {
    const text = "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def __init__(self, dim, heads):\n        super().__init__()\n        self.heads = heads\n        self.qkv = nn.Linear(dim, 3 * dim, bias=False)\n        self.register_buffer('seen', torch.tril(torch.ones(64, 64)).bool())\n    def forward(self, x):\n        b, n, d = x.shape\n        q, k, v = (t.reshape(b, n, self.heads, d // self.heads).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))\n        att = (q @ k.mT * (d // self.heads) ** -0.5).masked_fill(~self.seen[:n, :n], float('-inf'))\n        p = att.softmax(dim=-1).masked_fill(torch.eye(n).bool(), 0.0)\n        return (p @ v).transpose(1, 2).reshape(b, n, d)\n";
    const { plan } = traced(explained(text).spec);
    assert.deepEqual(plan.notes.filter(({ code }) => code === 'stand-in').map(({ message }) => message.replace(/^.* numbers of |: the missing.*/g, '')), ['x, self.qkv.weight']);
    assert.match(plan.notes.map(({ message }) => message).join(), /seed 0/);
    const wide = 'import torch\ntorch.manual_seed(0)\nq, k, v = torch.randn(3, 5, 8).unbind(0)\nprint(torch.softmax(q @ k.T * q.shape[-1] ** -0.5, dim=-1) @ v)';
    const scaled = traced(explained(wide).spec).plan.steps.find(({ id }) => id === 'scaled');
    assert.match(scaled?.words.what ?? '', /times 0\.353553\.$/);
  }); // prettier-ignore

  it('stays as it is when the page reads its switches and writes them', () => {
    const { spec } = explained(program('rasbt_chapter3'));
    assert.deepEqual(writeSwitches(spec, readSwitches(spec)), spec);
  });

  it('refuses steps that do not fit, views that leave their operand, operands that come later', () => {
    const { spec } = explained(program('softmax_wrong_axis'));
    assert.ok(spec.start.from === 'program');
    const { start } = spec;
    const changed = (id: string, change: object): AttentionSpec =>
      ({
        ...spec,
        start: { ...start, steps: start.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) },
      }) as AttentionSpec;
    const view = start.steps.find(({ op }) => op === 'rearrange')?.id ?? '';
    for (const [bad, code] of [
      [changed('scores', { transposeB: false }), 'shape-mismatch'],
      [changed(view, { offset: 7 }), 'shape-mismatch'],
      [changed('scores', { operands: ['q', 'output'] }), 'field'],
      [changed('scores', { id: 'q' }), 'field'],
    ] as const) {
      const trace = explainAttention(bad);
      assert.ok(!trace.ok && trace.problems[0]?.code === code, JSON.stringify(trace.ok ? 'accepted' : trace.problems));
    }
  });

  it('shows Q, K and V side by side before the scores, by the code’s names', () => {
    const { spec } = explained(program('rasbt_chapter3'));
    const { steps } = traced(spec).plan;
    const rows = steps.filter(({ place }) => place !== 'input').map(({ symbol, place, call }) => [symbol, call.op, place].join(' ')); // prettier-ignore
    assert.deepEqual(rows, [
      'batch given main',
      'queries matmul branch', 'queries splitHeads branch',
      'keys matmul branch', 'keys splitHeads branch',
      'values matmul branch', 'values splitHeads branch',
      'attn_scores matmul main', 'attn_scores mask main', 'Z divide main', 'attn_weights softmax main',
      'attn_weights @ values matmul main', 'context_vec concatHeads main', 'product matmul main', 'context_vec add main',
    ]); // prettier-ignore
    const inputs = steps.filter(({ place }) => place === 'input').map(({ symbol }) => symbol);
    assert.deepEqual(inputs, ['self.W_query.weight', 'self.W_key.weight', 'self.W_value.weight', 'mask_bool', 'self.out_proj.weight', 'self.out_proj.bias']); // prettier-ignore
    // Divided by √d_k after the mask: −∞ stays hidden.
    assert.equal(steps.find(({ id }) => id === 'scaled')?.hiddenBy, 'mask');
  });

  it('calls a layer’s weight by the layer, though a loop over all parameters called it `p` last', () => {
    const { spec } = explained(program('nanogpt'));
    const { steps } = traced(spec).plan;
    const named = steps.filter(({ role }) => role === 'parameter').map(({ id, symbol, shape }) => `${id} ${symbol} ${shape.join('×')}`); // prettier-ignore
    assert.deepEqual(named, [
      'wq self.c_attn.weight 96×32', 'bq self.c_attn.bias 1×96', 'wo self.c_proj.weight 32×32', 'bo self.c_proj.bias 1×32',
    ]); // prettier-ignore
  });
});

describe('steps of a program between its projections and its scores', () => {
  it('are the code’s own where queries are normed and rotated, a cache is joined and scores are capped', () => {
    const { spec } = explained(program('qk_norm_partial_rotary'));
    assert.ok(spec.start.from === 'program');
    const { steps } = spec.start;
    const given = steps.flatMap((step) => (step.op === 'given' && step.origin === 'computed' ? [step.name] : []));
    // The tables of angles have no tokens in them; all else is computed step by step.
    assert.deepEqual([...new Set(given)].sort(), ['cos', 'sin']);
    const done = steps.map(({ op }) => op);
    for (const op of ['apply', 'join', 'divide', 'combine', 'reduce', 'softmax'] as const)
      assert.ok(done.includes(op), op);
    const mean = steps.filter(({ op }) => op === 'reduce');
    assert.equal(mean.length, 2);
    assert.deepEqual(mean.map(({ line }) => line), [16, 16]); // prettier-ignore
  });

  it('are joined, turned into squares, roots and tanh by hand', () => {
    const own = { role: 'x', name: 'a' } as const;
    const steps = [
      { ...own, op: 'given', id: 'a', values: [[4, 9], [16, 25]] },
      { ...own, op: 'given', id: 'b', values: [[1], [2]] },
      { ...own, op: 'given', id: 'c', values: [[0, 1]] },
      { ...own, op: 'join', id: 'beside', operands: ['a', 'b'], axis: 1 },
      { ...own, op: 'join', id: 'below', operands: ['c', 'a', 'c'], axis: 2 },
      { ...own, op: 'apply', id: 'square', operands: ['a'], of: 'square' },
      { ...own, op: 'apply', id: 'root', operands: ['a'], of: 'root' },
      { ...own, op: 'apply', id: 'inverseRoot', operands: ['a'], of: 'inverseRoot' },
      { ...own, op: 'apply', id: 'inverse', operands: ['a'], of: 'inverse' },
      { ...own, op: 'apply', id: 'tanh', operands: ['c'], of: 'tanh' },
    ] as const; // prettier-ignore
    const spec = (list: readonly unknown[]): AttentionSpec =>
      ({ ...matrixDefaults, ...programRest, start: { from: 'program', dtype: 'float64', tokens: { queries: 2, keys: 2 }, steps: list } }) as AttentionSpec; // prettier-ignore
    const trace = traced(spec(steps));
    assert.deepEqual([...stepsOf(trace, 'beside')], [4, 9, 1, 16, 25, 2]);
    assert.deepEqual([...stepsOf(trace, 'below')], [0, 1, 4, 9, 16, 25, 0, 1]);
    assert.deepEqual([...stepsOf(trace, 'square')], [16, 81, 256, 625]);
    assert.deepEqual([...stepsOf(trace, 'root')], [2, 3, 4, 5]);
    assert.deepEqual([...stepsOf(trace, 'inverseRoot')], [1 / 2, 1 / 3, 1 / 4, 1 / 5]);
    assert.deepEqual([...stepsOf(trace, 'inverse')], [1 / 4, 1 / 9, 1 / 16, 1 / 25]);
    // tanh 1 = 0.761594155955764888… (Abramowitz and Stegun, table 4.15)
    assert.deepEqual([...stepsOf(trace, 'tanh')], [0, 0.7615941559557649]);
    // The last row below is the row of the third part.
    const cell = explainCell(trace, 'below', [3, 1]);
    assert.ok(cell.kind === 'moved' && cell.operand.step === 'c' && cell.operand.index.join() === '0,1', JSON.stringify(cell)); // prettier-ignore
    const root = explainCell(trace, 'inverseRoot', [1, 0]);
    assert.ok(root.kind === 'worked' && root.operand.value === 16 && root.lines[0]?.value === 0.25);
    for (const [at, change] of [
      [3, { operands: ['a', 'c'] }],
      [3, { axis: 0 }],
      [3, { axis: 3 }],
      [4, { operands: [] }],
    ] as const)
      assert.ok(!explainAttention(spec(steps.map((step, i) => (i === at ? { ...step, ...change } : step)))).ok, `${at} ${JSON.stringify(change)}`); // prettier-ignore
  });
});

describe('attention that loops compute', () => {
  const shown = (name: string): readonly string[] => {
    const text = program(name);
    const ran = runProgram(text);
    return findAttention(ran.graph).map((attention) => {
      const made = finish(explaining(text, ran, attention));
      assert.ok(made.ok && made.value.spec.start.from === 'program' && made.value.replaced.length === 0);
      return made.value.spec.start.steps.map(({ id, op, line }) => `${id} ${op} ${line}`).join(', ');
    });
  };

  it('is shown as the products that they are, each at its line', () => {
    const [one, all, arrays, ...more] = shown('dot_products_in_loops');
    assert.deepEqual(more, []);
    assert.match(one ?? '', /scores matmul 11, weights softmax 12, output matmul 15$/);
    assert.match(all ?? '', /scores matmul 20, weights softmax 21, output matmul 22$/);
    assert.match(arrays ?? '', /q matmul 26, .*k matmul 26, .*scores matmul 30, .*output matmul 32$/);
  });

  it('is shown with the vectors of its lists as rows, a query at a time; other pairs of a list are no attention', () => {
    const all = shown('lists_of_vectors');
    assert.equal(all.length, 3);
    for (const steps of all) {
      assert.match(steps, /q given 10, .*joined1 join 24, .*joined2 join 26, scores matmul 24, .*weights combine 17, /);
      assert.match(steps, /product1 matmul 26, output rearrange 26$/);
    }
  });

  it('is given as it is where the loop goes another way', () => {
    for (const steps of shown('other_loops')) assert.doesNotMatch(steps, /scores matmul (9|15)|output matmul 20/);
    assert.equal(shown('other_loops').length, 3);
  });
});

describe('what a program multiplies its tokens with', () => {
  it('is the weight, also where it is drawn with a standard deviation, and where tokens are columns', () => {
    const text = program('tokens_as_columns');
    const named = findAttention(runProgram(text).graph).map(({ parts }) =>
      (['x', 'wq', 'wk', 'wv'] as const).map((part) => {
        const start = parts[part]?.range.start ?? 0;
        return text.slice(text.lastIndexOf('\n', start) + 1, start).trim();
      }),
    );
    assert.deepEqual(named, [
      ['X =', 'W_q =', 'W_k =', 'W_v ='],
      ['tokens =', 'U_q, U_k, U_v = (', 'U_q, U_k, U_v = (', 'U_q, U_k, U_v = ('],
    ]);
  });
});

describe('values that are weighed by a product of each cell and a sum', () => {
  const start = [
    'import torch',
    'torch.manual_seed(0)',
    'q, k, v = torch.randn(2, 5, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4)',
  ];
  const found = (...lines: string[]): unknown =>
    partsOf([...start, ...lines].join('\n')).map((one) => {
      const { v, output, keys, normalised } = one as Record<string, unknown>;
      return { v, output, keys, normalised };
    });

  it('are V, and the sum is the output, whichever axis the keys are', () => {
    const one = 's = (q[:, :1] @ k.transpose(1, 2)).squeeze(1)';
    const rows = { v: '3: 2×5×4', output: '6: 2×4', keys: 'rows', normalised: true };
    assert.deepEqual(found(one, 'w = s.softmax(-1)', 'out = (w[:, :, None] * v).sum(1)'), [rows]);
    assert.deepEqual(found(one, 'w = s.softmax(-1)', 'out = torch.sum(v.mT * w.unsqueeze(1), dim=-1)'), [rows]);
    const column = 's = k @ q[:, :1].transpose(1, 2)';
    assert.deepEqual(found(column, 'w = s.softmax(dim=1)', 'out = (w * v).sum(1)'), [{ ...rows, keys: 'columns' }]);
    const all = ['s = q @ k.mT', 'w = s.softmax(-1)'];
    assert.deepEqual(found(...all, 'out = (w[..., None] * v[:, None]).sum(2)'), [{ ...rows, output: '6: 2×5×4' }]);
  });

  it('are none where one weight meets one number, or what is summed is no key', () => {
    const all = ['s = q @ k.mT', 'w = s.softmax(-1)'];
    for (const line of ['(w * w.log()).sum(-1)', '(w * torch.arange(5)).sum(-1)', '(w[..., None] * v[:, None]).sum(-1)', '(w[..., None] * v[:, None]).sum((1, 2))', '(w.reshape(2, 25, 1) * torch.randn(2, 25, 4)).sum(1)', '(w[..., None] * v[:, :, None]).sum(1)', '(w[None] * torch.randn(3, 2, 5, 5)).sum(-1)', '(w[..., None] * torch.randn(2, 5, 5, 4)).sum(2)', '(w[0, :, :, None] * (v[0][:, None] - k[0][None])).sum(dim=0)'])
      assert.deepEqual(found(...all, `out = ${line}`), [], line); // prettier-ignore
  });

  it('meet a query that a layer learned, or a vector on whichever side', () => {
    const lines = ['u = torch.tanh(torch.nn.Linear(4, 3)(v))', 'c = torch.randn(3)', 'f = torch.nn.Linear(3, 1)'];
    const named = (line: string): unknown =>
      findAttention(runProgram([...start, ...lines, line, 'out = (w[..., None] * v).sum(1)'].join('\n')).graph).map(({ parts }) => [parts.q?.shape, parts.k?.shape, parts.output?.shape]); // prettier-ignore
    assert.deepEqual(named('w = (u @ c).softmax(1)'), [[[3], [2, 5, 3], [2, 4]]]);
    assert.deepEqual(named('w = f(u).squeeze(-1).softmax(1)'), [
      [
        [1, 3],
        [2, 5, 3],
        [2, 4],
      ],
    ]);
    // Three numbers for each token are classes, and no query is one number.
    assert.deepEqual(named('w = torch.nn.Linear(3, 5)(u)[:, 0].softmax(1)'), []);
  });

  it('have the query in what all keys meet in a column of scores, as Luong et al. (2015) are written in PyTorch', () => {
    for (const line of ['torch.bmm(w.unsqueeze(1), v)', '(w.unsqueeze(2) * v).sum(1)']) {
      const code = ['state, keys = torch.randn(2, 4).tanh(), torch.nn.Linear(4, 4)(k)', 'w = torch.bmm(keys, state.unsqueeze(2)).squeeze(2).softmax(1)', `out = ${line}`]; // prettier-ignore
      const [one, ...more] = findAttention(runProgram([...start, ...code].join('\n')).graph);
      assert.deepEqual([one?.parts.q?.shape, one?.parts.k?.shape, more], [[2, 4], [2, 5, 4], []]);
    }
  });

  it('are graph attention, whose scores are a sum of one number of each', () => {
    const graph = ['h = v[0] @ torch.randn(4, 3)', 'a = torch.randn(6, 1)', 'e = torch.nn.functional.leaky_relu(h @ a[:3] + (h @ a[3:]).T)', 'w = torch.where(torch.ones(5, 5).tril() > 0, e, -9e15 * torch.ones_like(e)).softmax(dim=1)', 'out = w @ h']; // prettier-ignore
    const [one, ...more] = partsOf([...start, ...graph].join('\n')) as Record<string, unknown>[];
    assert.deepEqual([one?.scores, one?.masked, one?.v, one?.output, more], ['6: 5×5', '7: 5×5', '4: 5×3', '8: 5×3', []]); // prettier-ignore
    // Distances are sums of squares: their scores are the product beside them.
    const distances = ['a, b = q[0], k[0]', 'd = (a ** 2).sum(1, keepdim=True) + (b ** 2).sum(1)[None] - 2 * a @ b.T', 'out = (-d).softmax(1) @ v[0]']; // prettier-ignore
    assert.equal((partsOf([...start, ...distances].join('\n'))[0] as Record<string, unknown>).scores, '5: 5×5');
  });

  it('are those of Bahdanau attention as TensorFlow’s tutorial writes it', () => {
    const code = [
      'import tensorflow as tf',
      'class Attention(tf.keras.layers.Layer):',
      '    def __init__(self, units):',
      '        super().__init__()',
      '        self.W1, self.W2, self.V = tf.keras.layers.Dense(units), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)',
      '    def call(self, query, values):',
      '        score = self.V(tf.nn.tanh(self.W1(tf.expand_dims(query, 1)) + self.W2(values)))',
      '        attention_weights = tf.nn.softmax(score, axis=1)',
      '        context_vector = attention_weights * values',
      '        return tf.reduce_sum(context_vector, axis=1), attention_weights',
      'context, weights = Attention(10)(tf.random.normal((2, 6)), tf.random.normal((2, 5, 8)))',
    ].join('\n');
    const [{ output, scores, weights, ...rest } = {}] = partsOf(code) as Record<string, unknown>[];
    assert.deepEqual([scores, weights, output], ['7: 2×5×1', '8: 2×5×1', '10: 2×8']);
    assert.deepEqual([rest.keys, rest.normalised], ['columns', true]);
    explained(code);
  });
});

describe('layers whose weights a norm changes', () => {
  it('have shapes where the norm is spectral, whose numbers are not followed, and their numbers with a weight norm', () => {
    const layer = ['import torch', 'from torch import nn', 'from torch.nn.utils import spectral_norm, weight_norm', 'torch.manual_seed(0)', 'f = nn.Linear(4, 3)', 'x = torch.ones(2, 4)']; // prettier-ignore
    const last = (call: string): unknown => {
      const { bindings } = runProgram([...layer, `y = ${call}(x)`].join('\n'));
      const { shape, why } = bindings.findLast(({ name }) => name === 'y')?.node ?? {};
      return [shape, why?.text];
    };
    assert.deepEqual(last('nn.utils.parametrizations.weight_norm(f)'), [[2, 3], undefined]);
    assert.deepEqual(last('weight_norm(f)'), [[2, 3], undefined]);
    assert.match(String(last('spectral_norm(f)')), /^2,3,spectral_norm is not known/);
  });
});

describe('one weight for queries, keys and values', () => {
  /** The names of X, of the context where there is one, and of the weights. */
  const named = (setup: readonly string[], call: string): unknown => {
    const text = ['import torch', 'torch.manual_seed(0)', 'x = torch.randn(4, 3, 8)', 'y = torch.randn(5, 3, 8)', ...setup, call].join('\n'); // prettier-ignore
    return findAttention(runProgram(text).graph).map(({ parts }) =>
      (['x', 'context', 'wq', 'wk', 'wv'] as const).map((part) => {
        const start = parts[part]?.range.start;
        return start === undefined ? undefined : text.slice(text.lastIndexOf('\n', start) + 1).split(' =')[0];
      }),
    );
  };

  it('is no X, though it is one tensor for all three and the tokens were turned for each', () => {
    const layer = ['f = torch.nn.MultiheadAttention(8, 2)'];
    const turned = ['w = torch.randn(24, 8)', 'a, b, c = (torch.nn.functional.linear(x.transpose(0, 1), part) for part in w.chunk(3))']; // prettier-ignore
    const attended = 'out = (a @ b.transpose(1, 2)).softmax(-1) @ c';
    assert.deepEqual(named(layer, 'out = f(x, x, x)'), [['x', undefined, 'f', 'f', 'f']]);
    assert.deepEqual(named(layer, 'out = f(x, y, y)'), [['x', 'y', 'f', 'f', 'f']]);
    assert.deepEqual(named(turned, attended), [['x', undefined, 'w', 'w', 'w']]);
    // Tokens as columns, with one weight for all three.
    const columns = ['t = torch.randn(8, 5)', 'w = torch.randn(24, 8)', 'a, b, c = ((part @ t).T for part in w.chunk(3))']; // prettier-ignore
    assert.deepEqual(named(columns, 'out = (a @ b.T).softmax(-1) @ c'), [['t', undefined, 'w', 'w', 'w']]);
  });
});

describe('weights whose queries and keys are not the last two axes', () => {
  it('are named by their own sizes, and shown with these last', () => {
    const text = [
      'import torch',
      'torch.manual_seed(1)',
      'q, k, v = torch.rand(5, 2, 3, 4), torch.rand(6, 2, 3, 4), torch.rand(6, 2, 3, 4)',
      "scores = torch.einsum('ibhd,jbhd->ijbh', q, k)",
      'weights = scores.softmax(dim=1)',
      "out = torch.einsum('ijbh,jbhd->ibhd', weights, v)",
      "usual = torch.einsum('ibhd,jbhd->bhij', q, k).softmax(-1)",
      "same = torch.einsum('bhij,jbhd->ibhd', usual, v)",
    ].join('\n');
    const ran = runProgram(text);
    const [apart, usual] = findAttention(ran.graph);
    assert.ok(apart && usual);
    assert.deepEqual([apart.apart, apart.heads, usual.apart], [[[0], [1]], undefined, undefined]);
    assert.equal(finish(titleOf(apart)), '5×6, no mask');
    assert.match(finish(titleOf(usual)), /^5×6, 3 heads/);
    const made = finish(explaining(text, ran, apart));
    assert.match((made.ok && made.value.said[0]?.message) || '', /5×6×2×3 in the code; they are shown as 2×3×5×6/);
  });

  it('has heads where features were cut into them, and inputs where these came first', () => {
    const text = (x: string): string =>
      `import numpy as np\nrng = np.random.default_rng(0)\n${x}\nS = Q @ np.swapaxes(Q, -1, -2) / np.sqrt(2)\nA = np.exp(S) / np.exp(S).sum(-1, keepdims=True)\nO = A @ Q\n`;
    const of = (x: string): unknown => {
      const [found] = findAttention(runProgram(text(x)).graph);
      return [found?.heads, found && finish(titleOf(found))];
    };
    const cut = 'Q = (rng.normal(size=(5, 8)) @ rng.normal(size=(8, 8))).reshape(5, 4, 2).transpose(1, 0, 2)';
    assert.deepEqual(of(cut), [4, '5×5, 4 heads, no mask']);
    assert.deepEqual(of('Q = rng.normal(size=(4, 5, 8)) @ rng.normal(size=(8, 2))'), [1, '5×5, one head, no mask']);
    assert.deepEqual(of('Q = rng.normal(size=(4, 5, 2))'), [1, '5×5, one head, no mask']);
    assert.equal(explained(text(cut)).spec.heads, 4);
  });

  it('calls what is transposed by its name with a T, so that a product of columns reads as it is', () => {
    const text =
      'import numpy as np\nK, Q, V = np.ones((4, 5)), np.ones((4, 5)), np.ones((4, 5))\nS = K.T @ Q\nA = np.exp(S) / np.exp(S).sum(axis=0)\nout = V @ A\n';
    const { plan } = traced(explained(text).spec);
    const scores = plan.steps.find(({ id }) => id === 'scores');
    const names = scores?.operands.map((id) => plan.steps.find((step) => step.id === id)?.symbol);
    assert.deepEqual(names, ['Kᵀ', 'Q']);
  });
});
