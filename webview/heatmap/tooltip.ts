import { t } from '../../engine/index';
import { formatNumber } from '../draw';
import { cellsIn, indexAt, type Blocks } from './blocks';
import { make, px } from './dom';
import { valueAt } from './grid';
import { exact, type Place, type State } from './state';
import { labelAt } from '../trace';

/** Shows a tooltip beside the pointer or the focused cell: labels and the exact value, or what a tile pools. */
export function showTip(state: State, at: Place, clientX: number, clientY: number): void {
  const { tip } = state.parts;
  tip.replaceChildren(...contentOf(state, at));
  tip.hidden = false;
  // Positioned in the window, so that no scrolling parent clips it; flipped where it would leave the window or cover the inspector.
  const { width, height } = tip.getBoundingClientRect();
  const left = clientX + 14 + width > rightEnd(state) ? clientX - 10 - width : clientX + 14;
  const top = clientY + 18 + height > window.innerHeight ? clientY - 10 - height : clientY + 18;
  tip.style.left = px(Math.max(4, left));
  tip.style.top = px(Math.max(4, top));
}

/** Right end of the step's picture; the inspector may be beside it. */
const rightEnd = ({ parts }: State): number =>
  Math.min(window.innerWidth, parts.root.closest('.step-view')?.getBoundingClientRect().right ?? Infinity);

export const hideTip = ({ parts }: State): void => {
  parts.tip.hidden = true;
};

function contentOf(state: State, at: Place): HTMLElement[] {
  if (state.options.preview) {
    return [heading(state, at, at), make('div', { class: 'counts', text: t('exact values are being computed') })];
  }
  const known = valueAt(state, at);
  const { blocks } = state;
  const i = blocks && indexAt(blocks, at.row, at.column);
  if (known) {
    return [heading(state, at, at), make('div', { class: 'number', text: exact(state, known.value, known.hidden) })];
  }
  // The exact value of a block that shows a coarser one is not known yet.
  const blurred = blocks === state.fine?.blocks && i !== undefined && !state.fine?.sharp[i];
  return blocks && i !== undefined && !blurred ? pooled(state, blocks, i) : [heading(state, at, at)];
}

function heading(state: State, from: Place, to: Place): HTMLElement {
  const span = (labels: readonly string[], a: number, b: number): string =>
    a === b ? labelAt(labels, a) : `${labelAt(labels, a)} … ${labelAt(labels, b)}`;
  const [rows, columns] = [span(state.rowLabels, from.row, to.row), span(state.columnLabels, from.column, to.column)];
  return make(
    'div',
    { class: 'labels' },
    ...t('row {0}, column {1}', rowsHole, columnsHole)
      .split(new RegExp(`([${rowsHole}${columnsHole}])`))
      .map((part) => boldIn(part, rows, columns)),
  );
}

const [rowsHole, columnsHole] = ['\u0001', '\u0002'];

/** Highlights the names wherever the translation places them in the sentence. */
function boldIn(part: string, rows: string, columns: string): HTMLElement {
  if (part === rowsHole) return make('b', { text: rows });
  return part === columnsHole ? make('b', { text: columns }) : make('span', { text: part });
}

function pooled(state: State, blocks: Blocks, i: number): HTMLElement[] {
  const [y, x] = [Math.floor(i / blocks.width), i % blocks.width];
  const from = { row: blocks.row + y * blocks.cellsDown, column: blocks.column + x * blocks.cellsAcross };
  const to = {
    row: Math.min(state.rows, from.row + blocks.cellsDown) - 1,
    column: Math.min(state.columns, from.column + blocks.cellsAcross) - 1,
  };
  const cells = cellsIn(blocks, y, x, state.rows, state.columns);
  const [masked, nan] = [blocks.masked[i] ?? 0, blocks.nan[i] ?? 0];
  const number = (value: number | undefined): string => formatNumber(value as number, state.format);
  // Limits from float32 are shown as colours, not as digits.
  const limits = masked === cells || blocks.float32 ? '' : `${number(blocks.min[i])} … ${number(blocks.max[i])}`;
  const counts = [t('{0} cells', cells), masked ? t('{0} hidden', masked) : '', nan ? t('{0} NaN', nan) : '']
    .filter(Boolean)
    .join(', ');
  return [
    heading(state, from, to),
    make('div', { class: 'number', text: limits }),
    make('div', { class: 'counts', text: counts }),
  ];
}
