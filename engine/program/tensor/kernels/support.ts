import type { Paced } from '../../../text';
import type { Attributes } from '../graph';
import { count, NotComputed, stridesOf, type Dense } from '../dense';
import { rounding, type DType } from '../dtypes';

/** What a kernel is told of its result. */
export interface Result {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly attributes: Attributes;
}

/** Computes a result's values in row-major order, with places to stop. */
export type Kernel = (operands: readonly Dense[], result: Result) => Paced<Float64Array>;

/** Cheap steps between two places to stop: well below a millisecond. */
export const part = 16_384;

/** `out[i] = value(i)`, rounded to the result's type. */
export function* filled(size: number, dtype: DType, value: (i: number) => number, cost = 1): Paced<Float64Array> {
  const out = new Float64Array(size);
  const round = rounding[dtype];
  const stretch = Math.max(1, Math.floor(part / cost));
  for (let from = 0; from < size; from += stretch) {
    const to = Math.min(size, from + stretch);
    for (let i = from; i < to; i++) out[i] = round(value(i));
    yield;
  }
  if (dtype === 'int64') checkWhole(out);
  return out;
}

/** Whole numbers beyond 2^53 are not exact here. */
function checkWhole(values: Float64Array): void {
  for (const x of values) if (Math.abs(x) > Number.MAX_SAFE_INTEGER) throw new NotComputed('int64 beyond 2^53');
}

/** For each element of a result, which of an operand's: `shape` walked with the operand's strides. */
export function* walked(shape: readonly number[], strides: readonly number[], offset = 0): Paced<Int32Array> {
  const size = count(shape);
  const out = new Int32Array(size);
  const width = shape.at(-1) ?? 1;
  const step = strides.at(-1) ?? 0;
  const index = new Array<number>(shape.length).fill(0);
  let start = offset;
  for (let row = 0, done = 0; row < size; row += width) {
    for (let i = 0; i < width; i++) out[row + i] = start + i * step;
    for (let axis = shape.length - 2; axis >= 0; axis--) {
      start += strides[axis] as number;
      if (++(index[axis] as number) < (shape[axis] as number)) break;
      start -= (index[axis] as number) * (strides[axis] as number);
      index[axis] = 0;
    }
    done += width + 4;
    if (done > part) {
      done = 0;
      yield;
    }
  }
  return out;
}

/** Strides of an operand as it broadcasts to `shape`: 0 along the axes that it repeats. */
export function broadcastStrides(from: readonly number[], shape: readonly number[]): number[] {
  const own = stridesOf(from);
  return shape.map((_, i) => {
    const axis = i - shape.length + from.length;
    return axis < 0 || from[axis] === 1 ? 0 : (own[axis] as number);
  });
}

export const isSameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, i) => dim === b[i]);

/** An operand's values, repeated to `shape`. */
export function* spread(operand: Dense, shape: readonly number[]): Paced<Float64Array> {
  if (isSameShape(operand.shape, shape)) return operand.data;
  if (operand.data.length === 1) return new Float64Array(count(shape)).fill(operand.data[0] as number);
  return yield* gathered(operand.data, yield* walked(shape, broadcastStrides(operand.shape, shape)));
}

export function* gathered(data: Float64Array, places: Int32Array): Paced<Float64Array> {
  const out = new Float64Array(places.length);
  for (let from = 0; from < out.length; from += part) {
    const to = Math.min(out.length, from + part);
    for (let i = from; i < to; i++) out[i] = data[places[i] as number] as number;
    yield;
  }
  return out;
}

/** A tensor as rows along `axes`, which come last, in their own order. */
export interface Rows {
  readonly data: Float64Array;
  readonly rows: number;
  readonly width: number;
}

export function* rowsAlong({ data, shape }: Dense, axes: readonly number[]): Paced<Rows> {
  const kept = shape.flatMap((_, i) => (axes.includes(i) ? [] : [i]));
  const width = count(axes.map((i) => shape[i] as number));
  const rows = count(kept.map((i) => shape[i] as number));
  const order = [...kept, ...axes];
  if (order.every((axis, i) => axis === i)) return { data, rows, width };
  const strides = stridesOf(shape);
  const places = yield* walked(
    order.map((i) => shape[i] as number),
    order.map((i) => strides[i] as number),
  );
  return { data: yield* gathered(data, places), rows, width };
}

/** Rows along `axis` back to where they stand in the tensor. */
export function* fromRows(values: Float64Array, shape: readonly number[], axis: number): Paced<Float64Array> {
  if (axis === shape.length - 1) return values;
  const kept = shape.flatMap((_, i) => (i === axis ? [] : [i]));
  const order = [...kept, axis];
  const strides = stridesOf(order.map((i) => shape[i] as number));
  const back = shape.map((_, i) => strides[order.indexOf(i)] as number);
  return yield* gathered(values, yield* walked(shape, back));
}

export const needed = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new Error(`an operation without ${name}`);
  return value;
};
