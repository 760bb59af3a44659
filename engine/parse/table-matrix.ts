import { counted, t, type Problem } from '../text';
import { nameAndRole } from './name-and-role';
import type { Candidate, ParsedMatrix } from './matrix';
import type { Before } from './name-before';

/** One line of a table. */
export interface Row {
  readonly start: number;
  readonly end: number;
  readonly label?: string;
  readonly values: readonly number[];
}

/** Makes a labelled matrix of a table's rows, or a problem for the first row of another length. */
export function tableOf(
  rows: readonly Row[],
  columnLabels: readonly string[],
  format: ParsedMatrix['format'],
  before?: Before,
): Candidate {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) throw new Error('a table has rows');
  const range = { start: first.start, end: last.end };
  const { matrixPart, candidatePart } = nameAndRole(range, before);
  const columns = first.values.length;
  const ragged = rows.findIndex((row) => row.values.length !== columns);
  if (ragged > 0) return { problems: [raggedProblem(rows, ragged)], plain: true, ...candidatePart };
  const labels = rows.flatMap((row) => (row.label === undefined ? [] : [row.label]));
  const matrix: ParsedMatrix = {
    shape: [rows.length, columns],
    values: valuesOf(rows, columns),
    format,
    range,
    ...matrixPart,
    ...(labels.length > 0 ? { rowLabels: labels } : {}),
    ...(columnLabels.length > 0 ? { columnLabels } : {}),
  };
  return { matrix, problems: [], plain: true, ...candidatePart };
}

function valuesOf(rows: readonly Row[], columns: number): Float64Array {
  const values = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => values.set(row.values, i * columns));
  return values;
}

function raggedProblem(rows: readonly Row[], at: number): Problem {
  const row = rows[at];
  const [have, expected] = [row?.values.length ?? 0, rows[0]?.values.length ?? 0];
  const numbers = counted(have, 'number');
  return {
    code: 'ragged',
    message:
      at === 1
        ? t('row {0} has {1}, row 1 has {2}', at + 1, numbers, expected)
        : t('row {0} has {1}, rows 1–{2} have {3}', at + 1, numbers, at, expected),
    hint: t('Give each row {0}.', counted(expected, 'number')),
    ...(row ? { range: { start: row.start, end: row.end } } : {}),
  };
}
