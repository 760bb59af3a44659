import { scaleOf } from './colours';
import { ensureBlocks, readValues, standout } from './heatmap/data';
import { make, oncePerFrame } from './heatmap/dom';
import { colourBar, tileNote, zoomButtons } from './heatmap/foot';
import { scrollToShow } from './heatmap/geometry';
import { describeGrid, drawGrid, markSelected, moveFocus } from './heatmap/grid';
import { nextPlace } from './heatmap/keys';
import { drawLabels } from './heatmap/labels';
import { followView, layout, readScroll, readTheme, viewOf, zoom, zoomToFit } from './heatmap/layout';
import { widestNumbers } from './heatmap/measure';
import { drawMarks, placeAt } from './heatmap/marks';
import { createOverview, type Overview } from './heatmap/overview';
import { paint } from './heatmap/paint';
import { displayed, regime, toPlace, toStep, type Parts, type Place, type State } from './heatmap/state';
import { formatFor, summarise, type Summary } from './heatmap/summary';
import { hideTip, showTip } from './heatmap/tip';
import type { Heatmap, HeatmapOptions, HeatmapView, Highlight } from './heatmap-types';

export { createThumbnail, type Thumbnail, type ThumbnailOptions } from './heatmap/thumbnail';

/**
 * A matrix as a picture that can be read: canvas below, an ARIA grid above it. Only what the window shows is painted and
 * read, so a 2,000×2,000 matrix costs as much as its window. `data-drawn` on the element names the regime once painted.
 */
export function createHeatmap(options: HeatmapOptions): Heatmap {
  const parts = buildParts(options);
  let running: Running | undefined;
  let pending: { highlight?: Highlight; view?: Partial<HeatmapView> } = {};
  let alive = true;
  let drawn: () => void = () => undefined;
  const painted = new Promise<void>((resolve) => (drawn = resolve));
  void summarise(options.step, options.read).then(async (summary) => {
    const state = startState(options, parts, summary);
    await readValues(state);
    if (!alive) return;
    running = run(state, drawn);
    if (pending.highlight) running.highlight(pending.highlight);
    if (pending.view) running.follow(pending.view);
  });
  return {
    element: parts.root,
    drawn: painted,
    highlight: (highlight) => (running ? running.highlight(highlight) : void (pending = { ...pending, highlight })),
    follow: (view) =>
      running ? running.follow(view) : void (pending = { ...pending, view: { ...pending.view, ...view } }),
    redraw: () => running?.redraw(),
    destroy() {
      alive = false;
      running?.destroy();
      parts.root.remove();
    },
  };
}

function buildParts({ step, showRowLabels, showColumnLabels, follower }: HeatmapOptions): Parts {
  const canvas = make('canvas', { class: 'heatmap-canvas', attributes: { 'aria-hidden': 'true' } });
  const grid = make('div', {
    class: 'heatmap-grid',
    attributes: { role: 'grid', 'aria-label': step.symbol, 'aria-busy': 'true', 'data-matrix': step.id },
  });
  const marks = make('div', { class: 'heatmap-marks', attributes: { 'aria-hidden': 'true' } });
  const content = make('div', { class: 'heatmap-content' }, canvas, marks, grid);
  const viewport = make('div', { class: 'heatmap-viewport' }, content);
  const strip = (name: string, shown: boolean): HTMLElement => {
    const node = make('div', { class: `heatmap-strip ${name}`, attributes: { 'aria-hidden': 'true' } });
    node.hidden = !shown;
    return node;
  };
  const columnStrip = strip('columns', showColumnLabels !== false);
  const rowStrip = strip('rows', showRowLabels !== false);
  const frame = make('div', { class: 'heatmap-frame' }, columnStrip, rowStrip, viewport);
  const foot = make('div', { class: 'heatmap-foot' });
  const note = make('span', { class: 'heatmap-note' });
  const tip = make('div', { class: 'heatmap-tip', attributes: { role: 'tooltip' } });
  tip.hidden = true;
  const root = make('div', { class: follower ? 'heatmap follower' : 'heatmap' }, frame, foot, tip);
  root.style.setProperty('--role', `var(--role-${step.role}, var(--heatmap-foreground))`);
  return { root, frame, columnStrip, rowStrip, viewport, content, canvas, grid, marks, foot, note, tip };
}

function startState(options: HeatmapOptions, parts: Parts, summary: Summary): State {
  const cell = { width: 1, height: 1 };
  const black = [0, 0, 0] as const;
  const palette = { background: black, foreground: black, neutral: black, negative: black, positive: black };
  return {
    options,
    parts,
    ...displayed(options.step, options.transposed ?? false),
    summary,
    format: formatFor(options.step, summary, options.digits),
    palette: { ...palette, hatch: black, error: black, light: false },
    fonts: { mono: 'monospace', text: 'sans-serif' },
    numberWidth: 0,
    comfortable: 0,
    fit: cell,
    cell,
    smallest: 1,
    labels: { left: 0, top: 0, upright: false, everyRow: 1, everyColumn: 1 },
    window: { width: 0, height: 0 },
    chosen: false,
    followed: {},
    scroll: { left: 0, top: 0 },
    blocks: undefined,
    values: undefined,
    reading: undefined,
    highlight: {},
    hover: undefined,
    pointer: undefined,
    focus: { row: 0, column: 0 },
    cells: new Map(),
    rowNodes: new Map(),
    alive: true,
  };
}

type Running = Omit<Heatmap, 'element' | 'drawn'>;

/** The parts that change together, and what redraws them. */
interface Live {
  readonly state: State;
  readonly overview: Overview;
  /** Paints before the next frame. */
  readonly ask: () => void;
  /** The cells or the scroll position changed. */
  readonly viewed: () => void;
  /** The first picture is on the canvas. */
  readonly drawn: () => void;
}

function run(state: State, drawn: () => void): Running {
  const frame = oncePerFrame(() => draw(live));
  const overview = createOverview(state);
  const viewed = (): void => {
    frame.ask();
    state.options.onView?.(viewOf(state));
  };
  const live: Live = { state, overview, ask: frame.ask, viewed, drawn };
  const unwatch = watch(live);
  describeGrid(state);
  refit(live);
  wire(live);
  return {
    highlight(highlight) {
      state.highlight = highlight;
      if (highlight.cell) moveFocus(state, toPlace(state, highlight.cell));
      drawMarks(state);
      drawLabels(state);
      markSelected(state);
    },
    follow(view) {
      followView(state, view);
      frame.ask();
    },
    redraw() {
      refit(live);
      overview.redraw();
    },
    destroy() {
      state.alive = false;
      frame.cancel();
      unwatch();
    },
  };
}

/** Fits anew when the element appears, its room changes, or the window moves to a screen with other pixels. */
function watch(live: Live): () => void {
  const { root } = live.state.parts;
  let width = root.clientWidth;
  const observer = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    refit(live);
  });
  observer.observe(root);
  window.addEventListener('resize', live.ask);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', live.ask);
  };
}

function refit(live: Live): void {
  const { state } = live;
  if (state.options.maxWidth === undefined && state.parts.root.clientWidth === 0) return;
  readTheme(state);
  layout(state);
  drawFoot(live);
  draw(live);
  state.options.onView?.(viewOf(state));
}

function drawFoot(live: Live): void {
  const { state, overview } = live;
  const { foot, note, viewport } = state.parts;
  if (state.options.showFoot === false) return;
  const centre = (): [number, number] => [viewport.clientWidth / 2, viewport.clientHeight / 2];
  const zoomed = (change: () => void) => (): void => {
    change();
    live.viewed();
  };
  const actions = {
    by: (factor: number) => zoomed(() => zoom(state, factor, ...centre()))(),
    fit: zoomed(() => zoomToFit(state)),
  };
  // Small matrices show all they have; a control would only be noise.
  const roomy = regime(state) === 'numbers' && state.rows * state.cell.height <= state.window.height + 1;
  const zoomable = state.options.showFoot !== 'bar' && (!roomy || state.chosen);
  foot.replaceChildren(colourBar(state), ...(zoomable ? [zoomButtons(actions)] : []), note, overview.element);
}

function draw({ state, overview, ask, drawn }: Live): void {
  const { parts, window: view } = state;
  const ratio = window.devicePixelRatio;
  ensureBlocks(state, ask);
  sizeCanvas(parts.canvas, view, ratio);
  if (state.blocks) {
    paintState(state, ratio);
    parts.root.dataset['drawn'] = regime(state);
    drawn();
  }
  drawLabels(state);
  drawGrid(state);
  drawMarks(state);
  markSelected(state);
  parts.note.textContent = tileNote(state);
  overview.update();
  // What is under a resting pointer changes with zoom and scroll.
  if (state.pointer) hover(state, state.pointer);
}

/** The canvas is as large as the window, whatever the matrix is. */
function sizeCanvas(canvas: HTMLCanvasElement, view: State['window'], ratio: number): void {
  const [width, height] = [Math.ceil(view.width * ratio), Math.ceil(view.height * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
}

function paintState(state: State, ratio: number): void {
  const { blocks, options, palette, summary, scroll, window: view } = state;
  const ctx = state.parts.canvas.getContext('2d');
  if (!ctx || !blocks) return;
  // While zooming in, pooled blocks stand in for the cells until these have been read.
  const pooled = blocks.cellsDown > 1 || blocks.cellsAcross > 1;
  paint(ctx, {
    blocks,
    rows: state.rows,
    columns: state.columns,
    cell: state.cell,
    regime: pooled ? 'tiles' : regime(state),
    left: scroll.left,
    top: scroll.top,
    width: view.width,
    height: view.height,
    ratio,
    scale: scaleOf(options.step.kind, options.range ?? summary, palette),
    palette,
    format: state.format,
    font: state.fonts.mono,
    widest: widestNumbers(summary, state.format),
    fitting: options.numberWidths?.widest ?? [],
    floor: (options.range ?? summary).min,
    veil: options.step.kind === 'mask',
  });
}

// --- mouse and keyboard -------------------------------------------------------------

function wire(live: Live): void {
  const { state } = live;
  const { viewport, grid } = state.parts;
  viewport.addEventListener('scroll', () => {
    const before = state.scroll;
    readScroll(state);
    if (before.left !== state.scroll.left || before.top !== state.scroll.top) live.viewed();
  });
  viewport.addEventListener('pointermove', (event) => hover(state, event));
  viewport.addEventListener('pointerleave', () => leave(state));
  viewport.addEventListener('click', (event) => void click(state, event));
  viewport.addEventListener('wheel', (event) => wheel(live, event), { passive: false });
  grid.addEventListener('keydown', (event) => keyDown(live, event));
  grid.addEventListener('focusin', (event) => focusIn(state, event));
  grid.addEventListener('focusout', () => hideTip(state));
}

function hover(state: State, event: { readonly clientX: number; readonly clientY: number }): void {
  state.pointer = event;
  const at = placeAt(state, event.clientX, event.clientY);
  if (!at) return leave(state);
  const moved = at.row !== state.hover?.row || at.column !== state.hover.column;
  state.hover = at;
  showTip(state, at, event.clientX, event.clientY);
  if (!moved) return;
  drawMarks(state);
  drawLabels(state);
}

function leave(state: State): void {
  state.pointer = undefined;
  state.hover = undefined;
  hideTip(state);
  drawMarks(state);
  drawLabels(state);
}

/** A click on a cell means that cell; on a tile, the cell that gave the tile its colour. */
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
  return standout(state, rows, span(at.column, blocks.cellsAcross, state.columns));
}

function select(state: State, at: Place): void {
  moveFocus(state, at).focus({ preventScroll: true });
  state.options.onSelect?.(...toStep(state, at));
}

function wheel(live: Live, event: WheelEvent): void {
  if (!event.ctrlKey || live.state.options.follower) return;
  event.preventDefault();
  const box = live.state.parts.viewport.getBoundingClientRect();
  zoom(live.state, Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  live.viewed();
}

const zoomKeys: Readonly<Record<string, number>> = { '+': 1.6, '=': 1.6, '-': 1 / 1.6 };

function keyDown(live: Live, event: KeyboardEvent): void {
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
  else return;
  event.preventDefault();
}

function zoomAtFocus(live: Live, factor: number): void {
  const { state } = live;
  const x = state.focus.column * state.cell.width - state.scroll.left;
  zoom(state, factor, x, state.focus.row * state.cell.height - state.scroll.top);
  live.viewed();
}

function focusCell(live: Live, at: Place): void {
  const { state } = live;
  const { viewport } = state.parts;
  const { cell, scroll, window: view } = state;
  viewport.scrollLeft = scrollToShow(scroll.left, view.width, at.column * cell.width, cell.width);
  viewport.scrollTop = scrollToShow(scroll.top, view.height, at.row * cell.height, cell.height);
  readScroll(state);
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
