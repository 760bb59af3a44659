/** Whole numbers, unless they are a part of another number, a root or an index. */
const sizes = /(?<![\d.,√_^])\d+(?![\d.,]*\d)/g;

/** Text between quotation marks: a token that looks like a number is none. */
const quoted = /(“[^”]*”|„[^“]*“)/;

/** A sentence without the numbers that would tell a shape which is still to be predicted: `8 products for each of ? columns`. */
export const veiled = (text: string, shape: readonly number[]): string =>
  text
    .split(quoted)
    .map((part, i) => (i % 2 ? part : part.replace(sizes, (size) => (shape.includes(Number(size)) ? '?' : size))))
    .join('');
