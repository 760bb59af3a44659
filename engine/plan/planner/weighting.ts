import { log } from '../../math';
import { cell, formula, latexNumber } from '../../operations';
import type { AttentionSpec } from '../../spec';
import { addStep, hasStep, scalarOf, stepOf, type Draft } from './draft';
import { A, M } from './symbols';

/* Weights by something else than softmax. */

interface Grid {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
}

/** σ(M + b), b = −log n where nothing else is said (Ramapuram et al. 2024). */
export function planSigmoid(draft: Draft, grid: Grid, { bias }: NonNullable<AttentionSpec['weighting']>): void {
  const keys = keysOf(draft);
  const by = bias ?? -log(keys);
  const b = bias === undefined ? `b = -\\log ${keys}` : `b = ${latexNumber(bias)}`;
  addStep(draft, {
    id: 'weights', symbol: A, unicode: 'A', kind: 'weights', operands: ['masked'], call: { op: 'sigmoid', bias: scalarOf(draft, by) }, ...grid,
    formula: formula`${cell(A, 'i', 'j')} = \sigma(${cell(M, 'i', 'j')} + b),\quad ${b}`,
  }); // prettier-ignore
}

/** Keys of the whole text: a decoder's step sees fewer, and its row is one of the full pass. */
const keysOf = (draft: Draft): number =>
  (hasStep(draft, 'k') ? stepOf(draft, 'k').shape.at(-2) : stepOf(draft, 'masked').shape.at(-1)) ?? 1;
