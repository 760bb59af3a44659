import type { TextRange } from '../../text';
import type { Place } from './tree';

/** A piece of Python text with what is needed to find its characters again. */
export interface Source {
  readonly text: string;
  /** Where the piece begins in the text that was asked about. */
  readonly base: number;
  readonly lineStarts: readonly number[];
  /** The code that a person wrote, and not a definition of ours: only its places are shown. */
  readonly own: boolean;
  /** Each character is one byte, so that columns need no walk. */
  readonly isAscii: boolean;
}

const otherThanAscii = /[^\x00-\x7f]/;

export function sourceOf(text: string, base = 0, own = true): Source {
  const lineStarts = [0];
  for (let at = text.search(/[\r\n]/); at >= 0 && at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 10 || (c === 13 && text.charCodeAt(at + 1) !== 10)) lineStarts.push(at + 1);
  }
  return { text, base, lineStarts, own, isAscii: !otherThanAscii.test(text) };
}

/** Characters of a place. Columns count UTF-8 bytes, so a line with other letters than ASCII's is walked. */
export const rangeOf = (source: Source, place: Place): TextRange => ({
  start: source.base + indexOf(source, place.lineno, place.col_offset),
  end: source.base + indexOf(source, place.end_lineno, place.end_col_offset),
});

/** Where a place begins in the text of its source. */
export const startOf = (source: Source, { lineno, col_offset }: Place): number => indexOf(source, lineno, col_offset);

/** The text of a place. */
export function textOf(source: Source, place: Place): string {
  const { start, end } = rangeOf(source, place);
  return source.text.slice(start - source.base, end - source.base);
}

function indexOf(source: Source, line: number, bytes: number): number {
  const start = source.lineStarts[line - 1] ?? source.text.length;
  if (source.isAscii) return Math.min(start + bytes, source.text.length);
  let [at, left] = [start, bytes];
  while (left > 0 && at < source.text.length) {
    const code = source.text.codePointAt(at) ?? 0;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}
