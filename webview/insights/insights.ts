import { insightsOfPlan, insightsVary, nextTurn, t, type Insight, type LinkTarget } from '../../engine/index';
import { h, enableLinks, nextFrame, setAttribute, ensureTabStop } from '../draw';
import type { TraceHandle } from '../trace';
import { cardOf, type Reason } from './cards';
import { rowCards } from './row-cards';

export interface Why {
  /** The section of cards. Hidden if a step has none. */
  readonly element: HTMLElement;
  /** Shows the cards for a cell of a step. The previous cell's cards stay until these are computed. */
  show(trace: TraceHandle, step: string, index: readonly number[]): void;
}

/** Shows the engine's insights as cards, below the stage. */
export function createWhy(go: (to: LinkTarget) => void): Why {
  const list = h('div', { class: 'insights' });
  const waiting = h('p', { class: 'why-waiting' }, t('Computing'));
  const element = h(
    'section',
    { class: 'why', 'aria-label': t('In your numbers'), hidden: true },
    h('h2', {}, t('In your numbers')),
    list,
    waiting,
  );
  enableLinks(list, go);
  let latestRequest = 0;
  let drawn: { readonly trace: TraceHandle; readonly step: string; readonly about: string } | undefined;
  const renderCards = (cards: readonly HTMLElement[], more: boolean): void => {
    setAttribute(element, 'data-waiting', more);
    element.hidden = !more && cards.length === 0;
    replaceCards(list, cards, more);
    ensureTabStop(list);
  };
  return {
    element,
    show(trace, step, index) {
      const about = aboutOf(trace, step, index);
      if (drawn?.trace === trace && drawn.step === step && drawn.about === about) return;
      const sameStep = drawn?.trace === trace && drawn.step === step;
      drawn = { trace, step, about };
      const request = ++latestRequest;
      if (!sameStep) {
        list.replaceChildren();
        // If cards are expected, the section is shown at once, so that the layout does not jump when they arrive.
        const come = insightsOfPlan(trace, step)?.length !== 0;
        element.hidden = !come;
        setAttribute(element, 'data-waiting', come);
      }
      // A newer request makes this one obsolete, e.g. while an arrow key is held down.
      const isLatest = (): boolean => request === latestRequest;
      showCards(trace, step, index, isLatest, renderCards).catch(
        // A worker that was stopped never answers. The next trace has a worker of its own.
        () => isLatest() && renderCards([...list.children] as HTMLElement[], false),
      );
    },
  };
}

/** A key for the part of the cell that a step's cards depend on: only batch and head, unless they differ from cell to cell. */
function aboutOf({ plan }: TraceHandle, id: string, index: readonly number[]): string {
  const isSoftmax = plan.steps.some((step) => step.id === id && step.call.op === 'softmax');
  return (isSoftmax || insightsVary(id) ? index : index.slice(0, -2)).join();
}

/** Computes the cards after the frame that shows the numbers, yielding between cards. Slow ones are added when they are ready. */
async function showCards(
  trace: TraceHandle,
  step: string,
  index: readonly number[],
  wanted: () => boolean,
  settle: (cards: readonly HTMLElement[], more: boolean) => void,
): Promise<void> {
  await nextFrame();
  const cards: HTMLElement[] = [];
  for (let more = true; more && wanted();) {
    const found = await trace.insights(step, index);
    more = found.at(-1)?.kind === 'more';
    for (const insight of found.filter(isReason).slice(cards.length)) {
      if (!wanted()) return;
      cards.push(await cardOf(insight, trace, step, index));
      await nextTurn();
    }
    const own = more ? [] : await rowCards(trace, step, index);
    if (wanted()) settle([...cards, ...own], more);
  }
}

const isReason = (insight: Insight): insight is Reason => insight.kind !== 'more';

/** Replaces only the cards that changed, so that a slider being dragged stays. If more are to come, the previous cell's cards stay. */
function replaceCards(list: HTMLElement, cards: readonly HTMLElement[], more: boolean): void {
  cards.forEach((card, i) => {
    const old = list.children[i];
    if (!old) list.append(card);
    else if (titleOf(old) !== titleOf(card) || !old.querySelector('input')) old.replaceWith(card);
  });
  while (!more && list.children.length > cards.length) list.lastElementChild?.remove();
}

const titleOf = (card: Element): string => card.querySelector('h3')?.textContent ?? '';
