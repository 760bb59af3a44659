import { vocabularySize, t, type AttentionSpec, type Token } from '../../engine/index';
import { isVocabulary } from '../choices';
import { written } from './whitespace';
import { h } from '../draw';

/** The tooltip of a token. Hidden from screen readers, since the buttons' names contain its content. */
export interface TokenTip {
  readonly element: HTMLElement;
  isShown(): boolean;
  show(at: number, token: Token, spec: AttentionSpec, button: HTMLElement): void;
  hide(): void;
}

/** Shows a token's id and range at once, and the sentences of `attention` when they are computed. */
export function createTokenTip(attention: (token: number) => Promise<readonly string[]>): TokenTip {
  const element = h('div', { class: 'token-tip', 'aria-hidden': 'true', hidden: true });
  return {
    element,
    isShown: () => !element.hidden,
    hide: () => void (element.hidden = true),
    show(at, token, spec, button) {
      element.replaceChildren(...tipOf(token, spec));
      element.hidden = false;
      element.dataset['token'] = String(at);
      place(element, button);
      void attention(at).then((lines) => {
        if (element.hidden || element.dataset['token'] !== String(at)) return;
        element.querySelectorAll('.tip-attention').forEach((old) => old.remove());
        element.append(...lines.map((line) => h('div', { class: 'tip-attention' }, line)));
        place(element, button);
      });
    },
  };
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

/** `50,257`. Not localised, like the page's other numbers. */
const grouped = (x: number): string => String(x).replace(/\B(?=(\d{3})+$)/g, ',');

/** Places the tooltip below its token, within the window. */
function place(tip: HTMLElement, button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect();
  const most = window.innerWidth - tip.getBoundingClientRect().width - 8;
  tip.style.left = `${Math.max(4, Math.min(left, most))}px`;
  tip.style.top = `${bottom + 4}px`;
}
