/* Traces that are too large to be held: steps are computed when they are read, with the same bits as the reference. */
import { isSource, type Plan, type Step } from '../../plan';
import type { Problem } from '../../text';
import type { AttentionSpec } from '../../spec';
import { referenceKernelsIn } from '../backend';
import { wasmKernels } from '../backend/wasm/index';
import { heldAs, type Tensor } from '../../math';
import { matrixShape, readTile, type Cells, type Tile, type TileRequest } from '../tile';
import { fullIndex, leadingIndex, offsetOf, broadcastIndex, type AttentionTrace } from '../trace';
import { blockOf, type BlockContext } from './blocks';
import { createOverview } from './overview';
import type { Overview } from './overview-types';
import { sliceRectangle, heightOf, type Rectangle } from './rectangle';
import { createRowCache, type RowCache } from './row-cache';

export { heldBytes } from './memory';
export { deferredSteps, heldLimit } from './deferred';
export type { Overview } from './overview-types';

/**
 * A trace with deferred steps: their tiles, rows and cells are computed when they are read, with the same bits as if all steps had been
 * held. A cell of the weights or the output costs a row of scores, m·d_k multiply-adds; computed rows are cached. Throws as `traceOf`
 * does.
 */
export function deferredTrace(
  spec: AttentionSpec,
  plan: Plan,
  held: ReadonlyMap<string, Tensor>,
  problems: readonly Problem[],
  rows: RowCache = createRowCache(),
): AttentionTrace {
  const blocks = blocksOf(spec, plan, held, rows);
  let overview: Overview | undefined;
  const overviewOf = (): Overview => (overview ??= createOverview(plan, notHeld(plan, held), held, wasmKernels()));
  return {
    spec,
    plan,
    problems,
    overview: overviewOf,
    entropies(id, slice) {
      const step = stepIn(plan, id);
      return held.has(id) ? undefined : overviewOf().entropies(step, leadingIndex(step.shape, slice));
    },
    read(id, request = {}) {
      const step = stepIn(plan, id);
      const picture = request.pixels && !held.has(id) ? overviewTile(overview, plan, step, request) : undefined;
      return picture ?? tileOf(blocks, step, request);
    },
    value(id, index) {
      const step = stepIn(plan, id);
      const at = checkedIndex(step, fullIndex(step.shape, index));
      const values = held.get(id);
      return values ? (values.data[offsetOf(values.shape, at)] as number) : cellOf(blocks, rows, step, at);
    },
  };
}

function stepIn({ steps }: Plan, id: string | undefined): Step {
  const step = steps.find((s) => s.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step;
}

/** Computes rectangles of steps with the reference kernels, using the cached rows. */
function blocksOf(
  { dtype }: AttentionSpec,
  plan: Plan,
  held: ReadonlyMap<string, Tensor>,
  rows: RowCache,
): BlockContext {
  const blocks: BlockContext = {
    plan,
    dtype: heldAs(dtype),
    precision: dtype,
    held,
    kernels: referenceKernelsIn(dtype),
    row: (step, leading, at) => rows.get(keyOf(step, leading, at), () => computeRow(blocks, step, leading, at)),
    cached: (step, leading, at) => {
      const there = heightOf(at) === 1 ? rows.peek(keyOf(step, leading, at.rows[0])) : undefined;
      return there && sliceRectangle(there, [], { rows: [0, 1], columns: at.columns });
    },
  };
  return blocks;
}

/** A tile computed from its cells, and those of the mask. */
function tileOf(blocks: BlockContext, step: Step, request: TileRequest): Tile {
  const leading = leadingIndex(step.shape, request);
  const hidden = step.hiddenBy === undefined ? undefined : stepIn(blocks.plan, step.hiddenBy);
  const cells = (of: Step, at: Rectangle): Cells => {
    const { data, shape } = blockOf(blocks, of, broadcastIndex(of.shape, leading), at);
    return { data, start: 0, stride: matrixShape(shape)[1] };
  };
  return readTile(step.shape, request, (rows, columns) => {
    const values = cells(step, { rows, columns });
    return hidden ? { values, hidden: cells(hidden, { rows, columns }) } : { values };
  });
}

/** One cell: from its cached row, or by computing the row. A cell of a product (not transposed) is computed alone: its row would cost as much for every column. */
function cellOf(blocks: BlockContext, rows: RowCache, step: Step, index: readonly number[]): number {
  const [r, c] = index.slice(-2) as [number, number];
  const leading = index.slice(0, -2);
  const kept = rows.peek(keyOf(step, leading, r));
  if (!kept && step.call.op === 'matmul' && !step.call.transposeB)
    return blockOf(blocks, step, leading, { rows: [r, r + 1], columns: [c, c + 1] }).data[0] as number;
  return (kept ?? blocks.row(step, leading, r)).data[c] as number;
}

const keyOf = ({ id }: Step, leading: readonly number[], row: number): string => `${id} ${leading.join()} ${row}`;

const notHeld = ({ steps }: Plan, held: ReadonlyMap<string, Tensor>): ReadonlySet<string> =>
  new Set(steps.map(({ id }) => id).filter((id) => !held.has(id)));

/** Up to this many cells are computed exactly even for a request for `pixels`: that takes a frame or two. */
const fewCells = 1 << 16;

/** A tile of the overview, where the cells themselves are too many to compute while the user waits. A weight or output costs a whole row of scores. */
function overviewTile(overview: Overview | undefined, plan: Plan, step: Step, request: TileRequest): Tile | undefined {
  const leading = leadingIndex(step.shape, request);
  const [rows, columns] = matrixShape(step.shape);
  const [[r0, r1], [c0, c1]] = [request.rows ?? [0, rows], request.columns ?? [0, columns]];
  const whole = step.role === 'weights' || step.role === 'output';
  const across = whole ? Math.max(...plan.steps.map(({ shape }) => matrixShape(shape)[1])) : c1 - c0;
  if ((r1 - r0) * across <= fewCells) return undefined;
  return request.pixels === 'fine' ? overview?.fine(step, leading, request) : overview?.read(step, leading, request);
}

function checkedIndex(step: Step, index: readonly number[]): readonly number[] {
  const inside = index.every((i, d) => i >= 0 && i < (step.shape[d] ?? 0));
  if (!inside) throw new Error(`index ${index.join(',')} is outside of ${step.shape.join('×')}`);
  return index;
}

/** One row of a step, 1×columns. A softmax takes its operand's row from the cache: its explanation reads the same row. */
function computeRow(blocks: BlockContext, step: Step, leading: readonly number[], at: number): Tensor {
  const columns = matrixShape(step.shape)[1];
  const { call } = step;
  if (blocks.held.has(step.id) || isSource(call) || call.op !== 'softmax')
    return blockOf(blocks, step, leading, { rows: [at, at + 1], columns: [0, columns] });
  const from = stepIn(blocks.plan, step.operands[0]);
  return blocks.kernels.softmax(call, [blocks.row(from, leading, at)], [1, columns], blocks.dtype);
}
