import { isSource } from '../operations';
import type { Plan, Step } from '../plan';
import type { Problem } from '../problems';
import type { AttentionSpec } from '../spec';
import { referenceKernels } from '../backend/reference';
import { kernels } from '../backend/wasm/index';
import type { Tensor } from '../tensor';
import { matrixOf, readTile, type Tile, type TileRequest } from '../tile';
import { fullIndex, leadOf, offsetOf, servedLead, type AttentionTrace } from '../trace';
import { blockOf, type Blocks } from './blocks';
import { createOverview } from './overview';
import type { Overview } from './picture';
import { cut, heightOf } from './rectangle';
import { createRowCache, type RowCache } from './rows';

export { deferredSteps, heldBytes, heldLimit } from './deferred';
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
  let overview: Overview | undefined;
  const find = (id: string | undefined): Step => {
    const step = plan.steps.find((s) => s.id === id);
    if (!step) throw new Error(`no step ${id}`);
    return step;
  };
  const row: Blocks['row'] = (step, lead, at) =>
    rows.get(keyOf(step, lead, at), () => computeRow(blocks, find, step, lead, at));
  const blocks: Blocks = {
    plan,
    dtype: spec.dtype,
    held,
    kernels: referenceKernels,
    row,
    known: (step, lead, at) => {
      const there = heightOf(at) === 1 ? rows.peek(keyOf(step, lead, at.rows[0])) : undefined;
      return there && cut(there, [], { rows: [0, 1], columns: at.columns });
    },
  };
  const overviewOf = (): Overview => (overview ??= createOverview(plan, notHeld(plan, held), held, kernels()));
  return {
    spec,
    plan,
    problems,
    overview: overviewOf,
    entropies(id, slice) {
      const step = find(id);
      return held.has(id) ? undefined : overviewOf().entropies(step, leadOf(step.shape, slice));
    },
    read(id, request = {}) {
      const step = find(id);
      const lead = leadOf(step.shape, request);
      const picture = request.pixels && !held.has(id) ? pictureOf(overview, { plan, step }, lead, request) : undefined;
      if (picture) return picture;
      const hidden = step.hiddenBy === undefined ? undefined : find(step.hiddenBy);
      const cells = (of: Step, at: { rows: readonly [number, number]; columns: readonly [number, number] }) => {
        const { data, shape } = blockOf(blocks, of, servedLead(of.shape, lead), at);
        return { data, start: 0, stride: matrixOf(shape)[1] };
      };
      return readTile(step.shape, request, (rows, columns) => {
        const values = cells(step, { rows, columns });
        return hidden ? { values, hidden: cells(hidden, { rows, columns }) } : { values };
      });
    },
    value(id, index) {
      const step = find(id);
      const at = within(step, fullIndex(step.shape, index));
      const values = held.get(id);
      if (values) return values.data[offsetOf(values.shape, at)] as number;
      const [r, c] = at.slice(-2) as [number, number];
      const lead = at.slice(0, -2);
      const kept = rows.peek(keyOf(step, lead, r));
      // Of a product by columns a cell costs the length of its sum, its row so much for every column.
      if (!kept && step.call.op === 'matmul' && !step.call.transposeB)
        return blockOf(blocks, step, lead, { rows: [r, r + 1], columns: [c, c + 1] }).data[0] as number;
      return (kept ?? row(step, lead, r)).data[c] as number;
    },
  };
}

const keyOf = ({ id }: Step, lead: readonly number[], row: number): string => `${id} ${lead.join()} ${row}`;

const notHeld = ({ steps }: Plan, held: ReadonlyMap<string, Tensor>): ReadonlySet<string> =>
  new Set(steps.map(({ id }) => id).filter((id) => !held.has(id)));

/** Cells that are computed exactly for a picture of them: these take no longer than a frame or two. */
const fewCells = 1 << 16;

/** A picture where the cells themselves are too many to compute while somebody waits: a weight or an output costs a whole row of scores. */
function pictureOf(
  overview: Overview | undefined,
  { plan, step }: { readonly plan: Plan; readonly step: Step },
  lead: readonly number[],
  request: TileRequest,
): Tile | undefined {
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
function computeRow(
  blocks: Blocks,
  find: (id: string | undefined) => Step,
  step: Step,
  lead: readonly number[],
  at: number,
): Tensor {
  const columns = matrixOf(step.shape)[1];
  const { call } = step;
  if (blocks.held.has(step.id) || isSource(call) || call.op !== 'softmax')
    return blockOf(blocks, step, lead, { rows: [at, at + 1], columns: [0, columns] });
  const from = find(step.operands[0]);
  return blocks.kernels.softmax(call, [blocks.row(from, lead, at)], [1, columns], blocks.dtype);
}
