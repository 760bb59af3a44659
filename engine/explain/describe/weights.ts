import { t } from '../../text';
import type { Fact } from './fact';
import { decimalsOf, errorOf, everyCell, type Described, type Grid } from './grid';

/**
 * Facts about weights, for matrices with at least 2 columns:
 *
 * - `weights`: no value is negative and each row sums to 1. With m columns a sum may be off by m·`errorOf`(digits after the point), which is
 *   the rounding error of the printed digits (2 or more) and of one float32 operation. The words give the actual error.
 * - `causal-weights`: the same, and exactly 0 above the diagonal (with m ≠ n the diagonal from the first or to the last cell).
 * - `weights-in-columns`: columns sum to 1, rows do not; at least 2 rows.
 */
export function weightFacts({ values }: Described, grids: readonly Grid[]): Fact[] {
  const [first] = grids;
  if (!first || first.columns < 2 || !everyCell(grids, (x) => x >= 0)) return [];
  const error = errorOf(decimalsOf(values));
  const rows = furthestFrom1(grids, 'rows');
  if (rows <= first.columns * error)
    return [{ id: 'weights', words: rowsWords(boundOf(rows)) }, ...causal(grids, first)];
  const columns = first.rows < 2 ? NaN : furthestFrom1(grids, 'columns');
  return columns <= first.rows * error ? [{ id: 'weights-in-columns', words: columnsWords(boundOf(columns)) }] : [];
}

type Bound = string | undefined;

const rowsWords = (bound: Bound): string =>
  bound === undefined
    ? t('rows sum to 1: attention weights')
    : t('rows sum to 1 (within {0}): attention weights', bound);

const columnsWords = (bound: Bound): string =>
  bound === undefined
    ? t('columns sum to 1: attention weights, transposed')
    : t('columns sum to 1 (within {0}): attention weights, transposed', bound);

/** An upper bound of the distance in one digit; undefined for rounding errors of float64. */
function boundOf(distance: number): Bound {
  if (distance <= 1e-14) return undefined;
  let [power, digits] = [1, 0];
  while (power > distance * 1.0000001) [power, digits] = [power / 10, digits + 1];
  const leading = Math.ceil(distance / power);
  return leading === 10 ? `1e−${digits - 1}` : `${leading}e−${digits}`;
}

function furthestFrom1(grids: readonly Grid[], lines: 'rows' | 'columns'): number {
  let furthest = 0;
  for (const { rows, columns, at } of grids) {
    const [outer, inner] = lines === 'rows' ? [rows, columns] : [columns, rows];
    for (let i = 0; i < outer; i++) {
      let sum = 0;
      for (let j = 0; j < inner; j++) sum += lines === 'rows' ? at(i, j) : at(j, i);
      furthest = Math.max(furthest, Math.abs(sum - 1));
    }
  }
  return furthest;
}

function causal(grids: readonly Grid[], { rows, columns }: Grid): Fact[] {
  const isZero = (above: (i: number, j: number) => boolean): boolean =>
    everyCell(grids, (x, i, j) => x === 0 || !above(i, j));
  if (rows < 2) return [];
  if (isZero((i, j) => j > i)) return [{ id: 'causal-weights', words: t('causal: 0 above the diagonal') }];
  return rows < columns && isZero((i, j) => j > i + columns - rows)
    ? [{ id: 'causal-weights', words: t('causal: 0 above the diagonal that ends in the last column') }]
    : [];
}
