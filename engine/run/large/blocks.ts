import { isSource, type CallOf, type Kernels, type OperationName, type SourceCall } from '../../plan/operations';
import type { Plan, Step } from '../../plan/plan';
import { alibiSlopes } from '../../math/positions';
import { allocate, type DType, type Tensor } from '../../math/tensor';
import { matrixOf } from '../tile';
import { servedLead } from '../trace';
import { seenKeys } from './pattern';
import { cut, heightOf, widthOf, type Rectangle } from './rectangle';

/** What a rectangle of a step is computed from. */
export interface Blocks {
  readonly plan: Plan;
  readonly dtype: DType;
  readonly held: ReadonlyMap<string, Tensor>;
  /** What computes: the fixed-order reference for digits. */
  readonly kernels: Kernels;
  /** A whole row of a step, 1×columns: kept for a while, since a softmax needs all of it for one cell. */
  readonly row: (step: Step, lead: readonly number[], row: number) => Tensor;
  /** A rectangle that is there already, or is got in a shorter way. */
  readonly known?: (step: Step, lead: readonly number[], at: Rectangle) => Tensor | undefined;
}

/**
 * A rectangle of the matrix of `step` at `lead` (its leading indices), as a matrix of its own. Cell for cell what the kernels give for
 * the whole step: sums have the same terms in the same order. Cost: its cells, times d for a product, and whole rows for a softmax.
 */
export function blockOf(blocks: Blocks, step: Step, lead: readonly number[], at: Rectangle): Tensor {
  const held = blocks.held.get(step.id);
  if (held) return cut(held, lead, at);
  const known = blocks.known?.(step, lead, at);
  if (known) return known;
  if (isSource(step.call)) return sourceBlock(blocks, step.call, step, lead, at);
  const compute = rules[step.call.op] as Rule<OperationName>;
  return compute(step.call as CallOf<OperationName>, { blocks, step, lead, at });
}

interface Wanted {
  readonly blocks: Blocks;
  readonly step: Step;
  readonly lead: readonly number[];
  readonly at: Rectangle;
}

type Rule<O extends OperationName> = (call: CallOf<O>, wanted: Wanted) => Tensor;

/** An operation that makes each cell from the cells in the same place; a second operand serves: a bias row every row, a mask every head. */
const cellByCell =
  <O extends OperationName>(op: O): Rule<O> =>
  (call, wanted) =>
    run(
      wanted,
      op,
      call,
      wanted.step.operands.map((_, i) => operand(wanted, i)),
    );

/** What a rectangle of each operation's result needs of its operands. */
const rules: { readonly [O in OperationName]: Rule<O> } = {
  divide: cellByCell('divide'),
  softcap: cellByCell('softcap'),
  identity: cellByCell('identity'),
  add: cellByCell('add'),
  mask: (call, wanted) => seenAlone(call, wanted) ?? cellByCell('mask')(call, wanted),
  // a: rows × all k; b: all k × columns, or columns × all k when transposed
  matmul: (call, wanted) => {
    const k = matrixOf(stepOf(wanted, 0).shape)[1];
    const b: Rectangle = call.transposeB
      ? { rows: wanted.at.columns, columns: [0, k] }
      : { rows: [0, k], columns: wanted.at.columns };
    const left = operand(wanted, 0, { rows: wanted.at.rows, columns: [0, k] });
    return run(wanted, 'matmul', call, [left, operand(wanted, 1, b)]);
  },
  softmax: (_, wanted) => fromRows(wanted),
  lookup: (call, wanted) => wholeRows(wanted, 'lookup', call, [wholeOf(wanted, 0), rowsOf(wanted, 1, wanted.at.rows)]),
  rope: (call, wanted) => {
    const [start, end] = wanted.at.rows;
    return wholeRows(wanted, 'rope', call, [rowsOf(wanted, 0, [start, end]), rowsOf(wanted, 1, [2 * start, 2 * end])]);
  },
  splitHeads: (_, wanted) => {
    const first = (wanted.lead.at(-1) ?? 0) * matrixOf(wanted.step.shape)[1];
    const columns = [first + wanted.at.columns[0], first + wanted.at.columns[1]] as const;
    return operand({ ...wanted, lead: wanted.lead.slice(0, -1) }, 0, { rows: wanted.at.rows, columns });
  },
  repeatHeads: ({ times }, wanted) => {
    const head = Math.floor((wanted.lead.at(-1) ?? 0) / times);
    return operand({ ...wanted, lead: [...wanted.lead.slice(0, -1), head] }, 0);
  },
  concatHeads: (_, wanted) => joined(wanted),
};

/**
 * Where a rule hides all beyond some columns of the rectangle, the operand is computed for those columns alone: of a causal row, for the keys up
 * to its own. Undefined where that spares nothing.
 */
function seenAlone(call: CallOf<'mask'>, wanted: Wanted): Tensor | undefined {
  const { blocks, at } = wanted;
  const rule = stepOf(wanted, 1).call;
  if (rule.op !== 'patternMask' || heightOf(at) === 0) return undefined;
  // Both bounds only grow from row to row.
  const low = Math.max(at.columns[0], seenKeys(rule, at.rows[0], at.columns[1])[0]);
  const high = Math.max(low, seenKeys(rule, at.rows[1] - 1, at.columns[1])[1]);
  if (high - low === widthOf(at)) return undefined;
  const out = allocate(blocks.dtype, [heightOf(at), widthOf(at)]);
  out.data.fill(fillOf(call, blocks));
  if (high === low) return out;
  const part = { ...wanted, at: { rows: at.rows, columns: [low, high] } } as const;
  paste(out, cellByCell('mask')(call, part), low - at.columns[0]);
  return out;
}

/** What a hidden cell becomes, as the kernels round it. */
function fillOf(call: CallOf<'mask'>, { kernels, dtype }: Blocks): number {
  const [cell, hidden] = [allocate(dtype, [1, 1]), allocate(dtype, [1, 1])];
  hidden.data[0] = 1;
  return kernels.mask(call, [cell, hidden], [1, 1], dtype).data[0] as number;
}

/** Calls a kernel on matrices. */
function run<O extends OperationName>(
  { blocks, at }: Wanted,
  op: O,
  call: CallOf<O>,
  operands: readonly Tensor[],
): Tensor {
  const kernel = blocks.kernels[op] as Kernels[O];
  return kernel(call, operands, [heightOf(at), widthOf(at)], blocks.dtype);
}

/** For operations that mix a row's columns: computes whole rows and cuts the wanted columns out. */
function wholeRows<O extends 'lookup' | 'rope'>(
  wanted: Wanted,
  op: O,
  call: CallOf<O>,
  operands: readonly Tensor[],
): Tensor {
  const { at, step } = wanted;
  const whole = { rows: at.rows, columns: [0, matrixOf(step.shape)[1]] } as const;
  const rows = run({ ...wanted, at: whole }, op, call, operands);
  return cut(rows, [], { rows: [0, heightOf(at)], columns: at.columns });
}

const rowsOf = (wanted: Wanted, i: number, rows: Rectangle['rows']): Tensor =>
  operand(wanted, i, { rows, columns: [0, matrixOf(stepOf(wanted, i).shape)[1]] });

const wholeOf = (wanted: Wanted, i: number): Tensor => rowsOf(wanted, i, [0, matrixOf(stepOf(wanted, i).shape)[0]]);

function stepOf({ blocks, step }: Wanted, i: number): Step {
  const found = blocks.plan.steps.find(({ id }) => id === step.operands[i]);
  if (!found) throw new Error(`step ${step.id} has no operand ${i}`);
  return found;
}

/** A rectangle of an operand, of the matrix that serves this one; of one row where one row serves every row (kernels repeat it). */
function operand(wanted: Wanted, i: number, at: Rectangle = wanted.at): Tensor {
  const step = stepOf(wanted, i);
  const rows = matrixOf(step.shape)[0] === 1 ? ([0, Math.min(1, heightOf(at))] as const) : at.rows;
  return blockOf(wanted.blocks, step, servedLead(step.shape, wanted.lead), { ...at, rows });
}

function fromRows({ blocks, step, lead, at }: Wanted): Tensor {
  const out = allocate(blocks.dtype, [heightOf(at), widthOf(at)]);
  for (let y = 0; y < heightOf(at); y++) {
    const { data } = blocks.row(step, lead, at.rows[0] + y);
    out.data.set(data.subarray(at.columns[0], at.columns[1]), y * widthOf(at));
  }
  return out;
}

/** Heads side by side: each gives the columns of the rectangle that are its own. */
function joined(wanted: Wanted): Tensor {
  const { blocks, lead, at } = wanted;
  const from = stepOf(wanted, 0);
  const width = matrixOf(from.shape)[1];
  const out = allocate(blocks.dtype, [heightOf(at), widthOf(at)]);
  for (let start = at.columns[0]; start < at.columns[1]; start = nextHead(start, width)) {
    const head = Math.floor(start / width);
    const columns = [start - head * width, Math.min(at.columns[1] - head * width, width)] as const;
    const part = blockOf(blocks, from, [...lead, head], { rows: at.rows, columns });
    paste(out, part, start - at.columns[0]);
  }
  return out;
}

const nextHead = (column: number, width: number): number => (Math.floor(column / width) + 1) * width;

function paste(out: Tensor, part: Tensor, column: number): void {
  const [[height, width], stride] = [matrixOf(part.shape), matrixOf(out.shape)[1]];
  for (let y = 0; y < height; y++) out.data.set(part.data.subarray(y * width, (y + 1) * width), y * stride + column);
}

function sourceBlock({ dtype }: Blocks, call: SourceCall, step: Step, lead: readonly number[], at: Rectangle): Tensor {
  const out = allocate(dtype, [heightOf(at), widthOf(at)]);
  const fill = rowFiller(call, step, lead, at);
  const width = widthOf(at);
  for (let y = 0; y < heightOf(at); y++) fill(out.data.subarray(y * width, (y + 1) * width), at.rows[0] + y);
  return out;
}

/** Fills a row's cells of a rectangle, by the rule of a source that has one. */
type FillRow = (cells: Tensor['data'], row: number) => void;

function rowFiller(call: SourceCall, { id, shape }: Step, lead: readonly number[], at: Rectangle): FillRow {
  const [column] = at.columns;
  if (call.op === 'patternMask') return (cells, row) => fillHidden(cells, call, row, column);
  if (call.op !== 'alibi') throw new Error(`step ${id} has no rule: it is held`);
  const slope = slopeOf(shape, lead);
  const [biases, last] = [biasesIn(slope, at), at.rows[1] - 1];
  return (cells, row) => cells.set(biases.subarray(last - row, last - row + cells.length));
}

/** The slope of the linear biases of shape …×n×m at `lead`. */
export const slopeOf = (shape: readonly number[], lead: readonly number[]): number =>
  alibiSlopes(shape.length > 2 ? (shape.at(-3) ?? 1) : 1)[lead.at(-1) ?? 0] ?? 0;

/** Linear biases from a rectangle's last row and first column to its first row and last column: every row is a part of them. */
function biasesIn(slope: number, { rows, columns }: Rectangle): Float64Array {
  const out = new Float64Array(Math.max(0, rows[1] - rows[0] + columns[1] - columns[0] - 1));
  const first = columns[0] - (rows[1] - 1);
  // Not −0, which a bias of nothing would be by the rule.
  for (let i = 0; i < out.length; i++) out[i] = i + first === 0 ? 0 : -slope * Math.abs(i + first);
  return out;
}

function fillHidden(cells: Tensor['data'], call: CallOf<'patternMask'>, row: number, column: number): void {
  const [low, high] = seenKeys(call, row, column + cells.length);
  cells.fill(1);
  cells.fill(0, Math.max(0, low - column), Math.max(0, high - column));
}
