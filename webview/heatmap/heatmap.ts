import { scaleOf, scales } from '../draw';
import { colourBar } from './colour-bar';
import { ensureBlocks, readValues } from './data';
import { make, oncePerFrame } from './dom';
import { focusedIn, giveFocus, growthButton, labelGrowth, tileNote, zoomButtons } from './footer';
import { describeGrid, drawGrid, markSelected, moveFocus } from './grid';
import { hover, wire } from './input';
import { drawLabels } from './labels';
import { followView, layout, readTheme, viewOf, zoom, zoomToFit } from './layout';
import { widestNumbers } from './measure';
import { drawMarks } from './marks';
import { createOverview, type Overview } from './overview';
import { paint } from './paint';
import { displayed, drawnRegime, regime, toPlace, type Parts, type State } from './state';
import { formatFor, summarise, type Summary } from './summary';
import type { Heatmap, HeatmapOptions, HeatmapView, Highlight } from './types';

export { createThumbnail, type Thumbnail } from './thumbnail';

/**
 * A matrix as an accessible picture: a canvas with an ARIA grid above it. Only the viewport is read and painted, so a 2,000×2,000 matrix costs
 * no more than what is visible of it. `data-drawn` on the element names the regime once it is painted.
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
    coarse: undefined,
    fine: undefined,
    values: undefined,
    reading: undefined,
    answered: undefined,
    stale: false,
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

/** The parts of a heatmap that change, with functions that redraw them. */
interface Live {
  readonly state: State;
  readonly overview: Overview;
  /** The button that stops a picture that is still being computed. */
  readonly growth: HTMLElement;
  /** The summary that the footer shows; it changes while the picture is being computed. */
  told?: Summary;
  /** Schedules painting for the next frame. */
  readonly ask: () => void;
  /** Paints at once. */
  readonly now: () => void;
  /** Set while the first picture waits for its values. */
  waiting?: true;
  /** Set once cells, marks and labels are drawn, and usually the picture. */
  begun?: true;
  /** Called when cell size or scroll position have changed. */
  readonly viewed: () => void;
  /** Called when the first picture is painted. */
  readonly drawn: () => void;
}

function run(state: State, drawn: () => void): Running {
  const frame = oncePerFrame(() => draw(live));
  const overview = createOverview(state);
  const viewed = (): void => {
    frame.ask();
    state.options.onView?.(viewOf(state));
  };
  const now = (): void => {
    frame.cancel();
    draw(live);
  };
  const growth = growthButton(state, frame.ask);
  const live: Live = { state, overview, growth, ask: frame.ask, now, viewed, drawn };
  const unwatch = watch(live);
  describeGrid(state);
  fitToSize(live);
  wire(live);
  return {
    highlight(highlight) {
      state.highlight = highlight;
      // The first picture is not drawn yet; it includes cells, marks and labels.
      if (!live.begun) {
        if (highlight.cell) state.focus = toPlace(state, highlight.cell);
        return;
      }
      if (highlight.cell) moveFocus(state, toPlace(state, highlight.cell));
      drawMarks(state);
      drawLabels(state);
      markSelected(state);
    },
    follow(view) {
      if (followView(state, view)) frame.ask();
    },
    redraw() {
      fitToSize(live);
      overview.redraw();
    },
    destroy() {
      state.alive = false;
      frame.cancel();
      unwatch();
    },
  };
}

/** Fits again when the element is shown or resized; repaints when the device pixel ratio changes. */
function watch(live: Live): () => void {
  const { options, parts } = live.state;
  let width: number | undefined;
  const observer = new ResizeObserver(([entry]) => {
    const now = entry?.contentRect.width;
    if (now === width) return;
    width = now;
    fitToSize(live);
  });
  if (options.maxWidth === undefined) observer.observe(parts.root);
  window.addEventListener('resize', live.ask);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', live.ask);
  };
}

function fitToSize(live: Live): void {
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
  live.told = state.summary;
  if (state.options.showFoot === false) return;
  const held = focusedIn(foot);
  const centre = (): [number, number] => [viewport.clientWidth / 2, viewport.clientHeight / 2];
  const zoomed = (change: () => void) => (): void => {
    change();
    live.viewed();
  };
  const actions = {
    by: (factor: number) => zoomed(() => zoom(state, factor, ...centre()))(),
    fit: zoomed(() => zoomToFit(state)),
  };
  // Small matrices are fully visible; zoom buttons would be useless.
  const roomy = regime(state) === 'numbers' && state.rows * state.cell.height <= state.window.height + 1;
  const zoomable = state.options.showFoot !== 'bar' && (!roomy || state.chosen);
  foot.replaceChildren(
    colourBar(state),
    ...(zoomable ? [zoomButtons(actions)] : []),
    note,
    // One button is enough for matrices side by side: it stops the computation of all.
    ...(state.options.growth && state.options.showFoot !== 'bar' ? [live.growth] : []),
    overview.element,
  );
  if (held) giveFocus(foot, held);
}

function draw(live: Live): void {
  const { state, overview, ask, drawn } = live;
  if (live.told && live.told !== state.summary) drawFoot(live);
  const { parts, window: view } = state;
  const ratio = window.devicePixelRatio;
  // The first picture is painted at once when it has been read, together with its labels; a frame later the labels would appear alone.
  ensureBlocks(state, state.blocks ? ask : live.now);
  if (!state.blocks && !live.waiting) {
    live.waiting = true;
    return ask();
  }
  live.begun = true;
  sizeCanvas(parts.canvas, view, ratio);
  if (state.blocks) {
    paintState(state, ratio);
    parts.root.dataset['drawn'] = drawnRegime(state);
    parts.root.dataset['sharp'] = String(state.fine?.done ?? true);
    drawn();
  }
  drawLabels(state);
  drawGrid(state);
  drawMarks(state);
  markSelected(state);
  parts.note.textContent = tileNote(state);
  const held = focusedIn(parts.foot);
  labelGrowth(live.growth, state);
  if (held && live.growth.hidden) giveFocus(parts.foot, held);
  overview.update();
  // Zooming and scrolling change the cell under a resting pointer.
  if (state.pointer) hover(state, state.pointer);
}

/** Sets the canvas to the viewport's size, whatever the size of the matrix. */
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
  // After zooming in, pooled blocks are drawn until the cells have been read.
  const pooled = blocks.cellsDown > 1 || blocks.cellsAcross > 1;
  paint(ctx, {
    blocks,
    rows: state.rows,
    columns: state.columns,
    cell: state.cell,
    regime: pooled ? 'tiles' : drawnRegime(state),
    left: scroll.left,
    top: scroll.top,
    width: view.width,
    height: view.height,
    ratio,
    scale: scaleOf(options.step, options.range ?? summary, palette),
    palette,
    format: state.format,
    font: state.fonts.mono,
    widest: widestNumbers(summary, state.format),
    fitting: options.numberWidths?.widest ?? [],
    floor: (options.range ?? summary).min,
    veil: scales[options.step.kind].hatched,
  });
}
