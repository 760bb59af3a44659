import { poolBand } from './backend/wasm/pool';
import type { Pooled } from './pooled';

/** Some rows of a matrix from one column on: cell (0, 0) stands at `start`, the row after it `stride` further. */
export interface Cells {
  readonly data: ArrayLike<number>;
  readonly start: number;
  readonly stride: number;
}

/** Cells of one row: values from `from` on, `count` of them to a block of 2^level but for the last, the first block being `first`. */
interface Row {
  readonly from: number;
  readonly count: number;
  readonly level: number;
  readonly first: number;
}

/** Cells from which on WebAssembly is worth what it costs to hand them over. */
const worthwhile = 1 << 16;

interface Blocks {
  readonly count: number;
  readonly level: number;
  readonly first: (row: number) => number;
}

/** Adds some rows of a matrix to their blocks; the row `start` belongs to the blocks from `first(start)` on. */
export function poolRows(
  into: Pooled,
  { values, hidden }: { readonly values: Cells; readonly hidden?: Cells },
  [start, end]: readonly [number, number],
  { count, level, first }: Blocks,
): void {
  const pooled = level > 0 && (end - start) * count >= worthwhile && poolBands(into, values, [start, end], { count, level, first }); // prettier-ignore
  if (pooled && !hidden) return;
  const add = level === 0 ? addSlowly : addRow;
  for (let row = start; row < end; row++) {
    const at = { from: values.start + (row - start) * values.stride, count, level, first: first(row) };
    if (!pooled) add(into, values.data, at);
    if (hidden) countHidden(into.masked, hidden.data, { ...at, from: hidden.start + (row - start) * hidden.stride });
  }
}

/** By WebAssembly, the rows of one row of blocks at a time; false where that cannot be. */
function poolBands(
  into: Pooled,
  { data, start: from, stride }: Cells,
  [start, end]: readonly [number, number],
  { count, level, first }: Blocks,
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
 * A block at a time, with its limits and sum in registers, and without a question about each value: one that is not finite makes the sum
 * NaN or infinite, and that block's part of the row is then added slowly. Sums keep the order of the cells, so that both ways agree to the bit.
 */
function addRow(into: Pooled, data: Cells['data'], { from, count, level, first }: Row): void {
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
    } else addSlowly(into, data, { from: from + x, count: stop - from - x, level, first: at });
  }
}

/** A cell at a time. Infinities count only where a block is one cell. */
function addSlowly(
  { min, max, sum, finite, nan }: Pooled,
  data: Cells['data'],
  { from, count, level, first }: Row,
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

function countHidden(masked: Uint32Array, data: Cells['data'], { from, count, level, first }: Row): void {
  const block = 1 << level;
  for (let x = 0, at = first; x < count; x += block, at++) {
    const stop = from + (x + block < count ? x + block : count);
    let hidden = 0;
    for (let i = from + x; i < stop; i++) if (data[i] === 1) hidden++;
    masked[at] = (masked[at] as number) + hidden;
  }
}
