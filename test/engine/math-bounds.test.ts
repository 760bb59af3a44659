import assert from 'node:assert/strict';
import { expFixed, fixedOf, logFixed, piFixed, sineSeries } from '../../engine/math/exact';
import { expPair } from '../../engine/math/exp';
import { logPair } from '../../engine/math/log';
import { tanhPair } from '../../engine/math/tanh';
import { sinePair } from '../../engine/math/trig';
import { streamOf } from './random-streams';

// The rounding test of each function takes the error of its pair of doubles to be below a bound. Here the pairs are
// compared with integer arithmetic at 2^-300, and must keep a third of each bound in reserve.

const bits = 300;
const one = 1n << BigInt(bits);
const pair = new Float64Array(2);
const fixedPair = (): bigint => fixedOf(pair[0] ?? NaN, bits) + fixedOf(pair[1] ?? NaN, bits);
const scaled = (value: bigint, by: number): bigint => (by >= 0 ? value << BigInt(by) : value >> BigInt(-by));

/** |actual − expected| / |expected|, as a power of 2. */
function relativeError(actual: bigint, expected: bigint): number {
  const [error, size] = [actual - expected, expected].map((x) => (x < 0n ? -x : x)) as [bigint, bigint];
  return Math.log2(Number((error << 200n) / size)) - 200;
}

function worstOf(seed: number, low: number, high: number, errorAt: (x: number) => number): number {
  const xs = streamOf({ generator: 'numpy.default_rng', seed }).uniform(4000, low, high);
  return xs.reduce((worst, x) => Math.max(worst, errorAt(x)), -Infinity);
}

function expError(x: number): number {
  const k = expPair(x, 0, pair);
  const { value, exponent } = expFixed(fixedOf(x, bits), bits);
  return relativeError(fixedPair(), scaled(value, exponent + bits - k));
}

function logError(x: number): number {
  logPair(x, pair);
  return relativeError(fixedPair(), logFixed(x, bits));
}

function tanhError(x: number): number {
  tanhPair(x, pair);
  const { value, exponent } = expFixed(fixedOf(2 * x, bits), bits);
  const power = scaled(value, exponent + bits);
  return relativeError(fixedPair(), ((power - one) * one) / (power + one));
}

function sineError(x: number): number {
  if (!sinePair(x, 0, pair)) return -Infinity;
  const turn = piFixed(bits + 30);
  const angle = fixedOf(x, bits + 30);
  const halves = (2n * angle + turn) / (2n * turn) - (2n * angle + turn < 0n ? 1n : 0n);
  const rest = (angle - halves * turn) >> 30n;
  const sine = sineSeries(rest, bits, 1n);
  return relativeError(fixedPair(), halves % 2n === 0n ? sine : -sine);
}

describe('math: the pairs of the fast paths keep their bounds', () => {
  const reserve = Math.log2(1.5);
  const cases: readonly (readonly [string, (x: number) => number, low: number, high: number, bound: number])[] = [
    ['exp', expError, -745, 709, -70],
    ['exp', expError, -0.001, 0.001, -70],
    ['log', logError, 0, 10, -68],
    ['log', logError, 0.998, 1.002, -68],
    ['log', logError, 1e10, 1e300, -68],
    ['sin', sineError, 0.001, 4, -67],
    ['sin', sineError, -4e5, 4e5, -67],
    ['tanh', tanhError, 0.016, 22, -68],
    ['tanh', tanhError, 1e-8, 0.015, -61],
    ['tanh', tanhError, 1e-8, 0.00017, -61],
  ];
  cases.forEach(([name, errorAt, low, high, bound], i) => {
    it(`${name} from ${low} to ${high}: below 2^${bound}`, () => {
      const worst = worstOf(i, low, high, errorAt);
      assert.ok(worst > -100 && worst < bound - reserve, `worst 2^${worst.toFixed(2)}`);
    });
  });
});
