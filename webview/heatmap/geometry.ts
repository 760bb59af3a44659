/** Sizes in CSS pixels, counts in cells; no DOM here. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
}

/** Numbers inside cells, plain coloured cells, or tiles that pool cells too small to see. */
export type Regime = 'numbers' | 'cells' | 'tiles';

/** A cell smaller than this on screen is pooled with its neighbours. */
const smallestCell = 3;
const numberHeight = 18;
const plainCell = 28;

export interface FitInput {
  readonly rows: number;
  readonly columns: number;
  /** Room for cells, labels excluded. */
  readonly width: number;
  readonly height: number;
  /** Least width of a cell that holds the matrix's widest number, and the width it has with air around it. */
  readonly numberWidth: number;
  readonly comfortable: number;
}

/**
 * The cells a matrix opens with: with numbers where its width allows, scrolling if there are many rows; otherwise the
 * whole matrix at a glance. Square cells keep token-by-token matrices square; flat ones (3×64) get taller cells.
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

/** Whole pixels where cells are large enough for the difference to show. */
const snap = (side: number): number => (side >= 8 ? Math.floor(side) : side);

export function regimeOf(cell: CellSize, numberWidth: number): Regime {
  if (cell.width >= numberWidth && cell.height >= numberHeight) return 'numbers';
  return cell.width < smallestCell || cell.height < smallestCell ? 'tiles' : 'cells';
}

/** How often cells of this size must be paired until a block is at least 3 pixels: blocks are 2^level cells. */
export const levelOf = (cell: number): number =>
  cell >= smallestCell ? 0 : Math.ceil(Math.log2(smallestCell / cell) - 1e-9);

export interface ZoomLimits {
  readonly fit: CellSize;
  readonly smallest: number;
  readonly numberWidth: number;
}

/** Cells of a given width while zooming: height follows in the fit's proportion up to a comfortable line. */
export function zoomTo(width: number, { fit, smallest, numberWidth }: ZoomLimits): CellSize {
  const w = Math.min(Math.max(width, smallest), Math.max(72, numberWidth));
  const proportional = Math.min(plainCell, (w * fit.height) / fit.width);
  return { width: w, height: w >= numberWidth ? Math.max(20, proportional) : proportional };
}

/** The smallest zoom: the whole matrix in view, or the cells it opened with if those are smaller. */
export const smallestZoom = (input: FitInput, fit: CellSize): number =>
  Math.min(fit.width, input.width / input.columns, ((input.height / input.rows) * fit.width) / fit.height);

/**
 * Width of the vertical and height of the horizontal scrollbar that the content makes necessary: each takes room that may make
 * the other necessary. Up to half a pixel more than the room is rounding.
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

/** Half-open range of the cells that a scrolled window shows. */
export function visibleCells(scroll: number, extent: number, cell: number, count: number): [number, number] {
  const first = Math.floor(scroll / cell);
  const last = Math.ceil((scroll + extent) / cell);
  return [Math.min(count, Math.max(0, first)), Math.min(count, Math.max(0, last))];
}

/** The window widened by its own length on both sides, so that a short scroll finds its cells already read. */
export function widened([start, end]: readonly [number, number], count: number, block: number): [number, number] {
  const by = Math.ceil((end - start) / block) * block;
  const first = Math.max(0, Math.floor((start - by) / block) * block);
  return [first, Math.min(count, Math.ceil((end + by) / block) * block)];
}

/** Every how many cells a label stands so that labels are at least `room` pixels apart: 1, 2, 5, 10, 20, 50, … */
export function labelStride(cell: number, room: number): number {
  const least = room / cell;
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 5]) if (step * power >= least) return step * power;
  }
}

/** Where the viewport must scroll to show a cell whole. */
export function scrollToShow(scroll: number, extent: number, start: number, size: number): number {
  if (start < scroll) return start;
  return start + size > scroll + extent ? start + size - extent : scroll;
}
