import { exp, allocate, type Tensor } from '../math';
import { exp as exponent, formula, part } from './formula';
import { elements, first, firstShape, need, rounding, type Operation } from './operation';

/** e to the power of each cell. */
export interface Exponential {
  readonly op: 'exponential';
}

function kernel(a: Tensor, out: Tensor): Tensor {
  const round = rounding(a);
  for (let i = 0; i < out.data.length; i++) out.data[i] = round(exp(a.data[i] as number));
  return out;
}

export const exponential: Operation<Exponential, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: (_, [a], shape, dtype) => kernel(need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: 'cell by cell',
  made: (_, cell, cells) => ({ ...cell, kind: 'applied', function: 'exp', operands: [cells.read(0, cell.index)] }),
  nextCell: 'same place',
  picture: 'result',
  formula: (_, result, [a]) => formula`${result} = ${exponent(part(a))}`,
  step: 'by role',
  numpy: (_, line) => `np.exp(${first(line)})`,
  torch: (_, line) => `torch.exp(${first(line)})`,
};
