import { finish, type Paced, type TextRange } from '../../engine/index';

/**
 * One explanation may have several selections as its input: parts of one document, in document order, joined by this separator. The functions below
 * map offsets in the joined text to offsets in the document.
 */
export const separator = '\n';

/** The offset in the document of an offset in the joined text. Beyond the end it is the end of the last part. */
export function toDocument(parts: readonly TextRange[], offset: number): number {
  let left = Math.max(0, offset);
  for (const { start, end } of parts) {
    if (left <= end - start) return start + left;
    left -= end - start + separator.length;
  }
  return parts.at(-1)?.end ?? 0;
}

/** The range in the document of a range of the joined text. A range that ends where a part begins ends with the part before. */
export function rangeToDocument(parts: readonly TextRange[], { start, end }: TextRange): TextRange {
  const from = toDocument(parts, start);
  return { start: from, end: end > start ? Math.max(from, toDocument(parts, end - 1) + 1) : from };
}

/** The parts sorted by start, without those that lie within another. */
export function inDocumentOrder(parts: readonly TextRange[]): TextRange[] {
  const sorted = [...parts].sort((a, b) => a.start - b.start || b.end - a.end);
  let reached = -1;
  return sorted.filter(({ end }) => {
    const isNew = end > reached;
    reached = Math.max(reached, end);
    return isNew;
  });
}

/** Length of the joined text, in UTF-16 units. */
export const joinedLength = (parts: readonly TextRange[]): number =>
  parts.reduce((sum, { start, end }) => sum + end - start, 0) + Math.max(0, parts.length - 1) * separator.length;

/**
 * A hash of a text: 64 bits as 16 hexadecimal digits (two 32-bit FNV-1a hashes with different bases). The same for each kind of line end. It detects
 * edits and is not cryptographic.
 */
export const hashText = (text: string): string => finish(hashing(text));

/** Characters between two yields. */
const hashedAtOnce = 1 << 16;

/** `hashText` as a generator, for long texts. */
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
