import type { Token } from '../../engine/index';

/** How many tokens are marked: each is a button. */
const mostMarked = 2000;

/** A piece of the text: tokens that lie on it, or none between tokens. Several tokens share a character that bytes cut apart. */
export interface Stretch {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly special?: true;
}

/**
 * The text cut at the tokens' places, in order. Signs of the tokenizer's own stand where they were added. Without a place
 * (`start`) a token is left out: it has no text.
 */
export function stretchesOf(text: string, tokens: readonly Token[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  tokens.slice(0, mostMarked).forEach((token, at) => {
    const { start: from = end, end: to = from, special } = token;
    const last = stretches.at(-1);
    if (special && from === to) return void stretches.push({ text: token.text, tokens: [at], special });
    // A byte of the character before, or of the same one.
    if (last?.tokens.length && !last.special && to <= end) {
      return void stretches.splice(-1, 1, { ...last, tokens: [...last.tokens, at] });
    }
    if (from > end) stretches.push({ text: text.slice(end, from), tokens: [] });
    const begin = Math.max(from, end);
    end = Math.max(end, to);
    stretches.push({ text: text.slice(begin, end), tokens: [at], ...(special ? { special } : {}) });
  });
  if (end < text.length) stretches.push({ text: text.slice(end), tokens: [] });
  return stretches;
}
