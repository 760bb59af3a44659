import { shuffleTokensFrom, type AttentionTrace, type ShuffledTokens } from '../../engine/index';
import type { TraceHandle } from '../trace';

/** Shuffles a trace's tokens, and keeps the last result so that its matrices can be read. */
export function createShuffles(held: () => AttentionTrace): Pick<TraceHandle, 'shuffle' | 'readShuffled'> {
  let last: ShuffledTokens | undefined;
  return {
    async shuffle(seed) {
      last = shuffleTokensFrom(held(), seed);
      if (!last) return undefined;
      const { again: _, ...found } = last;
      return found;
    },
    async readShuffled(seed, step, request) {
      if (last?.seed !== seed) throw new Error('another order is held');
      return last.again.read(step, request);
    },
  };
}
