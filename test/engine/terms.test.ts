import assert from 'node:assert/strict';
import { explainCell, matrixDefaults, type AttentionSpec } from '../../engine/index';
import { commonBase, digitsOf, halfUnit, powerOf, roundedAt, shownAt, sumDigits, type DigitFormat } from '../../engine/explain/arithmetic/digits'; // prettier-ignore
import { rootOf } from '../../engine/explain/arithmetic/index';
import { largestAt } from '../../engine/explain/terms';
import { run } from './specs';

// Which terms of many are shown, and with which digits a number stands in a line: by hand, from what the functions promise.

// More than 4096 terms are not all shown.
const row = (of: (t: number) => number, count = 5000): number[] => Array.from({ length: count }, (_, t) => of(t));

describe('the terms of a cell', () => {
  it('are the first eight and the 64 largest, with the sum up to each and what the others add', () => {
    const start = { from: 'qkv', q: [row(() => 1), row((t) => -t)], k: [row((t) => t), row(() => 1)] } as const;
    const trace = run({ ...matrixDefaults, start });
    // 1·0 + 1·1 + … + 1·4999: 0 to 7 and 4936 to 4999 are shown.
    const shown = [...row((t) => t).slice(0, 8), ...row((t) => t).slice(4936)];
    const first = explainCell(trace, 'scores', [0, 0]);
    assert.ok(first.kind === 'products');
    assert.deepEqual(first.terms.map(({ right }) => right.index.at(-1)), shown); // prettier-ignore
    assert.deepEqual(first.terms.map(({ partialSum }) => partialSum), shown.map((t) => (t * (t + 1)) / 2)); // prettier-ignore
    assert.deepEqual(first.rest, { count: 4928, sum: ((8 + 4935) * 4928) / 2 });
    const all = { from: 'qkv', q: [row(() => 1, 4096)], k: [row((t) => t, 4096)] } as const;
    const whole = explainCell(run({ ...matrixDefaults, start: all }), 'scores', [0, 0]);
    assert.ok(whole.kind === 'products');
    assert.deepEqual([whole.terms.length, whole.rest], [4096, undefined]);
    // By size, whatever the sign.
    const second = explainCell(trace, 'scores', [1, 1]);
    assert.ok(second.kind === 'products');
    assert.deepEqual(second.terms.map(({ left }) => left.index.at(-1)), shown); // prettier-ignore
    assert.deepEqual(second.terms.map(({ product }) => product), shown.map((t) => (t === 0 ? -0 : -t))); // prettier-ignore
  });

  it('of a row of weights have the cell’s own among them', () => {
    const start = { from: 'scores', scores: [row((t) => t / 2500)], dK: 1 } as const;
    const at = (column: number): { shown: (number | undefined)[]; rest: number | undefined; kind: string } => {
      const made = explainCell(run({ ...matrixDefaults, start }), 'weights', [0, column]);
      assert.ok(made.kind === 'softmax');
      assert.ok(Math.abs(made.max - 1.9996) < 1e-15);
      // Shown and others together are the whole: weights add up to 1, exponentials to their sum.
      const [weights, exponentials] = made.terms.reduce(([w, e], term) => [w + term.weight, e + term.exponential], [made.rest?.weights ?? 0, made.rest?.exponentials ?? 0]); // prettier-ignore
      assert.ok(Math.abs(weights - 1) < 1e-12 && Math.abs(exponentials - made.sum) < 1e-12 * made.sum, `${weights}`);
      for (const { operand, shifted } of made.terms) assert.equal(shifted, operand.value - made.max);
      return { shown: made.terms.map(({ operand }) => operand.index.at(-1)), rest: made.rest?.count, kind: made.kind };
    };
    const usual = [...row((t) => t).slice(0, 8), ...row((t) => t).slice(4936)];
    assert.deepEqual(at(3), { shown: usual, rest: 4928, kind: 'softmax' });
    assert.deepEqual(at(50), { shown: [...usual.slice(0, 8), 50, ...usual.slice(8)], rest: 4927, kind: 'softmax' });
  });

  it('are rounded where float32 is', () => {
    const start = { from: 'qkv', q: [[0.1, 0.2]], k: [[0.3, 0.7]] } as const;
    const spec: AttentionSpec = { ...matrixDefaults, dtype: 'float32', start };
    const made = explainCell(run(spec), 'scores', [0, 0]);
    assert.ok(made.kind === 'products');
    const [a, b, c, d] = [0.1, 0.2, 0.3, 0.7].map(Math.fround) as [number, number, number, number];
    const [ac, bd] = [Math.fround(a * c), Math.fround(b * d)];
    assert.deepEqual(made.terms.map(({ product, partialSum }) => [product, partialSum]), [[ac, ac], [bd, Math.fround(ac + bd)]]); // prettier-ignore
  });

  it('are the largest of many, the first of equal ones', () => {
    const cases: readonly [readonly number[], number, number[]][] = [
      [[3, 1, 3, NaN, 5], 3, [4, 0, 2]],
      [[3, 1, 3, NaN, 5], 1, [4]],
      [[2, 2, 2], 2, [0, 1]],
      [[1, 2, 3, 4], 2, [3, 2]],
      [[4, 3, 2, 1], 3, [0, 1, 2]],
      [[-Infinity, 0], 2, [1]],
      [[], 3, []],
    ];
    for (const [values, most, expected] of cases)
      assert.deepEqual(largestAt(Float64Array.from(values), most), expected);
    assert.deepEqual(largestAt(Float64Array.of(-7, 2, 5), 2, Math.abs), [0, 2]);
  });
});

describe('the digits of a number', () => {
  it('begin at its power of ten', () => {
    const cases: readonly [number, number][] = [
      [0, 0], [1, 0], [9.999999999999998, 0], [10, 1], [-250, 2], [999.9999999999999, 2], [1000, 3], [0.1, -1], [0.99, -1], [0.09999999999999999, -2], [1e-5, -5], [5e-324, -324],
      [1.7976931348623157e308, 308], [Infinity, 0], [NaN, 0],
    ]; // prettier-ignore
    for (const [x, power] of cases) assert.equal(powerOf(x), power, String(x));
    assert.deepEqual([0, 3, 31, 40, -2].map(halfUnit), [0.5, 0.0005, 5e-32, 5e-41, 50]);
  });

  it('are those of its matrix, with more where they are asked for and end later', () => {
    const four: DigitFormat = { decimals: 4 };
    const two: DigitFormat = { decimals: 2 };
    const cases: readonly [number, DigitFormat, extra: number, string][] = [
      [0.79241, four, 0, '0.7924'], [0.79241, four, 1, '0.79241'], [0.79241, four, 5, '0.79241'], [2, four, 0, '2.0000'], [2, four, 3, '2.0000'], [-0.5, four, 0, '−0.5000'], [1 / 3, four, 6, '0.3333333333'],
      [2, { ...four, whole: true }, 0, '2'], [-3, { ...four, whole: true }, 0, '−3'], [2.5, { ...four, whole: true }, 0, '2.5000'],
      // What four decimals would show as zero.
      [1e-7, four, 0, '1e−7'], [1.23456e-7, four, 0, '1.2346e−7'], [-1.23456e-7, four, 1, '−1.23456e−7'], [0.00004, four, 0, '4e−5'], [0.00006, four, 0, '0.0001'], [0.0004, two, 0, '0.000400'], [0.004, two, 0, '0.00400'], [0.006, two, 0, '0.01'],
      [999999, four, 0, '999999.0000'], [1e6, four, 0, '1e6'], [1234567, four, 0, '1.2346e6'], [1234567, four, 2, '1.234567e6'], [1234567, { ...four, largest: 1e9 }, 0, '1234567.0000'], [-1e9, { ...four, largest: 1e9 }, 0, '−1e9'],
      [2.5, { ...four, exponent: true }, 0, '2.5e0'], [123.456, { ...two, exponent: true }, 0, '1.23e2'], [0, { ...two, exponent: true }, 0, '0'],
      [0, two, 0, '0.00'], [-0, two, 0, '0.00'], [NaN, two, 0, 'NaN'], [Infinity, two, 0, '∞'], [-Infinity, two, 2, '−∞'],
      [0.012345, { ...four, figures: 3 }, 0, '0.0123'], [2.5, { ...four, figures: 3 }, 0, '2.5'], [123456, { ...four, figures: 3 }, 0, '123456'], [1234567, { ...four, figures: 3 }, 0, '1.23e6'], [1234567, { ...four, figures: 3 }, 1, '1.235e6'],
      // Rounded up it would be infinite.
      [1.7976931348623157e308, four, 0, '1.7976931348623157e308'],
    ]; // prettier-ignore
    for (const [value, places, extra, text] of cases) {
      const [written, said] = [shownAt(digitsOf(value, places), extra), roundedAt(digitsOf(value, places), extra)];
      assert.equal(written.text, text, `${value} ${JSON.stringify(places)} ${extra}`);
      const read = Number(text.replaceAll('−', '-').replace('∞', 'Infinity'));
      for (const number of [written.value, said.value]) assert.ok(number === read || (Number.isNaN(number) && Number.isNaN(read)), `${text} is ${number}`); // prettier-ignore
      assert.equal(written.places, said.places, text);
    }
  });

  it('of a sum stand at the places that its terms share, a few more where it is small', () => {
    const two: DigitFormat = { decimals: 2 };
    const cases: readonly [number, string][] = [
      [0.5, '0.50'], [0.0004, '0.0004'], [0.00002, '2e−5'], [0.000004, '0.00'], [-0.000004, '0.00'], [0, '0.00'], [Infinity, '∞'], [-12.345, '−12.35'],
    ]; // prettier-ignore
    for (const [value, text] of cases) assert.equal(shownAt(sumDigits(value, two, 2), 0).text, text, String(value));
    const bases: readonly [number[], DigitFormat, number][] = [
      [[0.5, 200], { decimals: 4 }, 4], [[1e6, 1], { decimals: 4 }, -2], [[999999, -1e6], { decimals: 4 }, -2], [[999999], { decimals: 4 }, 4], [[1e-7, NaN], { decimals: 4 }, 11], [[0, 0], { decimals: 4 }, 4],
      [[Infinity, 3], { decimals: 4 }, 4], [[250], { decimals: 4, exponent: true }, 2], [[1e6], { decimals: 4, largest: 1e9 }, 4], [[-0.001, 0.0001], { decimals: 2 }, 5],
    ]; // prettier-ignore
    for (const [values, places, base] of bases) assert.equal(commonBase(values, places), base, String(values));
  });

  it('of a divisor are told as a root where it is one', () => {
    const cases: readonly [number, number | undefined][] = [
      [Math.SQRT2, 2], [Math.sqrt(63), 63], [2, undefined], [1, undefined], [0.5, undefined], [1.5, undefined], [-Math.SQRT2, undefined], [1.4142, undefined],
    ]; // prettier-ignore
    for (const [by, root] of cases) assert.equal(rootOf(by), root, String(by));
  });
});
