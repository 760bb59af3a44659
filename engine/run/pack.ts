import { decodeNumber, encodeNumber, type SpecNumber } from '../spec';
import type { Paced } from '../text';
import { sizeOf } from '../math';

/**
 * Plain JSON whose large matrices are stored separately as Float64Arrays: sending two million numbers inside JSON between threads takes
 * 0.2 s, sending typed arrays takes no time. A rectangular array of at least `minPackedLength` numbers is replaced by
 * `{ "$numbers": shape }`.
 */
export interface Packed {
  readonly value: unknown;
  /** The numbers, in the order in which they occur in the value. Every part but the last has `partLength` numbers. */
  readonly parts: readonly Float64Array[];
}

const minPackedLength = 1 << 14;

/** Numbers of a part: half a megabyte, which is sent within two milliseconds. */
const partLength = 1 << 16;

/** Numbers that are packed between two yields. */
const numbersPerSlice = 1 << 13;

const packedKey = '$numbers';

/** Whether `packPaced` would take anything out. Looks only at the first element of each array. */
export const hasLargeMatrix = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value)
    ? sizeOf(shapeOf(value)) >= minPackedLength
    : Object.values(value as Readonly<Record<string, unknown>>).some(hasLargeMatrix));

/** The shape that the first element of each nested array implies; empty for an array that holds no numbers. */
function shapeOf(value: readonly unknown[]): number[] {
  const shape: number[] = [];
  let inner: unknown = value;
  for (; Array.isArray(inner); inner = (inner as readonly unknown[])[0]) shape.push(inner.length);
  return shape;
}

/** Takes the large matrices out of a value, without changing the value. Yields regularly, so that the caller can pause. */
export function* packPaced(value: unknown): Paced<Packed> {
  const writer: Writer = { parts: [], count: 0, left: numbersPerSlice };
  const packed = yield* packValue(value, writer);
  const last = writer.parts.at(-1);
  const used = writer.count % partLength;
  if (last && used > 0) writer.parts[writer.parts.length - 1] = last.slice(0, used);
  return { value: packed, parts: writer.parts };
}

interface Writer {
  readonly parts: Float64Array[];
  count: number;
  /** Numbers until the next yield. */
  left: number;
}

function* packValue(value: unknown, writer: Writer): Paced<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const shape = shapeOf(value);
    if (sizeOf(shape) < minPackedLength) return value;
    const before = writer.count;
    if (yield* writeMatrix(value, shape, 0, writer)) return { [packedKey]: shape };
    // Not rectangular: it stays in the JSON, and the numbers that were written from it are discarded.
    writer.count = before;
    writer.parts.length = Math.ceil(before / partLength);
    return value;
  }
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) fields.push([name, yield* packValue(field, writer)]);
  return Object.fromEntries(fields);
}

function* writeMatrix(value: unknown, shape: readonly number[], depth: number, writer: Writer): Paced<boolean> {
  if (!Array.isArray(value) || value.length !== shape[depth]) return false;
  if (depth === shape.length - 1) return yield* writeRow(value as readonly unknown[], writer);
  for (const inner of value) if (!(yield* writeMatrix(inner, shape, depth + 1, writer))) return false;
  return true;
}

function* writeRow(row: readonly unknown[], writer: Writer): Paced<boolean> {
  for (const x of row) {
    if (!isNumber(x)) return false;
    const at = writer.count % partLength;
    if (at === 0) writer.parts.push(new Float64Array(partLength));
    (writer.parts.at(-1) as Float64Array)[at] = decodeNumber(x);
    writer.count++;
    if (--writer.left > 0) continue;
    writer.left = numbersPerSlice;
    yield;
  }
  return true;
}

const isNumber = (x: unknown): x is SpecNumber =>
  typeof x === 'number' ? Number.isFinite(x) : x === 'inf' || x === '-inf' || x === 'nan' || x === '-0';

/** The value that was packed; undefined where the number of numbers in `parts` does not match the shapes in `value`. */
export function unpack({ value, parts }: Packed): unknown {
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  const isWhole = parts.every((part, i) => part.length === partLength || (i === parts.length - 1 && part.length > 0));
  let at = 0;
  const next = (): SpecNumber => {
    const x = parts[Math.floor(at / partLength)]?.[at % partLength];
    at++;
    return encodeNumber(x ?? NaN);
  };
  const nested = (shape: readonly number[], depth: number): unknown[] =>
    Array.from({ length: shape[depth] ?? 0 }, () => (depth === shape.length - 1 ? next() : nested(shape, depth + 1)));
  const whole = (v: unknown): unknown => {
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return v;
    const shape = (v as Readonly<Record<string, unknown>>)[packedKey];
    if (isShape(shape)) {
      // More numbers than there are: marks the whole as a mismatch.
      if (at + sizeOf(shape) > total) at = Infinity;
      return at === Infinity ? undefined : nested(shape, 0);
    }
    return Object.fromEntries(Object.entries(v).map(([name, field]) => [name, whole(field)]));
  };
  const result = isWhole ? whole(value) : undefined;
  return at === total ? result : undefined;
}

const isShape = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((n) => Number.isSafeInteger(n) && (n as number) >= 0);
