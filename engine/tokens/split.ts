import type { Token } from '../text';

/** What belongs to an emoji before it: a sign of its style, a skin tone, a tag, another emoji that a joiner joins. */
const more = '(?:\\p{M}|\\p{Emoji_Modifier}|[\\u{E0020}-\\u{E007F}]|\\u200D\\p{Extended_Pictographic})*';
const emoji = `\\p{RI}{2}|\\p{Extended_Pictographic}${more}`;
const wordOrMark = new RegExp(
  `${emoji}|[\\p{L}\\p{M}\\p{N}_]+(?:['’][\\p{L}\\p{M}\\p{N}_]+)*|[^\\s\\p{L}\\p{M}\\p{N}_]`,
  'gu',
);
const character = new RegExp(`${emoji}|.`, 'gsu');

/**
 * Splits a text into words and punctuation marks, characters (an emoji of several parts is one), or UTF-8 bytes, with UTF-16 offsets. White space only separates words, but
 * counts as characters and bytes. Words keep inner apostrophes (`don't`) and their case. Ids number distinct tokens in order of first
 * appearance; the id of a byte is its value.
 */
export function splitText(text: string, tokenizer: 'words' | 'characters' | 'bytes'): Token[] {
  if (tokenizer === 'bytes') return bytes(text);
  const ids = new Map<string, number>();
  return Array.from(text.matchAll(tokenizer === 'words' ? wordOrMark : character), (match) => {
    const [piece] = match;
    const id = ids.get(piece) ?? ids.size;
    ids.set(piece, id);
    return { text: piece, id, start: match.index, end: match.index + piece.length };
  });
}

/** Each byte covers its whole character; bytes of a longer sequence are written `é:C3`. */
function bytes(text: string): Token[] {
  const encoder = new TextEncoder();
  const tokens: Token[] = [];
  let start = 0;
  for (const c of text) {
    const encoded = encoder.encode(c);
    const end = start + c.length;
    for (const id of encoded) {
      const name = encoded.length === 1 ? c : `${c}:${id.toString(16).toUpperCase()}`;
      tokens.push({ text: name, id, start, end });
    }
    start = end;
  }
  return tokens;
}
