import { isNewline } from '../parse';
import type { Paced } from '../text';

/** A position in a text. */
export interface TextPosition {
  /** Number of UTF-8 bytes before it. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Characters processed between two pauses. */
const charactersPerPart = 1 << 15;

/** The positions of UTF-16 offsets in a text, found in one pass. `base` is the number of bytes before the text. */
export function* findPositions(
  text: string,
  offsets: readonly number[],
  base: number,
): Paced<ReadonlyMap<number, TextPosition>> {
  const sorted = Float64Array.from(offsets).sort();
  const places = new Map<number, TextPosition>();
  let [offset, line, lineStart, next] = [base, 1, 0, 0];
  for (let i = 0; next < sorted.length; i++) {
    for (; sorted[next] === i; next++) places.set(i, { offset, line, column: i - lineStart + 1 });
    if (i >= text.length) break;
    const c = text.charCodeAt(i);
    offset += bytesOf(c);
    if (isNewline(c) && !(c === 13 && text.charCodeAt(i + 1) === 10)) [line, lineStart] = [line + 1, i + 1];
    if (i % charactersPerPart === charactersPerPart - 1) yield;
  }
  return places;
}

/** UTF-8 bytes of a UTF-16 unit; each half of a surrogate pair counts two of its four. */
function bytesOf(c: number): number {
  if (c < 0x80) return 1;
  return c < 0x800 || (c >= 0xd800 && c < 0xe000) ? 2 : 3;
}
