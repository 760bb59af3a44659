import assert from 'node:assert/strict';
import { explainCell, matrixDefaults, type AttentionSpec, type CellExplanation, type CellValue, type Work } from '../../engine/index'; // prettier-ignore
import { commonBase, digitsOf, halfUnit, powerOf, roundedAt, shown, shownAt, sumDigits, type DigitFormat, type Digits } from '../../engine/explain/arithmetic/digits'; // prettier-ignore
import * as shownAs from '../../engine/explain/arithmetic/index';
import { addDigits, boundText, deviationOf, type Relation } from '../../engine/explain/arithmetic/relation';
import { addChainDigits, type Link } from '../../engine/explain/arithmetic/sums';
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
      [2.5, { ...four, exponent: true }, 0, '2.5'], [123.456, { ...two, exponent: true }, 0, '1.23e2'], [0, { ...two, exponent: true }, 0, '0'],
      [0, two, 0, '0.00'], [-0, two, 0, '0.00'], [0, { ...four, figures: 3 }, 0, '0'], [NaN, two, 0, 'NaN'], [Infinity, two, 0, '∞'], [-Infinity, two, 2, '−∞'],
      [0.012345, { ...four, figures: 3 }, 0, '0.0123'], [2.5, { ...four, figures: 3 }, 0, '2.5'], [123456, { ...four, figures: 3 }, 0, '123456'], [1234567, { ...four, figures: 3 }, 0, '1.23e6'], [1234567, { ...four, figures: 3 }, 1, '1.235e6'], [999999, { ...four, figures: 3 }, 0, '999999'], [1e6, { ...four, figures: 3 }, 0, '1e6'],
      [12.7, { decimals: 0 }, 0, '13'], [1000000.5, four, 0, '1.0000e6'], [123456.7, { ...four, figures: 3 }, 0, '123457'], [0.0123, { ...four, figures: 1 }, 0, '0.01'], [0.005, two, 0, '0.01'], [0.1 + 0.2, { decimals: 12 }, 6, '0.30000000000000004'],
      [3.7, { decimals: 0 }, 0, '4'], [1e15, { ...four, whole: true, largest: 1e18 }, 0, '1000000000000000.0000'], [999999999999999, { ...four, whole: true, largest: 1e18 }, 0, '999999999999999'],
      // Rounded up it would be infinite.
      [1.7976931348623157e308, four, 0, '1.7976931348623157e308'],
    ]; // prettier-ignore
    for (const [value, places, extra, text] of cases) {
      const [written, said] = [shownAt(digitsOf(value, places), extra), roundedAt(digitsOf(value, places), extra)];
      assert.equal(written.text, text, `${value} ${JSON.stringify(places)} ${extra}`);
      const read = Number(text.replaceAll('−', '-').replace('∞', 'Infinity'));
      for (const number of [written.value, said.value]) assert.ok(number === read || (Number.isNaN(number) && Number.isNaN(read)), `${text} is ${number}`); // prettier-ignore
      assert.equal(written.places, said.places, text);
      if (!Number.isFinite(value)) assert.equal(written.places, 0);
      if (!value) assert.equal(digitsOf(value, places).base, places.decimals, 'zero has the places of its matrix');
    }
  });

  it('of a sum stand at the places that its terms share, a few more where it is small', () => {
    const two: DigitFormat = { decimals: 2 };
    const cases: readonly [number, string][] = [
      [0.5, '0.50'], [0.0004, '0.0004'], [0.00002, '2e−5'], [0.000004, '0.00'], [-0.000004, '0.00'], [0, '0.00'], [Infinity, '∞'], [-12.345, '−12.35'],
    ]; // prettier-ignore
    for (const [value, text] of cases) assert.equal(shownAt(sumDigits(value, two, 2), 0).text, text, String(value));
    // Six hundred-thousandths at four places.
    assert.deepEqual([6e-5, -6e-5, 4e-5].map((x) => shownAt(digitsOf(x, two, 4), 0).text), ['1e−4', '−1e−4', '0']); // prettier-ignore
    const atBase = (x: number, places: DigitFormat, base: number): string => { const { text, places: end } = shownAt(digitsOf(x, places, base), 0); return `${text} ${end}`; }; // prettier-ignore
    assert.deepEqual([atBase(0, two, 4), atBase(0, two, -1), atBase(4, two, -1), atBase(1e6, { decimals: 4 }, 4), atBase(1000000.5, { decimals: 4 }, 4)], ['0.00 4', '0 0', '0 0', '1e6 4', '1.0000005e6 4']); // prettier-ignore
    // Tens: 123 is 12 of them, 4 is none.
    assert.deepEqual(
      [123, 4].map((x) => shownAt(digitsOf(x, two, -1), 0).text),
      ['1.2e2', '0'],
    );
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
    for (const [by, root] of cases) assert.equal(shownAs.rootOf(by), root, String(by));
  });
});

const two: DigitFormat = { decimals: 2 };
const cellOf = (value: number, column = 0, step = 'a'): CellValue => ({ step, index: [0, 0, column], value });
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const equals = (result: shownAs.ShownResult): string => shownAs.equals(result, 'float64');
type Of<K extends CellExplanation['kind']> = Extract<CellExplanation, { kind: K }>;

describe('the line of a cell', () => {
  const text = ({ from, result }: shownAs.ShownLine): string => `${from.map((of) => of.text).join(' ')} ${equals(result)}`; // prettier-ignore

  it('of one operation has the digits that are needed to redo it', () => {
    const applied = (name: Of<'applied'>['function'], operands: number[], value: number, by?: number): string =>
      text(shownAs.shownApplied({ ...cellOf(value), kind: 'applied', function: name, operands: operands.map((x) => cellOf(x)), ...(by === undefined ? {} : { by }) }, () => two, two));
    // 0.13 · 0.50 = 0.065 would be 0.07.
    assert.equal(applied('×', [0.125, 0.5], 0.0625), '0.125 0.50 = 0.06');
    assert.equal(applied('−', [5, 3], 2), '5.00 3.00 = 2.00');
    assert.equal(applied('−', [1.234, 1.2341], 1.234 - 1.2341), '1.234 1.2341 = −1e−4');
    assert.equal(applied('÷', [2, 3], 2 / 3), '2.00 3.00 = 0.67');
    assert.equal(applied('÷', [1], 1 / 3, 3), '1.00 3.00 = 0.33');
    assert.equal(applied('exp', [1], Math.E), '1.00 = 2.72');
    const reduced = (name: 'sum' | 'max', terms: number[], value: number): string =>
      text(shownAs.shownReduced({ ...cellOf(value), kind: 'reduced', function: name, terms: terms.map((x) => cellOf(x)) }, () => two));
    // 3 · 0.33 = 0.99.
    assert.equal(reduced('sum', [1 / 3, 1 / 3, 1 / 3], 1), '0.333 0.333 0.33 = 1.00');
    assert.equal(reduced('max', [1, 2.125, -3], 2.125), '1.00 2.13 −3.00 = 2.13');
    assert.equal(reduced('max', [1, NaN, 3], NaN), '1.00 NaN 3.00 = NaN');
    const added = (left: number, right: number): string =>
      text(shownAs.shownSum({ ...cellOf(left + right), kind: 'sum', left: cellOf(left), right: cellOf(right) }, () => two));
    // Of 1/1024, which two places would show as zero, two figures.
    assert.equal(added(1.0009765625, -1), '1.001 −1.00 = 0.0010');
    // 3.125 is as far from 3.12 as from 3.13.
    assert.equal(added(1.005, 2.12), '1.005 2.12 = 3.125');
    assert.equal(text(shownAs.shownSame(cellOf(2.345), cellOf(2.345, 0, 'b'), (step) => (step === 'b' ? { decimals: 4 } : two))), '2.3450 = 2.345');
    // 3 ÷ 1.41 = 2.128, 3 ÷ 1.414 = 2.1216, 3 ÷ √2 = 2.1213.
    assert.equal(text(shownAs.shownQuotient({ ...cellOf(3 / Math.SQRT2), kind: 'quotient', operand: cellOf(3), by: Math.SQRT2 }, () => two, two)), '3.00 1.414 = 2.12');
  }); // prettier-ignore

  it('of a position can be redone from its divisor, which gets the digits for it', () => {
    const four = { decimals: 4 };
    let longest = 0;
    for (const position of [7, 123, 1234, 12345, 123456])
      for (const divisor of [Math.sqrt(1000), 10 ** 1.25, 10 ** 2.75]) {
        const angle = position / divisor;
        const made = { ...cellOf(Math.sin(angle)), kind: 'position', fn: 'sin', position, divisor, angle } as const;
        const { divisor: by, angle: turned, result } = shownAs.shownAngle(made, () => four, four);
        const what = `sin(${position} ÷ ${by.text} = ${turned.text}) = ${result.text}`;
        assert.equal(result.about, undefined, what);
        assert.ok(Math.abs(Math.sin(position / by.value) - result.value) < 0.5 * 10 ** -result.places, what);
        if (!turned.about) assert.ok(Math.abs(position / by.value - turned.value) < 0.5 * 10 ** -turned.places, what);
        longest = Math.max(longest, by.places);
      }
    assert.ok(longest > 5, `${longest}`);
  });

  it('of a distance has the digits of the slope with which it can be redone', () => {
    // 2⁻⁸ = 0.00390625 by 9 is 0.03515625; 0.0039 · 9 = 0.0351, 0.00391 · 9 = 0.03519.
    const far = { ...cellOf(-9 / 256), kind: 'distance', slope: 1 / 256, distance: 9 } as const;
    assert.equal(text(shownAs.shownDistance(far, () => ({ decimals: 4 }), { decimals: 4 })), '0.00391 = −0.0352');
  });

  it('has the fewest digits with which it holds, one of the result for three of the others', () => {
    let seed = 5;
    const random = (): number => 0.1 + ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32) * 8;
    const places = (x: string): number => x.split('.')[1]?.length ?? 0;
    const costs = new Map<number, number>();
    for (let i = 0; i < 60; i++)
      for (const [sign, redo] of [['×', (a: number, b: number) => a * b], ['÷', (a: number, b: number) => a / b], ['−', (a: number, b: number) => a - b - 9]] as const) {
        const [a, b] = [sign === '−' ? -random() : random(), random()];
        const value = redo(a, b);
        const at = (x: number, extra: number): number => Number(x.toFixed(2 + extra));
        let least = Infinity;
        for (let x = 0; x <= 6; x++) for (let y = 0; y <= 6; y++) for (let z = 0; z <= 4; z++)
          if (x + y + 3 * z < least && Math.abs(redo(at(a, x), at(b, y)) - at(value, z)) < 0.5 * 10 ** -(2 + z) - 1e-12) least = x + y + 3 * z;
        const [left, right, result] = [a, b, value].map((x) => digitsOf(x, two)) as [Digits, Digits, Digits];
        assert.ok(addDigits([{ result, from: [left, right], redo: [([x = NaN, y = NaN]) => redo(x, y)] }], [[left], [right]], { result: true }));
        const [x, y, z] = [left, right, result].map((of) => places(shown(of).text) - 2) as [number, number, number];
        assert.equal(x + y + 3 * z, least, `${a} ${sign} ${b}`);
        costs.set(least, (costs.get(least) ?? 0) + 1);
      }
    assert.ok((costs.get(0) ?? 0) > 20 && costs.size > 3, JSON.stringify([...costs]));
  }); // prettier-ignore

  it('gets six digits each at most and fourteen in all, and where none suffice those with which it is nearest', () => {
    const third = (): Digits => digitsOf(1 / 3, two);
    const zero = (): Digits => digitsOf(0, two);
    /** Holds where the numbers have at least so many digits after the point. */
    const needs = (...least: number[]): string => {
      const from = least.map(third);
      const redo = (numbers: readonly number[]): number => (numbers.every((x, i) => String(x).length - 2 >= (least[i] ?? 0)) ? 0 : 1);
      const done = addDigits([{ result: zero(), from, redo: [redo] }], from.map((one) => [one]));
      return `${done} ${from.map(({ extra }) => extra).join(' ')}`;
    };
    assert.equal(needs(8, 8, 4), 'true 6 6 2');
    assert.equal(needs(8, 8, 5), 'false 0 0 0');
    assert.equal(needs(9), 'false 0');
    const nearest = (value: number, ...results: [a: number, of: number[]][]): number => {
      const from = digitsOf(value, two);
      const relations = results.map(([at, of]): Relation => ({ result: digitsOf(at, two), from: [from], redo: [([x = NaN]) => of[String(x).length - 4] ?? NaN] }));
      assert.ok(!addDigits(relations as [Relation, ...Relation[]], [[from]]));
      return from.extra;
    };
    // 1.23, 1.235, 1.2346, 1.23457, 1.234568 …: at most two, and only where that is a fifth nearer.
    assert.equal(nearest(1.23456789, [0, [9, 5, 3, 1, 1, 1, 1]]), 2);
    assert.equal(nearest(1.23456789, [0, [9, 7.1, 5.7, 1, 1, 1, 1]]), 1);
    assert.equal(nearest(1.23456789, [0, [9, 7.3, 7.3, 1, 1, 1, 1]]), 0);
    assert.equal(nearest(1.23456789, [0, [3, 1, 1, 1, 1, 1, 1]], [0, [8, 9, 9, 9, 9, 9, 9]]), 0);
    // Digits of the result were tried too, and stand as the matrix shows them.
    const [part, pi] = [third(), digitsOf(Math.PI, two)];
    assert.equal(addDigits([{ result: pi, from: [part], redo: [() => 5] }], [[part]], { result: true }), false);
    assert.deepEqual([shown(pi).text, shown(part).text], ['3.14', '0.33']);
    // Also where an earlier line has given it some.
    const longer: Digits = { ...digitsOf(Math.PI, two), extra: 2 };
    assert.equal(addDigits([{ result: longer, from: [part], redo: [() => 5] }], [[part]], { result: true }), false);
    assert.equal(shown(longer).text, '3.1416');
  }); // prettier-ignore

  it('that does not hold says by how much, rounded up', () => {
    const off = (value: number, ...redo: number[]): shownAs.ShownResult['about'] =>
      deviationOf({ result: digitsOf(value, two), from: [digitsOf(1, two)], redo: redo.map((x) => () => x) });
    assert.equal(off(1, 1.004), undefined);
    assert.equal(off(1, 0.996), undefined);
    assert.deepEqual(off(1, 1.5, 0.25), { bound: 0.75, rounded: true });
    assert.equal(off(1, 1.005)?.bound.toFixed(6), '0.005000');
    // The exact numbers give 1.001 within a tenth of half a unit: not rounded to a dtype; 1 and 1.0006 differ by more.
    const exact = (by: number): boolean | undefined => deviationOf({ result: digitsOf(1, two), from: [digitsOf(0.0149, two)], redo: [([x = NaN]) => 1 + by + 100 * (x - 0.0149)] })?.rounded; // prettier-ignore
    assert.deepEqual([exact(0.0004), exact(0.0006)], [false, true]);
    assert.deepEqual([off(Infinity, Infinity), off(NaN, NaN), off(0, -0)], [undefined, undefined, undefined]);
    assert.deepEqual([off(Infinity, 5)?.bound, off(1, NaN)?.bound], [Infinity, Infinity]);
    const bounds: readonly [number, string][] = [
      [0.0001, '0.0001'], [0.00011, '0.0002'], [1.1e-7, '2e−7'], [0.95, '1'], [0.1 + 0.2, '0.3'], [3, '3'], [31, '40'], [9.5e21, '1e22'],
      // Below 5·10⁻¹³ of itself it is an error of doubles.
      [3.0000000000004, '3'], [3.000000000004, '4'],
    ]; // prettier-ignore
    for (const [bound, expected] of bounds) assert.equal(boundText(bound), expected);
    const about = { text: '2.38', value: 2.38, places: 2, about: { bound: 0.011, rounded: true } };
    const { amount } = shownAs;
    assert.deepEqual([amount(about, 'float32'), amount(about, 'float64')], ['≈ 2.38 (±0.02, rounded to float32)', '≈ 2.38 (±0.02)']); // prettier-ignore
    assert.equal(amount({ ...about, about: { bound: 0.011, rounded: false } }, 'float32'), '≈ 2.38 (±0.02)');
    assert.equal(shownAs.equals({ ...about, about: { bound: Infinity, rounded: true } }, 'float32'), '= 2.38 (rounded to float32)'); // prettier-ignore
  });
});

describe('the lines of a sum', () => {
  const products = (pairs: readonly (readonly [number, number])[], rest?: Of<'products'>['rest']): Of<'products'> => {
    const terms = pairs.map(([a, b], i) => ({ left: cellOf(a, i, 'q'), right: cellOf(b, i, 'k'), product: a * b, partialSum: sum(pairs.slice(0, i + 1).map(([x, y]) => x * y)) }));
    return { ...cellOf((terms.at(-1)?.partialSum ?? 0) + (rest?.sum ?? 0), 0, 's'), kind: 'products', terms, ...(rest ? { rest } : {}) };
  }; // prettier-ignore
  const four = products([[1, 2], [3, 4], [5, 6], [7, 8]]); // prettier-ignore

  it('say the terms that are chosen, with a gap where some are not, and the sum of the others', () => {
    const linesOf = (cell: Of<'products'>, chosen?: readonly number[]): string[] => {
      const { terms, others, total } = shownAs.shownProducts(cell, () => two, chosen);
      const lines = terms.map(({ left, right, product, afterGap, sum: upTo }) => `${left.text}·${right.text} ${equals(product)} Σ${afterGap ? '…' : ''} ${equals(upTo)}`);
      return [...lines, `${others?.text ?? 'none'} ${equals(total)}`];
    };
    const [first, second, third, last] = ['1.00·2.00 = 2.00 Σ = 2.00', '3.00·4.00 = 12.00 Σ = 14.00', '5.00·6.00 = 30.00 Σ = 44.00', '7.00·8.00 = 56.00 Σ = 100.00'];
    assert.deepEqual(linesOf(four), [first, second, third, last, 'none = 100.00']);
    assert.deepEqual(linesOf(four, [0, 2]), [first, third?.replace('Σ', 'Σ…'), '68.00 = 100.00']);
    assert.deepEqual(linesOf(four, [1, 2, 3]), [second?.replace('Σ', 'Σ…'), third, last, '2.00 = 100.00']);
    assert.deepEqual(linesOf(four, []), ['100.00 = 100.00']);
    assert.deepEqual(linesOf(products([])), ['none = 0.00']);
    assert.deepEqual(linesOf(products([[1, 2], [3, 4]], { count: 3, sum: 9 })), [first, second, '9.00 = 23.00']);
    // 1 − 1023/1024 = 0.00098: as a cell with as many figures as others, as a sum before others with two.
    const small: [number, number][] = [[1, 1], [1, -0.9990234375]];
    assert.match(linesOf(products(small))[1] ?? '', /Σ = 0\.000977$/);
    assert.match(linesOf(products(small, { count: 1, sum: 5 }))[1] ?? '', /Σ [=≈] 0\.0010( |$)/);
    // Thirds: 0.33·0.33 = 0.1089, 0.67·0.33 = 0.2211, 0.11 + 0.22 = 0.33.
    assert.deepEqual(linesOf(products([[1 / 3, 1 / 3], [2 / 3, 1 / 3]])), ['0.33·0.33 = 0.11 Σ = 0.11', '0.67·0.33 = 0.22 Σ = 0.33', 'none = 0.33']);
  }); // prettier-ignore

  it('stand in one line with the first terms and the sum of the others', () => {
    const line = (cell: Of<'products'>, most: number): string => {
      const { terms, others, count, result } = shownAs.productFormula(cell, () => two, most);
      return `${terms.map(({ left, right }) => `${left.text}·${right.text}`).join(' ')} | ${others?.text ?? ''} ${count} ${equals(result)}`;
    };
    assert.equal(line(four, 2), '1.00·2.00 3.00·4.00 | 86.00 2 = 100.00');
    assert.equal(line(four, 4), '1.00·2.00 3.00·4.00 5.00·6.00 7.00·8.00 |  0 = 100.00');
    assert.equal(line(products([[1, 2], [3, 4]], { count: 3, sum: 9 }), 1), '1.00·2.00 | 21.00 4 = 23.00'); // prettier-ignore
  });

  // Beyond 10¹⁰ what doubles round away is of the size of the digits themselves, and is taken from what a line may differ by.
  for (const [start, lines] of [[0, 40], [4e10, 200]] as const) it(`have the fewest digits with which each follows from the one before, from ${start} on`, () => {
    let [seed, compared] = [9, 0];
    const random = (): number => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32) * 8 - 4;
    const at = (x: number, extra: number): number => Number(x.toFixed(2 + extra));
    const follows = (before: number, term: number, upTo: number, extra: number): boolean => Math.abs(before + term - upTo) < 0.5 * 10 ** -(2 + extra) - 1e-12 - 1e-15 * (Math.abs(term) + Math.abs(upTo));
    for (let i = 0; i < lines; i++) {
      const isCell = i % 2 === 0;
      const terms = [start + random(), random(), random()];
      const sums = terms.map((_, n) => sum(terms.slice(0, n + 1)));
      // A digit of a term costs two, of a sum one, of the cell four.
      const price = (n: number): number => (isCell && n === 2 ? 4 : 1);
      const best = (n: number, extra: number, most: number): number => {
        let least = Infinity;
        const before = n === 0 ? [[0, 0]] : Array.from({ length: most + 1 }, (_, b) => [at(sums[n - 1] ?? NaN, b), best(n - 1, b, most)]);
        for (const [start = NaN, cost = NaN] of before)
          for (let t = 0; t <= most; t++)
            if (follows(start, at(terms[n] ?? NaN, t), at(sums[n] ?? NaN, extra), extra)) least = Math.min(least, cost + 2 * t);
        return least + extra * price(n);
      };
      const all = (most: number): number => Math.min(...Array.from({ length: most + 1 }, (_, extra) => best(2, extra, most)));
      const least = all(3) < Infinity ? all(3) : all(4);
      if (least === Infinity) continue;
      compared++;
      const places = { ...two, largest: 1e15 };
      const [added, upTo] = [terms.map((x) => digitsOf(x, places)), sums.map((x) => digitsOf(x, places, 2))];
      addChainDigits(added.map((term, n): Link => ({ before: upTo[n - 1], term, sum: upTo[n] as Digits })), isCell);
      assert.equal(sum(added.map(({ extra }) => 2 * extra)) + sum(upTo.map(({ extra }, n) => extra * price(n))), least, terms.join(' '));
    }
    assert.ok(compared > lines / 2, `${compared}`);
    assert.doesNotThrow(() => addChainDigits([], true));
    const endless = [Infinity, -Infinity, NaN].map((x): Link => ({ before: undefined, term: digitsOf(x, two), sum: digitsOf(x, two) }));
    addChainDigits(endless, false);
    assert.deepEqual(endless.map((link) => [link.term.extra, link.sum.extra]), [[0, 0], [0, 0], [0, 0]]);
  }); // prettier-ignore
});

describe('the lines of a draw and of an angle', () => {
  it('have the number that it is multiplied by', () => {
    const drawn = { ...cellOf(0.25), kind: 'drawn', generator: 'numpy.RandomState', seed: 1, divideBy: 1, draw: 0.5, times: 0.5 } as Of<'drawn'>;
    const { from, result } = shownAs.shownQuotient(drawn, () => two, two);
    assert.equal(`${from.map((of) => of.text).join(' ')} ${equals(result)}`, '0.50 0.50 = 0.25');
    // cos(2 ÷ 4) = 0.8776, twice that 1.7552.
    const position = { ...cellOf(2 * Math.cos(0.5)), kind: 'position', position: 2, fn: 'cos', divisor: 4, angle: 0.5, times: 2 } as Of<'position'>;
    const angle = shownAs.shownAngle(position, () => two, two);
    assert.deepEqual([angle.divisor.text, equals(angle.angle), angle.times?.text, equals(angle.result)], ['4.00', '= 0.50', '2.00', '= 1.76']);
  }); // prettier-ignore
});

describe('the lines of a softmax', () => {
  const softmax = (scores: readonly number[], column: number, rest?: Of<'softmax'>['rest']): Of<'softmax'> => {
    const max = Math.max(...scores);
    const powers = scores.map((x) => Math.exp(x - max));
    const all = sum(powers) + (rest?.exponentials ?? 0);
    const terms = scores.map((x, j) => ({ operand: cellOf(x, j), shifted: x - max, exponential: powers[j] ?? NaN, weight: (powers[j] ?? NaN) / all }));
    return { ...cellOf((powers[column] ?? NaN) / all, column, 'w'), kind: 'softmax', operand: cellOf(scores[column] ?? NaN, column), max, sum: all, zeroed: false, terms, ...(rest ? { rest } : {}) };
  }; // prettier-ignore
  const rest = { count: 2, exponentials: 2, weights: 0.5 };

  it('say the shares of the terms that are chosen, and of the others', () => {
    const linesOf = (cell: Of<'softmax'>, chosen?: readonly number[]): string[] => {
      const { terms, max, sum: all, own, others } = shownAs.shownSoftmax(cell, () => two, two, chosen);
      const lines = terms.map((one) => `${one.score.text} ${[one.shifted, one.exponential, one.weight].map(equals).join(' ')}`);
      return [...lines, `${max.text} ${equals(all)} ${own ? equals(own) : 'none'} ${others ? `${others.exponential.text} ${equals(others.weight)}` : 'none'}`];
    };
    assert.deepEqual(linesOf(softmax([0, 0], 0)), ['0.00 = 0.00 = 1.00 = 0.50', '0.00 = 0.00 = 1.00 = 0.50', '0.00 = 2.00 = 1.00 none']);
    assert.deepEqual(linesOf(softmax([0, 0], 1, rest)), ['0.00 = 0.00 = 1.00 = 0.25', '0.00 = 0.00 = 1.00 = 0.25', '0.00 = 4.00 = 1.00 2.00 = 0.50']);
    // e^−0.9973 = 0.3689, e^−0.997 = 0.3690: of the score and the maximum, 2.00001, the score alone gets two digits more.
    const finer = shownAs.shownSoftmax(softmax([2.00001, 1.00271], 0), () => two, { decimals: 4 });
    assert.deepEqual([finer.max.text, finer.terms[1]?.score.text, finer.terms[1]?.shifted.text], ['2.00', '1.0027', '−0.9973']);
    // e⁻² = 0.1353, e⁻¹ = 0.3679, together with 1: 1.5032. With two digits 0.14 + 0.37 + 1 would be 1.51.
    const [one, second, third] = ['1.00 = −2.00 = 0.135 = 0.09', '2.00 = −1.00 = 0.368 = 0.24', '3.00 = 0.00 = 1.00 = 0.67'];
    assert.deepEqual(linesOf(softmax([1, 2, 3], 0)), [one, second, third, '3.00 = 1.503 = 0.135 none']);
    assert.deepEqual(linesOf(softmax([1, 2, 3], 0), [1, 2]), [second, third, '3.00 = 1.503 none 0.135 = 0.09']);
    assert.deepEqual(linesOf(softmax([1, 2, 3], 2), [2]), [third, '3.00 = 1.50 = 1.00 0.50 = 0.33']);
  }); // prettier-ignore

  it('show the largest score and the maximum, which are one number, with the same digits', () => {
    let seed = 3;
    const random = (): number => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32) * 4 - 2;
    for (let i = 0; i < 300; i++) {
      const scores = Array.from({ length: 2 + (i % 5) }, random);
      const largest = scores.indexOf(Math.max(...scores));
      const { terms, max } = shownAs.shownSoftmax(softmax(scores, i % scores.length), () => two, { decimals: 4 });
      assert.equal(terms[largest]?.score.text, max.text, scores.join(' '));
    }
  });

  it('stand in one line with the first powers and the sum of the others', () => {
    const line = (cell: Of<'softmax'>, most: number): string => {
      const { own, terms, others, count, result } = shownAs.softmaxFormula(cell, () => two, most);
      return `${own.text} | ${terms.map((term) => term.text).join(' ')} | ${others?.text ?? ''} ${count} ${equals(result)}`;
    };
    assert.equal(line(softmax([1, 2, 3], 0), 3), '−2.00 | −2.00 −1.00 0.00 |  0 = 0.09');
    // e⁻¹ + e⁰ = 1.3679.
    assert.equal(line(softmax([1, 2, 3], 0), 1), '−2.00 | −2.00 | 1.37 2 = 0.09');
    // The cell's own is among the others: e⁻¹ ÷ (1 + 0.50) = 0.2453 would be 0.25, and is 0.2447.
    assert.equal(line(softmax([3, 1, 2], 2), 1), '−1.00 | 0.00 | 0.503 2 = 0.24');
    assert.equal(line(softmax([0, 0], 1, rest), 2), '0.00 | 0.00 0.00 | 2.00 2 = 0.25');
  });
});

describe('the lines of a calculation', () => {
  const linesOf = (lines: readonly (readonly [number, Work])[], most?: number): string[] => {
    const cell: Of<'worked'> = { ...cellOf(lines.at(-1)?.[0] ?? NaN), kind: 'worked', operand: cellOf(0), note: { say: '', with: [] }, lines: lines.map(([value, work]) => ({ value, work })) };
    return shownAs.shownWork(cell, () => two, { decimals: 4 }, most).map((line) => `${shownAs.workText(line)} ${equals(line.result)}`);
  }; // prettier-ignore
  const of = (x: number): Work => ({ is: 'cell', cell: cellOf(x) });
  const [square, root] = (['square', 'root'] as const).map((is) => (part: Work): Work => ({ is, of: part })) as [(of: Work) => Work, (of: Work) => Work]; // prettier-ignore
  const add = (...parts: Work[]): Work => ({ is: 'sum', of: parts });
  const times = (...parts: Work[]): Work => ({ is: 'product', of: parts });
  const less = (from: Work, what: Work): Work => ({ is: 'difference', of: from, less: what });
  const by = (above: Work, below: Work): Work => ({ is: 'quotient', of: above, by: below });

  it('have brackets where they are needed, and the digits of the cell in the last', () => {
    const cases: readonly [number, Work, string][] = [
      [9, square(of(-3)), '(−3.00)² = 9.00'],
      [9, square(of(3)), '3.00² = 9.00'],
      [1e-14, square(of(1e-7)), '(1e−7)² = 1e−14'],
      [25, square(add(of(2), of(3))), '(2.00 + 3.00)² = 25.00'],
      [36, square(times(of(2), of(3))), '(2.00 · 3.00)² = 36.00'],
      [20, times(add(of(2), of(3)), of(4)), '(2.00 + 3.00) · 4.00 = 20.00'],
      [4, by(times(of(2), of(6)), times(of(3), { is: 'whole', value: 1 })), '2.00 · 6.00 ÷ (3.00 · 1) = 4.00'],
      [0.5, by({ is: 'whole', value: 1 }, root(of(4))), '1 ÷ √(4.00) = 0.50'],
      [Math.tanh(1), { is: 'tanh', of: of(1) }, 'tanh(1.00) = 0.76'],
      [0.3125, times({ is: 'number', value: 0.625 }, of(0.5)), '0.6250 · 0.50 = 0.31'],
      [2, less(of(5), of(3)), '5.00 − 3.00 = 2.00'],
      [3, less(of(5), add(of(1), of(1))), '5.00 − (1.00 + 1.00) = 3.00'],
      [3, less(of(5), less(of(3), of(1))), '5.00 − (3.00 − 1.00) = 3.00'],
      [5, less(times(of(2), of(3)), of(1)), '2.00 · 3.00 − 1.00 = 5.00'],
      [1, less(of(5), times(of(2), of(2))), '5.00 − 2.00 · 2.00 = 1.00'],
      [4, times(less(of(5), of(3)), of(2)), '(5.00 − 3.00) · 2.00 = 4.00'],
      [1, by(of(2), by(of(4), of(2))), '2.00 ÷ (4.00 ÷ 2.00) = 1.00'],
      [-3, { is: 'negative', of: of(3) }, '−3.00 = −3.00'],
      [3, { is: 'negative', of: of(-3) }, '−(−3.00) = 3.00'],
      [8, { is: 'cube', of: of(2) }, '2.00³ = 8.00'],
      [-8, { is: 'cube', of: of(-2) }, '(−2.00)³ = −8.00'],
      // e, and math.erf(0.5) of Python: 0.5204998778.
      [Math.E, { is: 'exp', of: of(1) }, 'exp(1.00) = 2.72'],
      [0.5204998778130465, { is: 'erf', of: of(0.5) }, 'erf(0.50) = 0.52'],
    ];
    for (const [value, work, text] of cases) assert.deepEqual(linesOf([[value, work]]), [text]);
    assert.deepEqual(linesOf([[1 / 3, by({ is: 'number', value: 1 }, { is: 'whole', value: 3 })], [1 / 9, square({ is: 'line', at: 0 })]]), ['1.0000 ÷ 3 = 0.3333', '0.3333² = 0.11']); // prettier-ignore
  });

  it('have the digits that later lines need of them', () => {
    // 0.3333333 · 30000 = 9999.999, which is 10000.00; 0.333333 gives 9999.99.
    const third: Work = by({ is: 'number', value: 1 }, { is: 'whole', value: 3 });
    assert.deepEqual(linesOf([[1 / 3, third], [1, { is: 'whole', value: 1 }], [1e4, times({ is: 'line', at: 0 }, { is: 'whole', value: 30000 })]]), ['1.0000 ÷ 3 = 0.3333333', '1 = 1.0000', '0.3333333 · 30000 = 10000.00']);
    assert.deepEqual(linesOf([[4, square(of(2))], [5, add(of(1), { is: 'line', at: 0 })]], 1), ['2.00² = 4.0000', '1.00 + 4.0000 (1 others) = 5.00']);
  }); // prettier-ignore

  it('have names', () => {
    const result = { text: '9', value: 9, places: 0 };
    const named = (name?: string): string => shownAs.workName({ name: name === undefined ? undefined : { say: name, with: [] }, parts: [], result }); // prettier-ignore
    assert.deepEqual([named('mean of squares'), named()], ['mean of squares', '']);
  });

  it('say so many terms of a sum, and the others as one', () => {
    const squares = [1, 2, 3, 4].map((x) => square(of(x)));
    assert.deepEqual(linesOf([[30, add(...squares)]], 4), ['1.00² + 2.00² + 3.00² + 4.00² = 30.00']);
    assert.deepEqual(linesOf([[30, add(...squares)]], 2), ['1.00² + 2.00² + 25.0000 (2 others) = 30.00']);
    const more: Work = { is: 'sum', of: squares, rest: { count: 5, sum: 10 } };
    assert.deepEqual(linesOf([[40, more]], 9), ['1.00² + 2.00² + 3.00² + 4.00² + 10.0000 (5 others) = 40.00']);
    assert.deepEqual(linesOf([[40, more]], 8), ['1.00² + 2.00² + 3.00² + 4.00² + 10.0000 (5 others) = 40.00']);
    assert.deepEqual(linesOf([[40, more]], 3), ['1.00² + 2.00² + 3.00² + 26.0000 (6 others) = 40.00']);
    const seventeen = Array.from({ length: 17 }, () => of(1));
    assert.deepEqual(linesOf([[17, add(...seventeen)]]), [`${'1.00 + '.repeat(16)}1.0000 (1 others) = 17.00`]);
    assert.deepEqual(linesOf([[16, add(...seventeen.slice(1))]]), [`${'1.00 + '.repeat(15)}1.00 = 16.00`]);
    for (const [term, text] of [[less(of(5), of(3)), '2.0000'], [square(of(3)), '9.0000'], [times(of(3), of(4)), '12.0000'], [{ is: 'number', value: 7 }, '7.0000'], [{ is: 'whole', value: 7 }, '7.0000']] as const)
      assert.deepEqual(linesOf([[sum([1, parseFloat(text)]), add(of(1), term)]], 1), [`1.00 + ${text} (1 others) = ${parseFloat(text) + 1}.00`]);
  }); // prettier-ignore
});
