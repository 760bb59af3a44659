import type { RowPositions } from '../../math';
import { listsOf, type AttentionSpec } from '../../spec';
import type { Draft } from './draft';

/* Where queries and keys stand: from 0 on, from an offset on, or where the spec lists them. */

export interface Places {
  /** Undefined where they count from 0. */
  readonly queries?: RowPositions;
  readonly keys?: RowPositions;
  /** How far query 0 stands behind key 0 in the sequence: what masks count by. */
  readonly ahead: number;
}

/** Whether queries and keys are the same tokens, so that one list of positions is that of both. */
const areSame = ({ start }: AttentionSpec): boolean =>
  start.from === 'text' || start.from === 'ids' || (start.from === 'x' && !start.context);

export function placesOf({ spec, decoded }: Pick<Draft, 'spec' | 'decoded'>): Places {
  const { offset = 0, queries: given, keys: givenKeys } = spec.positionIds ?? {};
  const same = areSame(spec);
  const queries = given ? listsOf(given) : offset;
  const keys = givenKeys ? listsOf(givenKeys) : same ? queries : 0;
  const [first, behind] = decoded === undefined ? [0, undefined] : [decoded, decoded + 1];
  const ahead = first + (same ? 0 : offset);
  return { ...said('queries', queries, first, behind), ...said('keys', keys, 0, behind), ahead };
}

/** Positions of the rows from `first` to `behind`; nothing where they count from 0. */
function said(name: 'queries' | 'keys', of: RowPositions, first: number, behind?: number): Partial<Places> {
  const at = typeof of === 'number' ? of + first : of.map((list) => list.slice(first, behind));
  return at === 0 ? {} : { [name]: at };
}
