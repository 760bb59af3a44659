import { signedColourLimit } from '../../engine/index';
import { colourOf, palettes, type HoverTheme, type Palette } from './colours';

/** A matrix of values. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** Row-major. */
  readonly values: ArrayLike<number>;
}

export interface Heatmap {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** Rows and columns of the grid that one drawn cell stands for. */
  readonly block: readonly [rows: number, columns: number];
}

/** Most drawn cells. With 15 colours on each side of zero and one path for each colour, the longest SVG has about 45,000 characters. */
const mostCells = { rows: 44, columns: 96 };
const largestCell = 24;
/**
 * A heatmap as SVG of at most `maxWidth`×`maxHeight` pixels. Negative values are orange, zero is neutral, positive values are blue, NaN is magenta;
 * infinities have the full colour of their sign. Grids of more than 44 rows or 96 columns are pooled to means over finite values.
 */
export function heatmapSvg(
  grid: Grid,
  options: { readonly theme: HoverTheme; readonly maxWidth: number; readonly maxHeight: number },
): Heatmap {
  const block = [Math.ceil(grid.rows / mostCells.rows), Math.ceil(grid.columns / mostCells.columns)] as const;
  const cells = pool(grid, block);
  const cellWidth = Math.min(largestCell, Math.floor(options.maxWidth / cells.columns));
  const cellHeight = Math.min(largestCell, Math.floor(options.maxHeight / cells.rows));
  const [width, height] = [cells.columns * cellWidth, cells.rows * cellHeight];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${cells.columns} ${cells.rows}" preserveAspectRatio="none" shape-rendering="crispEdges">` +
    elementsOf(cells, palettes[options.theme], Math.min(cellWidth, cellHeight) >= 8) +
    '</svg>';
  return { svg, width, height, block };
}

function elementsOf(cells: Grid, palette: Palette, lines: boolean): string {
  const { rows, columns } = cells;
  const frame = `<path fill="none" stroke="${palette.line}" vector-effect="non-scaling-stroke" d="M0,0h${columns}v${rows}h-${columns}z"/>`;
  return `<path fill="${colourOf(0, 1, palette)}" d="M0,0h${columns}v${rows}h-${columns}z"/>${strokes(cells, palette)}${
    lines ? gridLines(cells, palette.line) : ''
  }${frame}`;
}

const gridLines = ({ rows, columns }: Grid, colour: string): string => {
  const across = Array.from({ length: rows - 1 }, (_, i) => `M0,${i + 1}h${columns}`).join('');
  const down = Array.from({ length: columns - 1 }, (_, j) => `M${j + 1},0v${rows}`).join('');
  return `<path fill="none" stroke="${colour}" stroke-opacity=".4" vector-effect="non-scaling-stroke" d="${across}${down}"/>`;
};

/** One path for each colour that occurs. Equal neighbours in a row are one stroke of width 1. */
function strokes(cells: Grid, palette: Palette): string {
  const paths = new Map<string, string>();
  const limit = signedColourLimit(cells.values);
  const zero = colourOf(0, 1, palette);
  for (let y = 0; y < cells.rows; y++) {
    for (let x = 0; x < cells.columns;) {
      const colour = colourOf(valueAt(cells, y, x), limit, palette);
      const from = x;
      while (x < cells.columns && colourOf(valueAt(cells, y, x), limit, palette) === colour) x++;
      // The background has the colour of zero.
      if (colour !== zero) paths.set(colour, `${paths.get(colour) ?? ''}M${from},${y}.5h${x - from}`);
    }
  }
  return Array.from(paths, ([colour, d]) => `<path fill="none" stroke="${colour}" d="${d}"/>`).join('');
}

const valueAt = ({ columns, values }: Grid, row: number, column: number): number =>
  values[row * columns + column] ?? NaN;

function pool(grid: Grid, [high, wide]: readonly [number, number]): Grid {
  if (high === 1 && wide === 1) return grid;
  const [rows, columns] = [Math.ceil(grid.rows / high), Math.ceil(grid.columns / wide)];
  const values = Array.from({ length: rows * columns }, (_, i) => {
    const [y, x] = [Math.floor(i / columns) * high, (i % columns) * wide];
    return meanOfBlock(grid, y, Math.min(y + high, grid.rows), x, Math.min(x + wide, grid.columns));
  });
  return { rows, columns, values };
}

/** The mean of a block's finite values. If there are none, its first value. */
function meanOfBlock(grid: Grid, y0: number, y1: number, x0: number, x1: number): number {
  let [sum, finite] = [0, 0];
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const v = valueAt(grid, y, x);
      if (!Number.isFinite(v)) continue;
      sum += v;
      finite++;
    }
  }
  return finite ? sum / finite : valueAt(grid, y0, x0);
}

/** The SVG as a data URI for Markdown. Escapes every character that has a meaning in a link, an attribute or a URI. */
export const dataUri = (svg: string): string =>
  `data:image/svg+xml,${svg.replace(/[%#<>"'\s(){}[\]|\\^`&]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;
