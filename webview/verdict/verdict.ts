import { t, type CheckVerdict, type Plan } from '../../engine/index';
import type { Beside, Explanation } from '../protocol';
import { h, icon, setAttribute, typeset } from '../draw';
import { stepOf } from '../trace';

/** What was found, and where the reader stands: at the attention as it is right, or at that with the mistakes. */
export interface VerdictModel {
  readonly checked: CheckVerdict;
  /** The spec with the mistakes, or with another computation that gives the result. */
  readonly beside: Beside | undefined;
  readonly turned: boolean;
  /** Whether controls were changed since: the finding is about the attention as it was read. */
  readonly changed: boolean;
}

export interface VerdictActions {
  /** Shows the step that was compared, and the cell that differs most. */
  readonly onShow: (checked: CheckVerdict) => void;
  readonly onTurn: () => void;
}

export interface VerdictView {
  readonly element: HTMLElement;
  update(model: VerdictModel | undefined, plan: Plan): void;
  /** Marks the steps that the mistakes change in the timeline. To be called after other marks. */
  markTimeline(timeline: HTMLElement): void;
}

/** The finding of an explanation, also where the reader has turned to the spec beside it. */
export const verdictIn = ({ checked, beside, turnedFrom }: Explanation): Omit<VerdictModel, 'changed'> | undefined => {
  const own = checked ?? turnedFrom?.checked;
  const turned = checked === undefined;
  return own && { checked: own, beside: turned ? turnedFrom?.beside : beside, turned };
};

/** The finding in words, above everything else. It is rebuilt only when it differs, so that the focus stays. */
export function createVerdict(actions: VerdictActions): VerdictView {
  const element = h('section', { class: 'verdict', 'aria-label': t('Your numbers') });
  let told = '';
  let shown: VerdictModel | undefined;
  return {
    element,
    update(model, plan) {
      shown = model;
      element.hidden = model === undefined;
      const key = JSON.stringify([model, plan.steps.map(({ id }) => id)]);
      if (key === told || !model) return;
      told = key;
      const focused = element.contains(document.activeElement) && document.activeElement?.getAttribute('data-tool');
      setAttribute(element, 'data-is', model.checked.is);
      element.replaceChildren(...partsOf(model, plan, actions));
      if (focused) element.querySelector<HTMLElement>(`[data-tool="${focused}"]`)?.focus({ preventScroll: true });
    },
    markTimeline(timeline) {
      if (!shown || shown.turned || shown.changed) return;
      for (const id of shown.checked.differs)
        for (const stop of timeline.querySelectorAll(`[data-step="${id}"]`)) {
          setAttribute(stop, 'data-differs', true);
          setAttribute(
            stop,
            'aria-description',
            shown.checked.isCode ? t('departs from attention') : t('differs from your result'),
          );
        }
    },
  };
}

function partsOf({ checked, beside, turned, changed }: VerdictModel, plan: Plan, actions: VerdictActions): Node[] {
  const { is, says, findings, at } = checked;
  const step = at && stepOf(plan, at.step);
  const because = turned ? beside?.links?.says : beside?.says;
  const link = turned ? beside?.links?.back : beside?.links?.there;
  return [
    icon(is === 'step' ? 'note' : 'warning'),
    h(
      'div',
      { class: 'verdict-text' },
      h('h2', {}, ...typeset(says)),
      ...findings.flatMap(findingParts),
      because && h('p', { class: 'because', role: 'status' }, ...typeset(because)),
      changed && h('p', { class: 'verdict-note' }, t('Controls were changed since: this was found before.')),
      h(
        'div',
        { class: 'tool-line' },
        step && !turned && linkTo('show', t('Show {0}', step.words.name), () => actions.onShow(checked)),
        link !== undefined && linkTo('turn', link, actions.onTurn),
      ),
    ),
  ];
}

function findingParts({ lines, write }: CheckVerdict['findings'][number]): Node[] {
  const code = write.map((line) => h('code', {}, line));
  return [
    ...(lines.length > 0 ? [h('ul', {}, ...lines.map((line) => h('li', {}, ...typeset(line))))] : []),
    ...(code.length > 0 ? [h('p', { class: 'write' }, t('Write instead:'), ' ', ...code)] : []),
  ];
}

function linkTo(tool: string, text: string, onClick: () => void): HTMLElement {
  const button = h('button', { type: 'button', class: 'text-link tool', 'data-tool': tool }, ...typeset(text));
  button.addEventListener('click', onClick);
  return button;
}
