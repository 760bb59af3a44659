import { t } from '../text/l10n';
import type { Plan, Step } from '../plan/plan';
import { workOf } from '../plan/work';
import type { Problem } from '../text/problems';
import { formatShape, sizeOf, type DType } from '../math/tensor';
import { heldBytes } from './large/bytes';
import { deferredSteps, heldLimit } from './large/deferred';

/*
 * What a spec may cost, counted from the shapes of its plan before anything is allocated: one place for the host, the page, the terminal,
 * lessons, files and links.
 */

/** A trace that would hold more bytes than this is refused before anything is allocated. */
export const memoryLimit = 1 << 30;

/** Most multiply-adds of the steps that are held, half an hour's work: nothing that fits in the memory asks for more. */
export const workLimit = 0x100_0000_0000;

/** What is computed though nobody asked for it: diagnostics and previews of a text that is open, an answer of a lesson. */
export const unasked = {
  /** Multiply-adds: 256 tokens of width 16. */
  work: 1 << 20,
  /** Bytes of all steps. */
  bytes: 1 << 24,
} as const;

/** Whether a plan may be computed unasked. */
export const isSmall = ({ multiplyAdds, bytes }: Pick<Plan, 'multiplyAdds' | 'bytes'>): boolean =>
  multiplyAdds <= unasked.work && bytes <= unasked.bytes;

/** Steps of which a trace of this plan holds no numbers: they are computed when they are looked at. */
export const deferredOf = (plan: Plan): ReadonlySet<string> =>
  plan.bytes > heldLimit ? deferredSteps(plan) : new Set();

/** Bytes that a trace of this plan holds: of a large one without the steps that are computed when they are looked at, with what shows them. */
export const bytesHeld = (plan: Plan, dtype: DType, deferred = deferredOf(plan)): number =>
  heldBytes(plan, deferred, dtype);

/** Multiply-adds of the steps that are computed at once. */
export const workHeld = ({ steps }: Plan, deferred: ReadonlySet<string>): number =>
  steps.reduce((sum, step) => sum + (deferred.has(step.id) ? 0 : workOf(step, steps)), 0);

/** Why a plan is not computed, with what it would need and the limit; undefined where it may be. */
export function overBudget(plan: Plan, dtype: DType, deferred = deferredOf(plan)): Problem | undefined {
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

/** What is to be made smaller: the tokens, or the width of the largest step where that is what is large. */
function hintFor({ steps, tokens }: Plan, deferred: ReadonlySet<string>): string {
  const held = steps.filter(({ id }) => !deferred.has(id));
  const [largest] = [...held].sort((a, b) => sizeOf(b.shape) - sizeOf(a.shape));
  return largest && widthOf(largest) > tokens.length
    ? t('{0} is {1}: take a smaller width.', largest.symbol, formatShape(largest.shape))
    : t('Select fewer tokens.');
}

const widthOf = ({ shape }: Step): number => shape.at(-1) ?? 1;
