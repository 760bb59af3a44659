/** The size of an attention in words. */
import { formatShape, multiply, type Dim, type Shape } from '../tensor';
import type { Attention } from './attention';

/** `6×6`: queries by keys, of weights of this shape. */
export function gridOf({ apart }: Attention, shape: Shape | undefined): string {
  if (!shape) return '?';
  const grid = apart ? apart.map((axes) => product(axes.map((axis) => shape[axis] ?? 1))) : shape.slice(-2);
  return formatShape(grid);
}

const product = (sizes: readonly Dim[]): Dim => sizes.reduce(multiply, 1);
