import { t } from '../l10n';
import { fail, ok, type Result } from '../problems';
import { encodeMatrix, type Mask } from '../spec';
import { formatShape } from '../tensor';
import type { ParsedMatrix } from './matrix';

export interface FoundMask {
  readonly mask: Mask;
  /** What it was taken for, and why. */
  readonly note: string;
}

/**
 * A mask of the spec from a matrix: n×m, or one row (m numbers) that hides keys from every query. Zeros and ones (or truth
 * values) are boolean; what a 1 means is told by the diagonal, the triangle or the name, else stated as the default.
 * Anything else is added to the scores.
 */
export function maskOf(m: ParsedMatrix, n: number, columns: number): Result<FoundMask> {
  const name = m.name ?? t('the mask');
  const lead = m.shape.slice(0, -2);
  const rows = m.shape.length === 1 ? 1 : (m.shape.at(-2) ?? 1);
  if (m.expression || lead.some((size) => size !== 1) || m.shape.at(-1) !== columns || (rows !== n && rows !== 1))
    return fail({
      code: 'shape-mismatch',
      message: t('{0} is {1}, the scores are {2}×{3}', name, formatShape(m.shape), n, columns),
      range: m.range,
      path: 'mask.values',
    });
  const repeated = rows === 1 && n > 1;
  const values = repeated
    ? Float64Array.from({ length: n * columns }, (_, i) => m.values[i % columns] ?? NaN)
    : m.values;
  const grid: Grid = { values, n, m: columns };
  const spec = encodeMatrix([n, columns], values);
  const spread = (note: string): string => (repeated ? [note, t('Its one row serves every query.')].join(' ') : note);
  if (!isBoolean(m)) return ok({ mask: { kind: 'additive', values: spec }, note: spread(additiveNote(name, values)) });
  const { trueMeans, note } = polarityOf(grid, name);
  return ok({
    mask: { kind: 'boolean', values: spec, trueMeans },
    note: spread(note),
  });
}

interface Grid {
  readonly values: Float64Array;
  readonly n: number;
  readonly m: number;
}

/** Only zeros and ones, and at least a one; all zeros add nothing, whatever they are. */
const isBoolean = ({ values, dtype }: ParsedMatrix): boolean =>
  dtype?.startsWith('bool') === true || (values.every((x) => x === 0 || x === 1) && values.includes(1));

function additiveNote(name: string, values: Float64Array): string {
  const hidden = values.reduce((count, x) => count + (x <= -1e4 ? 1 : 0), 0);
  const usual = values.every((x) => x === 0 || x <= -1e4);
  if (usual) return t('{0} is added to the scaled scores: it hides {1} of {2} cells.', name, hidden, values.length);
  return t('{0} is added to the scaled scores as a bias; not all of its numbers are 0 or −inf.', name);
}

interface Polarity {
  readonly trueMeans: 'hidden' | 'visible';
  /** That, and why. */
  readonly note: string;
}

/** What a 1 means. A mask that would hide every key of a query is no mask: the other reading is taken. */
function polarityOf(grid: Grid, name: string): Polarity {
  const { values, n, m } = grid;
  if (n === m && n > 1) {
    if (isTriangle(grid, (i, j) => j > i))
      return { trueMeans: 'hidden', note: t('{0}: a 1 (True) hides, for the ones stand above the diagonal.', name) };
    if (isTriangle(grid, (i, j) => j <= i))
      return {
        trueMeans: 'visible',
        note: t('{0}: a 1 (True) may be seen, for the ones stand on and below the diagonal.', name),
      };
  }
  const full = rowsOf(grid).find((row) => row.every((x) => x === 1) || row.every((x) => x === 0));
  const mixed = values.includes(0) && values.includes(1);
  if (
    mixed &&
    full &&
    rowsOf(grid).some((row) => row.every((x) => x === 1)) !== rowsOf(grid).some((row) => row.every((x) => x === 0))
  )
    return full[0] === 1
      ? { trueMeans: 'visible', note: t('{0}: a 1 (True) may be seen, for otherwise a query would see no key.', name) }
      : { trueMeans: 'hidden', note: t('{0}: a 1 (True) hides, for otherwise a query would see no key.', name) };
  if (/key_?padding|hidden|masked/i.test(name))
    return { trueMeans: 'hidden', note: t('{0}: a 1 (True) hides, as in PyTorch’s key_padding_mask.', name) };
  return {
    trueMeans: 'visible',
    note: t(
      '{0}: a 1 (True) may be seen, as in scaled_dot_product_attention; in MultiheadAttention it hides. Nothing else tells: see the mask in the panel.',
      name,
    ),
  };
}

function isTriangle({ values, n, m }: Grid, inside: (i: number, j: number) => boolean): boolean {
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) if (values[i * m + j] !== (inside(i, j) ? 1 : 0)) return false;
  return true;
}

const rowsOf = ({ values, n, m }: Grid): Float64Array[] =>
  Array.from({ length: n }, (_, i) => values.subarray(i * m, (i + 1) * m));
