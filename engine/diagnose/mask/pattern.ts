/** What a mask shows, as a pattern over queries and keys: which of the usual ones it is, and what is odd about it. */

/** Whether query i sees key j. */
export type Sees = (i: number, j: number) => boolean;

export type Pattern =
  | { readonly is: 'all' | 'none' | 'causal' | 'before' | 'next' | 'future' | 'after' | 'diagonal' }
  /** As many keys before and after its own as these; `after` is 0 in a causal window. */
  | { readonly is: 'window'; readonly before: number; readonly after: number }
  /** The same keys for all queries: those of the text, without padding. */
  | { readonly is: 'padding'; readonly seen: number; readonly end: 'first' | 'last' | 'neither' }
  /** A causal mask in which the first or the last keys are hidden from all. */
  | { readonly is: 'causal padding'; readonly seen: number; readonly end: 'first' | 'last' | 'neither' }
  /** The first keys are seen by all, later ones by what comes after them. */
  | { readonly is: 'prefix'; readonly length: number }
  /** Fewer queries than keys, as with a cache: each sees up to its own token; `corner: 'first'` counts as if the queries were the first tokens. */
  | { readonly is: 'causal cached'; readonly past: number; readonly corner: 'last' | 'first' }
  | { readonly is: 'blocks'; readonly sizes: readonly number[] }
  | { readonly is: 'other' };

export interface Shown {
  readonly pattern: Pattern;
  /** Queries that see no key: softmax gives nan, or weights of keys that are hidden. */
  readonly blind: readonly number[];
  /** Cells in which a query sees a later key. */
  readonly future: number;
  readonly hidden: number;
}

export function shownBy(n: number, m: number, sees: Sees): Shown {
  const rows = Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, j) => sees(i, j)));
  const cells = rows.flatMap((row, i) => row.map((seen, j) => ({ i, j, seen })));
  return {
    pattern: patternOf(n, m, rows),
    blind: rows.flatMap((row, i) => (row.includes(true) ? [] : [i])),
    future: cells.filter(({ i, j, seen }) => seen && j > i).length,
    hidden: cells.filter(({ seen }) => !seen).length,
  };
}

type Rows = readonly (readonly boolean[])[];

const is = (rows: Rows, sees: Sees): boolean => rows.every((row, i) => row.every((seen, j) => seen === sees(i, j)));

function patternOf(n: number, m: number, rows: Rows): Pattern {
  if (is(rows, () => true)) return { is: 'all' };
  if (is(rows, () => false)) return { is: 'none' };
  const ofKeys = sameKeys(rows);
  if (ofKeys && (n > 1 || m > 1)) return { is: 'padding', ...ofKeys };
  if (n < m && is(rows, (i, j) => j <= i + m - n)) return { is: 'causal cached', past: m - n, corner: 'last' };
  if (n < m && is(rows, (i, j) => j <= i)) return { is: 'causal cached', past: m - n, corner: 'first' };
  if (n !== m || n < 2) return { is: 'other' };
  return squareOf(n, rows);
}

/** Of as many queries as keys. */
function squareOf(n: number, rows: Rows): Pattern {
  const named: readonly (readonly [Exclude<Pattern, { before: number } | { seen: number } | { length: number } | { past: number } | { sizes: readonly number[] }>['is'], Sees])[] = [
    ['causal', (i, j) => j <= i], ['after', (i, j) => j > i], ['diagonal', (i, j) => i === j],
    ['before', (i, j) => j < i], ['future', (i, j) => j >= i], ['next', (i, j) => j <= i + 1],
  ]; // prettier-ignore
  const found = named.find(([, sees]) => is(rows, sees))?.[0];
  if (found) return { is: found } as Pattern;
  return windowOf(n, rows) ?? prefixOf(n, rows) ?? blocksOf(n, rows) ?? causalPadding(n, rows) ?? { is: 'other' };
}

function sameKeys(rows: Rows): { readonly seen: number; readonly end: 'first' | 'last' | 'neither' } | undefined {
  const [first = []] = rows;
  return rows.every((row) => row.every((seen, j) => seen === first[j])) ? endsOf(first) : undefined;
}

function endsOf(keys: readonly boolean[]): { readonly seen: number; readonly end: 'first' | 'last' | 'neither' } {
  const seen = keys.filter((one) => one).length;
  const isFirst = keys.every((one, j) => one === j < seen);
  const isLast = keys.every((one, j) => one === j >= keys.length - seen);
  return { seen, end: isFirst ? 'first' : isLast ? 'last' : 'neither' };
}

/** Found by the first and the last query, then held against all. */
function windowOf(n: number, rows: Rows): Pattern | undefined {
  const [top = [], bottom = []] = [rows[0], rows[n - 1]];
  const after = top.lastIndexOf(true);
  const before = n - 1 - bottom.indexOf(true);
  if (after < 0 || !bottom.includes(true) || (before >= n - 1 && after >= n - 1)) return undefined;
  return is(rows, (i, j) => j >= i - before && j <= i + after) ? { is: 'window', before, after } : undefined;
}

function prefixOf(n: number, rows: Rows): Pattern | undefined {
  const length = (rows[0] ?? []).lastIndexOf(true) + 1;
  return length > 1 && length < n && is(rows, (i, j) => j < length || j <= i) ? { is: 'prefix', length } : undefined;
}

/** Texts behind each other, each of which sees itself alone. */
function blocksOf(n: number, rows: Rows): Pattern | undefined {
  const sizes: number[] = [];
  for (let from = 0; from < n;) {
    const end = (rows[from] ?? []).lastIndexOf(true) + 1;
    if (end <= from) return undefined;
    sizes.push(end - from);
    from = end;
  }
  const block = sizes.flatMap((size, b) => Array.from({ length: size }, () => b));
  return is(rows, (i, j) => block[i] === block[j]) ? { is: 'blocks', sizes } : undefined;
}

function causalPadding(n: number, rows: Rows): Pattern | undefined {
  const keys = Array.from({ length: n }, (_, j) => rows.some((row) => row[j]));
  return is(rows, (i, j) => j <= i && keys[j] === true) ? { is: 'causal padding', ...endsOf(keys) } : undefined;
}
