import { t, counted, type Problem } from '../../text';
import { hasStep, type Draft } from './draft';

/*
 * Positions count from 0 for queries and for keys. With m keys and n < m queries that is right for cross-attention but not for a decoder
 * with a key cache, whose first query is at position m − n. Only a causal mask can be aligned to the end.
 */

/** A note for each field that places query 0 beside key 0, unlike a decoder with a cache; none where n = m. */
export function queryPositionNotes(draft: Draft): Problem[] {
  const [n, m] = [draft.tokens.length, draft.keyTokens.length];
  const { mask } = draft.spec;
  if (n === m || !hasStep(draft, 'scaled')) return [];
  const ends = typeof mask === 'object' && mask.kind === 'causal' && mask.alignment === 'end';
  if (n > m && !ends) return [];
  return fieldsPlacingQueries(draft, ends).map(([path, message]) => {
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

/** The fields that place queries, each with its message. Positions added to X are noted only with a causal mask aligned to the end. */
function fieldsPlacingQueries(draft: Draft, ends: boolean): readonly (readonly [path: string, message: string])[] {
  const { mask } = draft.spec;
  const found: [string, string][] = [];
  if (hasStep(draft, 'qRotations')) found.push(['positions', t('RoPE turns query 0 as key 0, both at position 0.')]);
  if (hasStep(draft, 'alibi')) found.push(['positions', t('ALiBi measures distances with query 0 beside key 0.')]);
  if (hasStep(draft, 'positions') && ends)
    found.push(['positions', t('Positions are added to X from 0 on, and none to the context.')]);
  if (typeof mask === 'object' && mask.kind === 'window')
    found.push(['mask', t('The window is measured with query 0 beside key 0.')]);
  return found;
}
