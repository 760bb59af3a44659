import type { CallOf } from '../../plan';

/** The half-open range of keys that a query sees under a pattern mask. It can be empty. */
export function visibleKeys(
  { after, before, visible }: CallOf<'patternMask'>,
  query: number,
  keys: number,
): readonly [low: number, high: number] {
  const low = Math.min(keys, Math.max(0, query - before));
  return [low, Math.max(low, Math.min(keys, visible, query + after + 1))];
}

/** How many cells of a rectangle a pattern mask hides. Takes time only where the border of the pattern crosses the rectangle. */
export function hiddenCells(
  call: CallOf<'patternMask'>,
  [top, bottom]: readonly [number, number],
  [left, right]: readonly [number, number],
): number {
  const cells = (bottom - top) * (right - left);
  if (cells <= 0) return 0;
  // Both bounds grow monotonically from row to row.
  const [low0, high0] = visibleKeys(call, top, right);
  const [low1, high1] = visibleKeys(call, bottom - 1, right);
  if (low1 <= left && high0 >= right) return 0;
  if (low0 >= right || high1 <= left) return cells;
  let seen = 0;
  for (let i = top; i < bottom; i++) {
    const [low, high] = visibleKeys(call, i, right);
    seen += Math.max(0, high - Math.max(low, left));
  }
  return cells - seen;
}
