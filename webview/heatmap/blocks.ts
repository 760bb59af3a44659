import type { Tile } from '../../engine/index';

/** A part of a matrix as blocks in the orientation of the display, row-major. */
export interface Blocks {
  /** First row and column, in cells. */
  readonly row: number;
  readonly column: number;
  /** Number of cells in a block, vertically and horizontally. */
  readonly cellsDown: number;
  readonly cellsAcross: number;
  readonly height: number;
  readonly width: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly nan: Uint32Array;
  readonly masked: Uint32Array;
  /** Number of cells in each block that are not computed yet; absent if all are. */
  readonly pending?: Uint32Array;
  /** Set if values are float32, usable for colours only. */
  readonly float32?: true;
}

interface Shape {
  /** Further halvings of rows and columns beyond the tile's level. */
  readonly down: number;
  readonly across: number;
  readonly transposed: boolean;
}

/**
 * Pools a tile into blocks. Tiles pool squares, but a narrow matrix with low rows needs flat blocks: the tile is read at the finer of the two
 * levels and pooled further here. Minimum and maximum are kept, so that a single outlier never disappears.
 */
export function blocksOf(tile: Tile, shape: Shape): Blocks {
  const own = 2 ** tile.level;
  const blocks: Blocks = {
    row: tile.row,
    column: tile.column,
    cellsDown: own,
    cellsAcross: own,
    height: tile.height,
    width: tile.width,
    min: tile.min,
    max: tile.max,
    nan: tile.nan,
    masked: tile.masked,
    ...(tile.pending && { pending: tile.pending }),
    ...(tile.float32 && { float32: true }),
  };
  const [down, across] = shape.transposed ? [shape.across, shape.down] : [shape.down, shape.across];
  const pooled = down + across > 0 ? pool(blocks, 2 ** down, 2 ** across) : blocks;
  return shape.transposed ? transpose(pooled) : pooled;
}

function empty(from: Blocks, height: number, width: number): Blocks {
  const n = height * width;
  const [min, max] = [new Float64Array(n).fill(NaN), new Float64Array(n).fill(NaN)];
  const counts = { nan: new Uint32Array(n), masked: new Uint32Array(n) };
  return { ...from, height, width, min, max, ...counts, ...(from.pending && { pending: new Uint32Array(n) }) };
}

function pool(from: Blocks, down: number, across: number): Blocks {
  const to = empty(from, Math.ceil(from.height / down), Math.ceil(from.width / across));
  for (let y = 0; y < from.height; y++) {
    for (let x = 0; x < from.width; x++) {
      merge(to, Math.floor(y / down) * to.width + Math.floor(x / across), from, y * from.width + x);
    }
  }
  return { ...to, cellsDown: from.cellsDown * down, cellsAcross: from.cellsAcross * across };
}

function merge(to: Blocks, at: number, from: Blocks, i: number): void {
  const [low, high] = [from.min[i] as number, from.max[i] as number];
  if (!((to.min[at] as number) <= low) && !Number.isNaN(low)) to.min[at] = low;
  if (!((to.max[at] as number) >= high) && !Number.isNaN(high)) to.max[at] = high;
  to.nan[at] = (to.nan[at] ?? 0) + (from.nan[i] ?? 0);
  to.masked[at] = (to.masked[at] ?? 0) + (from.masked[i] ?? 0);
  if (to.pending) to.pending[at] = (to.pending[at] ?? 0) + (from.pending?.[i] ?? 0);
}

function transpose(from: Blocks): Blocks {
  const to = empty(from, from.width, from.height);
  for (let y = 0; y < from.height; y++) {
    for (let x = 0; x < from.width; x++) {
      const [i, at] = [y * from.width + x, x * from.height + y];
      to.min[at] = from.min[i] as number;
      to.max[at] = from.max[i] as number;
      to.nan[at] = from.nan[i] ?? 0;
      to.masked[at] = from.masked[i] ?? 0;
      if (to.pending) to.pending[at] = from.pending?.[i] ?? 0;
    }
  }
  const { row, column, cellsDown, cellsAcross } = from;
  return { ...to, row: column, column: row, cellsDown: cellsAcross, cellsAcross: cellsDown };
}

/** The content of a block. */
export interface Block {
  /** The value farthest from zero; for a single cell its value. */
  readonly value: number;
  readonly hidden: boolean;
  /** Set if none of its cells is computed yet. */
  readonly pending?: true;
}

/** States of a block: no cell is computed yet, all cells are hidden, or some are visible. */
export const [pendingLook, hiddenLook, openLook] = [0, 1, 2] as const;

export function lookOf(blocks: Blocks, i: number, cells: number): 0 | 1 | 2 {
  const pending = blocks.pending?.[i] ?? 0;
  if (pending >= cells) return pendingLook;
  const hidden = blocks.masked[i] ?? 0;
  return hidden > 0 && hidden >= cells - pending ? hiddenLook : openLook;
}

/**
 * The value of block `i`: the one farthest from zero, or NaN if any cell is NaN, as one is enough to spoil later steps. A block is hidden
 * only if all its cells are. `floor` is the lowest value that counts, which excludes a mask's −1e9 if other cells are visible.
 */
export function valueOf(blocks: Blocks, i: number, all: boolean, floor: number): number {
  if ((blocks.nan[i] ?? 0) > 0) return NaN;
  const [low, high] = [blocks.min[i] as number, blocks.max[i] as number];
  const value = Math.abs(low) > Math.abs(high) && !((blocks.masked[i] ?? 0) > 0 && !all && low < floor) ? low : high;
  // Pooled tiles exclude infinities from minimum and maximum: if nothing finite is left, the block has only infinities.
  return Number.isNaN(value) ? (all ? -Infinity : Infinity) : value;
}

/** The content of block `i`, which covers `cells` cells (`valueOf`). */
export function blockAt(blocks: Blocks, i: number, cells: number, floor: number): Block {
  const look = lookOf(blocks, i, cells);
  if (look === pendingLook) return { value: NaN, hidden: false, pending: true };
  const hidden = look === hiddenLook;
  return { value: valueOf(blocks, i, hidden, floor), hidden };
}

/** Number of cells in block (y, x); blocks at the bottom and right edge may have fewer. */
export function cellsIn(blocks: Blocks, y: number, x: number, rows: number, columns: number): number {
  const down = Math.min(blocks.cellsDown, rows - blocks.row - y * blocks.cellsDown);
  return down * Math.min(blocks.cellsAcross, columns - blocks.column - x * blocks.cellsAcross);
}

/** The part of `from` in a window as blocks of `down` × `across` cells, each with the content of the larger block it is in. */
export function spread(
  from: Blocks,
  [r0, r1]: readonly [number, number],
  [c0, c1]: readonly [number, number],
  { cellsDown: down, cellsAcross: across }: Pick<Blocks, 'cellsDown' | 'cellsAcross'>,
): Blocks {
  const [row, column] = [Math.floor(r0 / down) * down, Math.floor(c0 / across) * across];
  const shape = [Math.ceil((r1 - row) / down), Math.ceil((c1 - column) / across)] as const;
  const to: Blocks = { ...empty(from, ...shape), row, column, cellsDown: down, cellsAcross: across };
  for (let y = 0, at = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++, at++) {
      const i = indexAt(from, row + y * down, column + x * across);
      if (i !== undefined) standFor(to, at, from, i);
    }
  }
  return to;
}

function standFor(to: Blocks, at: number, from: Blocks, i: number): void {
  const [all, some] = [from.cellsDown * from.cellsAcross, to.cellsDown * to.cellsAcross];
  const share = (count: number | undefined): number => ((count ?? 0) >= all ? some : 0);
  to.min[at] = from.min[i] as number;
  to.max[at] = from.max[i] as number;
  to.nan[at] = Math.min(1, from.nan[i] ?? 0);
  to.masked[at] = share(from.masked[i]);
  if (to.pending) to.pending[at] = share(from.pending?.[i]);
}

/** Copies blocks onto others of the same size where they overlap; calls `told` for each. */
export function paste(to: Blocks, from: Blocks, told: (at: number) => void, only?: Uint8Array): void {
  const [y0, x0] = [(from.row - to.row) / to.cellsDown, (from.column - to.column) / to.cellsAcross];
  for (let y = Math.max(0, -y0); y < Math.min(from.height, to.height - y0); y++) {
    for (let x = Math.max(0, -x0); x < Math.min(from.width, to.width - x0); x++) {
      const [at, i] = [(y + y0) * to.width + x + x0, y * from.width + x];
      if (only && !only[i]) continue;
      to.min[at] = from.min[i] as number;
      to.max[at] = from.max[i] as number;
      to.nan[at] = from.nan[i] ?? 0;
      to.masked[at] = from.masked[i] ?? 0;
      if (to.pending) to.pending[at] = 0;
      told(at);
    }
  }
}

/** Whether the blocks contain all cells of a window. */
export function covers(
  blocks: Blocks,
  [r0, r1]: readonly [number, number],
  [c0, c1]: readonly [number, number],
): boolean {
  return (
    blocks.row <= r0 &&
    blocks.column <= c0 &&
    blocks.row + blocks.height * blocks.cellsDown >= r1 &&
    blocks.column + blocks.width * blocks.cellsAcross >= c1
  );
}

/** Index of the block with a cell; undefined for cells that were not read. */
export function indexAt(blocks: Blocks, row: number, column: number): number | undefined {
  const y = Math.floor((row - blocks.row) / blocks.cellsDown);
  const x = Math.floor((column - blocks.column) / blocks.cellsAcross);
  return y >= 0 && x >= 0 && y < blocks.height && x < blocks.width ? y * blocks.width + x : undefined;
}
