import { finish, type Paced, type TextRange } from '../../engine/index';

/**
 * What was explained may be several selections: parts of one document, in document order, joined by a newline. These
 * functions take offsets in the joined text back to the document.
 */
export const separator = '\n';

/** Offset in the document of an offset in the joined text; beyond the end it is the end of the last part. */
export function toDocument(parts: readonly TextRange[], offset: number): number {
  let left = Math.max(0, offset);
  for (const { start, end } of parts) {
    if (left <= end - start) return start + left;
    left -= end - start + separator.length;
  }
  return parts.at(-1)?.end ?? 0;
}

/** A range of the joined text in the document. One that ends where a part begins ends with the part before. */
export function rangeToDocument(parts: readonly TextRange[], { start, end }: TextRange): TextRange {
  const from = toDocument(parts, start);
  return { start: from, end: end > start ? Math.max(from, toDocument(parts, end - 1) + 1) : from };
}

/** Sorted; a part that lies within another is left out. */
export function inDocumentOrder(parts: readonly TextRange[]): TextRange[] {
  const sorted = [...parts].sort((a, b) => a.start - b.start || b.end - a.end);
  let reached = -1;
  return sorted.filter(({ end }) => {
    const isNew = end > reached;
    reached = Math.max(reached, end);
    return isNew;
  });
}

/** UTF-16 units of the joined text. */
export const joinedLength = (parts: readonly TextRange[]): number =>
  parts.reduce((sum, { start, end }) => sum + end - start, 0) + Math.max(0, parts.length - 1) * separator.length;

/**
 * 64 bits of a text as 16 hexadecimal digits (two FNV-1a of 32 bits with different bases), the same for each kind of
 * line end. It tells edits from no edits; it protects nothing.
 */
export const hashText = (text: string): string => finish(hashing(text));

/** Characters between two places to stop. */
const hashedAtOnce = 1 << 16;

/** The same, with places to stop. */
export function* hashing(text: string): Paced<string> {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length;) {
    for (const stop = Math.min(text.length, i + hashedAtOnce); i < stop; i++) {
      let c = text.charCodeAt(i);
      if (c === 13) {
        if (text.charCodeAt(i + 1) === 10) continue;
        c = 10;
      }
      a = Math.imul(a ^ c, 0x01000193);
      b = Math.imul(b ^ c, 0x5bd1e995) ^ (b >>> 15);
    }
    yield;
  }
  const hex = (x: number): string => (x >>> 0).toString(16).padStart(8, '0');
  return hex(a) + hex(b);
}
