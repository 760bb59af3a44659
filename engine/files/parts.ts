import { encodeMatrixPaced } from '../parse';
import { finish, type Paced } from '../text';
import { encodeNumber, type SpecHeads, type SpecMatrix, type SpecNumber } from '../spec';
import { sizeOf } from '../math';
import { rowRoles, type FileRole } from './roles';

/** A tensor, or a chosen part of it, with its role. Without values it only has a shape, which is enough to plan. */
export interface TensorPart {
  readonly name: string;
  readonly role: FileRole;
  readonly shape: readonly number[];
  readonly values?: Float64Array;
  /** The values already encoded for the spec, one matrix for each head. */
  readonly encoded?: readonly SpecMatrix[];
  readonly dtype: string;
  readonly labels?: readonly string[];
}

export interface RowRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Rows and columns, the last two axes; a flat list is one row. */
export const dimsOfPart = ({ shape }: TensorPart): readonly [rows: number, columns: number] => [
  shape.length < 2 ? 1 : (shape.at(-2) as number),
  shape.at(-1) ?? 1,
];

/** Sizes of the leading axes, except those of size 1. */
export const leadOf = ({ shape }: TensorPart): readonly number[] => shape.slice(0, -2).filter((size) => size !== 1);

/** One matrix, or one for each head if there is a leading axis. */
export function headsOf(part: TensorPart): SpecHeads {
  const [heads] = leadOf(part);
  if (heads === undefined) return matrixOf(part);
  return Array.from({ length: heads }, (_, head) => matrixOf(part, head));
}

/** The matrix of one head. Without values, one row of zeros is shared by all its rows. */
export function matrixOf(part: TensorPart, head = 0): SpecMatrix {
  const [rows, columns] = dimsOfPart(part);
  if (!part.values) return new Array<SpecNumber[]>(rows).fill(new Array<SpecNumber>(columns).fill(0));
  return part.encoded?.[head] ?? finish(encodingHead(part, part.values, head));
}

function* encodingHead(part: TensorPart, values: Float64Array, head: number): Paced<SpecMatrix> {
  const [rows, columns] = dimsOfPart(part);
  return yield* encodeMatrixPaced([rows, columns], values.subarray(head * rows * columns, (head + 1) * rows * columns));
}

/** Encodes a part's values for the spec, as pausable work. Vectors are short; `vectorOf` encodes them. */
export function* encodingPart(part: TensorPart): Paced<TensorPart> {
  if (!part.values || part.shape.length < 2) return part;
  const encoded: SpecMatrix[] = [];
  const heads = leadOf(part).reduce((a, b) => a * b, 1);
  for (let head = 0; head < heads; head++) encoded.push(yield* encodingHead(part, part.values, head));
  return { ...part, encoded };
}

/** A bias from one row, one column or a list; undefined for a matrix. */
export function vectorOf({ shape, values }: TensorPart): SpecNumber[] | undefined {
  if (shape.filter((size) => size !== 1).length > 1) return undefined;
  return values ? Array.from(values, encodeNumber) : new Array<SpecNumber>(sizeOf(shape)).fill(0);
}

/** Number of rows to choose from: the most rows of any part with one row for each token. */
export const rowCount = (parts: readonly TensorPart[]): number =>
  Math.max(0, ...parts.filter((part) => givesRows(part, parts)).map((part) => dimsOfPart(part)[0]));

/** Whether rows of a part can be chosen. With scores or weights V keeps all rows, one for each of their columns. */
const givesRows = ({ role }: TensorPart, parts: readonly TensorPart[]): boolean =>
  rowRoles.has(role) && !(role === 'v' && startsAfterQueries(parts));

/** The rows of a part that a range of tokens selects, clamped to a shorter part; undefined for all rows. */
export function rowRangeOf(part: TensorPart, parts: readonly TensorPart[], range: RowRange): RowRange | undefined {
  return givesRows(part, parts) && part.shape.length > 1 ? within(part, range) : undefined;
}

/** Whether the spec starts from scores or weights. */
export const startsAfterQueries = (parts: readonly TensorPart[]): boolean =>
  parts.some(({ role }) => role === 'scores' || role === 'weights');

function within(part: TensorPart, { start, end }: RowRange): RowRange {
  const [rows] = dimsOfPart(part);
  return { start: Math.min(start, rows - 1), end: Math.min(end, rows) };
}

/** Selects the same rows of each part with one row for each token, and the same rows and columns of a square mask. */
export const cutParts = (parts: readonly TensorPart[], range: RowRange): TensorPart[] =>
  parts.map((part) => {
    if (part.role === 'mask') return cutMask(part, parts, range);
    const rows = rowRangeOf(part, parts, range);
    return rows ? cutPart(part, rows) : part;
  });

/** The part of a mask for a range of tokens of `parts`. One row of keys for each input of a batch is returned as b×1×m. */
export function cutMask(mask: TensorPart, parts: readonly TensorPart[], range: RowRange): TensorPart {
  const [rows, columns] = dimsOfPart(mask);
  const keys = keysOf(parts);
  const cut = keys && dimsOfPart(keys)[0] === columns && !startsAfterQueries(parts) ? within(keys, range) : undefined;
  if (!hidesKeys(mask, parts)) return cutPart(mask, rows > 1 ? within(mask, range) : { start: 0, end: rows }, cut);
  const { shape, ...one } = cutPart(mask, { start: 0, end: rows }, cut);
  return { ...one, shape: leadOf(mask).length > 0 ? shape : [rows, 1, shape.at(-1) ?? 0] };
}

const keysOf = (parts: readonly TensorPart[]): TensorPart | undefined =>
  (['k', 'context', 'x'] as const).flatMap((role) => parts.find((part) => part.role === role) ?? [])[0];

export const isKeyPadding = ({ name }: TensorPart): boolean => /key_?padding/i.test(name);

/**
 * Whether a mask used with a batch of X is one row of keys for each input: b×1×m or b×m. With as many tokens as inputs, only the mask's name
 * distinguishes b×m from n×m.
 */
export function hidesKeys(mask: TensorPart, parts: readonly TensorPart[]): boolean {
  const x = parts.find(({ role }) => role === 'x');
  const [inputs] = x ? leadOf(x) : [];
  if (x === undefined || inputs === undefined) return false;
  const [rows, columns] = dimsOfPart(mask);
  if (leadOf(mask).length > 0) return rows === 1;
  // A single column applies to every key, so its rows are queries.
  if (columns === 1 && (keysOf(parts)?.shape.at(-2) ?? 1) > 1) return false;
  return rows === inputs && (dimsOfPart(x)[0] !== inputs || isKeyPadding(mask));
}

function cutPart(
  part: TensorPart,
  rows: RowRange,
  columns: RowRange = { start: 0, end: dimsOfPart(part)[1] },
): TensorPart {
  const [height, width] = dimsOfPart(part);
  const shape = [...part.shape.slice(0, -2), rows.end - rows.start, columns.end - columns.start];
  const labels = part.labels ? { labels: part.labels.slice(rows.start, rows.end) } : {};
  if (!part.values) return { ...part, shape, ...labels };
  const { encoded: _, ...plain } = part;
  const values = new Float64Array(sizeOf(shape));
  let at = 0;
  for (let block = 0; block < part.values.length; block += height * width)
    for (let row = rows.start; row < rows.end; row++) {
      const from = block + row * width;
      const taken = part.values.subarray(from + columns.start, from + columns.end);
      values.set(taken, at);
      at += taken.length;
    }
  return { ...plain, shape, values, ...labels };
}
