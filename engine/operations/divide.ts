import { allocate, type Tensor } from '../math';
import { formula, latexNumber, part } from './formula';
import {
  elements,
  first,
  firstShape,
  need,
  numpyScalar,
  rounding,
  torchScalar,
  type CodeLine,
  type Operation,
} from './operation';

/** Every value divided by one number. */
export interface Divide {
  readonly op: 'divide';
  readonly by: number;
}

const quotient =
  (number: (by: number) => string) =>
  ({ by }: Divide, line: CodeLine): string =>
    `${first(line)} / ${number(by)}`;

function kernel(call: Divide, a: Tensor, out: Tensor): Tensor {
  const by = rounding(a)(call.by);
  for (let i = 0; i < out.data.length; i++) out.data[i] = (a.data[i] as number) / by;
  return out;
}

export const divide: Operation<Divide, 'kernel'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'kernel',
  part: 'cell by cell',
  made: ({ by }, cell, cells) => ({
    ...cell,
    kind: 'quotient',
    operand: cells.read(0, cell.index),
    by: cells.round(by),
  }),
  nextCell: 'same place',
  picture: {
    sign: ({ by }, number) => `÷ ${number(by)} →`,
    colours: 'both',
  },
  formula: ({ by }, result, [a]) => formula`${result} = ${part(a)} \,/\, ${latexNumber(by)}`,
  step: 'by role',
  numpy: quotient(numpyScalar),
  torch: quotient(torchScalar),
};
