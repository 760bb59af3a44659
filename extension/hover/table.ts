import { signedColourLimit } from '../../engine/index';
import { colourOf, inkOn, palettes, type HoverTheme } from './colours';
import { escapeMarkdown } from './markdown';
import { formatNumber } from './numbers';
import type { Grid } from './svg';

export interface TableOptions {
  readonly theme: HoverTheme;
  readonly digits: number;
  /** Whether the numbers are truth values. */
  readonly truth?: boolean;
  readonly rowLabels?: readonly string[] | undefined;
  readonly columnLabels?: readonly string[] | undefined;
}

/** A space as wide as a digit. */
const figureSpace = '\u2007';
const longestLabel = 12;

/**
 * The numbers as a Markdown table. Each has the heatmap's colour of its value as its background, and black or white digits. Rows and columns have
 * their labels, or are numbered from 0 as in NumPy.
 */
export function tableOf(grid: Grid, options: TableOptions): string {
  const { rows, columns } = grid;
  const cells = indices(rows).map((i) => indices(columns).map((j) => valueAt(grid, i, j)));
  const texts = cells.map((row) =>
    row.map((x) => (options.truth ? (x === 0 ? 'False' : 'True') : formatNumber(x, options.digits))),
  );
  const widths = indices(columns).map((j) => Math.max(...texts.map((row) => row[j]?.length ?? 0)));
  const limit = signedColourLimit(grid.values);
  const cell = (i: number, j: number): string => {
    const background = colourOf(cells[i]?.[j] ?? NaN, limit, palettes[options.theme]);
    const text = (texts[i]?.[j] ?? '').padStart(widths[j] ?? 0, figureSpace);
    return `<span style="color:${inkOn(background)};background-color:${background};">&nbsp;${text}&nbsp;</span>`;
  };
  const line = (parts: readonly string[]): string => `|${parts.join('|')}|`;
  const head = line(['', ...indices(columns).map((j) => `${label(options.columnLabels, j)}&nbsp;`)]);
  const body = indices(rows).map((i) =>
    line([`${label(options.rowLabels, i)}&nbsp;`, ...indices(columns).map((j) => cell(i, j))]),
  );
  return [head, `|${'---:|'.repeat(columns + 1)}`, ...body].join('\n');
}

const indices = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const valueAt = ({ columns, values }: Grid, row: number, column: number): number =>
  values[row * columns + column] ?? NaN;

function label(labels: readonly string[] | undefined, i: number): string {
  const text = labels?.[i];
  if (text === undefined) return String(i);
  return escapeMarkdown(text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text);
}
