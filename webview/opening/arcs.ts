import { t, type Token } from '../../engine/index';
import { h, percent, setAttribute } from '../draw';
import { focusAt, type Focus } from './question';

/** Most tokens that stand in a row with arcs above them. */
const mostInRow = 20;

/** Whether tokens fit into a row of equal columns `width` CSS pixels wide; else they are a text whose background says the weight. */
export function fitsInRow(tokens: readonly Token[], width: number): boolean {
  const longest = Math.max(6, ...tokens.map(({ text }) => text.length));
  return tokens.length <= mostInRow && tokens.length * (longest * 8.5 + 10) <= width;
}

const ns = 'http://www.w3.org/2000/svg';

/** The tokens, how much of its attention the row gives each, and a button each that makes it the row. */
export function tokenPicture(
  focus: Focus,
  tokens: readonly Token[],
  few: boolean,
  onRow: (row: number) => void,
): HTMLElement {
  const shares = tokens.map((_, j) => focus.head.values[focus.row * tokens.length + j] ?? 0);
  const buttons = tokens.map((token, at) => tokenButton({ token, at, share: shares[at] ?? 0, focus, few }, onRow));
  const row = h('div', { class: few ? 'opening-tokens' : 'opening-text', role: 'group', 'aria-label': t('Tokens: choose whose attention is shown') }, ...buttons); // prettier-ignore
  if (!few) return h('div', { class: 'opening-picture' }, row);
  return h('div', { class: 'opening-picture' }, arcs(focus, shares), row);
}

interface TokenView {
  readonly token: Token;
  readonly at: number;
  readonly share: number;
  readonly focus: Focus;
  readonly few: boolean;
}

function tokenButton({ token, at, share, focus, few }: TokenView, onRow: (row: number) => void): HTMLElement {
  const later = at > focus.row;
  const says = later ? t('“{0}”: comes later', token.text) : t('“{0}”: {1} of the attention', token.text, percent(share));
  const button = h(
    'button',
    { type: 'button', class: 'opening-token', 'data-key': `token-${at}`, 'aria-pressed': String(at === focus.row), title: says },
    h('span', { class: 'opening-word' }, token.text),
    few ? h('span', { class: 'opening-share' }, later ? '' : percent(share)) : undefined,
  );
  if (at === focus.row) setAttribute(button, 'data-is', 'query');
  else if (at === focus.key) setAttribute(button, 'data-is', 'key');
  button.style.setProperty('--share', share.toFixed(3));
  button.addEventListener('click', () => onRow(at));
  return button;
} // prettier-ignore

/** Arcs from the row to each key, in a picture whose width is that of the tokens below it: each token has one unit. */
function arcs({ row }: Focus, shares: readonly number[]): SVGSVGElement {
  const [unit, height] = [100, 120];
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', `0 0 ${shares.length * unit} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'opening-arcs');
  svg.setAttribute('aria-hidden', 'true');
  shares.forEach((share, key) => {
    if (key === row || share < 0.005) return;
    const [from, to] = [(row + 0.5) * unit, (key + 0.5) * unit];
    const top = height - Math.min(height - 6, 26 + Math.abs(row - key) * 14) * 1.3;
    const path = document.createElementNS(ns, 'path');
    path.setAttribute('d', `M ${from} ${height} C ${from} ${top}, ${to} ${top}, ${to} ${height}`);
    path.style.setProperty('--share', share.toFixed(3));
    svg.append(path);
  });
  return svg;
}

/** The row's focus once another token is chosen. */
export const focusOnRow = ({ head }: Focus, row: number): Focus => focusAt(head, row);
