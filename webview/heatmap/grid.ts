import { plain, repr } from '../draw';
import { indexAt, type Blocks } from './blocks';
import { cellOf, readCell } from './data';
import { make, px } from './dom';
import { visibleCells } from './geometry';
import { drawnRegime, isWhole, spoken, symbolOf, toStep, type Place, type State } from './state';

/**
 * The matrix for screen readers, keyboards and tests: an ARIA grid over the canvas. It has all cells of a small matrix; of a larger one only those
 * whose numbers are visible, and always the focused one.
 */
export function drawGrid(state: State): void {
  const { grid } = state.parts;
  grid.style.setProperty('--cell-width', px(state.cell.width));
  grid.style.setProperty('--cell-height', px(state.cell.height));
  if (isWhole(state.rows, state.columns)) buildWhole(state);
  else syncRenderedCells(state);
  grid.setAttribute('aria-busy', String(state.cells.size === 0));
}

export function describeGrid(state: State): void {
  const { step, transposed, name } = state.options;
  const { grid } = state.parts;
  grid.setAttribute('aria-label', plain(`${name ?? symbolOf(step, transposed)}: ${step.words.name}`));
  grid.setAttribute('aria-rowcount', String(state.rows));
  grid.setAttribute('aria-colcount', String(state.columns));
}

function buildWhole(state: State): void {
  if (state.cells.size || !state.values) return;
  for (let row = 0; row < state.rows; row++) {
    for (let column = 0; column < state.columns; column++) addCell(state, { row, column });
  }
}

function syncRenderedCells(state: State): void {
  const wanted = new Map<number, Place>();
  const addWanted = (at: Place): unknown => wanted.set(keyOf(state, at), at);
  if (drawnRegime(state) === 'numbers') forEachNumber(state, addWanted);
  addWanted(state.focus);
  for (const [key, cell] of state.cells) if (!wanted.has(key)) removeCell(state, key, cell);
  for (const [key, at] of wanted) if (!state.cells.has(key)) addCell(state, at);
}

function forEachNumber(state: State, want: (at: Place) => void): void {
  const { scroll, window, cell } = state;
  const [r0, r1] = visibleCells(scroll.top, window.height, cell.height, state.rows);
  const [c0, c1] = visibleCells(scroll.left, window.width, cell.width, state.columns);
  for (let row = r0; row < r1; row++) for (let column = c0; column < c1; column++) want({ row, column });
}

const keyOf = (state: State, { row, column }: Place): number => row * state.columns + column;

function removeCell(state: State, key: number, cell: HTMLElement): void {
  const row = cell.parentElement;
  cell.remove();
  state.cells.delete(key);
  if (row?.childElementCount === 0) {
    row.remove();
    state.rowNodes.delete(Math.floor(key / state.columns));
  }
}

function addCell(state: State, at: Place): HTMLElement {
  const [row, column] = toStep(state, at);
  const cell = make('div', {
    class: 'heatmap-cell',
    attributes: {
      role: 'gridcell',
      'aria-colindex': String(at.column + 1),
      'data-row': String(row),
      'data-column': String(column),
      tabindex: at.row === state.focus.row && at.column === state.focus.column ? '0' : '-1',
    },
  });
  cell.style.setProperty('--column', String(at.column));
  state.cells.set(keyOf(state, at), cell);
  insertSorted(rowNode(state, at.row), cell);
  fillCell(state, at, cell);
  return cell;
}

/** Sets a cell's value and name, at once if it has been read, else when it is. */
function fillCell(state: State, at: Place, cell: HTMLElement): void {
  const write = ({ value, hidden }: { value: number; hidden: boolean }): void => {
    if (!state.options.preview) cell.setAttribute('data-value', repr(value));
    cell.setAttribute('aria-label', spoken(state, at, value, hidden));
  };
  const known = valueAt(state, at);
  if (known) return write(known);
  cell.setAttribute('aria-label', 'reading');
  void readCell(state, at).then(write);
}

/** The value of a displayed cell, if it has been read other than pooled. */
export function valueAt(state: State, { row, column }: Place): { value: number; hidden: boolean } | undefined {
  const single = (b: Blocks | undefined): b is Blocks => b?.cellsDown === 1 && b.cellsAcross === 1 && !b.float32;
  const blocks = [state.values, state.blocks].filter(single).find((b) => indexAt(b, row, column) !== undefined);
  const i = blocks && indexAt(blocks, row, column);
  return i === undefined ? undefined : cellOf(blocks?.nan[i] ?? 0, blocks?.max[i] as number, blocks?.masked[i] ?? 0);
}

function rowNode(state: State, row: number): HTMLElement {
  const known = state.rowNodes.get(row);
  if (known) return known;
  const node = make('div', { class: 'heatmap-row', attributes: { role: 'row', 'aria-rowindex': String(row + 1) } });
  node.style.setProperty('--row', String(row));
  state.rowNodes.set(row, node);
  insertSorted(state.parts.grid, node);
  return node;
}

const order = (node: Element): number =>
  Number(node.getAttribute('aria-colindex') ?? node.getAttribute('aria-rowindex'));

/** Inserts a node such that reading order is index order, whatever order scrolling adds cells in. */
function insertSorted(parent: HTMLElement, node: HTMLElement): void {
  let before = parent.lastElementChild;
  while (before && order(before) > order(node)) before = before.previousElementSibling;
  if (before) before.after(node);
  else parent.prepend(node);
}

/** Makes `at` the tab stop; returns its element. */
export function moveFocus(state: State, at: Place): HTMLElement {
  state.cells.get(keyOf(state, state.focus))?.setAttribute('tabindex', '-1');
  state.focus = at;
  const cell = state.cells.get(keyOf(state, at)) ?? addCell(state, at);
  cell.setAttribute('tabindex', '0');
  return cell;
}

export function markSelected(state: State): void {
  const cell = state.highlight.cell;
  state.parts.grid.querySelector('[aria-selected=true]')?.removeAttribute('aria-selected');
  if (!cell) return;
  const [row, column] = state.options.transposed ? [cell[1], cell[0]] : cell;
  state.cells.get(keyOf(state, { row, column }))?.setAttribute('aria-selected', 'true');
}
