import { template, textKey } from './l10n';

/** How many of a thing, as it is read: each noun is two messages, one for 1, so that a language can decline it. */
const nouns = {
  attention: [textKey('{0} attention'), textKey('{0} attentions')],
  block: [textKey('{0} block'), textKey('{0} blocks')],
  bracket: [textKey('{0} bracket'), textKey('{0} brackets')],
  byte: [textKey('{0} byte'), textKey('{0} bytes')],
  column: [textKey('{0} column'), textKey('{0} columns')],
  dimension: [textKey('{0} dimension'), textKey('{0} dimensions')],
  'distinct token': [textKey('{0} distinct token'), textKey('{0} distinct tokens')],
  head: [textKey('{0} head'), textKey('{0} heads')],
  'infinite value': [textKey('{0} infinite value'), textKey('{0} infinite values')],
  key: [textKey('{0} key'), textKey('{0} keys')],
  label: [textKey('{0} label'), textKey('{0} labels')],
  name: [textKey('{0} name'), textKey('{0} names')],
  number: [textKey('{0} number'), textKey('{0} numbers')],
  product: [textKey('{0} product'), textKey('{0} products')],
  'query head': [textKey('{0} query head'), textKey('{0} query heads')],
  question: [textKey('{0} question'), textKey('{0} questions')],
  row: [textKey('{0} row'), textKey('{0} rows')],
  token: [textKey('{0} token'), textKey('{0} tokens')],
  'value column': [textKey('{0} value column'), textKey('{0} value columns')],
  'value row': [textKey('{0} value row'), textKey('{0} value rows')],
} as const;

export type Noun = keyof typeof nouns;

const keyOf = (n: number, noun: Noun): string => nouns[noun][n === 1 ? 0 : 1];

/** `1 row`, `3 rows`, in the reader's language. */
export const counted = (n: number, noun: Noun): string => template(keyOf(n, noun)).replace('{0}', String(n));

/** The same with the place of the number still open, in the `form` that a sentence asks for. */
export const countTemplate = (n: number, noun: Noun, form?: string): string => template(keyOf(n, noun), form);
