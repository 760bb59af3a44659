import { textDefaults, type AttentionSpec } from '../spec';
import type { Model } from './model';

/**
 * The spec of a text as a model reads it: all layers, the last one shown, to the next token's probabilities, over the whole vocabulary. Its pieces are still to be filled in, by the
 * model's own tokenizer. In float64: its float16 weights are exact there.
 */
export function modelSpec(model: Model, text: string, tokenizer: string): AttentionSpec {
  const { name, sha256, width, heads, layers, mlp } = model;
  const each = width / heads;
  return {
    ...textDefaults,
    start: { from: 'text', text, tokenizer: { file: tokenizer } },
    model: { name, sha256 },
    dModel: width,
    positions: 'learned-random',
    projections: { from: 'random', dK: each, dV: each, bias: true },
    heads,
    outputProjection: { from: 'random', bias: true },
    mask: 'causal',
    block: { norm: 'before', layers, shown: layers, finalNorm: true },
    ...(mlp > 0 && { feedForward: { of: 'gelu', width: mlp, bias: true } }),
    unembedding: { from: 'tied' },
  };
}
