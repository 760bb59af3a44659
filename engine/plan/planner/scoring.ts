import { symbol } from '../../operations';
import { dimsOf, type AttentionSpec } from '../../spec';
import { addStep, branchOf, widthOf, type Draft, type Grid } from './draft';
import { randomWeights } from './projections';
import { S } from './symbols';

/* Scores by something else than the dot product. */

const V_A = symbol('parameter', 'v_a');

/** v_aᵀ tanh(q + k) (Bahdanau et al. 2015, section A.1.2). */
export function planAdditive(draft: Draft, grid: Grid, { v }: NonNullable<AttentionSpec['scoring']>): void {
  const width = widthOf(draft, branchOf(draft, 'q'));
  const row = { id: 'scoreVector', symbol: V_A, unicode: 'v_a', place: 'input' } as const;
  if (v) {
    const shape = dimsOf(v);
    addStep(draft, { ...row, call: { op: 'given', path: 'scoring.v' }, shape });
  } else addStep(draft, { ...row, ...randomWeights(draft, width), shape: [draft.spec.heads, width] });
  const operands = [branchOf(draft, 'q'), branchOf(draft, 'k'), 'scoreVector'];
  addStep(draft, { id: 'scores', symbol: S, unicode: 'S', call: { op: 'additiveScores' }, operands, ...grid });
}
