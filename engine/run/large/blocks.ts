import { hiddenByLists } from '../list-mask';
import { rowsOf, type Part } from '../../operations';
import {
  isSource,
  operationOf,
  type CallOf,
  type Kernels,
  type OperationName,
  type SourceCall,
  type Plan,
  type Step,
} from '../../plan';
import {
  alibiSlopes,
  allocate,
  bucketOf,
  distanceAt,
  positionAt,
  roundedTo,
  type Apart,
  type DType,
  type Precision,
  type Tensor,
} from '../../math';
import { matrixShape } from '../tile';
import { broadcastIndex } from '../trace';
import { visibleKeys } from './pattern-mask';
import { sliceRectangle, heightOf, widthOf, type Rectangle } from './rectangle';

/** What is needed to compute any rectangle of any step. */
export interface BlockContext {
  readonly plan: Plan;
  readonly dtype: DType;
  /** What the numbers of a source that is given by a rule are rounded to. */
  readonly precision: Precision;
  readonly held: ReadonlyMap<string, Tensor>;
  /** The fixed-order reference kernels for digits, float32 ones for overviews. */
  readonly kernels: Kernels;
  /** A whole row of a step, 1×columns, from a cache: a softmax needs the whole row for one cell. */
  readonly row: (step: Step, leading: readonly number[], row: number) => Tensor;
  /** A rectangle that is already computed, or that can be computed in a faster way; otherwise undefined. */
  readonly cached?: (step: Step, leading: readonly number[], at: Rectangle) => Tensor | undefined;
}

/**
 * A rectangle of the matrix of `step` at a leading index (batch, head), height×width. Its cells have the same bits as those of the whole
 * step: sums have the same terms in the same order. Cost: the number of its cells, times d for a product, and whole rows for a softmax.
 */
export function blockOf(blocks: BlockContext, step: Step, leading: readonly number[], at: Rectangle): Tensor {
  const held = blocks.held.get(step.id);
  if (held) return sliceRectangle(held, leading, at);
  const cached = blocks.cached?.(step, leading, at);
  if (cached) return cached;
  if (isSource(step.call)) return sourceBlock(blocks, step.call, step, leading, at);
  const operation = operationOf(step.call);
  const part = partOf({ blocks, step, leading, at });
  if (typeof operation.part === 'function') return operation.part(step.call, part);
  const all = step.operands.map((_, i) => (operation.part === 'row by row' ? rowsOf(part, i) : part.operand(i)));
  return operation.part === 'row by row' ? part.runOnRows(all) : part.run(all);
}

interface BlockRequest {
  readonly blocks: BlockContext;
  readonly step: Step;
  readonly leading: readonly number[];
  readonly at: Rectangle;
}

/** What a step's operation (`engine/operations/`) computes a rectangle of its result from. */
const partOf = (request: BlockRequest): Part => ({
  at: request.at,
  lead: request.leading,
  dtype: request.blocks.dtype,
  shape: request.step.shape,
  count: request.step.operands.length,
  sizesOf: (i) => matrixShape(operandOf(request, i).shape),
  operand: (i, at = request.at, leading = request.leading) =>
    operandIn(request.blocks, operandOf(request, i), leading, at),
  run: (operands, at = request.at) => runKernel(request, operands, at),
  runOnRows: (operands) => {
    const { at, step } = request;
    const whole = runKernel(request, operands, { rows: at.rows, columns: [0, matrixShape(step.shape)[1]] });
    return sliceRectangle(whole, [], { rows: [0, heightOf(at)], columns: at.columns });
  },
  fromRows: () => copyRows(request),
  seen: (i) => visibleColumns(operandOf(request, i), request.at),
});

/** Calls the step's kernel on matrices. */
function runKernel({ blocks, step }: BlockRequest, operands: readonly Tensor[], at: Rectangle): Tensor {
  const call = step.call as CallOf<OperationName>;
  const kernel = blocks.kernels[call.op] as Kernels[OperationName];
  return kernel(call as never, operands, [heightOf(at), widthOf(at)], blocks.dtype);
}

function operandOf({ blocks, step }: BlockRequest, i: number): Step {
  const found = blocks.plan.steps.find(({ id }) => id === step.operands[i]);
  if (!found) throw new Error(`step ${step.id} has no operand ${i}`);
  return found;
}

/** A rectangle of an operand after broadcasting its leading index. An operand of one row gives that row: kernels broadcast it. */
function operandIn(blocks: BlockContext, step: Step, leading: readonly number[], at: Rectangle): Tensor {
  const rows = matrixShape(step.shape)[0] === 1 ? ([0, Math.min(1, heightOf(at))] as const) : at.rows;
  return blockOf(blocks, step, broadcastIndex(step.shape, leading), { ...at, rows });
}

/** The range of columns that some row of a rectangle sees under a pattern mask; undefined for other masks. */
function visibleColumns({ call }: Step, { rows, columns }: Rectangle): readonly [number, number] | undefined {
  if (call.op !== 'patternMask') return undefined;
  // Both bounds grow monotonically from row to row, so the first and last row give the range.
  const low = Math.max(columns[0], visibleKeys(call, rows[0], columns[1])[0]);
  return [low, Math.max(low, visibleKeys(call, rows[1] - 1, columns[1])[1])];
}

function copyRows({ blocks, step, leading, at }: BlockRequest): Tensor {
  const out = allocate(blocks.dtype, [heightOf(at), widthOf(at)]);
  for (let y = 0; y < heightOf(at); y++) {
    const { data } = blocks.row(step, leading, at.rows[0] + y);
    out.data.set(data.subarray(at.columns[0], at.columns[1]), y * widthOf(at));
  }
  return out;
}

function sourceBlock(
  { dtype, precision }: BlockContext,
  call: SourceCall,
  step: Step,
  leading: readonly number[],
  at: Rectangle,
): Tensor {
  const out = allocate(dtype, [heightOf(at), widthOf(at)]);
  const fill = rowFiller(call, step, leading, at);
  const width = widthOf(at);
  for (let y = 0; y < heightOf(at); y++) fill(out.data.subarray(y * width, (y + 1) * width), at.rows[0] + y);
  return call.op === 'alibi' ? roundedTo(precision, out) : out;
}

/** Fills the cells of one row of a rectangle of a source that is given by a formula. */
type FillRow = (cells: Tensor['data'], row: number) => void;

function rowFiller(call: SourceCall, { id, shape }: Step, leading: readonly number[], at: Rectangle): FillRow {
  const [column] = at.columns;
  if (call.op === 'patternMask') return (cells, row) => fillHidden(cells, call, row, column);
  if (call.op === 'buckets') return fillBuckets(call, leading, column);
  if (call.op === 'listMask') return fillListed(call, leading, column);
  if (call.op !== 'alibi') throw new Error(`step ${id} has no rule: it is held`);
  if (call.at) return fillApart(call.at, shape, leading, column);
  const slope = slopeOf(shape, leading);
  const [biases, last] = [biasByOffset(slope, at), at.rows[1] - 1];
  return (cells, row) => cells.set(biases.subarray(last - row, last - row + cells.length));
}

/** The buckets of one row, from a column on. */
function fillBuckets({ bucketing, at }: CallOf<'buckets'>, leading: readonly number[], column: number): FillRow {
  const input = leading[0] ?? 0;
  return (cells, row) => {
    const query = positionAt(at?.queries, row, input);
    for (let i = 0; i < cells.length; i++) cells[i] = bucketOf(bucketing, positionAt(at?.keys, column + i, input) - query);
  };
} // prettier-ignore

function fillListed(call: CallOf<'listMask'>, leading: readonly number[], column: number): FillRow {
  return (cells, row) => {
    for (let i = 0; i < cells.length; i++) cells[i] = hiddenByLists(call, row, column + i, leading[0] ?? 0);
  };
}

/** Biases of queries and keys whose positions are said: cell by cell. */
function fillApart(at: Apart, shape: readonly number[], leading: readonly number[], column: number): FillRow {
  const matrix = leading.reduce((sum, i, d) => sum * (shape[d] ?? 1) + i, 0);
  const slope = alibiSlopes(at.heads)[matrix % at.heads] ?? 0;
  const input = Math.floor(matrix / at.heads);
  return (cells, row) => {
    for (let i = 0; i < cells.length; i++) {
      const distance = distanceAt(at, row, column + i, input);
      cells[i] = distance === 0 ? 0 : -slope * distance;
    }
  };
}

/** The ALiBi slope of the head at a leading index; `shape` is that of the biases, …×n×m. */
export const slopeOf = (shape: readonly number[], leading: readonly number[]): number =>
  alibiSlopes(shape.length > 2 ? (shape.at(-3) ?? 1) : 1)[leading.at(-1) ?? 0] ?? 0;

/**
 * Linear biases depend on column − row only. Gives them for all differences that occur in a rectangle, from its bottom left to its top
 * right cell; each row is a slice of the result.
 */
function biasByOffset(slope: number, { rows, columns }: Rectangle): Float64Array {
  const out = new Float64Array(Math.max(0, rows[1] - rows[0] + columns[1] - columns[0] - 1));
  const first = columns[0] - (rows[1] - 1);
  // 0 on the diagonal: the formula would give −0.
  for (let i = 0; i < out.length; i++) out[i] = i + first === 0 ? 0 : -slope * Math.abs(i + first);
  return out;
}

function fillHidden(cells: Tensor['data'], call: CallOf<'patternMask'>, row: number, column: number): void {
  const [low, high] = visibleKeys(call, row, column + cells.length);
  cells.fill(1);
  cells.fill(0, Math.max(0, low - column), Math.max(0, high - column));
}
