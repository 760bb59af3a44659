import { headKinds, kindTitle, restsOnFirst, t, type PicturedHead } from '../../engine/index';
import { h, setText } from '../draw';
import { headButton } from '../opening';
import type { Thumbnail } from '../heatmap';
import {
  basisWords,
  cellWords,
  kindWord,
  layerWords,
  placeWords,
  scoreOf,
  shortPlace,
  shownCell,
  type RunTokens,
} from './words';
import { createPictureKey, weightsThumb } from './thumb';

/** Heads as small pictures in groups: by what they do, or by layer. */
export interface HeadGrid {
  readonly element: HTMLElement;
  /** `isWhole`: all layers are there, so that heads can be sorted by what they do. */
  update(heads: readonly PicturedHead[], tokens: RunTokens, isWhole: boolean): void;
  redraw(): void;
}

interface Group {
  readonly title: string;
  readonly heads: readonly PicturedHead[];
}

export function createHeadGrid(onOpen: (head: PicturedHead) => void): HeadGrid {
  const list = h('div', { class: 'model-groups' });
  const readout = h('p', { class: 'model-readout', 'aria-hidden': 'true' });
  const key = createPictureKey();
  const sort = sortChoice(() => draw());
  const element = h('section', { class: 'model-heads', hidden: true, 'aria-label': t('Heads') }, h('div', { class: 'model-row' }, h('h2', {}, t('Heads')), sort.element), key.element, readout, list); // prettier-ignore
  let shown: { heads: readonly PicturedHead[]; tokens: RunTokens; isWhole: boolean } | undefined;
  /** A head's button is made once, however often it is sorted. */
  const buttons = new Map<PicturedHead, { button: HTMLButtonElement; picture: Thumbnail }>();
  const buttonOf = (head: PicturedHead, tokens: RunTokens): HTMLButtonElement => {
    const known = buttons.get(head);
    if (known) return known.button;
    const says = describe(head, tokens);
    const picture = weightsThumb(head.picture);
    const kind = head.scored && head.scored.kind !== 'none' ? `${kindWord(head.scored.kind)} ${scoreOf(head).toFixed(2)}` : '–'; // prettier-ignore
    const button = headButton({ picture, name: shortPlace(head), kind, attributes: { title: says, tabindex: -1, 'data-head': shortPlace(head) } }); // prettier-ignore
    button.addEventListener('click', () => onOpen(head));
    for (const event of ['pointerenter', 'focus']) button.addEventListener(event, () => setText(readout, says));
    buttons.set(head, { button, picture });
    return button;
  };
  const draw = (): void => {
    if (!shown) return;
    const { heads, tokens, isWhole } = shown;
    const focused = document.activeElement;
    const groups = isWhole && sort.get() === 'kind' ? byKind(heads) : byLayer(heads);
    list.replaceChildren(...groups.map(({ title, heads: own }) => h('div', { class: 'model-group', role: 'group', 'aria-label': title }, h('h3', {}, title), h('div', { class: 'opening-layer-heads' }, ...own.map((one) => buttonOf(one, tokens)))))); // prettier-ignore
    const all = buttonsIn(list);
    const stop = all.find((one) => one === focused) ?? all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus({ preventScroll: true });
    if (!readout.textContent) setText(readout, t('Point at a head, or go to it with the arrow keys: what it does. Enter opens it, down to the arithmetic of a cell.')); // prettier-ignore
  };
  list.addEventListener('keydown', (event) => moveFocus(event, buttonsIn(list)));
  return {
    element,
    update(heads, tokens, isWhole) {
      if (shown?.tokens !== tokens) {
        buttons.clear();
        setText(readout, '');
      }
      shown = { heads, tokens, isWhole };
      element.hidden = heads.length === 0;
      key.update(Math.max(tokens.first.tokens.length, tokens.second?.tokens.length ?? 0));
      draw();
    },
    redraw() {
      key.redraw();
      buttons.forEach(({ picture }) => picture.redraw());
    },
  };
}

const buttonsIn = (list: HTMLElement): HTMLButtonElement[] => [...list.querySelectorAll<HTMLButtonElement>('button')];

/** All that is known of a head, in one sentence for pointer and screen reader. */
function describe(head: PicturedHead, tokens: RunTokens): string {
  const kind = head.scored && head.scored.kind !== 'none' ? [`${kindTitle(head.scored.kind)} ${scoreOf(head).toFixed(2)}`] : []; // prettier-ignore
  const rests =
    head.scored && restsOnFirst(head.scored) ? [`${kindWord('sink')} ${head.scored.scores.sink.toFixed(2)}`] : [];
  return [
    placeWords(head),
    ...kind,
    ...basisWords(head),
    ...rests,
    cellWords(head, shownCell(head, tokens), tokens),
  ].join(' · ');
}

function byKind(heads: readonly PicturedHead[]): readonly Group[] {
  const named = headKinds.map((kind) => ({
    title: kindTitle(kind),
    heads: heads.filter(({ scored }) => scored?.kind === kind).sort((a, b) => scoreOf(b) - scoreOf(a)),
  }));
  const rest = { title: t('none of these here'), heads: heads.filter(({ scored, hasNaN }) => !hasNaN && (!scored || scored.kind === 'none')) }; // prettier-ignore
  const spoilt = { title: t('weights that are NaN'), heads: heads.filter(({ hasNaN }) => hasNaN) };
  return [...named, rest, spoilt].filter((group) => group.heads.length > 0);
}

function byLayer(heads: readonly PicturedHead[]): readonly Group[] {
  const groups = new Map<string, PicturedHead[]>();
  for (const head of heads) {
    const title = layerWords(head);
    groups.set(title, [...(groups.get(title) ?? []), head]);
  }
  return [...groups].map(([title, own]) => ({ title, heads: own }));
}

function sortChoice(onChange: () => void): { element: HTMLElement; get(): string } {
  const options = [h('option', { value: 'kind' }, t('by what they do')), h('option', { value: 'layer' }, t('by layer'))]; // prettier-ignore
  const select = h('select', { class: 'opening-select', 'aria-label': t('Order of the heads') }, ...options);
  select.addEventListener('change', onChange);
  return { element: select, get: () => select.value };
}

/** Arrow keys, Home and End: one stop for the Tab key, whatever the number of heads. */
export function moveFocus(event: KeyboardEvent, buttons: readonly HTMLElement[]): void {
  const at = buttons.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: below(buttons, at, 1), ArrowUp: below(buttons, at, -1), Home: 0, End: buttons.length - 1 }[event.key]; // prettier-ignore
  const next = to === undefined ? undefined : buttons[to];
  if (!next) return;
  event.preventDefault();
  for (const one of buttons) one.tabIndex = one === next ? 0 : -1;
  next.focus();
}

/** The nearest button of the next row down or up. */
function below(buttons: readonly HTMLElement[], at: number, step: 1 | -1): number {
  const own = buttons[at]?.getBoundingClientRect();
  if (!own) return at;
  const boxes = buttons.map((one) => one.getBoundingClientRect());
  const rows = boxes.map(({ top }) => top).filter((top) => step * (top - own.top) > 4);
  const row = step > 0 ? Math.min(...rows) : Math.max(...rows);
  const distance = (i: number): number => (Math.abs((boxes[i]?.top ?? 0) - row) < 4 ? Math.abs((boxes[i]?.left ?? 0) - own.left) : Infinity); // prettier-ignore
  return rows.length === 0 ? at : buttons.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
}
