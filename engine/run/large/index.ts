import { isSource } from '../../plan/operations';
import type { Plan, Step } from '../../plan/plan';
import type { Problem } from '../../text/problems';
import type { AttentionSpec } from '../../spec/spec';
import { referenceKernels } from '../backend/reference';
import { kernels } from '../backend/wasm/index';
import type { Tensor } from '../../math/tensor';
import { matrixOf, readTile, type Cells, type Tile, type TileRequest } from '../tile';
import { fullIndex, leadOf, offsetOf, servedLead, type AttentionTrace } from '../trace';
import { blockOf, type Blocks } from './blocks';
import { createOverview } from './overview';
import type { Overview } from './picture';
import { cut, heightOf, type Rectangle } from './rectangle';
import { createRowCache, type RowCache } from './rows';

export { heldBytes } from './bytes';
export { deferredSteps, heldLimit } from './deferred';
export type { Overview } from './picture';

/**
 * A trace of which some steps are not held: their tiles, rows and cells are computed when they are looked at, with the same bits as if
 * all had been computed at once. A cell of the weights or the output costs a row of scores, m·d_k multiply-adds; rows are kept for a
 * while. Throws as a held trace does.
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
  const overviewOf = (): Overview => (overview ??= createOverview(plan, notHeld(plan, held), held, kernels()));
  return {
    spec,
    plan,
    problems,
    overview: overviewOf,
    entropies(id, slice) {
      const step = stepIn(plan, id);
      return held.has(id) ? undefined : overviewOf().entropies(step, leadOf(step.shape, slice));
    },
    read(id, request = {}) {
      const step = stepIn(plan, id);
      const picture = request.pixels && !held.has(id) ? pictureOf(overview, plan, step, request) : undefined;
      return picture ?? tileOf(blocks, step, request);
    },
    value(id, index) {
      const step = stepIn(plan, id);
      const at = within(step, fullIndex(step.shape, index));
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

/** Parts of steps, with the rows that are kept. */
function blocksOf({ dtype }: AttentionSpec, plan: Plan, held: ReadonlyMap<string, Tensor>, rows: RowCache): Blocks {
  const blocks: Blocks = {
    plan,
    dtype,
    held,
    kernels: referenceKernels,
    row: (step, lead, at) => rows.get(keyOf(step, lead, at), () => computeRow(blocks, step, lead, at)),
    known: (step, lead, at) => {
      const there = heightOf(at) === 1 ? rows.peek(keyOf(step, lead, at.rows[0])) : undefined;
      return there && cut(there, [], { rows: [0, 1], columns: at.columns });
    },
  };
  return blocks;
}

/** The cells of a tile, computed; with those of the mask that hides some of them. */
function tileOf(blocks: Blocks, step: Step, request: TileRequest): Tile {
  const lead = leadOf(step.shape, request);
  const hidden = step.hiddenBy === undefined ? undefined : stepIn(blocks.plan, step.hiddenBy);
  const cells = (of: Step, at: Rectangle): Cells => {
    const { data, shape } = blockOf(blocks, of, servedLead(of.shape, lead), at);
    return { data, start: 0, stride: matrixOf(shape)[1] };
  };
  return readTile(step.shape, request, (rows, columns) => {
    const values = cells(step, { rows, columns });
    return hidden ? { values, hidden: cells(hidden, { rows, columns }) } : { values };
  });
}

/** From its row where that is kept or is what it takes. Of a product by columns a cell costs the length of its sum, its row so much for every column. */
function cellOf(blocks: Blocks, rows: RowCache, step: Step, index: readonly number[]): number {
  const [r, c] = index.slice(-2) as [number, number];
  const lead = index.slice(0, -2);
  const kept = rows.peek(keyOf(step, lead, r));
  if (!kept && step.call.op === 'matmul' && !step.call.transposeB)
    return blockOf(blocks, step, lead, { rows: [r, r + 1], columns: [c, c + 1] }).data[0] as number;
  return (kept ?? blocks.row(step, lead, r)).data[c] as number;
}

const keyOf = ({ id }: Step, lead: readonly number[], row: number): string => `${id} ${lead.join()} ${row}`;

const notHeld = ({ steps }: Plan, held: ReadonlyMap<string, Tensor>): ReadonlySet<string> =>
  new Set(steps.map(({ id }) => id).filter((id) => !held.has(id)));

/** Cells that are computed exactly for a picture of them: these take no longer than a frame or two. */
const fewCells = 1 << 16;

/** A picture where the cells themselves are too many to compute while somebody waits: a weight or an output costs a whole row of scores. */
function pictureOf(overview: Overview | undefined, plan: Plan, step: Step, request: TileRequest): Tile | undefined {
  const lead = leadOf(step.shape, request);
  const [rows, columns] = matrixOf(step.shape);
  const [[r0, r1], [c0, c1]] = [request.rows ?? [0, rows], request.columns ?? [0, columns]];
  const whole = step.role === 'weights' || step.role === 'output';
  const across = whole ? Math.max(...plan.steps.map(({ shape }) => matrixOf(shape)[1])) : c1 - c0;
  if ((r1 - r0) * across <= fewCells) return undefined;
  return request.pixels === 'fine' ? overview?.fine(step, lead, request) : overview?.read(step, lead, request);
}

function within(step: Step, index: readonly number[]): readonly number[] {
  const inside = index.every((i, d) => i >= 0 && i < (step.shape[d] ?? 0));
  if (!inside) throw new Error(`index ${index.join(',')} is outside of ${step.shape.join('×')}`);
  return index;
}

/** One row of a step, 1×columns. A softmax takes the operand's row from those that are kept: its arithmetic is shown with them. */
function computeRow(blocks: Blocks, step: Step, lead: readonly number[], at: number): Tensor {
  const columns = matrixOf(step.shape)[1];
  const { call } = step;
  if (blocks.held.has(step.id) || isSource(call) || call.op !== 'softmax')
    return blockOf(blocks, step, lead, { rows: [at, at + 1], columns: [0, columns] });
  const from = stepIn(blocks.plan, step.operands[0]);
  return blocks.kernels.softmax(call, [blocks.row(from, lead, at)], [1, columns], blocks.dtype);
}
