import { t, fail, ok, type Result } from '../../text';
import { toUtf8 } from '../utf8';
import { transform, type Aligned, type Change } from './aligned';

/**
 * SentencePiece's compiled character map: a double-array trie (darts-clone) from UTF-8 strings to offsets into a block of zero-terminated
 * strings. In the file: base64 of the trie's size in bytes (32 bits, little-endian), the trie, the block.
 */
interface CharacterMap {
  readonly units: Uint32Array;
  readonly block: Uint8Array;
  /** Cache of replacements; undefined for text that does not change. */
  readonly found: Map<string, string | undefined>;
}

/** The normalizer `Precompiled`, from its base64 data. */
export function precompiled(base64: string): Result<(a: Aligned) => Aligned> {
  const bytes = fromBase64(base64);
  if (typeof bytes === 'number') return broken(t('character {0} is no base64', bytes));
  const word = (at: number): number => [3, 2, 1, 0].reduce((sum, i) => sum * 256 + (bytes[at + i] ?? 0), 0);
  const size = word(0);
  if (size === 0 || size % 4 || 4 + size > bytes.length)
    return broken(t('{0} bytes with a trie of {1}', bytes.length, size));
  const units = Uint32Array.from({ length: size / 4 }, (_, i) => word(4 + 4 * i));
  const map = { units, block: bytes.subarray(4 + size), found: new Map() };
  return ok((a) => normalize(a, map));
}

const broken = (found: string): Result<never> =>
  fail({ code: 'tokenizer-invalid', message: t('character map: {0}', found) });

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The decoded bytes, or the index of the first invalid character. */
function fromBase64(text: string): Uint8Array | number {
  const body = text.replace(/={0,2}$/, '');
  const values = new Map([...ALPHABET].map((c, i) => [c, i]));
  const bytes = new Uint8Array((body.length * 3) >> 2);
  let bits = 0;
  for (let i = 0, n = 0; i < body.length; i++) {
    const value = values.get(body.charAt(i));
    if (value === undefined) return i;
    bits = ((bits << 6) | value) & 0xffffff;
    if (i % 4 !== 0) bytes[n++] = (bits >> (6 - 2 * (i % 4))) & 255;
  }
  return bytes;
}

/**
 * As in Hugging Face's `precompiled.rs`, oddities included: a grapheme of fewer than six bytes is looked up as a whole, otherwise its
 * characters are; the first (shortest) string found replaces all of it.
 */
function normalize(a: Aligned, map: CharacterMap): Aligned {
  const changes: Change[] = [];
  let changed = false;
  const look = (part: string): boolean => {
    const becomes = lookUp(map, part);
    if (becomes === undefined) return false;
    addChanges(changes, part, becomes);
    changed = true;
    return true;
  };
  for (const segment of graphemes(a.text)) {
    if (toUtf8(segment, 0, segment.length, new Uint8Array(3 * segment.length)) < 6 && look(segment)) continue;
    for (const c of segment) if (!look(c)) changes.push([c, 0]);
  }
  return changed ? transform(a, changes) : a;
}

/** The graphemes of a text. V8's segmenter takes quadratic time, so it gets windows; the last grapheme of one may continue in the next. */
function* graphemes(text: string): Generator<string> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let size = 256;
  for (let at = 0; at < text.length;) {
    const segments = Array.from(segmenter.segment(text.slice(at, at + size)), ({ segment }) => segment);
    if (at + size < text.length) segments.pop();
    size = segments.length ? 256 : 2 * size;
    yield* segments;
    at += segments.reduce((sum, segment) => sum + segment.length, 0);
  }
}

/** Adds a replacement: extra characters are inserted; surplus characters are removed together with its last one. */
function addChanges(changes: Change[], part: string, becomes: string): void {
  const characters = [...becomes];
  const longer = characters.length - [...part].length;
  characters.forEach((c, i) => changes.push([c, i >= characters.length - longer ? 1 : 0]));
  const last = changes.at(-1);
  if (longer < 0 && last) changes[changes.length - 1] = [last[0], last[1] + longer];
}

function lookUp(map: CharacterMap, part: string): string | undefined {
  if (!map.found.has(part)) map.found.set(part, search(map, part));
  return map.found.get(part);
}

function search({ units, block }: CharacterMap, part: string): string | undefined {
  const key = new Uint8Array(3 * part.length);
  const length = toUtf8(part, 0, part.length, key);
  let node = offsetOf(units[0] ?? 0);
  for (let i = 0; i < length && key[i] !== 0; i++) {
    node ^= key[i] as number;
    const unit = units[node] ?? 0;
    if ((unit & 0x800000ff) >>> 0 !== key[i]) return undefined;
    node ^= offsetOf(unit);
    if (unit & 0x100) return stringAt(block, (units[node] ?? 0) & 0x7fffffff);
  }
  return undefined;
}

const offsetOf = (unit: number): number => (unit >>> 10) << ((unit & 0x200) >>> 6);

function stringAt(block: Uint8Array, start: number): string {
  const zero = block.indexOf(0, start);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(block.subarray(start, zero < 0 ? block.length : zero));
}
