/** Mistakes whose effect on every number can be computed, as data. Their arithmetic is in `walk/`, by these ids. */
import { before } from './before';
import type { Mistake } from './entry';
import { outputs } from './outputs';
import { projections } from './projections';
import { scores } from './scores';

export { parts, type Mistake, type Part } from './entry';
export const catalogue: readonly Mistake[] = [...before, ...projections, ...scores, ...outputs];
export { dropout, precisions } from './outputs';
