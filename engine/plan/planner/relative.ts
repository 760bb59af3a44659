import { inputsOf, type Apart } from '../../math';
import { cell, formula, symbol } from '../../operations';
import { bucketingOf } from '../../spec';
import { addStep, stepOf, type Draft, type Grid } from './draft';
import { Z } from './symbols';

/* T5's bias: buckets of distances, the table of their biases, and the scores with these. */

const [TABLE, b, B] = [symbol('parameter', 'T'), symbol('position', 'b'), symbol('mask', 'B_T')];

/** Adds to the step `from`; `at` says where queries and keys stand, where it is not as far apart as their places are. */
export function planRelative(draft: Draft, grid: Grid, from: string, at: Apart | undefined): void {
  const { relativeBias, heads } = draft.spec;
  if (!relativeBias) return;
  const bucketing = bucketingOf(relativeBias);
  const table = { id: 'biasTable', symbol: TABLE, unicode: 'T', place: 'input' } as const;
  const shape = [bucketing.buckets, heads];
  if (relativeBias.table) {
    const call = { op: 'given', path: 'relativeBias.table' } as const;
    addStep(draft, { ...table, call, shape });
  } else {
    const call = { op: 'random', divideBy: 1, divideByLatex: '' } as const;
    addStep(draft, { ...table, call, shape });
  }
  const inputs = at ? Math.max(inputsOf(at.queries), inputsOf(at.keys)) : 1;
  const [n, m] = [grid.rows.length, grid.columns.length];
  addStep(draft, {
    id: 'buckets', symbol: b, unicode: 'b', kind: 'ids', place: 'input', shape: [...(inputs > 1 ? [inputs] : []), n, m],
    call: { op: 'buckets', bucketing, ...(at && { at }) },
    formula: formula`${cell(b, 'i', 'j')} = \operatorname{bucket}(${at ? 'p_j - p_i' : 'j - i'})`, ...grid,
  }); // prettier-ignore
  const perHead = heads > 1 || stepOf(draft, from).shape.length > 3;
  const result = formula`${cell(B, 'i', 'j')} = ${TABLE}[${cell(b, 'i', 'j')}, h]`;
  addStep(draft, {
    id: 'relative', symbol: B, unicode: 'B_T', place: 'input', call: { op: 'bucketBias', perHead }, operands: ['biasTable', 'buckets'], formula: result, ...grid,
  }); // prettier-ignore
  addStep(draft, {
    id: 'related', symbol: Z, unicode: 'Z + B_T', call: { op: 'add' }, operands: [from, 'relative'], formula: formula`${Z}' = ${Z} + ${B}`, ...grid,
  }); // prettier-ignore
}
