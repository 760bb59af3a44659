import { allocate, type Tensor } from '../math';
import { t, count, named, number, say, joined, type Place, type Sentence, type SymbolMark } from '../text';
import { mostTerms, type CellValue, type Work, type WorkLine } from './explanation';
import { formula, isReal, part, symbol } from './formula';
import {
  elements,
  first,
  firstShape,
  need,
  numpyScalar,
  rounding,
  second,
  servedShape,
  torchScalar,
  type Cells,
  type CodeLine,
  type Operation,
  type Shape,
} from './operation';
import { branchName, words, type Branch, type BranchStep } from './step';

/**
 * x / √(mean of its row's squares + ε), times a gain for each column where there are gains (Zhang and Sennrich 2019, eq. 4). Operands: values …×n×d,
 * and perhaps gains 1×d.
 */
export interface RmsNorm {
  readonly op: 'rmsNorm';
  readonly epsilon: number;
}

/** A row's mean of squares, and the root of it and ε: summed in index order, each operation rounded. */
function rowOf(row: (j: number) => number, d: number, epsilon: number, round: (x: number) => number): Row {
  let sum = 0;
  for (let j = 0; j < d; j++) sum = round(sum + round(row(j) * row(j)));
  const mean = round(sum / d);
  return { mean, root: round(Math.sqrt(round(mean + round(epsilon)))) };
}

interface Row {
  readonly mean: number;
  readonly root: number;
}

// a, out: …×n×d; gains: 1×d
function kernel({ epsilon }: RmsNorm, a: Tensor, gains: Tensor | undefined, out: Tensor): Tensor {
  const d = a.shape.at(-1) ?? 0;
  const round = rounding(a);
  for (let start = 0; start < a.data.length; start += d) {
    const { root } = rowOf((j) => a.data[start + j] as number, d, epsilon, round);
    for (let j = 0; j < d; j++) {
      const normed = round((a.data[start + j] as number) / root);
      out.data[start + j] = gains ? normed * (gains.data[j] as number) : normed;
    }
  }
  return out;
}

/** The mean of the row's squares, the root, and the cell by it and its gain. */
function linesOf({ epsilon }: RmsNorm, cell: CellValue, cells: Cells, operand: CellValue): readonly WorkLine[] {
  const [d, round] = [cells.shape.at(-1) ?? 0, cells.round];
  const row = Array.from({ length: d }, (_, j) => cells.read(0, [...cell.index.slice(0, -1), j]));
  const { mean, root } = rowOf((j) => row[j]?.value ?? NaN, d, epsilon, round);
  const squares = row.slice(0, mostTerms).map((of): Work => ({ is: 'square', of: { is: 'cell', cell: of } }));
  const left = row.slice(mostTerms);
  const rest = { count: left.length, sum: left.reduce((sum, { value }) => sum + value * value, 0) };
  const sum: Work = { is: 'sum', of: squares, ...(left.length && { rest }) };
  const normed: Work = { is: 'quotient', of: { is: 'cell', cell: operand }, by: { is: 'line', at: 1 } };
  const gain: Work[] = cells.count > 1 ? [{ is: 'cell', cell: cells.served(1, cell.index) }] : [];
  const under: Work = {
    is: 'sum',
    of: [
      { is: 'line', at: 0 },
      { is: 'number', value: round(epsilon) },
    ],
  };
  return [
    { name: say('mean of squares'), value: mean, work: { is: 'quotient', of: sum, by: { is: 'whole', value: d } } },
    { name: say('root'), value: root, work: { is: 'root', of: under } },
    { value: cell.value, work: gain.length ? { is: 'product', of: [normed, ...gain] } : normed },
  ];
}

/** `module` has sqrt and mean; `over` says which axis. */
const code =
  (module: string, over: string, scalar: (x: number) => string) =>
  ({ epsilon }: RmsNorm, line: CodeLine): string => {
    const x = first(line);
    const normed = `${x} / ${module}.sqrt(${module}.mean(${x} * ${x}, ${over}) + ${scalar(epsilon)})`;
    return line.operands.length > 1 ? `${normed} * ${second(line)}` : normed;
  };

const gainSymbol = (branch: Branch): SymbolMark => ({
  kind: 'symbol', name: `g_${branch}`, role: 'parameter', steps: [`${branch}Gains`], transposed: false,
}); // prettier-ignore

function rmsNormSentence({ epsilon }: RmsNorm, shape: Shape, row: Place, gains: SymbolMark | undefined): Sentence {
  const divided = say(
    '[Row|Column] {0}: its {1} are divided by the root of the mean of their squares plus ε = {2}.',
    row,
    count(shape.at(-1) ?? 0, 'number'),
    number(epsilon),
  );
  return gains ? joined(divided, say('Each is then multiplied by its gain in {0}.', gains)) : divided;
}

const normedBranch: BranchStep<RmsNorm> = {
  suffix: 'Normed',
  mark: () => t('normed'),
  words: (call, { operands, shape }, branch, row) =>
    words(
      say('{0} normed', named(branchName(branch))),
      say('how large may a [row|column] be?'),
      rmsNormSentence(call, shape, row, operands.length > 1 ? gainSymbol(branch) : undefined),
      say('No score grows large by the length of a query or a key alone: large models train more steadily so.'),
      operands.length > 1
        ? say('Before its gains each [row|column] has a mean of squares of 1, less what ε takes.')
        : say('Each [row|column] has a mean of squares of 1, less what ε takes.'),
    ),
  beside: {
    Gains: {
      symbol: (branch) => ({ symbol: symbol('parameter', `g_${branch}`), unicode: `g_${branch}` }),
      formula: isReal,
      words: ({ shape }, branch) =>
        words(
          say('Gains {0}', gainSymbol(branch)),
          say('what is each [column|row] multiplied by?'),
          say('{0}, as given.', count(shape.at(-1) ?? 0, 'number')),
          say('A norm makes all [rows|columns] of one size; gains say which of their numbers count more.'),
          say('One [row|column] serves all tokens.'),
        ),
    },
  },
};

export const rmsNorm: Operation<RmsNorm, 'reference'> = {
  shape: (call, operands) => (operands.length > 1 ? servedShape(call, operands) : firstShape(call, operands)),
  work: elements,
  kernel: (call, [a, gains], shape, dtype) => kernel(call, need(a), gains, allocate(dtype, shape)),
  gpu: 'reference',
  part: 'row by row',
  made: (call, cell, cells) => {
    const operand = cells.read(0, cell.index);
    const note = say('A [row|column] and its double come out the same, but for ε: only directions and gains are left.');
    return { ...cell, kind: 'worked', operand, lines: linesOf(call, cell, cells, operand), note };
  },
  nextCell: 'same place',
  picture: { sign: () => t('RMS norm →'), colours: 'both' },
  // ε by its letter: the words say it, and a narrow panel has no room for both.
  formula: (_, result, [a, gains]) => {
    const normed = formula`${result} = \frac{${part(a)}}{\sqrt{\operatorname{mean}(${part(a)}^2) + \varepsilon}}`;
    return gains ? formula`${normed} \odot ${gains}` : normed;
  },
  step: normedBranch,
  numpy: code('np', 'axis=-1, keepdims=True', numpyScalar),
  torch: code('torch', 'dim=-1, keepdim=True', torchScalar),
};
