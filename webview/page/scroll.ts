import type { Explanation } from '../protocol';
import { update, type AppState, type Session } from '../session';

/** A scroll position to restore once the content is high enough: after a change of step or input, and after a reload. */
export interface Scroll {
  readonly content: HTMLElement;
  /** The scroll position at the last frame, cached because reading or setting it forces a layout. */
  at: number;
  shownStep?: string;
  shownInput?: Explanation;
  pending?: number;
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

/** Scrolls to the state's position if another step or input is shown. */
export function placeScroll(scroll: Scroll, state: AppState, input: Explanation): void {
  if (scroll.shownStep === state.step && scroll.shownInput === input) return;
  Object.assign(scroll, { shownStep: state.step, shownInput: input, pending: state.scroll });
  scrollTo(scroll, state.scroll);
}

/** Restores the position again when all content has its height. */
export function settleScroll(scroll: Scroll): void {
  if (scroll.pending === undefined) return;
  scrollTo(scroll, scroll.pending);
  delete scroll.pending;
}

/** Scrolls to a position. Content that is at its start and stays there is not touched, whatever its height. */
function scrollTo({ content, at }: Scroll, to: number): void {
  if (to > 0 || at > 0) content.scrollTop = to;
}
