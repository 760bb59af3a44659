import { exp } from '../math';

/** softmax(row / divideBy) in float64: exp(x − max) over its sum; a negative divisor turns the order round. */
export function softmaxOf(row: Float64Array, divideBy = 1): Float64Array {
  const scaled = row.map((x) => x / divideBy);
  const max = scaled.reduce((a, b) => (b > a ? b : a), -Infinity);
  const exponentials = scaled.map((x) => exp(x - max));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  return exponentials.map((x) => x / sum);
}
