import { isSource, type CallOf } from '../../plan/operations';
import type { Step } from '../../plan/plan';
import type { Tensor } from '../../math/tensor';
import { matrixOf, readTile, type Tile, type TileRequest } from '../tile';
import { servedLead } from '../trace';
import { blockOf, type Blocks } from './blocks';
import type { Kept } from './kept';
import { cut, heightOf, widthOf, type Rectangle } from './rectangle';
import type { Road } from './road';
import type { GoOver } from './tilted';
import type { Tops } from './tops';

/** A road, and what stays of the rows that went along it. */
export interface Fused {
  readonly road: Road;
  readonly kept: Kept;
}

/** What stays of the rows that were computed step by step. */
export interface Stepped {
  readonly tops: Tops;
  readonly goOver?: GoOver | undefined;
}

/** Cells of the widest step that are computed in one go: 16 MB of float32. */
const goCells = 1 << 22;

type Range = readonly [number, number];

/**
 * A tile of a step that is not held, at the level that was asked for, in float32: for colours, never for digits. `blocks` are the narrow ones of
 * an overview. Weights and outputs cost whole rows of scores, so a caller asks for a few rows of blocks at a time.
 */
export function fineTile(
  blocks: Blocks,
  known: Fused | Stepped,
  step: Step,
  lead: readonly number[],
  request: TileRequest,
): Tile {
  const fused = 'road' in known;
  const narrow = fused ? withKept(blocks, known) : withWholeRows(blocks, known);
  const hidden = blocks.plan.steps.find(({ id }) => id === step.hiddenBy);
  const cellsOf = (
    of: Step,
  ): ((rows: Range, columns: Range) => { data: Tensor['data']; start: number; stride: number }) =>
    inGoes(
      fused || isQuick(known, of, request) ? widthIn(of, request) : acrossOf(blocks, of),
      request.rows?.[1] ?? matrixOf(step.shape)[0],
      (at) => {
        const block = blockOf(narrow, of, servedLead(of.shape, lead), servedRows(of, at));
        return matrixOf(block.shape)[0] === heightOf(at) ? block : repeated(block, heightOf(at));
      },
    );
  const [values, masks] = [cellsOf(step), hidden && cellsOf(hidden)];
  const tile = readTile(step.shape, request, (rows, columns) =>
    masks ? { values: values(rows, columns), hidden: masks(rows, columns) } : { values: values(rows, columns) },
  );
  return { ...tile, float32: true };
}

const widthIn = ({ shape }: Step, { columns }: TileRequest): number =>
  Math.max(1, columns ? columns[1] - columns[0] : matrixOf(shape)[1]);

/** Whether a part of the weights takes no whole rows of them. */
const isQuick = ({ goOver }: Stepped, step: Step, request: TileRequest): boolean =>
  goOver !== undefined && step.role === 'weights' && widthIn(step, request) < matrixOf(step.shape)[1];

/** A mask of one row serves every row. */
const servedRows = ({ shape }: Step, at: Rectangle): Rectangle =>
  matrixOf(shape)[0] === 1 ? { ...at, rows: [0, 1] } : at;

function repeated({ dtype, data, shape }: Tensor, rows: number): Tensor {
  const width = matrixOf(shape)[1];
  const out = new Float32Array(rows * width);
  for (let y = 0; y < rows; y++) out.set(data, y * width);
  return { dtype, shape: [rows, width], data: out };
}

/** How many cells a row of a step costs: weights, and what follows from them, a row of the widest step. */
function acrossOf({ plan }: Blocks, step: Step): number {
  const soft = plan.steps.findIndex(({ call }) => call.op === 'softmax');
  const at = plan.steps.findIndex(({ id }) => id === step.id);
  const own = matrixOf(step.shape)[1];
  return soft >= 0 && at >= soft ? Math.max(own, ...plan.steps.map(({ shape }) => matrixOf(shape)[1])) : own;
}

/** Answers small bands from larger rectangles: packing the keys costs little beside many rows, and as much beside one. */
function inGoes(
  across: number,
  end: number,
  compute: (at: Rectangle) => Tensor,
): (rows: Range, columns: Range) => { data: Tensor['data']; start: number; stride: number } {
  let [first, last, block]: [number, number, Tensor | undefined] = [0, 0, undefined];
  return (rows, columns) => {
    if (!block || rows[0] < first || rows[1] > last) {
      [first, last] = [rows[0], Math.max(rows[1], Math.min(end, rows[0] + Math.floor(goCells / across)))];
      block = compute({ rows: [first, last], columns });
    }
    const stride = matrixOf(block.shape)[1];
    return { data: block.data, start: (rows[0] - first) * stride, stride };
  };
}

/** Where one kernel goes from the scores to the output, each row is gone over once, and what stays of it gives the rest. */
const withKept = (blocks: Blocks, { road, kept }: Fused): Blocks => ({
  ...blocks,
  known: (step, lead, at) => {
    if (step.id === road.weights.id) return kept.weights(lead, at);
    return step.id === road.output.id ? kept.output(lead, at) : undefined;
  },
});

/** A softmax needs whole rows of its operand, here many at once; once, and what stays of them gives any part of its rows. */
function withWholeRows(blocks: Blocks, { tops, goOver }: Stepped): Blocks {
  const narrow: Blocks = {
    ...blocks,
    known: (step, lead, at) => {
      if (isSource(step.call) || step.call.op !== 'softmax') return undefined;
      const from = blocks.plan.steps.find(({ id }) => id === step.operands[0]);
      if (!from) throw new Error(`step ${step.id} has no operand 0`);
      const whole = matrixOf(step.shape)[1];
      if (widthOf(at) < whole && !tops.has(step, lead, at.rows)) goOver?.(lead, at.rows);
      if (widthOf(at) < whole && tops.has(step, lead, at.rows))
        return tops.weights(blocks.kernels, step, lead, at, blockOf(narrow, from, lead, at));
      const scores = blockOf(narrow, from, lead, { rows: at.rows, columns: [0, whole] });
      const weights = blocks.kernels.softmax(step.call as CallOf<'softmax'>, [scores], scores.shape, blocks.dtype);
      tops.keep(step, lead, at.rows[0], scores, weights);
      return cut(weights, [], { rows: [0, heightOf(at)], columns: at.columns });
    },
  };
  return narrow;
}
