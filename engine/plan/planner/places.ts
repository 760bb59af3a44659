import { t, counted, type Problem } from '../../text';
import { has, type Draft } from './draft';

/*
 * Positions count from 0 for queries and for keys. With more keys than queries that is right for cross-attention, and wrong for a decoder
 * whose cache holds the keys before: its first query stands at m − n. A causal mask can be aligned at the end, all else cannot.
 */

/** What is counted from query 0 = key 0 although a decoder would not, each at the field that counts so; none where n = m. */
export function placeNotes(draft: Draft): Problem[] {
  const [n, m] = [draft.tokens.length, draft.keyTokens.length];
  const { mask } = draft.spec;
  if (n === m || !has(draft, 'scaled')) return [];
  const ends = typeof mask === 'object' && mask.kind === 'causal' && mask.alignment === 'end';
  if (n > m && !ends) return [];
  return counts(draft, ends).map(([path, message]) => {
    const advice = n < m ? inDecoder(n, m) : t('The mask puts query 0 {0} before key 0.', n - m);
    return { code: 'positions', path, message: [message, advice].join(' ') };
  });
}

const inDecoder = (n: number, m: number): string =>
  t(
    'In a decoder with a cache query 0 stands at position {0}: explain the whole sequence and look at its last {1}.',
    m - n,
    counted(n, 'row'),
  );

/** The fields that place queries, each with what it does. Added positions are those of X, as encoder and decoder have them, unless the mask says otherwise. */
function counts(draft: Draft, ends: boolean): readonly (readonly [path: string, message: string])[] {
  const { mask } = draft.spec;
  const found: [string, string][] = [];
  if (has(draft, 'qRotations')) found.push(['positions', t('RoPE turns query 0 as key 0, both at position 0.')]);
  if (has(draft, 'alibi')) found.push(['positions', t('ALiBi measures distances with query 0 beside key 0.')]);
  if (has(draft, 'positions') && ends)
    found.push(['positions', t('Positions are added to X from 0 on, and none to the context.')]);
  if (typeof mask === 'object' && mask.kind === 'window')
    found.push(['mask', t('The window is measured with query 0 beside key 0.')]);
  return found;
}
