import type { CellExplanation, CellValue } from './explanation';
import { emptyAs, paste, allocate, type Tensor } from '../math';
import { t, count, named, say, size } from '../text';
import { called, formula, part } from './formula';
import {
  elements,
  first,
  need,
  shapeAt,
  tuple,
  type Cells,
  type CodeLine,
  type Operation,
  type Shape,
} from './operation';
import type { Part } from './part';
import { branchName, words, type BranchStep } from './step';

/* The same numbers at other places: heads cut, joined and shared. */

/** …×n×(h·d) → …×h×n×d: columns cut into heads. */
export interface SplitHeads {
  readonly op: 'splitHeads';
  readonly heads: number;
}

/** …×h×n×d → …×n×(h·d): heads side by side. */
export interface ConcatHeads {
  readonly op: 'concatHeads';
}

/** …×g×n×d → …×(g·times)×n×d, each head repeated in place (torch.repeat_interleave). */
export interface RepeatHeads {
  readonly op: 'repeatHeads';
  readonly times: number;
}

const moved = (cell: CellValue, cells: Cells, from: Shape): CellExplanation => ({
  ...cell,
  kind: 'moved',
  operand: cells.read(0, from),
});

/** Where element i of …×h×n×d stands in …×n×(h·d). */
function joined(i: number, h: number, n: number, d: number): number {
  const column = i % d;
  const row = Math.floor(i / d) % n;
  const head = Math.floor(i / (d * n)) % h;
  const batch = Math.floor(i / (d * n * h));
  return ((batch * n + row) * h + head) * d + column;
}

// a: …×n×(h·d), out: …×h×n×d
function cut({ heads }: SplitHeads, a: Tensor, out: Tensor): Tensor {
  const [n, d] = [out.shape.at(-2) ?? 0, out.shape.at(-1) ?? 0];
  for (let i = 0; i < out.data.length; i++) out.data[i] = a.data[joined(i, heads, n, d)] as number;
  return out;
}

// a: …×h×n×d, out: …×n×(h·d)
function join(a: Tensor, out: Tensor): Tensor {
  const [h, n, d] = [a.shape.at(-3) ?? 1, a.shape.at(-2) ?? 0, a.shape.at(-1) ?? 0];
  for (let i = 0; i < a.data.length; i++) out.data[joined(i, h, n, d)] = a.data[i] as number;
  return out;
}

// a: …×g×n×d, out: …×(g·times)×n×d
function repeat({ times }: RepeatHeads, a: Tensor, out: Tensor): Tensor {
  const size = (a.shape.at(-2) ?? 0) * (a.shape.at(-1) ?? 0);
  for (let head = 0; head * size < out.data.length; head++) {
    const from = Math.floor(head / times) * size;
    out.data.set(a.data.subarray(from, from + size), head * size);
  }
  return out;
}

/** Each head gives the columns of the rectangle that are its own. */
function besideEachOther(part: Part): Tensor {
  const { at, lead } = part;
  const width = part.sizesOf(0)[1];
  const out = emptyAs(part.dtype, at);
  for (let start = at.columns[0]; start < at.columns[1]; start = nextHead(start, width)) {
    const head = Math.floor(start / width);
    const columns = [start - head * width, Math.min(at.columns[1] - head * width, width)] as const;
    paste(out, part.operand(0, { rows: at.rows, columns }, [...lead, head]), start - at.columns[0]);
  }
  return out;
}

const nextHead = (column: number, width: number): number => (Math.floor(column / width) + 1) * width;

/** …×n×h×d, before the heads are moved in front of the rows. */
function splitShape(shape: Shape): string {
  const [h = 1, n = 1, d = 1] = shape.slice(-3);
  return tuple([...shape.slice(0, -3), n, h, d]);
}

/** `exchange` is the method that exchanges two dimensions. */
const splitCode =
  (exchange: string) =>
  (_: SplitHeads, line: CodeLine): string =>
    `${first(line)}.reshape(${splitShape(line.shape)}).${exchange}(-3, -2)`;
const concatCode =
  (exchange: string) =>
  (_: ConcatHeads, line: CodeLine): string =>
    `${first(line)}.${exchange}(-3, -2).reshape(${tuple(line.shape)})`;

const inHeads: BranchStep<SplitHeads> = {
  suffix: 'Heads',
  mark: () => t('heads'),
  words: (_, { shape }, branch) => {
    const [heads, , width] = shape.slice(-3);
    return words(
      say('{0} in heads', named(branchName(branch))),
      say('which [columns|rows] belong to which head?'),
      say('The [columns|rows] are cut into {0} of {1} each.', count(heads ?? 1, 'head'), size(width ?? 0)),
      say('Each head compares tokens in its own few dimensions and can look for something else.'),
      say('No number changes; only the grouping does.'),
    );
  },
  beside: {},
};

const sharedHeads: BranchStep<RepeatHeads> = {
  suffix: 'Shared',
  mark: () => t('shared'),
  words: ({ times: queries }, _, branch) => {
    const times = count(queries, 'query head');
    const isKey = branch === 'k';
    return words(
      isKey ? say('Shared key heads') : say('Shared value heads'),
      isKey ? say('which query heads share a key head?') : say('which query heads share a value head?'),
      isKey ? say('Each key head serves {0}.', times) : say('Each value head serves {0}.', times),
      say('Grouped-query attention keeps fewer keys and values in memory while it writes.'),
      say('The repeated heads hold the same numbers.'),
    );
  },
  beside: {},
};

export const splitHeads: Operation<SplitHeads, 'kernel'> = {
  shape: ({ heads }, operands) => {
    const shape = shapeAt(operands, 0);
    return [...shape.slice(0, -2), heads, shape.at(-2) ?? 0, (shape.at(-1) ?? 0) / heads];
  },
  work: elements,
  kernel: (call, [a], shape, dtype) => cut(call, need(a), allocate(dtype, shape)),
  gpu: 'kernel',
  part: (_, part) => {
    const first = (part.lead.at(-1) ?? 0) * (part.shape.at(-1) ?? 0);
    const columns = [first + part.at.columns[0], first + part.at.columns[1]] as const;
    return part.operand(0, { rows: part.at.rows, columns }, part.lead.slice(0, -1));
  },
  made: (_, cell, cells) => {
    const [head = 0, row = 0, column = 0] = cell.index.slice(-3);
    const width = cells.shape.at(-1) ?? 0;
    return moved(cell, cells, [...cell.index.slice(0, -3), row, head * width + column]);
  },
  nextCell: (_, index, __, to) => {
    const [row = 0, column = 0] = index.slice(-2);
    const width = to.at(-1) ?? 1;
    return [...index.slice(0, -2), Math.floor(column / width), row, column % width];
  },
  picture: 'result',
  formula: called('splitHeads'),
  step: inHeads,
  numpy: splitCode('swapaxes'),
  torch: splitCode('transpose'),
};

export const concatHeads: Operation<ConcatHeads, 'kernel'> = {
  shape: (_, operands) => {
    const shape = shapeAt(operands, 0);
    return [...shape.slice(0, -3), shape.at(-2) ?? 0, (shape.at(-3) ?? 1) * (shape.at(-1) ?? 0)];
  },
  work: elements,
  kernel: (_, [a], shape, dtype) => join(need(a), allocate(dtype, shape)),
  gpu: 'kernel',
  part: (_, part) => besideEachOther(part),
  made: (_, cell, cells) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    const width = cells.operandShape(0).at(-1) ?? 1;
    return moved(cell, cells, [...cell.index.slice(0, -2), Math.floor(column / width), row, column % width]);
  },
  nextCell: (_, index, from) => {
    const [lead, row = 0, column = 0] = [index.slice(0, -2), index.at(-2), index.at(-1)];
    const width = from.at(-1) ?? 1;
    return [...lead.slice(0, -1), row, (lead.at(-1) ?? 0) * width + column];
  },
  picture: 'result',
  formula: (_, result, [a]) => formula`${result} = \operatorname{Concat}(${part(a)})`,
  step: 'by role',
  numpy: concatCode('swapaxes'),
  torch: concatCode('transpose'),
};

export const repeatHeads: Operation<RepeatHeads, 'kernel'> = {
  shape: ({ times }, operands) => {
    const shape = shapeAt(operands, 0);
    return [...shape.slice(0, -3), (shape.at(-3) ?? 1) * times, ...shape.slice(-2)];
  },
  work: elements,
  kernel: (call, [a], shape, dtype) => repeat(call, need(a), allocate(dtype, shape)),
  gpu: 'kernel',
  part: ({ times }, part) => {
    const head = Math.floor((part.lead.at(-1) ?? 0) / times);
    return part.operand(0, part.at, [...part.lead.slice(0, -1), head]);
  },
  made: ({ times }, cell, cells) => {
    const [head = 0, row = 0, column = 0] = cell.index.slice(-3);
    return moved(cell, cells, [...cell.index.slice(0, -3), Math.floor(head / times), row, column]);
  },
  nextCell: ({ times }, index) => {
    const lead = index.slice(0, -2);
    return [...lead.slice(0, -1), (lead.at(-1) ?? 0) * times, ...index.slice(-2)];
  },
  picture: 'result',
  formula: called('repeatHeads'),
  step: sharedHeads,
  numpy: ({ times }, line) => `np.repeat(${first(line)}, ${times}, axis=-3)`,
  torch: ({ times }, line) => `${first(line)}.repeat_interleave(${times}, dim=-3)`,
};
