import { t, fail, ok, type Problem, type Result } from '../text';
import { formatShape, sizeOf } from '../math';
import { isRounded, storedTypes, type NamedType, type StoredType } from './dtypes';
import { pauseTimer, stopped, viewOf, type ReadProgress } from './source';
import { readLimit, type ByteRange, type TensorSlice, type TensorValues } from './tensor-file';

/** How a tensor's numbers are arranged in its bytes. */
export interface Layout {
  readonly type: NamedType & { readonly stored: StoredType };
  readonly shape: readonly number[];
  /** Column-major (Fortran order): the first axis varies fastest. */
  readonly columnsFirst: boolean;
}

interface Axis {
  readonly from: number;
  readonly count: number;
  /** Distance between neighbours, in numbers. */
  readonly stride: number;
  readonly kept: boolean;
}

/** The offsets of a slice in a tensor. */
export interface Selection {
  readonly axes: readonly Axis[];
  readonly shape: readonly number[];
  /** The range of bytes, from the tensor's start, that contains the slice. In column-major order it includes other numbers too. */
  readonly bytes: ByteRange;
}

/** The offsets of a slice. Problems: an index or rows out of range (`slice`), more than `readLimit` numbers (`too-large`). */
export function selectionOf(layout: Layout, name: string, slice: TensorSlice = {}): Result<Selection> {
  const { shape, type } = layout;
  const problem = checkSlice(shape, name, slice);
  if (problem) return fail(problem);
  const strides = stridesOf(layout);
  const axes = shape.map((size, i) => ({ ...spanOf(shape, size, i, slice), stride: strides[i] as number }));
  const kept = axes.filter((axis) => axis.kept).map((axis) => axis.count);
  const count = sizeOf(kept);
  if (count > readLimit) return fail(tooManyNumbers(name, kept));
  const { size } = storedTypes[type.stored];
  const first = axes.reduce((sum, { from, stride }) => sum + from * stride, 0);
  const last = axes.reduce((sum, axis) => sum + (axis.from + axis.count - 1) * axis.stride, 0);
  const bytes = count === 0 ? { start: 0, end: 0 } : { start: first * size, end: (last + 1) * size };
  return ok({ axes, shape: kept, bytes });
}

function checkSlice(shape: readonly number[], name: string, { index = [], rows }: TensorSlice): Problem | undefined {
  const lead = Math.max(0, shape.length - 2);
  const called = name || t('the tensor');
  const outside = (message: string): Problem => ({
    code: 'slice',
    message: t('{0} is {1}: {2}', called, formatShape(shape), message),
  });
  if (index.length > lead) return outside(t('{0} indexes for {1} leading axes', index.length, lead));
  const wrong = index.findIndex((at, i) => at !== null && !isWithin(at, shape[i] as number));
  if (wrong >= 0)
    return outside(
      t('index {0} is outside of axis {1}, expected below {2}', Number(index[wrong]), wrong, shape[wrong]),
    );
  if (!rows) return undefined;
  const most = shape.at(-2);
  if (most === undefined) return outside(t('it has no rows'));
  const sound = isWithin(rows.start, most) && Number.isInteger(rows.end) && rows.end > rows.start && rows.end <= most;
  return sound ? undefined : outside(t('rows {0} to {1} are outside of it', rows.start, rows.end - 1));
}

const isWithin = (at: number, size: number): boolean => Number.isInteger(at) && at >= 0 && at < size;

function spanOf(shape: readonly number[], size: number, axis: number, { index, rows }: TensorSlice) {
  const at = axis < shape.length - 2 ? index?.[axis] : null;
  if (typeof at === 'number') return { from: at, count: 1, kept: false };
  if (rows && axis === shape.length - 2) return { from: rows.start, count: rows.end - rows.start, kept: true };
  return { from: 0, count: size, kept: true };
}

function tooManyNumbers(name: string, shape: readonly number[]): Problem {
  return {
    code: 'too-large',
    message: t(
      '{0}: {1} are {2} numbers, the limit is {3}',
      name || t('the tensor'),
      formatShape(shape),
      sizeOf(shape),
      readLimit,
    ),
    hint: t('Take fewer rows or one index of the first axis.'),
  };
}

function stridesOf({ shape, columnsFirst }: Layout): number[] {
  const strides: number[] = new Array<number>(shape.length);
  let stride = 1;
  for (let i = 0; i < shape.length; i++) {
    const axis = columnsFirst ? i : shape.length - 1 - i;
    strides[axis] = stride;
    stride *= shape[axis] as number;
  }
  return strides;
}

/** Numbers converted between two checks of the clock: about a millisecond. */
const numbersPerPart = 1 << 15;

/** Decodes the numbers of a selection from the bytes of `selection.bytes`. Never throws; pauses now and then. */
export async function decodeSelection(
  { type }: Layout,
  { axes, shape, bytes: range }: Selection,
  bytes: Uint8Array,
  watch?: ReadProgress,
): Promise<Result<TensorValues>> {
  const { size, decode } = storedTypes[type.stored];
  const view = viewOf(bytes);
  const values = new Float64Array(sizeOf(shape));
  const odd = oddities(type);
  const walk = walkOf(axes);
  const breathe = pauseTimer(watch);
  for (let i = 0; i < values.length; i++) {
    const at = walk.at * size - range.start;
    values[i] = decode(view, at, type.little);
    odd?.see(view, at, i);
    walk.next();
    if (i % numbersPerPart !== numbersPerPart - 1) continue;
    if (!(await breathe((i + 1) / values.length))) return fail(stopped);
  }
  return ok({ shape, values, notes: odd?.notes(values, shape) ?? [] });
}

/** Iterates over the offsets of a selection in row-major order. */
function walkOf(axes: readonly Axis[]): { at: number; next(): void } {
  const counters = axes.map(() => 0);
  const walk = {
    at: axes.reduce((sum, { from, stride }) => sum + from * stride, 0),
    next() {
      for (let i = axes.length - 1; i >= 0; i--) {
        const { count, stride } = axes[i] as Axis;
        const done = (counters[i] as number) + 1;
        counters[i] = done < count ? done : 0;
        walk.at += done < count ? stride : -(count - 1) * stride;
        if (done < count) return;
      }
    },
  };
  return walk;
}

interface Oddities {
  see(view: DataView, at: number, i: number): void;
  notes(values: Float64Array, shape: readonly number[]): string[];
}

/** Counts integers that float64 cannot hold, or booleans other than 0 and 1; undefined for types that have neither. */
function oddities({ stored, little }: Layout['type']): Oddities | undefined {
  const isOdd = oddTest(stored, little);
  if (!isOdd) return undefined;
  let [count, first] = [0, 0];
  return {
    see(view, at, i) {
      if (isOdd(view, at) && count++ === 0) first = i;
    },
    notes(values, shape) {
      if (count === 0) return [];
      const place = `[${placeOf(first, shape).join(', ')}]`;
      return [stored === 'bool' ? oddTruth(count, place) : roundedTo(count, stored, place, String(values[first]))];
    },
  };
}

const oddTruth = (count: number, place: string): string =>
  count === 1
    ? t('{0} truth values are neither 0 nor 1, at {1}; they count as true.', count, place)
    : t('{0} truth values are neither 0 nor 1, the first at {1}; they count as true.', count, place);

const roundedTo = (count: number, stored: string, place: string, value: string): string =>
  count === 1
    ? t('{0} {1} beyond 2^53 rounded to float64, at {2}: {3}.', count, stored, place, value)
    : t('{0} {1} beyond 2^53 rounded to float64, the first at {2}: {3}.', count, stored, place, value);

function oddTest(stored: StoredType, little: boolean): ((view: DataView, at: number) => boolean) | undefined {
  if (stored === 'bool') return (view, at) => view.getUint8(at) > 1;
  if (stored !== 'int64' && stored !== 'uint64') return undefined;
  return (view, at) => isRounded(view, at, little, stored === 'int64');
}

function placeOf(i: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  let rest = i;
  for (const size of [...shape].reverse()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return place;
}
