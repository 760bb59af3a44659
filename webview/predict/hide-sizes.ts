import { t, type Span } from '../../engine/index';

/**
 * The text of a span without the sizes of a shape that the reader has yet to predict: `16 products for each of ? columns`. Numbers that are
 * tokens, indices or values stay. Of a shape all of whose sizes are hidden nothing is left to say.
 */
export const hideSizes =
  (shape: readonly number[]) =>
  (span: Span): string =>
    span.kind === 'number' && span.size
      ? span.text
          .replace(/\d+/g, (size) => (shape.includes(Number(size)) ? '?' : size))
          .replace(/^\?(×\?)+$/, t('Numbers'))
      : span.text;
