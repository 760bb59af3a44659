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
