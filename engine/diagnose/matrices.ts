/** A matrix as rows of equal length. */
export type Matrix = readonly (readonly number[])[];

export const at = (m: Matrix, row: number, column: number): number => m[row]?.[column] ?? NaN;

export const map = (m: Matrix, cell: (x: number, row: number, column: number) => number): Matrix =>
  m.map((cells, row) => cells.map((x, column) => cell(x, row, column)));

export const widthOf = (m: Matrix): number => m[0]?.length ?? 0;

export const transposed = (m: Matrix): Matrix =>
  Array.from({ length: widthOf(m) }, (_, column) => m.map((cells) => cells[column] ?? NaN));

/** a · bᵀ, summed in the order of the index, as the engine's reference does. */
export function timesTransposed(a: Matrix, b: Matrix): Matrix {
  return a.map((left) =>
    b.map((right) => {
      let sum = 0;
      for (let k = 0; k < left.length; k++) sum += (left[k] ?? NaN) * (right[k] ?? NaN);
      return sum;
    }),
  );
}

export const times = (a: Matrix, b: Matrix): Matrix => timesTransposed(a, transposed(b));

export const isSquare = (m: Matrix): boolean => m.length === widthOf(m);

export const sameShape = (a: Matrix, b: Matrix): boolean => a.length === b.length && widthOf(a) === widthOf(b);

/** Rows of a width from numbers in reading order. */
export const rowsOf = (numbers: ArrayLike<number>, width: number): Matrix =>
  Array.from({ length: numbers.length / width }, (_, row) =>
    Array.from({ length: width }, (_none, column) => numbers[row * width + column] ?? NaN),
  );
