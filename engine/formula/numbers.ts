/** Numbers that a document writes for its names, whole matrices and those that are cut off. */
import type { ParsedMatrix } from '../parse';
import type { WrittenNumbers } from '../program';

/** A matrix without an expression around it. */
export const isPlain = ({ shape, expression, derivation }: ParsedMatrix): boolean =>
  shape.length === 2 && !expression && derivation === undefined;

/** Matrices with names, in the order of the text. */
export const writtenMatrices = (matrices: readonly ParsedMatrix[]): readonly WrittenNumbers[] =>
  matrices.flatMap((matrix) => {
    const { name, shape, values, range } = matrix;
    return name !== undefined && isPlain(matrix) ? [{ name, start: range.start, shape, values: [...values] }] : [];
  });

const name = /^[ \t]*([A-Za-z_]\w*)/gm;
const numeral = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;

/** Printed matrices that the text breaks off: rows of one width, the last one short. Its last number may lack digits, so it is left out. Linear time. */
export function brokenMatrices(text: string, whole: readonly WrittenNumbers[]): readonly WrittenNumbers[] {
  const known = new Set(whole.map(({ start }) => start));
  return [...text.matchAll(name)].flatMap((found) => {
    const start = bracketAfter(text, found.index + found[0].length);
    const read = start === undefined || known.has(start) ? undefined : rowsFrom(text, start + 1);
    return read && start !== undefined && found[1] !== undefined ? [{ name: found[1], start, shape: [null, read.width], values: read.values }] : []; // prettier-ignore
  });
}

/** `V [[`, `V: [[`, `V` and `[[` on the line below. */
function bracketAfter(text: string, from: number): number | undefined {
  let at = spaceEnd(text, from);
  if (text[at] === ':' || text[at] === '=') at = spaceEnd(text, at + 1);
  if (text[at] === '\r') at++;
  if (text[at] === '\n') at = spaceEnd(text, at + 1);
  return text.startsWith('[[', at) ? at : undefined;
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

interface Rows {
  readonly width: number;
  readonly values: readonly number[];
}

/** Longest matrix that is read, in numbers. */
const most = 100_000;

function rowsFrom(text: string, start: number): Rows | undefined {
  const values: number[] = [];
  let [at, width, from] = [start, 0, 0];
  for (; at < text.length && values.length < most; at++) {
    const sign = text[at] ?? '';
    if (sign === '[') from = values.length;
    else if (sign === ']') {
      // A second bracket would be the end of a whole matrix.
      if (text[at + 1] === ']' || (width > 0 && values.length - from !== width)) return undefined;
      width = values.length - from;
    } else if (!/[\s,]/.test(sign)) {
      numeral.lastIndex = at;
      const written = numeral.exec(text)?.[0];
      if (written === undefined) break;
      values.push(Number(written));
      at += written.length - 1;
    }
  }
  const whole = values.slice(0, -1);
  return width > 0 && values.length - from <= width && whole.length > 0 ? { width, values: whole } : undefined;
}
