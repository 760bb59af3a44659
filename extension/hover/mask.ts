import { readMask, sideBySide, t } from '../../engine/index';
import { escapeMarkdown } from './markdown';

interface Matrix {
  readonly name?: string | undefined;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  readonly dtype?: string | undefined;
}

/** Most queries, and most keys, of a mask that is drawn. */
const mostDrawn = 16;

const masklike = /mask|tril|triu|causal|pad(?:ding|s|ded)?\b/i;

/**
 * What a mask hides and shows under the conventions that take such numbers, as Markdown. Empty for other matrices: 0 and 1 alone are a mask only where
 * they are truth values or the name says so.
 */
export function maskMarkdown({ name = '', shape, values, dtype }: Matrix): readonly string[] {
  const width = shape.at(-1) ?? 0;
  const height = width === 0 ? 0 : values.length / width;
  if (height * width > 4096 || shape.length > 2) return [];
  const rows = Array.from({ length: height }, (_, i) => Array.from({ length: width }, (__, j) => values[i * width + j] as number)); // prettier-ignore
  const read = readMask(rows);
  if (!read || (read.kind === 'truth' && dtype !== 'bool' && !masklike.test(name))) return [];
  // Its picture first: a hover is as high as eight lines of text.
  const said = read.readings.map(({ names, words }) => `${escapeMarkdown(names.join(', '))}: ${escapeMarkdown(words.slice(0, -1).join(' '))}`); // prettier-ignore
  const isSmall = height <= mostDrawn && width <= mostDrawn;
  const heads = read.kind === 'added' ? [t('−∞ hides')] : [t('True sees'), t('True hides')];
  const picture = isSmall ? [`\`\`\`text\n${sideBySide(read.readings.map((one, i) => `${heads[i] ?? ''}\n${one.picture}`))}\n\`\`\``] : []; // prettier-ignore
  return [...picture, [...said, ...(read.question === undefined ? [] : [escapeMarkdown(read.question)])].join('  \n')];
} // prettier-ignore
