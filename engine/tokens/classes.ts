/** Bit flags of a code point, as the bundled encodings' patterns need them. */
export const LETTER = 1;
export const NUMBER = 2;
/** White_Space: with U+0085, without U+FEFF, unlike JavaScript's `\s`. */
export const SPACE = 4;
/** Lu, Lt, Lm, Lo, M: the first characters of a word in o200k_base. */
export const UPPER = 8;
/** Ll, Lm, Lo, M: the further characters of a word in o200k_base. */
export const LOWER = 16;
const KNOWN = 128;

/** The classes of ASCII, precomputed: most text is ASCII, and this saves two look-ups for each character. */
export const asciiClasses = Uint8Array.from({ length: 128 }, (_, c) => {
  if (c >= 0x61 && c <= 0x7a) return LETTER | LOWER;
  if (c >= 0x41 && c <= 0x5a) return LETTER | UPPER;
  if (c >= 0x30 && c <= 0x39) return NUMBER;
  return c === 0x20 || (c >= 0x09 && c <= 0x0d) ? SPACE : 0;
});

/** Cache of one megabyte, made when a text is first tokenized and filled as code points occur. */
let table: Uint8Array | undefined;

/** The class of the character at `i`, from the JavaScript engine's Unicode tables; 0 for a lone surrogate. */
export function classAt(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (unit < 128) return asciiClasses[unit] as number;
  const c = (unit & 0xf800) === 0xd800 ? (text.codePointAt(i) ?? 0) : unit;
  const bits = (table ??= new Uint8Array(0x110000))[c] as number;
  return bits === 0 ? classify(c, table) : bits & ~KNOWN;
}

function classify(codePoint: number, known: Uint8Array): number {
  const c = String.fromCodePoint(codePoint);
  const bits =
    (/\p{L}/u.test(c) ? LETTER : 0) |
    (/\p{N}/u.test(c) ? NUMBER : 0) |
    (/\p{White_Space}/u.test(c) ? SPACE : 0) |
    (/[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]/u.test(c) ? UPPER : 0) |
    (/[\p{Ll}\p{Lm}\p{Lo}\p{M}]/u.test(c) ? LOWER : 0);
  known[codePoint] = bits | KNOWN;
  return bits;
}

/** Number of UTF-16 units of the character at `i`. */
export function unitsAt(text: string, i: number): number {
  return (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
