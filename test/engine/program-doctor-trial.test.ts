// What a trial with forty programs of other hands showed: false words about right code.
import assert from 'node:assert/strict';
import { diagnosingText, type Diagnosis } from '../../engine/program/doctor/diagnose';
import { finish } from '../../engine/text';

const diagnosed = (text: string): Diagnosis => finish(diagnosingText(text));
const found = (text: string): readonly string[] =>
  diagnosed(text).findings.map(({ rule, range }) => `${rule} ${text.slice(range.start, range.end)}`);

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
});
