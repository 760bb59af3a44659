import { encodeMatrixPaced } from '../parse';
import { finish, type Paced } from '../text';
import { encodeNumber, type SpecHeads, type SpecMatrix, type SpecNumber } from '../spec';
import { sizeOf } from '../math';
import { rowRoles, type FileRole } from './roles';

/** A tensor, or the part of it that was chosen, with its role. Without values it stands for its shape: that is enough to plan. */
export interface TensorPart {
  readonly name: string;
  readonly role: FileRole;
  readonly shape: readonly number[];
  readonly values?: Float64Array;
  /** The values as those of a spec, where that was done before: a matrix for each head. */
  readonly encoded?: readonly SpecMatrix[];
  readonly dtype: string;
  readonly labels?: readonly string[];
}

export interface RowRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** The last two axes; a flat list is one row. */
export const dimsOfPart = ({ shape }: TensorPart): readonly [rows: number, columns: number] => [
  shape.length < 2 ? 1 : (shape.at(-2) as number),
  shape.at(-1) ?? 1,
];

/** Leading axes but those of size 1. */
export const leadOf = ({ shape }: TensorPart): readonly number[] => shape.slice(0, -2).filter((size) => size !== 1);

/** A matrix, or one for each head where there is a leading axis. */
export function headsOf(part: TensorPart): SpecHeads {
  const [heads] = leadOf(part);
  if (heads === undefined) return matrixOf(part);
  return Array.from({ length: heads }, (_, head) => matrixOf(part, head));
}

/** The matrix of one head. Without values its rows are one row of zeros. */
export function matrixOf(part: TensorPart, head = 0): SpecMatrix {
  const [rows, columns] = dimsOfPart(part);
  if (!part.values) return new Array<SpecNumber[]>(rows).fill(new Array<SpecNumber>(columns).fill(0));
  return part.encoded?.[head] ?? finish(encodingHead(part, part.values, head));
}

function* encodingHead(part: TensorPart, values: Float64Array, head: number): Paced<SpecMatrix> {
  const [rows, columns] = dimsOfPart(part);
  return yield* encodeMatrixPaced([rows, columns], values.subarray(head * rows * columns, (head + 1) * rows * columns));
}

/** A part with its values as those of a spec, with places to stop. A vector is short, and left to `vectorOf`. */
export function* encoding(part: TensorPart): Paced<TensorPart> {
  if (!part.values || part.shape.length < 2) return part;
  const encoded: SpecMatrix[] = [];
  const heads = leadOf(part).reduce((a, b) => a * b, 1);
  for (let head = 0; head < heads; head++) encoded.push(yield* encodingHead(part, part.values, head));
  return { ...part, encoded };
}

/** A bias: one row, one column or a list; undefined when it is a matrix. */
export function vectorOf({ shape, values }: TensorPart): SpecNumber[] | undefined {
  if (shape.filter((size) => size !== 1).length > 1) return undefined;
  return values ? Array.from(values, encodeNumber) : new Array<SpecNumber>(sizeOf(shape)).fill(0);
}

/** How many rows there are to choose from: those of the longest part that has a row for each token. */
export const rowCount = (parts: readonly TensorPart[]): number =>
  Math.max(0, ...parts.filter((part) => givesRows(part, parts)).map((part) => dimsOfPart(part)[0]));

/** Scores and weights keep their columns, so V keeps its rows there. */
const givesRows = ({ role }: TensorPart, parts: readonly TensorPart[]): boolean =>
  rowRoles.has(role) && !(role === 'v' && beginsLate(parts));

/** Which rows of a part a range of tokens takes: a shorter part gives what it has of it. Undefined: all of them. */
export function rowRangeOf(part: TensorPart, parts: readonly TensorPart[], range: RowRange): RowRange | undefined {
  return givesRows(part, parts) && part.shape.length > 1 ? within(part, range) : undefined;
}

/** Whether the walk begins with scores or weights. */
export const beginsLate = (parts: readonly TensorPart[]): boolean =>
  parts.some(({ role }) => role === 'scores' || role === 'weights');

function within(part: TensorPart, { start, end }: RowRange): RowRange {
  const [rows] = dimsOfPart(part);
  return { start: Math.min(start, rows - 1), end: Math.min(end, rows) };
}

/** Takes the same rows of each part that has one for each token, and of a square mask the same rows and columns. */
export const cutParts = (parts: readonly TensorPart[], range: RowRange): TensorPart[] =>
  parts.map((part) => {
    if (part.role === 'mask') return cutMask(part, parts, range);
    const rows = rowRangeOf(part, parts, range);
    return rows ? cutPart(part, rows) : part;
  });

/** The part of a mask for a range of tokens; `parts` are those that it goes with. A row of keys for each input of a batch comes back as b×1×m, whatever is left of its keys. */
export function cutMask(mask: TensorPart, parts: readonly TensorPart[], range: RowRange): TensorPart {
  const [rows, columns] = dimsOfPart(mask);
  const keys = keysOf(parts);
  const cut = keys && dimsOfPart(keys)[0] === columns && !beginsLate(parts) ? within(keys, range) : undefined;
  if (!hidesKeys(mask, parts)) return cutPart(mask, rows > 1 ? within(mask, range) : { start: 0, end: rows }, cut);
  const { shape, ...one } = cutPart(mask, { start: 0, end: rows }, cut);
  return { ...one, shape: leadOf(mask).length > 0 ? shape : [rows, 1, shape.at(-1) ?? 0] };
}

const keysOf = (parts: readonly TensorPart[]): TensorPart | undefined =>
  (['k', 'context', 'x'] as const).flatMap((role) => parts.find((part) => part.role === role) ?? [])[0];

export const isKeyPadding = ({ name }: TensorPart): boolean => /key_?padding/i.test(name);

/**
 * Whether a mask beside X of a batch is a row of keys for each input: b×1×m, or b×m. Where there are as many tokens as inputs, only its name
 * tells b×m from n×m.
 */
export function hidesKeys(mask: TensorPart, parts: readonly TensorPart[]): boolean {
  const x = parts.find(({ role }) => role === 'x');
  const [inputs] = x ? leadOf(x) : [];
  if (x === undefined || inputs === undefined) return false;
  const [rows, columns] = dimsOfPart(mask);
  if (leadOf(mask).length > 0) return rows === 1;
  // One column serves every key: its rows are those of queries.
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
