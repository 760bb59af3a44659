/** A number as the unevaluated sum of two doubles: the errors of sums and products, exactly (no overflow assumed). */

/** a + b − sum for sum = the rounded a + b (Knuth 1969). */
export function sumError(a: number, b: number, sum: number): number {
  const back = sum - a;
  return a - (sum - back) + (b - back);
}

/** 2^27 + 1 splits a double into two halves whose products are exact (Veltkamp 1968). */
const splitter = 134217729;

/** a·b − product for product = the rounded a·b (Dekker 1971). */
export function productError(a: number, b: number, product: number): number {
  const c = splitter * a;
  const ah = c - (c - a);
  const al = a - ah;
  const d = splitter * b;
  const bh = d - (d - b);
  const bl = b - bh;
  return ah * bh - product + ah * bl + al * bh + al * bl;
}

/** x rounded to an integer, ties to even, for |x| < 2^51. */
export const nearestInteger = (x: number): number => x + 6755399441055744 - 6755399441055744;
