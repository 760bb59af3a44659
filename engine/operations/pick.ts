import { heldWhole } from './part';
import { allocate, type Tensor } from '../math';
import { formula, part } from './formula';
import { elements, first, need, tuple, type CodeLine, type Operation, type Shape } from './operation';
import { indexAt } from './rearrange';

/** The operand's cells at other places: `places` says of each cell of the result which of the operand's it is, in row-major order. */
export interface Pick {
  readonly op: 'pick';
  readonly shape: Shape;
  readonly places: readonly number[];
}

function kernel({ places }: Pick, a: Tensor, out: Tensor): Tensor {
  for (let i = 0; i < out.data.length; i++) out.data[i] = a.data[places[i] as number] as number;
  return out;
}

const code = ({ shape, places }: Pick, line: CodeLine): string =>
  `${first(line)}.reshape(-1)[[${places.join(', ')}]].reshape(${tuple(shape)})`;

export const pick: Operation<Pick, 'reference'> = {
  shape: ({ shape }) => shape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: heldWhole,
  made: ({ shape, places }, cell, cells) => {
    const at = cell.index.reduce((sum, i, d) => sum * (shape[d] as number) + i, 0);
    return { ...cell, kind: 'moved', operand: cells.read(0, indexAt(cells.operandShape(0), places[at] as number)) };
  },
  nextCell: 'mixed',
  picture: 'result',
  formula: (_, result, [a]) => formula`${result} = ${part(a)}_{\text{rearranged}}`,
  step: 'by role',
  numpy: code,
  torch: code,
};
