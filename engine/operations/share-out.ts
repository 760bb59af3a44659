import { allocate, type Tensor } from '../math';
import { say } from '../text';
import { mostTerms, type CellValue, type Work, type WorkLine } from './explanation';
import { cell, formula, fraction, part } from './formula';
import { elements, first, firstShape, need, rounding, type Cells, type Operation } from './operation';

/** Each cell by the sum of its row: the weights of linear attention (Katharopoulos et al. 2020, eq. 4). A row of zeros gives NaN, or 0 on `emptyRow: 'zero'`. */
export interface ShareOut {
  readonly op: 'shareOut';
  readonly emptyRow: 'nan' | 'zero';
}

// pass 1: the row's sum, in index order; pass 2: divide
function kernel({ emptyRow }: ShareOut, a: Tensor, out: Tensor): Tensor {
  const m = a.shape.at(-1) ?? 0;
  const round = rounding(a);
  for (let start = 0; start < a.data.length; start += m) {
    let sum = 0;
    for (let j = 0; j < m; j++) sum = round(sum + (a.data[start + j] as number));
    const empty = sum === 0 && emptyRow === 'zero';
    for (let j = 0; j < m; j++) out.data[start + j] = empty ? 0 : (a.data[start + j] as number) / sum;
  }
  return out;
}

/** The row's sum, and the cell by it. */
function linesOf({ emptyRow }: ShareOut, of: CellValue, cells: Cells, operand: CellValue): readonly WorkLine[] {
  const m = cells.shape.at(-1) ?? 0;
  const row = Array.from({ length: m }, (_, j) => cells.read(0, [...of.index.slice(0, -1), j]));
  const sum = row.reduce((all, { value }) => cells.round(all + value), 0);
  const left = row.slice(mostTerms);
  const rest = { count: left.length, sum: left.reduce((all, { value }) => all + value, 0) };
  const terms = row.slice(0, mostTerms).map((one): Work => ({ is: 'cell', cell: one }));
  const own: Work = { is: 'cell', cell: operand };
  const share: Work =
    sum === 0 && emptyRow === 'zero'
      ? { is: 'sum', of: [own] }
      : { is: 'quotient', of: own, by: { is: 'line', at: 0 } };
  return [
    { name: say('sum of the row'), value: sum, work: { is: 'sum', of: terms, ...(left.length && { rest }) } },
    { value: of.value, work: share },
  ];
}

export const shareOut: Operation<ShareOut, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: 'row by row',
  made: (call, of, cells) => {
    const operand = cells.read(0, of.index);
    const note = say('A [row|column] and its double come out the same: only shares are left.');
    return { ...of, kind: 'worked', operand, lines: linesOf(call, of, cells, operand), note };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: (_, result, [a]) =>
    formula`${cell(result, 'i', 'j')} = ${fraction(cell(part(a), 'i', 'j'), formula`\sum_l ${cell(part(a), 'i', 'l')}`)}`,
  step: 'by role',
  numpy: ({ emptyRow }, line) => {
    const x = first(line);
    return [
      `with np.errstate(invalid="ignore"):  # a row of zeros gives NaN`,
      `    ${line.name} = ${x} / ${x}.sum(axis=-1, keepdims=True)`,
      ...(emptyRow === 'zero'
        ? [`${line.name} = np.where(${x}.sum(axis=-1, keepdims=True) == 0, dtype(0), ${line.name})`]
        : []),
    ].join('\n');
  },
  torch: ({ emptyRow }, line) => {
    const x = first(line);
    const shares = `${line.name} = ${x} / ${x}.sum(dim=-1, keepdim=True)`;
    return emptyRow === 'zero'
      ? `${shares}\n${line.name} = ${line.name}.masked_fill(${x}.sum(dim=-1, keepdim=True) == 0, 0)`
      : shares;
  },
};
