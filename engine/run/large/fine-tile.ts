import { isSource, type CallOf, type Step } from '../../plan';
import type { Tensor } from '../../math';
import { matrixShape, readTile, type Tile, type TileRequest } from '../tile';
import { broadcastIndex } from '../trace';
import { blockOf, type BlockContext } from './blocks';
import type { RowSummaries } from './row-summaries';
import { sliceRectangle, heightOf, widthOf, type Rectangle } from './rectangle';
import type { FusedPath } from './fused-path';
import type { SummariseRows } from './alibi-summaries';
import type { SoftmaxSummaries } from './softmax-summaries';

/** For plans with a fused path: the path and the summaries of its rows. */
export interface FusedState {
  readonly path: FusedPath;
  readonly summaries: RowSummaries;
}

/** For all other plans: the summaries of softmax rows, and a faster way to make them, if there is one. */
export interface StepwiseState {
  readonly summaries: SoftmaxSummaries;
  readonly summariseRows?: SummariseRows | undefined;
}

/** Most cells of the widest step that are computed at once: 16 MB of float32. */
const chunkCells = 1 << 22;

type Range = readonly [number, number];

/**
 * A tile of a deferred step at the requested level, in float32: for colours, never for digits. `blocks` must be the float32 context of an
 * overview. Weights and outputs cost whole rows of scores, so a caller should request a few rows of blocks at a time.
 */
export function fineTile(
  blocks: BlockContext,
  state: FusedState | StepwiseState,
  step: Step,
  leading: readonly number[],
  request: TileRequest,
): Tile {
  const fused = 'path' in state;
  const narrow = fused ? fromRowSummaries(blocks, state) : fromWholeRows(blocks, state);
  const hidden = blocks.plan.steps.find(({ id }) => id === step.hiddenBy);
  const cellsOf = (
    of: Step,
  ): ((rows: Range, columns: Range) => { data: Tensor['data']; start: number; stride: number }) =>
    inChunks(
      fused || needsNoWholeRows(state, of, request) ? widthIn(of, request) : rowCost(blocks, of),
      request.rows?.[1] ?? matrixShape(step.shape)[0],
      (at) => {
        const block = blockOf(narrow, of, broadcastIndex(of.shape, leading), broadcastRows(of, at));
        return matrixShape(block.shape)[0] === heightOf(at) ? block : repeatRow(block, heightOf(at));
      },
    );
  const [values, masks] = [cellsOf(step), hidden && cellsOf(hidden)];
  const tile = readTile(step.shape, request, (rows, columns) =>
    masks ? { values: values(rows, columns), hidden: masks(rows, columns) } : { values: values(rows, columns) },
  );
  return { ...tile, float32: true };
}

const widthIn = ({ shape }: Step, { columns }: TileRequest): number =>
  Math.max(1, columns ? columns[1] - columns[0] : matrixShape(shape)[1]);

/** Whether part of the weights can be computed without whole rows of scores. */
const needsNoWholeRows = ({ summariseRows }: StepwiseState, step: Step, request: TileRequest): boolean =>
  summariseRows !== undefined && step.role === 'weights' && widthIn(step, request) < matrixShape(step.shape)[1];

/** A mask of one row is broadcast over all rows. */
const broadcastRows = ({ shape }: Step, at: Rectangle): Rectangle =>
  matrixShape(shape)[0] === 1 ? { ...at, rows: [0, 1] } : at;

function repeatRow({ dtype, data, shape }: Tensor, rows: number): Tensor {
  const width = matrixShape(shape)[1];
  const out = new Float32Array(rows * width);
  for (let y = 0; y < rows; y++) out.set(data, y * width);
  return { dtype, shape: [rows, width], data: out };
}

/** How many cells have to be computed for one row of a step. Weights, and steps after them, need a row of the widest step. */
function rowCost({ plan }: BlockContext, step: Step): number {
  const soft = plan.steps.findIndex(({ call }) => call.op === 'softmax');
  const at = plan.steps.findIndex(({ id }) => id === step.id);
  const own = matrixShape(step.shape)[1];
  return soft >= 0 && at >= soft ? Math.max(own, ...plan.steps.map(({ shape }) => matrixShape(shape)[1])) : own;
}

/** Reads small bands of rows from larger rectangles that are computed at once, so that the keys are packed once for many rows. */
function inChunks(
  across: number,
  end: number,
  compute: (at: Rectangle) => Tensor,
): (rows: Range, columns: Range) => { data: Tensor['data']; start: number; stride: number } {
  let [first, last, block]: [number, number, Tensor | undefined] = [0, 0, undefined];
  return (rows, columns) => {
    if (!block || rows[0] < first || rows[1] > last) {
      [first, last] = [rows[0], Math.max(rows[1], Math.min(end, rows[0] + Math.floor(chunkCells / across)))];
      block = compute({ rows: [first, last], columns });
    }
    const stride = matrixShape(block.shape)[1];
    return { data: block.data, start: (rows[0] - first) * stride, stride };
  };
}

/** Takes weights and outputs from the row summaries of a fused path. */
const fromRowSummaries = (blocks: BlockContext, { path, summaries }: FusedState): BlockContext => ({
  ...blocks,
  cached: (step, leading, at) => {
    if (step.id === path.weights.id) return summaries.weights(leading, at);
    return step.id === path.output.id ? summaries.output(leading, at) : undefined;
  },
});

/** Computes a softmax over many whole rows at once, keeps their summaries, and then computes any part of these rows from those. */
function fromWholeRows(blocks: BlockContext, { summaries, summariseRows }: StepwiseState): BlockContext {
  const narrow: BlockContext = {
    ...blocks,
    cached: (step, leading, at) => {
      if (isSource(step.call) || step.call.op !== 'softmax') return undefined;
      const from = blocks.plan.steps.find(({ id }) => id === step.operands[0]);
      if (!from) throw new Error(`step ${step.id} has no operand 0`);
      const whole = matrixShape(step.shape)[1];
      if (widthOf(at) < whole && !summaries.has(step, leading, at.rows)) summariseRows?.(leading, at.rows);
      if (widthOf(at) < whole && summaries.has(step, leading, at.rows))
        return summaries.weights(blocks.kernels, step, leading, at, blockOf(narrow, from, leading, at));
      const scores = blockOf(narrow, from, leading, { rows: at.rows, columns: [0, whole] });
      const weights = blocks.kernels.softmax(step.call as CallOf<'softmax'>, [scores], scores.shape, blocks.dtype);
      summaries.store(step, leading, at.rows[0], scores, weights);
      return sliceRectangle(weights, [], { rows: [0, heightOf(at)], columns: at.columns });
    },
  };
  return narrow;
}
