import { divide, exp, ln10, ln2, multiply, negate, pair, sinAndCos, type Pair } from './double-double';
import { epsilon, tiniest, type DType, type Made } from './cells';

/**
 * p / 10000^(2i/d) (Vaswani et al. 2017, section 3.5). A program that rounds 2i/d, the power and the quotient has the
 * angle within (½·ln 10000 + 1½)·ε ≤ 7ε of itself, which its sine and cosine inherit; they add 1½ ulp of their own.
 */
function angle(p: number, i: number, d: number): Pair {
  const exponent = divide(pair(-8 * i), pair(d));
  return multiply(pair(p), exp(multiply(exponent, ln10)));
}

interface Wave {
  readonly exact: Pair;
  readonly local: number;
}

function wave(p: number, i: number, d: number, which: 'sin' | 'cos', dtype: DType): Wave {
  const turn = angle(p, i, d);
  const both = sinAndCos(turn);
  const exact = both[which];
  const slope = Math.abs(both[which === 'sin' ? 'cos' : 'sin'].hi);
  const own = 1.5 * Math.abs(exact.hi);
  const inherited = 7 * Math.abs(turn.hi) * (slope + 7 * epsilon(dtype) * Math.abs(turn.hi));
  return { exact, local: epsilon(dtype) * (own + inherited) + tiniest(dtype) };
}

function waves(shape: readonly [number, number], of: (row: number, column: number) => Wave): Made {
  const [rows, columns] = shape;
  const made = Array.from({ length: rows * columns }, (_, f) => of(Math.floor(f / columns), f % columns));
  const local = Float64Array.from(made, (w) => w.local);
  return { shape, exact: made.map((w) => w.exact), rule: 'bound', local, spread: new Float64Array(made.length) };
}

/** n×d: interleaved (sin, cos, sin, …) or concatenated (all sines, then all cosines). */
export function sinusoids(n: number, d: number, concatenated: boolean, dtype: DType): Made {
  const sines = Math.ceil(d / 2);
  return waves([n, d], (p, column) =>
    concatenated
      ? wave(p, column % sines, d, column < sines ? 'sin' : 'cos', dtype)
      : wave(p, column >> 1, d, column % 2 === 0 ? 'sin' : 'cos', dtype),
  );
}

/** 2n×(d/2): row 2p the cosines, row 2p + 1 the sines of position p. */
export function rotations(n: number, d: number, dtype: DType): Made {
  return waves([2 * n, d / 2], (row, i) => wave(row >> 1, i, d, row % 2 === 0 ? 'cos' : 'sin', dtype));
}

/** Slope of head k of h, 2^(−8k/h); between powers of two, every other one of the next power's (Press et al. 2022). */
export function slopes(heads: number): Pair[] {
  const power = 2 ** Math.floor(Math.log2(heads));
  const ofPower = (h: number): Pair[] =>
    Array.from({ length: h }, (_, k) => exp(multiply(divide(pair(-8 * (k + 1)), pair(h)), ln2)));
  const between = ofPower(2 * power).filter((_, k) => k % 2 === 0);
  return [...ofPower(power), ...between.slice(0, heads - power)];
}

/** −slope·|i − j|: h×n×m, or n×m for one head. A rounded slope and a product: within 2 ε of the value. */
export function alibi(heads: number, n: number, m: number, dtype: DType): Made {
  const exact = slopes(heads).flatMap((slope) =>
    Array.from({ length: n * m }, (_, f) => multiply(negate(slope), pair(Math.abs(Math.floor(f / m) - (f % m))))),
  );
  const local = Float64Array.from(exact, (x) => 2 * epsilon(dtype) * Math.abs(x.hi));
  const shape = heads === 1 ? [n, m] : [heads, n, m];
  return { shape, exact, rule: 'bound', local, spread: new Float64Array(exact.length) };
}
