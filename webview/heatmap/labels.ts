import { make, px } from './dom';
import { labelStride, visibleCells, type CellSize } from './geometry';
import { areIndices, widestLabel } from './measure';
import { labelAt, type LabelPlan, type State } from './state';

const line = 14;
const widestRow = 104;
const tallestColumn = 76;

type Labelled = Pick<State, 'options' | 'rowLabels' | 'columnLabels' | 'fonts' | 'followed'>;

/** How the labels of cells of this size are laid out, and the room they take. */
export function planLabels(state: Labelled, cell: CellSize): LabelPlan {
  const { options, rowLabels, columnLabels, fonts, followed } = state;
  const [wide, tall] = [widestLabel(rowLabels, fonts), widestLabel(columnLabels, fonts)];
  const indices = areIndices(columnLabels);
  const upright = !indices && cell.width < 36 && tall + 6 > cell.width;
  const top = upright ? Math.min(tallestColumn, tall) + 10 : line + 6;
  const left = Math.ceil(Math.min(widestRow, wide) + 10);
  return {
    left: followed.labelLeft ?? (options.showRowLabels === false ? 0 : left),
    top: followed.labelTop ?? (options.showColumnLabels === false ? 0 : Math.ceil(top)),
    upright,
    everyRow: labelStride(cell.height, line - 1),
    everyColumn: labelStride(cell.width, upright ? line - 1 : indices ? tall + 8 : 24),
  };
}

/** Labels of the rows and columns in view; those lit up are never thinned out. */
export function drawLabels(state: State): void {
  const { options, labels, window, scroll, cell, parts } = state;
  const lit = litPlaces(state);
  if (options.showRowLabels !== false) {
    const [from, to] = visibleCells(scroll.top, window.height, cell.height, state.rows);
    const shown = thinned(from, to, labels.everyRow, lit.rows, line / cell.height);
    parts.rowStrip.replaceChildren(
      ...shown.map((i) => rowNode(state, i, lit.rows.has(i), i * cell.height - scroll.top)),
    );
  }
  if (options.showColumnLabels === false) return;
  const [from, to] = visibleCells(scroll.left, window.width, cell.width, state.columns);
  const room = labels.upright ? line : labels.everyColumn === 1 ? 0 : 40;
  const shown = thinned(from, to, labels.everyColumn, lit.columns, room / cell.width);
  parts.columnStrip.replaceChildren(
    ...shown.map((i) => columnNode(state, i, lit.columns.has(i), i * cell.width - scroll.left)),
  );
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

/** Multiples of the stride, less those that a lit label would touch, plus the lit ones. */
function thinned(from: number, to: number, stride: number, lit: ReadonlySet<number>, room: number): number[] {
  const shown: number[] = [];
  const crowded = (i: number): boolean => [...lit].some((l) => l !== i && Math.abs(l - i) < room);
  for (let i = Math.ceil(from / stride) * stride; i < to; i += stride) {
    if (!lit.has(i) && !(stride > 1 && crowded(i))) shown.push(i);
  }
  for (const l of lit) if (l >= from && l < to) shown.push(l);
  return shown;
}

const nodeClass = (lit: boolean): string => (lit ? 'heatmap-label lit' : 'heatmap-label');

function rowNode(state: State, row: number, lit: boolean, top: number): HTMLElement {
  const node = make('span', { class: nodeClass(lit), title: labelAt(state.rowLabels, row) });
  node.textContent = shortened(state.rowLabels, row, state.labels.everyRow);
  node.style.top = px(top + state.cell.height / 2 - line / 2);
  return node;
}

function columnNode(state: State, column: number, lit: boolean, left: number): HTMLElement {
  const { labels, cell } = state;
  const node = make('span', { class: nodeClass(lit), title: labelAt(state.columnLabels, column) });
  node.textContent = shortened(state.columnLabels, column, labels.everyColumn);
  if (labels.upright) {
    node.style.left = px(left + cell.width / 2 - line / 2);
    return node;
  }
  // A thinned label may be wider than its cell: the next one is far enough away.
  const width = Math.max(cell.width - 2, labels.everyColumn > 1 ? Math.min(48, cell.width * labels.everyColumn) : 0);
  node.style.left = px(left + cell.width / 2 - width / 2);
  node.style.width = px(width);
  return node;
}

/** In a thinned strip a token alone would not say where it stands. */
const shortened = (labels: readonly string[], i: number, stride: number): string =>
  stride >= 5 && labels[i] !== String(i) ? `${i} ${labels[i] ?? ''}` : (labels[i] ?? String(i));
