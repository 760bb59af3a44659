/** Geometry of cells, without the DOM. Sizes are in CSS pixels, counts in cells. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
}

/** Cells with numbers, plain coloured cells, or tiles that pool cells too small to see. */
export type Regime = 'numbers' | 'cells' | 'tiles';

/** A cell smaller than this on screen is pooled with its neighbours. */
const smallestCell = 3;
const numberHeight = 18;
const plainCell = 28;

export interface FitInput {
  readonly rows: number;
  readonly columns: number;
  /** Space for cells, without labels. */
  readonly width: number;
  readonly height: number;
  /** Width of a cell with the matrix's widest number; `comfortable` includes padding. */
  readonly numberWidth: number;
  readonly comfortable: number;
}

/**
 * The initial cell size: with numbers if the width allows it, even if rows must scroll; otherwise the whole matrix fits. Cells are square, so
 * that token-by-token matrices are too, but higher in flat matrices (3×64).
 */
export function fitCells({ rows, columns, width, height, numberWidth, comfortable }: FitInput): CellSize {
  const even = width / columns;
  if (even >= numberWidth) {
    return { width: Math.floor(Math.min(even, Math.max(comfortable, 56))), height: lineHeight(height / rows) };
  }
  const tall = rows > 3 * columns;
  const side = Math.min(plainCell, even, tall ? Math.max(height / rows, 12) : height / rows);
  return { width: snap(side), height: rows * 4 < columns ? lineHeight(height / rows) : snap(side) };
}

const lineHeight = (room: number): number => Math.floor(Math.min(28, Math.max(20, room)));

/** Rounds to whole pixels if cells are large enough for the difference to be visible. */
const snap = (side: number): number => (side >= 8 ? Math.floor(side) : side);

export function regimeOf(cell: CellSize, numberWidth: number): Regime {
  if (cell.width >= numberWidth && cell.height >= numberHeight) return 'numbers';
  return cell.width < smallestCell || cell.height < smallestCell ? 'tiles' : 'cells';
}

/** The pooling level at which blocks of 2^level cells are at least 3 pixels wide. */
export const levelOf = (cell: number): number =>
  cell >= smallestCell ? 0 : Math.ceil(Math.log2(smallestCell / cell) - 1e-9);

export interface ZoomLimits {
  readonly fit: CellSize;
  readonly smallest: number;
  readonly numberWidth: number;
}

/** The cell size for a zoomed width: the height keeps the proportion of the fit, up to a comfortable line. */
export function zoomTo(width: number, { fit, smallest, numberWidth }: ZoomLimits): CellSize {
  const w = Math.min(Math.max(width, smallest), Math.max(72, numberWidth));
  const proportional = Math.min(plainCell, (w * fit.height) / fit.width);
  return { width: w, height: w >= numberWidth ? Math.max(20, proportional) : proportional };
}

/** The smallest cell width that zooming reaches: the whole matrix is visible, or the initial width if that is smaller. */
export const smallestZoom = (input: FitInput, fit: CellSize): number =>
  Math.min(fit.width, input.width / input.columns, ((input.height / input.rows) * fit.width) / fit.height);

/**
 * The width of the vertical and the height of the horizontal scrollbar, 0 if not needed. Each takes space and so may make the other necessary. An
 * excess of half a pixel is rounding.
 */
export function scrollbarsFor(
  content: CellSize,
  room: CellSize,
  thickness: number,
): { readonly vertical: number; readonly horizontal: number } {
  let vertical = content.height > room.height + 0.5 ? thickness : 0;
  const horizontal = content.width > room.width - vertical + 0.5 ? thickness : 0;
  if (horizontal && content.height > room.height - horizontal + 0.5) vertical = thickness;
  return { vertical, horizontal };
}

/** Half-open range of the cells that are visible in a scrolled viewport. */
export function visibleCells(scroll: number, extent: number, cell: number, count: number): [number, number] {
  const first = Math.floor(scroll / cell);
  const last = Math.ceil((scroll + extent) / cell);
  return [Math.min(count, Math.max(0, first)), Math.min(count, Math.max(0, last))];
}

/** The range extended by its own length on both sides (prefetch), so that cells are already read after a short scroll. */
export function widened([start, end]: readonly [number, number], count: number, block: number): [number, number] {
  const by = Math.ceil((end - start) / block) * block;
  const first = Math.max(0, Math.floor((start - by) / block) * block);
  return [first, Math.min(count, Math.ceil((end + by) / block) * block)];
}

/** Stride of labels such that they are at least `room` pixels apart: 1, 2, 5, 10, 20, 50, … */
export function labelStride(cell: number, room: number): number {
  const least = room / cell;
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 5]) if (step * power >= least) return step * power;
  }
}

/** The scroll position at which a whole cell is visible. */
export function scrollToShow(scroll: number, extent: number, start: number, size: number): number {
  if (start < scroll) return start;
  return start + size > scroll + extent ? start + size - extent : scroll;
}
