import assert from 'node:assert/strict';
import type { AttentionOperands as Operands, MatmulOperands } from '../../engine/run/backend/wasm/index';

// Reference results for the float32 kernels, computed in float64 by the plain formulas with Math.exp.

/** float32's ε, for bounds of the form c·k·ε·Σ|terms| with c = 1. */
const epsilon = 2 ** -23;

function sequence(length: number, seed: number, of: (x: number) => number): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return of(state / 0x100000000);
  });
}

/** Integers from −8 to 8. Sums of two thousand products of them are exact in float32. */
export const integers = (length: number, seed: number): Float32Array =>
  sequence(length, seed, (x) => Math.floor(17 * x) - 8);

export const reals = (length: number, seed: number): Float32Array => sequence(length, seed, (x) => 4 * x - 2);

export interface Sums {
  readonly sums: Float64Array;
  /** Σ|terms| for each sum. */
  readonly sizes: Float64Array;
}

type AttentionOperands = Operands<Float32Array>;

type Factors = Pick<MatmulOperands, 'n' | 'k' | 'm' | 'transposed'> & {
  readonly a: ArrayLike<number>;
  readonly b: ArrayLike<number>;
};

/** The product a·b in float64. */
export function product({ a, b, n, k, m, transposed }: Factors): Sums {
  const [sums, sizes] = [new Float64Array(n * m), new Float64Array(n * m)];
  for (let i = 0; i < n * m; i++) {
    const [row, column] = [Math.floor(i / m), i % m];
    for (let t = 0; t < k; t++) {
      const term = (a[row * k + t] ?? 0) * (b[transposed ? column * k + t : t * m + column] ?? 0);
      sums[i] = (sums[i] ?? 0) + term;
      sizes[i] = (sizes[i] ?? 0) + Math.abs(term);
    }
  }
  return { sums, sizes };
}

/** Asserts that every value is within its bound, plus half of the smallest subnormal. NaN and infinities must be equal. */
export function assertNear(actual: ArrayLike<number>, expected: ArrayLike<number>, bound: (i: number) => number): void {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < expected.length; i++) {
    const [x, y] = [actual[i] ?? NaN, expected[i] ?? NaN];
    const near = Object.is(x, y) || Math.abs(x - y) <= bound(i) + 2 ** -148;
    assert.ok(near, `${i}: ${x}, expected ${y} (bound ${bound(i)})`);
  }
}

export function assertProduct(actual: ArrayLike<number>, { sums, sizes }: Sums, k: number, m: number): void {
  assert.ok(m === 0 || actual.length % m === 0);
  assertNear(actual, sums, (i) => Math.max(k, 1) * epsilon * (sizes[i] ?? 0));
}

interface Softened {
  readonly n: number;
  readonly m: number;
  readonly scale?: number;
  readonly mask?: Uint8Array;
  readonly fill?: number;
}

/**
 * Softmax of each row in float64. The scores, and their differences from the maximum, are first rounded to float32 as in PyTorch. `distance` omits
 * the second rounding, for a kernel that does not subtract the maximum.
 */
export function weightsOf(
  x: Float64Array,
  { n, m, scale = 1, mask, fill = -Infinity }: Softened,
  distance: (x: number) => number = Math.fround,
): Float64Array {
  const s = x.map((y, i) => (mask?.[i] ? fill : Math.fround(y * scale)));
  for (let i = 0; i < n; i++) {
    const row = s.subarray(i * m, (i + 1) * m);
    const top = row.reduce((a, b) => Math.max(a, b), -Infinity);
    row.forEach((y, j) => (row[j] = Math.exp(distance(y - top))));
    const sum = row.reduce((a, b) => a + b, 0);
    row.forEach((y, j) => (row[j] = y / sum));
  }
  return s;
}

/** Weights in float64, and a bound for the relative error that errors of scores and sum cause in each. */
function expectedWeights(o: AttentionOperands): { weights: Float64Array; share: number } {
  const scores = product({ a: o.q, b: o.k, n: o.n, k: o.d, m: o.m, transposed: true });
  const most = scores.sizes.reduce((a, b) => Math.max(a, b), 0) * Math.abs(o.scale ?? 1);
  // exp(x + e) ≈ exp(x)·(1 + e), once in the numerator and once in the sum.
  return { weights: weightsOf(scores.sums, o), share: (2 * (o.d + 2) * most + o.m + 8) * epsilon };
}

export function assertWeights(actual: ArrayLike<number>, operands: AttentionOperands): void {
  const { weights, share } = expectedWeights(operands);
  assertNear(actual, weights, (i) => share * (weights[i] ?? 0));
}

export function assertOutput(actual: ArrayLike<number>, operands: AttentionOperands): void {
  const { n, m, dv, v } = operands;
  const { weights, share } = expectedWeights(operands);
  const { sums, sizes } = product({ a: weights, b: v, n, k: m, m: dv });
  assertNear(actual, sums, (i) => (share + m * epsilon) * (sizes[i] ?? 0));
}
