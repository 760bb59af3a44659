import { poolBand } from './backend/wasm/pool';
import type { PooledBlocks } from './pooled-blocks';

/** A strided view of part of a matrix: cell (row, column) is `data[start + row · stride + column]`. */
export interface Cells {
  readonly data: ArrayLike<number>;
  readonly start: number;
  readonly stride: number;
}

/** `count` cells of one row, beginning at `data[from]`. Every 2^level of them belong to one block, the first to block `first`. */
interface RowSpan {
  readonly from: number;
  readonly count: number;
  readonly level: number;
  readonly first: number;
}

/** With fewer cells, copying them into WebAssembly's memory costs more than it saves. */
const minWasmCells = 1 << 16;

interface BlockLayout {
  readonly count: number;
  readonly level: number;
  readonly first: (row: number) => number;
}

/** Adds rows `start` … `end` of a matrix to their blocks. The first block of a row is `first(row)`. */
export function poolRows(
  into: PooledBlocks,
  { values, hidden }: { readonly values: Cells; readonly hidden?: Cells },
  [start, end]: readonly [number, number],
  { count, level, first }: BlockLayout,
): void {
  const pooled = level > 0 && (end - start) * count >= minWasmCells && poolBands(into, values, [start, end], { count, level, first }); // prettier-ignore
  if (pooled && !hidden) return;
  const add = level === 0 ? addCellByCell : addRow;
  for (let row = start; row < end; row++) {
    const at = { from: values.start + (row - start) * values.stride, count, level, first: first(row) };
    if (!pooled) add(into, values.data, at);
    if (hidden) countHidden(into.masked, hidden.data, { ...at, from: hidden.start + (row - start) * hidden.stride });
  }
}

/** The same in WebAssembly, for all rows of one row of blocks at a time; false where WebAssembly is not available. */
function poolBands(
  into: PooledBlocks,
  { data, start: from, stride }: Cells,
  [start, end]: readonly [number, number],
  { count, level, first }: BlockLayout,
): boolean {
  if (!(data instanceof Float32Array || data instanceof Float64Array)) return false;
  for (let row = start; row < end;) {
    const at = first(row);
    let rows = 1;
    while (row + rows < end && first(row + rows) === at) rows++;
    const band = { data, start: from + (row - start) * stride, stride, rows, count, level, first: at };
    if (!poolBand(into, band)) return false;
    row += rows;
  }
  return true;
}

/**
 * Adds a row block by block, without testing each value: a value that is not finite makes the block's sum NaN or infinite, and the
 * block is then added cell by cell. Both ways add in the order of the cells, so that they agree to the bit.
 */
function addRow(into: PooledBlocks, data: Cells['data'], { from, count, level, first }: RowSpan): void {
  const { min, max, sum, finite } = into;
  const block = 1 << level;
  for (let x = 0, at = first; x < count; x += block, at++) {
    const stop = from + (x + block < count ? x + block : count);
    let low = min[at] as number;
    let high = max[at] as number;
    let total = sum[at] as number;
    for (let i = from + x; i < stop; i++) {
      const v = data[i] as number;
      if (v < low) low = v;
      if (v > high) high = v;
      total += v;
    }
    if (total - total === 0) {
      min[at] = low;
      max[at] = high;
      sum[at] = total;
      finite[at] = (finite[at] as number) + stop - from - x;
    } else addCellByCell(into, data, { from: from + x, count: stop - from - x, level, first: at });
  }
}

/** Adds a row cell by cell. Infinities count as values only at level 0, where a block is one cell. */
function addCellByCell(
  { min, max, sum, finite, nan }: PooledBlocks,
  data: Cells['data'],
  { from, count, level, first }: RowSpan,
): void {
  for (let x = 0; x < count; x++) {
    const at = first + (x >> level);
    const v = data[from + x] as number;
    if (Number.isNaN(v)) nan[at] = (nan[at] as number) + 1;
    else if (level === 0 || Number.isFinite(v)) {
      if (v < (min[at] as number)) min[at] = v;
      if (v > (max[at] as number)) max[at] = v;
      sum[at] = (sum[at] as number) + v;
      finite[at] = (finite[at] as number) + 1;
    }
  }
}

function countHidden(masked: Uint32Array, data: Cells['data'], { from, count, level, first }: RowSpan): void {
  const block = 1 << level;
  for (let x = 0, at = first; x < count; x += block, at++) {
    const stop = from + (x + block < count ? x + block : count);
    let hidden = 0;
    for (let i = from + x; i < stop; i++) if (data[i] === 1) hidden++;
    masked[at] = (masked[at] as number) + hidden;
  }
}
