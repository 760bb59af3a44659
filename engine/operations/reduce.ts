import { heldWhole } from './part';
import { allocate, sizeOf, type Tensor } from '../math';
import { formula, part } from './formula';
import { first, need, rounding, shapeAt, type CodeLine, type Operation, type Shape } from './operation';

/** The sum (in index order) or the largest of each row, of each column, or of a whole matrix; the axes that are gone through become 1. */
export interface Reduce {
  readonly op: 'reduce';
  readonly of: 'sum' | 'max';
  readonly over: 'row' | 'column' | 'matrix';
}

function shapeOf({ over }: Reduce, operands: readonly Shape[]): Shape {
  const shape = shapeAt(operands, 0);
  const [n = 1, m = 1] = shape.slice(-2);
  return [...shape.slice(0, -2), over === 'row' ? n : 1, over === 'column' ? m : 1];
}

/** The places of the operand's cells that make the result's cell i. */
function placesOf({ over }: Reduce, shape: Shape, i: number): readonly number[] {
  const [n = 1, m = 1] = shape.slice(-2);
  const count = over === 'row' ? m : over === 'column' ? n : n * m;
  const start = over === 'column' ? Math.floor(i / m) * n * m + (i % m) : i * count;
  const step = over === 'column' ? m : 1;
  return Array.from({ length: count }, (_, k) => start + k * step);
}

function kernel(call: Reduce, a: Tensor, out: Tensor): Tensor {
  const round = rounding(a);
  for (let i = 0; i < out.data.length; i++) {
    const cells = placesOf(call, a.shape, i).map((place) => a.data[place] as number);
    out.data[i] = call.of === 'sum' ? cells.reduce((sum, x) => round(sum + x), 0) : largest(cells);
  }
  return out;
}

const largest = (cells: readonly number[]): number =>
  cells.reduce((most, x) => (x > most || Number.isNaN(x) ? x : most), -Infinity);

const axis = ({ over }: Reduce): string => (over === 'row' ? '-1' : over === 'column' ? '-2' : '(-2, -1)');

const torch = (call: Reduce, line: CodeLine): string =>
  `${first(line)}.${call.of === 'sum' ? 'sum' : 'amax'}(dim=${axis(call)}, keepdim=True)`;

export const reduce: Operation<Reduce, 'reference'> = {
  shape: shapeOf,
  work: (_, operands) => sizeOf(shapeAt(operands, 0)),
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: heldWhole,
  made: ({ of, over }, cell, cells) => {
    const [n = 1, m = 1] = cells.operandShape(0).slice(-2);
    const [lead, row = 0, column = 0] = [cell.index.slice(0, -2), ...cell.index.slice(-2)];
    const rows = over === 'row' ? [row] : Array.from({ length: n }, (_, i) => i);
    const columns = over === 'column' ? [column] : Array.from({ length: m }, (_, j) => j);
    const terms = rows.flatMap((i) => columns.map((j) => cells.read(0, [...lead, i, j])));
    return { ...cell, kind: 'reduced', function: of, terms };
  },
  nextCell: 'mixed',
  picture: 'result',
  formula: ({ of }, result, [a]) =>
    of === 'sum' ? formula`${result} = \textstyle\sum ${part(a)}` : formula`${result} = \max ${part(a)}`,
  step: 'by role',
  numpy: (call, line) => `${first(line)}.${call.of}(axis=${axis(call)}, keepdims=True)`,
  torch,
};
