import { decodeNumber, encodeNumber, type SpecNumber } from '../spec/spec';
import type { Paced } from '../text/pace';
import { sizeOf } from '../math/tensor';

/**
 * Plain JSON with its large matrices taken out, as numbers: what is sent from one thread to another as text takes a fifth of a second for two
 * million numbers, as numbers no time. An array of numbers of a spec, alike in all rows, with at least `fewest` of them, becomes `{ "$numbers": shape }`.
 */
export interface Packed {
  readonly value: unknown;
  /** The numbers in the order of the value, each part `partLength` long but for the last. */
  readonly parts: readonly Float64Array[];
}

const fewest = 1 << 14;

/** Half a megabyte: sent within a millisecond or two. */
const partLength = 1 << 16;

/** Numbers between two places to stop. */
const atOnce = 1 << 13;

const mark = '$numbers';

/** Whether `packing` would take anything out. Looks at the first of each array only. */
export const holdsMuch = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value)
    ? sizeOf(shapeOf(value)) >= fewest
    : Object.values(value as Readonly<Record<string, unknown>>).some(holdsMuch));

/** The sizes that the first of each array has; empty for what is no array of numbers. */
function shapeOf(value: readonly unknown[]): number[] {
  const shape: number[] = [];
  let inner: unknown = value;
  for (; Array.isArray(inner); inner = (inner as readonly unknown[])[0]) shape.push(inner.length);
  return shape;
}

/** Takes the matrices out, with places to stop. The value itself is not changed. */
export function* packing(value: unknown): Paced<Packed> {
  const writer: Writer = { parts: [], count: 0, left: atOnce };
  const packed = yield* taken(value, writer);
  const last = writer.parts.at(-1);
  const used = writer.count % partLength;
  if (last && used > 0) writer.parts[writer.parts.length - 1] = last.slice(0, used);
  return { value: packed, parts: writer.parts };
}

interface Writer {
  readonly parts: Float64Array[];
  count: number;
  /** Numbers until the next place to stop. */
  left: number;
}

function* taken(value: unknown, writer: Writer): Paced<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const shape = shapeOf(value);
    if (sizeOf(shape) < fewest) return value;
    const before = writer.count;
    if (yield* write(value, shape, 0, writer)) return { [mark]: shape };
    // Not alike in all rows: it stays as it is, and what was written of it is written over.
    writer.count = before;
    writer.parts.length = Math.ceil(before / partLength);
    return value;
  }
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) fields.push([name, yield* taken(field, writer)]);
  return Object.fromEntries(fields);
}

function* write(value: unknown, shape: readonly number[], depth: number, writer: Writer): Paced<boolean> {
  if (!Array.isArray(value) || value.length !== shape[depth]) return false;
  if (depth === shape.length - 1) return yield* writeRow(value as readonly unknown[], writer);
  for (const inner of value) if (!(yield* write(inner, shape, depth + 1, writer))) return false;
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
    writer.left = atOnce;
    yield;
  }
  return true;
}

const isNumber = (x: unknown): x is SpecNumber =>
  typeof x === 'number' ? Number.isFinite(x) : x === 'inf' || x === '-inf' || x === 'nan' || x === '-0';

/** What was packed; undefined where the parts are not those of the value. */
export function unpacked({ value, parts }: Packed): unknown {
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
    const shape = (v as Readonly<Record<string, unknown>>)[mark];
    if (isShape(shape)) {
      // More than there are: `at` then says so.
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
