import { allocate, type Tensor } from '../math/tensor';
import { elements, fillOf, first, need, second, servedShape, type Operation } from './operation';

/** Values where the mask (second operand) is 0, `fill` where it is 1. */
export interface Masking {
  readonly op: 'mask';
  readonly fill: number;
}

// a mask of one matrix serves every head and batch
function kernel(call: Masking, a: Tensor, hidden: Tensor, out: Tensor): Tensor {
  const n = hidden.data.length;
  for (let i = 0; i < out.data.length; i++) out.data[i] = hidden.data[i % n] === 1 ? call.fill : (a.data[i] as number);
  return out;
}

export const mask: Operation<Masking> = {
  shape: servedShape,
  work: elements,
  kernel: (call, [a, hidden], shape, dtype) => kernel(call, need(a), need(hidden), allocate(dtype, shape)),
  made: ({ fill }, cell, cells) => ({
    ...cell,
    kind: 'masked',
    operand: cells.read(0, cell.index),
    mask: cells.served(1, cell.index),
    fill: cells.round(fill),
  }),
  onward: 'same place',
  numpy: ({ fill }, line) => `np.where(${second(line)}, dtype(${fillOf(fill, 'np.inf')}), ${first(line)})`,
  torch: ({ fill }, line) => `${first(line)}.masked_fill(${second(line)}, ${fillOf(fill, 'math.inf')})`,
};
