import type { HeatmapView } from './types';
import { px } from './dom';
import { fitCells, scrollbarsFor, smallestZoom, zoomTo, type CellSize, type FitInput } from './geometry';
import { planLabels } from './labels';
import { numberCellWidths, readFonts } from './measure';
import type { State } from './state';
import { defaultHeight } from './summary';
import { theme } from './theme';

/** Reads fonts and colours from the current theme. */
export function readTheme(state: State): void {
  state.palette = theme();
  state.fonts = readFonts();
  const own = numberCellWidths(state.summary, state.format, state.fonts);
  const { comfortable = 0, least = 0 } = state.options.numberWidths ?? {};
  state.comfortable = Math.max(own.comfortable, comfortable);
  state.numberWidth = Math.max(own.least, least);
}

/** Space for cells beside labels of this size. */
function roomFor(state: State, labels: State['labels']): FitInput {
  const { options, parts, rows, columns, numberWidth, comfortable } = state;
  const width = (options.maxWidth ?? parts.root.clientWidth) - labels.left;
  const height = (options.maxHeight ?? defaultHeight) - labels.top;
  return { rows, columns, numberWidth, comfortable, width: Math.max(24, width), height: Math.max(24, height) };
}

/** Chooses the cell size that fits (unless the reader has chosen one) and sizes every element. */
export function layout(state: State): void {
  const { options } = state;
  // Labels take space from cells, and the cell width determines the layout of labels: two passes settle both.
  let room = roomFor(state, planLabels(state, { width: 28, height: 20 }));
  for (let pass = 0; pass < 2; pass++) {
    state.fit = {
      width: options.cellWidth ?? fitCells(room).width,
      height: options.cellHeight ?? fitCells(room).height,
    };
    room = roomFor(state, planLabels(state, state.fit));
  }
  state.smallest = smallestZoom(room, state.fit);
  if (!state.chosen) state.cell = state.fit;
  applySizes(state);
}

function applySizes(state: State): void {
  const { cell, parts, rows, columns, options, followed } = state;
  state.labels = planLabels(state, cell);
  const room = roomFor(state, state.labels);
  const content = { width: columns * cell.width, height: rows * cell.height };
  const bars = options.follower ? { vertical: 0, horizontal: 0 } : scrollbarsFor(content, room, scrollbarWidth());
  state.window = {
    width: Math.min(content.width, followed.windowWidth ?? room.width - bars.vertical),
    height: Math.min(content.height, followed.windowHeight ?? room.height - bars.horizontal),
  };
  parts.viewport.style.width = px(state.window.width + bars.vertical);
  parts.viewport.style.height = px(state.window.height + bars.horizontal);
  // If the matrix cannot scroll in a direction, the wheel scrolls the page.
  parts.viewport.style.overscrollBehaviorX = content.width > state.window.width + 0.5 ? 'contain' : 'auto';
  parts.viewport.style.overscrollBehaviorY = content.height > state.window.height + 0.5 ? 'contain' : 'auto';
  parts.content.style.width = px(content.width);
  parts.content.style.height = px(content.height);
  // Explicit tracks: a matrix without labels still reserves the space that its neighbour's labels take.
  parts.frame.style.gridTemplateColumns = `${px(state.labels.left)} max-content`;
  parts.frame.style.gridTemplateRows = `${px(state.labels.top)} max-content`;
  parts.columnStrip.style.height = px(state.labels.top);
  parts.columnStrip.style.width = px(state.window.width);
  parts.columnStrip.classList.toggle('upright', state.labels.upright);
  parts.rowStrip.style.width = px(state.labels.left);
  parts.rowStrip.style.height = px(state.window.height);
  parts.foot.style.marginLeft = px(state.labels.left);
  parts.foot.style.setProperty('--label-left', px(state.labels.left));
  // Reading an element's scroll position forces a layout; a matrix at its origin is never moved by this.
  if (state.scroll.left > 0 || state.scroll.top > 0) readScroll(state);
}

let thickness: number | undefined;

function scrollbarWidth(): number {
  if (thickness !== undefined) return thickness;
  const probe = document.createElement('div');
  probe.className = 'heatmap-viewport';
  Object.assign(probe.style, {
    position: 'absolute',
    width: '60px',
    height: '60px',
    overflow: 'scroll',
    visibility: 'hidden',
  });
  document.body.append(probe);
  thickness = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return thickness;
}

export function readScroll(state: State): void {
  const { scrollLeft, scrollTop } = state.parts.viewport;
  state.scroll = { left: scrollLeft, top: scrollTop };
}

/** Zooms by a factor around the point (x, y) of the viewport. */
export function zoom(state: State, factor: number, x: number, y: number): void {
  setCell(state, zoomTo(state.cell.width * factor, state), x, y);
}

export function zoomToFit(state: State): void {
  state.chosen = false;
  state.cell = state.fit;
  applySizes(state);
}

function setCell(state: State, cell: CellSize, x: number, y: number): void {
  const { viewport } = state.parts;
  const [column, row] = [(state.scroll.left + x) / state.cell.width, (state.scroll.top + y) / state.cell.height];
  state.chosen = true;
  state.cell = cell;
  applySizes(state);
  viewport.scrollLeft = column * cell.width - x;
  viewport.scrollTop = row * cell.height - y;
  readScroll(state);
}

export const viewOf = ({ cell, scroll, labels, window }: State): HeatmapView => ({
  cellWidth: cell.width,
  cellHeight: cell.height,
  scrollLeft: scroll.left,
  scrollTop: scroll.top,
  labelLeft: labels.left,
  labelTop: labels.top,
  windowWidth: window.width,
  windowHeight: window.height,
});

/** Adopts another heatmap's cells, labels, viewport and scroll position; says whether anything changed. */
export function followView(state: State, view: Partial<HeatmapView>): boolean {
  const { viewport } = state.parts;
  const { scrollLeft, scrollTop, cellWidth = state.cell.width, cellHeight = state.cell.height, ...frame } = view;
  const resized = cellWidth !== state.cell.width || cellHeight !== state.cell.height;
  const framed = Object.entries(frame).some(([name, value]) => state.followed[name as keyof HeatmapView] !== value);
  if (resized || framed) {
    state.followed = { ...state.followed, ...frame };
    state.chosen ||= resized;
    state.cell = { width: cellWidth, height: cellHeight };
    applySizes(state);
  }
  const { left, top } = state.scroll;
  if (scrollLeft !== undefined && scrollLeft !== left) viewport.scrollLeft = scrollLeft;
  if (scrollTop !== undefined && scrollTop !== top) viewport.scrollTop = scrollTop;
  const scrolled = (scrollLeft ?? left) !== left || (scrollTop ?? top) !== top;
  if (scrolled) readScroll(state);
  return resized || framed || scrolled;
}
