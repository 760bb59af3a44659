/** How probably a number meets a mistake's by chance. */
import { isSame, type Mistake } from './misconceptions';

/** Most that a number of this kind may be expected to meet one of the mistakes by chance. */
export const allowedChance = 0.1;

/**
 * How many of the mistakes' numbers an arbitrary number between the smallest and the largest of them is expected to meet: the count of different ones
 * times the width of the interval, over the span; for several cells the product.
 */
export function chanceOf(all: readonly Mistake[], truths: readonly number[], within: number): number {
  const different = all.filter(
    ({ values }, i) => !all.slice(0, i).some((other) => isSame(other.values, values, within)),
  );
  return truths.reduce((chance, truth, i) => {
    const numbers = [truth, ...different.map(({ values }) => values[i] ?? NaN)].filter((x) => Number.isFinite(x));
    const span = Math.max(...numbers) - Math.min(...numbers);
    return chance * Math.min(1, span > 0 ? (2 * within) / span : 1);
  }, different.length);
}

/** The interval that is counted for the chance: whole numbers are one apart. */
export const widthOf = (within: number): number => (within === 1e-9 ? 0.5 : within);
