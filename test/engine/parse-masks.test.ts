import assert from 'node:assert/strict';
import { dimsOf } from '../../engine/spec/dims';
import { explainAttention, type AttentionSpec } from '../../engine/index';
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

const maskDims = ({ mask }: AttentionSpec): readonly number[] =>
  typeof mask === 'object' && 'values' in mask ? dimsOf(mask.values) : [];

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

  for (const [mask, whole, said] of [
    [
      'np.array([[1], [0], [1]])',
      [
        [1, 1, 1],
        [0, 0, 0],
        [1, 1, 1],
      ],
      /Its one column serves every key\./,
    ],
    [
      'np.array([[1, 0, 1]])',
      [
        [1, 0, 1],
        [1, 0, 1],
        [1, 0, 1],
      ],
      /Its one row serves every query\./,
    ],
    [
      'np.array([[-2.5]])',
      [
        [-2.5, -2.5, -2.5],
        [-2.5, -2.5, -2.5],
        [-2.5, -2.5, -2.5],
      ],
      /Its one number serves every query and key\./,
    ],
    [
      'np.array([[[[0.5]], [[-1.5]]]])',
      [
        [
          [0.5, 0.5, 0.5],
          [0.5, 0.5, 0.5],
          [0.5, 0.5, 0.5],
        ],
        [
          [-1.5, -1.5, -1.5],
          [-1.5, -1.5, -1.5],
          [-1.5, -1.5, -1.5],
        ],
      ],
      /Its one number/,
    ],
  ] as const)
    it(`${mask} is repeated as scaled_dot_product_attention repeats it, and says so`, () => {
      const { spec, notes } = assembled(program([2], mask));
      assert.ok(typeof spec.mask === 'object' && 'values' in spec.mask);
      const [one] = spec.mask.values as readonly unknown[];
      assert.deepEqual(
        maskDims(spec).length === 3 && (spec.mask.values as readonly unknown[]).length === 1 ? one : spec.mask.values,
        whole,
      );
      assert.match(notes.join(' '), said);
    });

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
      if (mask.length > 2) assert.match(problem.hint ?? '', /1, or as large as that of the scores/);
    });

  it('is one row of keys for each input, where a batch has b×m of it', () => {
    const text = program([2, 3], 'np.array([[0, 0, 1], [0, 1, 1]])').replace('mask =', 'key_padding_mask =');
    const { spec, notes } = assembled(text);
    assert.deepEqual(maskDims(spec), [2, 1, 3, 3]);
    assert.ok(notes.some((note) => note.endsWith('Each of its rows serves one input.')));
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    for (const [batch, kept] of [2, 1].entries()) {
      const { mean } = trace.value.read('weights', { batch, head: 2 });
      for (let i = 0; i < 9; i++) assert.equal(mean[i] === 0, i % 3 >= kept, `${batch}, ${i}`);
    }
  });
});

describe('X of a batch', () => {
  const draws = 'import numpy as np\nnp.random.seed(1)\nX = np.random.rand(2, 3, 4)\n';

  it('alone is Q, K and V of each input', () => {
    const { spec, notes } = assembled(draws);
    assert.ok(spec.start.from === 'x');
    assert.deepEqual(dimsOf(spec.start.x), [2, 3, 4]);
    assert.ok(notes.includes('X is 2×3×4: 2 inputs of 3×4.'));
    const second = assembled(`${draws}Z = X[1]\n`.replace('X = ', 'A = ').replace('X[1]', 'A[1]').replace('Z', 'X'));
    const [both, one] = [explainAttention(spec), explainAttention(second.spec)];
    assert.ok(both.ok && one.ok);
    assert.deepEqual(both.value.read('output', { head: 1 }), one.value.read('output', {}));
  });

  it('goes through the weights, with a mask for each input', () => {
    const weights = ['q', 'k', 'v'].map((r) => `W_${r} = np.random.rand(4, 4)`).join('\n');
    const { spec } = assembled(`${draws}${weights}\nmask = np.array([[1, 1, 0], [1, 0, 0]])\n`);
    assert.deepEqual(maskDims(spec), [2, 3, 3]);
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    for (const [batch, kept] of [2, 1].entries()) {
      const { mean } = trace.value.read('weights', { head: batch });
      for (let i = 0; i < 9; i++) assert.equal(mean[i] === 0, i % 3 >= kept, `${batch}, ${i}`);
    }
  });

  it('beside another embedding is the one that is called X', () => {
    const { spec, notes } = assembled('emb = [[1, 2], [3, 4]]\nX = [[5, 6], [7, 8], [9, 0]]');
    assert.deepEqual(spec.start, {
      from: 'x',
      x: [
        [5, 6],
        [7, 8],
        [9, 0],
      ],
    });
    assert.ok(notes.some((note) => note.includes('emb (2×2)')));
  });
});
