/** A JSON-safe number: JSON has no infinities, NaN or negative zero, so those are strings. */
export type SpecNumber = number | 'inf' | '-inf' | 'nan' | '-0';

/** Rows of a matrix, each of the same length. */
export type SpecMatrix = readonly (readonly SpecNumber[])[];

/** A matrix; one for each head; or for each head of each input of a batch. For X and the context: one, or one for each input. */
export type SpecHeads = SpecMatrix | readonly SpecMatrix[] | readonly (readonly SpecMatrix[])[];

export function encodeNumber(x: number): SpecNumber {
  if (Number.isNaN(x)) return 'nan';
  if (x === Infinity) return 'inf';
  if (x === -Infinity) return '-inf';
  return Object.is(x, -0) ? '-0' : x;
}

export function decodeNumber(x: SpecNumber): number {
  if (typeof x === 'number') return x;
  return x === 'nan' ? NaN : x === 'inf' ? Infinity : x === '-inf' ? -Infinity : -0;
}

/** Row-major values to the rows of a spec. */
export function encodeMatrix(shape: readonly [number, number], values: ArrayLike<number>): SpecNumber[][] {
  const [rows, columns] = shape;
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => encodeNumber(values[i * columns + j] as number)),
  );
}
