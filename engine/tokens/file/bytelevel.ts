import { readable, toUtf8 } from '../utf8';
import { mapCharacters, type Aligned } from './aligned';

/**
 * GPT-2's way to write bytes as visible characters (`bytes_to_unicode`): printable Latin-1 stands for itself, the other 68
 * bytes for U+0100 and on, so that a blank is `Ġ`.
 */
let characterOf: readonly string[] | undefined;
let byteOf: ReadonlyMap<string, number> | undefined;

const stands = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;

function byteCharacters(): readonly string[] {
  let next = 0x100;
  characterOf ??= Array.from({ length: 256 }, (_, b) => String.fromCharCode(stands(b) ? b : next++));
  return characterOf;
}

/** Each character as those that stand for its bytes. */
export function bytesAsCharacters(a: Aligned): Aligned {
  const table = byteCharacters();
  const ascii = visible(a.text, table);
  if (ascii !== undefined) return ascii === a.text ? a : { ...a, text: ascii };
  const bytes = new Uint8Array(6);
  return mapCharacters(a, (c) => {
    const length = toUtf8(c, 0, c.length, bytes);
    let out = '';
    for (let i = 0; i < length; i++) out += table[bytes[i] as number] as string;
    return out;
  });
}

/** ASCII, each byte of which is one character: only blanks and controls are written otherwise. Undefined for other text. */
function visible(text: string, table: readonly string[]): string | undefined {
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

/** What characters that stand for bytes say, or themselves where one does not stand for a byte. */
export function charactersAsText(written: string): string {
  const ascii = plain(written);
  if (ascii !== undefined) return ascii;
  byteOf ??= new Map(byteCharacters().map((c, byte) => [c, byte]));
  const bytes = new Uint8Array(written.length);
  for (let i = 0; i < written.length; i++) {
    const byte = byteOf.get(written.charAt(i));
    if (byte === undefined) return written;
    bytes[i] = byte;
  }
  return readable(bytes, 0, bytes.length);
}

/** `Ġnew`: visible ASCII, after a blank or not, as most tokens are; undefined for others. */
function plain(written: string): string | undefined {
  const blank = written.charCodeAt(0) === BLANK;
  for (let i = blank ? 1 : 0; i < written.length; i++) {
    const unit = written.charCodeAt(i);
    if (unit <= 0x20 || unit >= 0x7f) return undefined;
  }
  return blank ? ` ${written.slice(1)}` : written;
}

/** `Ġ` */
const BLANK = 0x120;
