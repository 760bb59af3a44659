import { counted, t, type Problem } from '../../text';
import { isRow, listsOf } from '../fields';
import { checkLimit, mostProblems, wholeFrom, type Limit } from '../limits';
import type { AttentionSpec } from '../spec';
import { batchOf, rowsOf } from './places';

/* Numbers for keys and segments, against the rows that there are. */

const idLimit = wholeFrom(0, Number.MAX_SAFE_INTEGER);
const bitLimit: Limit = { ...wholeFrom(0, 1), expected: () => t('0 or 1') };

export function checkAlsoHidden(spec: AttentionSpec, problems: Problem[]): void {
  const { alsoHidden: of, start } = spec;
  if (!of || start.from === 'program' || start.from === 'weights') return;
  const rows = rowsOf(spec);
  const check = (path: string, given: Lists | undefined, count: number | undefined, limit: Limit): void => {
    if (given) checkLists({ path, given, count, limit, inputs: batchOf(spec) }, problems);
  };
  check('alsoHidden.keys.values', of.keys?.values, rows?.keys, bitLimit);
  check('alsoHidden.segments.queries', of.segments?.queries, rows?.queries, idLimit);
  check('alsoHidden.segments.keys', of.segments?.keys, rows?.keys, idLimit);
  if (!of.segments || of.segments.keys || !rows || rows.keys === rows.queries) return;
  const message = t('alsoHidden.segments.queries has {0}, but there are {1}', counted(rows.queries, 'number'), counted(rows.keys, 'key')); // prettier-ignore
  const hint = t('Give the keys’ segments in alsoHidden.segments.keys.');
  problems.push({ code: 'shape-mismatch', path: 'alsoHidden.segments', message, hint });
}

type Lists = readonly number[] | readonly (readonly number[])[];

interface Checked {
  readonly path: string;
  readonly given: Lists;
  readonly count: number | undefined;
  readonly limit: Limit;
  readonly inputs: number;
}

function checkLists({ path, given, count, limit, inputs }: Checked, problems: Problem[]): void {
  const all = listsOf(given);
  if (all.length !== 1 && all.length !== inputs) {
    const message = t('{0}: lists for inputs of a batch: {1}, expected 1 or {2}', path, all.length, inputs);
    problems.push({ code: 'shape-mismatch', path, message, hint: t('One list serves all inputs of a batch.') });
  }
  all.forEach((list, i) => {
    const at = isRow(given) ? path : `${path}[${i}]`;
    if (count !== undefined && list.length !== count && problems.length < mostProblems) {
      const message = t('{0} has {1}, expected {2}', at, counted(list.length, 'number'), count);
      problems.push({ code: 'shape-mismatch', path: at, message });
    }
    list.forEach((one, j) => checkLimit(problems, `${at}[${j}]`, one, limit));
  });
}
