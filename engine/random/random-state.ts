import { log } from '../math';
import { nextDouble, seedMt19937, type Mt19937 } from './mt19937';

/** NumPy's legacy generator, `np.random.seed(seed)`: MT19937 with the polar method for normal numbers. */
export interface RandomState {
  readonly twister: Mt19937;
  /** The second number of the last polar pair, not yet given out. */
  spare: number | undefined;
}

/** `seed`: a whole number from 0 to 2^32 − 1. */
export const seedRandomState = (seed: number): RandomState => ({ twister: seedMt19937(seed), spare: undefined });

/**
 * One standard normal number: legacy_gauss, Marsaglia's polar method. The uniform numbers, the square root and the
 * division are bit-exact; the logarithm here is correctly rounded where glibc's is within 0.52 ulp, so nearly every draw is equal
 * to the bit and the others differ in the last one.
 */
export function nextNormal(state: RandomState): number {
  if (state.spare !== undefined) {
    const spare = state.spare;
    state.spare = undefined;
    return spare;
  }
  for (;;) {
    const x = 2 * nextDouble(state.twister) - 1;
    const y = 2 * nextDouble(state.twister) - 1;
    const r = x * x + y * y;
    if (r >= 1 || r === 0) continue;
    const factor = Math.sqrt((-2 * log(r)) / r);
    state.spare = factor * x;
    return factor * y;
  }
}

/** One number over [0, 1): `random_sample`. */
export const nextUniform = (state: RandomState): number => nextDouble(state.twister);
