import { t, type Step } from '../../engine/index';
import { isOff, shownShape, walkedSteps, type TraceHandle } from '../trace';
import { h, plain, setText } from '../draw';

/** A live region: announces changes to screen readers. */
export interface Announcer {
  readonly element: HTMLElement;
  /** Announces the step, or that it was recomputed if only its numbers changed. */
  announce(step: Step, trace: TraceHandle, hidden: boolean): void;
}

export function createAnnouncer(): Announcer {
  const element = h('div', { class: 'spoken', 'aria-live': 'polite' });
  let before: { readonly step: string; readonly trace: TraceHandle } | undefined;
  return {
    element,
    announce(step, trace, hidden) {
      const again = before?.step === step.id && before.trace !== trace;
      const text = textOf(step, trace, hidden);
      if (before?.step !== step.id || again) setText(element, plain(again ? t('{0}, recomputed', text) : text));
      before = { step: step.id, trace };
    },
  };
}

function textOf(step: Step, { plan }: TraceHandle, hidden: boolean): string {
  const steps = walkedSteps(plan);
  const place = step.place === 'input' ? t('input') : isOff(step) ? t('unchanged') : t('step {0} of {1}', steps.indexOf(step) + 1, steps.length); // prettier-ignore
  return `${step.words.name}, ${place}, ${hidden ? t('to be predicted') : shownShape(plan, step).join(t(' by '))}`;
}
