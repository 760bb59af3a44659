import { allocate, type DType, type Tensor } from './tensor';

/** Half-open ranges of rows and columns of a matrix. */
export interface Rectangle {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

export const heightOf = ({ rows }: Rectangle): number => rows[1] - rows[0];
export const widthOf = ({ columns }: Rectangle): number => columns[1] - columns[0];

/** Zeros, as many as a rectangle has cells. */
export const emptyAs = (dtype: DType, at: Rectangle): Tensor => allocate(dtype, [heightOf(at), widthOf(at)]);

/** Copies a matrix into another with as many rows, from a column on. */
export function paste(out: Tensor, part: Tensor, column: number): void {
  const [height = 0, width = 0] = part.shape;
  const stride = out.shape.at(-1) ?? 0;
  for (let y = 0; y < height; y++) out.data.set(part.data.subarray(y * width, (y + 1) * width), y * stride + column);
}
