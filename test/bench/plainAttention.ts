import { difference } from './check';
import { product, reals, softmaxed, transposed } from './plainMath';

/** softmax(QKᵀ/√d)·V over matrices that are the same in every host, and a check of results against float64 sums. */
export interface Problem {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
  readonly n: number;
  readonly d: number;
}
export interface Attended {
  readonly weights: Float32Array;
  readonly output: Float32Array;
}

export const problemOf = (n: number, d: number): Problem => ({
  q: reals(n * d, 1),
  k: reals(n * d, 2),
  v: reals(n * d, 3),
  n,
  d,
});

export function plainAttention({ q, k, v, n, d }: Problem): Attended {
  const weights = softmaxed(product(q, transposed(k, n), q.length / d, d, n), n, 1 / Math.sqrt(d));
  return { weights, output: product(weights, v, q.length / d, n, d) };
}

/** Largest error of a float32 sum of a few thousand products, with values below 2 and weights below 1. */
const bound = (): number => 1e-5;

export function checkOf(problem: Problem): (found: Attended) => string | undefined {
  const expected = plainAttention(problem);
  return ({ weights, output }) =>
    difference(weights, expected.weights, bound) ?? difference(output, expected.output, bound);
}

/** Checks some rows only, for large inputs. */
export function wrongRow(problem: Problem, { weights, output }: Attended): string | undefined {
  const { q, n, d } = problem;
  for (const row of [0, 1, n >> 1, n - 1]) {
    const expected = plainAttention({ ...problem, q: q.subarray(row * d, (row + 1) * d) });
    const wrong =
      difference(weights.subarray(row * n, (row + 1) * n), expected.weights, bound) ??
      difference(output.subarray(row * d, (row + 1) * d), expected.output, bound);
    if (wrong) return `row ${row}: ${wrong}`;
  }
  return undefined;
}
