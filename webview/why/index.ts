import { t } from '../../engine/index';
import type { TraceHandle } from '../trace-handle';
import { h } from '../ui';
import { cardOf } from './cards';
import { rowCards } from './row-cards';

export interface Why {
  /** Reasons in the reader's own numbers; empty where a step has none. */
  readonly element: HTMLElement;
  /** The reasons of a step for one of its cells. The last ones stay until these are computed. */
  show(trace: TraceHandle, step: string, index: readonly number[]): void;
}

/** Cards under the stage that the engine's insights feed. */
export function createWhy(): Why {
  const list = h('div', { class: 'insights' });
  const element = h(
    'section',
    { class: 'why', 'aria-label': t('In your numbers'), hidden: true },
    h('h2', {}, t('In your numbers')),
    list,
  );
  let turn = 0;
  let drawn: { readonly trace: TraceHandle; readonly step: string; readonly cell: string } | undefined;
  return {
    element,
    show(trace, step, index) {
      const cell = index.join();
      if (drawn?.trace === trace && drawn.step === step && drawn.cell === cell) return;
      const sameStep = drawn?.trace === trace && drawn.step === step;
      drawn = { trace, step, cell };
      const mine = ++turn;
      if (!sameStep) list.replaceChildren();
      const computed = nextFrame().then(() => {
        // Another was asked for meanwhile, as by an arrow key that is held down.
        return mine === turn ? Promise.all([trace.insights(step, index), rowCards(trace, step, index)]) : undefined;
      });
      computed.then(
        (reasons) => {
          if (!reasons || mine !== turn) return;
          const [found, own] = reasons;
          element.hidden = found.length + own.length === 0;
          replaceCards(list, [...found.map((insight) => cardOf(insight, trace, index.at(-3) ?? 0)), ...own]);
        },
        // A worker that was stopped answers no more; the next trace brings its own.
        () => undefined,
      );
    },
  };
}

/** After the frame that shows the numbers: reasons take as long as these, and are read later. */
const nextFrame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => void setTimeout(done)));

/** A slider that is being moved stays: only cards whose text differs are exchanged. */
function replaceCards(list: HTMLElement, cards: readonly HTMLElement[]): void {
  cards.forEach((card, i) => {
    const old = list.children[i];
    if (!old) list.append(card);
    else if (titleOf(old) !== titleOf(card) || !old.querySelector('input')) old.replaceWith(card);
  });
  while (list.children.length > cards.length) list.lastElementChild?.remove();
}

const titleOf = (card: Element): string => card.querySelector('h3')?.textContent ?? '';
