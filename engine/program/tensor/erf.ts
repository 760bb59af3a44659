import { exp } from '../../math';

// The error function, by the rational approximations of FreeBSD's s_erf.c (Sun Microsystems, 1993); its error is below 1 ulp.

const evaluate = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, c) => sum * x + c, 0);

const pp = [
  1.28379167095512558561e-1, -3.2504210724700149937e-1, -2.84817495755985104766e-2, -5.77027029648944159157e-3,
  -2.37630166566501626084e-5,
];
const qq = [
  1, 3.97917223959155352819e-1, 6.50222499887672944485e-2, 5.08130628187576562776e-3, 1.32494738004321644526e-4,
  -3.9602282787753681232e-6,
];
const pa = [
  -2.36211856075265944077e-3, 4.14856118683748331666e-1, -3.72207876035701323847e-1, 3.18346619901161753674e-1,
  -1.10894694282396677476e-1, 3.54783043256182359371e-2, -2.166375594868790843e-3,
];
const qa = [
  1, 1.06420880400844228286e-1, 5.40397917702171048937e-1, 7.18286544141962662868e-2, 1.26171219808761642112e-1,
  1.36370839120290507362e-2, 1.1984499846799107417e-2,
];
const ra = [
  -9.86494403484714822705e-3, -6.93858572707181764372e-1, -1.05586262253232909814e1, -6.23753324503260060396e1,
  -1.62396669462573470355e2, -1.84605092906711035994e2, -8.12874355063065934246e1, -9.81432934416914548592,
];
const sa = [
  1, 1.96512716674392571292e1, 1.376577541435190426e2, 4.34565877475229228821e2, 6.45387271733267880336e2,
  4.29008140027567833386e2, 1.08635005541779435134e2, 6.57024977031928170135, -6.04244152148580987438e-2,
];
const rb = [
  -9.86494292470009928597e-3, -7.99283237680523006574e-1, -1.77579549177547519889e1, -1.60636384855821916062e2,
  -6.37566443368389627722e2, -1.02509513161107724954e3, -4.83519191608651397019e2,
];
const sb = [
  1, 3.03380607434824582924e1, 3.25792512996573918826e2, 1.53672958608443695994e3, 3.19985821950859553908e3,
  2.55305040643316442583e3, 4.74528541206955367215e2, -2.24409524465858183362e1,
];
const erx = 8.45062911510467529297e-1;

const high = new Float64Array(1);
const highWords = new Uint32Array(high.buffer);

/** The upper half of a number's digits, so that its square is exact. */
function upper(x: number): number {
  high[0] = x;
  highWords[0] = 0;
  return high[0];
}

/** erf x. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(x)) return x;
  if (size < 0.84375)
    return size < 3.7252902984e-9
      ? x + 1.28379167095512586316e-1 * x
      : x + x * (evaluate(pp, x * x) / evaluate(qq, x * x));
  if (size < 1.25) return Math.sign(x) * (erx + evaluate(pa, size - 1) / evaluate(qa, size - 1));
  if (size >= 6) return Math.sign(x);
  const s = 1 / (size * size);
  const ratio = size < 1 / 0.35 ? evaluate(ra, s) / evaluate(sa, s) : evaluate(rb, s) / evaluate(sb, s);
  const z = upper(size);
  const tail = exp(-z * z - 0.5625) * exp((z - size) * (z + size) + ratio);
  return Math.sign(x) * (1 - tail / size);
}
