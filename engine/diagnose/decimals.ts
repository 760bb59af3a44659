/** Most digits after the point that a printed number can be compared to: float64 has no more. */
const most = 12;

/**
 * Digits after the point of the numbers in a text, as the longest of them has them: NumPy leaves out zeros at the end. `1.25e-03` has five. Zero for
 * whole numbers.
 */
export function decimalsOf(text: string): number {
  let digits = 0;
  for (const [, decimals = '', exponent = '0'] of text.matchAll(/\d*\.(\d*)(?:[eE]([+-]?\d{1,3}))?/g))
    digits = Math.max(digits, decimals.length - Number(exponent));
  return Math.min(most, digits);
}
