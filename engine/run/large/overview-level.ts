import type { Plan, Step } from '../../plan';
import { sizeOf } from '../../math';
import { matrixShape } from '../tile';
import { blockBytes } from './pyramid';

/* Which steps an overview shows, and at which resolution. */

/**
 * Most blocks along a side of a pyramid. Half as many for shorter inputs: there a finer tile is fast to compute anyway, and pooling into
 * small blocks would cost more than the attention itself.
 */
const mostBlocks = (longest: number): number => (longest > 1 << 14 ? 1024 : 512);
/** Most bytes of all pyramids together. */
const mostBytes = 1 << 28;

/** The deferred steps without pattern masks, whose tiles follow from a formula. */
export const overviewSteps = ({ steps }: Plan, deferred: ReadonlySet<string>): readonly Step[] =>
  steps.filter(({ id, call }) => deferred.has(id) && call.op !== 'patternMask');

/** The finest level at which no pyramid has more than `side` blocks along a side, and all of them fit in `mostBytes`. */
export function levelFor(steps: readonly Step[], side?: number): number {
  const longest = Math.max(1, ...steps.flatMap(({ shape }) => matrixShape(shape)));
  const most = side ?? mostBlocks(longest);
  let level = 1;
  while (longest / (1 << level) > most || overviewBytes(steps, level) > mostBytes) level++;
  return level;
}

/** Most bytes of the pyramids of `steps`, including their counts of hidden cells. */
export const overviewBytes = (steps: readonly Step[], level: number): number =>
  steps.reduce((sum, step) => sum + (blockBytes + 4) * blocksOf(step, 1 << level), 0);

function blocksOf({ shape }: Step, size: number): number {
  const [rows, columns] = matrixShape(shape);
  return sizeOf(shape.slice(0, -2)) * Math.ceil(rows / size) * Math.ceil(columns / size);
}
