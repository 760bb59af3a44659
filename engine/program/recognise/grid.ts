/** The size of an attention in words. */
import { formatShape, type Shape } from '../tensor/dims';
import type { Attention } from './index';

/** `6×6`: queries by keys, of weights of this shape. */
export function gridOf({ apart }: Attention, shape: Shape | undefined): string {
  if (!shape) return '?';
  const grid = apart ? apart.map((axis) => shape[axis] ?? 1) : shape.slice(-2);
  return formatShape(grid);
}
