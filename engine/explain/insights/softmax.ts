import { exp } from '../../math';

/** softmax(row / divideBy) in float64, with the maximum subtracted. A negative divisor reverses the order of the weights. */
export function softmaxOf(row: Float64Array, divideBy = 1): Float64Array {
  const out = new Float64Array(row.length);
  let max = -Infinity;
  for (let i = 0; i < row.length; i++) {
    const x = (out[i] = (row[i] as number) / divideBy);
    if (x > max) max = x;
  }
  let sum = 0;
  for (let i = 0; i < out.length; i++) sum += out[i] = exp((out[i] as number) - max);
  for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) / sum;
  return out;
}
