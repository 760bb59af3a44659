import { t, fail, ok, type Result } from '../text';
import { maskShape, type Dims, encodeMatrix, type Mask, type SpecHeads } from '../spec';
import { formatShape, sizeOf } from '../math';
import { maskUse, type Code } from './mask-use';
import type { ParsedMatrix } from './matrix';

export interface FoundMask {
  readonly mask: Mask;
  /** What it was taken for, and why. */
  readonly note: string;
}

/**
 * A mask of the spec from a matrix: n×m, or one row (m numbers) that hides keys from every query; any axis may be 1, as NumPy and PyTorch
 * repeat it, those of heads and of a batch too ([b×][h×]n×m). Zeros and ones (or truth values) are boolean; what a 1
 * means is told by `code` that uses it, else by the diagonal, the triangle or the name, else stated as the default. Anything else is added to the scores.
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

/** Whom a row, a column or a number serves that is repeated; undefined where none is. */
function broadcastOver(own: Dims, [n, m]: readonly [number, number]): string | undefined {
  const [rows, columns] = [own.at(-2) === 1 && n > 1, own.at(-1) === 1 && m > 1];
  if (rows && columns) return t('Its one number serves every query and key.');
  if (rows) return t('Its one row serves every query.');
  return columns ? t('Its one column serves every key.') : undefined;
}

/** The values with n rows and m columns in each of the matrices, one row or column repeated. */
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

/** A padding mask b×m of a batch is one row of keys for each input: b×1×1×m. Where b is n too, only its name tells it from n×m. */
function asRows(m: ParsedMatrix, scores: Dims, heads: number): ParsedMatrix {
  const isBatch = scores.length === 4 || (scores.length === 3 && heads === 1);
  const [n, keys] = scores.slice(-2);
  const [rows = 1, columns = 0] = m.shape;
  const fits = isBatch && rows > 1 && m.shape.length === 2 && rows === scores[0] && columns === keys;
  if (!fits || (rows === n && !/pad/i.test(m.name ?? ''))) return m;
  return { ...m, shape: scores.length === 4 ? [rows, 1, 1, columns] : [rows, 1, columns] };
}

/** Its axes before rows and columns, without those of size 1 that the scores do not have. */
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

/** One n×m mask, or several below each other. */
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

/** What the lines say that use it. */
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
  for (let i = 0; i * m < values.length; i++)
    for (let j = 0; j < m; j++) if (values[i * m + j] !== (inside(i % n, j) ? 1 : 0)) return false;
  return true;
}

const rowsOf = ({ values, m }: Grid): Float64Array[] =>
  Array.from({ length: values.length / m }, (_, i) => values.subarray(i * m, (i + 1) * m));
