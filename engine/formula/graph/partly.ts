/** Numbers of a matrix with dots: those before the dots count from its beginning, those behind them from its end. */
import { bare, type Expression, type Matrix } from '../tree';

/** In row-major order, undefined where none is written. Undefined as a whole where nothing is written, or more than fits. */
export function partlyWritten(
  { rows }: Matrix,
  height: number,
  width: number,
): readonly (number | undefined)[] | undefined {
  const found = new Array<number | undefined>(height * width).fill(undefined);
  const places = placesOf(rows, height, (row) => row.every((cell) => cell.kind === 'dots'));
  if (!places) return undefined;
  for (const [i, at] of places) {
    const row = rows[i] ?? [];
    const columns = placesOf(row, width, ({ kind }) => kind === 'dots');
    if (!columns) return undefined;
    for (const [j, to] of columns) found[at * width + to] = numberIn(row[j]);
  }
  return found.some((value) => value !== undefined) ? found : undefined;
}

/** Which item stands where, of `count` places. Undefined where they do not fit. */
function placesOf<T>(
  items: readonly T[],
  count: number,
  isDots: (item: T) => boolean,
): Map<number, number> | undefined {
  const first = items.findIndex(isDots);
  if (first < 0) return items.length === count ? new Map(items.map((_, i) => [i, i])) : undefined;
  if (items.length - 1 > count || items.slice(first + 1).some(isDots)) return undefined;
  return new Map(items.flatMap((_, i) => (i === first ? [] : [[i, i < first ? i : count - items.length + i]])));
}

/** Also under a minus. */
export function numberIn(of: Expression | undefined): number | undefined {
  const at = of && bare(of);
  if (at?.kind === 'number') return at.value;
  if (at?.kind !== 'sum' || at.terms.length !== 1) return undefined;
  const inner = numberIn(at.terms[0]);
  return inner === undefined || !at.minus[0] ? inner : -inner;
}
