import { t, type AttentionSpec, type Plan, type Token } from '../../engine/index';
import { createShading } from './shade';
import { hasIds, spokenName, written } from './whitespace';
import { createTokenTip } from './tooltip';
import { h, setAttribute } from '../draw';

export interface TokenStripModel {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** Index of the selected token, if the rows of the current step are tokens. */
  readonly token: number | undefined;
}

export interface TokenStrip {
  readonly element: HTMLElement;
  update(model: TokenStripModel): void;
  /** Shades each token by its weight in the selected token's row. Undefined removes the shading. */
  shade(weights: Float64Array | undefined): void;
}

/** Up to `mostShown` tokens each have a button. Of more, only `windowed` around the selected one do, since laying out 2,000 buttons takes 0.1 s. */
const maxButtons = 2000;
const windowSize = 400;

/**
 * The tokens in a row: one tab stop, arrow keys move. A tooltip for the token under the pointer or with the focus shows its id, its range of
 * characters, and the sentences of `attention`.
 */
export function createTokenStrip(
  onToken: (token: number) => void,
  attention: (token: number) => Promise<readonly string[]>,
): TokenStrip {
  const strip = h('div', { class: 'tokens', role: 'toolbar', 'aria-label': t('Tokens') });
  const tip = createTokenTip(attention);
  const buttons = createButtons(strip);
  const show = ({ target }: Event): void => {
    const at = buttons.indexOf(target);
    const [button, token, spec] = [buttons.at(at), buttons.tokenAt(at), buttons.spec()];
    if (button && token && spec) tip.show(at, token, spec, button);
    else tip.hide();
  };
  strip.addEventListener('click', ({ target }) => {
    const at = buttons.indexOf(target);
    if (at >= 0) onToken(at);
  });
  strip.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && tip.isShown()) {
      tip.hide();
      return event.stopPropagation();
    }
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.count() - 1 }[event.key];
    if (at < 0 || to === undefined || !buttons.tokenAt(to)) return;
    event.preventDefault();
    event.stopPropagation();
    onToken(to);
    buttons.scrollToToken(to);
    buttons.at(to)?.focus();
  });
  strip.addEventListener('pointerover', show);
  strip.addEventListener('focusin', show);
  for (const leaving of ['pointerleave', 'focusout', 'scroll']) strip.addEventListener(leaving, tip.hide);
  return {
    element: h('div', { class: 'token-strip' }, strip, tip.element),
    update({ plan, spec, token }) {
      if (buttons.show(plan.tokens, spec, token)) tip.hide();
      buttons.select(token);
    },
    shade: buttons.shade,
  };
}

interface Buttons {
  /** The button of a token, or undefined if it is outside the window. */
  at(token: number): HTMLElement | undefined;
  /** Index of the token whose button contains the target, or -1. */
  indexOf(target: EventTarget | null): number;
  tokenAt(i: number): Token | undefined;
  count(): number;
  spec(): AttentionSpec | undefined;
  /** Shows tokens. Returns false if they are already shown: then their buttons, up to 2,000, are kept. */
  show(tokens: readonly Token[], spec: AttentionSpec, selected: number | undefined): boolean;
  /** Marks a token as selected and makes it the tab stop. */
  select(token: number | undefined): void;
  /** Ensures that a token has a button. Returns true if the window had to move for it. */
  scrollToToken(token: number): boolean;
  shade(weights: Float64Array | undefined): void;
}

/** Creates the buttons of all tokens, or of a window around the selected one, and tracks the selection. */
function createButtons(strip: HTMLElement): Buttons {
  let drawn: readonly Token[] = [];
  let made: readonly HTMLElement[] = [];
  let spec: AttentionSpec | undefined;
  let selected: number | undefined;
  let weights: Float64Array | undefined;
  /** Index of the first button's token. */
  let first = 0;
  const shading = createShading(strip);
  const buttonAt = (token: number): HTMLElement | undefined => made[token - first];
  const draw = (token: number | undefined): void => {
    if (!spec) return;
    const of = spec;
    first = firstShown(token ?? 0, drawn.length);
    const shown = drawn.slice(first, drawn.length > maxButtons ? first + windowSize : undefined);
    made = shown.map((one, i) => tokenButton(one, first + i, of));
    strip.replaceChildren(...moreTokens(first), ...made, ...moreTokens(drawn.length - first - made.length));
    tabStop(made, buttonAt(selected ?? -1));
    shading.watch(made, first);
  };
  // In a header of one line the strip gets narrower once the buttons beside it have their width.
  new ResizeObserver(() => {
    const at = buttonAt(selected ?? -1);
    if (at) reveal(at, strip, false);
  }).observe(strip);
  const scrollToToken = (token: number): boolean => {
    if (buttonAt(token) || !drawn[token]) return false;
    const hadFocus = strip.contains(document.activeElement);
    draw(token);
    mark(buttonAt(selected ?? -1), true);
    shading.shade(weights);
    if (hadFocus) buttonAt(token)?.focus({ preventScroll: true });
    return true;
  };
  return {
    at: buttonAt,
    indexOf(target) {
      const at = made.indexOf((target as Element | null)?.closest?.('.token-button') as HTMLElement);
      return at < 0 ? -1 : first + at;
    },
    tokenAt: (i) => drawn[i],
    count: () => drawn.length,
    spec: () => spec,
    show(tokens, next, token) {
      const same = isSameRow(tokens, next, drawn, spec);
      spec = next;
      if (same) return false;
      [drawn, selected, weights] = [tokens, undefined, undefined];
      draw(token);
      return true;
    },
    select(token) {
      if (token === selected) return;
      mark(buttonAt(selected ?? -1), false);
      selected = token;
      const moved = token !== undefined && scrollToToken(token);
      const at = buttonAt(token ?? -1);
      mark(at, true);
      tabStop(made, at);
      if (at) reveal(at, strip, moved);
    },
    scrollToToken,
    shade(next) {
      weights = next;
      shading.shade(next);
    },
  };
}

/** Start of the window: the token is in the middle unless it is near an end of the input. */
const firstShown = (token: number, count: number): number =>
  count > maxButtons ? Math.max(0, Math.min(count - windowSize, token - windowSize / 2)) : 0;

/** A count of the tokens before or after the window. */
const moreTokens = (count: number): HTMLElement[] =>
  count > 0 ? [h('span', { class: 'more-tokens' }, t('… {0} more', count))] : [];

/** Makes the first button the tab stop unless another is selected. */
function tabStop([first]: readonly HTMLElement[], selected: HTMLElement | undefined): void {
  if (first) first.tabIndex = selected && selected !== first ? -1 : 0;
}

/** Whether the buttons for these tokens would equal those for the previous ones. */
function isSameRow(
  tokens: readonly Token[],
  { start }: AttentionSpec,
  before: readonly Token[],
  spec: AttentionSpec | undefined,
): boolean {
  if (!spec || tokens.length !== before.length || start.from !== spec.start.from) return false;
  if (start.from === 'text' && spec.start.from === 'text' && start.tokenizer !== spec.start.tokenizer) return false;
  return tokens.every((token, i) => {
    const other = before[i];
    return (
      other?.text === token.text &&
      other.id === token.id &&
      other.start === token.start &&
      other.end === token.end &&
      other.special === token.special
    );
  });
}

function tokenButton(token: Token, i: number, spec: AttentionSpec): HTMLElement {
  const attributes = {
    type: 'button',
    class: 'token-button',
    tabindex: -1,
    'aria-label': spokenName(token, i, spec),
    'data-id': hasIds(spec) ? token.id : undefined,
    'data-special': token.special,
  };
  return h('button', attributes, ...written(token));
}

function mark(button: HTMLElement | undefined, on: boolean): void {
  if (!button) return;
  setAttribute(button, 'aria-pressed', on ? 'true' : undefined);
  button.tabIndex = on ? 0 : -1;
}

/** Scrolls only the strip, not the page: as little as needed, or so that the button is in the middle. */
function reveal(button: HTMLElement, strip: HTMLElement, centred: boolean): void {
  const [inner, outer] = [button.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (centred) strip.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  else if (inner.left < outer.left) strip.scrollLeft -= outer.left - inner.left + 8;
  else if (inner.right > outer.right) strip.scrollLeft += inner.right - outer.right + 8;
}
