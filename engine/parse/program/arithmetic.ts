import { t } from '../../text/l10n';
import { referenceKernels } from '../../run/backend/reference';
import { pow } from '../../math/math';
import type { TextRange } from '../../text/problems';
import { formatShape, sizeOf, tensor, type DType, type Tensor } from '../../math/tensor';
import type { Paced } from '../../text/pace';
import { defaultType, libraryOf, promote } from './dtypes';
import {
  arrayOf,
  describe,
  fit,
  isFloat,
  mostElements,
  refuse,
  scalar,
  type ArrayValue,
  type Library,
  type NumberType,
  type ScalarValue,
  type Value,
} from './values';

/** What may still be computed for one question: element operations and multiply-adds. */
export interface Budget {
  left: number;
  /** Arrays that are still to be filled in, in order: `settled` does it, with places to stop, before anybody reads them. */
  readonly unfilled: Paced<void>[];
}

/** Elements between two yields: a millisecond or two. */
const atOnce = 1 << 15;

/**
 * Fills an array of `count` items of a size. Few are filled at once; many, and whatever may read what is not filled yet, when the value is
 * `settled`: `fill` therefore reads no number before it is called.
 */
export function filling(
  { budget: { unfilled } }: Place,
  count: number,
  fill: (from: number, to: number) => void,
  size = 1,
): void {
  if (unfilled.length === 0 && count * size <= atOnce) fill(0, count);
  else unfilled.push(inParts(count, Math.max(1, Math.floor(atOnce / size)), fill));
}

function* inParts(count: number, part: number, fill: (from: number, to: number) => void): Paced<void> {
  for (let from = 0; from < count; from += part) {
    fill(from, Math.min(count, from + part));
    yield;
  }
}

export interface Place extends TextRange {
  readonly budget: Budget;
}

export function spend(at: Place, operations: number): void {
  at.budget.left -= operations;
  if (!(at.budget.left >= 0))
    refuse(at, t('this would take more operations than are computed here'), t('Select fewer rows.'));
}

/** An array of zeros to be filled, when its size is bounded. */
export function room(at: Place, shape: readonly number[]): Float64Array {
  const size = sizeOf(shape);
  if (!(size <= mostElements) || shape.length > 4)
    refuse(
      at,
      t(
        '{0} is more than is computed ({1} numbers, 4 dimensions)',
        formatShape(shape),
        mostElements.toLocaleString('en'),
      ),
    );
  spend(at, size);
  return new Float64Array(size);
}

export type Operand = ArrayValue | ScalarValue;

export const operand = (value: Value, at: TextRange): Operand =>
  value.kind === 'array' || value.kind === 'scalar'
    ? value
    : refuse(at, t('{0} is neither a number nor a matrix', describe(value)));

export function array(value: Value, at: TextRange): ArrayValue {
  if (value.kind === 'array') return value;
  return refuse(at, t('{0} is no matrix', describe(value)));
}

const compute: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => x / y,
  '==': (x, y) => (x === y ? 1 : 0),
  '!=': (x, y) => (x !== y ? 1 : 0),
  '<': (x, y) => (x < y ? 1 : 0),
  '<=': (x, y) => (x <= y ? 1 : 0),
  '>': (x, y) => (x > y ? 1 : 0),
  '>=': (x, y) => (x >= y ? 1 : 0),
  '&': (x, y) => (x && y ? 1 : 0),
  '|': (x, y) => (x || y ? 1 : 0),
};

/** `a ∘ b` by the rules of Python and of the operands' library. */
export function operate(operator: string, left: Value, right: Value, at: Place): Value {
  if (operator === '@') return matmul(array(left, at), array(right, at), at);
  const [a, b] = beside(operand(left, at), operand(right, at));
  if (operator === '**') return power(a, b, at);
  if (a.kind === 'scalar' && b.kind === 'scalar') return operateScalars(operator, a, b, at);
  if ((a.kind === 'array' && a.library === 'list') || (b.kind === 'array' && b.library === 'list'))
    if (libraryOf(a, b, at) === 'list')
      refuse(at, t('{0} on a Python list is no arithmetic', operator), t('Make it an array: np.array(…).'));
  return elementwise(operator, a, b, at);
}

/** A single number of NumPy's beside another library's tensor is a number of Python's. */
function beside(a: Operand, b: Operand): [Operand, Operand] {
  const plain = (x: Operand, other: Operand): Operand => {
    const foreign = other.kind === 'array' && (other.library === 'torch' || other.library === 'jax');
    return foreign && x.kind === 'array' && x.library === 'numpy' && x.shape.length === 0 && isFloat(x.dtype)
      ? scalar(x.values[0] ?? 0, 'float')
      : x;
  };
  return [plain(a, b), plain(b, a)];
}

function operateScalars(operator: string, a: ScalarValue, b: ScalarValue, at: Place): ScalarValue {
  const [x, y] = [a.value, b.value];
  const whole = a.type !== 'float' && b.type !== 'float';
  if ((operator === '/' || operator === '//' || operator === '%') && y === 0) return refuse(at, t('division by zero'));
  if (operator === '//' || operator === '%') {
    if (!whole) return refuse(at, t('{0} of fractions is not computed', operator));
    return exact(operator === '//' ? Math.floor(x / y) : x - y * Math.floor(x / y), at);
  }
  const f = compute[operator];
  if (!f || ((operator === '&' || operator === '|') && !(a.type === 'bool' && b.type === 'bool')))
    return refuse(at, t('{0} is not computed', operator));
  const value = f(x, y);
  if (/^[=!<>&|]/.test(operator)) return scalar(value, 'bool');
  return whole && operator !== '/' ? exact(value, at) : scalar(value, 'float');
}

/** A whole number that is exact. */
const exact = (value: number, at: TextRange): ScalarValue =>
  Number.isSafeInteger(value) ? scalar(value, 'int') : refuse(at, t('a whole number beyond 2**53 is not computed'));

function power(a: Operand, b: Operand, at: Place): Value {
  if (b.kind !== 'scalar') return refuse(at, t('** with a matrix as exponent is not computed'));
  if (a.kind === 'scalar') {
    if (a.type !== 'float' && b.type !== 'float' && b.value >= 0) return exact(pow(a.value, b.value), at);
    if (a.value < 0 || (a.value === 0 && b.value < 0))
      return refuse(at, t('{0} ** {1} is not computed', a.value, b.value));
    return scalar(pow(a.value, b.value), 'float');
  }
  if (a.library === 'list') return refuse(at, t('** on a Python list is no arithmetic'));
  if (b.value === 2) return elementwise('*', a, a, at);
  if (b.value === 0.5 && isFloat(a.dtype)) return mapped(a, a.dtype, Math.sqrt, at);
  return refuse(at, t('a matrix ** {0} is not computed', b.value));
}

/** Each element by itself, rounded to the dtype. */
export function mapped(a: ArrayValue, dtype: NumberType, f: (x: number) => number, at: Place): ArrayValue {
  const { length } = a.values;
  spend(at, length);
  const values = new Float64Array(length);
  filling(at, length, (from, to) => {
    for (let i = from; i < to; i++) values[i] = fit(f(a.values[i] as number), dtype, at);
  });
  return { ...a, dtype, values };
}

export function elementwise(operator: string, a: Operand, b: Operand, at: Place): ArrayValue {
  const f = compute[operator];
  if (!f) return refuse(at, t('{0} on a matrix is not computed', operator));
  const library = libraryOf(a, b, at);
  const compares = /^[=!<>]/.test(operator);
  const dtype = promote(a, b, at, operator === '/');
  const logical = operator === '&' || operator === '|';
  if (logical ? dtype !== 'bool' : dtype === 'bool' && !compares)
    refuse(at, t('{0} on {1} is not computed', operator, dtype));
  const shape = broadcastShape(shapeOf(a), shapeOf(b), at);
  const [x, y] = [stretched(a, shape, dtype, at), stretched(b, shape, dtype, at)];
  const out = room(at, shape);
  const type = compares ? 'bool' : dtype;
  filling(at, out.length, (from, to) => {
    for (let i = from; i < to; i++) out[i] = fit(f(x[i] as number, y[i] as number), type, at);
  });
  return arrayOf(library, type, shape, out);
}

const shapeOf = (a: Operand): readonly number[] => (a.kind === 'scalar' ? [] : a.shape);

/** NumPy's rule: dimensions from the right, where one side has 1 it is repeated. */
export function broadcastShape(a: readonly number[], b: readonly number[], at: TextRange): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const [x, y] = [a[a.length - rank + i] ?? 1, b[b.length - rank + i] ?? 1];
    if (x !== y && x !== 1 && y !== 1) refuse(at, t('shapes {0} and {1} do not fit', formatShape(a), formatShape(b)));
    return x === 1 ? y : x;
  });
}

/** An operand's values in a dtype, repeated to a shape that it fits; the operand's own where they are so already. */
export function stretched(a: Operand, shape: readonly number[], dtype: NumberType, at: Place): Float64Array {
  if (a.kind === 'scalar') return room(at, shape).fill(fit(a.value, dtype, at));
  const own = a.shape;
  if (a.dtype === dtype && own.join() === shape.join()) return a.values;
  const steps = shape.map((_, d) => {
    const i = own.length - shape.length + d;
    return i < 0 || own[i] === 1 ? 0 : sizeOf(own.slice(i + 1));
  });
  return along(a, shape, steps, at, (x) => fit(x, dtype, at));
}

/** Values of `a` along given steps, one for each dimension of the result, row-major. */
export function along(
  a: ArrayValue,
  shape: readonly number[],
  steps: readonly number[],
  at: Place,
  round: (x: number) => number,
): Float64Array {
  const out = room(at, shape);
  filling(at, out.length, (start, stop) => {
    const index = shape.map((size, d) => Math.floor(start / sizeOf(shape.slice(d + 1))) % size);
    let from = index.reduce((sum, i, d) => sum + i * (steps[d] as number), 0);
    for (let i = start; i < stop; i++) {
      out[i] = round(a.values[from] as number);
      for (let d = shape.length - 1; d >= 0; d--) {
        from += steps[d] as number;
        index[d] = (index[d] as number) + 1;
        if ((index[d] as number) < (shape[d] as number)) break;
        from -= (steps[d] as number) * (shape[d] as number);
        index[d] = 0;
      }
    }
  });
  return out;
}

/** `a @ b`: sums in index order, each operation rounded in float32. Vectors as NumPy takes them. */
export function matmul(a: ArrayValue, b: ArrayValue, at: Place): ArrayValue {
  const library = libraryOf(a, b, at);
  if (library === 'list') refuse(at, t('@ on Python lists is no product'), t('Make them arrays: np.array(…).'));
  const dtype = promote(a, b, at);
  if (dtype === 'bool') refuse(at, t('the product of truth values is not computed'));
  if (library === 'torch' && a.dtype !== b.dtype && a.library === b.library)
    refuse(at, t('PyTorch does not multiply {0} and {1}', a.dtype, b.dtype));
  const [left, right] = [
    a.shape.length === 1 ? [1, ...a.shape] : a.shape,
    b.shape.length === 1 ? [...b.shape, 1] : b.shape,
  ];
  const shape = productShape(left, right, { a, b, at });
  const kernel: DType = dtype === 'float32' ? 'float32' : 'float64';
  spend(at, sizeOf(shape) * (left.at(-1) ?? 1));
  const values = room(at, shape);
  const factors = (): readonly [Tensor, Tensor] => [tensor(kernel, left, a.values), tensor(kernel, right, b.values)];
  at.budget.unfilled.push(multiplying(factors, shape, values, (x) => fit(x, dtype, at)));
  const dropped = shape.filter(
    (_, d) => !(a.shape.length === 1 && d === shape.length - 2) && !(b.shape.length === 1 && d === shape.length - 1),
  );
  return arrayOf(library, dtype, dropped, values);
}

/** Multiply-adds between two yields: a millisecond or two. */
const productAtOnce = 1 << 20;

/** …×n×k times k×m or …×k×m into `out`, a few rows at a time, each cell as in one go. */
function* multiplying(
  factorsOf: () => readonly [Tensor, Tensor],
  shape: readonly number[],
  out: Float64Array,
  round: (x: number) => number,
): Paced<void> {
  const [n = 0, m = 0] = shape.slice(-2);
  const [a, b] = factorsOf();
  const k = a.shape.at(-1) ?? 0;
  const rows = Math.max(1, Math.floor(productAtOnce / Math.max(1, k * m)));
  const part = (t: Tensor, dims: readonly number[], from: number): Tensor => ({
    dtype: t.dtype,
    shape: dims,
    data: t.data.subarray(from, from + sizeOf(dims)),
  });
  for (let row = 0; row * m < out.length;) {
    const batch = Math.floor(row / n);
    const count = Math.min(rows, (batch + 1) * n - row);
    const factors = [part(a, [count, k], row * k), part(b, [k, m], b.data.length === k * m ? 0 : batch * k * m)];
    const product = referenceKernels.matmul({ op: 'matmul', transposeB: false }, factors, [count, m], a.dtype);
    product.data.forEach((x, i) => (out[row * m + i] = round(x)));
    row += count;
    yield;
  }
}

/** A value whose arrays are filled in. */
export function* settled<T>(value: T, { budget: { unfilled } }: Place): Paced<T> {
  for (let array = unfilled.shift(); array; array = unfilled.shift()) yield* array;
  return value;
}

interface Factors {
  readonly a: ArrayValue;
  readonly b: ArrayValue;
  readonly at: Place;
}

function productShape(left: readonly number[], right: readonly number[], { a, b, at }: Factors): number[] {
  const unfit = (why: string): never => refuse(at, `${formatShape(a.shape)} @ ${formatShape(b.shape)}: ${why}`);
  if (a.shape.length === 0 || b.shape.length === 0) return unfit(t('a single number has no product of matrices'));
  if (left.at(-1) !== right.at(-2))
    return unfit(t('{0} columns on the left, {1} rows on the right', left.at(-1), right.at(-2)));
  const [leadA, leadB] = [left.slice(0, -2), right.slice(0, -2)];
  if (leadB.length > 0 && leadA.join() !== leadB.join()) return unfit(t('batches that differ are not computed'));
  return [...leadA, left.at(-2) ?? 0, right.at(-1) ?? 0];
}

/** A number of Python's as a library's single number. */
export function asArray(value: Operand, library: Library): ArrayValue {
  if (value.kind === 'array') return value;
  return arrayOf(library, defaultType(library, value.type), [], Float64Array.of(value.value));
}
