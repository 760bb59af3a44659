import { allocate, type Tensor } from '../../math/tensor';
import { heightOf, widthOf, type Rectangle } from '../../math/rectangle';
import { cellsOf } from '../trace';

export { heightOf, widthOf, type Rectangle } from '../../math/rectangle';

/** A rectangle of a held tensor's matrix that serves `lead`, as a matrix of its own; whole rows are not copied. */
export function cut(tensor: Tensor, lead: readonly number[], at: Rectangle): Tensor {
  const [height, width] = [heightOf(at), widthOf(at)];
  const { start, stride } = cellsOf(tensor, lead, at.rows[0], at.columns[0]);
  if (stride === width)
    return { dtype: tensor.dtype, shape: [height, width], data: tensor.data.subarray(start, start + height * width) };
  const out = allocate(tensor.dtype, [height, width]);
  if (width < narrow) copyNarrow(tensor.data, start, stride, width, out.data);
  else
    for (let y = 0; y < height; y++)
      out.data.set(tensor.data.subarray(start + y * stride, start + y * stride + width), y * width);
  return out;
}

/** Columns below which a view of each row costs more than copying its cells. */
const narrow = 16;

function copyNarrow(from: Tensor['data'], start: number, stride: number, width: number, to: Tensor['data']): void {
  for (let i = 0, row = start; i < to.length; row += stride)
    for (let x = 0; x < width; x++, i++) to[i] = from[row + x] as number;
}
