/**
 * The names of rows and columns. Lists are shared between steps, and lists of indices are made when they are first read: a plan of a million
 * columns costs nothing until somebody looks at their names. How many there would be is counted at once.
 */
export interface LabelPool {
  /** Names of all lists together, each list once. */
  count: number;
  readonly given: Set<readonly string[]>;
  readonly indices: Map<number, Labels>;
}

/** One list of names. */
export interface Labels {
  readonly all: () => readonly string[];
  /** The first few of them, without making the others. */
  readonly first: readonly string[];
}

export const newPool = (): LabelPool => ({ count: 0, given: new Set(), indices: new Map() });

/** The names that are given, or the numbers from 0. */
export function labelsOf(pool: LabelPool, given: readonly string[] | undefined, size: number): Labels {
  return given ? named(pool, given) : indicesOf(pool, size);
}

/** As many as words may name. */
const few = 3;

function named(pool: LabelPool, names: readonly string[]): Labels {
  if (!pool.given.has(names)) pool.count += names.length;
  pool.given.add(names);
  return { all: () => names, first: names.slice(0, few) };
}

function indicesOf(pool: LabelPool, size: number): Labels {
  const known = pool.indices.get(size);
  if (known) return known;
  let made: readonly string[] | undefined;
  const labels = { all: () => (made ??= numbers(size)), first: numbers(Math.min(few, size)) };
  pool.count += size;
  pool.indices.set(size, labels);
  return labels;
}

const numbers = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));
