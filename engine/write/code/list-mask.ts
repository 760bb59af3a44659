import { tuple } from '../../operations';
import type { CallOf } from '../../plan';
import type { Dialect, Line } from './dialect';

/** A mask by numbers for keys and queries: a list serves all inputs, or each input of a batch has one. */
export function listMaskCode({ hides, keys, queries }: CallOf<'listMask'>, { step }: Line, dialect: Dialect): string {
  const { shape } = step;
  const lead = ['', '', '', ':, ', ':, None, '][shape.length] ?? '';
  const numbers = (lists: readonly (readonly number[])[]): string => {
    const rows = lists.map((list) => `[${list.join(', ')}]`);
    return dialect.integers(lead === '' ? (rows[0] ?? '[]') : `[${rows.join(', ')}]`);
  };
  const along = `[${lead}None, :]`;
  const truth =
    hides === 'unequal'
      ? `${numbers(queries ?? [])}[${lead}:, None] != ${numbers(keys)}${along}`
      : `${numbers(keys)}${along} == ${hides === 'zero' ? 0 : 1}`;
  return `${dialect.module}.broadcast_to(${truth}, (${tuple(shape)}))`;
}
