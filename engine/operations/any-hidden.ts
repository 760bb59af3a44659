import { allocate, type Tensor } from '../math';
import { cell, formula } from './formula';
import { elements, need, shapeAt, type CodeLine, type Operation, type Shape } from './operation';

/** 1 where any of the masks is 1. The first has all dimensions; the others have them or the last of them, and serve every leading one. */
export interface AnyHidden {
  readonly op: 'anyHidden';
}

function shapeOf(_: AnyHidden, operands: readonly Shape[]): Shape {
  const shape = shapeAt(operands, 0);
  for (const own of operands)
    if (own.length > shape.length || own.some((size, i) => size !== shape[shape.length - own.length + i]))
      throw new Error(`masks of ${shape.join('×')} and ${own.join('×')}`);
  return shape;
}

function kernel(masks: readonly Tensor[], out: Tensor): Tensor {
  for (let i = 0; i < out.data.length; i++) out.data[i] = masks.some(({ data }) => data[i % data.length] === 1) ? 1 : 0;
  return out;
}

const code = (_: AnyHidden, { operands }: CodeLine): string => operands.join(' | ');

export const anyHidden: Operation<AnyHidden, 'reference'> = {
  shape: shapeOf,
  work: elements,
  kernel: (_, masks, shape, dtype) => kernel(masks.map(need), allocate(dtype, shape)),
  gpu: 'reference',
  part: (_, part) => part.run(Array.from({ length: part.count }, (_, i) => part.operand(i))),
  made: (_, of, cells) => ({
    ...of,
    kind: 'reduced',
    function: 'max',
    terms: Array.from({ length: cells.count }, (_, i) => cells.served(i, of.index)),
  }),
  nextCell: 'same place',
  picture: 'result',
  formula: (_, result, masks) => {
    const [a, b, c, d] = masks.map((one) => cell(one, 'i', 'j'));
    const start = formula`${cell(result, 'i', 'j')} = ${a ?? ''} \lor ${b ?? ''}`;
    const third = c ? formula`${start} \lor ${c}` : start;
    return d ? formula`${third} \lor ${d}` : third;
  },
  step: 'by role',
  numpy: code,
  torch: code,
};
