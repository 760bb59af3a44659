import { bucketOf } from '../math';
import type { WasmKernels } from '../run';
import type { AttentionPart, HeadPart, Norm } from './architecture';
import { capTo, normalized, type NormWeights } from './functions';
import { rotate, type Rotations } from './rotate';

/** A head of one attention as it was computed: q is queries × d_k, k and v are keys × d_k, after norms and RoPE. */
export interface HeadValues {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
}

/** What an attention reads besides its input: tensors of the file, rotations, and which cells are hidden. */
export interface AttentionInputs {
  readonly part: AttentionPart;
  readonly queries: number;
  readonly keys: number;
  /** Results of the projections, each rows × outputs. */
  readonly projected: readonly Float32Array[];
  readonly norms?: { readonly q: NormWeights; readonly k: NormWeights };
  readonly rotations?: Rotations;
  /** Bias of T5: buckets × heads. */
  readonly table?: Float32Array;
  /** queries × keys, 1 where a key is hidden; undefined where none is. */
  readonly mask?: Uint8Array;
}

/** Weights (queries × keys) and output (queries × d_k) of one head. */
interface HeadResult {
  readonly weights: Float32Array;
  readonly output: Float32Array;
}

/** The heads' q, k and v; heads of a group share k and v. */
export function headsOf(inputs: AttentionInputs): readonly HeadValues[] {
  const { part, queries, keys } = inputs;
  const [normQ, normK] = [allNormed(inputs, 'q'), allNormed(inputs, 'k')];
  const group = part.heads / part.kvHeads;
  const values: HeadValues[] = [];
  for (let head = 0; head < part.heads; head++) {
    const first = values[head - (head % group)];
    const q = finished(inputs, 'q', cut(inputs, normQ, 'q', head, queries));
    const shared = head % group > 0 ? first : undefined;
    const k = shared?.k ?? finished(inputs, 'k', cut(inputs, normK, 'k', head, keys));
    const v = shared?.v ?? cut(inputs, inputs.projected, 'v', head, keys);
    values.push({ q, k, v });
  }
  return values;
}

const normOf = ({ part, norms }: AttentionInputs, which: HeadPart) => {
  const [norm, weights] = which === 'q' ? [part.qkNorm?.q, norms?.q] : [part.qkNorm?.k, norms?.k];
  return norm && weights && which !== 'v' ? ([norm, weights] as const) : undefined;
};

/** The projections, with that of q or k normed over all its heads where the model does so. */
function allNormed(inputs: AttentionInputs, which: HeadPart): readonly Float32Array[] {
  const { part, projected } = inputs;
  const norm = part.qkNorm?.over === 'all' ? normOf(inputs, which) : undefined;
  if (!norm) return projected;
  const { linear } = part.place(which, 0);
  const width = part.projections[linear]?.outputs ?? 0;
  return projected.map((x, i) => (i === linear ? normalized(x, width, ...(norm as [Norm, NormWeights])) : x));
}

function cut(
  { part }: AttentionInputs,
  projected: readonly Float32Array[],
  which: HeadPart,
  head: number,
  rows: number,
): Float32Array {
  const { linear, column } = part.place(which, head);
  const from = projected[linear] as Float32Array;
  const [width, d] = [part.projections[linear]?.outputs ?? 0, part.headWidth];
  const out = new Float32Array(rows * d);
  for (let i = 0; i < rows; i++) out.set(from.subarray(i * width + column, i * width + column + d), i * d);
  return out;
}

/** Norm over the head, then RoPE. */
function finished(inputs: AttentionInputs, which: 'q' | 'k', x: Float32Array): Float32Array {
  const { part, rotations } = inputs;
  const norm = part.qkNorm?.over === 'head' ? normOf(inputs, which) : undefined;
  const normed = norm ? normalized(x, part.headWidth, ...norm) : x;
  if (part.rope && rotations) rotate(normed, part.headWidth, part.rope.layout, rotations);
  return normed;
}

/** softmax(cap(q·kᵀ·scale) + bias, hidden cells −∞)·v. Results are copies. */
export function attend(
  kernels: Pick<WasmKernels, 'matmul' | 'softmax' | 'attention'>,
  inputs: AttentionInputs,
  values: HeadValues,
  head: number,
): HeadResult {
  const { part, queries: n, keys: m, mask, table } = inputs;
  const d = part.headWidth;
  const hidden = mask && { mask };
  if (part.softcap === undefined && !table) {
    const { output, weights } = kernels.attention({ ...values, n, m, d, dv: d, scale: part.scale, ...hidden }, true);
    return { output: output.slice(), weights: (weights as Float32Array).slice() };
  }
  const scores = kernels.matmul({ a: values.q, b: values.k, n, k: d, m, transposed: true }).slice();
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] as number) * part.scale;
  if (part.softcap !== undefined) capTo(scores, part.softcap);
  if (table) addBuckets(scores, inputs, table, head);
  const weights = kernels.softmax({ x: scores, n, m, ...hidden }).slice();
  return { weights, output: kernels.matmul({ a: weights, b: values.v, n, k: m, m: d }).slice() };
}

function addBuckets(scores: Float32Array, { part, queries, keys }: AttentionInputs, table: Float32Array, head: number): void {
  const { buckets } = part;
  if (!buckets) return;
  const bucketing = { buckets: buckets.count, maxDistance: buckets.maxDistance, bidirectional: buckets.bidirectional };
  for (let i = 0; i < queries; i++)
    for (let j = 0; j < keys; j++)
      scores[i * keys + j] = (scores[i * keys + j] as number) + (table[bucketOf(bucketing, j - i) * part.heads + head] as number);
} // prettier-ignore

/** 1 where a query may not see a key: later ones if causal, those further back than the window. */
export function hiddenCells({ causal, window }: AttentionPart, queries: number, keys: number): Uint8Array | undefined {
  if (!causal && (window === undefined || window >= keys)) return undefined;
  const mask = new Uint8Array(queries * keys);
  for (let i = 0; i < queries; i++)
    for (let j = 0; j < keys; j++)
      if ((causal && j > i) || (window !== undefined && j <= i - window)) mask[i * keys + j] = 1;
  return mask;
}
