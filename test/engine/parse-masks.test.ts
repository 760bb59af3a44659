import assert from 'node:assert/strict';
import { dimsOf } from '../../engine/dims';
import { explainAttention } from '../../engine/index';
import { assembled, refused } from './parse-support';

/** Q, K and V with those axes before 3×4, drawn; and a mask of those sizes that hides later keys, none of its diagonal. */
const program = (lead: readonly number[], mask: string): string => {
  const shape = [...lead, 3, 4].join(', ');
  const draws = ['Q', 'K', 'V'].map((name) => `${name} = np.random.rand(${shape})`).join('\n');
  return `import numpy as np\nnp.random.seed(0)\n${draws}\nmask = ${mask}\n`;
};
const later = (shape: readonly number[]): string => `np.triu(np.ones((${shape.join(', ')})), k=1)`;

/** The weights of each head of each input are 0 at later keys, and nowhere else. */
function checkCausal(text: string, batch: number, heads: number): void {
  const trace = explainAttention(assembled(text).spec);
  assert.ok(trace.ok, trace.ok ? '' : trace.problems[0]?.message);
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++) {
      const { mean } = trace.value.read('weights', { batch: b, head: h });
      for (let i = 0; i < 9; i++) assert.equal(mean[i] === 0, i % 3 > Math.floor(i / 3), `${b}, ${h}, ${i}`);
    }
}

describe('a mask with axes before its rows and columns', () => {
  const taken: readonly (readonly [lead: readonly number[], mask: readonly number[], kept: readonly number[]])[] = [
    [[], [3, 3], []],
    [[], [1, 3, 3], []],
    [[], [1, 1, 3, 3], []],
    [[2], [3, 3], []],
    [[2], [1, 3, 3], [1]],
    [[2], [2, 3, 3], [2]],
    [[2], [1, 2, 3, 3], [2]],
    [[1, 2], [1, 2, 3, 3], [2]],
    [[2, 3], [3, 3], []],
    [[2, 3], [3, 3, 3], [3]],
    [
      [2, 3],
      [2, 1, 3, 3],
      [2, 1],
    ],
    [
      [2, 3],
      [1, 3, 3, 3],
      [1, 3],
    ],
    [
      [2, 3],
      [2, 3, 3, 3],
      [2, 3],
    ],
    [
      [2, 1],
      [2, 1, 3, 3],
      [2, 1],
    ],
  ];
  for (const [lead, mask, kept] of taken) {
    const [heads = 1, batch = 1] = [...lead].reverse();
    it(`${mask.join('×')} hides in each of ${[...lead, 3, 3].join('×')} scores`, () => {
      const text = program(lead, later(mask));
      const { spec, notes } = assembled(text);
      assert.match(notes.join(' '), /hides, for the ones stand above the diagonal/);
      assert.ok(typeof spec.mask === 'object' && spec.mask.kind === 'boolean');
      assert.deepEqual(dimsOf(spec.mask.values), [...kept, 3, 3]);
      checkCausal(text, batch, heads);
    });
  }

  it('a row of keys for each input serves each of its queries', () => {
    const { spec, notes } = assembled(program([2, 2], 'np.array([[[[1, 1, 0]]], [[[1, 0, 0]]]])'));
    assert.ok(typeof spec.mask === 'object' && spec.mask.kind === 'boolean');
    assert.deepEqual(spec.mask.values, [[[[1, 1, 0], [1, 1, 0], [1, 1, 0]]], [[[1, 0, 0], [1, 0, 0], [1, 0, 0]]]]); // prettier-ignore
    assert.match(notes.join(' '), /Its one row serves every query/);
    assert.match(notes.join(' '), /Q is 2×2×3×4: 2 inputs, each of 2 heads of 3×4\./);
  });

  it('is added where its numbers are others', () => {
    const { spec } = assembled(program([2], 'np.array([[[0, -1e9, 0.5], [0, 0, 0], [0, 0, 0]]])'));
    assert.ok(typeof spec.mask === 'object' && spec.mask.kind === 'additive');
    assert.deepEqual(spec.mask.values, [
      [
        [0, -1e9, 0.5],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ]);
  });

  const refusals: readonly (readonly [lead: readonly number[], mask: readonly number[], message: RegExp])[] = [
    [[], [2, 3, 3], /mask is 2×3×3, the scores are 3×3/],
    [[2], [4, 1, 3, 3], /mask is 4×1×3×3, the scores are 2×3×3/],
    [[2, 3], [2, 2, 3, 3], /mask is 2×2×3×3, the scores are 2×3×3×3/],
    [[2], [3, 3, 3], /mask is 3×3×3, the scores are 2×3×3/],
    [[2], [2, 3], /mask is 2×3, the scores are 2×3×3/],
  ];
  for (const [lead, mask, message] of refusals)
    it(`${mask.join('×')} does not fit ${[...lead, 3, 3].join('×')} scores: both shapes, the place and what would fit`, () => {
      const [problem] = refused(program(lead, later(mask)));
      assert.match(problem?.message ?? '', message);
      assert.ok(problem?.range);
      if (mask.length > 2) assert.match(problem.hint ?? '', /1, or as large as those of the scores/);
    });
});
