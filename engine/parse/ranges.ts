import { t, type Problem, type TextRange } from '../text';

/** Most numbers of one range. */
const mostInRange = 10_000;

/**
 * The numbers of `first:step:last` in MATLAB, Octave and Julia. Octave counts from the front, MATLAB from both ends, and Julia rounds the exact
 * value. Undefined if these differ, if there are no numbers, or too many.
 */
export function rangeOf(first: number, step: number, last: number): readonly number[] | undefined {
  const count = Math.floor((last - first) / step + 1e-9) + 1;
  if (!(count >= 1 && count <= mostInRange)) return undefined;
  return alike(first, first + (count - 1) * step, step, count);
}

/** `linspace(first, last, count)`, under the same condition. */
export function linspaceOf(first: number, last: number, count: number): readonly number[] | undefined {
  if (!(Number.isInteger(count) && count >= 2 && count <= mostInRange)) return undefined;
  return alike(first, last, (last - first) / (count - 1), count);
}

/** The numbers, if counting from either end gives the same. */
function alike(first: number, last: number, step: number, count: number): readonly number[] | undefined {
  const numbers = Array.from({ length: count }, (_, i) => first + i * step);
  const same = numbers.every((x, i) => x === last - (count - 1 - i) * step);
  return same && numbers.every(Number.isFinite) ? numbers : undefined;
}

export const rangeProblem = (written: string, range: TextRange): Problem => ({
  code: 'expression',
  message: t('{0} is a range that is not computed', written),
  hint: t(
    'Ranges of 1 to {0} numbers are, where all programs round them alike; print it and select the numbers.',
    mostInRange,
  ),
  range,
});
