import { poolRows, type Cells } from './pool';

export type { Cells };

/** What part of a step to read, and how finely. Rows and columns are half-open ranges of cells of level 0. */
export interface TileRequest {
  readonly batch?: number;
  readonly head?: number;
  readonly rows?: readonly [number, number];
  readonly columns?: readonly [number, number];
  /** 0: the cells themselves. k: blocks of 2ᵏ×2ᵏ cells, aligned to multiples of 2ᵏ. */
  readonly level?: number;
  /**
   * For colours alone: of a step that is not held the answer may be float32, incomplete (`pending`), and coarser than asked for, so that
   * it is there in the next frame. `fine`: float32 too, but complete and never coarser: it takes as long as it takes.
   */
  readonly pixels?: boolean | 'fine';
}

/**
 * A read part of a step: `height`×`width` blocks, row-major. At level 0 a block is one cell and minimum, maximum and mean are
 * its value. Minimum, maximum and mean go over the finite values of a block, NaN when it has none.
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
  /** How many cells of each block are not computed yet and not among the others; left out when all are. */
  readonly pending?: Uint32Array;
  /** Values are float32 in no fixed order: for colours, never for digits. */
  readonly float32?: true;
}

/** The last two sizes of a shape: a matrix's rows and columns. */
export const matrixOf = (shape: readonly number[]): readonly [rows: number, columns: number] => [
  shape.at(-2) ?? 1,
  shape.at(-1) ?? 1,
];

/** Values of a matrix, and where it has one its mask (1 hides), in the half-open ranges of rows and columns. */
export type ReadCells = (
  rows: readonly [number, number],
  columns: readonly [number, number],
) => { readonly values: Cells; readonly hidden?: Cells };

/** Reads what a request asks of a matrix with that shape, a band of rows at a time. Throws on a range outside of it. */
export function readTile(shape: readonly number[], request: TileRequest, cells: ReadCells): Tile {
  const [rows, columns] = matrixOf(shape);
  const level = request.level ?? 0;
  if (level === 0) return readCells(request, [rows, columns], cells);
  const block = 1 << level;
  const [top, r1] = aligned(request.rows, rows, block);
  const [left, c1] = aligned(request.columns, columns, block);
  const tile = emptyTile(level, top, left, Math.ceil((r1 - top) / block), Math.ceil((c1 - left) / block));
  const bottom = Math.min(top + tile.height * block, rows);
  const right = Math.min(left + tile.width * block, columns);
  const finite = new Uint32Array(tile.min.length);
  // The mean is a sum until all is added.
  const pooled = { ...tile, sum: tile.mean, finite };
  const first = (row: number): number => ((row - top) >> level) * tile.width;
  const band = Math.ceil(bandCells / Math.max(1, right - left));
  for (let row = top; row < bottom; row += band) {
    const end = Math.min(row + band, bottom);
    poolRows(pooled, cells([row, end], [left, right]), [row, end], { count: right - left, level, first });
  }
  finite.forEach((count, at) => finish(tile, at, count));
  return tile;
}

/** The cells themselves: minimum, maximum and mean are one array. */
function readCells(request: TileRequest, [rows, columns]: readonly [number, number], cells: ReadCells): Tile {
  const [top, bottom] = aligned(request.rows, rows, 1);
  const [left, right] = aligned(request.columns, columns, 1);
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
    // One NaN, whatever its bits were.
    values[i] = NaN;
  }
  return { level: 0, row: top, column: left, height, width, min: values, max: values, mean: values, nan, masked };
}

/** Columns below which a view of each row costs more than copying its cells. */
const narrow = 16;

function copyCells({ data, start, stride }: Cells, rows: number, width: number, into: Float64Array, at: number): void {
  const typed = data instanceof Float64Array || data instanceof Float32Array;
  for (let row = 0, from = start; row < rows; row++, from += stride, at += width) {
    if (typed && width >= narrow) into.set(data.subarray(from, from + width), at);
    else for (let x = 0; x < width; x++) into[at + x] = data[from + x] as number;
  }
}

function markHidden({ data, start, stride }: Cells, rows: number, width: number, into: Uint32Array, at: number): void {
  for (let row = 0, from = start; row < rows; row++, from += stride, at += width) {
    for (let x = 0; x < width; x++) if (data[from + x] === 1) into[at + x] = 1;
  }
}

/** Cells that are asked for at once, a row more at most: few enough to compute into a small array, enough that asking costs nothing beside them. */
const bandCells = 1 << 16;

export const aligned = (
  range: readonly [number, number] | undefined,
  size: number,
  block: number,
): [number, number] => {
  const [start, end] = range ?? [0, size];
  if (start < 0 || end > size || start > end) throw new Error(`range ${start}…${end} is outside of 0…${size}`);
  return [Math.floor(start / block) * block, end];
};

export function emptyTile(level: number, row: number, column: number, height: number, width: number): Tile {
  const n = height * width;
  const [min, max, mean] = [
    new Float64Array(n).fill(Infinity),
    new Float64Array(n).fill(-Infinity),
    new Float64Array(n),
  ];
  return { level, row, column, height, width, min, max, mean, nan: new Uint32Array(n), masked: new Uint32Array(n) };
}

function finish({ min, max, mean }: Tile, at: number, finite: number): void {
  if (!finite) min[at] = max[at] = mean[at] = NaN;
  // One cell's mean is the cell, an infinity and the sign of a zero included.
  else if (finite === 1) mean[at] = min[at] as number;
  else mean[at] = (mean[at] as number) / finite;
}
