import { poolRows, type Cells } from '../pool';
import type { PooledBlocks } from '../pooled-blocks';
import type { BlockStats } from '../backend/wasm/index';
import { alignedRange, emptyTile, type Tile, type TileRequest } from '../tile';

/** A matrix pooled into blocks of 2^level × 2^level cells, in float32, filled from the first row on. Blocks are row-major. */
export interface Pyramid {
  readonly rows: number;
  readonly columns: number;
  readonly level: number;
  readonly width: number;
  readonly min: Float32Array;
  readonly max: Float32Array;
  readonly mean: Float32Array;
  readonly finite: Uint32Array;
  /** Counts of NaN and masked cells, allocated when the first occurs: few matrices have any. */
  nan?: Uint32Array;
  masked?: Uint32Array;
  /** Number of rows that have been added. */
  done: number;
  /** The last row of blocks, as long as some of its rows are missing. */
  partialRow?: PooledBlocks;
}

/** Bytes of a block without its counts of NaN and masked cells. */
export const blockBytes = 16;

export function createPyramid(rows: number, columns: number, level: number): Pyramid {
  const width = Math.ceil(columns / (1 << level));
  const n = width * Math.ceil(rows / (1 << level));
  const [min, max, mean] = [new Float32Array(n), new Float32Array(n), new Float32Array(n)];
  return { rows, columns, level, width, min, max, mean, finite: new Uint32Array(n), done: 0 };
}

/** Adds rows start … end. `start` must be the number of rows that have been added before. */
export function addRows(
  pyramid: Pyramid,
  cells: { readonly values: Cells; readonly hidden?: Cells },
  [start, end]: readonly [number, number],
): void {
  const size = 1 << pyramid.level;
  for (let row = start; row < end;) {
    const next = Math.min(end, row - (row % size) + size);
    addToBlocks(pyramid, skipRows(cells, row - start), [row, next]);
    row = next;
  }
  pyramid.done = end;
}

const skipRows = (
  { values, hidden }: { readonly values: Cells; readonly hidden?: Cells },
  row: number,
): { readonly values: Cells; readonly hidden?: Cells } => {
  const later = ({ data, start, stride }: Cells): Cells => ({ data, start: start + row * stride, stride });
  return hidden ? { values: later(values), hidden: later(hidden) } : { values: later(values) };
};

/** Adds rows that belong to one row of blocks; more of them can follow in a later call. */
function addToBlocks(
  pyramid: Pyramid,
  cells: { readonly values: Cells; readonly hidden?: Cells },
  rows: readonly [number, number],
): void {
  const { level, width, columns } = pyramid;
  const at = (rows[0] >> level) * width;
  const partialRow = (pyramid.partialRow ??= emptyBlocks(width));
  poolRows(partialRow, cells, rows, { count: columns, level, first: () => 0 });
  for (let x = 0; x < width; x++) writeBlock(pyramid, at + x, blockValues(partialRow, x));
  if (rows[1] % (1 << level) === 0 || rows[1] === pyramid.rows) delete pyramid.partialRow;
}

function emptyBlocks(width: number): PooledBlocks {
  const { min, max, mean: sum, nan, masked } = emptyTile(0, 0, 0, 1, width);
  return { min, max, sum, finite: new Uint32Array(width), nan, masked };
}

const blockValues = ({ min, max, sum, finite, nan, masked }: PooledBlocks, i: number): BlockValues => ({
  min: min[i] as number,
  max: max[i] as number,
  sum: sum[i] as number,
  finite: finite[i] as number,
  nan: nan[i] as number,
  masked: masked[i] as number,
});

/** Which of the kernel's three rows of block statistics to take: 0 all scores, 1 the visible scores, 2 the weights. */
export type StatsOf = 0 | 1 | 2;

/** Adds rows start … end that a kernel has pooled already. `hidden(row, column)` counts the masked cells of a block. */
export function addBlockStats(
  pyramid: Pyramid,
  { limits, sums, counts }: BlockStats,
  kept: StatsOf,
  [start, end]: readonly [number, number],
  hidden: (row: number, column: number) => number,
): void {
  const { level, width, min, max, mean, finite } = pyramid;
  for (let y = start >> level; y <= (end - 1) >> level; y++) {
    const from = ((y - (start >> level)) * 3 + kept) * width;
    for (let x = 0; x < width; x++) {
      const [t, at] = [from + x, y * width + x];
      const count = counts[6 * t + 4] as number;
      min[at] = limits[6 * t] as number;
      max[at] = limits[6 * t + 1] as number;
      mean[at] = (sums[3 * t + 1] as number) / count;
      finite[at] = count;
      writeCounts(pyramid, at, counts[6 * t + 5] as number, hidden(y, x));
    }
  }
  pyramid.done = end;
}

interface BlockValues {
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly finite: number;
  readonly nan: number;
  readonly masked: number;
}

function writeBlock(pyramid: Pyramid, at: number, { min, max, sum, finite, nan, masked }: BlockValues): void {
  pyramid.min[at] = min;
  pyramid.max[at] = max;
  pyramid.mean[at] = sum / finite;
  pyramid.finite[at] = finite;
  writeCounts(pyramid, at, nan, masked);
}

function writeCounts(pyramid: Pyramid, at: number, nan: number, masked: number): void {
  if (nan) (pyramid.nan ??= new Uint32Array(pyramid.finite.length))[at] = nan;
  if (masked) (pyramid.masked ??= new Uint32Array(pyramid.finite.length))[at] = masked;
}

/**
 * A tile of a pyramid, at the requested level or at the pyramid's if that is coarser. Every value is multiplied by `factor` (positive):
 * a step that divides shares the pyramid of its operand.
 */
export function readPyramid(pyramid: Pyramid, request: TileRequest, factor = 1): Tile {
  const level = Math.max(request.level ?? 0, pyramid.level);
  const size = 1 << level;
  const [top, bottom] = alignedRange(request.rows, pyramid.rows, size);
  const [left, right] = alignedRange(request.columns, pyramid.columns, size);
  const tile = emptyTile(level, top, left, Math.ceil((bottom - top) / size), Math.ceil((right - left) / size));
  const finite = new Uint32Array(tile.min.length);
  const pending = new Uint32Array(tile.min.length);
  const to = { ...tile, finite };
  const up = level - pyramid.level;
  const y1 = blockEnd(top + tile.height * size, pyramid.rows, pyramid.level);
  const x1 = blockEnd(left + tile.width * size, pyramid.columns, pyramid.level);
  for (let y = top >> pyramid.level; y < y1; y++) {
    const row = ((y >> up) - (top >> level)) * tile.width - (left >> level);
    const missing = missingRows(pyramid, y);
    for (let x = left >> pyramid.level; x < x1; x++) {
      const at = row + (x >> up);
      if (y << pyramid.level < pyramid.done) merge(to, at, pyramid, y * pyramid.width + x);
      pending[at] = (pending[at] as number) + missing * widthOfBlock(pyramid, x);
    }
  }
  finite.forEach((count, at) => finish(tile, at, count, factor));
  return { ...tile, float32: true, ...(pyramid.done < bottom && { pending }) };
}

const blockEnd = (end: number, size: number, level: number): number => ((Math.min(end, size) - 1) >> level) + 1;

/** Number of cell rows of block row y that have not been added yet. */
function missingRows({ rows, level, done }: Pyramid, y: number): number {
  const end = Math.min(rows, (y + 1) << level);
  return Math.max(0, end - Math.max(done, y << level));
}

/** Number of cell columns of block x; the last block can be narrower. */
const widthOfBlock = ({ columns, level }: Pyramid, x: number): number => Math.min(1 << level, columns - (x << level));

function merge(to: Tile & { readonly finite: Uint32Array }, at: number, from: Pyramid, i: number): void {
  const finite = from.finite[i] as number;
  if (finite) {
    to.min[at] = Math.min(to.min[at] as number, from.min[i] as number);
    to.max[at] = Math.max(to.max[at] as number, from.max[i] as number);
    // A sum until all blocks are merged.
    to.mean[at] = (to.mean[at] as number) + finite * (from.mean[i] as number);
    to.finite[at] = (to.finite[at] as number) + finite;
  }
  if (from.nan) to.nan[at] = (to.nan[at] as number) + (from.nan[i] as number);
  if (from.masked) to.masked[at] = (to.masked[at] as number) + (from.masked[i] as number);
}

function finish({ min, max, mean }: Tile, at: number, finite: number, factor: number): void {
  min[at] = finite ? (min[at] as number) * factor : NaN;
  max[at] = finite ? (max[at] as number) * factor : NaN;
  mean[at] = finite ? ((mean[at] as number) / finite) * factor : NaN;
}
