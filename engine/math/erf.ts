import { exp } from './exp';
import { productError, sumError } from './pair';

/** Distance of the centres around which erf is a polynomial. */
const spacing = 0.125;
/** From here on erf is 1 in float64. */
const end = 6;

interface Centre {
  readonly high: number;
  readonly low: number;
  /** Slope there: 2/√π · e^(−c²). */
  readonly slope: number;
}

let centres: readonly Centre[] | undefined;

const twoOverRootPi = 1.1283791670955126;
/** What is left of 2/√π. */
const twoOverRootPiLow = 1.533545961316588e-17;

/**
 * erf x = 2/√π · ∫₀ˣ e^(−t²) dt, within 2 units of the last place; ±0 for ±0, ±1 for ±∞, NaN for NaN. Taylor's series about the nearest multiple
 * of ⅛ (Abramowitz and Stegun 1964, 7.1.19); the values there are sums of Maclaurin's series (7.1.5) in pairs of doubles.
 */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (!(size < end)) return Number.isNaN(x) ? x : x > 0 ? 1 : -1;
  const nearest = Math.round(size / spacing);
  const c = nearest * spacing;
  const { high, low, slope } = (centres ??= makeCentres())[nearest] as Centre;
  const value = high + (low + seriesAt(c, size - c, slope));
  return x < 0 || Object.is(x, -0) ? -value : value;
}

/** erf(c + h) − erf(c): the derivative's coefficients g obey (n + 1)·g₍ₙ₊₁₎ = −2(c·gₙ + g₍ₙ₋₁₎). */
function seriesAt(c: number, h: number, slope: number): number {
  let [before, own, power, sum] = [0, slope, h, 0];
  for (let n = 0; n < 24; n++) {
    sum += (own * power) / (n + 1);
    [before, own] = [own, (-2 * (c * own + before)) / (n + 1)];
    power *= h;
  }
  return sum;
}

function makeCentres(): readonly Centre[] {
  return Array.from({ length: end / spacing + 1 }, (_, i) => {
    const c = i * spacing;
    const [high, low] = maclaurin(c);
    return { high, low, slope: twoOverRootPi * exp(-c * c) };
  });
}

type Pair = readonly [high: number, low: number];

function plus([a, al]: Pair, [b, bl]: Pair): Pair {
  const sum = a + b;
  const low = sumError(a, b, sum) + (al + bl);
  return [sum + low, low - (sum + low - sum)];
}

function times([a, al]: Pair, [b, bl]: Pair): Pair {
  const product = a * b;
  const low = productError(a, b, product) + (a * bl + al * b);
  return [product + low, low - (product + low - product)];
}

function over([a, al]: Pair, by: number): Pair {
  const quotient = a / by;
  const product = quotient * by;
  const low = (a - product - productError(quotient, by, product) + al) / by;
  return [quotient + low, low - (quotient + low - quotient)];
}

/** 2/√π · Σ (−1)ⁿ c^(2n+1) / (n!·(2n+1)), in pairs. c is a multiple of ⅛, so c² is exact. */
function maclaurin(c: number): Pair {
  let term: Pair = [c, 0];
  let sum: Pair = term;
  for (let n = 1; n < 200; n++) {
    term = over(times(term, [-c * c, 0]), n);
    sum = plus(sum, over(term, 2 * n + 1));
  }
  return times(sum, [twoOverRootPi, twoOverRootPiLow]);
}
