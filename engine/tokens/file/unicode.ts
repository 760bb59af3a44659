import { transform, type Aligned, type Change } from './aligned';

/** Tests on single characters, with the JavaScript engine's Unicode tables. */
export const isSpace = (c: string): boolean => /\p{White_Space}/u.test(c);
export const isNumber = (c: string): boolean => /\p{N}/u.test(c);
/** ASCII punctuation and symbols, and every other punctuation. */
export const isPunctuation = (c: string): boolean => /[\p{P}!-/:-@[-`{-~]/u.test(c);
/** Word characters as Rust's `regex` has them. */
export const wordCharacters = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';

/** The blocks that BERT takes as Chinese characters, as the Rust program has them. */
export const isChinese = (c: string): boolean =>
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u.test(
    c,
  );

export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * A Unicode normal form, with the ranges that Hugging Face's `unicode-normalization-alignments` gives: the first part of a
 * decomposition replaces its character and the others are inserted; a composition counts what it is made of.
 */
export function normalForm(a: Aligned, form: NormalForm): Aligned {
  const text = a.text.normalize(form);
  if (text === a.text) return a;
  const parts = decompositions(a.text, form === 'NFC' || form === 'NFD' ? 'NFD' : 'NFKD');
  const composed = form === 'NFC' || form === 'NFKC';
  return transform(a, changes(text, parts, composed));
}

/**
 * For each character that the text decomposes to: whether it is the first of its character (0) or inserted (1), in order.
 * Sorting by combining class never changes the order of equal characters, so these queues need not know about it.
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
