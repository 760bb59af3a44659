import { poolRows, type Cells } from './pool';

export type { Cells };

/** Which part of a step to read, and at which resolution. Rows and columns are half-open ranges in cells. */
export interface TileRequest {
  readonly batch?: number;
  readonly head?: number;
  readonly rows?: readonly [number, number];
  readonly columns?: readonly [number, number];
  /** 0: the cells themselves. k: blocks of 2ᵏ×2ᵏ cells, aligned to multiples of 2ᵏ. */
  readonly level?: number;
  /**
   * The tile is used for colours only. For a deferred step `true` allows an answer within a frame that is float32, incomplete (`pending`)
   * or coarser than requested. `'fine'` allows float32, but the answer is complete and at the requested level, however long that takes.
   */
  readonly pixels?: boolean | 'fine';
}

/**
 * Part of a step as `height`×`width` blocks, row-major. `min`, `max` and `mean` go over the finite values of a block, and are NaN where
 * it has none. At level 0 a block is one cell, and all three are its value.
 */
export interface Tile {
  readonly level: number;
  /** First row and column, in cells of level 0. */
  readonly row: number;
  readonly column: number;
  readonly height: number;
  readonly width: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  /** How many cells of each block are NaN. */
  readonly nan: Uint32Array;
  /** How many cells of each block are hidden by the mask. */
  readonly masked: Uint32Array;
  /** How many cells of each block are not computed yet and therefore not counted; left out when all are computed. */
  readonly pending?: Uint32Array;
  /** Values are float32 in no fixed order: for colours, never for digits. */
  readonly float32?: true;
}

/** The last two sizes of a shape, rows and columns; 1 for a size that is missing. */
export const matrixShape = (shape: readonly number[]): readonly [rows: number, columns: number] => [
  shape.at(-2) ?? 1,
  shape.at(-1) ?? 1,
];

/** Reads the cells of a matrix in half-open ranges of rows and columns, with those of its mask (1 is hidden) if it has one. */
export type ReadCells = (
  rows: readonly [number, number],
  columns: readonly [number, number],
) => { readonly values: Cells; readonly hidden?: Cells };

/** Pools the requested part of a matrix into a tile, a band of rows at a time. Throws where a range is outside of the shape. */
export function readTile(shape: readonly number[], request: TileRequest, cells: ReadCells): Tile {
  const [rows, columns] = matrixShape(shape);
  const level = request.level ?? 0;
  if (level === 0) return readCells(request, [rows, columns], cells);
  const block = 1 << level;
  const [top, r1] = alignedRange(request.rows, rows, block);
  const [left, c1] = alignedRange(request.columns, columns, block);
  const tile = emptyTile(level, top, left, Math.ceil((r1 - top) / block), Math.ceil((c1 - left) / block));
  const bottom = Math.min(top + tile.height * block, rows);
  const right = Math.min(left + tile.width * block, columns);
  const finite = new Uint32Array(tile.min.length);
  // `mean` holds sums until all cells are added.
  const pooled = { ...tile, sum: tile.mean, finite };
  const first = (row: number): number => ((row - top) >> level) * tile.width;
  const band = Math.ceil(bandCells / Math.max(1, right - left));
  for (let row = top; row < bottom; row += band) {
    const end = Math.min(row + band, bottom);
    poolRows(pooled, cells([row, end], [left, right]), [row, end], { count: right - left, level, first });
  }
  finite.forEach((count, at) => finishBlock(tile, at, count));
  return tile;
}

/** The cells themselves: minimum, maximum and mean are one array. */
function readCells(request: TileRequest, [rows, columns]: readonly [number, number], cells: ReadCells): Tile {
  const [top, bottom] = alignedRange(request.rows, rows, 1);
  const [left, right] = alignedRange(request.columns, columns, 1);
  const [height, width] = [bottom - top, right - left];
  const values = new Float64Array(height * width);
  const [nan, masked] = [new Uint32Array(height * width), new Uint32Array(height * width)];
  const band = Math.ceil(bandCells / Math.max(1, width));
  for (let row = top; row < bottom; row += band) {
    const end = Math.min(row + band, bottom);
    const { values: found, hidden } = cells([row, end], [left, right]);
    copyCells(found, end - row, width, values, (row - top) * width);
    if (hidden) markHidden(hidden, end - row, width, masked, (row - top) * width);
  }
  for (let i = 0; i < values.length; i++) {
    const v = values[i] as number;
    if (v === v) continue;
    nan[i] = 1;
    // Replaces a NaN of any payload by the canonical one.
    values[i] = NaN;
  }
  return { level: 0, row: top, column: left, height, width, min: values, max: values, mean: values, nan, masked };
}

/** Rows narrower than this are copied cell by cell: creating a view of a row would cost more. */
const minViewColumns = 16;

function copyCells({ data, start, stride }: Cells, rows: number, width: number, into: Float64Array, at: number): void {
  const typed = data instanceof Float64Array || data instanceof Float32Array;
  for (let row = 0, from = start; row < rows; row++, from += stride, at += width) {
    if (typed && width >= minViewColumns) into.set(data.subarray(from, from + width), at);
    else for (let x = 0; x < width; x++) into[at + x] = data[from + x] as number;
  }
}

function markHidden({ data, start, stride }: Cells, rows: number, width: number, into: Uint32Array, at: number): void {
  for (let row = 0, from = start; row < rows; row++, from += stride, at += width) {
    for (let x = 0; x < width; x++) if (data[from + x] === 1) into[at + x] = 1;
  }
}

/** Cells of a band (rounded up to a whole row): few enough for a small buffer, enough to make the overhead of a call negligible. */
const bandCells = 1 << 16;

/** A half-open range (all of `size` by default) whose start is rounded down to a multiple of `block`. Throws outside of 0 … `size`. */
export const alignedRange = (
  range: readonly [number, number] | undefined,
  size: number,
  block: number,
): [number, number] => {
  const [start, end] = range ?? [0, size];
  if (start < 0 || end > size || start > end) throw new Error(`range ${start}…${end} is outside of 0…${size}`);
  return [Math.floor(start / block) * block, end];
};

/** A tile without any values yet: minimum +∞, maximum −∞, mean and counts 0. */
export function emptyTile(level: number, row: number, column: number, height: number, width: number): Tile {
  const n = height * width;
  const [min, max, mean] = [
    new Float64Array(n).fill(Infinity),
    new Float64Array(n).fill(-Infinity),
    new Float64Array(n),
  ];
  return { level, row, column, height, width, min, max, mean, nan: new Uint32Array(n), masked: new Uint32Array(n) };
}

function finishBlock({ min, max, mean }: Tile, at: number, finite: number): void {
  if (!finite) min[at] = max[at] = mean[at] = NaN;
  // The mean of one cell is the cell itself, including an infinity or the sign of a zero.
  else if (finite === 1) mean[at] = min[at] as number;
  else mean[at] = (mean[at] as number) / finite;
}
