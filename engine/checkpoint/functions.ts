import type { Activation, Norm } from './architecture';

/*
 * Element-wise functions of a forward pass in float32, fast rather than correctly rounded: they feed the layers before a head, never a digit that is
 * shown. Relative errors are below 2·10⁻⁷, one unit of float32.
 */

/** 2^k for k from −1100 to 1100. */
const powers = /* @__PURE__ */ Float64Array.from({ length: 2201 }, (_, i) => {
  let power = 1;
  for (let k = 1100; k < i; k++) power *= 2;
  for (let k = i; k < 1100; k++) power /= 2;
  return power;
});

/** e^x: x = k·ln 2 + r with |r| ≤ ln 2 / 2, and the first terms of the series of e^r. */
export function fastExp(x: number): number {
  if (!(x > -745)) return x !== x ? NaN : 0;
  if (x > 709.7) return Infinity;
  const k = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - k * Math.LN2;
  const series =
    1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * (1 / 5040)))))));
  return series * (powers[k + 1100] as number);
}

const fastTanh = (x: number): number => 1 - 2 / (fastExp(2 * x) + 1);

/** 1 − erfc; Press et al., Numerical Recipes in C (1992), section 6.2, erfcc. */
function fastErf(x: number): number {
  const t = 1 / (1 + Math.abs(x) / 2);
  const sum = -1.26551223 + t * (1.00002368 + t * (0.37409196 + t * (0.09678418 + t * (-0.18628806 + t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277)))))))); // prettier-ignore
  const complement = t * fastExp(-x * x + sum);
  return x >= 0 ? 1 - complement : complement - 1;
}

const halfRoot = Math.SQRT1_2;
/** √(2/π) */
const slope = 0.7978845608028654;

const functions: { readonly [A in Activation]: (x: number) => number } = {
  // Hendrycks and Gimpel 2016, section 2.
  gelu: (x) => 0.5 * x * (1 + fastErf(x * halfRoot)),
  'gelu-tanh': (x) => 0.5 * x * (1 + fastTanh(slope * (x + 0.044715 * x * x * x))),
  relu: (x) => (x > 0 ? x : 0 * x),
  silu: (x) => x / (1 + fastExp(-x)),
};

/** Applies an activation in place. */
export function activate(values: Float32Array, activation: Activation): void {
  const f = functions[activation];
  for (let i = 0; i < values.length; i++) values[i] = f(values[i] as number);
}

/** softcap·tanh(s/softcap), in place. */
export function capTo(values: Float32Array, softcap: number): void {
  for (let i = 0; i < values.length; i++) values[i] = softcap * fastTanh((values[i] as number) / softcap);
}

/** Gain and bias of a norm, read from the file. */
export interface NormWeights {
  readonly gain: Float32Array;
  readonly bias?: Float32Array;
}

/** The norm of each row of `width` numbers, as a copy; sums in float64. */
export function normalized(x: Float32Array, width: number, norm: Norm, { gain, bias }: NormWeights): Float32Array {
  const out = new Float32Array(x.length);
  const isOffset = norm.gain === '1+g' ? 1 : 0;
  for (let at = 0; at < x.length; at += width) {
    const mean = norm.kind === 'layer' ? meanOf(x, at, width) : 0;
    let squares = 0;
    for (let j = 0; j < width; j++) squares += ((x[at + j] as number) - mean) * ((x[at + j] as number) - mean);
    const rate = 1 / Math.sqrt(squares / width + norm.epsilon);
    for (let j = 0; j < width; j++)
      out[at + j] = ((x[at + j] as number) - mean) * rate * (isOffset + (gain[j] as number)) + (bias?.[j] ?? 0);
  }
  return out;
}

function meanOf(x: Float32Array, at: number, width: number): number {
  let sum = 0;
  for (let j = 0; j < width; j++) sum += x[at + j] as number;
  return sum / width;
}
