import type { DType, Precision, Tensor } from './tensor';

/*
 * float16 (IEEE 754 binary16) and bfloat16 (the upper half of a float32). Numbers of either are held in float32, which has all of them; an operation is
 * done in float32 and its result rounded once, to nearest, ties to even, as NumPy and PyTorch do on a CPU.
 */

export type Half = Exclude<Precision, DType>;

/** The dtype that holds the numbers of a precision and in which they are computed. */
export const heldAs = (precision: Precision): DType => (precision === 'float64' ? 'float64' : 'float32');

export const isHalf = (precision: Precision): precision is Half => precision === 'float16' || precision === 'bfloat16';

const bits = new Uint32Array(1);
const single = new Float32Array(bits.buffer);

/** The nearest bfloat16; a float64 becomes a float32 first, as in PyTorch. */
function toBfloat16(x: number): number {
  single[0] = x;
  const at = bits[0] as number;
  if (Number.isNaN(x)) return x;
  bits[0] = (at + 0x7fff + ((at >>> 16) & 1)) & 0xffff0000;
  return single[0] as number;
}

/** 1.5 · 2⁵²: what is added to it and taken away again is rounded to a whole number, ties to even. */
const wholes = 6755399441055744;
/** Halfway between the largest float16, 65504, and what would come next. */
const float16Ends = 65520;

/** The nearest float16, from a float64 at once, as in NumPy. */
function toFloat16(x: number): number {
  const size = Math.abs(x);
  if (!(size < float16Ends)) return Number.isNaN(x) ? x : x > 0 ? Infinity : -Infinity;
  single[0] = size;
  // Below 2⁻¹⁴ all numbers are 2⁻²⁴ apart; above, 2¹⁰ of them lie between two powers of 2.
  const exponent = Math.max(((bits[0] as number) >>> 23) - 127, -14);
  bits[0] = (exponent - 10 + 127) << 23;
  const unit = single[0] as number;
  const rounded = (size / unit + wholes - wholes) * unit;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}

const roundings: { readonly [P in Precision]: (x: number) => number } = {
  float64: (x) => x,
  float32: Math.fround,
  float16: toFloat16,
  bfloat16: toBfloat16,
};

/** Rounds a number to a precision. */
export const roundTo = (precision: Precision): ((x: number) => number) => roundings[precision];

/** The largest finite number of a precision. */
export const largestOf: { readonly [P in Precision]: number } = {
  float64: Number.MAX_VALUE,
  float32: 3.4028234663852886e38,
  float16: 65504,
  bfloat16: 3.3895313892515355e38,
};

/** The unit of rounding of a precision: half the distance from 1 to the next number. */
export const unitOf: { readonly [P in Precision]: number } = {
  float64: 2.220446049250313e-16 / 2,
  float32: 5.960464477539063e-8,
  float16: 0.00048828125,
  bfloat16: 0.00390625,
};

/** A tensor in the dtype that holds the precision, its numbers rounded to it: the same tensor where that is nothing to do. */
export function roundedTo(precision: Precision, from: Tensor): Tensor {
  if (!isHalf(precision)) return from;
  const round = roundings[precision];
  const data = from.data instanceof Float32Array ? from.data : new Float32Array(from.data.length);
  for (let i = 0; i < data.length; i++) data[i] = round(from.data[i] as number);
  return { dtype: 'float32', shape: from.shape, data };
}
