import { log } from '../../math';
import { appliedFormula, cell, formula, latexNumber, product, symbol } from '../../operations';
import type { AttentionSpec } from '../../spec';
import { addStep, branchOf, hasStep, scalarOf, stepOf, tokenTexts, type Draft, type Grid } from './draft';
import { A, branchSymbols, M, S } from './symbols';

/* Weights by something else than softmax. */

/** σ(M + b), b = −log n where nothing else is said (Ramapuram et al. 2024). */
export function planSigmoid(
  draft: Draft,
  grid: Grid,
  { bias }: Extract<AttentionSpec['weighting'], { by: 'sigmoid' }>,
): void {
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

const features = { q: symbol('query', '\\varphi(Q)'), k: symbol('key', '\\varphi(K)') } as const;

/** φ(Q)·φ(K)ᵀ, φ(x) = elu(x) + 1 (Katharopoulos et al. 2020, eq. 7). */
export function planSimilarities(draft: Draft, grid: Grid): void {
  for (const branch of ['q', 'k'] as const) {
    const of = features[branch];
    const rows = tokenTexts(branch === 'q' ? draft.tokens : draft.keyTokens);
    addStep(draft, {
      id: `${branch}Features`, symbol: of, unicode: `φ(${branchSymbols[branch].unicode})`, place: 'branch', rows,
      call: { op: 'apply', of: 'elu1' }, operands: [branchOf(draft, branch)],
      formula: formula`${of} = ${appliedFormula('elu1', branchSymbols[branch].symbol)}`,
    }); // prettier-ignore
  }
  addStep(draft, {
    id: 'scores', symbol: S, unicode: 'S', call: { op: 'matmul', transposeB: true }, operands: ['qFeatures', 'kFeatures'], ...grid,
    formula: formula`${S} = ${product(features.q, features.k, true)}`,
  }); // prettier-ignore
}

/** Each similarity by its row's sum (eq. 4). */
export function planShares(draft: Draft, grid: Grid): void {
  const { fullyMasked: emptyRow = 'nan' } = draft.spec;
  addStep(draft, { id: 'weights', symbol: A, unicode: 'A', kind: 'weights', call: { op: 'shareOut', emptyRow }, operands: ['masked'], ...grid });
} // prettier-ignore
