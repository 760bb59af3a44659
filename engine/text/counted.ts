import { t } from './l10n';

/** How many of a thing, as it is read: each noun is two messages, so that a language can decline it. */
const nouns = {
  block: (n: number): string => (n === 1 ? t('1 block') : t('{0} blocks', n)),
  bracket: (n: number): string => (n === 1 ? t('1 bracket') : t('{0} brackets', n)),
  byte: (n: number): string => (n === 1 ? t('1 byte') : t('{0} bytes', n)),
  column: (n: number): string => (n === 1 ? t('1 column') : t('{0} columns', n)),
  dimension: (n: number): string => (n === 1 ? t('1 dimension') : t('{0} dimensions', n)),
  'distinct token': (n: number): string => (n === 1 ? t('1 distinct token') : t('{0} distinct tokens', n)),
  head: (n: number): string => (n === 1 ? t('1 head') : t('{0} heads', n)),
  'infinite value': (n: number): string => (n === 1 ? t('1 infinite value') : t('{0} infinite values', n)),
  key: (n: number): string => (n === 1 ? t('1 key') : t('{0} keys', n)),
  label: (n: number): string => (n === 1 ? t('1 label') : t('{0} labels', n)),
  name: (n: number): string => (n === 1 ? t('1 name') : t('{0} names', n)),
  number: (n: number): string => (n === 1 ? t('1 number') : t('{0} numbers', n)),
  product: (n: number): string => (n === 1 ? t('1 product') : t('{0} products', n)),
  'query head': (n: number): string => (n === 1 ? t('1 query head') : t('{0} query heads', n)),
  question: (n: number): string => (n === 1 ? t('1 question') : t('{0} questions', n)),
  row: (n: number): string => (n === 1 ? t('1 row') : t('{0} rows', n)),
  token: (n: number): string => (n === 1 ? t('1 token') : t('{0} tokens', n)),
  'value row': (n: number): string => (n === 1 ? t('1 value row') : t('{0} value rows', n)),
} as const;

export type Noun = keyof typeof nouns;

/** `1 row`, `3 rows`, in the reader's language. */
export const counted = (n: number, noun: Noun): string => nouns[noun](n);
