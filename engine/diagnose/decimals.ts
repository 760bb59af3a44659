/** Most digits after the point that a printed number can be compared to: float64 has no more. */
const most = 12;

/**
 * Digits after the point of the numbers in a text, as the longest of them has them: NumPy leaves out zeros at the end. `1.25e-03` has five. Where all
 * are written with exponents, as the largest has them: it has the fewest. Zero for whole numbers.
 */
export function decimalsOf(text: string): number {
  let [longest, fewest, isPlain] = [0, Infinity, false];
  for (const [, whole = '', decimals = '', exponent] of text.matchAll(/(\d*)\.(\d*)(?:[eE]([+-]?\d{1,3}))?/g)) {
    const digits = decimals.length - Number(exponent ?? 0);
    longest = Math.max(longest, digits);
    if (exponent === undefined) isPlain = true;
    else if (/[1-9]/.test(whole + decimals)) fewest = Math.min(fewest, digits);
  }
  return Math.min(most, !isPlain && fewest < Infinity ? fewest : longest);
}
