import { rowsOf, type Part } from '../../operations/part';
import {
  isSource,
  operationOf,
  type CallOf,
  type Kernels,
  type OperationName,
  type SourceCall,
} from '../../plan/operations';
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
  const operation = operationOf(step.call);
  const part = partOf({ blocks, step, lead, at });
  if (typeof operation.part === 'function') return operation.part(step.call, part);
  const all = step.operands.map((_, i) => (operation.part === 'row by row' ? rowsOf(part, i) : part.operand(i)));
  return operation.part === 'row by row' ? part.runOnRows(all) : part.run(all);
}

interface Wanted {
  readonly blocks: Blocks;
  readonly step: Step;
  readonly lead: readonly number[];
  readonly at: Rectangle;
}

/** What a step's operation computes a rectangle from. */
const partOf = (wanted: Wanted): Part => ({
  at: wanted.at,
  lead: wanted.lead,
  dtype: wanted.blocks.dtype,
  shape: wanted.step.shape,
  sizesOf: (i) => matrixOf(operandOf(wanted, i).shape),
  operand: (i, at = wanted.at, lead = wanted.lead) => operandIn(wanted.blocks, operandOf(wanted, i), lead, at),
  run: (operands, at = wanted.at) => run(wanted, operands, at),
  runOnRows: (operands) => {
    const { at, step } = wanted;
    const whole = run(wanted, operands, { rows: at.rows, columns: [0, matrixOf(step.shape)[1]] });
    return cut(whole, [], { rows: [0, heightOf(at)], columns: at.columns });
  },
  fromRows: () => fromRows(wanted),
  seen: (i) => seenColumns(operandOf(wanted, i), wanted.at),
});

/** Calls the step's kernel on matrices. */
function run({ blocks, step }: Wanted, operands: readonly Tensor[], at: Rectangle): Tensor {
  const call = step.call as CallOf<OperationName>;
  const kernel = blocks.kernels[call.op] as Kernels[OperationName];
  return kernel(call as never, operands, [heightOf(at), widthOf(at)], blocks.dtype);
}

function operandOf({ blocks, step }: Wanted, i: number): Step {
  const found = blocks.plan.steps.find(({ id }) => id === step.operands[i]);
  if (!found) throw new Error(`step ${step.id} has no operand ${i}`);
  return found;
}

/** A rectangle of an operand, of the matrix that serves this one; of one row where one row serves every row (kernels repeat it). */
function operandIn(blocks: Blocks, step: Step, lead: readonly number[], at: Rectangle): Tensor {
  const rows = matrixOf(step.shape)[0] === 1 ? ([0, Math.min(1, heightOf(at))] as const) : at.rows;
  return blockOf(blocks, step, servedLead(step.shape, lead), { ...at, rows });
}

/** The columns of a rectangle that its rows see together under a mask by rule. */
function seenColumns({ call }: Step, { rows, columns }: Rectangle): readonly [number, number] | undefined {
  if (call.op !== 'patternMask') return undefined;
  // Both bounds only grow from row to row.
  const low = Math.max(columns[0], seenKeys(call, rows[0], columns[1])[0]);
  return [low, Math.max(low, seenKeys(call, rows[1] - 1, columns[1])[1])];
}

function fromRows({ blocks, step, lead, at }: Wanted): Tensor {
  const out = allocate(blocks.dtype, [heightOf(at), widthOf(at)]);
  for (let y = 0; y < heightOf(at); y++) {
    const { data } = blocks.row(step, lead, at.rows[0] + y);
    out.data.set(data.subarray(at.columns[0], at.columns[1]), y * widthOf(at));
  }
  return out;
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
