import { formatShape } from '../engine/index';
import { dataUri, heatmapSvg, type Grid } from './hover-svg';

/** A literal as a hover shows it: 1 to 4 dimensions, values row-major. */
export interface HoverLiteral {
  readonly name?: string | undefined;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  readonly dtype?: string | undefined;
}

export interface HoverOptions {
  readonly theme: 'dark' | 'light';
  /** Digits after the decimal point. */
  readonly digits: number;
  /** A command URI that explains this literal. */
  readonly link: string;
}

/** VS Code shows hovers of at least 500×250 pixels without scaling images down; lines of text stand above the picture. */
const picture = { maxWidth: 480, maxHeight: 140 };
/** Above a table of numbers the picture is smaller. */
const pictureAboveTable = { maxWidth: 480, maxHeight: 80 };
const largestTable = 8;

/** Markdown of a hover: what it is, the link, a heatmap, and the numbers where they fit. Well below VS Code's limit of 100,000 characters. */
export function hoverMarkdown(literal: HoverLiteral, options: HoverOptions): string {
  const grid = gridOf(literal);
  const isSmall = literal.shape.length <= 2 && grid.rows <= largestTable && grid.columns <= largestTable;
  const blocks = [headOf(literal, options), pictureOf(literal, grid, options.theme, isSmall)];
  return [...blocks, ...(isSmall ? [tableOf(grid, options.digits)] : [])].join('\n\n');
}

/** More than two dimensions: the matrices stand below each other. */
function gridOf({ shape, values }: HoverLiteral): Grid {
  const columns = shape.at(-1) ?? 0;
  return { rows: columns ? values.length / columns : 0, columns, values };
}

/** A flat list is one row. */
export const shapeOf = (shape: readonly number[]): string => formatShape(shape.length === 1 ? [1, ...shape] : shape);

function headOf(literal: HoverLiteral, { digits, link }: HoverOptions): string {
  const facts = [shapeOf(literal.shape), ...(literal.dtype ? [literal.dtype] : []), ...factsOf(literal.values, digits)];
  const name = literal.name ? `**${escapeMarkdown(literal.name)}** ` : '';
  return `${name}${facts.map(escapeMarkdown).join(' · ')}\n\n[Explain Attention](${link})`;
}

export interface Summary {
  /** Over finite values; NaN when there are none. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly finite: number;
  readonly nan: number;
  readonly infinite: number;
}

/** One pass in index order, in float64. */
export function summarise(values: ArrayLike<number>): Summary {
  let [min, max, sum, finite, nan] = [Infinity, -Infinity, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const v = values[i] ?? NaN;
    if (Number.isFinite(v)) {
      min = Math.min(min, v);
      max = Math.max(max, v);
      sum += v;
      finite++;
    } else if (Number.isNaN(v)) nan++;
  }
  const infinite = values.length - finite - nan;
  return finite
    ? { min, max, mean: sum / finite, finite, nan, infinite }
    : { min: NaN, max: NaN, mean: NaN, finite, nan, infinite };
}

function factsOf(values: ArrayLike<number>, digits: number): string[] {
  const { min, max, mean, finite, nan, infinite } = summarise(values);
  const number = (v: number): string => formatNumber(v, digits);
  const facts = finite ? [`min ${number(min)}`, `max ${number(max)}`, `mean ${number(mean)}`] : ['no finite number'];
  if (nan) facts.push(`${nan} NaN`);
  if (infinite) facts.push(`${infinite} infinite`);
  return facts;
}

/** At most `digits` digits after the decimal point, an exponent where that would hide the number; a true minus sign. */
export function formatNumber(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  const magnitude = Math.abs(value);
  const text =
    magnitude !== 0 && (magnitude >= 1e9 || magnitude < smallest(digits))
      ? exponential(value, digits)
      : fixed(value, digits);
  return text.replace(/-/g, '−');
}

/** What would round to zero. */
const smallest = (digits: number): number => Number(`0.5e-${digits}`);
/** The shortest digits that give the same number back, where they are few enough: 0.3 and not 0.29999999999999999. */
function fixed(value: number, digits: number): string {
  const shortest = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return shortest && (shortest[1]?.length ?? 0) <= digits ? String(value) : trimmed(value.toFixed(digits));
}
const exponential = (value: number, digits: number): string => {
  const [mantissa = '', exponent = ''] = value.toExponential(digits).split('e');
  return `${trimmed(mantissa)}e${exponent.replace('+', '')}`;
};
const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function pictureOf({ name, shape }: HoverLiteral, grid: Grid, theme: 'dark' | 'light', isSmall: boolean): string {
  const { svg, width, height, block } = heatmapSvg(grid, { theme, ...(isSmall ? pictureAboveTable : picture) });
  const what = `${shapeOf(shape)} heatmap${name ? ` of ${name}` : ''}: orange is negative, blue positive`;
  const pooled = block[0] * block[1] > 1 ? `\n\nEach cell is the mean of up to ${formatShape(block)} numbers.` : '';
  return `![${escapeMarkdown(what)}](${dataUri(svg)}|width=${width},height=${height})${pooled}`;
}

/** Rows and columns counted from 0, as NumPy does. VS Code gives cells no padding. */
function tableOf({ rows, columns, values }: Grid, digits: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | &ensp;')} |`;
  const count = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  const head = line(['', ...count(columns).map(String)]);
  const rule = `|${'---:|'.repeat(columns + 1)}`;
  const body = count(rows).map((i) =>
    line([`**${i}**`, ...count(columns).map((j) => formatNumber(values[i * columns + j] ?? NaN, digits))]),
  );
  return [head, rule, ...body].join('\n');
}

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-!<>|~&]/g, '\\$&');
