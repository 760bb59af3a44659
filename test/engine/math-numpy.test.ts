import assert from 'node:assert/strict';
import * as math from '../../engine/math/math';
import { pythonOrSkip, runReference, ulps } from '../reference/python';
import { streamOf } from './random-streams';

type Range = readonly [low: number, high: number];
/** Arguments: evenly over `plain`, evenly around 0 or 1, and (as exponents of 2) over all sizes. */
interface Sample {
  readonly plain: Range;
  readonly near: Range;
  readonly exponents: Range;
  readonly signed: boolean;
}

const samples = {
  exp: { plain: [-746, 710], near: [-1, 1], exponents: [-60, 9], signed: true },
  log: { plain: [0, 1000], near: [0.9, 1.1], exponents: [-1074, 1023], signed: false },
  sin: { plain: [-1e5, 1e5], near: [-3.2, 3.2], exponents: [-60, 18], signed: true },
  cos: { plain: [-1e5, 1e5], near: [-3.2, 3.2], exponents: [-60, 18], signed: true },
  tanh: { plain: [-22, 22], near: [-1, 1], exponents: [-300, 5], signed: true },
} as const satisfies Record<string, Sample>;

function draw({ plain, near, exponents, signed }: Sample, seed: number): Float64Array {
  const stream = streamOf({ generator: 'numpy.default_rng', seed });
  const sizes = stream.uniform(333_334, ...exponents).map((e, i) => (signed && i % 2 ? -1 : 1) * 2 ** e);
  return Float64Array.from([...stream.uniform(333_333, ...plain), ...stream.uniform(333_333, ...near), ...sizes]);
}

interface Comparison {
  readonly share: number;
  readonly worst: number;
  readonly at: number;
}

/** Share of equal values and the largest distance, with its index. */
function compare(actual: Float64Array, expected: Float64Array): Comparison {
  assert.equal(actual.length, expected.length);
  let [equal, worst, at] = [0, 0, 0];
  actual.forEach((value, i) => {
    const distance = ulps(value, expected[i] ?? NaN);
    if (distance === 0) equal++;
    if (distance > worst) [worst, at] = [distance, i];
  });
  return { share: equal / actual.length, worst, at };
}

/** NumPy's vectorised float64 functions may be this far from the true value. */
const vectorBound = 4;

function assertNear(name: string, actual: Float64Array, numpy: Float64Array, argument: (i: number) => string): void {
  const vector = compare(actual, numpy.subarray(0, actual.length));
  const extended = compare(actual, numpy.subarray(actual.length));
  const told = ({ share, worst }: Comparison): string => `${(100 * share).toFixed(4)} % equal, worst ${worst} ulp`;
  console.log(`      ${name}: float64 ${told(vector)}; long double, rounded: ${told(extended)}`);
  const failure = ({ worst, at }: Comparison): string =>
    `${name}(${argument(at)}) = ${actual[at]} is ${worst} ulp from NumPy's`;
  assert.ok(extended.worst <= 1, failure(extended));
  assert.ok(vector.worst <= vectorBound, failure(vector));
}

describe('math against NumPy, a million points each', function () {
  this.timeout(120_000);
  let command = '';

  before(function () {
    command = pythonOrSkip(this, 'numpy');
  });

  const against = (name: keyof typeof samples, xs: Float64Array): void => {
    const numpy = runReference(command, 'math_numpy.py', [name], xs);
    assertNear(name, xs.map(math[name]), numpy, (i) => String(xs[i]));
  };

  for (const [name, sample] of Object.entries(samples) as [keyof typeof samples, Sample][])
    it(name, () => {
      against(name, draw(sample, 1));
    });

  it('sin and cos of huge angles', () => {
    const stream = streamOf({ generator: 'numpy.default_rng', seed: 2 });
    const xs = stream.uniform(4000, 18, 1023).map((e) => 2 ** e);
    against('sin', xs);
    against('cos', xs);
  });

  it('pow', () => {
    const stream = streamOf({ generator: 'numpy.default_rng', seed: 3 });
    const xs = [...new Array<number>(500_000).fill(10000), ...stream.uniform(500_000, 0, 1000)];
    const ys = [...stream.uniform(500_000, 0, 1), ...stream.uniform(500_000, -50, 50)];
    const pairs = Float64Array.from({ length: 2_000_000 }, (_, i) => (i % 2 ? ys : xs)[i >> 1] ?? 0);
    const values = Float64Array.from(xs, (x, i) => math.pow(x, ys[i] ?? 0));
    const numpy = runReference(command, 'math_numpy.py', ['pow'], pairs);
    assertNear('pow', values, numpy, (i) => `${xs[i]}, ${ys[i]}`);
  });
});
