import { leadingDimensions, t, type AttentionSpec, type Plan, type Step } from '../../engine/index';
import type { Outcome } from './compare-steps';
import { controls, isChanged, isOfDisplay } from '../controls';
import { brief } from '../draw';
import { isTransposed, shownNames, type TraceHandle } from '../trace';
import type { Asked } from '../session';

/** What was changed between two explanations, by names of controls: `Scale, Mask`. */
export function changedBetween(then: Asked, now: Asked): readonly string[] {
  const { spec } = now.explanation;
  const applicable = controls.filter((c) => c.applies(spec, now.switches) || c.applies(spec, then.switches));
  const labels = applicable
    .filter((c) => !isOfDisplay(c) && isChanged(c, now.switches, then.switches))
    .map(({ label }) => label());
  const edits = JSON.stringify(then.switches.edits) !== JSON.stringify(now.switches.edits);
  const input = then.explanation !== now.explanation && !sameInput(then.explanation.spec, spec);
  return [...(input ? [t('the input')] : []), ...labels, ...(edits ? [t('edited cells')] : [])];
}

const sameInput = (a: AttentionSpec, b: AttentionSpec): boolean => JSON.stringify(a) === JSON.stringify(b);

/** `row cat, column sat`, and the input and the head if there are several. */
export function placeName(
  { plan, spec }: Pick<TraceHandle, 'plan' | 'spec'>,
  step: Step,
  index: readonly number[],
): string {
  const [row = 0, column = 0] = index.slice(-2);
  const place = t('row {0}, column {1}', ...shownNames(plan, step, [row, column]));
  return leadingDimensions(plan, spec.heads, step).reduce((text, part, i) => {
    if ((step.shape[i] ?? 1) < 2) return text;
    return part === 'head' ? t('{0}, head {1}', text, index[i] ?? 0) : t('{0}, input {1}', text, index[i] ?? 0);
  }, place);
}

function shapeText(shape: readonly number[], turned: boolean): string {
  const last = shape.slice(-2);
  return [...shape.slice(0, -2), ...(turned ? last.reverse() : last)].join('×');
}

/** The result of comparing a step, as a sentence. */
export function outcomeText(step: Step, outcome: Outcome | undefined, turned: boolean): string {
  if (!outcome) return t('comparing …');
  switch (outcome.kind) {
    case 'same':
      return t('{0} is the same in both.', step.symbol);
    case 'somewhere':
      return t('{0} differs.', step.symbol);
    case 'absent':
      return t('the pinned computation has no {0} here.', step.symbol);
    case 'shape':
      return t(
        '{0} was {1} and is now {2}: the shapes differ, so there is no difference matrix.',
        step.symbol,
        shapeText(outcome.then, turned),
        shapeText(step.shape, turned),
      );
    case 'differs': {
      const most = Number.isFinite(outcome.largest) ? brief(outcome.largest, 3) : t('infinitely much (NaN or ∞)');
      return t('{0} differs most by {1}:', step.symbol, most);
    }
  }
}

/** The result of comparing a step, for the timeline. Undefined if it is the same. */
export function timelineText(plan: Plan, step: Step, outcome: Outcome | undefined): string | undefined {
  if (!outcome || outcome.kind === 'same') return undefined;
  if (outcome.kind === 'absent') return t('not in the pinned computation');
  if (outcome.kind === 'shape') return t('was {0}', shapeText(outcome.then, isTransposed(plan, step)));
  if (outcome.kind === 'somewhere' || !Number.isFinite(outcome.largest)) return t('differs');
  return t('differs by up to {0}', brief(outcome.largest, 3));
}
