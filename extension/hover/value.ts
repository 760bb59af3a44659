import { formatShape, t, type PartOfValue, type ValueAt } from '../../engine/index';
import type { HoverTheme } from './colours';
import { escapeMarkdown } from './markdown';
import { drawn, wordsOf, type HoverMatrix, type Link } from './text';

export interface ValueOptions {
  readonly theme: HoverTheme;
  readonly digits: number;
  readonly largestTable: number;
  /** Explains the attention of which it is a part. */
  readonly explain: (title: string) => Link;
  /** The line of an offset of the program, as a person counts it; undefined where it is not in the document. */
  readonly line: (offset: number) => number | undefined;
}

/** Markdown of what a name or an expression of a program comes to: a line of facts, what is not known and why, a link, and its numbers. */
export function valueMarkdown(value: ValueAt, options: ValueOptions): string {
  const { part } = value;
  const matrix = part && matrixOf(part, value.dtype);
  return [factsOf(value, options), ...saidOf(value, options), ...linkTo(value, options), ...(matrix ? [drawn(matrix, options)] : [])].join('\n\n'); // prettier-ignore
}

/** The same without the numbers, for a hover that shows them already. */
export const valueLine = (value: ValueAt, options: ValueOptions): string =>
  [...saidOf(value, options), ...linkTo(value, options)].join('\n\n');

/** Longest expression that is quoted. */
const longest = 60;

function factsOf(value: ValueAt, { digits }: ValueOptions): string {
  const { text, shape, dtype, statistics, words, type, part } = value;
  const name = text.replace(/\s+/g, ' ');
  const title = `**${escapeMarkdown(name.length > longest ? `${name.slice(0, longest)}…` : name)}** `;
  const which = part?.index === undefined ? [] : [t('shown: [{0}]', part.index)];
  const facts = [
    ...(words === undefined || words === '?' ? [] : [words]),
    ...(shape === undefined ? [] : [shape]),
    ...(dtype ? [dtype] : type ? [type] : []),
    ...(statistics ? [...wordsOf(statistics, digits), ...zerosOf(statistics)] : []),
    ...which,
  ];
  return title + facts.map(escapeMarkdown).join(' · ');
}

const zerosOf = ({ zeros, count }: { zeros: number; count: number }): string[] =>
  zeros === 0 ? [] : [t('{0} of {1} are 0', zeros, count)];

/** How sure it is, each in a line of its own. */
function saidOf({ state, why, standIn, before, assumes, times }: ValueAt, { line }: ValueOptions): string[] {
  const placed = ({ text, range }: NonNullable<typeof why>): string => {
    const at = line(range.start);
    return at === undefined ? text : t('{0} (line {1})', text, at);
  };
  const said = [
    ...(standIn ? [t('stand-in: no line calls this')] : []),
    ...(state === 'shape' ? [why && !standIn ? t('known in shape only: {0}', placed(why)) : t('known in shape only')] : []),
    ...(state === 'unknown' ? [why ? t('not known: {0}', placed(why)) : t('not known')] : []),
    ...(assumes ? [t('assumed: {0}', placed(assumes))] : []),
    ...(times > 1 ? [t('the last of {0} times', times)] : []),
    ...(before.length > 0 ? [t('before it was {0}', before.join(', '))] : []),
  ]; // prettier-ignore
  return said.length > 0 ? [said.map(escapeMarkdown).join('  \n')] : [];
}

function linkTo({ attention }: ValueAt, { explain }: ValueOptions): string[] {
  if (!attention) return [];
  const { title, target } = explain(attention.title);
  return [`[${escapeMarkdown(title)}](${target})`];
}

const matrixOf = ({ shape, values }: PartOfValue, dtype: string | undefined): HoverMatrix => ({
  shape: shape.length === 0 ? [1] : shape,
  values,
  dtype,
});

/** Whether a matrix that stands there has these shape and numbers. */
export function isSame(
  { part, shape }: ValueAt,
  matrix: { shape: readonly number[]; values: ArrayLike<number> },
): boolean {
  if (!part || shape === undefined || (part.index !== undefined && matrix.shape.length < 3)) return false;
  const own = matrix.shape.length === 1 ? `(${matrix.shape[0]},)` : formatShape(matrix.shape);
  return own === shape && part.values.every((x, i) => x === matrix.values[i] || (Number.isNaN(x) && Number.isNaN(matrix.values[i])) || Math.fround(matrix.values[i] ?? NaN) === x); // prettier-ignore
}
