// Right programs of a reviewer's hand, of each of which a rule once said something false.
import assert from 'node:assert/strict';
import { diagnosingText, type Diagnosis } from '../../engine/program/doctor/diagnose';
import { finish } from '../../engine/text';

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
