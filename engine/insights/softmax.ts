import { exp } from '../math';

/** softmax(row / divideBy) in float64: exp(x − max) over its sum. */
export function softmaxOf(row: Float64Array, divideBy = 1): Float64Array {
  const max = row.reduce((a, b) => (b > a ? b : a), -Infinity) / divideBy;
  const exponentials = row.map((x) => exp(x / divideBy - max));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  return exponentials.map((x) => x / sum);
}
