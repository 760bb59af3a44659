import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as math from '../../engine/math/math';
import { exactExp, exactLog, exactPow, exactSine, exactTanh } from '../../engine/math/exact';
import { streamOf } from './random-streams';

const unary = { exp: math.exp, log: math.log, sin: math.sin, cos: math.cos, tanh: math.tanh } as const;
type Unary = keyof typeof unary;
const names = Object.keys(unary) as Unary[];

/** Rows of `columns` float64 as test/reference/math_values.py writes them. */
function fixture(name: string, columns: number): number[][] {
  const bytes = readFileSync(join(__dirname, '../fixtures/math', `${name}.f64`));
  const numbers = Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
  return Array.from({ length: numbers.length / columns }, (_, i) => numbers.slice(columns * i, columns * (i + 1)));
}

const uniform = (seed: number, count: number, low: number, high: number): Float64Array =>
  streamOf({ generator: 'numpy.RandomState', seed }).uniform(count, low, high);

function assertSame(actual: number, expected: number, label: string): void {
  assert.ok(Object.is(actual, expected), `${label}: ${actual}, expected ${expected}`);
}

describe('math against correctly rounded values (Python decimal, 120 digits)', () => {
  for (const name of names)
    it(`${name}: every bit of random, hard and extreme values`, () => {
      const rows = fixture(name, 2);
      assert.ok(rows.length > 1500);
      for (const [x = 0, value = 0] of rows) assertSame(unary[name](x), value, `${name}(${x})`);
    });

  it('pow: every bit of random, hard and extreme values', () => {
    const rows = fixture('pow', 3);
    assert.ok(rows.length > 1500);
    for (const [x = 0, y = 0, value = 0] of rows) assertSame(math.pow(x, y), value, `pow(${x}, ${y})`);
  });

  it('float32: within one rounding of the float64 value', () => {
    const rounded = { exp: math.exp32, log: math.log32, sin: math.sin32, cos: math.cos32, tanh: math.tanh32 } as const;
    for (const name of names)
      for (const [x = 0, value = 0] of fixture(name, 2))
        assertSame(rounded[name](x), Math.fround(value), `${name}32(${x})`);
  });
});

describe('math: special values', () => {
  const cases: readonly (readonly [Unary, number, number])[] = [
    ['exp', NaN, NaN],
    ['exp', Infinity, Infinity],
    ['exp', -Infinity, 0],
    ['exp', 0, 1],
    ['exp', -0, 1],
    ['exp', 709.782712893384, 1.7976931348622732e308],
    ['exp', 709.7827128933841, Infinity],
    ['exp', -745.1332191019411, 5e-324],
    ['exp', -745.1332191019412, 0],
    ['exp', -1e300, 0],
    ['log', NaN, NaN],
    ['log', -1, NaN],
    ['log', -Infinity, NaN],
    ['log', 0, -Infinity],
    ['log', -0, -Infinity],
    ['log', 1, 0],
    ['log', Infinity, Infinity],
    ['sin', NaN, NaN],
    ['sin', Infinity, NaN],
    ['sin', -Infinity, NaN],
    ['sin', 0, 0],
    ['sin', -0, -0],
    ['sin', 5e-324, 5e-324],
    ['cos', NaN, NaN],
    ['cos', Infinity, NaN],
    ['cos', -Infinity, NaN],
    ['cos', 0, 1],
    ['cos', -0, 1],
    ['tanh', NaN, NaN],
    ['tanh', Infinity, 1],
    ['tanh', -Infinity, -1],
    ['tanh', 0, 0],
    ['tanh', -0, -0],
    ['tanh', -5e-324, -5e-324],
    ['tanh', 1e300, 1],
  ];
  for (const [name, x, value] of cases)
    it(`${name}(${Object.is(x, -0) ? '-0' : x}) is ${Object.is(value, -0) ? '-0' : value}`, () => {
      assertSame(unary[name](x), value, name);
    });

  // C99, annex F.10.4.4, which Python and NumPy follow.
  const powers: readonly (readonly [number, number, number])[] = [
    [NaN, 0, 1],
    [1, NaN, 1],
    [NaN, 1, NaN],
    [2, NaN, NaN],
    [1, Infinity, 1],
    [-1, Infinity, 1],
    [-1, -Infinity, 1],
    [0.5, Infinity, 0],
    [0.5, -Infinity, Infinity],
    [-2, Infinity, Infinity],
    [-2, -Infinity, 0],
    [0, 3, 0],
    [-0, 3, -0],
    [-0, 2, 0],
    [-0, -3, -Infinity],
    [-0, -2, Infinity],
    [0, -0.5, Infinity],
    [-0, 0.5, 0],
    [Infinity, 2, Infinity],
    [Infinity, -2, 0],
    [-Infinity, 3, -Infinity],
    [-Infinity, 2, Infinity],
    [-Infinity, -3, -0],
    [-Infinity, 0.5, Infinity],
    [-8, 1 / 3, NaN],
    [-2, 3, -8],
    [-1, 1e300, 1],
    [2, 1024, Infinity],
    [-2, 1025, -Infinity],
    [2, -1074, 5e-324],
    [2, -1076, 0],
    [-2, -1077, -0],
    [1 - 2 ** -53, 1e300, 0],
    [1 + 2 ** -52, 1e300, Infinity],
    [10, 1e-300, 1],
  ];
  for (const [x, y, value] of powers)
    it(`pow(${Object.is(x, -0) ? '-0' : x}, ${y}) is ${Object.is(value, -0) ? '-0' : value}`, () => {
      assertSame(math.pow(x, y), value, 'pow');
    });
});

describe('math: the fast paths agree with integer arithmetic', () => {
  const count = 4000;
  const agree = (name: Unary, arguments_: Float64Array, exact: (x: number) => number): void =>
    arguments_.forEach((x) => {
      assertSame(unary[name](x), exact(x), `${name}(${x})`);
    });

  it('exp', () => {
    agree('exp', uniform(1, count, -745, 709), exactExp);
    agree('exp', uniform(2, count, -745.1, -708), exactExp);
    agree('exp', uniform(3, count, -1e-3, 1e-3), exactExp);
  });
  it('log', () => {
    agree('log', uniform(4, count, 0, 4), exactLog);
    agree('log', uniform(5, count, 0.999, 1.001), exactLog);
    agree(
      'log',
      uniform(6, count, -1070, 1023).map((e) => math.pow(2, e)),
      exactLog,
    );
  });
  it('sin and cos', () => {
    for (const [seed, reach] of [1, 100, 399999].entries()) {
      agree('sin', uniform(7 + seed, count, -reach, reach), (x) => exactSine(x, 0));
      agree('cos', uniform(7 + seed, count, -reach, reach), (x) => exactSine(x, 1));
    }
  });
  it('tanh', () => {
    agree('tanh', uniform(10, count, 1e-8, 0.02), exactTanh);
    agree('tanh', uniform(11, count, 0.01, 22), exactTanh);
  });
  it('pow', () => {
    const [xs, ys] = [uniform(12, count, 0, 1e5), uniform(13, count, -60, 60)];
    xs.forEach((x, i) => {
      const y = ys[i] ?? 0;
      assertSame(math.pow(x, y), exactPow(x, y), `pow(${x}, ${y})`);
    });
  });
});

describe('math: order and symmetry', () => {
  const ranges: readonly (readonly [Unary, number, number])[] = [
    ['exp', -746, 710],
    ['exp', -1e-9, 1e-9],
    ['log', 1e-320, 1e-300],
    ['log', 0.99, 1.01],
    ['sin', -Math.PI / 2, Math.PI / 2],
    ['tanh', -23, 23],
    ['tanh', -1e-7, 1e-7],
  ];
  for (const [name, low, high] of ranges)
    it(`${name} never falls from ${low.toPrecision(3)} to ${high.toPrecision(3)}`, () => {
      const xs = uniform(20, 20000, low, high).sort();
      for (let i = 1; i < xs.length; i++) {
        const [left, right] = [xs[i - 1] ?? 0, xs[i] ?? 0];
        assert.ok(unary[name](left) <= unary[name](right), `${name}(${left}) > ${name}(${right})`);
      }
    });

  it('never falls between neighbours, across the borders of tables', () => {
    for (const [name, low, high] of ranges)
      for (const start of uniform(21, 20, low, high)) {
        let x = start;
        for (let i = 0; i < 200; i++) {
          const next = above(x);
          assert.ok(unary[name](x) <= unary[name](next), `${name}(${x}) > ${name}(${next})`);
          x = next;
        }
      }
  });

  it('sin and tanh are odd, cos is even', () => {
    for (const x of uniform(22, 10000, 0, 500000)) {
      assertSame(math.sin(-x), -math.sin(x), `sin(−${x})`);
      assertSame(math.cos(-x), math.cos(x), `cos(−${x})`);
      assertSame(math.tanh(-x), -math.tanh(x), `tanh(−${x})`);
    }
  });
});

function above(x: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x === 0 ? 0 : x);
  view.setBigInt64(0, view.getBigInt64(0) + (x < 0 ? -1n : 1n));
  return view.getFloat64(0);
}
