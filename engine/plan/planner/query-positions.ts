import { t, type Problem } from '../../text';
import type { Correction } from '../plan';
import { hasStep, type Draft } from './draft';

/*
 * Without `positionIds` queries and keys both count from 0. With m keys and n < m queries that is right for cross-attention but not for a decoder
 * with a key cache, whose first query is at position m − n: such a spec keeps its numbers, and a note offers the offset.
 */

/** A note for each field that places query 0 beside key 0, unlike a decoder with a cache; none where n = m, or where the spec says where queries stand. */
export function queryPositionNotes(draft: Draft): { readonly note: Problem; readonly correction?: Correction }[] {
  const [n, m] = [draft.tokens.length, draft.keyTokens.length];
  const { mask, positionIds } = draft.spec;
  if (n === m || !hasStep(draft, 'scaled') || positionIds?.offset !== undefined) return [];
  const ends = typeof mask === 'object' && mask.kind === 'causal' && mask.alignment === 'end';
  if (n > m && !ends) return [];
  return fieldsPlacingQueries(draft, ends).map(([path, message]) => {
    if (n > m) return { note: noteOf(path, message, t('The mask puts query 0 {0} before key 0.', n - m)) };
    const note = noteOf(path, message, t('In a decoder with a cache query 0 stands at position {0}.', m - n));
    const change = { positionIds: { ...positionIds, offset: m - n } };
    return { note, correction: { message: note.message, action: t('Count queries from {0}', m - n), change } };
  });
}

const noteOf = (path: string, message: string, advice: string): Problem => ({
  code: 'positions',
  path,
  message: [message, advice].join(' '),
  hint: t('positionIds.offset says where query 0 stands.'),
});

/** The fields that place queries, each with its message. Positions added to X are noted only with a causal mask aligned to the end. */
function fieldsPlacingQueries(draft: Draft, ends: boolean): readonly (readonly [path: string, message: string])[] {
  const { mask, positionIds } = draft.spec;
  const found: [string, string][] = [];
  const listed = positionIds?.queries !== undefined;
  if (!listed && hasStep(draft, 'qRotations'))
    found.push(['positions', t('RoPE turns query 0 as key 0, both at position 0.')]);
  if (!listed && hasStep(draft, 'alibi'))
    found.push(['positions', t('ALiBi measures distances with query 0 beside key 0.')]);
  if (!listed && hasStep(draft, 'buckets'))
    found.push(['relativeBias', t('T5’s bias measures distances with query 0 beside key 0.')]);
  if (!listed && hasStep(draft, 'positions') && ends)
    found.push(['positions', t('Positions are added to X from 0 on, and none to the context.')]);
  if (typeof mask === 'object' && mask.kind === 'window')
    found.push(['mask', t('The window is measured with query 0 beside key 0.')]);
  return found;
}
