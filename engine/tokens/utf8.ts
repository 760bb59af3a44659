/** Writes UTF-8 of `text[start … end − 1]` into `bytes`, which must have three bytes for each unit; returns the length. A lone surrogate becomes U+FFFD. */
export function toUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  let n = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[n++] = unit;
      continue;
    }
    const c = unit >= 0xd800 && unit <= 0xdfff ? surrogate(text, i, end) : unit;
    if (c > 0xffff) i++;
    const length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (let j = length - 1, rest = c; j > 0; j--, rest >>= 6) bytes[n + j] = 0x80 | (rest & 63);
    bytes[n] = length === 2 ? 0xc0 | (c >> 6) : length === 3 ? 0xe0 | (c >> 12) : 0xf0 | (c >> 18);
    n += length;
  }
  return n;
}

/** The code point whose first unit is at `i`; U+FFFD for a lone surrogate. */
function surrogate(text: string, i: number, end: number): number {
  const c = i + 1 < end ? (text.codePointAt(i) ?? 0) : 0;
  return c > 0xffff ? c : 0xfffd;
}

/** Length in bytes of the character that begins with this byte; 0 if none can. */
export const sequenceLength = (byte: number): number =>
  byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;

/** Bytes `from` to `to` of well-formed UTF-8 as text; bytes of incomplete characters as `\xE2\x82`. */
export function readableText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to;) {
    const length = sequenceLength(bytes[i] as number);
    if (length > 0 && i + length <= to) {
      text += String.fromCodePoint(decoded(bytes, i, length));
      i += length;
    } else {
      text += `\\x${(bytes[i] as number).toString(16).toUpperCase().padStart(2, '0')}`;
      i++;
    }
  }
  return text;
}

function decoded(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] as number;
  let c = length === 1 ? first : first & (0x7f >> length);
  for (let i = 1; i < length; i++) c = (c << 6) | ((bytes[at + i] as number) & 63);
  return c;
}
