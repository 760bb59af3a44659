import { transform, type Aligned, type Change } from './aligned';

/** Tests on single characters, with the JavaScript engine's Unicode tables. */
export const isSpace = (c: string): boolean => /\p{White_Space}/u.test(c);
export const isNumber = (c: string): boolean => /\p{N}/u.test(c);
/** ASCII punctuation and symbols, and all other Unicode punctuation. */
export const isPunctuation = (c: string): boolean => /[\p{P}!-/:-@[-`{-~]/u.test(c);
/** Word characters as defined by Rust's `regex`. */
export const wordCharacters = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';

/** The blocks that BERT treats as Chinese characters, as in the Rust program. */
export const isChinese = (c: string): boolean =>
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u.test(
    c,
  );

export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * A Unicode normal form, with the ranges of Hugging Face's `unicode-normalization-alignments`: the first part of a decomposition replaces its
 * character and the others are inserted; a composition covers all its characters.
 */
export function normalForm(a: Aligned, form: NormalForm): Aligned {
  const text = a.text.normalize(form);
  if (text === a.text) return a;
  const parts = decompositions(a.text, form === 'NFC' || form === 'NFD' ? 'NFD' : 'NFKD');
  const composed = form === 'NFC' || form === 'NFKC';
  return transform(a, changes(text, parts, composed));
}

/**
 * For each character in the decomposed text, in order of occurrence: whether it is the first of its source character (0) or inserted (1).
 * Queues by character suffice, as sorting by combining class keeps the order of equal characters.
 */
function decompositions(text: string, form: 'NFD' | 'NFKD'): Map<string, { changes: number[]; next: number }> {
  const queues = new Map<string, { changes: number[]; next: number }>();
  for (const c of text) {
    let change = 0;
    for (const part of c < '\u0080' ? c : c.normalize(form)) {
      const queue = queues.get(part);
      if (queue) queue.changes.push(change);
      else queues.set(part, { changes: [change], next: 0 });
      change = 1;
    }
  }
  return queues;
}

function* changes(
  text: string,
  parts: Map<string, { changes: number[]; next: number }>,
  composed: boolean,
): Generator<Change> {
  const take = (part: string): number => {
    const queue = parts.get(part);
    return queue?.changes[queue.next++] ?? 0;
  };
  for (const c of text) {
    let change = 0;
    let first = true;
    for (const part of composed && c >= '\u0080' ? c.normalize('NFD') : c) {
      change += first ? take(part) : take(part) - 1;
      first = false;
    }
    yield [c, change];
  }
}
