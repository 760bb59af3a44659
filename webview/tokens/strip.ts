import { vocabularySize, t, type AttentionSpec, type Plan, type Token } from '../../engine/index';
import { isVocabulary } from './cuts';
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
  // Said by the buttons' names too.
  const tip = h('div', { class: 'token-tip', 'aria-hidden': 'true', hidden: true });
  const element = h('div', { class: 'token-strip' }, strip, tip);
  let drawn: readonly Token[] = [];
  let spec: AttentionSpec | undefined;
  let selected: number | undefined;
  const buttonAt = (i: number): HTMLElement | undefined => strip.children[i] as HTMLElement | undefined;
  const indexOf = (target: EventTarget | null): number =>
    [...strip.children].indexOf((target as Element | null)?.closest?.('.token-button') as Element);
  const hide = (): void => void (tip.hidden = true);
  const show = ({ target }: Event): void => {
    const at = indexOf(target);
    const [button, token] = [buttonAt(at), drawn[at]];
    if (!button || !token || !spec) return hide();
    tip.replaceChildren(...tipOf(token, spec));
    tip.hidden = false;
    tip.dataset['token'] = String(at);
    place(tip, button);
    void attention(at).then((lines) => {
      if (tip.hidden || tip.dataset['token'] !== String(at)) return;
      tip.querySelectorAll('.tip-attention').forEach((old) => old.remove());
      tip.append(...lines.map((line) => h('div', { class: 'tip-attention' }, line)));
      place(tip, button);
    });
  };
  strip.addEventListener('click', ({ target }) => {
    const at = indexOf(target);
    if (at >= 0) onToken(at);
  });
  strip.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !tip.hidden) {
      hide();
      return event.stopPropagation();
    }
    const at = indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: strip.children.length - 1 }[event.key];
    if (to === undefined || !buttonAt(to)) return;
    event.preventDefault();
    event.stopPropagation();
    onToken(to);
    buttonAt(to)?.focus();
  });
  strip.addEventListener('pointerover', show);
  strip.addEventListener('focusin', show);
  for (const leaving of ['pointerleave', 'focusout', 'scroll']) strip.addEventListener(leaving, hide);
  return {
    element,
    update({ plan, spec: shown, token }) {
      const same = isSameRow(plan.tokens, shown, drawn, spec);
      spec = shown;
      // A new computation of the same tokens leaves their buttons as they are: there may be 2,000 of them.
      if (!same) {
        drawn = plan.tokens;
        selected = undefined;
        hide();
        strip.replaceChildren(...drawn.slice(0, shownTokens).map((token, i) => tokenButton(token, i, shown)));
        const more = drawn.length - shownTokens;
        if (more > 0) strip.append(h('span', { class: 'more-tokens' }, t('… {0} more', more)));
      }
      if (token === selected) return;
      mark(buttonAt(selected ?? -1), false);
      selected = token;
      const at = buttonAt(token ?? -1);
      mark(at, true);
      const first = buttonAt(0);
      if (first) first.tabIndex = at && at !== first ? -1 : 0;
      if (at) reveal(at, strip);
    },
    shade(weights) {
      const most = weights?.reduce((a, b) => (b > a ? b : a), 0) ?? 0;
      drawn.slice(0, shownTokens).forEach((_, i) => {
        const share = weights && most > 0 ? (weights[i] ?? 0) / most : 0;
        const button = buttonAt(i);
        if (!button) return;
        setAttribute(button, 'data-shaded', share > 0);
        button.style.setProperty('--share', share.toFixed(3));
      });
    },
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

/** Rows of a matrix have no ids but their numbers. */
const hasIds = ({ start }: AttentionSpec): boolean => start.from === 'text' || start.from === 'ids';

/** How the engine writes white space in a vocabulary's tokens, and how it is spoken. */
const signs: Readonly<Record<string, string>> = {
  '·': t('blank'),
  '→': t('tab'),
  '↵': t('line end'),
  '␍': t('carriage return'),
};
const plainSigns: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '↵', '\r': '␍' };

/** White space as a dim sign, so that a token is told from another by its leading blank. */
function written({ text, special }: Token): Node[] {
  if (special) return [document.createTextNode(text)];
  const parts = text.split(/([·→↵␍ \t\n\r])/).filter(Boolean);
  return parts.map((part) => {
    const sign = plainSigns[part] ?? (part in signs ? part : undefined);
    return sign === undefined ? document.createTextNode(part) : h('span', { class: 'blank' }, sign);
  });
}

/** `Token 3: blank capital, id 3139`; signs are words, since a middle dot is not always read. */
function spokenName({ text, id, special }: Token, i: number, spec: AttentionSpec): string {
  const { start } = spec;
  const cutByVocabulary = start.from === 'text' && isVocabulary(start.tokenizer);
  const spoken = (sign: string): string => ` ${signs[plainSigns[sign] ?? sign] ?? sign} `;
  const name = special ? text : text.replace(cutByVocabulary ? /[·→↵␍]/g : /[ \t\n\r]/g, spoken).trim();
  return [t('Token {0}: {1}', i, name), hasIds(spec) && t('id {0}', id), special && t('special token')]
    .filter(Boolean)
    .join(', ');
}

function tipOf(token: Token, { start }: AttentionSpec): HTMLElement[] {
  const { text, id, start: from, end: to, special } = token;
  const name = h('div', { class: 'tip-name', 'data-special': special }, ...written(token));
  if (start.from !== 'text') return [name, ...(start.from === 'ids' ? [h('div', {}, t('id {0}', id))] : [])];
  const size = isVocabulary(start.tokenizer) ? vocabularySize(start.tokenizer) : undefined;
  const idLine = size === undefined ? t('id {0}', grouped(id)) : t('id {0} of {1}', grouped(id), grouped(size));
  const place = special && from === to ? t('added by the tokenizer') : t('characters {0} to {1}', from ?? '', to ?? '');
  const said = special ? t('special token, {0}', place) : place;
  const source = start.text.slice(from, to);
  const isPart = !special && from !== undefined && /^(\\x|.:[0-9A-F]{2}$)/u.test(text);
  return [
    name,
    h('div', { class: 'tip-id' }, idLine),
    h('div', { class: 'tip-place' }, isPart ? t('{0}: part of “{1}”', said, source) : said),
  ];
}

/** `50,257`; the same in every locale, as the page's other numbers. */
const grouped = (x: number): string => String(x).replace(/\B(?=(\d{3})+$)/g, ',');

/** Below its token, within the window. */
function place(tip: HTMLElement, button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect();
  const most = window.innerWidth - tip.getBoundingClientRect().width - 8;
  tip.style.left = `${Math.max(4, Math.min(left, most))}px`;
  tip.style.top = `${bottom + 4}px`;
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
