import { formatShape, looksLike, sizeOf, statisticsOf, t, type Statistics } from '../../engine/index';
import type { HoverTheme } from './colours';
import { escapeMarkdown } from './markdown';
import { formatNumber } from './numbers';
import { dataUri, heatmapSvg, type Grid } from './svg';
import { tableOf } from './table';

/** A matrix as a hover shows it: 1 to 4 dimensions, values row-major. */
export interface HoverMatrix {
  readonly name?: string | undefined;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  readonly dtype?: string | undefined;
  readonly rowLabels?: readonly string[] | undefined;
  readonly columnLabels?: readonly string[] | undefined;
}

/** A word that does something. */
export interface Link {
  readonly title: string;
  /** A command URI. */
  readonly target: string;
}

export interface HoverOptions {
  readonly theme: HoverTheme;
  /** Digits after the decimal point. */
  readonly digits: number;
  /** Most rows and columns of a table; beyond, a heatmap. */
  readonly largestTable: number;
  readonly explain: Link;
  /** What it can be collected as. */
  readonly use: readonly Link[];
  /** What is collected, if anything, and what can be done with it. */
  readonly collected?: { readonly words: string; readonly links: readonly Link[] } | undefined;
  readonly copy: readonly Link[];
  /** What each dimension counts, where that is known. */
  readonly axes?: readonly string[] | undefined;
  /** One sentence each: what it fits with, how it came about. */
  readonly notes: readonly string[];
}

/** VS Code shows hovers of at least 500×250 pixels without scaling images down; lines of text stand above the picture. */
const picture = { maxWidth: 480, maxHeight: 140 };

/**
 * Markdown of a hover (HTML allowed): what it is, what it looks like and fits with, links, and the numbers where they fit, else a
 * heatmap. Well below VS Code's limit of 100,000 characters.
 */
export function hoverMarkdown(matrix: HoverMatrix, options: HoverOptions): string {
  const said = [...looksLike(matrix).map(({ words }) => words), ...options.notes];
  return [
    headOf(matrix, options),
    linksOf(options),
    ...(said.length > 0 ? [said.map(escapeMarkdown).join('  \n')] : []),
    drawn(matrix, options),
  ].join('\n\n');
}

/** The numbers as a table where they fit, else as a heatmap. */
export function drawn(matrix: HoverMatrix, options: Pick<HoverOptions, 'theme' | 'digits' | 'largestTable'>): string {
  const grid = gridOf(matrix);
  const most = options.largestTable;
  const isSmall = matrix.shape.length <= 2 && grid.rows <= most && grid.columns <= most;
  return isSmall
    ? tableOf(grid, { ...matrix, ...options, truth: matrix.dtype === 'bool' })
    : pictureOf(matrix, grid, options.theme);
}

/** More than two dimensions: the matrices stand below each other. */
function gridOf({ shape, values }: HoverMatrix): Grid {
  const columns = shape.at(-1) ?? 0;
  return { rows: columns ? values.length / columns : 0, columns, values };
}

/** A flat list is one row. */
const shapeOf = (shape: readonly number[]): string => formatShape(shape.length === 1 ? [1, ...shape] : shape);

function headOf({ name, shape, dtype, values }: HoverMatrix, { digits, axes }: HoverOptions): string {
  const title = name === undefined ? '' : `**${escapeMarkdown(name)}** `;
  const size = `${shapeOf(shape)}${axes ? ` (${axes.join(' × ')})` : ''}`;
  const facts = [
    size,
    ...(dtype ? [dtype] : []),
    ...(dtype === 'bool' ? truthsOf(values) : wordsOf(statisticsOf(values), digits)),
  ];
  return `${title}${facts.map(escapeMarkdown).join(' · ')}`;
}

function truthsOf(values: ArrayLike<number>): string[] {
  const trues = Array.from(values).filter((x) => x !== 0).length;
  return [`${trues} True`, `${values.length - trues} False`];
}

export function wordsOf(statistics: Statistics, digits: number): string[] {
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

function linksOf({ explain, use, collected, copy }: HoverOptions): string {
  const list = (links: readonly Link[]): string => links.map(linkOf).join(' ');
  const parts = [
    linkOf(explain),
    ...(use.length ? [t('use as {0}', list(use))] : []),
    ...(copy.length ? [t('copy {0}', list(copy))] : []),
  ];
  const state = collected ? [t('inputs: {0} {1}', escapeMarkdown(collected.words), list(collected.links))] : [];
  return [parts.join(' · '), ...state].join('  \n');
}

const linkOf = ({ title, target }: Link): string => `[${escapeMarkdown(title)}](${target})`;

function pictureOf({ name, shape }: HoverMatrix, grid: Grid, theme: HoverTheme): string {
  const { svg, width, height, block } = heatmapSvg(grid, { theme, ...picture });
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
