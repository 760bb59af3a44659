import type { Token } from '../../engine/index';

/** How many tokens are marked: each is a button. */
const mostMarked = 2000;

/** A piece of the text: tokens that lie on it, or none between tokens. Several tokens share a character that bytes cut apart. */
export interface TextPart {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly special?: true;
}

/**
 * The text cut at the tokens' places, in order. Signs of the tokenizer's own stand where they were added. Without a place
 * (`start`) a token is left out: it has no text.
 */
export function textPartsOf(text: string, tokens: readonly Token[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  tokens.slice(0, mostMarked).forEach((token, at) => {
    const { start: from = end, end: to = from, special } = token;
    const last = parts.at(-1);
    if (special && from === to) return void parts.push({ text: token.text, tokens: [at], special });
    // A byte of the character before, or of the same one.
    if (last?.tokens.length && !last.special && to <= end) {
      return void parts.splice(-1, 1, { ...last, tokens: [...last.tokens, at] });
    }
    if (from > end) parts.push({ text: text.slice(end, from), tokens: [] });
    const begin = Math.max(from, end);
    end = Math.max(end, to);
    parts.push({ text: text.slice(begin, end), tokens: [at], ...(special ? { special } : {}) });
  });
  if (end < text.length) parts.push({ text: text.slice(end), tokens: [] });
  return parts;
}
