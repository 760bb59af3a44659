import type { ReadTile } from '../trace';
import { defer, scaleOf, scales, type Palette } from '../draw';
import { Stopped } from '../compute';
import { blocksOf, type Blocks } from './blocks';
import { growingInterval } from './data';
import { make, px } from './dom';
import { paint, type Picture } from './paint';
import { columnsOf, formatFor, rowsOf, summarise, type Drawn, type Summary } from './summary';
import { theme } from './theme';

export interface ThumbnailOptions {
  /** Available size in CSS pixels; the picture keeps the matrix's proportions. */
  readonly width: number;
  readonly height: number;
  /** Where its colours end, so that a colour means the same number in several pictures: of weights the largest, of signed numbers the largest magnitude. By default its own largest. */
  readonly colourLimit?: number;
}

export interface Thumbnail {
  readonly element: HTMLElement;
  /** Shows another matrix of the same shape; the present picture stays until the values have been read. */
  show(step: Drawn, read: ReadTile): void;
  /** Reads values and theme again and repaints. */
  redraw(): void;
}

/**
 * A small picture of a whole matrix: its cells, or the extremes of blocks if cells would be smaller than a pixel. It is painted after the next
 * frame, as the large pictures come first. One canvas is reused, since each new one would be another compositing layer.
 */
export function createThumbnail(
  step: Drawn,
  read: ReadTile,
  { width, height, colourLimit }: ThumbnailOptions,
): Thumbnail {
  const size = thumbnailSize(rowsOf(step), columnsOf(step), width, height);
  const canvas = make('canvas', { class: 'heatmap-thumbnail', attributes: { 'aria-hidden': 'true' } });
  canvas.style.width = px(size.width);
  canvas.style.height = px(size.height);
  let shown = { step, read };
  const redraw = async (): Promise<void> => {
    const mine = shown;
    const [blocks, summary] = [await readSmall(mine.step, mine.read, size), await summarise(mine.step, mine.read)];
    if (mine !== shown) return;
    paintWhole(canvas, mine.step, blocks, limitedTo(summary, mine.step, colourLimit), theme());
    // A picture that is no longer in the page need not be completed.
    if (blocks.pending && canvas.isConnected) window.setTimeout(draw, 2 * growingInterval);
  };
  const draw = (): void =>
    void redraw().catch((error: unknown) => {
      // The worker was stopped: keep what was painted.
      if (!(error instanceof Stopped)) throw error;
    });
  defer(draw);
  return {
    element: canvas,
    show(next, from) {
      shown = { step: next, read: from };
      defer(draw);
    },
    redraw: draw,
  };
}

function limitedTo(summary: Summary, { kind }: Drawn, limit: number | undefined): Summary {
  if (limit === undefined) return summary;
  return kind === 'weights' ? { ...summary, max: limit } : { ...summary, colourLimit: limit };
}

/** Size with the matrix's proportions, but not thinner than a visible line. */
function thumbnailSize(
  rows: number,
  columns: number,
  width: number,
  height: number,
): { width: number; height: number } {
  const cell = Math.min(width / columns, height / rows, 12);
  const least = Math.min(6, width, height);
  return {
    width: Math.max(least, Math.round(columns * cell)),
    height: Math.max(least, Math.round(rows * cell)),
  };
}

/** Reads a whole matrix as blocks, few enough for the size; rows and columns are pooled independently. */
export async function readSmall(
  step: Drawn,
  read: ReadTile,
  { width, height }: { width: number; height: number },
): Promise<Blocks> {
  const down = Math.max(0, Math.ceil(Math.log2(rowsOf(step) / height) - 1e-9));
  const across = Math.max(0, Math.ceil(Math.log2(columnsOf(step) / width) - 1e-9));
  const level = Math.min(down, across);
  const tile = await read({ level, pixels: true });
  const shape = { down: Math.max(0, down - tile.level), across: Math.max(0, across - tile.level) };
  return blocksOf(tile, { ...shape, transposed: false });
}

/** Paints a whole matrix onto a canvas of fixed CSS size. */
export function paintWhole(
  canvas: HTMLCanvasElement,
  step: Drawn,
  blocks: Blocks,
  summary: Summary,
  palette: Palette,
): void {
  const ratio = window.devicePixelRatio;
  const [width, height] = [parseFloat(canvas.style.width), parseFloat(canvas.style.height)];
  setSize(canvas, Math.round(width * ratio), Math.round(height * ratio));
  const ctx = canvas.getContext('2d');
  if (!ctx) return;
  const [rows, columns] = [rowsOf(step), columnsOf(step)];
  const picture: Picture = {
    blocks,
    rows,
    columns,
    cell: { width: width / columns, height: height / rows },
    regime: 'tiles',
    left: 0,
    top: 0,
    width,
    height,
    ratio,
    scale: scaleOf(step, summary, palette),
    palette,
    format: formatFor(step, summary, 2),
    font: 'monospace',
    widest: [],
    fitting: [],
    floor: summary.min,
    veil: scales[step.kind].hatched,
  };
  paint(ctx, picture);
}

/** Sets a canvas's size only if it differs: any assignment reallocates its memory. */
function setSize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
