import type { AttentionSpec, SpecHeads } from './spec';
import { tokensOf, usesVocabulary } from './pieces';

export type Dims = readonly number[];
export type Nested = SpecHeads | readonly unknown[];

/** Shape of nested arrays by their first elements; `checkSpec` has seen that the others agree. */
export function dimsOf(nested: Nested): number[] {
  const dims: number[] = [];
  for (let at: unknown = nested; Array.isArray(at); at = at[0]) dims.push(at.length);
  return dims;
}

const rows = (nested: Nested): number => dimsOf(nested).at(-2) ?? 0;

/** Rows of Q and of K, for starts that are matrices. */
export function rowCounts(start: Exclude<AttentionSpec['start'], { from: 'text' | 'ids' }>): {
  queries: number;
  keys: number;
} {
  if (start.from === 'x') return { queries: rows(start.x), keys: rows(start.context ?? start.x) };
  if (start.from === 'qkv') return { queries: rows(start.q), keys: rows(start.k) };
  if (start.from === 'program') return start.tokens;
  const dims = dimsOf(start.from === 'scores' ? start.scores : start.weights);
  return { queries: dims.at(-2) ?? 0, keys: dims.at(-1) ?? 0 };
}

/** Tokens of a text; undefined for other starts, and while a vocabulary is still to decide them. */
export function textRows(start: AttentionSpec['start']): number | undefined {
  return start.from === 'text' && !(usesVocabulary(start) && !start.pieces) ? tokensOf(start).length : undefined;
}

/** [batch×][heads×]n×m as far as it can be told without a vocabulary. */
export function scoresDims({ start, heads }: AttentionSpec): Dims {
  const perHead = heads > 1 ? [heads] : [];
  if (start.from === 'x') return [...leadOf(start.x), ...perHead, ...gridOf(start)];
  if (start.from === 'qkv') {
    const leads = [leadOf(start.q), leadOf(start.k)];
    const batch = leads.find(({ length }) => length > 1)?.slice(0, 1) ?? [];
    return [...batch, ...(leads.some(({ length }) => length > 0) ? [heads] : perHead), ...gridOf(start)];
  }
  if (start.from === 'ids') return [...perHead, start.ids.length, start.ids.length];
  const tokens = textRows(start);
  if (tokens !== undefined) return [...perHead, tokens, tokens];
  return start.from === 'scores' ? dimsOf(start.scores) : [];
}

const leadOf = (nested: Nested): Dims => dimsOf(nested).slice(0, -2);

function gridOf(start: Parameters<typeof rowCounts>[0]): Dims {
  const { queries, keys } = rowCounts(start);
  return [queries, keys];
}
