import { fused32 } from './fused';

/**
 * Single-precision log, sine and cosine after Moshier's Cephes library (netlib, 1992: logf, sinf, cosf), in the shape in
 * which PyTorch's vectorised `normal_` evaluates them: every multiplication followed by an addition is one fused
 * operation. Not correctly rounded, and not meant to be: they reproduce that kernel's bits.
 */

const round = Math.fround;
const constants = (...values: readonly number[]): readonly number[] => values.map(round);

const logTerms = constants(
  7.0376836292e-2,
  -1.151461031e-1,
  1.167699874e-1,
  -1.2420140846e-1,
  1.4249322787e-1,
  -1.6668057665e-1,
  2.0000714765e-1,
  -2.4999993993e-1,
  3.3333331174e-1,
);
const sineTerms = constants(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1);
const cosineTerms = constants(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2);
/** π/4 in three pieces, the first two short. */
const quarterPi = constants(0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8);
const perQuarterPi = round(1.27323954473516);
const rootHalf = round(0.707106781186547524);
/** ln 2 in two pieces. */
const [ln2High, ln2Low] = [0.693359375, round(-2.1219444e-4)] as const;

const horner = (terms: readonly number[], x: number): number =>
  terms.slice(1).reduce((sum, term) => fused32(sum, x, term), terms[0] as number);

/** ln x for a float32 from 2^-24 to 1. */
export function vectorLog(x: number): number {
  let m = x;
  let e = 0;
  for (; m < 0.5; m *= 2) e--;
  if (m >= 1) [m, e] = [m / 2, e + 1];
  const below = m < rootHalf;
  const r = below ? round(round(m - 1) + m) : round(m - 1);
  if (below) e--;
  const square = round(r * r);
  const cubic = fused32(round(horner(logTerms, r) * r), square, round(e * ln2Low));
  const tail = fused32(-square, 0.5, cubic);
  return fused32(e, ln2High, round(r + tail));
}

/** sin x and cos x for a float32 from 0 to 2π. */
export function vectorSineCosine(x: number): { readonly sine: number; readonly cosine: number } {
  const octant = (Math.trunc(round(x * perQuarterPi)) + 1) & ~1;
  const r = quarterPi.reduce((rest, piece) => fused32(-octant, piece, rest), x);
  const square = round(r * r);
  const even = fused32(round(horner(cosineTerms, square) * square), square, -round(square * 0.5));
  const cosine = round(even + 1);
  const sine = fused32(round(horner(sineTerms, square) * square), r, r);
  const swap = (octant & 2) !== 0;
  return {
    sine: (octant & 4 ? -1 : 1) * (swap ? cosine : sine),
    cosine: ((octant - 2) & 4 ? 1 : -1) * (swap ? sine : cosine),
  };
}
