/** Leaves whose values only a run knows (draws without a seed), and what a notebook printed of them. */
import type { Dense, DType, Node, Shape } from '../tensor';
import { isKnownShape, rounding } from '../tensor';

/** A matrix as it was printed: its numbers are right to half a unit of their last digit. */
export interface KeptValues {
  readonly shape: readonly number[];
  readonly data: Float64Array;
  /** How far each number may be off. */
  readonly slack: Float64Array;
}

/** Values by the leaf's key: where it stands, what made it, and which one of its place it is. */
export type KeptDraws = ReadonlyMap<string, KeptValues>;

/** What PyTorch draws for dropout by itself, and what it has drawn by MKL on processors of Intel. */
export interface ByProcessor<T> {
  readonly own?: T;
  readonly intel?: T;
}

export interface KeptLeaves {
  readonly given: KeptDraws;
  readonly counts: Map<string, number>;
  /** Of each leaf that is known in shape only, its key. */
  readonly keys: Map<Node, string>;
  /** Leaves that took what was printed. */
  readonly used: Map<Node, KeptValues>;
  /** Of dropout in training that a seed precedes: 1 for each element that stays, 0 for one that goes. */
  readonly stays: Map<Node, ByProcessor<Uint8Array>>;
}

export const newKeptLeaves = (given: KeptDraws = new Map()): KeptLeaves => ({
  given,
  counts: new Map(),
  keys: new Map(),
  used: new Map(),
  stays: new Map(),
});

/** The key of the next leaf of a place. */
export function nextKey({ counts }: KeptLeaves, start: number, origin: string): string {
  const place = `${start} ${origin}`;
  const nth = counts.get(place) ?? 0;
  counts.set(place, nth + 1);
  return `${place} ${nth}`;
}

export function keptFor({ given }: KeptLeaves, key: string, shape: Shape): KeptValues | undefined {
  const found = given.get(key);
  return found && isKnownShape(shape) && shape.join() === found.shape.join() ? found : undefined;
}

export const denseOf = ({ shape, data }: KeptValues, dtype: DType): Dense => ({
  shape,
  dtype,
  data: data.map(rounding[dtype]),
});
