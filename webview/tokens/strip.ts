import { t, type AttentionSpec, type Plan, type Token } from '../../engine/index';
import { createShading } from './shade';
import { hasIds, spokenName, written } from './whitespace';
import { createTokenTip } from './tooltip';
import { h, setAttribute } from '../draw';

export interface TokenStripModel {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** The row of the selected token, if rows are tokens. */
  readonly token: number | undefined;
}

export interface TokenStrip {
  readonly element: HTMLElement;
  update(model: TokenStripModel): void;
  /** Shades each token by its weight for the selected one; undefined takes the shading away. */
  shade(weights: Float64Array | undefined): void;
}

/** As many tokens have a button each; of a longer input, `windowed` around the selected one: laying out 2,000 takes a tenth of a second. */
const mostShown = 2000;
const windowed = 400;

/**
 * The tokens in a row: one tab stop, arrow keys walk. Pointer and focus show a token's id, its place in the text, and what
 * `attention` says of it.
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
    buttons.bring(to);
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
  /** The button of a token, where it has one. */
  at(token: number): HTMLElement | undefined;
  /** The token whose button holds a place of the page, or -1. */
  indexOf(target: EventTarget | null): number;
  tokenAt(i: number): Token | undefined;
  count(): number;
  spec(): AttentionSpec | undefined;
  /** False where these tokens are shown already: a new computation leaves their buttons as they are, there may be 2,000 of them. */
  show(tokens: readonly Token[], spec: AttentionSpec, selected: number | undefined): boolean;
  /** Marks a token, and makes it the tab stop. */
  select(token: number | undefined): void;
  /** Makes sure that a token has a button; true where others had to go for it. */
  bring(token: number): boolean;
  shade(weights: Float64Array | undefined): void;
}

/** A button for each token, or each of those around the selected one, and which of them is selected. */
function createButtons(strip: HTMLElement): Buttons {
  let drawn: readonly Token[] = [];
  let made: readonly HTMLElement[] = [];
  let spec: AttentionSpec | undefined;
  let selected: number | undefined;
  let weights: Float64Array | undefined;
  /** The token of the first button. */
  let first = 0;
  const shading = createShading(strip);
  const buttonAt = (token: number): HTMLElement | undefined => made[token - first];
  const draw = (token: number | undefined): void => {
    if (!spec) return;
    const of = spec;
    first = firstShown(token ?? 0, drawn.length);
    const shown = drawn.slice(first, drawn.length > mostShown ? first + windowed : undefined);
    made = shown.map((one, i) => tokenButton(one, first + i, of));
    strip.replaceChildren(...moreTokens(first), ...made, ...moreTokens(drawn.length - first - made.length));
    tabStop(made, buttonAt(selected ?? -1));
    shading.watch(made, first);
  };
  const bring = (token: number): boolean => {
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
      const moved = token !== undefined && bring(token);
      const at = buttonAt(token ?? -1);
      mark(at, true);
      tabStop(made, at);
      if (at) reveal(at, strip, moved);
    },
    bring,
    shade(next) {
      weights = next;
      shading.shade(next);
    },
  };
}

/** The token in the middle, where there are some on both sides. */
const firstShown = (token: number, count: number): number =>
  count > mostShown ? Math.max(0, Math.min(count - windowed, token - windowed / 2)) : 0;

/** Tokens beyond an end of the strip. */
const moreTokens = (count: number): HTMLElement[] =>
  count > 0 ? [h('span', { class: 'more-tokens' }, t('… {0} more', count))] : [];

/** Tab goes to the selected token, else to the first. */
function tabStop([first]: readonly HTMLElement[], selected: HTMLElement | undefined): void {
  if (first) first.tabIndex = selected && selected !== first ? -1 : 0;
}

/** Whether buttons for these tokens would be those for the ones before. */
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

/** Scrolls the strip alone: as far as it has to, or, among buttons that are new, to the middle. */
function reveal(button: HTMLElement, strip: HTMLElement, centred: boolean): void {
  const [inner, outer] = [button.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (centred) strip.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  else if (inner.left < outer.left) strip.scrollLeft -= outer.left - inner.left + 8;
  else if (inner.right > outer.right) strip.scrollLeft += inner.right - outer.right + 8;
}
