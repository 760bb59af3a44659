import type { Explanation } from '../protocol';
import { update, type Session } from '../session';
import type { AppState } from '../state';

/** Where to scroll once there is enough to scroll: after a change of step or input, and after a reload. */
export interface Scroll {
  readonly content: HTMLElement;
  shownStep?: string;
  shownInput?: Explanation;
  pending?: number;
}

/** Saves where the reader scrolled to, once it settles. */
export function keepScroll(content: HTMLElement, session: Session): Scroll {
  const scroll: Scroll = { content };
  let timer: number | undefined;
  const save = (): void => {
    const { scrollTop } = content;
    const settled = scroll.pending === undefined && scrollTop !== session.state.scroll;
    if (settled) update(session, { ...session.state, scroll: scrollTop });
  };
  content.addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = window.setTimeout(save, 150);
  });
  return scroll;
}

/** Scrolls anew where another step or input is shown. */
export function placeScroll(scroll: Scroll, state: AppState, input: Explanation): void {
  if (scroll.shownStep === state.step && scroll.shownInput === input) return;
  Object.assign(scroll, { shownStep: state.step, shownInput: input, pending: state.scroll });
  scroll.content.scrollTop = state.scroll;
}

/** Scrolls again once everything has its height. */
export function settleScroll(scroll: Scroll): void {
  if (scroll.pending === undefined) return;
  scroll.content.scrollTop = scroll.pending;
  delete scroll.pending;
}
