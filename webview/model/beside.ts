import { t, type ComparedHead, type HeadPlace, type PicturedHead } from '../../engine/index';
import { h, percent } from '../draw';
import { headButton } from '../opening';
import type { Thumbnail } from '../heatmap';
import { moveFocus } from './heads';
import { differenceThumb, weightsThumb } from './thumb';
import { differenceWords, kindWord, placeWords, scoreOf, shortPlace, type RunTokens } from './words';

/** One run of the two that stand side by side. */
export interface RunShown {
  readonly name: string;
  readonly heads: readonly PicturedHead[];
  readonly tokens: RunTokens;
  readonly predictions: readonly { readonly token: string; readonly probability: number }[];
}

/** Two runs side by side: each head of both, and how its weights differ. */
export interface Beside {
  readonly element: HTMLElement;
  update(first: RunShown, second: RunShown, compared: readonly ComparedHead[]): void;
  hide(): void;
  redraw(): void;
}

export function createBeside(onOpen: (head: PicturedHead, side: 'first' | 'second') => void): Beside {
  const element = h('section', { class: 'model-beside', hidden: true, 'aria-label': t('Side by side') });
  let pictures: Thumbnail[] = [];
  element.addEventListener('keydown', (event) => moveFocus(event, [...element.querySelectorAll<HTMLElement>('button')]));
  return {
    element,
    update(first, second, compared) {
      pictures = [];
      const keep = (picture: Thumbnail): Thumbnail => (pictures.push(picture), picture);
      const button = (run: RunShown, place: HeadPlace, side: 'first' | 'second'): HTMLElement | string => {
        const head = run.heads.find((one) => sameHead(one, place));
        if (!head) return t('no such head');
        const kind = head.scored && head.scored.kind !== 'none' ? `${kindWord(head.scored.kind)} ${scoreOf(head).toFixed(2)}` : '–';
        const says = `${run.name}: ${placeWords(head)}, ${kind}`;
        const made = headButton({ picture: keep(weightsThumb(head.picture)), name: '', kind, attributes: { title: says, tabindex: -1 } });
        made.addEventListener('click', () => onOpen(head, side));
        return made;
      };
      const isCompared = compared.some(({ difference }) => difference);
      const row = (one: ComparedHead): HTMLElement => {
        const { difference } = one;
        const picture = difference && h('div', { class: 'model-difference' }, keep(differenceThumb(difference.picture)).element, h('span', {}, differenceWords(one, first.tokens, second.tokens)));
        return h('tr', {}, h('th', { scope: 'row', title: placeWords(one) }, shortPlace(one)), h('td', {}, button(first, one, 'first')), h('td', {}, button(second, one, 'second')), isCompared && h('td', {}, picture ?? differenceWords(one, first.tokens, second.tokens)));
      };
      const columns = [t('Head'), first.name, second.name, ...(isCompared ? [t('second − first: the largest difference of a weight')] : [])];
      const head = h('tr', {}, ...columns.map((text) => h('th', { scope: 'col' }, text)));
      const clearest = (place: HeadPlace): number => Math.max(...[first, second].map(({ heads }) => clearness(heads.find((one) => sameHead(one, place)))));
      const rows = [...compared].sort((a, b) => (isCompared ? size(b) - size(a) : clearest(b) - clearest(a))).map(row);
      element.replaceChildren(
        h('h2', {}, t('Side by side')),
        h('p', {}, !isCompared ? t('The two sides do not have the same number of tokens, so no weight is compared with another. The heads whose kind is clearest come first.') : t('The heads whose weights differ most come first. Cells are compared by their place; orange is less in the second, blue is more, full colour is a whole weight of 1.')),
        ...missing(first, second),
        likeliest(first, second),
        h('div', { class: 'model-scroll' }, h('table', { class: 'model-table' }, h('thead', {}, head), h('tbody', {}, ...rows))),
      );
      const stop = element.querySelector<HTMLElement>('button');
      if (stop) stop.tabIndex = 0;
      element.hidden = false;
    },
    hide: () => void (element.hidden = true),
    redraw: () => pictures.forEach((picture) => picture.redraw()),
  };
} // prettier-ignore

/** The score of a head whose kind is known. */
const clearness = (head: PicturedHead | undefined): number =>
  head?.scored && head.scored.kind !== 'none' ? scoreOf(head) : 0;

const size = ({ difference }: ComparedHead): number => Math.abs(difference?.largest ?? 0);

export const sameHead = (a: HeadPlace, b: HeadPlace): boolean =>
  a.stack === b.stack && a.layer === b.layer && a.head === b.head && a.crosses === b.crosses;

/** Heads that only one of the models has are counted, not left out silently. */
function missing(first: RunShown, second: RunShown): readonly HTMLElement[] {
  const without = (a: RunShown, b: RunShown): number => a.heads.filter((one) => !b.heads.some((other) => sameHead(one, other))).length; // prettier-ignore
  const [a, b] = [without(first, second), without(second, first)];
  return a + b === 0 ? [] : [h('p', {}, t('{0} heads are in the first model alone, {1} in the second alone.', a, b))];
}

/** The likeliest tokens of either run, with both shares. */
function likeliest(first: RunShown, second: RunShown): HTMLElement {
  const tokens = [...new Set([...first.predictions, ...second.predictions].map(({ token }) => token))];
  const share = ({ predictions }: RunShown, token: string): string => {
    const found = predictions.find((one) => one.token === token);
    const least = predictions.at(-1);
    return found ? percent(found.probability) : least ? t('at most {0}', percent(least.probability)) : '–';
  };
  const head = h('tr', {}, ...[t('Token'), first.name, second.name].map((text) => h('th', { scope: 'col' }, text)));
  const rows = tokens.map((token) => h('tr', {}, h('th', { scope: 'row' }, token), h('td', {}, share(first, token)), h('td', {}, share(second, token)))); // prettier-ignore
  return h('div', { class: 'model-scroll', hidden: tokens.length === 0 }, h('table', { class: 'model-table' }, h('thead', {}, head), h('tbody', {}, ...rows))); // prettier-ignore
}
