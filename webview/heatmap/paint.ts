import { css, formatNumber, inkOn, type NumberFormat, type Palette, type Rgb, type Scale } from '../draw';
import { blockAt, cellsIn, hiddenLook, lookOf, pendingLook, valueOf, type Block, type Blocks } from './blocks';
import type { CellSize, Regime } from './geometry';
import { numberSizes } from './measure';

/** Everything needed to paint the viewport of a matrix. Lengths in CSS pixels. */
export interface Picture {
  readonly blocks: Blocks;
  readonly rows: number;
  readonly columns: number;
  readonly cell: CellSize;
  readonly regime: Regime;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Device pixels for each CSS pixel. */
  readonly ratio: number;
  readonly scale: Scale;
  readonly palette: Palette;
  readonly format: NumberFormat;
  readonly font: string;
  /** The widest numbers of the matrix, which determine the position of decimal points. */
  readonly widest: readonly string[];
  /** Numbers of neighbouring matrices, which must fit at the same font size. */
  readonly fitting: readonly string[];
  /** Lowest value that counts in a partly hidden block; lower ones are the mask's fill. */
  readonly floor: number;
  /** Whether this is a mask itself: its ones are hatched as the cells they hide. */
  readonly veil: boolean;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** From this size in pixels, cells are drawn separately with a gap between them. */
const separate = 8;

/** Paints the viewport. The canvas has its size in device pixels; nothing larger is allocated. */
export function paint(ctx: CanvasRenderingContext2D, picture: Picture): void {
  const { cell, regime } = picture;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  const one = regime !== 'tiles' && cell.width >= separate && cell.height >= separate;
  if (one) paintSeparately(ctx, picture);
  else paintImage(ctx, picture);
}

// --- cells one by one ------------------------------------------------------------

function paintSeparately(ctx: CanvasRenderingContext2D, picture: Picture): void {
  const { ratio } = picture;
  ctx.textBaseline = 'middle';
  const halfTextWidth = chooseFont(ctx, picture) / 2;
  forEachVisible(picture, (block, box) => {
    if (block.pending) return;
    const fill = fillOf(block, picture);
    ctx.fillStyle = css(fill);
    ctx.fillRect(box.x, box.y, box.w, box.h);
    const veiled = block.hidden || (picture.veil && block.value === 1);
    if (veiled) hatch(ctx, [box], picture);
    if (picture.regime === 'numbers') writeNumber(ctx, block, box, { picture, halfTextWidth, fill, veiled });
    else if (!Number.isFinite(block.value) && !veiled) markNonFinite(ctx, block.value, box, picture, fill);
    if (picture.palette.outline) outline(ctx, box, picture.palette.outline, ratio);
  });
}

/** Sets the largest font at which the widest number fits its cell; returns that number's width in device pixels. */
function chooseFont(ctx: CanvasRenderingContext2D, { cell, ratio, font, widest, fitting }: Picture): number {
  for (const size of numberSizes) {
    ctx.font = `${size * ratio}px ${font}`;
    const widthOf = (texts: readonly string[]): number => Math.max(0, ...texts.map((t) => ctx.measureText(t).width));
    const width = widthOf(widest);
    if (Math.max(width, widthOf(fitting)) <= (cell.width - 5) * ratio || size === numberSizes.at(-1)) return width;
  }
  return 0;
}

interface Visible {
  readonly y0: number;
  readonly y1: number;
  readonly x0: number;
  readonly x1: number;
}

/** The visible blocks among those that were read. */
function visibleBlocks({ blocks, cell, left, top, width, height }: Picture): Visible {
  const index = (at: number, size: number, first: number, per: number): number => (at / size - first) / per;
  const clamp = (n: number, most: number): number => Math.min(most, Math.max(0, n));
  return {
    y0: clamp(Math.floor(index(top, cell.height, blocks.row, blocks.cellsDown)), blocks.height),
    y1: clamp(Math.ceil(index(top + height, cell.height, blocks.row, blocks.cellsDown)), blocks.height),
    x0: clamp(Math.floor(index(left, cell.width, blocks.column, blocks.cellsAcross)), blocks.width),
    x1: clamp(Math.ceil(index(left + width, cell.width, blocks.column, blocks.cellsAcross)), blocks.width),
  };
}

const blockOf = ({ blocks, rows, columns, floor }: Picture, y: number, x: number): Block =>
  blockAt(blocks, y * blocks.width + x, cellsIn(blocks, y, x, rows, columns), floor);

function forEachVisible(picture: Picture, draw: (block: Block, box: Box) => void): void {
  const { y0, y1, x0, x1 } = visibleBlocks(picture);
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) draw(blockOf(picture, y, x), boxOf(picture, y, x, 1));
  }
}

/** A block's rectangle in device pixels, rounded for sharp edges and reduced by `gap` CSS pixels at the right and bottom. */
function boxOf({ blocks, cell, left, top, ratio, rows, columns }: Picture, y: number, x: number, gap: number): Box {
  const at = (index: number, size: number, scroll: number): number => Math.round((index * size - scroll) * ratio);
  const column = blocks.column + x * blocks.cellsAcross;
  const row = blocks.row + y * blocks.cellsDown;
  const [x0, y0] = [at(column, cell.width, left), at(row, cell.height, top)];
  const x1 = at(Math.min(columns, column + blocks.cellsAcross), cell.width, left);
  const y1 = at(Math.min(rows, row + blocks.cellsDown), cell.height, top);
  const less = Math.round(gap * ratio);
  return { x: x0, y: y0, w: Math.max(1, x1 - x0 - less), h: Math.max(1, y1 - y0 - less) };
}

function fillOf(block: Block, { palette, scale, veil }: Picture): Rgb {
  if (block.hidden || Number.isNaN(block.value) || veil) return palette.neutral;
  return scale(block.value);
}

interface Writing {
  readonly picture: Picture;
  readonly halfTextWidth: number;
  readonly fill: Rgb;
  readonly veiled: boolean;
}

function writeNumber(ctx: CanvasRenderingContext2D, block: Block, box: Box, writing: Writing): void {
  const { picture, halfTextWidth, fill, veiled } = writing;
  const { palette, ratio } = picture;
  const finite = Number.isFinite(block.value);
  if (Number.isNaN(block.value) && !veiled) cornerMarks(ctx, box, picture);
  ctx.fillStyle = css(veiled ? inkOn(fill, palette.hatch) : inkOn(fill));
  const text = formatNumber(block.value, picture.format);
  const aligned = finite && Math.abs(block.value) < 1e6;
  ctx.textAlign = aligned ? 'right' : 'center';
  const middle = box.x + box.w / 2;
  ctx.fillText(text, aligned ? middle + halfTextWidth : middle, box.y + box.h / 2 + ratio * 0.5, box.w);
}

/** The ends of a cross in the corners, which leaves room for the text NaN. */
function cornerMarks(ctx: CanvasRenderingContext2D, { x, y, w, h }: Box, { palette, ratio }: Picture): void {
  const halfTextWidth = Math.min(w, h) * 0.28;
  ctx.strokeStyle = css(palette.error);
  ctx.lineWidth = 1.5 * ratio;
  ctx.beginPath();
  for (const [cx, cy, dx, dy] of [
    [x, y, 1, 1],
    [x + w, y, -1, 1],
    [x, y + h, 1, -1],
    [x + w, y + h, -1, -1],
  ] as const) {
    ctx.moveTo(cx, cy);
    ctx.lineTo(cx + dx * halfTextWidth, cy + dy * halfTextWidth);
  }
  ctx.stroke();
}

/** Marks for cells too small for text: a cross for NaN, a triangle upwards for ∞ and downwards for −∞. */
function markNonFinite(ctx: CanvasRenderingContext2D, value: number, box: Box, picture: Picture, fill: Rgb): void {
  const { x, y, w, h } = box;
  ctx.beginPath();
  if (Number.isNaN(value)) {
    ctx.strokeStyle = css(picture.palette.error);
    ctx.lineWidth = Math.max(1, 1.5 * picture.ratio);
    ctx.moveTo(x, y);
    ctx.lineTo(x + w, y + h);
    ctx.moveTo(x + w, y);
    ctx.lineTo(x, y + h);
    ctx.stroke();
    return;
  }
  const [middle, half] = [x + w / 2, Math.min(w, h) / 4];
  const [tip, base] = value > 0 ? [y + h / 2 - half, y + h / 2 + half] : [y + h / 2 + half, y + h / 2 - half];
  ctx.fillStyle = css(inkOn(fill));
  ctx.moveTo(middle, tip);
  ctx.lineTo(middle + half, base);
  ctx.lineTo(middle - half, base);
  ctx.fill();
}

function outline(ctx: CanvasRenderingContext2D, box: Box, colour: Rgb, ratio: number): void {
  ctx.strokeStyle = css(colour);
  ctx.lineWidth = Math.round(ratio);
  // Right and bottom lines are in the gap between cells, left and top lines inside, so that no edge of the matrix lacks one.
  const half = ctx.lineWidth / 2;
  ctx.strokeRect(box.x + half, box.y + half, box.w, box.h);
}

/** Hatches hidden cells with diagonal lines that continue from cell to cell. */
function hatch(ctx: CanvasRenderingContext2D, boxes: readonly Box[], { palette, ratio, left, top }: Picture): void {
  const pattern = ctx.createPattern(hatchTile(palette.hatch, ratio), 'repeat');
  if (!pattern) return;
  // The pattern is anchored to the matrix, not to the viewport, so that it scrolls with the cells.
  pattern.setTransform(new DOMMatrix().translate(-Math.round(left * ratio), -Math.round(top * ratio)));
  ctx.fillStyle = pattern;
  for (const box of boxes) ctx.fillRect(box.x, box.y, box.w, box.h);
}

let lastTile: { readonly key: string; readonly canvas: HTMLCanvasElement } | undefined;

function hatchTile(colour: Rgb, ratio: number): HTMLCanvasElement {
  const key = `${css(colour)} ${ratio}`;
  if (lastTile?.key === key) return lastTile.canvas;
  const size = Math.max(4, Math.round(6 * ratio));
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const ctx = canvas.getContext('2d');
  if (ctx) {
    ctx.strokeStyle = css(colour);
    ctx.lineWidth = 1.25 * ratio;
    ctx.beginPath();
    for (const shift of [-size, 0, size]) {
      ctx.moveTo(shift - 1, size + 1);
      ctx.lineTo(shift + size + 1, -1);
    }
    ctx.stroke();
  }
  lastTile = { key, canvas };
  return canvas;
}

// --- many small cells or tiles: one image, one pixel a block, scaled without smoothing ----

let scratch: HTMLCanvasElement | undefined;

function paintImage(ctx: CanvasRenderingContext2D, picture: Picture): void {
  const visible = visibleBlocks(picture);
  const [width, height] = [visible.x1 - visible.x0, visible.y1 - visible.y0];
  if (width <= 0 || height <= 0) return;
  scratch ??= document.createElement('canvas');
  scratch.width = width;
  scratch.height = height;
  const small = scratch.getContext('2d');
  if (!small) return;
  const hidden = fillImage(small, picture, visible);
  ctx.imageSmoothingEnabled = false;
  drawScaled(ctx, picture, visible, scratch);
  hatch(ctx, hidden, picture);
}

/** Draws all whole blocks at once, then those that the matrix's edge cuts in the last row and column. */
function drawScaled(ctx: CanvasRenderingContext2D, picture: Picture, v: Visible, image: HTMLCanvasElement): void {
  const [first, last] = [boxOf(picture, v.y0, v.x0, 0), boxOf(picture, v.y1 - 1, v.x1 - 1, 0)];
  const [across, down] = [v.x1 - v.x0, v.y1 - v.y0];
  const whole = { w: last.x - first.x, h: last.y - first.y };
  const draw = (sx: number, sy: number, sw: number, sh: number, x: number, y: number, w: number, h: number): void => {
    if (sw > 0 && sh > 0 && w > 0 && h > 0) ctx.drawImage(image, sx, sy, sw, sh, x, y, w, h);
  };
  draw(0, 0, across - 1, down - 1, first.x, first.y, whole.w, whole.h);
  draw(across - 1, 0, 1, down - 1, last.x, first.y, last.w, whole.h);
  draw(0, down - 1, across - 1, 1, first.x, last.y, whole.w, last.h);
  draw(across - 1, down - 1, 1, 1, last.x, last.y, last.w, last.h);
}

/** Fills the image with the blocks' colours; returns runs of hidden blocks, which are hatched at full resolution. Allocates nothing for a block. */
function fillImage(small: CanvasRenderingContext2D, picture: Picture, { y0, y1, x0, x1 }: Visible): Box[] {
  const image = small.createImageData(x1 - x0, y1 - y0);
  const pixels = new Uint32Array(image.data.buffer);
  const { blocks, rows, columns, floor, scale, palette, veil } = picture;
  const [neutral, error] = [pixelOf(palette.neutral), pixelOf(palette.error)];
  const hidden: Box[] = [];
  for (let y = y0, i = 0; y < y1; y++) {
    let run = -1;
    for (let x = x0; x < x1; x++, i++) {
      const at = y * blocks.width + x;
      const how = lookOf(blocks, at, cellsIn(blocks, y, x, rows, columns));
      // Blocks that are not computed yet stay transparent.
      if (how === pendingLook) continue;
      const value = valueOf(blocks, at, how === hiddenLook, floor);
      pixels[i] = value !== value ? error : how === hiddenLook || veil ? neutral : pixelOf(scale(value));
      if (how === hiddenLook || (veil && value === 1)) {
        if (run < 0) run = x;
      } else if (run >= 0) {
        hidden.push(joined(boxOf(picture, y, run, 0), boxOf(picture, y, x - 1, 0)));
        run = -1;
      }
    }
    if (run >= 0) hidden.push(joined(boxOf(picture, y, run, 0), boxOf(picture, y, x1 - 1, 0)));
  }
  small.putImageData(image, 0, 0);
  return hidden;
}

/** A colour as a 32-bit pixel. Browsers run on little-endian machines only, where red is the lowest byte. */
const pixelOf = ([r, g, b]: Rgb): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

const joined = (a: Box, b: Box): Box => ({ ...a, w: b.x + b.w - a.x });
