import type { Mistake, Part } from './catalogue';
import { sameShape, type Matrix } from './matrices';

/** A result as somebody printed it. */
export interface Printed {
  readonly rows: Matrix;
  /** Digits after the point. */
  readonly digits: number;
}

/** Numbers side by side at the cell that differs most from what is right. */
export interface Evidence {
  readonly cells: number;
  readonly differing: number;
  readonly row: number;
  readonly column: number;
  readonly mine: number;
  readonly right: number;
}

/** One computation that gives every printed digit: the sets of mistakes that lead to it. */
export interface Named {
  readonly part: Part;
  /** The head, where there are several and one was printed. */
  readonly head?: number;
  /** More than one where different mistakes give equal numbers here. */
  readonly mistakes: readonly (readonly Mistake[])[];
  readonly evidence: Evidence;
}

/** Above this chance that any candidate meets the digits by accident, nothing is named alone. */
export const allowedChance = 1e-4;

/** Half of the last digit, and a little for its own rounding. */
export const halfUnit = (digits: number): number => 0.5001 * Number(`1e${-digits}`);

/** Rounded to the printed digits; a printed NaN or infinity is met by the same only. */
export function isPrinted(m: Matrix, { rows, digits }: Printed): boolean {
  const half = halfUnit(digits);
  return (
    sameShape(m, rows) &&
    m.every((cells, i) =>
      cells.every((x, j) => {
        const y = rows[i]?.[j] ?? NaN;
        return Object.is(x, y) || Math.abs(x - y) <= half;
      }),
    )
  );
}

/** The chance that one candidate meets all digits, were its different numbers anywhere in the range of the printed ones. */
export function chanceOf({ rows, digits }: Printed): number {
  const different = [...new Set(rows.flat().filter(Number.isFinite))];
  const range =
    different.reduce((a, x) => Math.max(a, x), -Infinity) - different.reduce((a, x) => Math.min(a, x), Infinity);
  const unit = Number(`1e${-digits}`);
  return different.reduce((chance) => chance * Math.min(1, unit / Math.max(range, unit)), 1);
}

const off = (mine: number, right: number): number => (Object.is(mine, right) ? 0 : Math.abs(mine - right));

/** The largest difference of all cells; NaN where one of two is no number. */
export function farthest(right: Matrix, { rows }: Printed): number {
  let most = 0;
  for (let i = 0; i < rows.length; i++) {
    const [mine, computed] = [rows[i] ?? [], right[i] ?? []];
    for (let j = 0; j < mine.length; j++) {
      const by = off(mine[j] as number, computed[j] ?? NaN);
      if (!(by <= most)) most = by;
      if (Number.isNaN(most)) return NaN;
    }
  }
  return most;
}

export function evidenceOf(right: Matrix, mine: Printed): Evidence {
  const half = halfUnit(mine.digits);
  let [cells, differing, most] = [0, 0, -1];
  let at = { row: 0, column: 0, mine: NaN, right: NaN };
  mine.rows.forEach((row, i) => {
    row.forEach((x, j) => {
      cells++;
      const y = right[i]?.[j] ?? NaN;
      const by = off(x, y);
      if (by <= half) return;
      differing++;
      if (!(by > most) && most >= 0) return;
      [most, at] = [Number.isNaN(by) ? 0 : by, { row: i, column: j, mine: x, right: y }];
    });
  });
  return { cells, differing, ...at };
}
