import { symbol, weight, type BackendCall } from '../../operations';
import { dimsOf, fusedWidth, type AttentionSpec } from '../../spec';
import { addStep, type Branch, type Draft } from './draft';

/* One matrix that holds W_q, W_k and W_v, and their biases likewise. */

export type Fused = Extract<AttentionSpec['projections'], { from: 'fused' }>;

const [W_QKV, B_QKV] = [weight('W_{qkv}'), symbol('parameter', 'b_{qkv}')];

/** The matrix itself, before what is cut out of it. */
export function planFused(draft: Draft, { wqkv, bqkv }: Fused): void {
  const shape = dimsOf(wqkv);
  const input = { place: 'input' } as const;
  addStep(draft, { ...input, id: 'wqkv', symbol: W_QKV, unicode: 'W_qkv', call: { op: 'given', path: 'projections.wqkv' }, shape });
  if (!bqkv) return;
  const row = [1, bqkv.length];
  addStep(draft, { ...input, id: 'bqkv', symbol: B_QKV, unicode: 'b_qkv', call: { op: 'given', path: 'projections.bqkv' }, shape: row });
} // prettier-ignore

/** Where a branch stands in the matrix: after the others, or in each group of heads that share a key. */
export function bandsOf({ spec }: Draft, fused: Fused, branch: Branch, along: 'rows' | 'columns'): BackendCall {
  const { heads, kvHeads = heads } = spec;
  const width = fusedWidth(spec, fused);
  const times = fused.order === 'heads' ? kvHeads : 1;
  const [queries, keys] = [(heads / times) * width, (kvHeads / times) * width];
  const start = { q: 0, k: queries, v: queries + keys }[branch];
  return { op: 'bands', along, start, size: branch === 'q' ? queries : keys, stride: queries + 2 * keys, times };
}
