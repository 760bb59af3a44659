/** Attention over integers, and names of what is turned: tutorials write Q, K and V as whole numbers, of which a library makes floats on the way. */
import assert from 'node:assert/strict';
import { explainAttention, type Step } from '../../engine/index';
import { readingAttention } from '../../engine/program/explain/text';
import { finish } from '../../engine/text/pace';

function stepsOf(...lines: readonly string[]): readonly Step[] {
  const found = finish(readingAttention(lines.join('\n'), undefined));
  assert.ok(found?.ok, found && !found.ok ? JSON.stringify(found.problems) : 'no attention');
  const trace = explainAttention(found.value.spec);
  assert.ok(trace.ok, JSON.stringify(trace));
  return trace.value.plan.steps;
}

const operations = (steps: readonly Step[]): string => steps.map(({ id, call }) => `${id} ${call.op}`).join(', ');
const said = (steps: readonly Step[]): string =>
  steps.flatMap(({ symbol, words }) => [symbol, words.name, words.what]).join('\n');

const [q, k, v] = ['[[1, 2], [3, 4]]', '[[1, 0], [0, 1], [1, 1]]', '[[1, 2, 3], [4, 5, 6], [7, 8, 9]]'];

describe('attention over integers', () => {
  it('is shown step by step where NumPy makes floats of a product', () => {
    const steps = stepsOf(
      'import numpy as np',
      'def softmax(x):',
      '    e = np.exp(x - x.max(axis=-1, keepdims=True))',
      '    return e / e.sum(axis=-1, keepdims=True)',
      `out = softmax(np.array(${q}) @ np.array(${k}).T) @ np.array(${v})`,
    );
    assert.equal(
      operations(steps),
      'q given, k given, v given, scores matmul, max1 reduce, subtract1 combine, exp1 exponential, sum1 reduce, weights combine, output matmul',
    );
    assert.doesNotMatch(said(steps), /not shown step by step|\bvalue\b/);
  });

  it('is shown step by step where PyTorch is asked for floats', () => {
    const steps = stepsOf(
      'import torch',
      'import torch.nn.functional as F',
      `Q, K, V = torch.tensor(${q}), torch.tensor(${k}), torch.tensor(${v})`,
      'out = F.softmax((Q @ K.T).float() / 2 ** 0.5, dim=-1) @ V.float()',
    );
    assert.equal(operations(steps), 'q given, k given, v given, scores matmul, scaled divide, weights softmax, output matmul'); // prettier-ignore
    assert.doesNotMatch(said(steps), /not shown step by step/);
  });

  it('keeps a conversion that changes numbers as a step that is given, by its name', () => {
    const steps = stepsOf(
      'import torch',
      `Q, K, V = torch.tensor(${q}) / 3, torch.tensor(${k}) / 3, torch.tensor(${v}) / 3`,
      'out = torch.softmax((Q @ K.T).half().float(), dim=-1) @ V',
    );
    assert.match(said(steps), /not shown step by step/);
    assert.doesNotMatch(said(steps), /^value$/m);
  });
});

describe('what is turned', () => {
  const named = (last: string): string =>
    said(stepsOf('import torch', 'import torch.nn.functional as F', `Q, K, V = torch.tensor(${q}) * 1.0, torch.tensor(${k}) * 1.0, torch.tensor(${v}) * 1.0`, last)); // prettier-ignore

  it('is called with one ᵀ, and in brackets where it is an expression', () => {
    const text = named('out = F.softmax(Q @ K.T, dim=0) @ V');
    assert.match(text, /^\(Q @ K\.T\)ᵀ$/m);
    assert.match(text, /^softmax\(\(Q @ K\.T\)ᵀ\)$/m);
    assert.doesNotMatch(text, /ᵀᵀ|\.Tᵀ|dim=0\)ᵀ/);
  });
});
