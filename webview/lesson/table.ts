import { limitWithoutOutliers, type AttentionTrace, type Step } from '../../engine/index';
import { symbolNodes, css, h, inkOn, scaleOf, scales, type Child, type Range } from '../draw';
import { theme } from '../heatmap';
import { words } from './words';

/** One head of a step as an HTML table. */
export interface TableOptions {
  readonly step: Step;
  readonly trace: AttentionTrace;
  readonly head?: number;
  /** [row, column] of cells that must be visible: of a large matrix only rows and columns around them are shown. */
  readonly wanted: readonly (readonly [number, number])[];
  /** Whether a value is kept back at the moment: its colour would say it. */
  readonly isHidden?: (row: number, column: number) => boolean;
  /** The content of a cell. If `value` is given it sets the cell's colour. */
  readonly cell: (row: number, column: number) => { readonly content: Child; readonly value?: number; readonly class?: string };
} // prettier-ignore

export interface MatrixTable {
  readonly element: HTMLElement;
  /** Updates the colours after a change of theme. */
  readonly recolour: () => void;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

const maxRows = 24;
const maxColumns = 16;

/** The full index of a cell of a step, in batch 0. */
export function fullIndex({ shape }: Step, head: number, row: number, column: number): readonly number[] {
  const lead = shape.slice(0, -2);
  return [...lead.map((_, d) => (d === lead.length - 1 ? head : 0)), row, column];
}

export const headsOf = ({ shape }: Step): number => (shape.length > 2 ? (shape.at(-3) ?? 1) : 1);
export const rowsIn = ({ shape }: Step): number => shape.at(-2) ?? 1;
export const columnsIn = ({ shape }: Step): number => shape.at(-1) ?? 1;

export function matrixTable({
  step,
  trace,
  head = 0,
  wanted,
  cell,
  isHidden = () => false,
}: TableOptions): MatrixTable {
  const rows = windowOf(rowsIn(step), wanted.map(([row]) => row), maxRows); // prettier-ignore
  const columns = windowOf(columnsIn(step), wanted.map(([, column]) => column), maxColumns); // prettier-ignore
  const coloured: Coloured[] = [];
  const bodyCell = (row: number, column: number): HTMLElement => {
    const made = cell(row, column);
    const node = h('td', { class: made.class, 'data-row': row, 'data-column': column }, made.content);
    if (made.value !== undefined) coloured.push({ node, value: made.value, isHidden: () => isHidden(row, column) });
    return node;
  };
  const label = (names: readonly string[], i: number): string => names[i] ?? String(i);
  const table = h(
    'table',
    { class: 'matrix' },
    caption(step, head),
    h('thead', {}, h('tr', {}, h('td'), ...columns.map((j) => h('th', { scope: 'col' }, label(step.columnLabels, j))))),
    h(
      'tbody',
      {},
      ...rows.map((i) =>
        h('tr', {}, h('th', { scope: 'row' }, label(step.rowLabels, i)), ...columns.map((j) => bodyCell(i, j))),
      ),
    ),
  );
  // In print the columns must fit the page: print.css derives the font size from their number.
  table.style.setProperty('--columns', String(columns.length));
  const range = rangeOf(trace, step);
  const recolour = (): void => paint(coloured, step, range);
  recolour();
  const scroll = h('div', { class: 'matrix-scroll', tabindex: 0, role: 'group', 'aria-label': step.symbol }, table);
  const part = cutNote(step, rows.length, columns.length);
  return { element: h('div', { class: 'matrix-box' }, scroll, part), recolour, rows, columns };
}

function caption(step: Step, head: number): HTMLElement {
  const shape = `${rowsIn(step)}×${columnsIn(step)}`;
  const which = headsOf(step) > 1 ? `, ${words.head(head)}` : '';
  const symbol = h('var', { class: `role-${step.role}` }, ...symbolNodes(step.symbol));
  return h('caption', {}, symbol, ' ', h('span', { class: 'shapes' }, `${shape}${which}`));
}

function cutNote(step: Step, rows: number, columns: number): HTMLElement | undefined {
  const [allRows, allColumns] = [rowsIn(step), columnsIn(step)];
  if (rows === allRows && columns === allColumns) return undefined;
  return h('p', { class: 'cut' }, words.window(`${rows}×${columns}`, `${allRows}×${allColumns}`));
}

/** At most `most` indices: all if they fit, else a contiguous range around `wanted`, or only `wanted` if they lie too far apart. */
function windowOf(count: number, wanted: readonly number[], most: number): readonly number[] {
  const low = wanted.length ? Math.min(...wanted) : 0;
  const high = wanted.length ? Math.max(...wanted) : 0;
  const all = Array.from({ length: count }, (_, i) => i);
  if (count <= most) return all;
  if (high - low < most) {
    const start = Math.max(0, Math.min(count - most, low - Math.floor((most - (high - low + 1)) / 2)));
    return all.slice(start, start + most);
  }
  return [...new Set(wanted)].sort((a, b) => a - b);
}

/** Finite limits of all heads of a step, which share one colour scale. */
function rangeOf(trace: AttentionTrace, { id, shape, kind }: Step): Range {
  let [min, max] = [Infinity, -Infinity];
  const magnitudes: number[] = [];
  for (let head = 0; head < (shape.at(-3) ?? 1); head++) {
    const tile = trace.read(id, { head });
    for (const x of tile.min) if (x < min && x > -Infinity) min = x;
    for (const x of tile.max) if (x > max && x < Infinity) max = x;
    // At level 0 a tile's minimum and maximum are both the cell itself.
    for (const x of scales[kind].outliers ? tile.max : []) if (Number.isFinite(x)) magnitudes.push(Math.abs(x));
  }
  const colourLimit = limitWithoutOutliers(Float64Array.from(magnitudes));
  return min <= max ? { min, max, ...(colourLimit !== undefined && { colourLimit }) } : { min: 0, max: 0 };
}

interface Coloured {
  readonly node: HTMLElement;
  readonly value: number;
  readonly isHidden: () => boolean;
}

function paint(cells: readonly Coloured[], step: Step, range: Range): void {
  const palette = theme();
  const scale = scaleOf(step, range, palette);
  for (const { node, value, isHidden } of cells) {
    const colour = Number.isFinite(value) && !isHidden() ? scale(value) : palette.neutral;
    node.style.setProperty('background-color', css(colour));
    node.style.setProperty('color', css(inkOn(colour)));
  }
} // prettier-ignore
