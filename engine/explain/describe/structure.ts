import { t } from '../../text';
import type { Fact, FactId } from './fact';
import { decimalsOf, errorOf, everyCell, type Described, type Grid } from './grid';

/**
 * Facts about where numbers stand, each exactly true of every value of every matrix:
 *
 * - `zeros`, `constant`: one value throughout (−0 is 0, NaN is no constant)
 * - `identity`: square, at least 2×2, 1 on the diagonal and 0 elsewhere
 * - `permutation`: square, one 1 in each row and column, 0 elsewhere; `one-hot`: one 1 in each row, 0 elsewhere, at least 2 columns
 * - `diagonal`: square, at least 2×2, 0 off the diagonal; `triangular`: 0 above or below it
 * - `banded`: square, at least 4×4, 0 more than w from the diagonal, w less than half of the rows
 * - `symmetric`: square, at least 2×2, a[i, j] and a[j, i] the same number
 * - `orthogonal`: square, 2×2 to 64×64, A·Aᵀ = I within the rounding of the digits: at most n·(2·|a|·e + e²) away from I in
 *   every cell, where |a| is the largest magnitude and e is `errorOf` the digits after the point
 */
export function structureFacts(matrix: Described, grids: readonly Grid[]): Fact[] {
  const same = constantFact(matrix);
  if (same) return [same];
  const [first] = grids;
  const hot = oneHotFact(grids);
  if (!first || first.rows !== first.columns || first.rows < 2) return hot ? [hot] : [];
  if (everyCell(grids, (x, i, j) => x === (i === j ? 1 : 0))) return [fact('identity', t('the identity'))];
  if (hot) return [hot];
  return [...zeroFacts(grids), ...symmetryFacts(grids), ...orthogonalFacts(matrix, grids)];
}

const fact = (id: FactId, words: string): Fact => ({ id, words });

function constantFact({ values }: Described): Fact | undefined {
  const first = values[0] ?? NaN;
  for (let i = 0; i < values.length; i++) if (values[i] !== first) return undefined;
  return first === 0 ? fact('zeros', t('all 0')) : fact('constant', t('the same number throughout'));
}

function oneHotFact(grids: readonly Grid[]): Fact | undefined {
  const isOneHot = grids.every(({ rows, columns, at }) => {
    if (columns < 2) return false;
    for (let i = 0; i < rows; i++) if (!hasOneHot(columns, (j) => at(i, j))) return false;
    return true;
  });
  if (!isOneHot) return undefined;
  const isPermutation = grids.every(
    ({ rows, columns, at }) =>
      rows === columns &&
      rows > 1 &&
      Array.from({ length: columns }, (_, j) => j).every((j) => hasOneHot(rows, (i) => at(i, j))),
  );
  return isPermutation
    ? fact('permutation', t('a permutation: one 1 in each row and column'))
    : fact('one-hot', t('one-hot: one 1 in each row, else 0'));
}

function hasOneHot(n: number, at: (k: number) => number): boolean {
  let ones = 0;
  for (let k = 0; k < n; k++) {
    const x = at(k);
    if (x === 1) ones++;
    else if (x !== 0) return false;
  }
  return ones === 1;
}

function zeroFacts(grids: readonly Grid[]): Fact[] {
  const zeroWhere = (where: (i: number, j: number) => boolean): boolean =>
    everyCell(grids, (x, i, j) => x === 0 || !where(i, j));
  const [above, below] = [zeroWhere((i, j) => j > i), zeroWhere((i, j) => j < i)];
  if (above && below) return [fact('diagonal', t('diagonal'))];
  if (above) return [fact('triangular', t('lower triangular: 0 above the diagonal'))];
  if (below) return [fact('triangular', t('upper triangular: 0 below the diagonal'))];
  const width = bandOf(grids);
  return width === undefined ? [] : [fact('banded', t('banded: 0 more than {0} from the diagonal', width))];
}

/** The largest distance from the diagonal of a number other than 0; undefined where the band would fill the matrix. */
function bandOf(grids: readonly Grid[]): number | undefined {
  let width = 0;
  const n = grids[0]?.rows ?? 0;
  const isNarrow = everyCell(grids, (x, i, j) => {
    if (x !== 0) width = Math.max(width, Math.abs(i - j));
    return width * 2 < n;
  });
  return n >= 4 && isNarrow ? width : undefined;
}

function symmetryFacts(grids: readonly Grid[]): Fact[] {
  const isDiagonal = everyCell(grids, (x, i, j) => i === j || x === 0);
  const isSymmetric = grids.every((grid) => everyCell([grid], (x, i, j) => x === grid.at(j, i)));
  return isSymmetric && !isDiagonal ? [fact('symmetric', t('symmetric'))] : [];
}

const mostRows = 64;

function orthogonalFacts({ values }: Described, grids: readonly Grid[]): Fact[] {
  const n = grids[0]?.rows ?? 0;
  if (n > mostRows) return [];
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i] ?? NaN));
  // Rows of length 1 hold nothing larger; NaN fails here as well.
  if (!(largest <= 1.1)) return [];
  const error = errorOf(decimalsOf(values));
  const tolerance = n * (2 * largest * error + error * error);
  const isOrthogonal = grids.every((grid) =>
    everyCell([grid], (_, i, j) => Math.abs(product(grid, i, j) - (i === j ? 1 : 0)) <= tolerance),
  );
  return isOrthogonal
    ? [fact('orthogonal', t('orthogonal: its rows have length 1 and are perpendicular, as far as its digits tell'))]
    : [];
}

function product({ columns, at }: Grid, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < columns; k++) sum += at(i, k) * at(j, k);
  return sum;
}
