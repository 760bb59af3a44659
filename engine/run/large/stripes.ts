import type { PooledAttentionResult } from '../backend/wasm/index';
import { isSource, type CallOf, type Step } from '../../plan';
import { sizeOf, type Tensor } from '../../math';
import { matrixShape } from '../tile';
import { broadcastIndex } from '../trace';
import { copyResult } from './fused-kernel';
import type { FusedChunk } from './fused-chunk';
import { blockOf, type BlockContext } from './blocks';
import type { RowSummaries } from './row-summaries';
import { leadingIndices, type OverviewContext } from './overview-context';
import { hiddenCells } from './pattern-mask';
import type { StartHelper } from './overview-types';
import { addRows, addBlockStats } from './pyramid';
import { sliceRectangle, type Rectangle } from './rectangle';
import { createScheduler } from './scheduler';
import type { FusedPath } from './fused-path';

/** Computes the rows of all pyramids of an overview, a stripe (a band of rows) at a time. */
export interface Stripes {
  readonly total: number;
  done(): number;
  advance(): boolean;
  /** Lets a helper compute some of the stripes, if enough are left. */
  share?(begin: StartHelper): void;
}

type Rows = readonly [number, number];

/**
 * Stripes by the fused kernel. A chunk is one head of one stripe; a helper may compute some of them. The steps in `rest` (concatenated
 * heads, an output projection) are computed when all heads of a stripe are done.
 */
export function fusedStripes(
  context: OverviewContext,
  path: FusedPath,
  summaries: RowSummaries,
  rest: readonly Step[],
): Stripes {
  const rows = matrixShape(path.weights.shape)[0];
  const height = stripeHeight(matrixShape(path.weights.shape)[1], context);
  const heads = leadingIndices(path.weights.shape);
  const outputs = new Map<string, Tensor>();
  const chunkOf = (i: number): Required<FusedChunk> => {
    const first = Math.floor(i / heads.length) * height;
    return {
      leading: heads[i % heads.length] ?? [],
      rows: [first, Math.min(rows, first + height)],
      level: context.level,
    };
  };
  const count = Math.ceil(rows / height) * heads.length;
  const scheduler = createScheduler<PooledAttentionResult>({
    count,
    compute: (i) => summaries.compute(chunkOf(i)),
    copy: copyResult,
    consume(i, found) {
      const chunk = chunkOf(i);
      outputs.set(keyOf(path.output, chunk.leading), poolChunk(context, path, summaries, chunk, found));
      if ((i + 1) % heads.length) return;
      computeSteps(context, rest, chunk.rows, outputs);
      outputs.clear();
    },
  });
  return {
    total: rows * heads.length,
    done() {
      const [first, last] = scheduler.next() < count ? chunkOf(scheduler.next()).rows : [rows, rows];
      return first * heads.length + (scheduler.next() % heads.length) * (last - first);
    },
    advance: scheduler.advance,
    share(begin) {
      if (scheduler.shared() || count - scheduler.next() < minChunksForHelper) return;
      const helper = begin();
      helper?.begin(summaries.inputs);
      if (helper) scheduler.share((i) => helper.compute(chunkOf(i)));
    },
  };
}

/** With fewer chunks left, starting a helper takes longer than it saves. */
const minChunksForHelper = 4;

/** Rows of a stripe: whole rows of blocks, and enough that packing the keys costs little in comparison. */
const stripeHeight = (columns: number, { level, stripe }: OverviewContext): number => {
  const block = 1 << level;
  return block * Math.max(1, Math.floor(Math.max(stripe / columns, 96) / block));
};

/** Adds a computed chunk to the pyramids and row summaries. Returns its output rows. */
function poolChunk(
  context: OverviewContext,
  path: FusedPath,
  summaries: RowSummaries,
  chunk: Required<FusedChunk>,
  found: PooledAttentionResult,
): Tensor {
  const { leading, rows: at, level } = chunk;
  const [n, m] = [at[1] - at[0], matrixShape(path.weights.shape)[1]];
  const dv = matrixShape(path.v.shape)[1];
  summaries.store(chunk, found);
  const size = 1 << level;
  const none = (): number => 0;
  const hidden = (y: number, x: number): number =>
    hiddenCells(path.mask, [y * size, Math.min((y + 1) * size, at[1])], [x * size, Math.min((x + 1) * size, m)]);
  const [unmasked] = path.unmasked;
  const [masked] = path.masked;
  if (unmasked) addBlockStats(context.pyramidOf(unmasked.step, leading), found.blockStats, 0, at, none);
  if (masked) addBlockStats(context.pyramidOf(masked, leading), found.blockStats, 1, at, path.hasMask ? hidden : none);
  addBlockStats(context.pyramidOf(path.weights, leading), found.blockStats, 2, at, path.hasMask ? hidden : none);
  const data = found.output.slice();
  addRows(context.pyramidOf(path.output, leading), { values: { data, start: 0, stride: dv } }, at);
  return { dtype: 'float32', shape: [n, dv], data };
}

/** Stripes computed step by step, in float32 by the backend's operations. */
export function stepwiseStripes(context: OverviewContext, steps: readonly Step[]): Stripes {
  const { level, stripe } = context;
  const [rows, columns] = matrixShape(steps[0]?.shape ?? [0, 0]);
  const widest = Math.max(1, ...steps.map(({ shape }) => sizeOf(shape.slice(0, -2)) * matrixShape(shape)[1]));
  const height = Math.max(1, Math.min(rows, Math.floor((columns && stripe / 8) / widest)));
  let next = 0;
  return {
    total: rows,
    done: () => next,
    advance() {
      if (next >= rows) return true;
      // Ends at a whole row of blocks where a stripe is higher than one: a split block would be pooled twice.
      const end = Math.min(rows, height > 1 << level ? next + height - (height % (1 << level)) : next + height);
      computeSteps(context, steps, [next, end], new Map());
      next = end;
      return next >= rows;
    },
  };
}

const keyOf = ({ id }: Step, leading: readonly number[]): string => `${id} ${leading.join()}`;

/** Computes and pools some rows of `steps`; `there` has those rows of steps that they follow from, and gets theirs. */
function computeSteps(
  context: OverviewContext,
  steps: readonly Step[],
  rows: Rows,
  computed: Map<string, Tensor>,
): void {
  const blocks: BlockContext = {
    ...context.blocks,
    cached: (step, leading, at) => {
      const stripe = at.rows[0] === rows[0] && at.rows[1] === rows[1] ? computed.get(keyOf(step, leading)) : undefined;
      return stripe && sliceRectangle(stripe, [], { rows: [0, rows[1] - rows[0]], columns: at.columns });
    },
  };
  for (const step of steps) {
    for (const leading of leadingIndices(step.shape)) {
      const data = stripeValues(context, blocks, step, leading, { rows, columns: [0, matrixShape(step.shape)[1]] });
      computed.set(keyOf(step, leading), data);
      const hidden = hiddenOf(blocks, step, leading, rows);
      const values = cellsIn(data);
      addRows(context.pyramidOf(step, leading), hidden ? { values, hidden: cellsIn(hidden) } : { values }, rows);
    }
  }
}

const cellsIn = ({ data, shape }: Tensor): { data: Tensor['data']; start: number; stride: number } => ({
  data,
  start: 0,
  stride: matrixShape(shape)[1],
});

function stripeValues(
  { summaries: tops }: OverviewContext,
  blocks: BlockContext,
  step: Step,
  leading: readonly number[],
  at: Rectangle,
): Tensor {
  if (isSource(step.call) || step.call.op !== 'softmax') return blockOf(blocks, step, leading, at);
  const from = blocks.plan.steps.find(({ id }) => id === step.operands[0]);
  if (!from) throw new Error(`step ${step.id} has no operand 0`);
  const scores = blockOf(blocks, from, leading, at);
  const weights = blocks.kernels.softmax(step.call as CallOf<'softmax'>, [scores], scores.shape, 'float32');
  tops.store(step, leading, at.rows[0], scores, weights);
  return weights;
}

function hiddenOf(
  blocks: BlockContext,
  { hiddenBy }: Step,
  leading: readonly number[],
  rows: Rows,
): Tensor | undefined {
  const mask = blocks.plan.steps.find(({ id }) => id === hiddenBy);
  if (!mask) return undefined;
  const [height, width] = matrixShape(mask.shape);
  const own = broadcastIndex(mask.shape, leading);
  const computed: Rows = height === 1 ? [0, 1] : rows;
  const block = blockOf(blocks, mask, own, { rows: computed, columns: [0, width] });
  if (height !== 1) return block;
  const out = new Float32Array((rows[1] - rows[0]) * width);
  for (let y = 0; y < rows[1] - rows[0]; y++) out.set(block.data, y * width);
  return { dtype: 'float32', shape: [rows[1] - rows[0], width], data: out };
}
