import { allocate, sizeOf, type Tensor } from '../math';
import { say } from '../text';
import { mostTerms, type CellExplanation, type CellValue, type Work } from './explanation';
import { cell, formula, part, type Symbol } from './formula';
import type { Part } from './part';
import { first, need, rounding, shapeAt, type Cells, type CodeLine, type Operation, type Shape } from './operation';

/**
 * …×h×n×m → …×n×m: the mean of the heads, cell by cell, summed from head 0 on, then divided by h. nn.MultiheadAttention returns its weights so
 * (`average_attn_weights=True`, its default).
 */
export interface AverageHeads {
  readonly op: 'averageHeads';
  readonly heads: number;
}

function shapeOf(_: AverageHeads, operands: readonly Shape[]): Shape {
  const shape = shapeAt(operands, 0);
  return [...shape.slice(0, -3), ...shape.slice(-2)];
}

// a: …×h×n×m, out: …×n×m
function average({ heads }: AverageHeads, a: Tensor, out: Tensor): Tensor {
  const round = rounding(a);
  const size = (a.shape.at(-2) ?? 1) * (a.shape.at(-1) ?? 1);
  for (let i = 0; i < out.data.length; i++) {
    const start = Math.floor(i / size) * heads * size + (i % size);
    let sum = 0;
    for (let head = 0; head < heads; head++) sum = round(sum + (a.data[start + head * size] as number));
    out.data[i] = sum / heads;
  }
  return out;
}

/** The same rectangle of every head, head after head. */
function partOf({ heads }: AverageHeads, part: Part): Tensor {
  const { rows, columns } = part.at;
  const [height, width] = [rows[1] - rows[0], columns[1] - columns[0]];
  const all = allocate(part.dtype, [heads, height, width]);
  for (let head = 0; head < heads; head++)
    all.data.set(part.operand(0, part.at, [...part.lead, head]).data, head * height * width);
  return part.run([all]);
}

function made({ heads }: AverageHeads, of: CellValue, cells: Cells): CellExplanation {
  const [lead, own] = [of.index.slice(0, -2), of.index.slice(-2)];
  const operands = Array.from({ length: heads }, (_, head) => cells.read(0, [...lead, head, ...own]));
  const sum = operands.reduce((total, { value }) => cells.round(total + value), 0);
  const left = operands.slice(mostTerms);
  const rest = { count: left.length, sum: left.reduce((total, { value }) => total + value, 0) };
  const terms = operands.slice(0, mostTerms).map((one): Work => ({ is: 'cell', cell: one }));
  return {
    ...of,
    kind: 'worked',
    operand: cells.read(0, [...lead, 0, ...own]),
    note: say('The mean of the heads hides which of them looks where.'),
    lines: [
      { name: say('sum over the heads'), value: sum, work: { is: 'sum', of: terms, ...(left.length && { rest }) } },
      { value: of.value, work: { is: 'quotient', of: { is: 'line', at: 0 }, by: { is: 'whole', value: heads } } },
    ],
  };
}

const ofHead = (of: Symbol): Symbol => ({ ...of, latex: `${of.latex}^{(h)}` });

const code =
  (axis: 'axis' | 'dim') =>
  (_: AverageHeads, line: CodeLine): string =>
    `${first(line)}.mean(${axis}=-3)`;

export const averageHeads: Operation<AverageHeads, 'reference'> = {
  shape: shapeOf,
  work: (_, operands) => sizeOf(shapeAt(operands, 0)),
  kernel: (call, [a], shape, dtype) => average(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: partOf,
  made,
  nextCell: 'mixed',
  picture: 'result',
  formula: ({ heads }, result, [a]) =>
    formula`${cell(result, 'i', 'j')} = \frac{1}{${heads}} \sum_h ${cell(ofHead(part(a)), 'i', 'j')}`,
  step: 'by role',
  numpy: code('axis'),
  torch: code('dim'),
};
