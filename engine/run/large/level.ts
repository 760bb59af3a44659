import type { Plan, Step } from '../../plan/plan';
import { sizeOf } from '../../math/tensor';
import { matrixOf } from '../tile';
import { blockBytes } from './pyramid';

/* Which steps an overview has pictures of, and how fine these are. */

/**
 * Blocks along a side of a picture at most: half as many where a finer tile is computed at once anyway, since small blocks cost more than
 * the attention itself.
 */
const mostBlocks = (longest: number): number => (longest > 1 << 14 ? 1024 : 512);
/** Bytes of all pictures together. */
const mostBytes = 1 << 28;

/** Deferred steps, less masks by a rule, which are known without a picture. */
export const picturedSteps = ({ steps }: Plan, deferred: ReadonlySet<string>): readonly Step[] =>
  steps.filter(({ id, call }) => deferred.has(id) && call.op !== 'patternMask');

/** The finest level at which no picture has more than `side` blocks along a side, and all together are not too many. */
export function levelFor(steps: readonly Step[], side?: number): number {
  const longest = Math.max(1, ...steps.flatMap(({ shape }) => matrixOf(shape)));
  const most = side ?? mostBlocks(longest);
  let level = 1;
  while (longest / (1 << level) > most || pictureBytes(steps, level) > mostBytes) level++;
  return level;
}

/** Bytes of the pictures of `steps` at most, with counts of hidden cells. */
export const pictureBytes = (steps: readonly Step[], level: number): number =>
  steps.reduce((sum, step) => sum + (blockBytes + 4) * blocksOf(step, 1 << level), 0);

function blocksOf({ shape }: Step, size: number): number {
  const [rows, columns] = matrixOf(shape);
  return sizeOf(shape.slice(0, -2)) * Math.ceil(rows / size) * Math.ceil(columns / size);
}
