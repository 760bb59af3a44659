/**
 * Numbers as an unevaluated sum of two doubles, about 31 digits (Dekker 1971; Hida, Li and Bailey 2001): what a step of
 * a trace is compared with. Written for tests, apart from the engine's own elementary functions.
 */
export interface Pair {
  readonly hi: number;
  readonly lo: number;
}

export const pair = (hi: number, lo = 0): Pair => ({ hi, lo });

const finite = (x: Pair): boolean => Number.isFinite(x.hi) && Number.isFinite(x.lo);

/** a + b, exactly. */
function twoSum(a: number, b: number): Pair {
  const hi = a + b;
  if (!Number.isFinite(hi)) return { hi, lo: 0 };
  const shadow = hi - a;
  return { hi, lo: a - (hi - shadow) + (b - shadow) };
}

function split(a: number): readonly [number, number] {
  const big = Math.abs(a) > 2 ** 996;
  const scaled = big ? a * 2 ** -28 : a;
  const c = 134217729 * scaled;
  const head = c - (c - scaled);
  const tail = scaled - head;
  return big ? [head * 2 ** 28, tail * 2 ** 28] : [head, tail];
}

/** a·b, exactly unless it is subnormal or overflows. */
function twoProduct(a: number, b: number): Pair {
  const hi = a * b;
  if (!Number.isFinite(hi) || hi === 0) return { hi, lo: 0 };
  const [aHead, aTail] = split(a);
  const [bHead, bTail] = split(b);
  const lo = aHead * bHead - hi + aHead * bTail + aTail * bHead + aTail * bTail;
  return { hi, lo: Number.isFinite(lo) ? lo : 0 };
}

export function add(a: Pair, b: Pair): Pair {
  const s = twoSum(a.hi, b.hi);
  if (!finite(s)) return s;
  return twoSum(s.hi, s.lo + a.lo + b.lo);
}

export const negate = (a: Pair): Pair => ({ hi: -a.hi, lo: -a.lo });

export function multiply(a: Pair, b: Pair): Pair {
  const p = twoProduct(a.hi, b.hi);
  if (!finite(p)) return p;
  return twoSum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

export function divide(a: Pair, b: Pair): Pair {
  const first = a.hi / b.hi;
  if (!Number.isFinite(first) || first === 0) return pair(first);
  const rest = add(a, negate(multiply(pair(first), b)));
  const second = rest.hi / b.hi;
  const rest2 = add(rest, negate(multiply(pair(second), b)));
  const s = twoSum(first, second);
  return twoSum(s.hi, s.lo + rest2.hi / b.hi);
}

export function squareRoot(x: number): Pair {
  const first = Math.sqrt(x);
  if (first === 0) return pair(0);
  const rest = add(pair(x), negate(twoProduct(first, first)));
  return twoSum(first, rest.hi / (2 * first));
}

/** The digits of the constants beyond a double are those of any table. */
export const ln2 = pair(0.6931471805599453, 2.3190468138462996e-17);
export const ln10 = pair(2.302585092994046, -2.1707562233822494e-16);
const halfPi = pair(1.5707963267948966, 6.123233995736766e-17);

/** Σ first·x^k/(step products), until a term no longer counts: the Taylor series of exp, sin and cos. */
function series(first: Pair, next: (term: Pair, k: number) => Pair): Pair {
  let sum = first;
  let term = first;
  for (let k = 1; k < 40 && Math.abs(term.hi) > 1e-34 * Math.abs(sum.hi); k++) sum = add(sum, (term = next(term, k)));
  return sum;
}

/** exp(x) = 2^k · exp(r / 256)^256, |r| ≤ ln 2 / 2. */
export function exp(x: Pair): Pair {
  if (!Number.isFinite(x.hi)) return pair(x.hi === -Infinity ? 0 : x.hi);
  if (x.hi < -800) return pair(0);
  if (x.hi > 710) return pair(Infinity);
  const k = Math.round(x.hi / ln2.hi);
  const r = add(x, negate(multiply(pair(k), ln2)));
  const small = pair(r.hi / 256, r.lo / 256);
  let e = series(pair(1), (term, i) => divide(multiply(term, small), pair(i)));
  for (let i = 0; i < 8; i++) e = multiply(e, e);
  return timesPowerOfTwo(e, k);
}

function timesPowerOfTwo(x: Pair, k: number): Pair {
  const half = Math.trunc(k / 2);
  const a = 2 ** half;
  const b = 2 ** (k - half);
  // Rounded once, also where the result is subnormal: the two parts are added before the last factor.
  return Math.abs(x.hi) * a * b < 1e-290 ? pair((x.hi * a + x.lo * a) * b) : pair(x.hi * a * b, x.lo * a * b);
}

export function tanh(x: Pair): Pair {
  if (Math.abs(x.hi) > 40 || x.hi === 0) return pair(x.hi === 0 ? x.hi : Math.sign(x.hi));
  if (Number.isNaN(x.hi)) return pair(NaN);
  // Near zero the quotient below would lose digits: x − x³/3 is enough under 1e-6.
  if (Math.abs(x.hi) < 1e-6) {
    const square = multiply(x, x);
    return multiply(x, add(pair(1), divide(negate(square), pair(3))));
  }
  const e = exp(pair(2 * x.hi, 2 * x.lo));
  return divide(add(e, pair(-1)), add(e, pair(1)));
}

/** sin and cos of an angle of at most a few hundred turns. */
export function sinAndCos(x: Pair): { readonly sin: Pair; readonly cos: Pair } {
  const quarter = Math.round(x.hi / halfPi.hi);
  const r = add(x, negate(multiply(pair(quarter), halfPi)));
  const square = negate(multiply(r, r));
  const s = series(r, (term, k) => divide(multiply(term, square), pair(2 * k * (2 * k + 1))));
  const c = series(pair(1), (term, k) => divide(multiply(term, square), pair(2 * k * (2 * k - 1))));
  const turned = [
    { sin: s, cos: c },
    { sin: c, cos: negate(s) },
    { sin: negate(s), cos: negate(c) },
    { sin: negate(c), cos: s },
  ] as const;
  return turned[(((quarter % 4) + 4) % 4) as 0 | 1 | 2 | 3];
}
