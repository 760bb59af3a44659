/* Parts of one piece of work by two, taken up in their order. */

/** Parts 0 … count − 1, of each of which something is found. */
export interface Parts<T> {
  readonly count: number;
  /** What is found of a part, good until the next call. */
  compute(part: number): T;
  /** The same for good. */
  keep(found: T): T;
  /** Takes up what was found: of every part once, in order. */
  take(part: number, found: T): void;
}

/** Finds a part elsewhere, with the same bits. Rejected, or never settled, where whoever does it is lost. */
export type Ask<T> = (part: number) => Promise<T>;

export interface Relay<T> {
  /** The part that is taken up next. */
  next(): number;
  /** Computes a part, having asked for others. True when all are taken up. */
  advance(): boolean;
  /** Whether somebody else is asked for parts. */
  shared(): boolean;
  share(ask: Ask<T>): void;
}

/** Parts that another has before it at most: one that it works at, one that it goes on with meanwhile. */
const ahead = 2;
/** Parts that wait for an earlier one at most, before that one is computed here: what is shown grows from the top. */
const mostWaiting = 6;

/**
 * `advance` never waits: what another still owes when nothing else is left, or when too much waits for it, is computed here as well. Of one
 * that is lost in silence so no more than `ahead` parts are asked.
 */
export function createRelay<T>({ count, compute, keep, take }: Parts<T>): Relay<T> {
  const [waiting, asked] = [new Map<number, T>(), new Set<number>()];
  let next = 0;
  let other: Ask<T> | undefined;
  const takeUp = (): void => {
    for (let found = waiting.get(next); found !== undefined; found = waiting.get(next)) {
      waiting.delete(next);
      take(next++, found);
    }
  };
  const free = (from: number): number | undefined => {
    let part = from;
    while (waiting.has(part) || asked.has(part)) part++;
    return part < count ? part : undefined;
  };
  const ask = (from: Ask<T>, part: number): void => {
    asked.add(part);
    from(part).then(
      (found) => {
        asked.delete(part);
        if (part >= next && !waiting.has(part)) waiting.set(part, found);
      },
      () => {
        asked.delete(part);
        if (other === from) other = undefined;
      },
    );
  };
  /** The first that nobody has begun; of those that another owes the last, which it comes to last, unless too much waits for the first. */
  const mine = (): number =>
    (waiting.size < mostWaiting ? (free(next) ?? [...asked].filter((part) => owed(part)).at(-1)) : undefined) ?? next;
  const owed = (part: number): boolean => part >= next && !waiting.has(part);
  return {
    next: () => next,
    advance() {
      takeUp();
      if (next >= count) return true;
      const part = mine();
      for (let i = free(part + 1); other && i !== undefined && asked.size < ahead; i = free(i + 1)) ask(other, i);
      const found = compute(part);
      if (part === next) take(next++, found);
      else waiting.set(part, keep(found));
      takeUp();
      return next >= count;
    },
    shared: () => other !== undefined,
    share: (from) => (other = from),
  };
}
