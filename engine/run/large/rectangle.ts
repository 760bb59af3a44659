import { allocate, type Tensor, heightOf, widthOf, type Rectangle } from '../../math';
import { cellsOf } from '../trace';

export { heightOf, widthOf, type Rectangle } from '../../math';

/** A rectangle of the matrix of a held tensor at a leading index (broadcast), height×width. Whole rows are not copied. */
export function sliceRectangle(tensor: Tensor, leading: readonly number[], at: Rectangle): Tensor {
  const [height, width] = [heightOf(at), widthOf(at)];
  const { start, stride } = cellsOf(tensor, leading, at.rows[0], at.columns[0]);
  if (stride === width)
    return { dtype: tensor.dtype, shape: [height, width], data: tensor.data.subarray(start, start + height * width) };
  const out = allocate(tensor.dtype, [height, width]);
  if (width < narrowRow) copyNarrow(tensor.data, start, stride, width, out.data);
  else
    for (let y = 0; y < height; y++)
      out.data.set(tensor.data.subarray(start + y * stride, start + y * stride + width), y * width);
  return out;
}

/** Rows narrower than this are copied cell by cell: creating a view of a row would cost more. */
const narrowRow = 16;

function copyNarrow(from: Tensor['data'], start: number, stride: number, width: number, to: Tensor['data']): void {
  for (let i = 0, row = start; i < to.length; row += stride)
    for (let x = 0; x < width; x++, i++) to[i] = from[row + x] as number;
}
