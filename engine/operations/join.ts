import { heldWhole } from './part';
import { allocate, formatShape, type Tensor } from '../math';
import { formula, part, type Expression, type Symbol } from './formula';
import { elements, shapeAt, type CodeLine, type Operation, type Shape } from './operation';
import { indexAt } from './rearrange';

/** Tensors one after the other along one axis, counted from the end: 1 puts rows of one beside those of the next, 2 puts them below. */
export interface Join {
  readonly op: 'join';
  readonly axis: number;
}

function shapeOf({ axis }: Join, operands: readonly Shape[]): Shape {
  const first = shapeAt(operands, 0);
  const along = first.length - axis;
  const differs = (shape: Shape): boolean =>
    shape.length !== first.length || shape.some((size, d) => d !== along && size !== first[d]);
  const other = along < 0 ? first : operands.find(differs);
  if (other) throw new Error(`shapes differ: ${formatShape(first)} and ${formatShape(other)}`);
  return first.map((size, d) => (d === along ? operands.reduce((sum, shape) => sum + (shape[d] as number), 0) : size));
}

/** Which operand a cell of the result comes from, and its index there. */
function originOf({ axis }: Join, operands: readonly Shape[], index: Shape): { operand: number; index: Shape } {
  const along = index.length - axis;
  let [operand, at] = [0, index[along] as number];
  for (let size = operands[0]?.[along] ?? Infinity; at >= size; size = operands[operand]?.[along] ?? Infinity) {
    at -= size;
    operand++;
  }
  return { operand, index: index.map((i, d) => (d === along ? at : i)) };
}

function kernel(call: Join, operands: readonly Tensor[], out: Tensor): Tensor {
  const shapes = operands.map(({ shape }) => shape);
  for (let i = 0; i < out.data.length; i++) {
    const { operand, index } = originOf(call, shapes, indexAt(out.shape, i));
    const from = operands[operand] as Tensor;
    const place = index.reduce((sum, at, d) => sum * (from.shape[d] as number) + at, 0);
    out.data[i] = from.data[place] as number;
  }
  return out;
}

/** `[a; b; c]`. */
export function joined(result: Symbol, [first, ...others]: readonly Symbol[]): Expression {
  const inner = others.reduce<Expression>((text, other) => formula`${text};\, ${other}`, part(first));
  return formula`${result} = \left[${inner}\right]`;
}

const code =
  (call: string, keyword: string) =>
  ({ axis }: Join, { operands }: CodeLine): string =>
    `${call}([${operands.join(', ')}], ${keyword}=-${axis})`;

export const join: Operation<Join, 'reference'> = {
  shape: shapeOf,
  work: elements,
  kernel: (call, operands, shape, dtype) => kernel(call, operands, allocate(dtype, shape)),
  gpu: 'reference',
  part: heldWhole,
  made: (call, cell, cells) => {
    const shapes = Array.from({ length: cells.count }, (_, i) => cells.operandShape(i));
    const { operand, index } = originOf(call, shapes, cell.index);
    return { ...cell, kind: 'moved', operand: cells.read(operand, index) };
  },
  nextCell: 'mixed',
  picture: 'result',
  formula: (_, result, operands) => joined(result, operands),
  step: 'by role',
  numpy: code('np.concatenate', 'axis'),
  torch: code('torch.cat', 'dim'),
};
