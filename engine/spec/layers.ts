import type { AttentionSpec } from './spec';
import { type LayerWeights, isWindow } from './fields';

/* The layers of a block: each has its own weights and may be local or global; all else of the spec is the same in each. */

export const layerCount = ({ block }: AttentionSpec): number => block?.layers ?? 1;

/** The layer whose steps have plain ids, from 1. */
export const shownLayer = ({ block }: AttentionSpec): number => block?.shown ?? 1;

/** The weights that a layer (from 1) gives. */
export const weightsOfLayer = ({ block }: AttentionSpec, layer: number): LayerWeights =>
  block?.weights?.[layer - 1] ?? {};

/** What a layer's type changes: a global one has no window, a local one RoPE's local base, without scaling (Gemma 3). */
function ofType({ block, mask, rope }: AttentionSpec, layer: number): Partial<AttentionSpec> {
  const type = block?.layerTypes?.[layer - 1];
  if (type === 'full_attention') return isWindow(mask) ? { mask: mask.causal ? 'causal' : 'none' } : {};
  if (type === undefined || rope?.localBase === undefined) return {};
  const { localBase: base, dims } = rope;
  return { rope: { base, ...(dims !== undefined && { dims }) } };
}

/** The spec as a layer (from 1) has it: with its own projections and output projection where it gives them, and the mask of its type. */
export function specOfLayer(spec: AttentionSpec, layer: number): AttentionSpec {
  const { wq, wk, wv, bq, bk, bv, wo, bo } = weightsOfLayer(spec, layer);
  return {
    ...spec,
    ...ofType(spec, layer),
    ...(wq &&
      wk &&
      wv && {
        projections: { from: 'given', wq, wk, wv, ...(bq && { bq }), ...(bk && { bk }), ...(bv && { bv }) } as const,
      }),
    ...(wo && { outputProjection: { from: 'given', wo, ...(bo && { bo }) } as const }),
  };
}

/** Where in the whole spec something stands that `specOfLayer` has at `path`. */
export function pathInLayer(spec: AttentionSpec, layer: number, path: string): string {
  const { wq, wo } = weightsOfLayer(spec, layer);
  const [group = '', name = ''] = path.split('.');
  const own = (group === 'projections' && wq) || (group === 'outputProjection' && wo);
  return own && name ? `block.weights.${layer - 1}.${name}` : path;
}
