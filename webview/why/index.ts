import { insightsOfPlan, insightsVary, nextTurn, t } from '../../engine/index';
import { nextFrame } from '../frame';
import type { TraceHandle } from '../trace-handle';
import { h, setAttribute } from '../ui';
import { cardOf } from './cards';
import { rowCards } from './row-cards';

export interface Why {
  /** Reasons in the reader's own numbers; empty where a step has none. */
  readonly element: HTMLElement;
  /** The reasons of a step for one of its cells. Those of another cell stay until these are there. */
  show(trace: TraceHandle, step: string, index: readonly number[]): void;
}

/** Cards under the stage that the engine's insights feed. */
export function createWhy(): Why {
  const list = h('div', { class: 'insights' });
  const waiting = h('p', { class: 'why-waiting' }, t('Computing'));
  const element = h(
    'section',
    { class: 'why', 'aria-label': t('In your numbers'), hidden: true },
    h('h2', {}, t('In your numbers')),
    waiting,
    list,
  );
  let turn = 0;
  let drawn: { readonly trace: TraceHandle; readonly step: string; readonly about: string } | undefined;
  const settle = (cards: readonly HTMLElement[]): void => {
    setAttribute(element, 'data-waiting', false);
    element.hidden = cards.length === 0;
    replaceCards(list, cards);
  };
  return {
    element,
    show(trace, step, index) {
      const about = aboutOf(trace, step, index);
      if (drawn?.trace === trace && drawn.step === step && drawn.about === about) return;
      const sameStep = drawn?.trace === trace && drawn.step === step;
      drawn = { trace, step, about };
      const mine = ++turn;
      if (!sameStep) {
        list.replaceChildren();
        // Room is kept where reasons are to come, so that nothing jumps when they do.
        const come = insightsOfPlan(trace, step)?.length !== 0;
        element.hidden = !come;
        setAttribute(element, 'data-waiting', come);
      }
      // Another may be asked for meanwhile, as by an arrow key that is held down.
      cardsFor(trace, step, index, () => mine === turn).then(
        (cards) => mine === turn && settle(cards),
        // A worker that was stopped answers no more; the next trace brings its own.
        () => mine === turn && settle([...list.children] as HTMLElement[]),
      );
    },
  };
}

/** What of the cell the reasons of a step are about: the head alone, unless they go from cell to cell. */
function aboutOf({ plan }: TraceHandle, id: string, index: readonly number[]): string {
  const isSoftmax = plan.steps.some((step) => step.id === id && step.call.op === 'softmax');
  return (isSoftmax || insightsVary(id) ? index : index.slice(0, -2)).join();
}

/** After the frame that shows the numbers, and each card by itself. */
async function cardsFor(
  trace: TraceHandle,
  step: string,
  index: readonly number[],
  wanted: () => boolean,
): Promise<readonly HTMLElement[]> {
  await nextFrame();
  if (!wanted()) return [];
  const [found, own] = await Promise.all([trace.insights(step, index), rowCards(trace, step, index)]);
  const cards: HTMLElement[] = [];
  for (const insight of found) {
    if (!wanted()) return [];
    cards.push(await cardOf(insight, trace, index.at(-3) ?? 0));
    await nextTurn();
  }
  return [...cards, ...own];
}

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
