/** What only moves cells: permutations, slices, joins, picks by index, writes. */
import type { Paced } from '../../../text';
import { count, NotComputed, stridesOf, type Dense } from '../dense';
import { Raised } from '../errors';
import { rounding } from '../dtypes';
import { filled, gathered, needed, spread, walked, type Kernel, type Result } from './support';

const first = (operands: readonly Dense[]): Dense => needed(operands[0], 'an operand');

export const permute: Kernel = function* (operands, { attributes, shape }) {
  const strides = stridesOf(first(operands).shape);
  const moved = needed(attributes.axes, 'axes').map((axis) => strides[axis] as number);
  return yield* gathered(first(operands).data, yield* walked(shape, moved));
};

export const reshape: Kernel = function* (operands) {
  yield;
  return first(operands).data;
};

export const expand: Kernel = function* (operands, { shape }) {
  return yield* spread(first(operands), shape);
};

/** Starts and steps for each axis of the operand; the result's sizes say how many. */
export const slice: Kernel = function* (operands, { attributes, shape }) {
  const strides = stridesOf(first(operands).shape);
  const offset = strides.reduce((sum, stride, i) => sum + stride * (attributes.starts?.[i] ?? 0), 0);
  const steps = strides.map((stride, i) => stride * (attributes.steps?.[i] ?? 1));
  return yield* gathered(first(operands).data, yield* walked(shape, steps, offset));
};

/** A view of another's storage, by offset and strides. */
export const strided: Kernel = function* (operands, { attributes, shape }) {
  const places = yield* walked(shape, needed(attributes.strides, 'strides'), attributes.offset ?? 0);
  return yield* gathered(first(operands).data, places);
};

/** The first operand with the second written into a view of it. */
export const write: Kernel = function* ([base, value], { attributes, dtype }) {
  const view = needed(attributes.shape, 'shape') as readonly number[];
  const places = yield* walked(view, needed(attributes.strides, 'strides'), attributes.offset ?? 0);
  const values = yield* spread(needed(value, 'value'), view);
  const out = needed(base, 'a base').data.slice();
  for (let i = 0; i < places.length; i++) out[places[i] as number] = rounding[dtype](values[i] as number);
  return out;
};

export const cast: Kernel = (operands, { dtype, shape }) => {
  const { data } = first(operands);
  const whole = dtype !== 'bool' && !dtype.includes('float');
  // What comes of it depends on the processor.
  if (whole && data.some((x) => !Number.isFinite(x))) throw new NotComputed(`NaN, ∞ → ${dtype}`);
  return filled(count(shape), dtype, (i) => (whole ? Math.trunc(data[i] as number) : (data[i] as number)));
};

export const concat: Kernel = function* (operands, { shape, attributes }) {
  const axis = needed(attributes.axis, 'axis');
  const out = new Float64Array(count(shape));
  const inner = count(shape.slice(axis + 1));
  const outer = count(shape.slice(0, axis));
  const width = (shape[axis] as number) * inner;
  let start = 0;
  for (const operand of operands) {
    const own = (operand.shape[axis] as number) * inner;
    for (let i = 0; i < outer; i++) out.set(operand.data.subarray(i * own, (i + 1) * own), i * width + start);
    start += own;
    yield;
  }
  return out;
};

/** The lower or upper triangle from diagonal k on; the rest is 0. */
const triangle =
  (keeps: (row: number, column: number, k: number) => boolean): Kernel =>
  (operands, { shape, dtype, attributes }) => {
    const [n, m] = [shape.at(-2) as number, shape.at(-1) as number];
    const { data } = first(operands);
    const k = attributes.k ?? 0;
    return filled(count(shape), dtype, (i) => (keeps(Math.floor(i / m) % n, i % m, k) ? (data[i] as number) : 0));
  };
export const tril = triangle((row, column, k) => column - row <= k);
export const triu = triangle((row, column, k) => column - row >= k);

/** The diagonal k of the last two axes. */
export const diagonal: Kernel = function* (operands, { shape, attributes }) {
  const dense = first(operands);
  const strides = stridesOf(dense.shape);
  const [down, right] = [strides.at(-2) as number, strides.at(-1) as number];
  const k = attributes.k ?? 0;
  const steps = [...strides.slice(0, -2), down + right];
  return yield* gathered(dense.data, yield* walked(shape, steps, k >= 0 ? k * right : -k * down));
};

/** A vector on diagonal k of a square of zeros. */
export const diagonalMatrix: Kernel = (operands, { shape, dtype, attributes }) => {
  const { data } = first(operands);
  const k = attributes.k ?? 0;
  const m = shape.at(-1) as number;
  return filled(count(shape), dtype, (i) => {
    const [row, column] = [Math.floor(i / m), i % m];
    return column - row === k ? (data[Math.min(row, column)] as number) : 0;
  });
};

/** Each element of the result from one of the operand: `place` maps an index of the result to one of the operand. */
const remapped =
  (place: (index: readonly number[], operand: Dense, result: Result) => readonly number[]): Kernel =>
  (operands, result) => {
    const dense = first(operands);
    const [strides, steps] = [stridesOf(dense.shape), stridesOf(result.shape)];
    const indexOf = (i: number): number[] =>
      steps.map((step, axis) => Math.floor(i / step) % (result.shape[axis] as number));
    const at = (i: number): number =>
      place(indexOf(i), dense, result).reduce((sum, x, axis) => sum + x * (strides[axis] as number), 0);
    return filled(count(result.shape), result.dtype, (i) => dense.data[at(i)] as number, 16);
  };

const wrap = (x: number, size: number): number => ((x % size) + size) % size;

export const flip = remapped((index, { shape }, { attributes }) =>
  index.map((x, axis) => (attributes.axes?.includes(axis) ? (shape[axis] as number) - 1 - x : x)),
);
export const roll = remapped((index, { shape }, { attributes }) =>
  index.map((x, axis) => {
    const at = attributes.axes?.indexOf(axis) ?? -1;
    return at < 0 ? x : wrap(x - (attributes.repeats?.[at] ?? 0), shape[axis] as number);
  }),
);
/** The operand again and again along each axis (its shape filled up with ones in front). */
export const tile = remapped((index, { shape }) =>
  index.slice(index.length - shape.length).map((x, axis) => x % (shape[axis] as number)),
);
/** Each element `repeats` times along an axis: one number, or one for each. */
export const repeatInterleave: Kernel = (operands, result) => {
  const { axis = 0, repeats = [] } = result.attributes;
  const sources = Array.from({ length: first(operands).shape[axis] as number }, (_, i) => i).flatMap((i) =>
    Array.from({ length: (repeats.length === 1 ? repeats[0] : repeats[i]) ?? 0 }, () => i),
  );
  return remapped((index) => index.map((x, i) => (i === axis ? (sources[x] as number) : x)))(operands, result);
};

/** A frame of one value around the operand: `repeats` holds how much before and after each axis. */
export const pad: Kernel = (operands, { shape, dtype, attributes }) => {
  const dense = first(operands);
  const [strides, steps] = [stridesOf(dense.shape), stridesOf(shape)];
  const before = shape.map((_, i) => attributes.repeats?.[2 * i] ?? 0);
  return filled(
    count(shape),
    dtype,
    (i) => {
      let place = 0;
      for (let axis = 0; axis < shape.length; axis++) {
        const x = (Math.floor(i / (steps[axis] as number)) % (shape[axis] as number)) - (before[axis] as number);
        if (x < 0 || x >= (dense.shape[axis] as number)) return attributes.value ?? 0;
        place += x * (strides[axis] as number);
      }
      return dense.data[place] as number;
    },
    16,
  );
};

/** An index counted from the front, or Python's refusal. */
export function checkedIndex(x: number, size: number, axis: number): number {
  if (x >= -size && x < size) return x < 0 ? x + size : x;
  throw new Raised('IndexError', `index ${x} is out of bounds for dimension ${axis} with size ${size}`);
}

/**
 * Places in the operand for a pick by whole-number tensors along `axes`: the result has their common shape at `axis`, and
 * the other axes around it.
 */
function* pickedPlaces(
  dense: Dense,
  indices: readonly Dense[],
  { attributes }: Result,
  picked: readonly number[],
): Paced<{ places: Int32Array; shape: number[] }> {
  const axes = needed(attributes.axes, 'axes');
  const at = needed(attributes.axis, 'axis');
  const strides = stridesOf(dense.shape);
  const offsets = new Float64Array(count(picked));
  for (const [n, index] of indices.entries()) {
    const axis = axes[n] as number;
    const values = yield* spread(index, picked);
    const size = dense.shape[axis] as number;
    for (let i = 0; i < offsets.length; i++)
      (offsets[i] as number) += checkedIndex(values[i] as number, size, axis) * (strides[axis] as number);
  }
  const kept = dense.shape.flatMap((_, i) => (axes.includes(i) ? [] : [i]));
  const [before, after] = [kept.slice(0, at), kept.slice(at)];
  const dims = (list: readonly number[]): number[] => list.map((i) => dense.shape[i] as number);
  const steps = (list: readonly number[]): number[] => list.map((i) => strides[i] as number);
  const outer = yield* walked(dims(before), steps(before));
  const inner = yield* walked(dims(after), steps(after));
  const places = new Int32Array(outer.length * offsets.length * inner.length);
  let i = 0;
  for (const o of outer) for (const p of offsets) for (const q of inner) places[i++] = o + p + q;
  yield;
  return { places, shape: [...dims(before), ...picked, ...dims(after)] };
}

const commonShape = (indices: readonly Dense[]): number[] => {
  const rank = Math.max(0, ...indices.map(({ shape }) => shape.length));
  return Array.from({ length: rank }, (_, i) => {
    const sizes = indices.map(({ shape }) => shape[i - rank + shape.length] ?? 1);
    return sizes.find((size) => size !== 1) ?? 1;
  });
};

/** `x[rows, columns]` with tensors of whole numbers. */
export const pick: Kernel = function* ([dense, ...indices], result) {
  const base = needed(dense, 'an operand');
  return yield* gathered(base.data, (yield* pickedPlaces(base, indices, result, commonShape(indices))).places);
};

/** `x[rows, columns] = value`, as a new tensor; `value` (of attributes) 1 adds instead. */
export const put: Kernel = function* ([dense, value, ...indices], result) {
  const base = needed(dense, 'an operand');
  const { places, shape } = yield* pickedPlaces(base, indices, result, commonShape(indices));
  const values = yield* spread(needed(value, 'value'), shape);
  const out = base.data.slice();
  const round = rounding[result.dtype];
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    out[place] = round(
      result.attributes.value === 1 ? (out[place] as number) + (values[i] as number) : (values[i] as number),
    );
  }
  return out;
};

/** `torch.gather`, `np.take_along_axis`: along one axis, the other indices are the result's own. */
export const gather: Kernel = (operands, result) => {
  const [dense, index] = [first(operands), needed(operands[1], 'an index')];
  const { axis = 0 } = result.attributes;
  const [strides, steps] = [stridesOf(dense.shape), stridesOf(result.shape)];
  return filled(
    index.data.length,
    result.dtype,
    (i) => {
      let place = 0;
      for (let a = 0; a < steps.length; a++) {
        const own = Math.floor(i / (steps[a] as number)) % (result.shape[a] as number);
        const x = a === axis ? checkedIndex(index.data[i] as number, dense.shape[a] as number, a) : own;
        place += x * (strides[a] as number);
      }
      return dense.data[place] as number;
    },
    16,
  );
};

/** `torch.scatter`: the operand with values at the places that an index names along one axis. */
export const scatter: Kernel = function* ([dense, index, value], result) {
  const [base, at] = [needed(dense, 'an operand'), needed(index, 'an index')];
  const { axis = 0 } = result.attributes;
  const values = yield* spread(needed(value, 'value'), at.shape);
  const [strides, steps] = [stridesOf(base.shape), stridesOf(at.shape)];
  const out = base.data.slice();
  for (let i = 0; i < at.data.length; i++) {
    let place = 0;
    for (let a = 0; a < steps.length; a++) {
      const own = Math.floor(i / (steps[a] as number)) % (at.shape[a] as number);
      const x = a === axis ? checkedIndex(at.data[i] as number, base.shape[a] as number, a) : own;
      place += x * (strides[a] as number);
    }
    out[place] = rounding[result.dtype](
      (result.attributes.value === 1 ? (out[place] as number) : 0) + (values[i] as number),
    );
  }
  yield;
  return out;
};

/** Where the operand is not 0, along one axis. The result's size is found before there is a node of it. */
export const nonzero: Kernel = function* (operands, { attributes }) {
  const { data, shape } = first(operands);
  const { axis = 0 } = attributes;
  const step = stridesOf(shape)[axis] as number;
  const found: number[] = [];
  for (let i = 0; i < data.length; i++) if (data[i] !== 0) found.push(Math.floor(i / step) % (shape[axis] as number));
  yield;
  return Float64Array.from(found);
};
