import { formatShape, t, type PartOfValue, type ValueAt } from '../../engine/index';
import type { HoverTheme } from './colours';
import { escapeMarkdown } from './markdown';
import { maskMarkdown } from './mask';
import { tableOrHeatmap, statisticsWords, type HoverMatrix, type Link } from './text';

export interface ValueOptions {
  readonly theme: HoverTheme;
  readonly digits: number;
  readonly largestTable: number;
  /** A link that explains the attention of which the value is a step. */
  readonly explain: (title: string) => Link;
  /** The document's line of an offset in the program, from 1. Undefined if that line is in another document. */
  readonly line: (offset: number) => number | undefined;
}

/**
 * The Markdown of a hover on a name or expression of a program: facts about its value, what is not known and why, a link to the attention that it is
 * a step of, and its numbers.
 */
export function valueMarkdown(value: ValueAt, options: ValueOptions): string {
  const { part } = value;
  const matrix = part && matrixOf(part, value.dtype);
  return [factsOf(value, options), ...certaintyOf(value, options), ...linkTo(value, options), ...(matrix ? [...maskMarkdown({ ...matrix, name: value.text }), tableOrHeatmap(matrix, options)] : [])].join('\n\n'); // prettier-ignore
}

/** The same without facts and numbers, for a hover that shows them already. */
export const valueLine = (value: ValueAt, options: ValueOptions): string =>
  [...certaintyOf(value, options), ...linkTo(value, options)].join('\n\n');

/** Longest expression that is quoted, in characters. */
const longestText = 60;

function factsOf(value: ValueAt, { digits }: ValueOptions): string {
  const { text, shape, dtype, statistics, words, type, part } = value;
  const name = text.replace(/\s+/g, ' ');
  const title = `**${escapeMarkdown(name.length > longestText ? `${name.slice(0, longestText)}…` : name)}** `;
  const which = part?.index === undefined ? [] : [t('shown: [{0}]', part.index)];
  const facts = [
    ...(words === undefined || words === '?' ? [] : [words]),
    ...(shape === undefined ? [] : [shape]),
    ...(dtype ? [dtype] : type ? [type] : []),
    ...(statistics ? [...statisticsWords(statistics, digits), ...zerosOf(statistics)] : []),
    ...which,
  ];
  return title + facts.map(escapeMarkdown).join(' · ');
}

const zerosOf = ({ zeros, count }: { zeros: number; count: number }): string[] =>
  zeros === 0 ? [] : [t('{0} of {1} are 0', zeros, count)];

/** How certain the value is: stand-in, shape only, unknown, assumed, one of several iterations. One line for each that applies. */
function certaintyOf(
  { state, why, standIn, sample, before, assumes, times }: ValueAt,
  { line }: ValueOptions,
): string[] {
  const placed = ({ text, range }: NonNullable<typeof why>): string => {
    const at = line(range.start);
    return at === undefined ? text : t('{0} (line {1})', text, at);
  };
  const said = [
    ...(sample ? [t('stand-in: no line calls this with what is known, so its sizes and numbers are a sample, from seed 0')] : standIn ? [t('stand-in: no line calls this')] : []), // prettier-ignore
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

/** Whether a matrix equals a program's value in shape and numbers. */
export function isSame(
  { part, shape }: ValueAt,
  matrix: { shape: readonly number[]; values: ArrayLike<number> },
): boolean {
  if (!part || shape === undefined || (part.index !== undefined && matrix.shape.length < 3)) return false;
  const own = matrix.shape.length === 1 ? `(${matrix.shape[0]},)` : formatShape(matrix.shape);
  return own === shape && part.values.every((x, i) => x === matrix.values[i] || (Number.isNaN(x) && Number.isNaN(matrix.values[i])) || Math.fround(matrix.values[i] ?? NaN) === x); // prettier-ignore
}
