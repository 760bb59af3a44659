import { make, place, px } from './dom';
import type { Blocks } from './blocks';
import type { State } from './state';
import { columnsOf, rowsOf } from './summary';
import { paintWhole, readSmall } from './thumbnail';

const side = 72;

export interface Overview {
  readonly element: HTMLElement;
  /** Moves the frame to the visible part; hides it if everything is visible. */
  update(): void;
  redraw(): void;
}

/** A minimap of the whole matrix with a frame around the visible part; dragging in it scrolls. */
export function createOverview(state: State): Overview {
  const { step, read, transposed } = state.options;
  const [rows, columns] = [rowsOf(step), columnsOf(step)];
  const unit = side / Math.max(rows, columns);
  const size = { width: Math.max(8, columns * unit), height: Math.max(8, rows * unit) };
  const canvas = make('canvas');
  canvas.style.width = px(size.width);
  canvas.style.height = px(size.height);
  const frame = make('div', { class: 'heatmap-overview-frame' });
  const element = make('div', { class: 'heatmap-overview', attributes: { 'aria-hidden': 'true' } }, canvas, frame);
  element.hidden = true;
  let blocks: Blocks | undefined;
  let asked = false;

  const redraw = (): void => {
    if (blocks) paintWhole(canvas, step, blocks, state.summary, state.palette);
  };
  const update = (): void => {
    const box = inView(state, size);
    element.hidden = transposed === true || box === undefined;
    if (!box || element.hidden) return;
    place(frame, box);
    if (asked) return;
    asked = true;
    void readSmall(step, read, size).then((small) => {
      blocks = small;
      redraw();
    });
  };
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    scrollTo(state, canvas, event);
  });
  element.addEventListener('pointermove', (event) => {
    if (element.hasPointerCapture(event.pointerId)) scrollTo(state, canvas, event);
  });
  return { element, update, redraw };
}

/** The frame of the visible part in the minimap; undefined if everything is visible. */
function inView(
  { rows, columns, cell, window, scroll }: State,
  size: { width: number; height: number },
): Parameters<typeof place>[1] | undefined {
  const [width, height] = [columns * cell.width, rows * cell.height];
  if (window.width >= width - 1 && window.height >= height - 1) return undefined;
  const [sx, sy] = [size.width / width, size.height / height];
  return {
    left: scroll.left * sx,
    top: scroll.top * sy,
    width: Math.max(4, Math.min(size.width, window.width * sx)),
    height: Math.max(4, Math.min(size.height, window.height * sy)),
  };
}

function scrollTo(state: State, canvas: HTMLElement, event: PointerEvent): void {
  const box = canvas.getBoundingClientRect();
  const { rows, columns, cell, window, parts } = state;
  parts.viewport.scrollLeft = ((event.clientX - box.left) / box.width) * columns * cell.width - window.width / 2;
  parts.viewport.scrollTop = ((event.clientY - box.top) / box.height) * rows * cell.height - window.height / 2;
}
