import type { Dims } from '../dims';

/**
 * The shape that a mask takes beside the scores: its own, with each leading axis of size 1 as large as that of the scores, as NumPy and
 * PyTorch broadcast it (b×1×n×m serves every head). Undefined where it does not fit; queries and keys are never repeated.
 */
export function maskShape(mask: Dims, scores: Dims): Dims | undefined {
  const offset = scores.length - mask.length;
  const lead = mask.length - 2;
  const fits = mask.every((size, i) => size === scores[offset + i] || (size === 1 && i < lead && offset >= 0));
  return fits ? mask.map((size, i) => (i < lead ? (scores[offset + i] ?? size) : size)) : undefined;
}

/** Nested arrays in a shape: leading axes of size 1 are repeated, by reference. */
export function spread(nested: unknown, shape: Dims): unknown {
  const [size = 1, ...rest] = shape;
  if (shape.length < 3 || !Array.isArray(nested)) return nested;
  const items: readonly unknown[] = nested.length === 1 ? new Array<unknown>(size).fill(nested[0]) : nested;
  return items.map((item) => spread(item, rest));
}
