import { positionAt } from '../math';
import type { CallOf } from '../plan';

/** 1 where numbers for keys (and queries) hide the key from the query; `input`: of the batch. */
export function hiddenByLists({ hides, keys, queries }: CallOf<'listMask'>, query: number, key: number, input: number): 0 | 1 {
  const of = positionAt(keys, key, input);
  if (hides === 'unequal') return of === positionAt(queries, query, input) ? 0 : 1;
  return of === (hides === 'zero' ? 0 : 1) ? 1 : 0;
} // prettier-ignore
