import { cell, formula, symbol } from '../../operations';
import type { AttentionSpec } from '../../spec';
import { t } from '../../text';
import { addStep, stepOf, type Draft, type Grid } from './draft';
import { A, M } from './symbols';

/* Softmax with a sink: a column behind the scores, softmax over all of them, and the weights without the column. */

const [SINKS, SUNK, SHARES] = [symbol('parameter', 's'), symbol('scores', 'M^{+}'), symbol('scores', 'A^{+}')];

export function planSink(draft: Draft, grid: Grid, sink: NonNullable<AttentionSpec['sink']>): void {
  const { heads, fullyMasked = 'nan' } = draft.spec;
  const { hiddenBy } = draft;
  // Steps with a column more than the mask has are not hatched by it.
  delete draft.hiddenBy;
  const sinks = sink.from === 'one' ? [] : [planSinks(draft, sink, heads)];
  const wide = { rows: grid.rows, columns: [...grid.columns, t('sink')] };
  addStep(draft, { id: 'sunk', symbol: SUNK, unicode: 'M⁺', call: { op: 'appendSink' }, operands: ['masked', ...sinks], ...wide });
  addStep(draft, { id: 'shares', symbol: SHARES, unicode: 'A⁺', kind: 'weights', call: { op: 'softmax', emptyRow: fullyMasked }, operands: ['sunk'], ...wide });
  if (hiddenBy !== undefined) draft.hiddenBy = hiddenBy;
  const [n = 0, m = 0] = stepOf(draft, 'masked').shape.slice(-2);
  const e = sink.from === 'one' ? '1' : 'e^{s_h}';
  const share = formula`${cell(A, 'i', 'j')} = \frac{e^{${cell(M, 'i', 'j')}}}{${e} + \sum_l e^{${cell(M, 'i', 'l')}}}`;
  const call = { op: 'cut', rows: [0, n], columns: [0, m] } as const;
  addStep(draft, { id: 'weights', symbol: A, unicode: 'A', kind: 'weights', call, operands: ['shares'], formula: share, ...grid });
} // prettier-ignore

function planSinks(draft: Draft, sink: NonNullable<AttentionSpec['sink']>, heads: number): 'sinks' {
  const shape = [1, heads];
  const row = { id: 'sinks', symbol: SINKS, unicode: 's', place: 'input', shape } as const;
  if (sink.from === 'given') addStep(draft, { ...row, call: { op: 'given', path: 'sink.logits' } });
  else addStep(draft, { ...row, call: { op: 'random', divideBy: 1, divideByLatex: '' } });
  return 'sinks';
} // prettier-ignore
