import { allocate, type Tensor } from '../math';
import { formula, part } from './formula';
import { elements, first, need, second, servedShape, type CodeLine, type Operation } from './operation';

/** a + b; b has a's shape, or a's last dimensions and serves every leading one (a bias row 1×d serves every row). */
export interface Add {
  readonly op: 'add';
}

const sum = (_: Add, line: CodeLine): string => `${first(line)} + ${second(line)}`;

// b has a's shape, or its last dimensions (a row 1×d serves every row): repeated from its start
function kernel(a: Tensor, b: Tensor, out: Tensor): Tensor {
  const n = b.data.length;
  for (let i = 0; i < out.data.length; i++) out.data[i] = (a.data[i] as number) + (b.data[i % n] as number);
  return out;
}

export const add: Operation<Add, 'kernel'> = {
  shape: servedShape,
  work: elements,
  kernel: (_, [a, b], shape, dtype) => kernel(need(a), need(b), allocate(dtype, shape)),
  gpu: 'kernel',
  part: 'cell by cell',
  made: (_, cell, cells) => ({
    ...cell,
    kind: 'sum',
    left: cells.read(0, cell.index),
    right: cells.served(1, cell.index),
  }),
  nextCell: 'same place',
  picture: 'sum',
  formula: (_, result, [a, b]) => formula`${result} = ${part(a)} + ${part(b)}`,
  step: 'by role',
  numpy: sum,
  torch: sum,
};
