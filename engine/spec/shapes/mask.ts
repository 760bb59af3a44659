import { dimsOf, type Dims } from '../dims';

/**
 * The shape that a mask takes beside the scores: its own, with each axis of size 1 as large as that of the scores, as NumPy and PyTorch
 * broadcast it (b×1×n×m serves every head, 1×m every query, n×1 every key). Undefined where it does not fit.
 */
export function maskShape(mask: Dims, scores: Dims): Dims | undefined {
  const offset = scores.length - mask.length;
  if (offset < 0) return undefined;
  const fits = mask.every((size, i) => size === 1 || size === scores[offset + i]);
  return fits ? mask.map((size, i) => scores[offset + i] ?? size) : undefined;
}

/** Nested arrays in a shape: axes of size 1 are repeated, by reference but for the rows' own numbers. */
export function spread(nested: unknown, [size = 1, ...rest]: Dims): unknown {
  if (!Array.isArray(nested)) return nested;
  const items: readonly unknown[] = nested.length === 1 ? new Array<unknown>(size).fill(nested[0]) : nested;
  return rest.length === 0 ? items : items.map((item) => spread(item, rest));
}

/**
 * Writes the numbers of nested arrays into `out`, in row-major order of a shape: axes of size 1 are repeated, and so is a flat list (a bias)
 * as the one row of a matrix. Throws (our bug: shapes were checked) where they do not fit.
 */
export function writeSpread(nested: unknown, shape: Dims, numberOf: (leaf: unknown) => number, out: Values): void {
  const missing = shape.length - dimsOf(nested as readonly unknown[]).length;
  const sizes = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const write = (at: unknown, axis: number, from: number): void => {
    if (axis === shape.length) {
      out[from] = numberOf(at);
      return;
    }
    const [count, size] = [shape[axis] ?? 1, sizes[axis] ?? 1];
    const items = axis < missing ? [at] : (at as readonly unknown[]);
    if (items.length !== count && items.length !== 1) throw new Error(`${items.length} values for ${shape.join('×')}`);
    items.forEach((item, i) => write(item, axis + 1, from + i * size));
    for (let i = items.length; i < count; i++) out.copyWithin(from + i * size, from, from + size);
  };
  write(nested, 0, 0);
}

type Values = Float64Array | Float32Array;
