import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  axesOf,
  fitsOf,
  looksLike,
  statisticsOf,
  type Described,
  type NamedMatrix,
} from '../../engine/explain/describe/index';
import { parseMatrices } from '../../engine/parse/index';
import { pythonOrSkip, runReference, ulps } from '../reference/python';

const matrix = (rows: readonly (readonly number[])[], dtype?: string): Described => ({
  shape: [rows.length, rows[0]?.length ?? 0],
  values: rows.flat(),
  dtype,
});
const square = (n: number, at: (i: number, j: number) => number, m = n): Described =>
  matrix(Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, j) => at(i, j))));
const words = (described: Described): string[] => looksLike(described).map((fact) => fact.words);
const ids = (described: Described): string[] => looksLike(described).map((fact) => fact.id);

describe('statistics of a matrix', () => {
  it('are those of NumPy in extended precision, to 4 units in the last place', function () {
    const python = pythonOrSkip(this, 'numpy');
    const wave = (n: number, f: (i: number) => number): Float64Array =>
      Float64Array.from({ length: n }, (_, i) => f(i));
    const inputs = {
      waves: wave(1000, (i) => Math.sin(i) * 10),
      'a large offset': wave(1000, (i) => 1e9 + Math.sin(i)),
      cancellation: Float64Array.of(1e16, 1, -1e16, 3),
      huge: Float64Array.of(1.5e308, -1.2e308, 1.7e308),
      tiny: Float64Array.of(3e-300, -4e-300, 5e-300),
      'beside NaN and infinities': Float64Array.of(NaN, 3, Infinity, -Infinity, -1, 0.1),
      'one number': Float64Array.of(0.1),
    };
    for (const [name, values] of Object.entries(inputs)) {
      const expected = [...runReference(python, 'describe_numpy.py', [], values)];
      const { min, max, mean, std } = statisticsOf(values);
      [min, max, mean, std].forEach((x, i) => {
        const off = ulps(x, expected[i] ?? NaN);
        assert.ok(
          off <= 4,
          `${name}: ${['min', 'max', 'mean', 'std'][i]} is ${x}, NumPy gives ${expected[i]} (${off} ulp)`,
        );
      });
    }
  });

  it('count what is not finite, and are NaN without a finite number', () => {
    const { count, finite, nan, positiveInfinite, negativeInfinite } = statisticsOf([NaN, 3, Infinity, -Infinity, NaN]);
    assert.deepEqual([count, finite, nan, positiveInfinite, negativeInfinite], [5, 1, 2, 1, 1]);
    const { min, max, mean, std } = statisticsOf([NaN, Infinity]);
    assert.deepEqual([min, max, mean, std], [NaN, NaN, NaN, NaN]);
  });
});

describe('what a matrix looks like', () => {
  const inf = Infinity;

  for (const [name, described, expected] of [
    [
      'causal, additive',
      square(3, (i, j) => (j > i ? -inf : 0)),
      ['0 and −∞ above the diagonal: an additive causal mask'],
    ],
    [
      'causal, additive, −1e9',
      square(3, (i, j) => (j > i ? -1e9 : 0)),
      ['0 and −1e9 above the diagonal: an additive causal mask'],
    ],
    [
      'causal, additive, the least that hides: −10,000',
      square(3, (i, j) => (j > i ? -1e4 : 0)),
      ['0 and −10000 above the diagonal: an additive causal mask'],
    ],
    [
      '−9,999 hides nothing: only triangular',
      square(3, (i, j) => (j > i ? -9999 : 0)),
      ['upper triangular: 0 below the diagonal'],
    ],
    [
      'causal, aligned at the end',
      square(2, (i, j) => (j > i + 2 ? -inf : 0), 4),
      [
        '0 and −∞ above the diagonal that ends in the last column: an additive causal mask, the last query sees the last key',
      ],
    ],
    [
      'causal, aligned at the start',
      square(2, (i, j) => (j > i ? -inf : 0), 4),
      ['0 and −∞ above the diagonal: an additive causal mask'],
    ],
    [
      'the diagonal hidden as well',
      square(3, (i, j) => (j >= i ? -inf : 0)),
      [
        '0 and −∞ on and above the diagonal: an additive mask that hides each token’s own key too',
        'row 0 is −∞ throughout: its query sees no key, softmax gives NaN',
      ],
    ],
    [
      'padding',
      square(3, (_, j) => (j > 2 ? -inf : 0), 5),
      ['0 and −∞ in columns 3–4: an additive padding mask, the same keys hidden in each row'],
    ],
    [
      'a window',
      square(5, (i, j) => (Math.abs(i - j) > 1 ? -inf : 0)),
      ['0 and −∞ more than 1 from the diagonal: an additive window mask'],
    ],
    [
      'a causal window',
      square(5, (i, j) => (j > i || i - j > 2 ? -inf : 0)),
      ['0 and −∞ above the diagonal and more than 2 below it: an additive causal window mask'],
    ],
    [
      'some other mask',
      matrix([
        [0, -inf],
        [-inf, 0],
      ]),
      ['0 and −∞: an additive mask'],
    ],
    [
      'True above the diagonal',
      { ...square(3, (i, j) => (j > i ? 1 : 0)), dtype: 'bool' },
      [
        'True above the diagonal: a causal mask as MultiheadAttention’s attn_mask (true is hidden); scaled_dot_product_attention expects the opposite',
      ],
    ],
    [
      'ones on and below the diagonal',
      square(3, (i, j) => (j > i ? 0 : 1)),
      [
        '1 everywhere but above the diagonal: a causal mask as scaled_dot_product_attention’s attn_mask (true is visible); MultiheadAttention expects the opposite',
      ],
    ],
    [
      'True in the same columns',
      { ...square(2, (_, j) => (j > 2 ? 1 : 0), 4), dtype: 'bool' },
      [
        'True in column 3 of each row: a padding mask; key_padding_mask hides those keys, scaled_dot_product_attention shows only those',
      ],
    ],
    [
      'a padding mask of keys by its name',
      { ...matrix([[0, 0, 1], [1, 0, 0]], 'bool'), name: 'src_key_padding_mask' }, // prettier-ignore
      [
        'True hides its key from every query, as MultiheadAttention’s key_padding_mask; scaled_dot_product_attention expects the opposite',
      ],
    ],
    [
      'the same of zeros and ones, whatever pattern they make',
      { ...square(3, (i, j) => (j > i ? 1 : 0)), name: 'keyPaddingMask' },
      [
        '1 hides its key from every query, as MultiheadAttention’s key_padding_mask; scaled_dot_product_attention expects the opposite',
      ],
    ],
    [
      'True and False',
      matrix(
        [
          [1, 0],
          [1, 1],
          [0, 0],
        ],
        'bool',
      ),
      ['True and False: a boolean mask'],
    ],
    [
      'weights',
      matrix([
        [0.25, 0.75],
        [0.5, 0.5],
      ]),
      ['rows sum to 1: attention weights'],
    ],
    [
      'weights as printed with 4 digits',
      matrix([
        [0.3333, 0.3333, 0.3333],
        [0.2, 0.3, 0.5],
      ]),
      ['rows sum to 1 (within 1e−4): attention weights'],
    ],
    [
      'causal weights',
      matrix([
        [1, 0],
        [0.5, 0.5],
      ]),
      ['rows sum to 1: attention weights', 'causal: 0 above the diagonal'],
    ],
    [
      'weights in columns',
      matrix([
        [0.25, 0.5, 1],
        [0.75, 0.5, 0],
      ]),
      ['columns sum to 1: attention weights, transposed'],
    ],
    ['the identity', square(3, (i, j) => (i === j ? 1 : 0)), ['the identity']],
    [
      'a permutation',
      matrix([
        [0, 1],
        [1, 0],
      ]),
      ['a permutation: one 1 in each row and column'],
    ],
    [
      'one-hot rows',
      matrix([
        [0, 1, 0],
        [0, 1, 0],
      ]),
      ['one-hot: one 1 in each row, else 0'],
    ],
    [
      'zeros',
      matrix([
        [0, -0],
        [0, 0],
      ]),
      ['all 0'],
    ],
    ['a constant', matrix([[2.5, 2.5]]), ['the same number throughout']],
    [
      'symmetric',
      matrix([
        [1, 2],
        [2, 5],
      ]),
      ['symmetric'],
    ],
    [
      'diagonal',
      matrix([
        [1, 0],
        [0, 5],
      ]),
      ['diagonal'],
    ],
    [
      'lower triangular',
      matrix([
        [1, 0],
        [3, 5],
      ]),
      ['lower triangular: 0 above the diagonal'],
    ],
    [
      'upper triangular',
      matrix([
        [1, 2],
        [0, 5],
      ]),
      ['upper triangular: 0 below the diagonal'],
    ],
    [
      'banded',
      square(4, (i, j) => (Math.abs(i - j) > 1 ? 0 : i + 2 * j + 1)),
      ['banded: 0 more than 1 from the diagonal'],
    ],
    [
      'a rotation',
      // np.round([[cos, -sin], [sin, cos]], 4) of 0.3
      matrix([
        [0.9553, -0.2955],
        [0.2955, 0.9553],
      ]),
      ['orthogonal: its rows have length 1 and are perpendicular, as far as its digits tell'],
    ],
  ] as const) {
    it(name, () => assert.deepEqual(words(described), expected));
  }

  for (const [name, described] of [
    [
      'rows that nearly sum to 1',
      matrix([
        [0.33, 0.33, 0.32],
        [0.2, 0.3, 0.5],
      ]),
    ],
    ['one digit a number, sum 0.9', matrix([[0.4, 0.3, 0.2]])],
    [
      'a negative weight',
      matrix([
        [1.5, -0.5],
        [0.25, 0.75],
      ]),
    ],
    [
      'weights with NaN',
      matrix([
        [NaN, NaN],
        [0.25, 0.75],
      ]),
    ],
    [
      'zeros and ones that are no mask',
      matrix([
        [1, 0, 1],
        [1, 1, 0],
      ]),
    ],
    ['−1 beside 0', square(3, (i, j) => (j > i ? -1 : 0.5))],
    [
      'symmetric but for one cell',
      matrix([
        [1, 2, 3],
        [2, 5, 6],
        [3, 6.001, 9],
      ]),
    ],
    [
      'a rotation with one digit wrong',
      matrix([
        [0.9553, -0.2955],
        [0.2945, 0.9553],
      ]),
    ],
    [
      'a causal mask with one cell wrong',
      matrix([
        [0, -inf, -inf],
        [0.5, 0, 1],
        [0, 0, 0],
      ]),
    ],
    ['one number', matrix([[1]])],
    ['nothing', { shape: [0], values: [] }],
  ] as const) {
    it(`nothing of ${name}`, () => assert.deepEqual(words(described), []));
  }

  it('holds for each matrix of three dimensions, or is not said', () => {
    const [causal, open] = [square(2, (i, j) => (j > i ? -inf : 0)).values, [0, 0, 0, 0]];
    const stack = (...parts: ArrayLike<number>[]): Described => ({
      shape: [parts.length, 2, 2],
      values: parts.flatMap((part) => Array.from(part)),
    });
    assert.deepEqual(words(stack(causal, causal)), ['0 and −∞ above the diagonal: an additive causal mask']);
    assert.deepEqual(words(stack(causal, open)), ['0 and −∞: an additive mask']);
    assert.deepEqual(words(stack([0.5, 0.5, 1, 0], [0.25, 0.75, 1, 0])), ['rows sum to 1: attention weights']);
    assert.deepEqual(words(stack([0.5, 0.5, 1, 0], [0.25, 0.75, 1, 1])), []);
  });

  it('says causal only of what a loop over all cells finds to be so', () => {
    const cells = fc
      .integer({ min: 2, max: 5 })
      .chain((n) =>
        fc.tuple(fc.constant(n), fc.array(fc.constantFrom(0, -inf, 1), { minLength: n * n, maxLength: n * n })),
      );
    fc.assert(
      fc.property(cells, ([n, values]) => {
        const said = words({ shape: [n, n], values }).includes('0 and −∞ above the diagonal: an additive causal mask');
        const really = values.every((x, at) => x === (at % n > Math.floor(at / n) ? -inf : 0));
        assert.equal(said, really);
      }),
    );
  });

  it('takes the weights that NumPy and PyTorch print, and their transposes', () => {
    // scipy-free softmax of [[1, 2, 3], [0, 0, 5]] in NumPy 1.24: float64 with 8 digits, float32, and torch's 4 digits
    const prints = [
      '[[0.09003057 0.24472847 0.66524096]\n [0.00664767 0.00664767 0.98670466]]',
      'array([[0.09003058, 0.24472848, 0.66524094],\n       [0.00664767, 0.00664767, 0.98670465]], dtype=float32)',
      'tensor([[0.0900, 0.2447, 0.6652],\n        [0.0066, 0.0066, 0.9867]])',
    ];
    for (const text of prints) {
      const [found] = parseMatrices(text).matrices;
      assert.ok(found, text);
      assert.deepEqual(ids(found), ['weights'], text);
      const [m, n] = [found.shape[1] ?? 0, found.shape[0] ?? 0];
      const turned = Array.from({ length: n * m }, (_, at) => found.values[(at % n) * m + Math.floor(at / n)] ?? NaN);
      assert.deepEqual(ids({ shape: [m, n], values: turned }), ['weights-in-columns'], text);
    }
  });
});

describe('what a matrix fits with', () => {
  const part = (name: string, role: string, ...shape: number[]): NamedMatrix => ({ name, role, shape });
  const [q, k, v] = [part('Q', 'q', 4, 8), part('K', 'k', 6, 8), part('V', 'v', 6, 3)];
  const say = (a: NamedMatrix, ...others: NamedMatrix[]): string[] =>
    fitsOf(a, others).map(({ fits, words: said }) => `${fits ? '+' : '−'} ${said}`);

  for (const [name, found, expected] of [
    ['Q', say(q, k, v), ['+ QKᵀ is 4×6']],
    ['K', say(k, q, v), ['+ QKᵀ is 4×6', '+ one row of V for each row of K']],
    ['V', say(v, q, k), ['+ one row of V for each row of K']],
    ['Q beside a K of other width', say(q, part('K', 'k', 4, 6)), ['− K has 6 columns, Q has 8']],
    ['V with too few rows', say(part('V', 'v', 1, 8), k), ['− V has 1 row, K has 6']],
    ['heads', say(part('Q', 'q', 8, 4, 2), part('K', 'k', 8, 5, 2)), ['+ QKᵀ is 8×4×5']],
    ['grouped heads', say(part('Q', 'q', 8, 4, 2), part('K', 'k', 2, 5, 2)), ['+ QKᵀ is 8×4×5']],
    ['heads that do not divide', say(part('Q', 'q', 8, 4, 2), part('K', 'k', 3, 5, 2)), ['− K is 3×5×2, Q is 8×4×2']],
    ['X·W', say(part('X', 'x', 5, 16), part('W_q', 'wq', 16, 8)), ['+ X·W_q is 5×8']],
    ['X·Wᵀ', say(part('X', 'x', 5, 16), part('W_q', 'wq', 8, 16)), ['+ X·W_qᵀ is 5×8']],
    ['a square W', say(part('W_q', 'wq', 4, 4), part('X', 'x', 5, 4)), ['+ X·W_q and X·W_qᵀ are 5×4']],
    [
      'W that fits neither way',
      say(part('W_q', 'wq', 5, 8), part('X', 'x', 6, 16)),
      ['− W_q is 5×8, X has 16 columns'],
    ],
    ['a mask', say(part('mask', 'mask', 4, 6), q, k), ['+ one row for each query', '+ one column for each key']],
    [
      'a mask of another size',
      say(part('mask', 'mask', 5, 5), q, k),
      ['− mask has 5 rows, Q has 4', '− mask has 5 columns, K has 6 rows'],
    ],
    ['weights and V', say(part('A', 'weights', 4, 6), v), ['+ A·V is 4×3']],
    ['no role', say({ shape: [4, 8] }, q, k), []],
    ['two of one role', say(q, q), []],
  ] as const) {
    it(name, () => assert.deepEqual(found, expected));
  }

  it('names the axes that a role has', () => {
    assert.deepEqual(axesOf(q), ['queries', 'd_k']);
    assert.deepEqual(axesOf(part('X', 'x', 5, 16)), ['tokens', 'd_model']);
    assert.deepEqual(axesOf(part('X', 'x', 2, 5, 16)), ['batch', 'tokens', 'd_model']);
    assert.deepEqual(axesOf(part('K', 'k', 2, 8, 5, 16)), ['batch', 'heads', 'keys', 'd_k']);
    assert.deepEqual(axesOf(part('x_1', 'xi', 3)), ['d_model']);
    assert.equal(axesOf(part('W_q', 'wq', 5, 16)), undefined);
    assert.equal(axesOf(part('X', 'x', 16)), undefined);
    assert.equal(axesOf({ shape: [2, 2] }), undefined);
  });
});
