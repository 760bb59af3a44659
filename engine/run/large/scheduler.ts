/*
 * Divides the chunks of one computation between this thread and a helper, and consumes the results in order. The chunks are consumed
 * from the first to the last, because an overview grows from the top.
 */

/** The chunks 0 … count − 1 of a computation, each with a result of type T. */
export interface ChunkedWork<T> {
  readonly count: number;
  /** Computes a chunk here. The result may be overwritten by the next call. */
  compute(chunk: number): T;
  /** A copy of a result that stays valid. */
  copy(result: T): T;
  /** Takes a result; called once for every chunk, in order. */
  consume(chunk: number, result: T): void;
}

/** Computes a chunk in the helper, with the same bits. The promise is rejected, or never settled, where the helper is lost. */
export type ComputeRemotely<T> = (chunk: number) => Promise<T>;

export interface ChunkScheduler<T> {
  /** The chunk that is consumed next. */
  next(): number;
  /** Requests chunks from the helper and computes one chunk here. Returns true when all are consumed. */
  advance(): boolean;
  /** Whether a helper is used. */
  shared(): boolean;
  /** From now on, also sends chunks to this helper. */
  share(remote: ComputeRemotely<T>): void;
}

/** Most chunks that the helper has at a time: one that it computes, and one to continue with. */
const maxInFlight = 2;
/** Most results that wait for an earlier chunk. Beyond that the earliest missing chunk is computed here. */
const maxBuffered = 6;

/**
 * A scheduler whose `advance` never waits for the helper. When nothing else is left, or too many results wait, it computes a chunk here
 * that the helper still owes. A helper that is lost silently is therefore sent at most `maxInFlight` chunks.
 */
export function createScheduler<T>({ count, compute, copy, consume }: ChunkedWork<T>): ChunkScheduler<T> {
  const [buffered, inFlight] = [new Map<number, T>(), new Set<number>()];
  let next = 0;
  let helper: ComputeRemotely<T> | undefined;
  const consumeBuffered = (): void => {
    for (let result = buffered.get(next); result !== undefined; result = buffered.get(next)) {
      buffered.delete(next);
      consume(next++, result);
    }
  };
  /** The first chunk from `start` on that is neither buffered nor in flight. */
  const firstUnstarted = (start: number): number | undefined => {
    let chunk = start;
    while (buffered.has(chunk) || inFlight.has(chunk)) chunk++;
    return chunk < count ? chunk : undefined;
  };
  const request = (from: ComputeRemotely<T>, chunk: number): void => {
    inFlight.add(chunk);
    from(chunk).then(
      (result) => {
        inFlight.delete(chunk);
        if (isMissing(chunk)) buffered.set(chunk, result);
      },
      () => {
        inFlight.delete(chunk);
        if (helper === from) helper = undefined;
      },
    );
  };
  const isMissing = (chunk: number): boolean => chunk >= next && !buffered.has(chunk);
  /**
   * The chunk to compute here: the first that is not started; if all are started, the last that the helper still owes, since it
   * computes in order. When too many results wait for chunk `next`, that chunk.
   */
  const chooseLocal = (): number => {
    if (buffered.size >= maxBuffered) return next;
    return firstUnstarted(next) ?? [...inFlight].filter(isMissing).at(-1) ?? next;
  };
  return {
    next: () => next,
    advance() {
      consumeBuffered();
      if (next >= count) return true;
      const chunk = chooseLocal();
      let ahead = firstUnstarted(chunk + 1);
      while (helper && ahead !== undefined && inFlight.size < maxInFlight) {
        request(helper, ahead);
        ahead = firstUnstarted(ahead + 1);
      }
      const result = compute(chunk);
      if (chunk === next) consume(next++, result);
      else buffered.set(chunk, copy(result));
      consumeBuffered();
      return next >= count;
    },
    shared: () => helper !== undefined,
    share: (remote) => (helper = remote),
  };
}
