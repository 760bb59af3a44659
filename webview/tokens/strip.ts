import { t, type AttentionSpec, type Plan, type Token } from '../../engine/index';
import { createShading } from './shade';
import { hasIds, spokenName, written } from './spelling';
import { createTokenTip } from './tip';
import { h, setAttribute } from '../ui';

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

/** How many tokens have a button each; the rest of a longer input is reached through the matrices. */
const shownTokens = 2000;

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
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: strip.children.length - 1 }[event.key];
    if (to === undefined || !buttons.at(to)) return;
    event.preventDefault();
    event.stopPropagation();
    onToken(to);
    buttons.at(to)?.focus();
  });
  strip.addEventListener('pointerover', show);
  strip.addEventListener('focusin', show);
  for (const leaving of ['pointerleave', 'focusout', 'scroll']) strip.addEventListener(leaving, tip.hide);
  return {
    element: h('div', { class: 'token-strip' }, strip, tip.element),
    update({ plan, spec, token }) {
      if (buttons.show(plan.tokens, spec)) tip.hide();
      buttons.select(token);
    },
    shade: buttons.shade,
  };
}

interface Buttons {
  at(i: number): HTMLElement | undefined;
  /** The token whose button holds a place of the page, or -1. */
  indexOf(target: EventTarget | null): number;
  tokenAt(i: number): Token | undefined;
  spec(): AttentionSpec | undefined;
  /** False where these tokens are shown already: a new computation leaves their buttons as they are, there may be 2,000 of them. */
  show(tokens: readonly Token[], spec: AttentionSpec): boolean;
  /** Marks a token, and makes it the tab stop. */
  select(token: number | undefined): void;
  shade(weights: Float64Array | undefined): void;
}

/** A button for each token, and which of them is selected. */
function createButtons(strip: HTMLElement): Buttons {
  let drawn: readonly Token[] = [];
  let spec: AttentionSpec | undefined;
  let selected: number | undefined;
  const shading = createShading(strip);
  const buttonAt = (i: number): HTMLElement | undefined => strip.children[i] as HTMLElement | undefined;
  return {
    at: buttonAt,
    indexOf: (target) => [...strip.children].indexOf((target as Element | null)?.closest?.('.token-button') as Element),
    tokenAt: (i) => drawn[i],
    spec: () => spec,
    show(tokens, next) {
      const same = isSameRow(tokens, next, drawn, spec);
      spec = next;
      if (same) return false;
      [drawn, selected] = [tokens, undefined];
      const made = drawn.slice(0, shownTokens).map((token, i) => tokenButton(token, i, next));
      strip.replaceChildren(...made);
      shading.watch(made);
      const more = drawn.length - shownTokens;
      if (more > 0) strip.append(h('span', { class: 'more-tokens' }, t('… {0} more', more)));
      return true;
    },
    select(token) {
      if (token === selected) return;
      mark(buttonAt(selected ?? -1), false);
      selected = token;
      const at = buttonAt(token ?? -1);
      mark(at, true);
      const first = buttonAt(0);
      if (first) first.tabIndex = at && at !== first ? -1 : 0;
      if (at) reveal(at, strip);
    },
    shade: shading.shade,
  };
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
    tabindex: i === 0 ? 0 : -1,
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

function reveal(button: HTMLElement, strip: HTMLElement): void {
  const [inner, outer] = [button.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (inner.left < outer.left) strip.scrollLeft -= outer.left - inner.left + 8;
  else if (inner.right > outer.right) strip.scrollLeft += inner.right - outer.right + 8;
}
