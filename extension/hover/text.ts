import { formatShape, looksLike, sizeOf, statisticsOf, t, type Statistics } from '../../engine/index';
import type { HoverTheme } from './colours';
import { escapeMarkdown } from './markdown';
import { maskMarkdown } from './mask';
import { formatNumber } from './numbers';
import { dataUri, heatmapSvg, type Grid } from './svg';
import { tableOf } from './table';

/** A matrix as a hover shows it: 1 to 4 dimensions, values in row-major order. */
export interface HoverMatrix {
  readonly name?: string | undefined;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  readonly dtype?: string | undefined;
  readonly rowLabels?: readonly string[] | undefined;
  readonly columnLabels?: readonly string[] | undefined;
}

/** A link that runs a command. */
export interface Link {
  readonly title: string;
  /** A command URI. */
  readonly target: string;
}

export interface HoverOptions {
  readonly theme: HoverTheme;
  /** Digits after the decimal point. */
  readonly digits: number;
  /** Most rows, and most columns, of a table. Larger matrices are shown as a heatmap. */
  readonly largestTable: number;
  readonly explain: Link;
  /** The link that checks it as somebody's result. */
  readonly check?: Link;
  /** Links that collect the matrix as an input. */
  readonly use: readonly Link[];
  /** The collected inputs, if there are any, and what can be done with them. */
  readonly collected?: { readonly words: string; readonly links: readonly Link[] } | undefined;
  readonly copy: readonly Link[];
  /** What each dimension counts, if that is known. */
  readonly axes?: readonly string[] | undefined;
  /** Notes of one sentence each: what the matrix fits, how it was computed. */
  readonly notes: readonly string[];
}

/** Largest picture, in pixels. VS Code shows hovers of at least 500×250 pixels without scaling images; lines of text are above the picture. */
const pictureSize = { maxWidth: 480, maxHeight: 140 };

/**
 * The Markdown of a hover, with HTML: facts and notes about a matrix, links, and its numbers as a table or a heatmap. Well below VS Code's limit of
 * 100,000 characters.
 */
export function hoverMarkdown(matrix: HoverMatrix, options: HoverOptions): string {
  const said = [...looksLike(matrix).map(({ words }) => words), ...options.notes];
  return [
    headOf(matrix, options),
    linksOf(options),
    ...(said.length > 0 ? [said.map(escapeMarkdown).join('  \n')] : []),
    ...maskMarkdown(matrix),
    tableOrHeatmap(matrix, options),
  ].join('\n\n');
}

/** A table of the numbers if the matrix is small enough, else a heatmap. */
export function tableOrHeatmap(
  matrix: HoverMatrix,
  options: Pick<HoverOptions, 'theme' | 'digits' | 'largestTable'>,
): string {
  const grid = gridOf(matrix);
  const most = options.largestTable;
  const isSmall = matrix.shape.length <= 2 && grid.rows <= most && grid.columns <= most;
  return isSmall
    ? tableOf(grid, { ...matrix, ...options, truth: matrix.dtype === 'bool' })
    : heatmapOf(matrix, grid, options.theme);
}

/** The matrix as one grid. With more than two dimensions, its matrices are placed below each other. */
function gridOf({ shape, values }: HoverMatrix): Grid {
  const columns = shape.at(-1) ?? 0;
  return { rows: columns ? values.length / columns : 0, columns, values };
}

/** The shape as text. A flat list counts as one row. */
const shapeOf = (shape: readonly number[]): string => formatShape(shape.length === 1 ? [1, ...shape] : shape);

function headOf({ name, shape, dtype, values }: HoverMatrix, { digits, axes }: HoverOptions): string {
  const title = name === undefined ? '' : `**${escapeMarkdown(name)}** `;
  const size = `${shapeOf(shape)}${axes ? ` (${axes.join(' × ')})` : ''}`;
  const facts = [
    size,
    ...(dtype ? [dtype] : []),
    ...(dtype === 'bool' ? truthCounts(values) : statisticsWords(statisticsOf(values), digits)),
  ];
  return `${title}${facts.map(escapeMarkdown).join(' · ')}`;
}

function truthCounts(values: ArrayLike<number>): string[] {
  const trues = Array.from(values).filter((x) => x !== 0).length;
  return [`${trues} True`, `${values.length - trues} False`];
}

export function statisticsWords(statistics: Statistics, digits: number): string[] {
  const { finite, min, max, mean, std, nan, positiveInfinite, negativeInfinite } = statistics;
  const number = (x: number): string => formatNumber(x, digits);
  const words = finite
    ? [t('min {0}', number(min)), t('max {0}', number(max)), t('mean {0}', number(mean)), t('std {0}', number(std))]
    : [t('no finite number')];
  if (nan) words.push(`${nan} NaN`);
  if (positiveInfinite) words.push(`${positiveInfinite} ∞`);
  if (negativeInfinite) words.push(`${negativeInfinite} −∞`);
  return words;
}

function linksOf({ explain, check, use, collected, copy }: HoverOptions): string {
  const list = (links: readonly Link[]): string => links.map(linkOf).join(' ');
  const parts = [
    linkOf(explain),
    ...(check ? [linkOf(check)] : []),
    ...(use.length ? [t('use as {0}', list(use))] : []),
    ...(copy.length ? [t('copy {0}', list(copy))] : []),
  ];
  const state = collected ? [t('inputs: {0} {1}', escapeMarkdown(collected.words), list(collected.links))] : [];
  return [parts.join(' · '), ...state].join('  \n');
}

const linkOf = ({ title, target }: Link): string => `[${escapeMarkdown(title)}](${target})`;

function heatmapOf({ name, shape }: HoverMatrix, grid: Grid, theme: HoverTheme): string {
  const { svg, width, height, block } = heatmapSvg(grid, { theme, ...pictureSize });
  const what = name
    ? t('{0} heatmap of {1}: orange is negative, blue positive', shapeOf(shape), name)
    : t('{0} heatmap: orange is negative, blue positive', shapeOf(shape));
  const said = [
    ...(shape.length > 2
      ? [t('{0} matrices of {1}, one below the other.', sizeOf(shape.slice(0, -2)), formatShape(shape.slice(-2)))]
      : []),
    ...(block[0] * block[1] > 1 ? [t('Each cell is the mean of up to {0} numbers.', formatShape(block))] : []),
  ].join(' ');
  return `![${escapeMarkdown(what)}](${dataUri(svg)}|width=${width},height=${height})${said && `\n\n${said}`}`;
}
