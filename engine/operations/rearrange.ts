import { heldWhole } from './part';
import { allocate, sizeOf, type Tensor } from '../math';
import { formula, part } from './formula';
import { elements, first, need, tuple, type CodeLine, type Operation, type Shape } from './operation';

/**
 * The operand's cells at other places, as a view by strides has them: the cell at `index` is that at offset + Σ index·stride of the operand in
 * row-major order. Slices, transposition, cut and joined heads and repetition (stride 0) are such.
 */
export interface Rearrange {
  readonly op: 'rearrange';
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Whether every place lies in the operand. */
export function isInside({ shape, strides, offset }: Rearrange, from: Shape): boolean {
  const reach = (sign: 1 | -1): number =>
    shape.reduce((sum, size, i) => sum + Math.max(0, sign * (size - 1) * (strides[i] ?? 0)), 0);
  return offset - reach(-1) >= 0 && offset + reach(1) < sizeOf(from);
}

/** Whether a view of the whole operand is its transpose: rows and columns exchanged, in row-major order on both sides. */
export function exchangesLastAxes({ shape, strides, offset }: Omit<Rearrange, 'op'>): boolean {
  const [rows = 1, columns = 1] = shape.slice(-2);
  const expected = [1, rows];
  for (let d = shape.length - 3, stride = rows * columns; d >= 0; d--) {
    expected.unshift(stride);
    stride *= shape[d] as number;
  }
  return offset === 0 && shape.length > 1 && expected.every((stride, d) => shape[d] === 1 || stride === strides[d]);
}

// a: any shape, out: call.shape
function kernel({ shape, strides, offset }: Rearrange, a: Tensor, out: Tensor): Tensor {
  for (let i = 0; i < out.data.length; i++) {
    let [rest, at] = [i, offset];
    for (let d = shape.length - 1; d >= 0; d--) {
      const size = shape[d] as number;
      at += (rest % size) * (strides[d] as number);
      rest = Math.floor(rest / size);
    }
    out.data[i] = a.data[at] as number;
  }
  return out;
}

/** The index of a cell by its place in row-major order. */
export function indexAt(shape: Shape, place: number): number[] {
  const index = new Array<number>(shape.length).fill(0);
  let rest = place;
  for (let d = shape.length - 1; d >= 0; d--) {
    index[d] = rest % (shape[d] as number);
    rest = Math.floor(rest / (shape[d] as number));
  }
  return index;
}

function numpy({ shape, strides, offset }: Rearrange, line: CodeLine): string {
  const flat = `np.ascontiguousarray(${first(line)}).reshape(-1)[${offset}:]`;
  const bytes = strides.map((stride) => `${stride} * dtype().itemsize`).join(', ');
  return `np.lib.stride_tricks.as_strided(${flat}, (${tuple(shape)}), (${bytes}))`;
}

const torch = ({ shape, strides, offset }: Rearrange, line: CodeLine): string =>
  `${first(line)}.contiguous().as_strided((${tuple(shape)}), (${tuple(strides)}), ${offset})`;

export const rearrange: Operation<Rearrange, 'reference'> = {
  shape: (call) => call.shape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: heldWhole,
  made: ({ strides, offset }, cell, cells) => {
    const place = cell.index.reduce((sum, i, d) => sum + i * (strides[d] as number), offset);
    return { ...cell, kind: 'moved', operand: cells.read(0, indexAt(cells.operandShape(0), place)) };
  },
  nextCell: 'mixed',
  picture: 'result',
  formula: (_, result, [a]) => formula`${result} = ${part(a)}_{\text{rearranged}}`,
  step: 'by role',
  numpy,
  torch,
};
