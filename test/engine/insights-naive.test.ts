import assert from 'node:assert/strict';
import { naiveSoftmax } from '../../engine/index';

/** NumPy 1.24: `e = np.exp(np.array(row, dtype)); e, e.sum(), e / e.sum()`. */
const cases = [
  {
    dtype: 'float32', row: [1, 2, 3],
    exponentials: [2.7182819843292236, 7.3890557289123535, 20.08553695678711], sum: 30.192874908447266,
    weights: [0.09003058075904846, 0.2447284609079361, 0.6652409434318542],
  },
  {
    dtype: 'float64', row: [1, 2, 3],
    exponentials: [2.718281828459045, 7.38905609893065, 20.085536923187668], sum: 30.19287485057736,
    weights: [0.09003057317038046, 0.24472847105479767, 0.6652409557748219],
  },
  { dtype: 'float32', row: [90, 0, -1], exponentials: [Infinity, 1, 0.3678794205188751], sum: Infinity, weights: [NaN, 0, 0] },
  {
    dtype: 'float64', row: [90, 0, -1],
    exponentials: [1.2204032943178408e39, 1, 0.3678794411714424], sum: 1.2204032943178408e39,
    weights: [1, 8.194012623990515e-40, 3.014408785065375e-40],
  },
  { dtype: 'float64', row: [-800, -900, -1000], exponentials: [0, 0, 0], sum: 0, weights: [NaN, NaN, NaN] },
] as const; // prettier-ignore

describe('softmax without the maximum', () => {
  for (const { dtype, row, exponentials, sum, weights } of cases) {
    it(`${dtype} of ${row.join(', ')}: overflows where NumPy’s does`, () => {
      const found = naiveSoftmax(row, dtype);
      const ulp = dtype === 'float32' ? 2 ** -23 : 2 ** -52;
      [...exponentials, sum, ...weights].forEach((wanted, i) => {
        const is = [...found.exponentials, found.sum, ...found.weights][i] ?? -1;
        const close = Object.is(is, wanted) || Math.abs(is - wanted) <= 4 * ulp * Math.abs(wanted);
        assert.ok(close, `number ${i} is ${is}, NumPy has ${wanted}`);
      });
    });
  }
});
