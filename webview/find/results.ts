import { t } from '../../engine/index';
import type { Found } from './places';
import { h, scrollTo, setAttribute, setText, typeset } from '../draw';

/** The list of results, with the one that is visited next selected. */
export interface Results {
  readonly list: HTMLElement;
  /** `2 of 7`, announced by screen readers. */
  readonly count: HTMLElement;
  fill(found: readonly Found[]): void;
  /** Adds results that arrive later: at the top or, if a result was visited already, at the end, so that positions do not change. */
  add(found: readonly Found[]): void;
  /** Visits the next result, at first the selected one. */
  next(): void;
  previous(): void;
}

/** `input` is the search field. It keeps the focus and refers to the selected result by aria-activedescendant. */
export function createResults(input: HTMLInputElement, onVisit: (place: Found) => void): Results {
  const list = h('ul', { id: 'find-results', class: 'find-results', role: 'listbox', 'aria-label': t('Results') });
  const count = h('span', { class: 'find-count', role: 'status' });
  let found: readonly Found[] = [];
  /** Index of the selected result, and whether a result was visited already. */
  let [at, gone] = [0, false];

  const mark = (): void => {
    [...list.children].forEach((item, i) => setAttribute(item, 'aria-selected', String(i === at)));
    const marked = list.children[at];
    if (marked) scrollTo(marked, 'nearest');
    setAttribute(input, 'aria-activedescendant', found[at] ? `find-${at}` : undefined);
    setAttribute(input, 'aria-expanded', String(found.length > 0));
    const none = input.value.trim() === '' ? '' : t('nothing found');
    setText(count, found.length ? t('{0} of {1}', at + 1, found.length) : none);
  };
  const visit = (next: number): void => {
    if (!found.length) return;
    at = (next + found.length) % found.length;
    gone = true;
    const place = found[at];
    if (place) onVisit(place);
    mark();
  };
  const options = (places: readonly Found[], first: number): HTMLElement[] =>
    places.map((place, i) => option(place, first + i, () => visit(first + i)));
  const fill = (places: readonly Found[]): void => {
    [found, at, gone] = [places, 0, false];
    list.replaceChildren(...options(found, 0));
    mark();
  };
  const append = (places: readonly Found[]): void => {
    list.append(...options(places, found.length));
    found = [...found, ...places];
    mark();
  };
  return {
    list,
    count,
    fill,
    add: (places) => (gone ? append(places) : fill([...places, ...found])),
    next: () => visit(gone ? at + 1 : at),
    previous: () => visit(gone ? at - 1 : at),
  };
}

function option({ kind, text }: Found, i: number, onClick: () => void): HTMLElement {
  const item = h(
    'li',
    { role: 'option', id: `find-${i}`, 'data-found': kind, 'aria-selected': 'false' },
    ...typeset(text),
  );
  item.addEventListener('click', onClick);
  return item;
}
