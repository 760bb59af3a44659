import { cellOfBlock } from './data';
import { scrollToShow } from './geometry';
import { moveFocus } from './grid';
import { nextPlace } from './keys';
import { drawLabels } from './labels';
import { readScroll, zoom, zoomToFit } from './layout';
import { drawMarks, placeAt } from './marks';
import { toPlace, toStep, type Place, type State } from './state';
import { hideTip, showTip } from './tooltip';

/** What mouse and keyboard act on. */
export interface Inputs {
  readonly state: State;
  /** Called when cell size or scroll position have changed. */
  readonly viewed: () => void;
}

/** Adds the handlers of mouse, wheel and keyboard to a heatmap. */
export function wire(live: Inputs): void {
  const { state } = live;
  const { viewport, grid } = state.parts;
  viewport.addEventListener('scroll', () => {
    const before = state.scroll;
    readScroll(state);
    if (before.left !== state.scroll.left || before.top !== state.scroll.top) live.viewed();
  });
  viewport.addEventListener('pointermove', (event) => hover(state, event));
  viewport.addEventListener('pointerleave', () => handlePointerLeave(state));
  viewport.addEventListener('click', (event) => void click(state, event));
  viewport.addEventListener('wheel', (event) => wheel(live, event), { passive: false });
  grid.addEventListener('keydown', (event) => keyDown(live, event));
  grid.addEventListener('focusin', (event) => focusIn(state, event));
  grid.addEventListener('focusout', () => hideTip(state));
}

/** Outlines the cell under the pointer, highlights its labels and shows a tooltip with its value. */
export function hover(state: State, event: { readonly clientX: number; readonly clientY: number }): void {
  state.pointer = event;
  const at = placeAt(state, event.clientX, event.clientY);
  if (!at) return handlePointerLeave(state);
  const moved = at.row !== state.hover?.row || at.column !== state.hover.column;
  state.hover = at;
  showTip(state, at, event.clientX, event.clientY);
  if (!moved) return;
  drawMarks(state);
  drawLabels(state);
}

function handlePointerLeave(state: State): void {
  state.pointer = undefined;
  state.hover = undefined;
  hideTip(state);
  drawMarks(state);
  drawLabels(state);
}

/** Selects the clicked cell; in a tile, the cell that determines its colour. */
async function click(state: State, event: MouseEvent): Promise<void> {
  const target = (event.target as Element).closest('.heatmap-cell');
  const at = placeAt(state, event.clientX, event.clientY) ?? (target && placeOf(state, target));
  if (!at) return;
  select(state, (await tilePlace(state, at)) ?? at);
}

const placeOf = (state: State, cell: Element): Place =>
  toPlace(state, [Number(cell.getAttribute('data-row')), Number(cell.getAttribute('data-column'))]);

async function tilePlace(state: State, at: Place): Promise<Place | undefined> {
  const { blocks } = state;
  if (!blocks || blocks.cellsDown * blocks.cellsAcross === 1) return undefined;
  const span = (i: number, size: number, count: number): [number, number] => {
    const start = Math.floor(i / size) * size;
    return [start, Math.min(count, start + size)];
  };
  const rows = span(at.row, blocks.cellsDown, state.rows);
  return cellOfBlock(state, rows, span(at.column, blocks.cellsAcross, state.columns));
}

function select(state: State, at: Place): void {
  moveFocus(state, at).focus({ preventScroll: true });
  state.options.onSelect?.(...toStep(state, at));
}

function wheel(live: Inputs, event: WheelEvent): void {
  if (!event.ctrlKey || live.state.options.follower) return;
  event.preventDefault();
  const box = live.state.parts.viewport.getBoundingClientRect();
  zoom(live.state, Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  live.viewed();
}

const zoomKeys: Readonly<Record<string, number>> = { '+': 1.6, '=': 1.6, '-': 1 / 1.6 };

function keyDown(live: Inputs, event: KeyboardEvent): void {
  const { state } = live;
  const { rows, columns, focus } = state;
  const page = Math.max(1, Math.floor(state.window.height / state.cell.height) - 1);
  const next = nextPlace(focus, { key: event.key, ctrl: event.ctrlKey || event.metaKey, rows, columns, page });
  const modified = event.ctrlKey || event.metaKey || event.altKey || state.options.follower;
  const factor = modified ? undefined : zoomKeys[event.key];
  if (next) focusCell(live, next);
  else if (event.key === 'Enter' || event.key === ' ') select(state, focus);
  else if (event.key === 'Escape') return hideTip(state);
  else if (factor) zoomAtFocus(live, factor);
  else if (event.key === '0' && !modified) fit(live);
  else return;
  event.preventDefault();
}

function fit(live: Inputs): void {
  zoomToFit(live.state);
  live.viewed();
}

function zoomAtFocus(live: Inputs, factor: number): void {
  const { state } = live;
  const x = state.focus.column * state.cell.width - state.scroll.left;
  zoom(state, factor, x, state.focus.row * state.cell.height - state.scroll.top);
  live.viewed();
}

function focusCell(live: Inputs, at: Place): void {
  const { state } = live;
  const { viewport } = state.parts;
  const { cell, scroll, window: view } = state;
  viewport.scrollLeft = scrollToShow(scroll.left, view.width, at.column * cell.width, cell.width);
  viewport.scrollTop = scrollToShow(scroll.top, view.height, at.row * cell.height, cell.height);
  readScroll(state);
  // From now on the tooltip follows the keyboard, not a resting pointer.
  handlePointerLeave(state);
  moveFocus(state, at).focus({ preventScroll: true });
  live.viewed();
  state.options.onFocus?.(...toStep(state, at));
}

function focusIn(state: State, event: FocusEvent): void {
  const cell = event.target as HTMLElement;
  if (!cell.matches('.heatmap-cell')) return;
  moveFocus(state, placeOf(state, cell));
  if (!cell.matches(':focus-visible')) return;
  const box = cell.getBoundingClientRect();
  showTip(state, state.focus, box.right - 8, box.bottom - 8);
}
