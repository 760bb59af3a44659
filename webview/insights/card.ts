import { signs, type LinkTarget, type Sentence, type SentencePlace } from '../../engine/index';
import { h, prose, type ProseOptions } from '../draw';
import type { TraceHandle } from '../trace';

/** Where a card stands: at a cell of a step of a trace. */
export interface About extends ProseOptions {
  readonly trace: TraceHandle;
  readonly index: readonly number[];
}

/** A cell of a step in the head and the input of the batch that is shown. */
export const cellAt = ({ index }: About, step: string, row: number, column?: number): LinkTarget => ({
  step,
  row,
  ...(column !== undefined && { column }),
  lead: index.slice(0, -2),
});

/** A card of sentences, each a paragraph, and of pictures and tables. */
export const card = (telling: ProseOptions, title: Sentence, ...body: readonly (Node | Sentence)[]): HTMLElement =>
  h(
    'div',
    { class: 'card insight' },
    // A title is a name, not a way.
    h('h3', {}, ...prose(title, { ...telling, currentStep: undefined })),
    ...body.map((part) => (part instanceof Node ? part : h('p', {}, ...prose(part, telling)))),
  );

/** A small table of facts: name, number. */
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

/** Rows of numbers, wider than a card may be. */
export const scrolled = (label: string, table: HTMLElement): HTMLElement =>
  h('div', { class: 'facts-scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
