import { make, place } from './dom';
import { toPlace, type Place, type State } from './state';

type MarkKind = 'row' | 'column' | 'cell' | 'hover';

/** Draws outlines as elements over the canvas: they follow the theme, and moving one repaints nothing. */
export function drawMarks(state: State): void {
  const { highlight, options, hover } = state;
  // In a transposed matrix the step's own row is a displayed column.
  const [row, column] = options.transposed ? [highlight.column, highlight.row] : [highlight.row, highlight.column];
  const cell = highlight.cell && toPlace(state, highlight.cell);
  const last = { row: state.rows - 1, column: state.columns - 1 };
  setMark(
    state,
    'row',
    row === undefined
      ? undefined
      : [
          { row, column: 0 },
          { row, column: last.column },
        ],
  );
  setMark(
    state,
    'column',
    column === undefined
      ? undefined
      : [
          { row: 0, column },
          { row: last.row, column },
        ],
  );
  setMark(state, 'hover', hover && [hover, hover]);
  setMark(state, 'cell', cell && [cell, cell]);
}

/** Moves the outline of a kind, or removes it. */
function setMark(state: State, kind: MarkKind, span: readonly [Place, Place] | undefined): void {
  const { marks } = state.parts;
  const known = marks.querySelector<HTMLElement>(`.${kind}`);
  if (!span) return known?.remove();
  const node = known ?? make('div', { class: `heatmap-mark ${kind}` });
  place(node, boxOf(state, ...span));
  if (!known) marks.append(node);
}

/** Smallest outline in pixels: a smaller one would hide its cell. */
const smallest = 7;

function boxOf({ cell }: State, from: Place, to: Place): Parameters<typeof place>[1] {
  const span = (start: number, end: number, size: number): [number, number] => {
    const [at, length] = [start * size, (end - start + 1) * size - (size >= 8 ? 1 : 0)];
    return length >= smallest ? [at, length] : [at + length / 2 - smallest / 2, smallest];
  };
  const [left, width] = span(from.column, to.column, cell.width);
  const [top, height] = span(from.row, to.row, cell.height);
  return { left, top, width, height };
}

/** The displayed cell under a pointer; undefined outside the cells. */
export function placeAt(state: State, clientX: number, clientY: number): Place | undefined {
  const box = state.parts.viewport.getBoundingClientRect();
  const [x, y] = [clientX - box.left, clientY - box.top];
  if (x < 0 || y < 0 || x >= state.window.width || y >= state.window.height) return undefined;
  const row = Math.floor((y + state.scroll.top) / state.cell.height);
  const column = Math.floor((x + state.scroll.left) / state.cell.width);
  return row < state.rows && column < state.columns ? { row, column } : undefined;
}
