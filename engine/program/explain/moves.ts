/** What moves cells, as one step: which of the operand's cells each cell of the result is. */
import type { Paced } from '../../text';
import { type Node, count, stridesOf, type Dense, isKnownShape, operations, type Operation } from '../tensor';
import { isMove } from '../recognise';

/** Whether a node only moves the cells of its first operand; a cast to the same type changes none either. */
export const movesCells = (node: Node): boolean =>
  (isMove(node) && node.operands.length === 1 && !zeroes.has(node.operation)) ||
  (node.operation === 'cast' && node.operands[0]?.dtype === node.dtype);

const zeroes = new Set(['tril', 'triu', 'pad', 'diagonal_matrix', 'nonzero']);

/** Places of `node`'s cells in `base`, from which it comes by moves alone. */
export function* placesIn(node: Node, base: Node): Paced<readonly number[] | undefined> {
  const chain: Node[] = [];
  for (let at = node; at !== base; at = at.operands[0] as Node) chain.push(at);
  const size = count(knownShape(base));
  let places: Dense = {
    dtype: 'float64',
    shape: knownShape(base),
    data: Float64Array.from({ length: size }, (_, i) => i),
  };
  for (const { operation, attributes, shape } of chain.reverse()) {
    if (operation === 'cast') continue;
    const kernel = (operations as Readonly<Record<string, Operation>>)[operation]?.kernel;
    if (!kernel || !shape || !isKnownShape(shape) || attributes.origin === 'dropout') {
      if (attributes.origin === 'dropout') continue;
      return undefined;
    }
    places = { dtype: 'float64', shape, data: yield* kernel([places], { shape, dtype: 'float64', attributes }) };
  }
  return Array.from(places.data);
}

const knownShape = ({ shape }: Node): readonly number[] => (shape && isKnownShape(shape) ? shape : []);

/** Matrices have two axes at least; a vector is one row. */
export const asMatrix = (shape: readonly number[]): readonly number[] =>
  shape.length >= 2 ? shape : [1, ...(shape.length === 1 ? shape : [1])];

export interface View {
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Places as a view by strides, where they are one. */
export function viewOf(shape: readonly number[], places: readonly number[]): View | undefined {
  const own = stridesOf(shape);
  const offset = places[0] ?? 0;
  const strides = shape.map((size, d) => (size > 1 ? (places[own[d] as number] as number) - offset : 0));
  const fits = places.every((place, i) => {
    let [rest, at] = [i, offset];
    for (let d = shape.length - 1; d >= 0; d--) {
      at += (rest % (shape[d] as number)) * (strides[d] as number);
      rest = Math.floor(rest / (shape[d] as number));
    }
    return at === place;
  });
  return fits ? { strides, offset } : undefined;
}
