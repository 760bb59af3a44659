import { exp } from '../../math';

const perLn2 = 1.4426950408889634;
const [ln2High, ln2Low] = [0.6931471803691238, 1.9082149292705877e-10];
/** 1.5 · 2^52: what is added to it is rounded to a whole number. */
const whole = 6755399441055744;
const least = -1021;
const powers = Float64Array.from({ length: 1023 - least }, (_, i) => powerOfTwo(i + least));

function powerOfTwo(k: number): number {
  let made = 1;
  for (let i = 0; i < Math.abs(k); i++) made = k > 0 ? made * 2 : made / 2;
  return made;
}

/**
 * e^x with a relative error of some 2^-52, in few operations that are compiled into the loop around them: thousands of candidates are rejected by it.
 * What is shown to a person comes from the trace. 0 for what is below 2^-1021.
 */
export function quickExp(x: number): number {
  if (!(x > -707 && x < 708)) return x <= -707 ? 0 : exp(x);
  const k = x * perLn2 + whole - whole;
  const r = x - k * ln2High - k * ln2Low;
  const high = 1 / 5040 + r * (1 / 40320 + r * (1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800 + r * (1 / 479001600 + r / 6227020800))))); // prettier-ignore
  const low = 1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * high))))));
  return low * (powers[k - least] as number);
} // prettier-ignore

/** e^(x − most) of every number of a row, and their sum. */
export function exponentials(row: readonly number[], most: number, out: number[]): number {
  let total = 0;
  for (let j = 0; j < row.length; j++) {
    const term = quickExp((row[j] as number) - most);
    out[j] = term;
    total += term;
  }
  return total;
}
