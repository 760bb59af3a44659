import { signs, type LinkTarget, type Sentence, type SentencePlace } from '../../engine/index';
import { h, prose, type ProseOptions } from '../draw';
import type { TraceHandle } from '../trace';

/** The trace and the cell that a card is about. */
export interface About extends ProseOptions {
  readonly trace: TraceHandle;
  readonly index: readonly number[];
}

/** A link to a cell of another step, in the same head and batch as the card's. */
export const cellAt = ({ index }: About, step: string, row: number, column?: number): LinkTarget => ({
  step,
  row,
  ...(column !== undefined && { column }),
  lead: index.slice(0, -2),
});

/** A card with a title and a body of sentences (each a paragraph), pictures and tables. */
export const card = (telling: ProseOptions, title: Sentence, ...body: readonly (Node | Sentence)[]): HTMLElement =>
  h(
    'div',
    { class: 'card insight' },
    // A title has no links.
    h('h3', {}, ...prose(title, { ...telling, currentStep: undefined })),
    ...body.map((part) => (part instanceof Node ? part : h('p', {}, ...prose(part, telling)))),
  );

/** A small table of names and values. */
export const facts = (telling: ProseOptions, ...rows: readonly (readonly [Sentence, SentencePlace])[]): HTMLElement =>
  h(
    'table',
    { class: 'facts' },
    h(
      'tbody',
      {},
      ...rows.map(([name, value]) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, ...prose(name, telling)),
          h('td', {}, ...prose(signs('{0}', value), telling)),
        ),
      ),
    ),
  );

/** A box that scrolls horizontally, for a table wider than its card. */
export const scrollBox = (label: string, table: HTMLElement): HTMLElement =>
  h('div', { class: 'facts-scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
