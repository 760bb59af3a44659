import type { Step } from '../../engine/index';
import { scaleOf, type Palette } from '../colours';
import { blocksOf, type Blocks } from './blocks';
import { growing } from './data';
import { make, px } from './dom';
import { paint, type Picture } from './paint';
import { columnsOf, formatFor, rowsOf, summarise, type Read, type Summary } from './summary';
import { theme } from './theme';

export interface ThumbnailOptions {
  /** Room in CSS pixels; the picture keeps the matrix's proportions inside of it. */
  readonly width: number;
  readonly height: number;
}

export interface Thumbnail {
  readonly element: HTMLElement;
  /** Reads values and theme again and repaints. */
  redraw(): void;
}

/** A tiny true picture of a whole matrix: cells, or the extremes of blocks where cells would be under one pixel. */
export function createThumbnail(step: Step, read: Read, { width, height }: ThumbnailOptions): Thumbnail {
  const [rows, columns] = [rowsOf(step), columnsOf(step)];
  const size = thumbnailSize(rows, columns, width, height);
  const canvas = make('canvas', { class: 'heatmap-thumbnail', attributes: { 'aria-hidden': 'true' } });
  canvas.style.width = px(size.width);
  canvas.style.height = px(size.height);
  const redraw = async (): Promise<void> => {
    const [blocks, summary] = [await readSmall(step, read, size), await summarise(step, read)];
    paintWhole(canvas, step, blocks, summary, theme());
    // A picture that nobody sees any more need not grow.
    if (blocks.pending && canvas.isConnected) window.setTimeout(() => void redraw(), 2 * growing);
  };
  void redraw();
  return { element: canvas, redraw: () => void redraw() };
}

/** Proportions kept, but never thinner than a line that can be seen. */
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

/** The whole matrix as few enough blocks for the size, each side pooled for itself. */
export async function readSmall(
  step: Step,
  read: Read,
  { width, height }: { width: number; height: number },
): Promise<Blocks> {
  const down = Math.max(0, Math.ceil(Math.log2(rowsOf(step) / height) - 1e-9));
  const across = Math.max(0, Math.ceil(Math.log2(columnsOf(step) / width) - 1e-9));
  const level = Math.min(down, across);
  const tile = await read({ level, pixels: true });
  const shape = { down: Math.max(0, down - tile.level), across: Math.max(0, across - tile.level) };
  return blocksOf(tile, { ...shape, transposed: false });
}

/** Paints a whole matrix over the whole of a canvas of fixed CSS size. */
export function paintWhole(
  canvas: HTMLCanvasElement,
  step: Step,
  blocks: Blocks,
  summary: Summary,
  palette: Palette,
): void {
  const ratio = window.devicePixelRatio;
  const [width, height] = [parseFloat(canvas.style.width), parseFloat(canvas.style.height)];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
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
    scale: scaleOf(step.kind, summary, palette),
    palette,
    format: formatFor(step, summary, 2),
    font: 'monospace',
    widest: [],
    fitting: [],
    floor: summary.min,
    veil: step.kind === 'mask',
  };
  paint(ctx, picture);
}
