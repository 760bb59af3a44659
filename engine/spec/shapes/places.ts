import { counted, t, type Problem } from '../../text';
import { dimsOf, rowCounts, scoresDims, textRows } from '../dims';
import { decodes, isRow, listsOf, placeLimit } from '../fields';
import { checkLimit, mostProblems, wholeFrom } from '../limits';
import type { AttentionSpec } from '../spec';

/* Positions, and the step of a decoder, against the rows that there are. */

/** Rows of queries and of keys; undefined while a vocabulary is still to decide them. */
export function rowsOf({ start }: AttentionSpec): { readonly queries: number; readonly keys: number } | undefined {
  if (start.from === 'text' || start.from === 'ids') {
    const count = start.from === 'ids' ? start.ids.length : textRows(start);
    return count === undefined ? undefined : { queries: count, keys: count };
  }
  return rowCounts(start);
}

/** Inputs of a batch, 1 without one. */
export function batchOf(spec: AttentionSpec): number {
  const dims = spec.start.from === 'weights' ? dimsOf(spec.start.weights) : scoresDims(spec as AttentionSpec);
  const perHead = dims.length > 3 || spec.heads > 1;
  return dims.length > (perHead ? 3 : 2) ? (dims[0] ?? 1) : 1;
}

export function checkPositions(spec: AttentionSpec, problems: Problem[]): void {
  const { positionIds, start } = spec;
  if (!positionIds || start.from === 'program') return;
  checkLimit(problems, 'positionIds.offset', positionIds.offset ?? 0, placeLimit);
  const rows = rowsOf(spec);
  for (const side of ['queries', 'keys'] as const) {
    const given = positionIds[side];
    if (!given) continue;
    const [path, lists] = [`positionIds.${side}`, listsOf(given)];
    const inputs = batchOf(spec);
    if (lists.length !== 1 && lists.length !== inputs) {
      const message = t('{0}: lists for inputs of a batch: {1}, expected 1 or {2}', path, lists.length, inputs);
      problems.push({ code: 'shape-mismatch', path, message, hint: t('One list serves all inputs of a batch.') });
    }
    const at = (i: number): string => (isRow(given) ? path : `${path}[${i}]`);
    lists.forEach((list, i) => checkList(list, at(i), rows?.[side], problems));
  }
}

function checkList(list: readonly number[], path: string, rows: number | undefined, problems: Problem[]): void {
  if (rows !== undefined && list.length !== rows && problems.length < mostProblems) {
    const message = t('{0} has {1}, expected {2}', path, counted(list.length, 'number'), rows);
    problems.push({ code: 'shape-mismatch', path, message });
  }
  list.forEach((position, i) => checkLimit(problems, `${path}[${i}]`, position, placeLimit));
}

export function checkDecode(spec: AttentionSpec, problems: Problem[]): void {
  const { decode, start } = spec;
  if (!decode || start.from === 'program') return;
  if (!decodes(spec)) {
    const message = t('decode needs queries and keys of the same tokens, found a start from "{0}"', start.from);
    problems.push({ code: 'decode', path: 'decode', message, hint: t('Start from a text, ids, X without a context, or Q and K.') }); // prettier-ignore
    return;
  }
  const rows = rowsOf(spec);
  if (!rows) return;
  if (rows.queries !== rows.keys) {
    const message = t('decode needs as many queries as keys, found {0} and {1}', rows.queries, rows.keys);
    problems.push({ code: 'decode', path: 'decode', message });
    return;
  }
  if (rows.queries > 0) checkLimit(problems, 'decode.step', decode.step, wholeFrom(0, rows.queries - 1));
}
