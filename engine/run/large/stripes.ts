import type { Surveyed } from '../backend/wasm/index';
import { isSource, type CallOf } from '../../plan/operations';
import type { Step } from '../../plan/plan';
import { sizeOf, type Tensor } from '../../math/tensor';
import { matrixOf } from '../tile';
import { servedLead } from '../trace';
import { copied } from './along';
import type { RoadPart } from './road-work';
import { blockOf, type Blocks } from './blocks';
import type { Kept } from './kept';
import { leadsOf, type Survey } from './survey';
import { hiddenCells } from './pattern';
import type { StartHelper } from './picture';
import { addRows, addTallies } from './pyramid';
import { cut, type Rectangle } from './rectangle';
import { createRelay } from './relay';
import type { Road } from './road';

/** Rows of all pictures, computed a stripe at a time. */
export interface Stripes {
  readonly total: number;
  done(): number;
  advance(): boolean;
  /** From now on another computes some of them; not where that is worth nothing. */
  share?(begin: StartHelper): void;
}

type Rows = readonly [number, number];

/**
 * By one kernel from the scores to the output, a head of a stripe after the other, of which a helper may compute some; `rest` (heads side by
 * side, an output projection) after all heads of a stripe.
 */
export function roadStripes(survey: Survey, road: Road, kept: Kept, rest: readonly Step[]): Stripes {
  const rows = matrixOf(road.weights.shape)[0];
  const height = stripeHeight(matrixOf(road.weights.shape)[1], survey);
  const leads = leadsOf(road.weights.shape);
  const outputs = new Map<string, Tensor>();
  const partOf = (i: number): Required<RoadPart> => {
    const first = Math.floor(i / leads.length) * height;
    return { lead: leads[i % leads.length] ?? [], rows: [first, Math.min(rows, first + height)], level: survey.level };
  };
  const count = Math.ceil(rows / height) * leads.length;
  const relay = createRelay<Surveyed>({
    count,
    compute: (i) => kept.go(partOf(i)),
    keep: copied,
    take(i, found) {
      const part = partOf(i);
      outputs.set(keyOf(road.output, part.lead), takeUp(survey, road, kept, part, found));
      if ((i + 1) % leads.length) return;
      computeSteps(survey, rest, part.rows, outputs);
      outputs.clear();
    },
  });
  return {
    total: rows * leads.length,
    done() {
      const [first, last] = relay.next() < count ? partOf(relay.next()).rows : [rows, rows];
      return first * leads.length + (relay.next() % leads.length) * (last - first);
    },
    advance: relay.advance,
    share(begin) {
      if (relay.shared() || count - relay.next() < worthwhile) return;
      const helper = begin();
      helper?.begin(kept.work);
      if (helper) relay.share((i) => helper.go(partOf(i)));
    },
  };
}

/** Parts for which it is worth while to start a helper. */
const worthwhile = 4;

/** Whole rows of blocks, enough that packing the keys costs little beside them. */
const stripeHeight = (columns: number, { level, stripe }: Survey): number => {
  const block = 1 << level;
  return block * Math.max(1, Math.floor(Math.max(stripe / columns, 96) / block));
};

/** Puts what was found of some rows into the pictures; gives their output. */
function takeUp(survey: Survey, road: Road, kept: Kept, part: Required<RoadPart>, found: Surveyed): Tensor {
  const { lead, rows: at, level } = part;
  const [n, m] = [at[1] - at[0], matrixOf(road.weights.shape)[1]];
  const dv = matrixOf(road.v.shape)[1];
  kept.keep(part, found);
  const size = 1 << level;
  const none = (): number => 0;
  const hidden = (y: number, x: number): number =>
    hiddenCells(road.mask, [y * size, Math.min((y + 1) * size, at[1])], [x * size, Math.min((x + 1) * size, m)]);
  const [open] = road.open;
  const [masked] = road.masked;
  if (open) addTallies(survey.pyramidOf(open.step, lead), found.tallies, 0, at, none);
  if (masked) addTallies(survey.pyramidOf(masked, lead), found.tallies, 1, at, road.hasMask ? hidden : none);
  addTallies(survey.pyramidOf(road.weights, lead), found.tallies, 2, at, road.hasMask ? hidden : none);
  const data = found.output.slice();
  addRows(survey.pyramidOf(road.output, lead), { values: { data, start: 0, stride: dv } }, at);
  return { dtype: 'float32', shape: [n, dv], data };
}

/** Step after step, each in float32 by the backend's operations. */
export function plainStripes(survey: Survey, steps: readonly Step[]): Stripes {
  const { level, stripe } = survey;
  const [rows, columns] = matrixOf(steps[0]?.shape ?? [0, 0]);
  const widest = Math.max(1, ...steps.map(({ shape }) => sizeOf(shape.slice(0, -2)) * matrixOf(shape)[1]));
  const height = Math.max(1, Math.min(rows, Math.floor((columns && stripe / 8) / widest)));
  let next = 0;
  return {
    total: rows,
    done: () => next,
    advance() {
      if (next >= rows) return true;
      // Whole rows of blocks where they are small: a block that is begun is pooled in two goes.
      const end = Math.min(rows, height > 1 << level ? next + height - (height % (1 << level)) : next + height);
      computeSteps(survey, steps, [next, end], new Map());
      next = end;
      return next >= rows;
    },
  };
}

const keyOf = ({ id }: Step, lead: readonly number[]): string => `${id} ${lead.join()}`;

/** Computes and pools some rows of `steps`; `there` has those rows of steps that they follow from, and gets theirs. */
function computeSteps(survey: Survey, steps: readonly Step[], rows: Rows, there: Map<string, Tensor>): void {
  const blocks: Blocks = {
    ...survey.blocks,
    known: (step, lead, at) => {
      const stripe = at.rows[0] === rows[0] && at.rows[1] === rows[1] ? there.get(keyOf(step, lead)) : undefined;
      return stripe && cut(stripe, [], { rows: [0, rows[1] - rows[0]], columns: at.columns });
    },
  };
  for (const step of steps) {
    for (const lead of leadsOf(step.shape)) {
      const data = stripeOf(survey, blocks, step, lead, { rows, columns: [0, matrixOf(step.shape)[1]] });
      there.set(keyOf(step, lead), data);
      const hidden = hiddenOf(blocks, step, lead, rows);
      const values = cellsIn(data);
      addRows(survey.pyramidOf(step, lead), hidden ? { values, hidden: cellsIn(hidden) } : { values }, rows);
    }
  }
}

const cellsIn = ({ data, shape }: Tensor): { data: Tensor['data']; start: number; stride: number } => ({
  data,
  start: 0,
  stride: matrixOf(shape)[1],
});

function stripeOf({ tops }: Survey, blocks: Blocks, step: Step, lead: readonly number[], at: Rectangle): Tensor {
  if (isSource(step.call) || step.call.op !== 'softmax') return blockOf(blocks, step, lead, at);
  const from = blocks.plan.steps.find(({ id }) => id === step.operands[0]);
  if (!from) throw new Error(`step ${step.id} has no operand 0`);
  const scores = blockOf(blocks, from, lead, at);
  const weights = blocks.kernels.softmax(step.call as CallOf<'softmax'>, [scores], scores.shape, 'float32');
  tops.keep(step, lead, at.rows[0], scores, weights);
  return weights;
}

function hiddenOf(blocks: Blocks, { hiddenBy }: Step, lead: readonly number[], rows: Rows): Tensor | undefined {
  const mask = blocks.plan.steps.find(({ id }) => id === hiddenBy);
  if (!mask) return undefined;
  const [height, width] = matrixOf(mask.shape);
  const own = servedLead(mask.shape, lead);
  const there: Rows = height === 1 ? [0, 1] : rows;
  const block = blockOf(blocks, mask, own, { rows: there, columns: [0, width] });
  if (height !== 1) return block;
  const out = new Float32Array((rows[1] - rows[0]) * width);
  for (let y = 0; y < rows[1] - rows[0]; y++) out.set(block.data, y * width);
  return { dtype: 'float32', shape: [rows[1] - rows[0], width], data: out };
}
