import type { Explanation } from '../protocol';
import { update, type AppState, type Session } from '../session';

/** Where to scroll once there is enough to scroll: after a change of step or input, and after a reload. */
export interface Scroll {
  readonly content: HTMLElement;
  /** Where the content was at the last frame: asking it, or telling it what it has, forces a layout. */
  at: number;
  shownStep?: string;
  shownInput?: Explanation;
  pending?: number;
}

/** Saves where the reader scrolled to, once it settles. */
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

/** Scrolls anew where another step or input is shown. */
export function placeScroll(scroll: Scroll, state: AppState, input: Explanation): void {
  if (scroll.shownStep === state.step && scroll.shownInput === input) return;
  Object.assign(scroll, { shownStep: state.step, shownInput: input, pending: state.scroll });
  scrollTo(scroll, state.scroll);
}

/** Scrolls again once everything has its height. */
export function settleScroll(scroll: Scroll): void {
  if (scroll.pending === undefined) return;
  scrollTo(scroll, scroll.pending);
  delete scroll.pending;
}

/** At its start the content stays there, however its height changes. */
function scrollTo({ content, at }: Scroll, to: number): void {
  if (to > 0 || at > 0) content.scrollTop = to;
}
