import type { Contender } from './measure';

/** Expects the ids that `reference` gives for each input, exactly. */
export function idsAs(
  reference: (input: number) => ArrayLike<number>,
  idsOf: (result: unknown) => ArrayLike<number>,
): Contender['check'] {
  return (result, input) => difference(idsOf(result), reference(input), () => 0);
}

/** The first index at which two lists differ by more than that index's bound; undefined if there is none. NaN equals NaN. */
export function difference(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  bound: (i: number) => number,
): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} values, expected ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    const [a, b] = [actual[i] as number, expected[i] as number];
    if (!Object.is(a, b) && !(Math.abs(a - b) <= bound(i))) return `${a} at ${i}, expected ${b}`;
  }
  return undefined;
}
