import { swapSides } from '../../engine/index';
import { prose } from '../draw/prose';
import { h } from '../draw/ui';

/** Strings are paragraphs; symbols in them are set as in formulas. */
export const card = (title: string, ...body: readonly (Node | string)[]): HTMLElement =>
  h(
    'div',
    { class: 'card insight' },
    h('h3', {}, ...prose(title, undefined)),
    ...body.map((part) => (typeof part === 'string' ? h('p', {}, ...prose(part, undefined)) : part)),
  );

/** A small table of facts: name, number. */
export const facts = (...rows: readonly (readonly [string, string])[]): HTMLElement =>
  h(
    'table',
    { class: 'facts' },
    h(
      'tbody',
      {},
      ...rows.map(([name, value]) =>
        h('tr', {}, h('th', { scope: 'row' }, ...prose(name, undefined)), h('td', {}, value)),
      ),
    ),
  );

/** What a card says of rows, said of columns. */
export function turnWords(element: HTMLElement): void {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.nodeValue = swapSides(currentNode.nodeValue ?? '');
  }
}
