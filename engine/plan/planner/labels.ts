/**
 * Row and column labels. Steps share their lists, and a list of indices is made when it is first read: a plan with a million columns
 * costs nothing until its labels are shown. The number of labels is known without making them.
 */
export interface LabelPool {
  /** Number of labels in all lists, each list counted once. */
  count: number;
  readonly given: Set<readonly string[]>;
  readonly indices: Map<number, Labels>;
}

/** One list of labels. */
export interface Labels {
  readonly all: () => readonly string[];
  /** The first few labels, without making the others. */
  readonly first: readonly string[];
}

export const newPool = (): LabelPool => ({ count: 0, given: new Set(), indices: new Map() });

/** The given labels, or the indices from 0. */
export function labelsOf(pool: LabelPool, given: readonly string[] | undefined, size: number): Labels {
  return given ? tokenLabels(pool, given) : indicesOf(pool, size);
}

/** Sentences name at most this many rows or columns. */
const mostNamed = 3;

function tokenLabels(pool: LabelPool, names: readonly string[]): Labels {
  if (!pool.given.has(names)) pool.count += names.length;
  pool.given.add(names);
  return { all: () => names, first: names.slice(0, mostNamed) };
}

function indicesOf(pool: LabelPool, size: number): Labels {
  const known = pool.indices.get(size);
  if (known) return known;
  let made: readonly string[] | undefined;
  const labels = { all: () => (made ??= numbers(size)), first: numbers(Math.min(mostNamed, size)) };
  pool.count += size;
  pool.indices.set(size, labels);
  return labels;
}

const numbers = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));
