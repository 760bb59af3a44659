// HTML for the Markdown preview, whose policy allows inline styles and no scripts. Colours are VS Code's CSS variables, so that a change of theme
// needs no new rendering.
import { showNumber, signedColourLimit } from '../../engine/index';

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replaceAll('\0', '\ufffd');

/** Number of colours on each side of zero. */
const levels = 12;
/** Percentage of full colour at the ends of the scale. Digits in the theme's text colour stay readable on it. */
const fullColourPercent = 60;
const palette = {
  positive: 'var(--vscode-charts-blue,#3794ff)',
  negative: '#d18616',
  nan: 'var(--vscode-charts-purple,#b180d7)',
};

/**
 * The CSS colour of a value on a scale from −`limit` to `limit`: orange below zero and blue above, as in the panel. Values beyond have the colour of
 * the scale's end.
 */
function colourOf(value: number, limit: number): string {
  if (Number.isNaN(value)) return mixed(palette.nan, fullColourPercent);
  // Masked cells are −∞ and have no magnitude to show.
  if (value === -Infinity) return mixed('currentColor', 15);
  const share = Number.isFinite(value) ? Math.min(1, Math.abs(value) / limit) : 1;
  const level = Math.round(share * levels);
  if (level === 0) return 'transparent';
  return mixed(value < 0 ? palette.negative : palette.positive, Math.round((level / levels) * fullColourPercent));
}

const mixed = (colour: string, percent: number): string => `color-mix(in srgb,${colour} ${percent}%,transparent)`;

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  /** In row-major order. */
  readonly values: readonly number[];
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
}

const border = 'border:1px solid var(--vscode-widget-border,rgba(128,128,128,.35))';
const cellStyle = `${border};padding:2px 7px;text-align:right;font-variant-numeric:tabular-nums`;
const headStyle = 'border:0;padding:2px 7px;font-weight:normal;opacity:.75;text-align:right;background:none';

/** How cells are written, and which have a frame. `write` returns undefined for a cell whose number is not shown. */
export interface CellStyle {
  readonly write?: (value: number, row: number, column: number) => string | undefined;
  readonly marked?: (row: number, column: number) => boolean;
}

/** A matrix as an HTML table: numbers on the colour of their value, with labels. */
export function numbersTable(matrix: Matrix, { write, marked }: CellStyle = {}): string {
  const { rows, columns, values } = matrix;
  const shown = (i: number, j: number): string | undefined => {
    const value = values[i * columns + j] ?? NaN;
    return write ? write(value, i, j) : showNumber(value, 3);
  };
  const limit = signedColourLimit(values);
  const cell = (i: number, j: number): string => {
    const text = shown(i, j);
    const colour = text === undefined ? 'transparent' : colourOf(values[i * columns + j] ?? NaN, limit);
    const frame = marked?.(i, j) ? ';outline:2px solid var(--vscode-focusBorder,#007fd4);outline-offset:-2px' : '';
    return `<td style="${cellStyle};background:${colour}${frame}">${text === undefined ? '?' : escapeHtml(text)}</td>`;
  };
  const indices = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  const heads = indices(columns).map((j) => `<th scope="col" style="${headStyle}">${label(matrix.columnLabels, j)}</th>`);
  const body = indices(rows).map((i) => `<tr style="background:none"><th scope="row" style="${headStyle}">${label(matrix.rowLabels, i)}</th>${indices(columns).map((j) => cell(i, j)).join('')}</tr>`);
  return `<table style="border-collapse:collapse;margin:.4em 0;width:auto"><thead><tr><td style="border:0"></td>${heads.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
} // prettier-ignore

const label = (labels: readonly string[], i: number): string => escapeHtml(labels[i] ?? String(i));

/** A heatmap as inline SVG, without numbers. One path for each colour; equal neighbours in a row are one stroke. */
export function heatmap({ rows, columns, values }: Matrix, largestSide: number, title: string): string {
  const size = Math.max(2, Math.min(14, Math.floor(largestSide / Math.max(rows, columns))));
  const limit = signedColourLimit(values);
  const paths = new Map<string, string>();
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns;) {
      const colour = colourOf(values[y * columns + x] ?? NaN, limit);
      const from = x;
      while (x < columns && colourOf(values[y * columns + x] ?? NaN, limit) === colour) x++;
      if (colour !== 'transparent') paths.set(colour, `${paths.get(colour) ?? ''}M${from},${y}.5h${x - from}`);
    }
  }
  const strokes = Array.from(paths, ([colour, d]) => `<path fill="none" style="stroke:${colour}" d="${d}"/>`).join('');
  const frame = `<path fill="none" style="stroke:var(--vscode-widget-border,rgba(128,128,128,.5))" vector-effect="non-scaling-stroke" d="M0,0h${columns}v${rows}h-${columns}z"/>`;
  return (
    `<svg role="img" aria-label="${escapeHtml(title)}" width="${columns * size}" height="${rows * size}" viewBox="0 0 ${columns} ${rows}" ` +
    `preserveAspectRatio="none" shape-rendering="crispEdges" style="vertical-align:middle">${strokes}${frame}</svg>`
  );
}
