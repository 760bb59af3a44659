import { allocate, type Tensor } from '../math';
import { say } from '../text';
import { mostTerms, type CellExplanation, type CellValue, type Work } from './explanation';
import { called } from './formula';
import type { Part } from './part';
import { elements, first, firstShape, need, rounding, type Cells, type CodeLine, type Operation } from './operation';

/**
 * …×h×n×d with other numbers in some heads: those of another head, or in each row the mean of the head's rows. `heads` says for each what stands there; its own
 * number leaves it as it is. The mean takes away what a head says in a row and leaves what it says on average (Wang et al. 2022, section 2.1).
 */
export interface ReplaceHeads {
  readonly op: 'replaceHeads';
  readonly heads: readonly (number | 'mean')[];
}

// a, out: …×h×n×d
function replace({ heads }: ReplaceHeads, a: Tensor, out: Tensor, round: (x: number) => number): Tensor {
  const [n, d] = [out.shape.at(-2) ?? 0, out.shape.at(-1) ?? 0];
  for (let at = 0; at < out.data.length; at += n * d) {
    const head = (at / (n * d)) % heads.length;
    const of = heads[head] ?? head;
    if (of === 'mean') fillWithMeans(a, out, { at, n, d }, round);
    else out.data.set(a.data.subarray(at + (of - head) * n * d, at + (of - head + 1) * n * d), at);
  }
  return out;
}

interface Block {
  readonly at: number;
  readonly n: number;
  readonly d: number;
}

/** Rows summed from the first on, then divided by their number. */
function fillWithMeans(a: Tensor, out: Tensor, { at, n, d }: Block, round: (x: number) => number): void {
  for (let column = 0; column < d; column++) {
    let sum = 0;
    for (let row = 0; row < n; row++) sum = round(sum + (a.data[at + row * d + column] as number));
    const mean = round(sum / n);
    for (let row = 0; row < n; row++) out.data[at + row * d + column] = mean;
  }
}

function made({ heads }: ReplaceHeads, cell: CellValue, cells: Cells): CellExplanation {
  const [head = 0, row = 0, column = 0] = cell.index.slice(-3);
  const lead = cell.index.slice(0, -3);
  const of = heads[head] ?? head;
  if (of !== 'mean') return { ...cell, kind: 'moved', operand: cells.read(0, [...lead, of, row, column]) };
  const rows = cells.operandShape(0).at(-2) ?? 1;
  const operands = Array.from({ length: rows }, (_, i) => cells.read(0, [...lead, head, i, column]));
  const sum = operands.reduce((total, { value }) => cells.round(total + value), 0);
  const left = operands.slice(mostTerms);
  const rest = { count: left.length, sum: left.reduce((total, { value }) => total + value, 0) };
  const terms = operands.slice(0, mostTerms).map((one): Work => ({ is: 'cell', cell: one }));
  return {
    ...cell,
    kind: 'worked',
    operand: cells.read(0, cell.index),
    note: say('Removed: this column’s mean over all [rows|columns] stands in each.'),
    lines: [
      { name: say('sum'), value: sum, work: { is: 'sum', of: terms, ...(left.length && { rest }) } },
      { value: cell.value, work: { is: 'quotient', of: { is: 'line', at: 0 }, by: { is: 'whole', value: rows } } },
    ],
  };
}

function partOf({ heads }: ReplaceHeads, part: Part): Tensor {
  const head = part.lead.at(-1) ?? 0;
  const of = heads[head] ?? head;
  if (of !== 'mean') return part.operand(0, part.at, [...part.lead.slice(0, -1), of]);
  const [n] = part.sizesOf(0);
  const whole = part.operand(0, { ...part.at, rows: [0, n] });
  const [top, bottom] = part.at.rows;
  const d = whole.shape.at(-1) ?? 0;
  const means = allocate(whole.dtype, whole.shape);
  fillWithMeans(whole, means, { at: 0, n, d }, rounding(whole));
  const out = allocate(whole.dtype, [bottom - top, d]);
  out.data.set(means.data.subarray(0, (bottom - top) * d));
  return out;
}

/** The heads are taken in their new order; then rows of those that are removed become their mean. */
const code =
  (module: 'np' | 'torch') =>
  ({ heads }: ReplaceHeads, line: CodeLine): string => {
    const taken = heads.map((of, head) => (of === 'mean' ? head : of));
    const removed = heads.flatMap((of, head) => (of === 'mean' ? [head] : []));
    const from = `${first(line)}[..., [${taken.join(', ')}], :, :]`;
    if (!removed.length) return from;
    const at = `${line.name}[..., [${removed.join(', ')}], :, :]`;
    const mean = module === 'np' ? `${at}.mean(axis=-2, keepdims=True)` : `${at}.mean(dim=-2, keepdim=True)`;
    return `${line.name} = ${from}\n${at} = ${mean}`;
  };

export const replaceHeads: Operation<ReplaceHeads, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype) => replace(call, need(a), allocate(dtype, shape), rounding(need(a))),
  gpu: 'reference',
  part: partOf,
  made,
  nextCell: 'mixed',
  picture: 'result',
  formula: called('replaceHeads'),
  step: 'by role',
  numpy: code('np'),
  torch: code('torch'),
};
