import type { CallOf } from '../operations';

/** The keys that query i sees under a mask by rule: from `low` to `high`, which can be the same. */
export function seenKeys(
  { after, before, visible }: CallOf<'patternMask'>,
  query: number,
  keys: number,
): readonly [low: number, high: number] {
  const low = Math.min(keys, Math.max(0, query - before));
  return [low, Math.max(low, Math.min(keys, visible, query + after + 1))];
}

/** How many cells of a rectangle a mask by rule hides: a sum over its rows. */
export function hiddenCells(
  call: CallOf<'patternMask'>,
  rows: readonly [number, number],
  columns: readonly [number, number],
): number {
  let seen = 0;
  for (let i = rows[0]; i < rows[1]; i++) {
    const [low, high] = seenKeys(call, i, columns[1]);
    seen += Math.max(0, high - Math.max(low, columns[0]));
  }
  return (rows[1] - rows[0]) * (columns[1] - columns[0]) - seen;
}
