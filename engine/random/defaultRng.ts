import { t, fail, ok, type Result } from '../text';
import { nextDouble, nextHalf, nextPair, pcg64FromEntropy, type Pcg64 } from './pcg64';
import { seedIntegers, seedProblem, type Seed } from './seed';
import { drawZiggurat } from './ziggurat';

/** NumPy's `Generator` over PCG64, as `np.random.default_rng(seed)` makes it. */
export type DefaultRngStream = Pcg64;

/** `np.random.default_rng(seed)`: a non-negative integer of any size, or an array of such. */
export function seedDefaultRng(seed: Seed): Result<DefaultRngStream> {
  const integers = seedIntegers(seed);
  if (!integers.ok) return integers;
  if (integers.value.some((s) => s < 0n)) return fail(seedProblem(seed, t('expected non-negative integer')));
  return ok(pcg64FromEntropy(integers.value.flatMap(wordsOf)));
}

/** 32-bit words, lowest first; one word for 0. */
function wordsOf(integer: bigint): number[] {
  const words = [Number(integer & 0xffffffffn)];
  for (let rest = integer >> 32n; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words;
}

/** One draw of `random`: uniform on [0, 1), 53 bits. */
export const drawUniform = (stream: DefaultRngStream): number => nextDouble(stream);

/** One draw of `standard_normal`, by the ziggurat. */
export const drawNormal = (stream: DefaultRngStream): number => drawZiggurat(stream);

/**
 * One draw of `integers(low, high)` for NumPy's default int64: multiplication with rejection (Lemire 2019) over 32 bits,
 * over 64 when high − low > 2**32. `low` and `high` − 1 are safe integers.
 */
export function drawBounded(stream: DefaultRngStream, low: number, high: number): number {
  const range = high - low;
  if (range === 1) return low;
  if (range < 4294967296) return low + drawBelow(stream, range);
  if (range === 4294967296) return low + nextHalf(stream);
  return Number(BigInt(low) + drawBelowWide(stream, BigInt(high) - BigInt(low)));
}

// The upper 32 bits of word·range; words whose lower 32 bits fall below 2^32 mod range would favour some results.
function drawBelow(stream: DefaultRngStream, range: number): number {
  const threshold = 4294967296 % range;
  for (;;) {
    const word = nextHalf(stream);
    if (Math.imul(word, range) >>> 0 >= threshold) return upperHalf(word, range);
  }
}

// Two products of at most 48 bits: no bit is lost.
const upperHalf = (word: number, range: number): number =>
  Math.floor(((word >>> 16) * range + Math.floor(((word & 0xffff) * range) / 65536)) / 65536);

function drawBelowWide(stream: DefaultRngStream, range: bigint): bigint {
  const threshold = (1n << 64n) % range;
  for (;;) {
    nextPair(stream);
    const product = ((BigInt(stream.high) << 32n) | BigInt(stream.low)) * range;
    if (BigInt.asUintN(64, product) >= threshold) return product >> 64n;
  }
}
