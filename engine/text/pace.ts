import { nextTurn } from './turn';

/**
 * Work with places to stop: whoever drives it decides what happens between its parts. A part takes a millisecond or so, or reads one literal.
 * Where it yields a promise, it waits for that.
 */
export type Paced<T> = Generator<Promise<unknown> | undefined, T>;

/** All of it at once. Nothing is waited for: what would come of it is missing. */
export function finish<T>(work: Paced<T>): T {
  for (;;) {
    const part = work.next();
    if (part.done) return part.value;
  }
}

/** Characters looked at in one part. */
export const stride = 1024;

/** Milliseconds at a stretch. With the longest part, and a collection of garbage, it stays below a frame of 16. */
const stretch = 4;

/**
 * All of it, in stretches of some 4 ms with the thread given away between them, so that an editor stays awake. Undefined once
 * `isCancelled` says so. What the work throws is thrown.
 */
export async function inStretches<T>(work: Paced<T>, isCancelled: () => boolean = () => false): Promise<T | undefined> {
  for (;;) {
    const until = Date.now() + stretch;
    do {
      const part = work.next();
      if (part.done) return part.value;
      if (part.value) await part.value;
    } while (Date.now() < until);
    await nextTurn();
    if (isCancelled()) return undefined;
  }
}
