import { namesApart, t } from '../../engine/index';
import { h, setAttribute } from '../draw';
import { drawOf, weightText, type Side } from './plain';
import type { Focus } from './question';

/** Most tokens that stand in a row with arcs above them. */
const mostInRow = 20;

/** CSS pixels that a token takes in a row, with its place where it comes again, and the share below it. */
const widthOf = (text: string, name: string): number =>
  Math.max(text.length * 8.8 + (name.length - text.length) * 5, 40) + 8;

/** The widths of tokens that fit into a row of `width` CSS pixels; else undefined, and they are a text whose background says the weight. */
export function columnsIn(tokens: Side, width: number): readonly number[] | undefined {
  const names = namesApart(tokens.map(({ text }) => text));
  const widths = tokens.map(({ text }, at) => widthOf(text, names[at] ?? text));
  const fits = tokens.length <= mostInRow && widths.reduce((sum, one) => sum + one, 0) <= width;
  return fits ? widths : undefined;
}

/** How the tokens stand where they have `width` CSS pixels: in a row with every share, in one with the larger shares, as a text. */
export function fitOf(tokens: Side, width: number): 'every' | 'larger' | 'text' {
  const columns = columnsIn(tokens, width);
  if (!columns) return 'text';
  return columns.reduce((sum, one) => sum + one, 0) * 1.25 <= width ? 'every' : 'larger';
}

const ns = 'http://www.w3.org/2000/svg';

export interface TokenPicture {
  readonly focus: Focus;
  /** The keys, and the queries where they are others. */
  readonly sides: readonly [Side, Side | undefined];
  readonly width: number;
  /** Keys that are named beside it, which have their places here where they come again. */
  readonly told: readonly number[];
  readonly onRow: (row: number) => void;
}

/** The tokens, how much of its attention the row gives each, and a choice of the row: a radio group, of which arrow keys choose. */
export function tokenPicture({ focus, sides: [keys, queries], width, told, onRow }: TokenPicture): HTMLElement {
  const columns = columnsIn(keys, width);
  const others = queries && columnsIn(queries, width);
  const shares = keys.map((_, j) => focus.head.values[focus.row * keys.length + j] ?? 0);
  const roomy = fitOf(keys, width) === 'every';
  const winner = drawOf(focus) ? undefined : focus.key;
  const isRow = columns !== undefined && (queries === undefined || others !== undefined);
  const [names, queryNames] = [keys, queries ?? []].map((side) => namesApart(side.map(({ text }) => text)));
  const shown = keys.map((token, at) => tokenOf({ token, name: names?.[at] ?? '', at, share: shares[at] ?? 0, focus, isWinner: at === winner, isTold: told.includes(at), few: isRow, roomy, isQuery: queries === undefined })); // prettier-ignore
  const asked = queries?.map((token, at) =>
    tokenOf({
      token,
      name: queryNames?.[at] ?? '',
      at,
      focus,
      isWinner: false,
      isTold: false,
      few: isRow,
      roomy,
      isQuery: true,
    }),
  );
  const choices = asked ?? shown;
  const group = rowOf(isRow ? (others ?? columns) : undefined, choices);
  setAttribute(group, 'role', 'radiogroup');
  setAttribute(group, 'aria-label', t('Tokens: choose whose attention is shown'));
  chooses(group, choices, focus.row, onRow);
  const below = asked && rowOf(isRow ? columns : undefined, shown);
  if (!isRow || !columns) return h('div', { class: 'opening-picture' }, group, below);
  if (!below || !others) return h('div', { class: 'opening-picture' }, arcs(focus, shares, columns), group);
  return h('div', { class: 'opening-picture' }, group, lines(focus, shares, others, columns), below);
}

/** Tokens in a row, each as wide as its column; or as a text. */
function rowOf(columns: readonly number[] | undefined, tokens: readonly HTMLElement[]): HTMLElement {
  const row = h('div', { class: columns ? 'opening-tokens' : 'opening-text' }, ...tokens);
  // The page's policy forbids a style in an attribute.
  if (columns) row.style.gridTemplateColumns = columns.map((one) => `minmax(0, ${one}fr)`).join(' ');
  return row;
}

/** Arrow keys and clicks choose, as in any radio group: one of them takes the focus. */
function chooses(group: HTMLElement, choices: readonly HTMLElement[], row: number, onRow: (row: number) => void): void {
  choices.forEach((choice, at) => {
    choice.tabIndex = at === row ? 0 : -1;
    choice.addEventListener('click', () => onRow(at));
  });
  group.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onRow((row + by + choices.length) % choices.length);
  });
}

interface TokenView {
  readonly token: Side[number];
  /** Its text, with its place where several are alike. */
  readonly name: string;
  readonly at: number;
  /** What the row gives it; nothing where it only asks. */
  readonly share?: number;
  readonly focus: Focus;
  /** Whether the row gives it more than any other. */
  readonly isWinner: boolean;
  /** Whether it is named beside the picture. */
  readonly isTold: boolean;
  readonly few: boolean;
  /** Whether there is room for small shares too. */
  readonly roomy: boolean;
  /** Whether it can be chosen. */
  readonly isQuery: boolean;
}

function tokenOf({ token, name, at, share, focus, isWinner, isTold, few, roomy, isQuery }: TokenView): HTMLElement {
  const isHidden = share !== undefined && share === 0;
  const text = share === undefined ? '' : weightText(focus, share);
  const says = share === undefined ? name : isHidden ? t('“{0}”: no attention', name) : t('“{0}”: weight {1}', name, text); // prettier-ignore
  const tells = share !== undefined && !isHidden && (roomy || Math.abs(share) >= least);
  const below = few && share !== undefined && h('span', { class: 'opening-share' }, tells ? text : '');
  const chosen = isQuery && at === focus.row;
  const place = isTold || chosen ? name.slice(token.text.length).trim() : '';
  const word = h('span', { class: 'opening-word' }, token.text, place && h('sub', {}, place));
  const element = isQuery
    ? h('button', { type: 'button', class: 'opening-token', role: 'radio', 'data-key': `token-${at}`, 'aria-checked': String(chosen), title: says }, word, below)
    : h('span', { class: 'opening-token', title: says }, word, below);
  if (chosen) setAttribute(element, 'data-is', 'query');
  else if (isWinner) setAttribute(element, 'data-is', 'key');
  element.style.setProperty('--share', (share ?? 0).toFixed(3));
  return element;
} // prettier-ignore

/** The middles of columns, and their whole width. */
function middles(columns: readonly number[]): { readonly at: readonly number[]; readonly whole: number } {
  let whole = 0;
  const at = columns.map((one) => (whole += one) - one / 2);
  return { at, whole };
}

/** A picture whose width is that of the tokens beside it: units are those of their columns. */
function picture(width: number, height: number, name: string): SVGSVGElement {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', name);
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}

function draw(svg: SVGSVGElement, path: string, share: number): void {
  const line = document.createElementNS(ns, 'path');
  line.setAttribute('d', path);
  line.style.setProperty('--share', share.toFixed(3));
  svg.append(line);
}

/** Shares below which no line is drawn. */
const least = 0.005;

/** Arcs from the row to each key above the tokens. */
function arcs({ row }: Focus, shares: readonly number[], columns: readonly number[]): SVGSVGElement {
  const height = 120;
  const { at, whole } = middles(columns);
  const svg = picture(whole, height, 'opening-arcs');
  shares.forEach((share, key) => {
    if (key === row || share < least) return;
    const [from, to] = [at[row] ?? 0, at[key] ?? 0];
    const top = height - Math.min(height - 6, 26 + Math.abs(row - key) * 14) * 1.3;
    draw(svg, `M ${from} ${height} C ${from} ${top}, ${to} ${top}, ${to} ${height}`, share);
  });
  return svg;
}

/** Lines from a query above to the keys below. */
function lines(
  { row }: Focus,
  shares: readonly number[],
  queries: readonly number[],
  keys: readonly number[],
): SVGSVGElement {
  const height = 60;
  const [above, below] = [middles(queries), middles(keys)];
  const svg = picture(1000, height, 'opening-arcs opening-lines');
  const from = ((above.at[row] ?? 0) / above.whole) * 1000;
  shares.forEach((share, key) => {
    const to = ((below.at[key] ?? 0) / below.whole) * 1000;
    if (share >= least) draw(svg, `M ${from} 0 C ${from} ${height / 2}, ${to} ${height / 2}, ${to} ${height}`, share);
  });
  return svg;
}
