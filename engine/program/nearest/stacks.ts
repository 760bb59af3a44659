/** Tensors of a program as stacks of matrices, each axis by its letter: whatever order a program keeps heads, tokens and features in. */
import type { Node, Dense } from '../tensor';

/** A product of two tensors: the letters of both operands' axes and of its own. */
export interface Product {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly out: readonly string[];
}

/** Undefined of what is no product of two tensors, or leaves axes unnamed. */
export function productOf({ operation, operands, attributes, shape }: Node): Product | undefined {
  const [a, b] = operands;
  if (!a?.shape || !b?.shape || !shape) return undefined;
  if (operation === 'einsum') return ofEquation(attributes.equation ?? '');
  if (operation !== 'matmul' || a.shape.length < 2 || b.shape.length < 2) return undefined;
  const lead = (rank: number): string[] => Array.from({ length: rank - 2 }, (_, i) => `lead${rank - 3 - i}`);
  return {
    left: [...lead(a.shape.length), 'i', 'c'],
    right: [...lead(b.shape.length), 'c', 'j'],
    out: [...lead(shape.length), 'i', 'j'],
  };
}

function ofEquation(equation: string): Product | undefined {
  const [, left, right, out] = /^\s*(\w+)\s*,\s*(\w+)\s*->\s*(\w+)\s*$/.exec(equation) ?? [];
  return left && right && out ? { left: [...left], right: [...right], out: [...out] } : undefined;
}

/** The cells of a tensor in another order of its axes; an axis that it lacks, or has once, is repeated. Undefined where a letter stands twice or a size does not fit. */
export function arranged(
  { data, shape }: Dense,
  letters: readonly string[],
  wanted: readonly string[],
  sizes: readonly number[],
): Float64Array | undefined {
  if (new Set(letters).size < letters.length || letters.length !== shape.length) return undefined;
  if (letters.some((letter, d) => shape[d] !== 1 && sizes[wanted.indexOf(letter)] !== shape[d])) return undefined;
  const strides = wanted.map((letter) => {
    const d = letters.indexOf(letter);
    return d < 0 || shape[d] === 1 ? 0 : shape.slice(d + 1).reduce((a, b) => a * b, 1);
  });
  const out = new Float64Array(sizes.reduce((a, b) => a * b, 1));
  const index = new Array<number>(sizes.length).fill(0);
  for (let i = 0, at = 0; i < out.length; i++) {
    out[i] = data[at] as number;
    for (let d = sizes.length - 1; d >= 0; d--) {
      at += strides[d] as number;
      if (++(index[d] as number) < (sizes[d] as number)) break;
      at -= (strides[d] as number) * (sizes[d] as number);
      index[d] = 0;
    }
  }
  return out;
}
