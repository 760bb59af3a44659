import { t, fail, ok, type Result } from '../text';
import { maskShape, type Dims, encodeMatrix, type Mask, type SpecHeads } from '../spec';
import { formatShape, sizeOf } from '../math';
import { maskUse, type Code } from './mask-use';
import type { ParsedMatrix } from './matrix';

export interface FoundMask {
  readonly mask: Mask;
  /** How the matrix was interpreted, and why. */
  readonly note: string;
}

/**
 * Interprets a matrix as a mask: n×m, or one row of m numbers that hides keys from every query. Any axis may be 1 and is broadcast as in NumPy
 * and PyTorch, also those of heads and batch ([b×][h×]n×m). Zeros and ones (or booleans) are a boolean mask; the meaning of 1 comes from
 * the `code` that uses it, else from the diagonal, the triangle or the name, else a default that is noted. Other numbers are added to the
 * scores.
 */
export function maskOf(given: ParsedMatrix, scores: Dims, code?: Code, heads = 1): Result<FoundMask> {
  const m = asRows(given, scores, heads);
  const name = m.name ?? t('the mask');
  const [n = 0, columns = 0] = scores.slice(-2);
  const lead = leadingDims(m, scores.length - 2);
  const own = [...lead, m.shape.length === 1 ? 1 : (m.shape.at(-2) ?? 1), m.shape.at(-1) ?? 0];
  const shape = [...lead, n, columns];
  if (m.expression || !maskShape(own, scores))
    return fail({
      code: 'shape-mismatch',
      message: t('{0} is {1}, the scores are {2}', name, formatShape(m.shape), formatShape(scores)),
      hint: t('Each of its axes is 1, or as large as that of the scores.'),
      range: m.range,
      path: 'mask.values',
    });
  const values = broadcastGrid(m.values, own, [n, columns]);
  const grid: Grid = { values, n, m: columns };
  const spec = nested(shape, values);
  const served =
    m === given ? broadcastOver(own, [n, columns]) : n > 1 ? t('Each of its rows serves one input.') : undefined;
  const spread = (note: string): string => (served === undefined ? note : [note, served].join(' '));
  if (!isBoolean(m)) return ok({ mask: { kind: 'additive', values: spec }, note: spread(additiveNote(name, values)) });
  const { trueMeans, note } = polarityInCode(m, code) ?? polarityOf(grid, name);
  return ok({
    mask: { kind: 'boolean', values: spec, trueMeans },
    note: spread(note),
  });
}

/** What a broadcast row, column or number applies to; undefined if nothing is broadcast. */
function broadcastOver(own: Dims, [n, m]: readonly [number, number]): string | undefined {
  const [rows, columns] = [own.at(-2) === 1 && n > 1, own.at(-1) === 1 && m > 1];
  if (rows && columns) return t('Its one number serves every query and key.');
  if (rows) return t('Its one row serves every query.');
  return columns ? t('Its one column serves every key.') : undefined;
}

/** The values as n×m matrices, with rows or columns of size 1 repeated. */
function broadcastGrid(values: Float64Array, own: Dims, [n, m]: readonly [number, number]): Float64Array {
  const [rows, columns] = [own.at(-2) ?? 1, own.at(-1) ?? 1];
  if (rows === n && columns === m) return values;
  const out = new Float64Array((values.length / (rows * columns)) * n * m);
  for (let at = 0; at < out.length; at++) {
    const [matrix, row, column] = [Math.floor(at / (n * m)), Math.floor(at / m) % n, at % m];
    out[at] = values[(matrix * rows + (rows === 1 ? 0 : row)) * columns + (columns === 1 ? 0 : column)] ?? NaN;
  }
  return out;
}

/** A padding mask b×m of a batch as one row of keys for each input: b×1×1×m. If b equals n, only its name distinguishes it from n×m. */
function asRows(m: ParsedMatrix, scores: Dims, heads: number): ParsedMatrix {
  const isBatch = scores.length === 4 || (scores.length === 3 && heads === 1);
  const [n, keys] = scores.slice(-2);
  const [rows = 1, columns = 0] = m.shape;
  const fits = isBatch && rows > 1 && m.shape.length === 2 && rows === scores[0] && columns === keys;
  if (!fits || (rows === n && !/pad/i.test(m.name ?? ''))) return m;
  return { ...m, shape: scores.length === 4 ? [rows, 1, 1, columns] : [rows, 1, columns] };
}

/** The axes before rows and columns, without those of size 1 that the scores do not have. */
function leadingDims({ shape }: ParsedMatrix, most: number): Dims {
  const lead = shape.slice(0, -2);
  while (lead.length > most && lead[0] === 1) lead.shift();
  return lead;
}

function nested([size = 1, ...rest]: Dims, values: Float64Array): SpecHeads {
  if (rest.length < 2) return encodeMatrix([size, rest[0] ?? 1], values);
  const inner = sizeOf(rest);
  const part = (i: number): SpecHeads => nested(rest, values.subarray(i * inner, (i + 1) * inner));
  return Array.from({ length: size }, (_, i) => part(i)) as unknown as SpecHeads;
}

/** One or several n×m masks, concatenated. */
interface Grid {
  readonly values: Float64Array;
  readonly n: number;
  readonly m: number;
}

/** Whether a mask has only zeros and ones, and at least one 1: all zeros mean the same either way. */
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
  /** The meaning of 1, and why. */
  readonly note: string;
}

/** The meaning of 1 according to the lines that use the mask. */
function polarityInCode({ name, dtype }: ParsedMatrix, code: Code | undefined): Polarity | undefined {
  const use = name === undefined || !code ? undefined : maskUse(code, name, dtype?.startsWith('bool') === true);
  if (!name || !use) return undefined;
  const { trueMeans, line } = use;
  const note =
    trueMeans === 'hidden'
      ? t('{0}: a 1 (True) hides, as the line `{1}` says.', name, line)
      : t('{0}: a 1 (True) may be seen, as the line `{1}` says.', name, line);
  return { trueMeans, note };
}

/** The meaning of 1. If one meaning would hide every key of a query, the other one is taken. */
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
  for (let i = 0; i * m < values.length; i++)
    for (let j = 0; j < m; j++) if (values[i * m + j] !== (inside(i % n, j) ? 1 : 0)) return false;
  return true;
}

const rowsOf = ({ values, m }: Grid): Float64Array[] =>
  Array.from({ length: values.length / m }, (_, i) => values.subarray(i * m, (i + 1) * m));
