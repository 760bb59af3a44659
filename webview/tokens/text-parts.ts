import type { Token } from '../../engine/index';

/** Most tokens that are marked, as each is a button. */
const maxMarked = 2000;

/** A part of the text with the tokens that cover it; none between tokens. Several tokens share a character whose bytes they split. */
export interface TextPart {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly special?: true;
}

/**
 * Splits the text at the tokens' ranges, in order. Special tokens that the tokenizer added appear where they were added. A token without a range
 * (`start`) adds nothing to the text.
 */
export function textPartsOf(text: string, tokens: readonly Token[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  tokens.slice(0, maxMarked).forEach((token, at) => {
    const { start: from = end, end: to = from, special } = token;
    const last = parts.at(-1);
    if (special && from === to) return void parts.push({ text: token.text, tokens: [at], special });
    // This token holds further bytes of the same character.
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
