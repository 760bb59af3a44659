import { t, type Problem } from '../text';
import { type Plan, type Step, workOf } from '../plan';
import { formatShape, sizeOf, type Precision } from '../math';
import { heldBytes } from './large/memory';
import { deferredSteps, heldLimit } from './large/deferred';

/*
 * Cost limits of a spec. They are checked from the plan's shapes, before anything is allocated. The extension, the page, the command
 * line, lessons, files and links all use these.
 */

/** A trace that would hold more bytes than this is refused. */
export const memoryLimit = 1 << 30;

/** A plan whose held steps need more multiply-adds than this (about half an hour) is refused. */
export const workLimit = 0x100_0000_0000;

/** Limits for work that the user did not ask for: diagnostics and previews of an open file, a lesson's answers. */
export const backgroundBudget = {
  /** Multiply-adds: 256 tokens of width 16. */
  work: 1 << 20,
  /** Bytes of all steps. */
  bytes: 1 << 24,
} as const;

/** Whether a plan is cheap enough to be computed in the background (`backgroundBudget`). */
export const isSmall = ({ multiplyAdds, bytes }: Pick<Plan, 'multiplyAdds' | 'bytes'>): boolean =>
  multiplyAdds <= backgroundBudget.work && bytes <= backgroundBudget.bytes;

/** Ids of the deferred steps: a trace does not store their values, but computes them when they are read. */
export const deferredOf = (plan: Plan): ReadonlySet<string> =>
  plan.bytes > heldLimit ? deferredSteps(plan) : new Set();

/** Bytes that a trace of this plan holds. Deferred steps count only with the caches and overview pyramids that show them. */
export const bytesHeld = (plan: Plan, dtype: Precision, deferred = deferredOf(plan)): number =>
  heldBytes(plan, deferred, dtype);

/** Multiply-adds of the steps that are not deferred. */
export const workHeld = ({ steps }: Plan, deferred: ReadonlySet<string>): number =>
  steps.reduce((sum, step) => sum + (deferred.has(step.id) ? 0 : workOf(step, steps)), 0);

/** The problem `too-large`, with the cost and the limit, where a plan exceeds a limit; otherwise undefined. */
export function overBudget(plan: Plan, dtype: Precision, deferred = deferredOf(plan)): Problem | undefined {
  const bytes = bytesHeld(plan, dtype, deferred);
  if (!(bytes <= memoryLimit)) return tooLarge(plan, deferred, bytes);
  const work = workHeld(plan, deferred);
  if (work <= workLimit) return undefined;
  const message = t('the steps would need {0} multiply-adds, the limit is {1}', work, workLimit);
  return { code: 'too-large', message, hint: hintFor(plan, deferred) };
}

function tooLarge(plan: Plan, deferred: ReadonlySet<string>, bytes: number): Problem {
  const mb = (of: number): string => t('{0} MB', Math.ceil(of / 1e6));
  return {
    code: 'too-large',
    message: t('{0} tokens would need {1}, the limit is {2}', plan.tokens.length, mb(bytes), mb(memoryLimit)),
    hint: hintFor(plan, deferred),
  };
}

/** Advice: fewer tokens, or a smaller width where the largest step is wider than it is long. */
function hintFor({ steps, tokens }: Plan, deferred: ReadonlySet<string>): string {
  const held = steps.filter(({ id }) => !deferred.has(id));
  const [largest] = [...held].sort((a, b) => sizeOf(b.shape) - sizeOf(a.shape));
  return largest && widthOf(largest) > tokens.length
    ? t('{0} is {1}: take a smaller width.', largest.symbol, formatShape(largest.shape))
    : t('Select fewer tokens.');
}

const widthOf = ({ shape }: Step): number => shape.at(-1) ?? 1;
