/**
 * PCG64 (XSL-RR 128/64): O'Neill, "PCG: A family of simple fast space-efficient statistically good algorithms for random
 * number generation", HMC-CS-2014-0905, 2014; seeded as NumPy's SeedSequence does, after O'Neill's `seed_seq_fe`
 * ("Developing a seed_seq alternative", 2015). 128-bit numbers are four 32-bit words, lowest first.
 */
export interface Pcg64 {
  readonly state: Uint32Array;
  readonly increment: Uint32Array;
  /** The upper and lower 32 bits of the last output. */
  high: number;
  low: number;
  /** The upper half of an output whose lower half was handed out as a 32-bit draw. */
  half: number | undefined;
}

// 0x2360ed051fc65da44385df649fccf645
const multiplier = [0x9fccf645, 0x4385df64, 0x1fc65da4, 0x2360ed05] as const;

/** The generator of `np.random.default_rng(seed)`: `entropy` are the seed's 32-bit words, lowest first. */
export function pcg64FromEntropy(entropy: readonly number[]): Pcg64 {
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, i0 = 0, i1 = 0, i2 = 0, i3 = 0] = hashedWords(mixedPool(entropy), 8);
  const pcg: Pcg64 = { state: new Uint32Array(4), increment: new Uint32Array(4), high: 0, low: 0, half: undefined };
  // Each 128-bit number comes as two 64-bit ones, the upper first; increment = 2·sequence + 1.
  pcg.increment.set([(i2 << 1) | 1, (i3 << 1) | (i2 >>> 31), (i0 << 1) | (i3 >>> 31), (i1 << 1) | (i0 >>> 31)]);
  step(pcg);
  addTo(pcg.state, [s2, s3, s0, s1]);
  step(pcg);
  return pcg;
}

/** Draws 64 bits into `high` and `low`. */
export function nextPair(pcg: Pcg64): void {
  step(pcg);
  const { state } = pcg;
  const low = ((state[0] as number) ^ (state[2] as number)) >>> 0;
  const high = ((state[1] as number) ^ (state[3] as number)) >>> 0;
  const turn = (state[3] as number) >>> 26;
  const [l, h] = turn & 32 ? [high, low] : [low, high];
  const by = turn & 31;
  pcg.low = by ? ((l >>> by) | (h << (32 - by))) >>> 0 : l;
  pcg.high = by ? ((h >>> by) | (l << (32 - by))) >>> 0 : h;
}

/** 32 bits: the lower half of a new output, and its upper half the next time, whatever is drawn in between. */
export function nextHalf(pcg: Pcg64): number {
  if (pcg.half !== undefined) {
    const kept = pcg.half;
    pcg.half = undefined;
    return kept;
  }
  nextPair(pcg);
  pcg.half = pcg.high;
  return pcg.low;
}

/** 53 bits, in [0, 1). */
export function nextDouble(pcg: Pcg64): number {
  nextPair(pcg);
  return (pcg.high * 2097152 + (pcg.low >>> 11)) / 9007199254740992;
}

// state ← state·multiplier + increment mod 2^128, by columns of 32 bits; column sums stay below 2^36.
function step({ state, increment }: Pcg64): void {
  const s0 = state[0] as number;
  const s1 = state[1] as number;
  const s2 = state[2] as number;
  const s3 = state[3] as number;
  const [m0, m1, m2, m3] = multiplier;
  const c0 = low(s0, m0) + (increment[0] as number);
  const c1 = carry(c0) + high(s0, m0) + low(s0, m1) + low(s1, m0) + (increment[1] as number);
  const c2 =
    carry(c1) + high(s0, m1) + high(s1, m0) + low(s0, m2) + low(s1, m1) + low(s2, m0) + (increment[2] as number);
  const c3 = carry(c2) + high(s0, m2) + high(s1, m1) + high(s2, m0) + low(s0, m3) + low(s1, m2) + low(s2, m1);
  state[0] = c0;
  state[1] = c1;
  state[2] = c2;
  state[3] = c3 + low(s3, m0) + (increment[3] as number);
}

const carry = (column: number): number => Math.floor(column / 4294967296);
const low = (a: number, b: number): number => Math.imul(a, b) >>> 0;

/** The upper 32 bits of the 64-bit product of two 32-bit numbers. */
function high(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const first = ah * bl + ((al * bl) >>> 16);
  const second = al * bh + (first & 0xffff);
  return ah * bh + (first >>> 16) + (second >>> 16);
}

function addTo(sum: Uint32Array, words: readonly number[]): void {
  let over = 0;
  for (let i = 0; i < 4; i++) {
    const column = (sum[i] as number) + (words[i] as number) + over;
    sum[i] = column;
    over = carry(column);
  }
}

// SeedSequence: every word of the entropy is hashed with a running constant and mixed into a pool of four words.
function mixedPool(entropy: readonly number[]): number[] {
  const hash = hasher(0x43b0d7e5, 0x931e8875);
  const pool = [0, 1, 2, 3].map((i) => hash(entropy[i] ?? 0));
  const mixInto = (target: number, word: number): void => {
    pool[target] = mix(pool[target] as number, hash(word));
  };
  for (let source = 0; source < 4; source++)
    for (let target = 0; target < 4; target++) if (source !== target) mixInto(target, pool[source] as number);
  for (const word of entropy.slice(4)) for (let target = 0; target < 4; target++) mixInto(target, word);
  return pool;
}

function hashedWords(pool: readonly number[], count: number): number[] {
  const hash = hasher(0x8b51f9dd, 0x58f38ded);
  return Array.from({ length: count }, (_, i) => hash(pool[i % pool.length] as number));
}

function hasher(start: number, factor: number): (word: number) => number {
  let constant = start;
  return (word) => {
    const mixed = word ^ constant;
    constant = Math.imul(constant, factor);
    return folded(Math.imul(mixed, constant));
  };
}

const mix = (a: number, b: number): number => folded(Math.imul(0xca01f9dd, a) - Math.imul(0x4973f715, b));
const folded = (word: number): number => (word ^ (word >>> 16)) >>> 0;
