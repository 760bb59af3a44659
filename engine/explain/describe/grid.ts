/** A tensor to be described: 1 to 4 dimensions, values row-major. */
export interface Described {
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  /** The name, by which a padding mask of keys is recognized. */
  readonly name?: string | undefined;
  /** The dtype as written: `bool`, `float32`. */
  readonly dtype?: string | undefined;
}

/** One matrix of the tensor; a flat list is one row. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly at: (row: number, column: number) => number;
}

/** The matrices of the last two dimensions, in order: every batch and head. */
export function gridsOf({ shape, values }: Described): Grid[] {
  const columns = shape.at(-1) ?? 0;
  const rows = shape.length > 1 ? (shape.at(-2) ?? 0) : 1;
  const size = rows * columns;
  const count = size > 0 ? Math.floor(values.length / size) : 0;
  return Array.from({ length: count }, (_, g) => ({
    rows,
    columns,
    at: (i, j) => values[g * size + i * columns + j] ?? NaN,
  }));
}

/** Whether something holds for each cell of each matrix. Stops at the first cell for which it does not. */
export const everyCell = (grids: readonly Grid[], holds: (x: number, i: number, j: number) => boolean): boolean =>
  grids.every(({ rows, columns, at }) => {
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) if (!holds(at(i, j), i, j)) return false;
    return true;
  });

/**
 * The number of digits after the point with which the numbers were probably written: the most that any number needs in its shortest form. 17
 * when one needs an exponent.
 */
export function decimalsOf(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length && most < 17; i++) {
    const x = values[i] ?? NaN;
    if (!Number.isFinite(x) || Number.isInteger(x)) continue;
    const text = String(x);
    most = Math.max(most, text.includes('e') ? 17 : text.length - text.indexOf('.') - 1);
  }
  return most;
}

const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17];

/**
 * How far a printed number may be from the computed one: half a unit of the last of `decimals` digits plus one rounding, of float32 for at
 * most 10 digits, else of float64. Fewer than 2 decimals are taken to be exact.
 */
export function errorOf(decimals: number): number {
  if (decimals < 2) return float64Rounding;
  return 0.5 / (powersOfTen[decimals] ?? 1e17) + (decimals <= 10 ? float32Rounding : float64Rounding);
}

const float32Rounding = 5.960464477539063e-8;
const float64Rounding = 1.1102230246251565e-16;
