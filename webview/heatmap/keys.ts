import type { Place } from './state';

export interface KeyInput {
  readonly key: string;
  readonly ctrl: boolean;
  readonly rows: number;
  readonly columns: number;
  /** Number of rows for PageUp and PageDown. */
  readonly page: number;
}

/** The cell that a key moves the focus to, as in the ARIA grid pattern; undefined for other keys. */
export function nextPlace({ row, column }: Place, { key, ctrl, rows, columns, page }: KeyInput): Place | undefined {
  const last = { row: rows - 1, column: columns - 1 };
  const clampedPlace = (r: number, c: number): Place => ({
    row: Math.min(last.row, Math.max(0, r)),
    column: Math.min(last.column, Math.max(0, c)),
  });
  switch (key) {
    case 'ArrowUp':
      return clampedPlace(ctrl ? 0 : row - 1, column);
    case 'ArrowDown':
      return clampedPlace(ctrl ? last.row : row + 1, column);
    case 'ArrowLeft':
      return clampedPlace(row, ctrl ? 0 : column - 1);
    case 'ArrowRight':
      return clampedPlace(row, ctrl ? last.column : column + 1);
    case 'Home':
      return clampedPlace(ctrl ? 0 : row, 0);
    case 'End':
      return clampedPlace(ctrl ? last.row : row, last.column);
    case 'PageUp':
      return clampedPlace(row - page, column);
    case 'PageDown':
      return clampedPlace(row + page, column);
    default:
      return undefined;
  }
}
