import type { Token } from '../plan';

const wordOrMark = /[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}\p{N}_]+)*|[^\s\p{L}\p{M}\p{N}_]/gu;
const character = /[^\s]/gu;

/**
 * Words and punctuation marks, or characters, with their UTF-16 offsets. White space separates and is no token; a
 * word keeps inner apostrophes (`don't`); case is kept. Ids number the distinct tokens in order of first appearance.
 */
export function splitText(text: string, tokenizer: 'words' | 'characters'): Token[] {
  const ids = new Map<string, number>();
  return Array.from(text.matchAll(tokenizer === 'words' ? wordOrMark : character), (match) => {
    const [piece] = match;
    const id = ids.get(piece) ?? ids.size;
    ids.set(piece, id);
    return { text: piece, id, start: match.index, end: match.index + piece.length };
  });
}
