import { allocate, type Tensor } from '../math';
import { formula, part } from './formula';
import { elements, need, rank, shapeAt, tuple, type CodeLine, type Operation, type Shape } from './operation';

/**
 * One more column behind the scores: a number for each head (second operand, 1×heads), or 0 where there is none. Softmax gives it a share that no value
 * takes (gpt-oss's sinks; Miller 2023).
 */
export interface AppendSink {
  readonly op: 'appendSink';
}

function shapeOf(_: AppendSink, operands: readonly Shape[]): Shape {
  const shape = shapeAt(operands, 0);
  return [...shape.slice(0, -1), (shape.at(-1) ?? 0) + 1];
}

// a: …×n×m, sinks: 1×heads, out: …×n×(m + 1)
function kernel(a: Tensor, sinks: Tensor | undefined, out: Tensor): Tensor {
  const [n, m] = [a.shape.at(-2) ?? 1, a.shape.at(-1) ?? 0];
  const heads = sinks?.data.length ?? 1;
  for (let i = 0; i < out.data.length; i++) {
    const [row, column] = [Math.floor(i / (m + 1)), i % (m + 1)];
    const head = Math.floor(row / n) % heads;
    out.data[i] = column < m ? (a.data[row * m + column] as number) : (sinks?.data[head] ?? 0);
  }
  return out;
}

/** The head of a cell; 0 where all share one sink. */
const headOf = (lead: Shape, heads: number): number => (heads > 1 ? (lead.at(-1) ?? 0) : 0);

function code(line: CodeLine, join: string, axis: string, column: (scores: string, sinks: string | undefined, lead: string) => string): string {
  const [scores = '', sinks] = line.operands;
  const heads = line.shapes[1]?.[1] ?? 1;
  const shaped = sinks && rank(line.shape) > 2 ? `${sinks}.reshape(${heads}, 1, 1)` : sinks;
  return `${join}([${scores}, ${column(scores, shaped, tuple([...line.shape.slice(0, -1), 1]))}], ${axis}=-1)`;
} // prettier-ignore

export const appendSink: Operation<AppendSink, 'reference'> = {
  shape: shapeOf,
  work: elements,
  kernel: (_, [a, sinks], shape, dtype) => kernel(need(a), sinks, allocate(dtype, shape)),
  gpu: 'reference',
  part: (_, part) => {
    const [, m] = part.sizesOf(0);
    const [from, to] = part.at.columns;
    const operand = part.operand(0, { rows: part.at.rows, columns: [Math.min(from, m), Math.min(to, m)] });
    if (to <= m) return operand;
    const head = headOf(part.lead, part.count > 1 ? part.sizesOf(1)[1] : 1);
    const sinks = part.count > 1 ? [part.operand(1, { rows: [0, 1], columns: [head, head + 1] }, [])] : [];
    return part.run([operand, ...sinks]);
  },
  made: (_, cell, { count, operandShape, read }) => {
    const column = cell.index.at(-1) ?? 0;
    if (column < (operandShape(0).at(-1) ?? 0)) return { ...cell, kind: 'unchanged', operand: read(0, cell.index) };
    if (count < 2) return { ...cell, kind: 'given', path: 'sink' };
    return { ...cell, kind: 'moved', operand: read(1, [0, headOf(cell.index.slice(0, -2), operandShape(1)[1] ?? 1)]) };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: (_, result, [a, sinks]) => formula`${result} = \left[${part(a)},\; ${sinks ? part(sinks) : '0'}\right]`,
  step: 'by role',
  numpy: (_, line) =>
    code(line, 'np.concatenate', 'axis', (_scores, sinks, lead) =>
      sinks ? `np.broadcast_to(${sinks}, (${lead}))` : `np.zeros((${lead}), dtype=dtype)`,
    ),
  torch: (_, line) =>
    code(line, 'torch.cat', 'dim', (scores, sinks, lead) => (sinks ? `${sinks}.expand(${lead})` : `${scores}.new_zeros(${lead})`)),
}; // prettier-ignore
