import type { AttentionSpec, Plan, Step } from '../../engine/index';
import type { Outcome } from './steps';
import { controls, isChanged } from '../control/table';
import { brief } from '../numbers';
import { isTurned } from '../orientation';
import type { Asked } from '../state';

/** What was changed between two askings, in the controls' own names: `Scale, Mask`. */
export function changedBetween(then: Asked, now: Asked): readonly string[] {
  const { spec } = now.explanation;
  const applicable = controls.filter((c) => c.applies(spec, now.switches) || c.applies(spec, then.switches));
  const labels = applicable
    .filter((c) => c.id !== 'digits' && isChanged(c, now.switches, then.switches))
    .map(({ label }) => label);
  const edits = JSON.stringify(then.switches.edits) !== JSON.stringify(now.switches.edits);
  const input = then.explanation !== now.explanation && !sameInput(then.explanation.spec, spec);
  return [...(input ? ['the input'] : []), ...labels, ...(edits ? ['written cells'] : [])];
}

const sameInput = (a: AttentionSpec, b: AttentionSpec): boolean => JSON.stringify(a) === JSON.stringify(b);

/** `row cat, column sat`, and which head, where there are several. */
export function placeName(step: Step, index: readonly number[], turned: boolean): string {
  const [row = 0, column = 0] = index.slice(-2);
  const lead = index.slice(0, -2);
  const names = [step.rowLabels[row] ?? row, step.columnLabels[column] ?? column];
  if (turned) names.reverse();
  const of = lead.length === 0 ? '' : `, ${lead.length > 1 ? 'input and head' : 'head'} ${lead.join(', ')}`;
  return `row ${names[0]}, column ${names[1]}${of}`;
}

function shapeText(shape: readonly number[], turned: boolean): string {
  const last = shape.slice(-2);
  return [...shape.slice(0, -2), ...(turned ? last.reverse() : last)].join('×');
}

/** What a comparison says of a step, in one sentence. */
export function outcomeText(step: Step, outcome: Outcome | undefined, turned: boolean): string {
  if (!outcome) return 'comparing …';
  switch (outcome.kind) {
    case 'same':
      return `${step.symbol} is the same in both.`;
    case 'somewhere':
      return `${step.symbol} differs.`;
    case 'absent':
      return `the pinned computation has no ${step.symbol} here.`;
    case 'shape':
      return `${step.symbol} was ${shapeText(outcome.then, turned)} and is ${shapeText(step.shape, turned)}: nothing to subtract.`;
    case 'differs': {
      const most = Number.isFinite(outcome.largest) ? brief(outcome.largest, 3) : 'without limit';
      return `${step.symbol} differs most by ${most}:`;
    }
  }
}

/** What the road says of a step. */
export function roadText(plan: Plan, step: Step, outcome: Outcome | undefined): string | undefined {
  if (!outcome || outcome.kind === 'same') return undefined;
  if (outcome.kind === 'absent') return 'not in the pinned computation';
  if (outcome.kind === 'shape') return `was ${shapeText(outcome.then, isTurned(plan, step))}`;
  if (outcome.kind === 'somewhere' || !Number.isFinite(outcome.largest)) return 'differs';
  return `differs by up to ${brief(outcome.largest, 3)}`;
}
