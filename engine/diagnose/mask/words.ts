/** A mask in words, and as a picture of signs. */
import { t } from '../../text';
import type { Pattern, Sees, Shown } from './pattern';

export function patternWords(pattern: Pattern): string {
  switch (pattern.is) {
    case 'all':
      return t('It hides nothing: each query sees every key.');
    case 'none':
      return t('It hides everything: no query sees a key.');
    case 'causal':
      return t('Causal: each query sees its own key and those before it.');
    case 'before':
      return t('Each query sees the keys before its own, and not its own: one off from causal.');
    case 'next':
      return t('Each query sees the key after its own too: one off from causal.');
    case 'future':
      return t('Each query sees its own key and those after it: causal, the other way round.');
    case 'after':
      return t('Each query sees only the keys after its own: the reverse of causal.');
    case 'diagonal':
      return t('Each query sees its own key alone.');
    case 'window':
      return pattern.after === 0
        ? t('A causal window: each query sees its own key and {0} before it.', pattern.before)
        : t('A window: each query sees its own key, {0} before and {1} after it.', pattern.before, pattern.after);
    case 'padding':
      return paddingWords(pattern);
    case 'causal padding':
      return t('Causal, and {0} of the keys are seen by any query: the others are padding.', pattern.seen);
    case 'prefix':
      return t('A prefix: every query sees the first {0} keys, and later ones up to its own.', pattern.length);
    case 'causal cached':
      return pattern.corner === 'last'
        ? t('Causal after {0} tokens of a cache: each query sees these, and the keys up to its own.', pattern.past)
        : t('Causal from the first key: with {0} more keys than queries, a cache’s queries would be the last tokens, not the first.', pattern.past); // prettier-ignore
    case 'blocks':
      return t('Texts behind each other, each sees itself alone: {0} tokens.', pattern.sizes.join(' + '));
    default:
      return t('No pattern that has a name.');
  }
}

function paddingWords({ seen, end }: Extract<Pattern, { is: 'padding' }>): string {
  if (end === 'first') return t('The same for each query: the first {0} keys are seen, the others are padding.', seen);
  if (end === 'last') return t('The same for each query: the last {0} keys are seen, padding stands before them.', seen);
  return t('The same for each query: {0} keys are seen.', seen);
} // prettier-ignore

/** What is odd about what a mask shows; none of it is a fault by itself. */
export function oddWords({ blind, pattern }: Shown, n: number): readonly string[] {
  if (blind.length === 0 || pattern.is === 'none') return [];
  const [first = 0] = blind;
  return [
    blind.length === 1
      ? t('Query {0} sees no key: softmax gives nan, or weights to hidden keys.', first)
      : t('{0} of {1} queries see no key, the first is {2}: softmax gives nan, or weights to hidden keys.', blind.length, n, first), // prettier-ignore
  ];
}

/** Queries down, keys across: ■ sees, · does not. Names are cut to one width. */
export function pictureOf(n: number, m: number, sees: Sees, tokens: readonly string[] = []): string {
  const name = (i: number): string => (tokens[i] ?? String(i)).slice(0, 8);
  const width = Math.max(...Array.from({ length: n }, (_, i) => name(i).length));
  const last = (i: number): string => String(i % 10);
  const head = `${' '.repeat(width)} ${Array.from({ length: m }, (_, j) => last(j)).join(' ')}`;
  const rows = Array.from({ length: n }, (_, i) => `${name(i).padEnd(width)} ${Array.from({ length: m }, (_, j) => (sees(i, j) ? '■' : '·')).join(' ')}`); // prettier-ignore
  return [head, ...rows].join('\n');
}

export const sizeWords = (n: number, m: number, hidden: number): string =>
  t('{0}×{1}, {2} of {3} cells hidden', n, m, hidden, n * m);

/** Pictures in one, from left to right. */
export function sideBySide(pictures: readonly string[]): string {
  const all = pictures.map((picture) => picture.split('\n'));
  const height = Math.max(...all.map((lines) => lines.length));
  const widths = all.map((lines) => Math.max(...lines.map((line) => line.length)));
  const row = (at: number): string => all.map((lines, i) => (lines[at] ?? '').padEnd(widths[i] ?? 0)).join('    ').trimEnd(); // prettier-ignore
  return Array.from({ length: height }, (_, at) => row(at)).join('\n');
}
