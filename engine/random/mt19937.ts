/** Mersenne Twister MT19937 (Matsumoto & Nishimura 1998): 32-bit words, as NumPy's RandomState and PyTorch's CPU generator draw them. */
export interface Mt19937 {
  readonly key: Uint32Array;
  position: number;
}

const n = 624;
const m = 397;

/** init_genrand: from one 32-bit word. */
export function seedMt19937(seed: number): Mt19937 {
  const key = new Uint32Array(n);
  key[0] = seed;
  for (let i = 1; i < n; i++) {
    const previous = key[i - 1] as number;
    key[i] = Math.imul(1812433253, previous ^ (previous >>> 30)) + i;
  }
  return { key, position: n };
}

function refill(state: Mt19937): void {
  const { key } = state;
  for (let i = 0; i < n; i++) {
    const y = ((key[i] as number) & 0x80000000) | ((key[(i + 1) % n] as number) & 0x7fffffff);
    key[i] = (key[(i + m) % n] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
  state.position = 0;
}

/** The next word, 0 … 2^32 − 1. */
export function nextWord(state: Mt19937): number {
  if (state.position >= n) refill(state);
  let y = state.key[state.position++] as number;
  y ^= y >>> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return (y ^ (y >>> 18)) >>> 0;
}

/** 53 random bits over [0, 1): genrand_res53. */
export const nextDouble = (state: Mt19937): number =>
  ((nextWord(state) >>> 5) * 67108864 + (nextWord(state) >>> 6)) / 9007199254740992;
