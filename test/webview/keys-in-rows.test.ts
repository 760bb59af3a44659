// Which way a program's masked scores lie: what a hidden cell says of its query and its key depends on it.
import assert from 'node:assert/strict';
import { explainAttention } from '../../engine/index';
import { readingAttention } from '../../engine/program/explain/text';
import { finish } from '../../engine/text/pace';
import { keysInRows, needsParentheses } from '../../webview/trace/steps';

const isInRows = (scores: string, rest: string): boolean => {
  const text = `import numpy as np\nrng = np.random.default_rng(0)\nq, k, v = rng.normal(size=(3, 4, 4))\nscores = ${scores} / 2\nmask = np.triu(np.ones((4, 4)), 1)\n${rest}\n`;
  const found = finish(readingAttention(text, undefined));
  const trace = found?.ok ? explainAttention(found.value.spec) : undefined;
  assert.ok(trace?.ok);
  assert.ok(trace.value.plan.steps.some(({ id }) => id === 'masked'));
  return keysInRows(trace.value.plan);
};

const rows = 'e = np.exp(np.where(mask == 1, -1e9, scores))\nprint((e / e.sum(axis=-1, keepdims=True)) @ v)';
const columns = 'e = np.exp(np.where(mask.T == 1, -1e9, scores))\nprint((e / e.sum(axis=0)).T @ v)';

describe('masked scores of a program', () => {
  it('have keys in rows where K meets Q and the softmax runs over columns, and queries elsewhere', () => {
    assert.equal(isInRows('k @ q.T', columns), true);
    assert.equal(isInRows('q @ k.T', rows), false);
    // Turned before the mask.
    assert.equal(isInRows('(k @ q.T).T', rows), false);
    assert.equal(isInRows('(q @ k.T).T', columns), true);
  });
});

describe('the name of a cell of a program', () => {
  it('has parentheses around code with an operator, and none around a symbol', () => {
    for (const code of ['mask == 0', 'q @ k.transpose(-2, -1)', 'scores / 2', 'a // b'])
      assert.ok(needsParentheses(code), code);
    for (const symbol of ['S', 'Q heads', 'k.transpose(-2, -1)', 'X·W_q', 'self.qkv(x)', 'f(a, -1)'])
      assert.ok(!needsParentheses(symbol), symbol);
  });
});
