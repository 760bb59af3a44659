import { allocate, type Tensor } from '../math';
import { formula, latexNumber, part } from './formula';
import { elements, first, firstShape, need, numpyScalar, rounding, torchScalar, type Operation } from './operation';

/** a · by. */
export interface Scale {
  readonly op: 'scale';
  readonly by: number;
}

function kernel(a: Tensor, by: number, out: Tensor): Tensor {
  const round = rounding(a);
  for (let i = 0; i < out.data.length; i++) out.data[i] = round((a.data[i] as number) * by);
  return out;
}

export const scale: Operation<Scale, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: ({ by }, [a], shape, dtype) => kernel(need(a), by, allocate(dtype, shape)),
  gpu: 'reference',
  part: 'cell by cell',
  made: ({ by }, cell, cells) => ({
    ...cell,
    kind: 'applied',
    function: '×',
    operands: [cells.read(0, cell.index)],
    by,
  }),
  nextCell: 'same place',
  picture: 'result',
  formula: ({ by }, result, [a]) => formula`${result} = ${latexNumber(by)} \cdot ${part(a)}`,
  step: 'by role',
  numpy: ({ by }, line) => `${first(line)} * ${numpyScalar(by)}`,
  torch: ({ by }, line) => `${first(line)} * ${torchScalar(by)}`,
};
