/** Numbers that stand beside a tensor, as broadcasting puts them there. */
import { count, type Dense } from '../../tensor';

/** Each number where it stands beside a tensor of this shape; undefined where it does not fit. */
export function spreadOver({ shape: own, data }: Dense, shape: readonly number[]): Float64Array | undefined {
  const sizes = [...new Array<number>(Math.max(0, shape.length - own.length)).fill(1), ...own];
  if (sizes.length !== shape.length || sizes.some((size, d) => size !== 1 && size !== shape[d])) return undefined;
  return Float64Array.from({ length: count(shape) }, (_, flat) => {
    let [rest, at, stride] = [flat, 0, 1];
    for (let d = shape.length - 1; d >= 0; d--) {
      const index = rest % (shape[d] as number);
      rest = Math.floor(rest / (shape[d] as number));
      if (sizes[d] !== 1) at += index * stride;
      stride *= sizes[d] as number;
    }
    return data[at] as number;
  });
}
