import { allocate, type Tensor } from '../math';
import { say, t } from '../text';
import { mostTerms, type CellValue, type Work, type WorkLine } from './explanation';
import { formula, part } from './formula';
import {
  elements,
  first,
  firstShape,
  need,
  numpyScalar,
  rounding,
  servedShape,
  torchScalar,
  type Cells,
  type CodeLine,
  type Operation,
} from './operation';

/**
 * (x − mean) / √(variance + ε) of its row, times a gain and plus a bias for each column where there are gains (Ba et al. 2016, eq. 4). The variance
 * is divided by d, as in nn.LayerNorm. Operands: values …×n×d, and perhaps gains 1×d, then perhaps biases 1×d.
 */
export interface LayerNorm {
  readonly op: 'layerNorm';
  readonly epsilon: number;
}

interface Row {
  readonly mean: number;
  readonly variance: number;
  readonly root: number;
}

/** Sums in index order, each operation rounded. */
function rowOf(row: (j: number) => number, d: number, epsilon: number, round: (x: number) => number): Row {
  let [sum, squares] = [0, 0];
  for (let j = 0; j < d; j++) sum = round(sum + row(j));
  const mean = round(sum / d);
  for (let j = 0; j < d; j++) {
    const apart = round(row(j) - mean);
    squares = round(squares + round(apart * apart));
  }
  const variance = round(squares / d);
  return { mean, variance, root: round(Math.sqrt(round(variance + round(epsilon)))) };
}

// a, out: …×n×d; gains, biases: 1×d
function kernel({ epsilon }: LayerNorm, [a, gains, biases]: readonly Tensor[], out: Tensor): Tensor {
  const values = need(a);
  const d = values.shape.at(-1) ?? 0;
  const round = rounding(values);
  for (let start = 0; start < values.data.length; start += d) {
    const { mean, root } = rowOf((j) => values.data[start + j] as number, d, epsilon, round);
    for (let j = 0; j < d; j++) {
      const normed = round(round((values.data[start + j] as number) - mean) / root);
      const scaled = gains ? round(normed * (gains.data[j] as number)) : normed;
      out.data[start + j] = biases ? scaled + (biases.data[j] as number) : scaled;
    }
  }
  return out;
}

const cellWork = (cell: CellValue): Work => ({ is: 'cell', cell });
const line = (at: number): Work => ({ is: 'line', at });

/** The sum of a row's terms over d; of a very long row the first terms and what the others add. */
function meanWork(row: readonly CellValue[], term: (of: CellValue) => Work, value: (x: number) => number): Work {
  const left = row.slice(mostTerms);
  const rest = { count: left.length, sum: left.reduce((sum, one) => sum + value(one.value), 0) };
  const sum: Work = { is: 'sum', of: row.slice(0, mostTerms).map(term), ...(left.length && { rest }) };
  return { is: 'quotient', of: sum, by: { is: 'whole', value: row.length } };
}

/** The row's mean, its variance and root, and the cell by them, its gain and its bias. */
function linesOf({ epsilon }: LayerNorm, cell: CellValue, cells: Cells, operand: CellValue): readonly WorkLine[] {
  const [d, round] = [cells.shape.at(-1) ?? 0, cells.round];
  const row = Array.from({ length: d }, (_, j) => cells.read(0, [...cell.index.slice(0, -1), j]));
  const { mean, variance, root } = rowOf((j) => row[j]?.value ?? NaN, d, epsilon, round);
  const apart = (of: CellValue): Work => ({ is: 'difference', of: cellWork(of), less: line(0) });
  const normed: Work = { is: 'quotient', of: apart(operand), by: line(2) };
  const scaled: Work =
    cells.count > 1 ? { is: 'product', of: [normed, cellWork(cells.served(1, cell.index))] } : normed;
  const moved: Work = cells.count > 2 ? { is: 'sum', of: [scaled, cellWork(cells.served(2, cell.index))] } : scaled;
  const under: Work = { is: 'sum', of: [line(1), { is: 'number', value: round(epsilon) }] };
  const squares = meanWork(
    row,
    (of) => ({ is: 'square', of: apart(of) }),
    (x) => (x - mean) * (x - mean),
  );
  return [
    { name: say('mean'), value: mean, work: meanWork(row, cellWork, (x) => x) },
    { name: say('variance'), value: variance, work: squares },
    { name: say('root'), value: root, work: { is: 'root', of: under } },
    { value: cell.value, work: moved },
  ];
}

const shifted = (line: CodeLine, normed: string): string =>
  [normed, ...line.operands.slice(1, 2)].join(' * ') +
  line.operands
    .slice(2)
    .map((b) => ` + ${b}`)
    .join('');

function numpy({ epsilon }: LayerNorm, line: CodeLine): string {
  const x = first(line);
  const mean = `${x}.mean(axis=-1, keepdims=True)`;
  const under = `np.sqrt(${x}.var(axis=-1, keepdims=True) + ${numpyScalar(epsilon)})`;
  return shifted(line, `(${x} - ${mean}) / ${under}`);
}

function torch({ epsilon }: LayerNorm, line: CodeLine): string {
  const x = first(line);
  const under = `torch.sqrt(${x}.var(dim=-1, unbiased=False, keepdim=True) + ${torchScalar(epsilon)})`;
  return shifted(line, `(${x} - ${x}.mean(dim=-1, keepdim=True)) / ${under}`);
}

export const layerNorm: Operation<LayerNorm, 'reference'> = {
  shape: (call, operands) =>
    operands.slice(1).reduce((shape, beside) => servedShape(call, [shape, beside]), firstShape(call, operands)),
  work: elements,
  kernel: (call, operands, shape, dtype) => kernel(call, operands, allocate(dtype, shape)),
  gpu: 'reference',
  part: 'row by row',
  made: (call, cell, cells) => {
    const operand = cells.read(0, cell.index);
    const note = say('A number added to the whole [row|column] changes nothing: the mean takes it away again.');
    return { ...cell, kind: 'worked', operand, lines: linesOf(call, cell, cells, operand), note };
  },
  nextCell: 'same place',
  picture: { sign: () => t('layer norm →'), colours: 'both' },
  // ε by its letter: the words say it, and a narrow panel has no room for both.
  formula: (_, result, [a, gains, biases]) => {
    const x = part(a);
    const normed = formula`${result} = \frac{${x} - \operatorname{mean}(${x})}{\sqrt{\operatorname{var}(${x}) + \varepsilon}}`;
    const scaled = gains ? formula`${normed} \odot ${gains}` : normed;
    return biases ? formula`${scaled} + ${biases}` : scaled;
  },
  step: 'by role',
  numpy,
  torch,
};
