import { isNewline } from '../parse';
import type { Paced } from '../text';

/** A place of a text as people and programs name it. */
export interface Place {
  /** Bytes of UTF-8 before it. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Characters between two places to stop. */
const atOnce = 1 << 15;

/** Where offsets of a text stand, in one pass whatever their number; `base` bytes stand before the text. */
export function* readingPlaces(
  text: string,
  offsets: readonly number[],
  base: number,
): Paced<ReadonlyMap<number, Place>> {
  const sorted = Float64Array.from(offsets).sort();
  const places = new Map<number, Place>();
  let [offset, line, lineStart, next] = [base, 1, 0, 0];
  for (let i = 0; next < sorted.length; i++) {
    for (; sorted[next] === i; next++) places.set(i, { offset, line, column: i - lineStart + 1 });
    if (i >= text.length) break;
    const c = text.charCodeAt(i);
    offset += bytesOf(c);
    if (isNewline(c) && !(c === 13 && text.charCodeAt(i + 1) === 10)) [line, lineStart] = [line + 1, i + 1];
    if (i % atOnce === atOnce - 1) yield;
  }
  return places;
}

/** Of a UTF-16 unit in UTF-8; either half of a pair counts two of its four. */
function bytesOf(c: number): number {
  if (c < 0x80) return 1;
  return c < 0x800 || (c >= 0xd800 && c < 0xe000) ? 2 : 3;
}
