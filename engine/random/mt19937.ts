/**
 * Mersenne Twister MT19937: Matsumoto & Nishimura, "Mersenne twister: a 623-dimensionally equidistributed uniform
 * pseudo-random number generator", ACM TOMACS 8(1), 1998, with the seeding of their 2002 revision. Both NumPy's
 * RandomState and PyTorch's CPU generator draw from it.
 */
export interface MersenneTwister {
  /** The last 624 words of the recurrence. */
  readonly words: Uint32Array;
  /** The next word to be tempered and handed out; 624 when a new block is due. */
  at: number;
}

const size = 624;
const middle = 397;

/** State from one 32-bit word (the paper's `init_genrand`). */
export function twisterFromWord(seed: number): MersenneTwister {
  const words = new Uint32Array(size);
  words[0] = seed;
  for (let i = 1; i < size; i++) words[i] = Math.imul(1812433253, mixed(words, i - 1)) + i;
  return { words, at: size };
}

const mixed = (words: Uint32Array, i: number): number => {
  const word = words[i] as number;
  return word ^ (word >>> 30);
};

/** State from any number of 32-bit words, at least one (the paper's `init_by_array`). */
export function twisterFromWords(key: readonly number[]): MersenneTwister {
  const twister = twisterFromWord(19650218);
  const { words } = twister;
  let i = 1;
  const advance = (): void => {
    i++;
    if (i < size) return;
    words[0] = words[size - 1] as number;
    i = 1;
  };
  for (let step = 0; step < Math.max(size, key.length); step++) {
    const j = step % key.length;
    words[i] = ((words[i] as number) ^ Math.imul(mixed(words, i - 1), 1664525)) + (key[j] as number) + j;
    advance();
  }
  for (let step = 0; step < size - 1; step++) {
    words[i] = ((words[i] as number) ^ Math.imul(mixed(words, i - 1), 1566083941)) - i;
    advance();
  }
  words[0] = 0x80000000;
  return twister;
}

/** The next 32 bits, as an integer from 0 to 2^32 − 1. */
export function nextWord(twister: MersenneTwister): number {
  if (twister.at === size) refill(twister);
  let y = twister.words[twister.at++] as number;
  y ^= y >>> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return (y ^ (y >>> 18)) >>> 0;
}

function refill(twister: MersenneTwister): void {
  const { words } = twister;
  for (let i = 0; i < size; i++) {
    const y = ((words[i] as number) & 0x80000000) | ((words[(i + 1) % size] as number) & 0x7fffffff);
    words[i] = (words[(i + middle) % size] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
  twister.at = 0;
}

export const copyTwister = ({ words, at }: MersenneTwister): MersenneTwister => ({ words: words.slice(), at });
