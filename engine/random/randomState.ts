import { t, fail, ok, type Result } from '../text';
import { log } from '../math';
import { nextWord, twisterFromWord, twisterFromWords, type MersenneTwister } from './mt19937';
import { seedIntegers, seedProblem, type Seed } from './seed';

/** NumPy's legacy generator (`np.random.seed`, `np.random.RandomState`), whose stream NumPy froze in 1.16. */
export interface RandomStateStream {
  readonly twister: MersenneTwister;
  /** The second value of the last pair of normals, not yet handed out. */
  gauss: number | undefined;
}

/**
 * `np.random.seed(seed)`: an integer from 0 to 2**32 − 1, or a non-empty array of such. As in NumPy, an integer and an
 * array of that one integer give different streams.
 */
export function seedRandomState(seed: Seed): Result<RandomStateStream> {
  const integers = seedIntegers(seed);
  if (!integers.ok) return integers;
  if (integers.value.length === 0) return fail(seedProblem(seed, t('must be non-empty')));
  if (integers.value.some((s) => s < 0n || s > 0xffffffffn))
    return fail(seedProblem(seed, t('must be between 0 and 2**32 - 1')));
  const words = integers.value.map(Number);
  return ok({
    twister: Array.isArray(seed) ? twisterFromWords(words) : twisterFromWord(words[0] ?? 0),
    gauss: undefined,
  });
}

/** One draw of `random_sample`, `rand`: uniform on [0, 1), 53 bits from two words. */
export function drawUniform({ twister }: RandomStateStream): number {
  const a = nextWord(twister) >>> 5;
  const b = nextWord(twister) >>> 6;
  return (a * 67108864 + b) / 9007199254740992;
}

/**
 * One draw of `standard_normal`, `randn`, by the polar method (Marsaglia & Bray 1964): a point of the unit disc makes two
 * normals; the one from its second coordinate comes first, the other is kept for the next call, whatever is drawn in
 * between.
 */
export function drawNormal(stream: RandomStateStream): number {
  if (stream.gauss !== undefined) {
    const kept = stream.gauss;
    stream.gauss = undefined;
    return kept;
  }
  for (;;) {
    const x = 2 * drawUniform(stream) - 1;
    const y = 2 * drawUniform(stream) - 1;
    const square = x * x + y * y;
    if (square >= 1 || square === 0) continue;
    const factor = Math.sqrt((-2 * log(square)) / square);
    stream.gauss = factor * x;
    return factor * y;
  }
}

/**
 * One draw of `randint(low, high)` for NumPy's default int64: words (pairs of words when high − low > 2**32) with the
 * bits above those of high − low − 1 masked off, until one is small enough. `low` and `high` − 1 are safe integers.
 */
export function drawBounded({ twister }: RandomStateStream, low: number, high: number): number {
  const most = high - low - 1;
  if (most === 0) return low;
  return most <= 0xffffffff
    ? low + drawMasked(twister, most)
    : Number(BigInt(low) + drawMaskedWide(twister, BigInt(high) - BigInt(low) - 1n));
}

function drawMasked(twister: MersenneTwister, most: number): number {
  const mask = 0xffffffff >>> Math.clz32(most);
  for (;;) {
    const word = (nextWord(twister) & mask) >>> 0;
    if (word <= most) return word;
  }
}

function drawMaskedWide(twister: MersenneTwister, most: bigint): bigint {
  const bits = most.toString(2).length;
  for (;;) {
    const high = BigInt(nextWord(twister));
    const word = BigInt.asUintN(bits, (high << 32n) | BigInt(nextWord(twister)));
    if (word <= most) return word;
  }
}
