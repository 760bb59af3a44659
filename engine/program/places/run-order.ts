import { t } from '../../text';

/** Items in the order in which they are taken, and whether that is the order in which they ran. */
export interface RunOrder<T> {
  readonly items: readonly T[];
  /** `ran`: by their counts, which differs from how they stand. `gaps`: as they stand, although counts say that they ran otherwise: some ran again. */
  readonly order: 'stands' | 'ran' | 'gaps';
}

/**
 * Cells in the order in which a kernel ran them, where their counts tell all of it: 1, 2, 3 and so on. A count that is missing is that of a cell that
 * ran again or was deleted; what it did then is not known. A cell without a count goes with the one above it.
 */
export function inRunOrder<T>(cells: readonly T[], countOf: (cell: T) => number | undefined): RunOrder<T> {
  const counts = cells.flatMap((cell) => countOf(cell) ?? []);
  if (counts.every((count, i) => i === 0 || (counts[i - 1] as number) < count))
    return { items: cells, order: 'stands' };
  const isWhole = [...counts].sort((a, b) => a - b).every((count, i) => count === i + 1);
  if (!isWhole) return { items: cells, order: 'gaps' };
  let above = 0;
  const placed = cells.map((cell) => ({ cell, at: (above = countOf(cell) ?? above) }));
  return { items: placed.sort((a, b) => a.at - b.at).map(({ cell }) => cell), order: 'ran' };
}

/** What is said of the order in which a notebook's cells are read, where it is not how they stand or may not be how they ran. */
export function orderNote(order: RunOrder<unknown>['order'], numbers: readonly number[]): string | undefined {
  if (order === 'ran') return t('The cells are read in the order in which they ran: {0}.', numbers.join(', '));
  if (order === 'gaps') return t('The cells are read in the order in which they stand: their counts have gaps, so how they ran is not known.'); // prettier-ignore
  return undefined;
}
