import { t } from '../../engine/index';
import { make, px } from '../heatmap';

/** The rows of a table of any length, of which the DOM contains at most a screenful. */
export interface Rows {
  readonly count: number;
  readonly columns: number;
  readonly row: (i: number) => HTMLElement;
  /** A row that sums up hidden rows; undefined if no rows are hidden between shown ones. */
  readonly summary?: (hidden: readonly number[]) => HTMLElement;
  /** Whether `count` rows are all there are; if not, there is no button to show all. */
  readonly whole: boolean;
  /** Called before all rows of a longer table are shown. */
  readonly onAll?: () => void;
  /** Ascending indices of the most important rows, for a table too long to be shown whole. */
  readonly chosen: readonly number[];
}

/** Tables with at most this many rows are shown whole. */
export const shownWhole = 24;
const rowHeight = 22;
const windowRows = 18;

/** A table with column headings; columns of labels or bars have none. */
export function headed(heads: readonly (Node | string)[]): HTMLTableElement {
  const cells = heads.map((h) => (h === '' ? make('td') : make('th', { attributes: { scope: 'col' } }, h)));
  return make('table', { class: 'terms' }, make('thead', {}, make('tr', {}, ...cells)));
}

/** Fills a table: with all rows if it is short; else with the most important ones, a summary of the others, and a button for all. */
export function drawRows(table: HTMLTableElement, rows: Rows): void {
  const body = make('tbody');
  table.append(body);
  if (rows.count <= shownWhole) {
    body.append(...Array.from({ length: rows.count }, (_, i) => rows.row(i)));
    return;
  }
  const kept = new Set(rows.chosen);
  const hidden = Array.from({ length: rows.count }, (_, i) => i).filter((i) => !kept.has(i));
  const all = make('button', {
    class: 'show-all',
    text: t('Show all {0}', rows.count),
    attributes: { type: 'button' },
    onClick: () => showAll(table, body, rows),
  });
  const foot = make('tr', { class: 'more' }, make('td', { attributes: { colspan: String(rows.columns) } }, all));
  body.append(...chosenRows(rows), ...(rows.summary ? [rows.summary(hidden)] : []), ...(rows.whole ? [foot] : []));
}

/** The chosen rows; a thin line above a row marks a gap in the numbering. */
function chosenRows(rows: Rows): HTMLElement[] {
  return rows.chosen.map((i, at) => {
    const row = rows.row(i);
    row.classList.toggle('after-gap', at > 0 && rows.chosen[at - 1] !== i - 1);
    return row;
  });
}

/** All rows in a scrolling box. Only visible ones are in the DOM, between two spacers as high as the others. */
function showAll(table: HTMLTableElement, body: HTMLElement, rows: Rows): void {
  const box = table.parentElement;
  if (!box) return;
  rows.onAll?.();
  box.classList.add('rows-scroll');
  box.tabIndex = 0;
  table.setAttribute('aria-rowcount', String(rows.count + 1));
  const spacer = (): HTMLElement => make('tr', { class: 'spacer', attributes: { 'aria-hidden': 'true' } });
  const [above, below] = [spacer(), spacer()];
  let first = -1;
  const draw = (): void => {
    const start = Math.max(0, Math.min(rows.count - windowRows, Math.floor(box.scrollTop / rowHeight) - 2));
    if (start === first) return;
    first = start;
    const end = Math.min(rows.count, start + windowRows + 4);
    above.style.height = px(start * rowHeight);
    below.style.height = px((rows.count - end) * rowHeight);
    const shown = Array.from({ length: end - start }, (_, i) => {
      const row = rows.row(start + i);
      row.setAttribute('aria-rowindex', String(start + i + 2));
      return row;
    });
    body.replaceChildren(above, ...shown, below);
  };
  box.addEventListener('scroll', draw);
  draw();
  box.focus({ preventScroll: true });
}

/** Ascending indices of the first few and of the largest others by `size`. */
export function firstAndLargest(sizes: readonly number[], first: number, large: number): number[] {
  const rest = sizes.map((_, i) => i).slice(first);
  rest.sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  return [...sizes.slice(0, first).map((_, i) => i), ...rest.slice(0, large)].sort((a, b) => a - b);
}
