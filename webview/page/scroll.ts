import type { Explanation } from '../protocol';
import { atCell, update, type AppState, type Session } from '../session';

/** A scroll position to restore once the content is high enough: after a change of step or input, and after a reload. */
export interface Scroll {
  readonly content: HTMLElement;
  /** The scroll position at the last frame, cached because reading or setting it forces a layout. */
  at: number;
  /** The step, or nothing for the text's question. */
  shownView?: string;
  shownInput?: Explanation;
  /** The input in which the reader has chosen a cell. It stays chosen in a step whose example it is. */
  chosenIn?: Explanation;
  pending?: AppState['scroll'];
}

/** Saves the reader's scroll position once scrolling has stopped. */
export function keepScroll(content: HTMLElement, session: Session): Scroll {
  const scroll: Scroll = { content, at: 0 };
  let timer: number | undefined;
  const save = (): void => {
    const { scrollTop } = content;
    const settled = scroll.pending === undefined && scrollTop !== session.state.scroll;
    if (settled) update(session, { ...session.state, scroll: scrollTop });
  };
  content.addEventListener('scroll', () => {
    scroll.at = content.scrollTop;
    clearTimeout(timer);
    timer = window.setTimeout(save, 150);
  });
  return scroll;
}

const viewOf = ({ reading, step }: AppState): string | undefined => (reading.opening ? '' : step);

/**
 * Whether another step is about to be drawn while the reader, who has scrolled or chosen a cell, sees the cell above the inspector: then they see it
 * in that step too. Not from the step's head or words: the focus stays there or moves to the title, and has to be seen.
 */
export function seesCell(scroll: Scroll, state: AppState, input: Explanation): boolean {
  const { content, at, shownView, shownInput, chosenIn } = scroll;
  if (shownView === viewOf(state) || shownInput !== input || state.scroll !== 0) return false;
  if (chosenIn !== input && at === 0) return false;
  if (document.activeElement?.closest('.stage-head, .lead, .cards')) return false;
  const [cell, foot] = [chosenCell(content), content.querySelector('.inspector-box')];
  if (!cell || !foot || !isOver(foot)) return false;
  const [inner, outer, below] = [cell, content, foot].map((element) => element.getBoundingClientRect());
  if (!inner || !outer || !below) return false;
  return inner.height > 0 && inner.top >= outer.top && inner.bottom <= below.top;
}

/** Scrolls to the state's position if another view or input is shown, or to the chosen cell. */
export function placeScroll(scroll: Scroll, state: AppState, input: Explanation, toCell: boolean): void {
  const view = viewOf(state);
  if (scroll.shownView === view && scroll.shownInput === input) return;
  const to = toCell ? atCell : state.scroll;
  Object.assign(scroll, { shownView: view, shownInput: input, pending: to });
  place(scroll, to === atCell ? 0 : to);
}

/** Restores the position again when all content has its height. */
export function settleScroll(scroll: Scroll): void {
  if (scroll.pending === undefined) return;
  if (scroll.pending === atCell) showCell(scroll.content);
  else place(scroll, scroll.pending);
  delete scroll.pending;
}

/** Scrolls no further than it takes for the selected cell to stand above the inspector, which may cover the foot of the content (style.css). */
function showCell(content: HTMLElement): void {
  const stage = content.querySelector<HTMLElement>('.stage');
  // The motion has the whole height and stays where it is.
  if (stage?.dataset['motion'] !== undefined) return;
  const cell = chosenCell(content);
  const foot = content.querySelector('.inspector-box');
  if (!cell || !foot) return;
  const [inner, outer] = [cell, content].map((element) => element.getBoundingClientRect());
  if (!inner || !outer) return;
  // The inspector may still get the content that makes it as high as it can be.
  const covered = isOver(foot) ? outer.height * highest : 0;
  const past = inner.bottom + margin - (outer.bottom - covered);
  if (past > 0) content.scrollTop += Math.min(past, Math.max(0, inner.top - margin - outer.top));
}

function chosenCell(content: HTMLElement): Element | null {
  const step = content.querySelector<HTMLElement>('.stage')?.dataset['currentStep'] ?? '';
  return content.querySelector(`.stage [data-matrix="${CSS.escape(step)}"] .heatmap-cell[aria-selected=true]`);
}

/** Whether the inspector covers the foot of the content. */
const isOver = (foot: Element): boolean => getComputedStyle(foot).position === 'sticky';

/** The inspector's greatest share of the content's height, as style.css has it. */
const highest = 0.46;
/** Pixels between a cell that was scrolled to and the edge. */
const margin = 12;

/** Scrolls to a position. Content that is at its start and stays there is not touched, whatever its height. */
function place({ content, at }: Scroll, to: number): void {
  if (to > 0 || at > 0) content.scrollTop = to;
}
