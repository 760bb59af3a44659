import { productError, sumError } from '../math';

/**
 * Fused multiply-add, a·b + c rounded once, as processors do it and JavaScript cannot say. By way of rounding to odd
 * (Boldo & Melquiond 2008): a result that keeps a sticky last bit can be rounded again without harm.
 */

const view = new DataView(new ArrayBuffer(8));

// x + error rounded to odd: x if exact or if its last bit is 1, else its neighbour on the side of the error.
function toOdd(x: number, error: number): number {
  if (error === 0) return x;
  view.setFloat64(0, x);
  const bits = view.getBigInt64(0);
  if ((bits & 1n) === 1n) return x;
  view.setBigInt64(0, error > 0 === x > 0 ? bits + 1n : bits - 1n);
  return view.getFloat64(0);
}

/** In float32; the operands are float32. */
export function fused32(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  return Math.fround(toOdd(sum, sumError(product, c, sum)));
}

/** In float64; no overflow or underflow on the way. */
export function fused64(a: number, b: number, c: number): number {
  const product = a * b;
  const low = productError(a, b, product);
  const inner = c + low;
  const innerError = sumError(c, low, inner);
  const sum = product + inner;
  const rest = innerError + sumError(product, inner, sum);
  return sum + toOdd(rest, sumError(innerError, sumError(product, inner, sum), rest));
}
