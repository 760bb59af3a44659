import { t } from '../../text/l10n';
import { counted } from '../../text/counted';
import type { TextRange } from '../../text/problems';
import { formatShape, sizeOf } from '../../math/tensor';
import { along, filling, room, spend, type Place } from './arithmetic';
import { promote } from './dtypes';
import { arrayOf, cast, refuse, type ArrayValue } from './values';

/** An axis, counted from the end when negative. */
export function axisOf(axis: number, rank: number, at: TextRange): number {
  const found = axis < 0 ? axis + rank : axis;
  return Number.isInteger(found) && found >= 0 && found < rank
    ? found
    : refuse(at, t('axis {0} of {1}', axis, counted(rank, 'dimension')));
}

/** Dimension `i` of the result is dimension `order[i]` of the operand. */
export function permute(a: ArrayValue, order: readonly number[], at: Place): ArrayValue {
  const rank = a.shape.length;
  const axes = order.map((axis) => axisOf(axis, rank, at));
  if (new Set(axes).size !== rank || axes.length !== rank)
    refuse(at, t('axes {0} are no order of {1} dimensions', order.join(', '), rank));
  const shape = axes.map((axis) => a.shape[axis] ?? 1);
  const strides = axes.map((axis) => sizeOf(a.shape.slice(axis + 1)));
  return { ...a, shape, values: along(a, shape, strides, at, (x) => x) };
}

export const reversed = (a: ArrayValue, at: Place): ArrayValue =>
  a.shape.length < 2
    ? a
    : permute(
        a,
        a.shape.map((_, d) => a.shape.length - 1 - d),
        at,
      );

export function swapped(a: ArrayValue, first: number, second: number, at: Place): ArrayValue {
  const rank = a.shape.length;
  const [x, y] = [axisOf(first, rank, at), axisOf(second, rank, at)];
  return permute(
    a,
    a.shape.map((_, d) => (d === x ? y : d === y ? x : d)),
    at,
  );
}

/** The same numbers in another shape; one size may be −1. */
export function reshape(a: ArrayValue, sizes: readonly number[], at: Place): ArrayValue {
  const unknown = sizes.indexOf(-1);
  const others = sizes.filter((_, i) => i !== unknown);
  const size = a.values.length;
  const rest = size / sizeOf(others);
  const shape = sizes.map((n, i) => (i === unknown ? rest : n));
  if (shape.some((n) => !Number.isInteger(n) || n < 0) || sizeOf(shape) !== size || shape.length > 4)
    refuse(at, t('{0} has {1} numbers, {2} does not', formatShape(a.shape), size, sizes.join('×')));
  return { ...a, shape };
}

export function squeeze(a: ArrayValue, axis: number | undefined, at: TextRange): ArrayValue {
  if (axis === undefined) return { ...a, shape: a.shape.filter((n) => n !== 1) };
  const d = axisOf(axis, a.shape.length, at);
  if (a.shape[d] === 1) return { ...a, shape: a.shape.filter((_, i) => i !== d) };
  return a.library === 'torch' ? a : refuse(at, t('axis {0} has {1}, not 1', axis, a.shape[d]));
}

export function unsqueeze(a: ArrayValue, axis: number, at: TextRange): ArrayValue {
  const d = axisOf(axis, a.shape.length + 1, at);
  if (a.shape.length >= 4) refuse(at, t('more than 4 dimensions are not computed'));
  return { ...a, shape: [...a.shape.slice(0, d), 1, ...a.shape.slice(d)] };
}

/** `a[i]`: one item of the first dimension. */
export function item(a: ArrayValue, i: number, at: Place): ArrayValue {
  const [n = 0, ...rest] = a.shape;
  const found = i < 0 ? i + n : i;
  if (a.shape.length === 0 || !(found >= 0 && found < n))
    refuse(at, t('[{0}] of {1} is outside', i, formatShape(a.shape)));
  const size = sizeOf(rest);
  spend(at, size);
  return { ...a, shape: rest, values: a.values.slice(found * size, (found + 1) * size) };
}

/** Below (`keep: 'lower'`) or above the k-th diagonal the numbers stay, elsewhere is 0; for the last two dimensions. */
export function triangle(a: ArrayValue, keep: 'lower' | 'upper', k: number, at: Place): ArrayValue {
  if (a.shape.length < 2) refuse(at, t('a triangle of {0} is not computed', formatShape(a.shape)));
  const values = room(at, a.shape);
  const [n, m] = [a.shape.at(-2) ?? 1, a.shape.at(-1) ?? 1];
  filling(at, values.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const over = (i % m) - (Math.floor(i / m) % n);
      if (keep === 'lower' ? over <= k : over >= k) values[i] = a.values[i] as number;
    }
  });
  return { ...a, values };
}

/** A vector on the k-th diagonal, or the k-th diagonal of a matrix. */
export function diagonal(a: ArrayValue, k: number, at: Place): ArrayValue {
  const [n = 0, m = 0] = a.shape;
  const [down, right] = [Math.max(0, -k), Math.max(0, k)];
  if (a.shape.length === 1) {
    const side = n + Math.abs(k);
    const values = room(at, [side, side]);
    a.values.forEach((x, i) => (values[(i + down) * side + i + right] = x));
    return { ...a, shape: [side, side], values };
  }
  if (a.shape.length !== 2) return refuse(at, t('the diagonal of {0} is not computed', formatShape(a.shape)));
  const length = Math.max(0, Math.min(n - down, m - right));
  const values = Float64Array.from({ length }, (_, i) => a.values[(i + down) * m + i + right] as number);
  return { ...a, shape: [length], values };
}

/** Side by side along an axis, in one dtype. */
export function concatenate(parts: readonly ArrayValue[], axis: number, at: Place): ArrayValue {
  const [first] = parts;
  if (!first || first.shape.length === 0) return refuse(at, t('there is nothing to join'));
  const d = axisOf(axis, first.shape.length, at);
  const others = (a: ArrayValue): string => a.shape.map((n, i) => (i === d ? '*' : n)).join('×');
  const unfit = parts.find((p) => others(p) !== others(first));
  if (unfit) refuse(at, t('{0} and {1} do not join', formatShape(first.shape), formatShape(unfit.shape)));
  const dtype = parts.reduce((type, p) => promote({ ...first, dtype: type }, p, at), first.dtype);
  const typed = parts.map((p) => cast(p, dtype, at));
  const shape = first.shape.map((n, i) => (i === d ? parts.reduce((sum, p) => sum + (p.shape[d] ?? 0), 0) : n));
  const values = room(at, shape);
  const runs = sizeOf(shape.slice(0, d));
  let to = 0;
  for (let run = 0; run < runs; run++)
    for (const p of typed) {
      const size = p.values.length / runs;
      values.set(p.values.subarray(run * size, (run + 1) * size), to);
      to += size;
    }
  return arrayOf(first.library, dtype, shape, values);
}

/** As rows of a new dimension. */
export function stack(parts: readonly ArrayValue[], axis: number, at: Place): ArrayValue {
  return concatenate(
    parts.map((p) => unsqueeze(p, axis, at)),
    axis,
    at,
  );
}
