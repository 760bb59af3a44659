/** A matrix small enough for a thumbnail: each value is the largest of its block by magnitude, NaN where the block has one. */
export interface Picture {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** Most rows or columns. */
const most = 64;

/** Pools a matrix, row-major, into a picture. */
export function pictureOf(matrix: ArrayLike<number>, height: number, width: number): Picture {
  const block = Math.ceil(Math.max(height, width, 1) / most);
  const [rows, columns] = [Math.ceil(height / block), Math.ceil(width / block)];
  const values = new Float32Array(rows * columns);
  for (let i = 0; i < height; i++) {
    const row = Math.floor(i / block) * columns;
    for (let j = 0; j < width; j++) {
      const at = row + Math.floor(j / block);
      const value = matrix[i * width + j] as number;
      // False also where either is NaN: a NaN that comes is taken, one that is there stays.
      if (!(Math.abs(value) <= Math.abs(values[at] as number)) && values[at] === values[at]) values[at] = value;
    }
  }
  return { rows, columns, values };
}
