import { readableText, toUtf8 } from '../utf8';
import { mapCharacters, type Aligned } from './aligned';

/**
 * GPT-2's encoding of bytes as visible characters (`bytes_to_unicode`): printable Latin-1 bytes map to themselves, the other 68 to U+0100
 * and following, so that a blank is `Ġ`.
 */
let characterOf: readonly string[] | undefined;
let byteOf: ReadonlyMap<string, number> | undefined;

const isPrintable = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;

function byteCharacters(): readonly string[] {
  let next = 0x100;
  characterOf ??= Array.from({ length: 256 }, (_, b) => String.fromCharCode(isPrintable(b) ? b : next++));
  return characterOf;
}

/** Replaces each character by the visible characters of its UTF-8 bytes. */
export function bytesAsCharacters(a: Aligned): Aligned {
  const table = byteCharacters();
  const ascii = asciiAsCharacters(a.text, table);
  if (ascii !== undefined) return ascii === a.text ? a : { ...a, text: ascii };
  const bytes = new Uint8Array(6);
  return mapCharacters(a, (c) => {
    const length = toUtf8(c, 0, c.length, bytes);
    let out = '';
    for (let i = 0; i < length; i++) out += table[bytes[i] as number] as string;
    return out;
  });
}

/** Fast path for ASCII, where each byte is one character and only blanks and controls change. Undefined for other text. */
function asciiAsCharacters(text: string, table: readonly string[]): string | undefined {
  let out = '';
  let done = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return undefined;
    if (unit > 0x20 && unit < 0x7f) continue;
    out += text.slice(done, i) + (table[unit] as string);
    done = i + 1;
  }
  return done === 0 ? text : out + text.slice(done);
}

/** The text that visible characters encode; characters that encode no byte stay. */
export function charactersAsText(written: string): string {
  const ascii = asciiAsText(written);
  if (ascii !== undefined) return ascii;
  byteOf ??= new Map(byteCharacters().map((c, byte) => [c, byte]));
  const bytes = new Uint8Array(written.length);
  for (let i = 0; i < written.length; i++) {
    const byte = byteOf.get(written.charAt(i));
    if (byte === undefined) return written;
    bytes[i] = byte;
  }
  return readableText(bytes, 0, bytes.length);
}

/** Fast path: visible ASCII with at most one leading `Ġ`, as most tokens are. Undefined for others. */
function asciiAsText(written: string): string | undefined {
  const blank = written.charCodeAt(0) === BLANK;
  for (let i = blank ? 1 : 0; i < written.length; i++) {
    const unit = written.charCodeAt(i);
    if (unit <= 0x20 || unit >= 0x7f) return undefined;
  }
  return blank ? ` ${written.slice(1)}` : written;
}

/** `Ġ` */
const BLANK = 0x120;
