import type { Span } from '../../engine/index';

/**
 * Writes a sentence without the numbers that would tell a shape which is still to be predicted: `16 products for each of ? columns`. Only sizes and
 * counts can: a number that is a token, an index or a value stays.
 */
export const hideSizes =
  (shape: readonly number[]) =>
  (span: Span): string =>
    span.kind === 'number' && span.size
      ? span.text.replace(/\d+/g, (size) => (shape.includes(Number(size)) ? '?' : size))
      : span.text;
