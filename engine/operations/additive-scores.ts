import { allocate, tanh, type Tensor } from '../math';
import { say } from '../text';
import { mostTerms, type CellExplanation, type CellValue, type Work } from './explanation';
import { cell, formula, part } from './formula';
import { rowsOf, type Part } from './part';
import {
  inHalf,
  need,
  rank,
  rounding,
  shapeAt,
  type Cells,
  type CodeLine,
  type Operation,
  type Round,
  type Shape,
} from './operation';

/**
 * v·tanh(q + k) for each query and key: the alignment model of Bahdanau et al. 2015 (section A.1.2), d2l's AdditiveAttention. Operands: queries …×n×d and
 * keys …×m×d, both projected, then v, a row of d numbers for each head.
 */
export interface AdditiveScores {
  readonly op: 'additiveScores';
}

function shapeOf(_: AdditiveScores, operands: readonly Shape[]): Shape {
  const [q, k] = [shapeAt(operands, 0), shapeAt(operands, 1)];
  return [...q.slice(0, -1), k.at(-2) ?? 1];
}

// q: …×n×d, k: …×m×d, v: heads×d, out: …×n×m; each operation rounded, terms in index order. `half`: sum and tanh are operations before the product with v.
function kernel(q: Tensor, k: Tensor, v: Tensor, out: Tensor, half: Round | undefined): Tensor {
  const round = rounding(q);
  const before = half ?? round;
  const [n, m, d] = [q.shape.at(-2) ?? 1, k.shape.at(-2) ?? 1, q.shape.at(-1) ?? 0];
  const [heads, keyGroups] = [v.shape.at(-2) ?? 1, k.data.length / (m * d)];
  for (let i = 0; i < out.data.length; i++) {
    const row = Math.floor(i / m);
    const group = Math.floor(row / n);
    const [query, key] = [row * d, ((group % keyGroups) * m + (i % m)) * d];
    const own = (group % heads) * d;
    let sum = 0;
    for (let c = 0; c < d; c++) {
      const met = before(tanh(before((q.data[query + c] as number) + (k.data[key + c] as number))));
      sum = round(sum + round((v.data[own + c] as number) * met));
    }
    out.data[i] = sum;
  }
  return out;
}

/** The row of v that serves a head. */
const headOf = (lead: Shape, heads: number): number => (heads > 1 ? (lead.at(-1) ?? 0) : 0);

function partOf(_: AdditiveScores, part: Part): Tensor {
  const head = headOf(part.lead, part.sizesOf(2)[0]);
  const v = part.operand(2, { rows: [head, head + 1], columns: [0, part.sizesOf(2)[1]] }, []);
  return part.run([rowsOf(part, 0), rowsOf(part, 1, part.at.columns), v]);
}

function made(_: AdditiveScores, of: CellValue, cells: Cells): CellExplanation {
  const lead = of.index.slice(0, -2);
  const [i = 0, j = 0] = of.index.slice(-2);
  const [d, heads] = [cells.operandShape(0).at(-1) ?? 0, cells.operandShape(2)[0] ?? 1];
  const terms = Array.from({ length: d }, (__, c) => ({
    query: cells.read(0, [...lead, i, c]),
    key: cells.read(1, [...lead, j, c]),
    by: cells.read(2, [headOf(lead, heads), c]),
  }));
  const before = cells.half ?? cells.round;
  const left = terms
    .slice(mostTerms)
    .map(({ query, key, by }) => by.value * before(tanh(before(query.value + key.value))));
  const rest = { count: left.length, sum: left.reduce((all, one) => all + one, 0) };
  const shown = terms.slice(0, mostTerms).map(({ query, key, by }): Work => {
    const sum: Work = { is: 'sum', of: [{ is: 'cell', cell: query }, { is: 'cell', cell: key }] }; // prettier-ignore
    return { is: 'product', of: [{ is: 'cell', cell: by }, { is: 'tanh', of: sum }] }; // prettier-ignore
  });
  const work: Work = { is: 'sum', of: shown, ...(left.length && { rest }) };
  const note = say('Each tanh lies between −1 and 1: no score passes the sum of |v|.');
  return { ...of, kind: 'worked', operand: cells.read(0, [...lead, i, 0]), lines: [{ value: of.value, work }], note };
}

const code =
  (tanhOf: string, axis: string) =>
  (_: AdditiveScores, line: CodeLine): string => {
    const [q = '', k = '', v = ''] = line.operands;
    const met = inHalf(line, `${tanhOf}(${inHalf(line, `${q}[..., :, None, :] + ${k}[..., None, :, :]`)})`);
    return rank(line.shape) > 2 && (line.shapes[2]?.[0] ?? 1) > 1
      ? `(${met} * ${v}[:, None, None, :]).sum(${axis}=-1)`
      : `${met} @ ${v}[0]`;
  };

export const additiveScores: Operation<AdditiveScores, 'reference'> = {
  shape: shapeOf,
  work: (_, operands, result) => result.reduce((all, size) => all * size, shapeAt(operands, 0).at(-1) ?? 0),
  kernel: (_, [q, k, v], shape, dtype, half) => kernel(need(q), need(k), need(v), allocate(dtype, shape), half),
  gpu: 'reference',
  part: partOf,
  made,
  nextCell: 'mixed',
  picture: 'result',
  formula: (_, result, [q, k, v]) =>
    formula`${cell(result, 'i', 'j')} = {${part(v)}}^{\top} \tanh({${part(q)}}_{i} + {${part(k)}}_{j})`,
  step: 'by role',
  numpy: code('np.tanh', 'axis'),
  torch: code('torch.tanh', 'dim'),
};
