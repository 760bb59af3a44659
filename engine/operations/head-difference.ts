import { allocate, type Tensor } from '../math';
import { say } from '../text';
import type { CellExplanation, CellValue, Work } from './explanation';
import { cell, formula, latexShort, part, type Symbol } from './formula';
import type { Part } from './part';
import {
  first,
  need,
  numpyScalar,
  rounding,
  second,
  shapeAt,
  torchScalar,
  type Cells,
  type CodeLine,
  type Operation,
  type Shape,
} from './operation';

/**
 * …×2h×n×m → …×h×n×m: of each two heads beside one another the first minus λ times the second (Ye et al. 2024, eq. 1). λ is `by`, or a second operand, 1×1.
 */
export interface HeadDifference {
  readonly op: 'headDifference';
  readonly by?: number;
}

function shapeOf(_: HeadDifference, operands: readonly Shape[]): Shape {
  const shape = shapeAt(operands, 0);
  return [...shape.slice(0, -3), (shape.at(-3) ?? 2) / 2, ...shape.slice(-2)];
}

// a: …×2h×n×m, factor: 1×1, out: …×h×n×m; the product rounded, then the difference
function subtract({ by = 0 }: HeadDifference, a: Tensor, factor: Tensor | undefined, out: Tensor): Tensor {
  const round = rounding(a);
  const times = factor ? (factor.data[0] as number) : round(by);
  const size = (a.shape.at(-2) ?? 1) * (a.shape.at(-1) ?? 1);
  for (let i = 0; i < out.data.length; i++) {
    const at = 2 * (i - (i % size)) + (i % size);
    out.data[i] = (a.data[at] as number) - round(times * (a.data[at + size] as number));
  }
  return out;
}

/** The same rectangle of both heads. */
function partOf(_: HeadDifference, wanted: Part): Tensor {
  const { rows, columns } = wanted.at;
  const size = (rows[1] - rows[0]) * (columns[1] - columns[0]);
  const [lead, head] = [wanted.lead.slice(0, -1), wanted.lead.at(-1) ?? 0];
  const both = allocate(wanted.dtype, [2, rows[1] - rows[0], columns[1] - columns[0]]);
  for (const half of [0, 1])
    both.data.set(wanted.operand(0, wanted.at, [...lead, 2 * head + half]).data, half * size);
  const one = { rows: [0, 1], columns: [0, 1] } as const;
  return wanted.run(wanted.count > 1 ? [both, wanted.operand(1, one, [])] : [both]);
} // prettier-ignore

function made({ by = 0 }: HeadDifference, of: CellValue, cells: Cells): CellExplanation {
  const [lead, head, own] = [of.index.slice(0, -3), of.index.at(-3) ?? 0, of.index.slice(-2)];
  const [operand, other] = [0, 1].map((half) => cells.read(0, [...lead, 2 * head + half, ...own])) as [CellValue, CellValue];
  const factor: Work = cells.count > 1 ? { is: 'cell', cell: cells.read(1, [0, 0]) } : { is: 'number', value: cells.round(by) };
  const times = factor.is === 'cell' ? factor.cell.value : cells.round(by);
  const taken: Work = { is: 'product', of: [factor, { is: 'cell', cell: other }] };
  return {
    ...of,
    kind: 'worked',
    operand,
    note: say('Of equal weights 1 − λ is left; what the second head alone sees becomes negative.'),
    lines: [
      { name: say('λ times the second'), value: cells.round(times * other.value), work: taken },
      { value: of.value, work: { is: 'difference', of: { is: 'cell', cell: operand }, less: { is: 'line', at: 0 } } },
    ],
  };
} // prettier-ignore

const ofHead = (of: Symbol, head: string): Symbol => ({ ...of, latex: `{${of.latex}}^{(${head})}` });

const code =
  (scalar: (x: number) => string) =>
  ({ by }: HeadDifference, line: CodeLine): string => {
    const half = (from: number): string => `${first(line)}[..., ${from}::2, :, :]`;
    return `${half(0)} - ${by === undefined ? second(line) : scalar(by)} * ${half(1)}`;
  };

export const headDifference: Operation<HeadDifference, 'reference'> = {
  shape: shapeOf,
  work: (_, __, result) => result.reduce((product, size) => product * size, 2),
  kernel: (call, [a, factor], shape, dtype) => subtract(call, need(a), factor, allocate(dtype, shape)),
  gpu: 'reference',
  part: partOf,
  made,
  nextCell: 'mixed',
  picture: 'result',
  formula: ({ by }, result, [a, factor]) => {
    const [one, other] = ['2h', '2h+1'].map((head) => cell(ofHead(part(a), head), 'i', 'j')) as [ReturnType<typeof cell>, ReturnType<typeof cell>];
    return formula`${cell(ofHead(result, 'h'), 'i', 'j')} = ${one} - ${factor ?? latexShort(by ?? 0)} \, ${other}`;
  },
  step: 'by role',
  numpy: code(numpyScalar),
  torch: code(torchScalar),
}; // prettier-ignore
