import { exactTanh } from './exact';
import { expPair } from './exp';
import { productError, sumError } from './pair';
import { powerOfTwo } from './powers';

const parts = new Float64Array(2);

/** tanh x, correctly rounded; ±0 for ±0, ±1 for ±∞, NaN for NaN. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (!(size >= 3.725290298461914e-9)) return x; // below 2^-28 (or NaN) the cube is lost
  if (size > 22) return x > 0 ? 1 : -1;
  tanhPair(size, parts);
  const high = parts[0] as number;
  const low = parts[1] as number;
  // Near 0 the pair is relatively less exact.
  const bound = high * (high < 0.015625 ? 4.336808689942018e-19 : 3.3881317890172014e-21); // 2^-61, 2^-68
  const result = high + (low + bound);
  if (result !== high + (low - bound)) return x > 0 ? exactTanh(size) : -exactTanh(size);
  return x > 0 ? result : -result;
}

/** tanh x = E/(E + 2), E = e^2x − 1, as out[0] + out[1]; for 2^-28 ≤ x ≤ 22. */
export function tanhPair(x: number, out: Float64Array): void {
  const scale = powerOfTwo(expPair(2 * x, 0, out));
  const power = (out[0] as number) * scale;
  const eh = power - 1;
  const el = sumError(power, -1, eh) + (out[1] as number) * scale;
  const dh = eh + 2;
  const dl = sumError(eh, 2, dh) + el;
  const quotient = eh / dh;
  const product = quotient * dh;
  // What is left of the division: E − quotient·D.
  const rest = (eh - product - productError(quotient, dh, product) - quotient * dl + el) / dh;
  out[0] = quotient + rest;
  out[1] = quotient - (out[0] as number) + rest;
}
