import { make, px } from './dom';
import { labelStride, visibleCells, type CellSize } from './geometry';
import { areIndices, labelWidth, widestLabel, type Fonts } from './measure';
import type { LabelPlan, State } from './state';
import { labelAt } from '../trace';

const line = 14;
const widestRow = 104;
const tallestColumn = 84;
/** From this stride on, labels include indices, as a token alone would not tell its position. */
const indexed = 5;

interface Labelled extends Pick<State, 'rowLabels' | 'columnLabels' | 'fonts' | 'followed'> {
  readonly options: Pick<State['options'], 'showRowLabels' | 'showColumnLabels'>;
}

/** The layout of labels for a cell size, and the space they take. */
export function planLabels(state: Labelled, cell: CellSize): LabelPlan {
  const { options, rowLabels, columnLabels, fonts, followed } = state;
  const everyRow = strideForLabels(cell.height, line - 1);
  const wide = widestLabel(rowLabels, fonts) + prefix(rowLabels, everyRow, fonts);
  const tall = widestLabel(columnLabels, fonts);
  const indices = areIndices(columnLabels);
  const upright = !indices && cell.width < 36 && tall + 6 > cell.width;
  const everyColumn = strideForLabels(cell.width, upright ? line - 1 : indices ? tall + 8 : 24);
  const top = upright ? Math.min(tallestColumn, 1.08 * tall + prefix(columnLabels, everyColumn, fonts)) + 10 : line + 6;
  const left = Math.ceil(Math.min(widestRow, wide) + 10);
  return {
    left: followed.labelLeft ?? (options.showRowLabels === false ? 0 : left),
    top: followed.labelTop ?? (options.showColumnLabels === false ? 0 : Math.ceil(top)),
    upright,
    everyRow,
    everyColumn,
  };
}

/** The stride of labels: 1 if all fit. */
const strideForLabels = (cell: number, room: number): number =>
  labelStride(cell, room) === 1 ? 1 : labelStride(cell, Math.max(room, 22));

/** Space for the index before a token when labels are thinned. */
const prefix = (labels: readonly string[], stride: number, fonts: Fonts): number =>
  stride >= indexed && !areIndices(labels) ? labelWidth(`${labels.length} `, fonts) : 0;

/** Draws the labels of visible rows and columns; highlighted ones are never thinned out. */
export function drawLabels(state: State): void {
  const { options, labels, window, scroll, cell, parts } = state;
  const lit = litPlaces(state);
  if (options.showRowLabels !== false) {
    const [from, to] = visibleCells(scroll.top, window.height, cell.height, state.rows);
    const shown = thinned(from, to, labels.everyRow, lit.rows, line / cell.height);
    parts.rowStrip.replaceChildren(...shown.map((i) => rowNode(state, i, lit.rows.has(i))));
  }
  if (options.showColumnLabels === false) return;
  const [from, to] = visibleCells(scroll.left, window.width, cell.width, state.columns);
  const room = labels.upright ? line : labels.everyColumn === 1 ? 0 : 40;
  const shown = thinned(from, to, labels.everyColumn, lit.columns, room / cell.width);
  parts.columnStrip.replaceChildren(...shown.map((i) => columnNode(state, i, lit.columns.has(i))));
}

interface Lit {
  readonly rows: ReadonlySet<number>;
  readonly columns: ReadonlySet<number>;
}

function litPlaces({ highlight, hover, options }: State): Lit {
  const [row, column] = [highlight.cell?.[0] ?? highlight.row, highlight.cell?.[1] ?? highlight.column];
  const [down, across] = options.transposed ? [column, row] : [row, column];
  const set = (...of: (number | undefined)[]): Set<number> => new Set(of.filter((i) => i !== undefined));
  return { rows: set(down, hover?.row), columns: set(across, hover?.column) };
}

/** Highlighted labels, and multiples of the stride that touch none of them. Where two highlighted ones would touch, the later is omitted, as the tooltip names what is hovered. */
function thinned(from: number, to: number, stride: number, lit: ReadonlySet<number>, room: number): number[] {
  const shown: number[] = [];
  const crowded = (i: number): boolean => stride > 1 && shown.some((other) => Math.abs(other - i) < room);
  for (const l of lit) if (l >= from && l < to && !crowded(l)) shown.push(l);
  const kept = shown.length;
  const touches = (i: number): boolean => stride > 1 && shown.slice(0, kept).some((l) => Math.abs(l - i) < room);
  for (let i = Math.ceil(from / stride) * stride; i < to; i += stride) if (!lit.has(i) && !touches(i)) shown.push(i);
  return shown;
}

const nodeClass = (lit: boolean): string => (lit ? 'heatmap-label lit' : 'heatmap-label');

function rowNode(state: State, row: number, lit: boolean): HTMLElement {
  const node = make('span', { class: nodeClass(lit), title: labelAt(state.rowLabels, row) });
  node.textContent = shortened(state.rowLabels, row, state.labels.everyRow);
  node.style.top = px(lineAt(row, state.cell.height, state.rows) - state.scroll.top);
  return node;
}

/** Position of a label: centred on its cell, but the first and last label of small cells stay within the strip. */
const lineAt = (i: number, cell: number, count: number): number =>
  Math.max(0, Math.min(count * cell - line, (i + 0.5) * cell - line / 2));

function columnNode(state: State, column: number, lit: boolean): HTMLElement {
  const { labels, cell, scroll } = state;
  const node = make('span', { class: nodeClass(lit), title: labelAt(state.columnLabels, column) });
  node.textContent = shortened(state.columnLabels, column, labels.everyColumn);
  if (labels.upright) {
    node.style.left = px(lineAt(column, cell.width, state.columns) - scroll.left);
    return node;
  }
  // When labels are thinned, one may be wider than its cell, as the next is far enough away. At the ends it stays within the strip.
  const own = labels.everyColumn > 1 ? labelWidth(node.textContent, state.fonts) + 2 : 0;
  const width = Math.max(cell.width - 2, Math.min(48, own));
  const left = (column + 0.5) * cell.width - width / 2;
  const last = state.columns * cell.width - width;
  node.style.left = px((own > cell.width ? Math.max(0, Math.min(last, left)) : left) - scroll.left);
  node.style.width = px(width);
  return node;
}

/** A label, with its index when labels are thinned. */
const shortened = (labels: readonly string[], i: number, stride: number): string =>
  stride >= indexed && labels[i] !== String(i) ? `${i} ${labels[i] ?? ''}` : (labels[i] ?? String(i));
