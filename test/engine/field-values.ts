import type { AttentionSpec, Start } from '../../engine/index';

/* Values of every field of a spec that ask for something else than its default, and starts to try them from: one without a value does not compile. */

/** Numbers without a pattern, so that two ways to compute do not meet by chance. */
export function matrix(rows: number, columns: number, seed: number): number[][] {
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => ((seed + 37 * i + 61 * j + 17 * i * j) % 101) / 47 - 1.03),
  );
}

const text = 'the cat sat the';
export const starts: { readonly [name: string]: Partial<AttentionSpec> & { readonly start: Start } } = {
  words: { dModel: 4, start: { from: 'text', text, tokenizer: 'words' } },
  pieces: {
    dModel: 4,
    start: { from: 'text', text: ' a b', tokenizer: 'gpt2', pieces: [[3, 0, 2], [1, 2, 4], [3, 4, 4, '<|x|>', true]] },
  },
  ids: { dModel: 4, start: { from: 'ids', ids: [2, 0, 2] } },
  x: { start: { from: 'x', x: matrix(3, 4, 1) } },
  'x and context': { start: { from: 'x', x: matrix(3, 4, 1), context: matrix(2, 4, 5) } },
  'x, context and values': { start: { from: 'x', x: matrix(3, 4, 1), context: matrix(2, 4, 5), values: matrix(2, 4, 8) } },
  'x and values': { start: { from: 'x', x: matrix(3, 4, 1), values: matrix(3, 4, 8) } },
  'Q, K, V': { start: { from: 'qkv', q: matrix(3, 4, 1), k: matrix(3, 4, 2), v: matrix(3, 4, 3) } },
  'Q, K': { start: { from: 'qkv', q: matrix(3, 4, 1), k: matrix(2, 4, 2) } },
  scores: { start: { from: 'scores', scores: matrix(3, 3, 4), dK: 4 } },
  'scores, V': { start: { from: 'scores', scores: matrix(3, 3, 4), dK: 4, v: matrix(3, 4, 3) } },
  'scores of two heads': { heads: 2, start: { from: 'scores', scores: [matrix(3, 3, 4), matrix(3, 3, 9)], dK: 4 } },
  weights: { start: { from: 'weights', weights: matrix(3, 3, 4), v: matrix(3, 4, 3) } },
  'weights of two heads': {
    heads: 2,
    start: { from: 'weights', weights: [matrix(3, 3, 4), matrix(3, 3, 9)], v: matrix(3, 4, 3) },
  },
}; // prettier-ignore

export type Field = keyof AttentionSpec;
export type Change = Partial<AttentionSpec>;
const values = { kind: 'boolean', trueMeans: 'hidden' } as const;

/** Values that ask for something else than the default. */
export const changes: { readonly [F in Exclude<Field, 'version' | 'start'>]: readonly Change[] } = {
  dtype: [{ dtype: 'float32' }, { dtype: 'bfloat16' }],
  model: [],
  headChanges: [{ headChanges: [{ head: 0 }] }, { headChanges: [{ head: 0, weightsOf: 0 }] }],
  dModel: [{ dModel: 4 }, { dModel: 5 }],
  embedding: [{ embedding: { from: 'random' } }, { embedding: { from: 'given', table: matrix(120, 4, 8) } }],
  positions: [
    { positions: 'sinusoidal-interleaved' },
    { positions: 'sinusoidal-concatenated' },
    { positions: 'learned-random' },
    { positions: { learned: matrix(3, 4, 6) } },
    { positions: 'rope-interleaved' },
    { positions: 'rope-half' },
    { positions: 'alibi' },
  ],
  positionIds: [
    { positionIds: { offset: 2 } },
    { positionIds: { queries: [4, 1, 0] } },
    { positionIds: { keys: [3, 0] } },
    { positionIds: { keys: [3, 0, 7] } },
  ],
  rope: [
    { rope: { base: 100 } },
    { rope: { dims: 2 } },
    { rope: { scaling: { kind: 'linear', factor: 2 } } },
    { rope: { base: 20, scaling: { kind: 'yarn', factor: 4, original: 8 } } },
  ],
  positionsDtype: [{ positionsDtype: 'float32' }],
  relativeBias: [
    { relativeBias: { bidirectional: true } },
    { relativeBias: { bidirectional: false, buckets: 2, maxDistance: 3, table: [[0.5], [-1]] } },
  ],
  decode: [{ decode: { step: 1 } }],
  projections: [
    { projections: { from: 'random', dK: 4, dV: 4 } },
    { projections: { from: 'random', dK: 2, dV: 6, bias: true } },
    { projections: { from: 'fused', wqkv: matrix(4, 12, 5), order: 'blocks' } },
    { projections: { from: 'fused', wqkv: matrix(4, 12, 5), order: 'heads', bqkv: matrix(1, 12, 3)[0] ?? [] } },
    { projections: { from: 'given', wq: matrix(4, 4, 2), wk: matrix(4, 4, 6), wv: matrix(4, 4, 7) } },
  ],
  convention: [{ convention: 'XWT' }],
  heads: [{ heads: 2 }],
  kvHeads: [{ kvHeads: 1 }, { heads: 4, kvHeads: 2 }],
  outputProjection: [
    { outputProjection: { from: 'random' } },
    { outputProjection: { from: 'random', bias: true } },
    { outputProjection: { from: 'given', wo: matrix(4, 4, 9), bo: [0.1, -0.3, 0.7, 2] } },
  ],
  qkNorm: [
    { qkNorm: { over: 'head' } },
    { qkNorm: { over: 'all', epsilon: 0.1 } },
    { qkNorm: { over: 'all', gq: [1, 2, -1, 0.5], gk: [3, 1, 0.25, 1] } },
  ],
  scale: [{ scale: 'none' }, { scale: 'sqrt_d_model' }, { scale: { divideBy: 3 } }],
  scoring: [{ scoring: { by: 'additive' } }, { scoring: { by: 'additive', v: [[0.5, -1, 0.25, 2]] } }],
  differential: [
    { heads: 2, differential: { lambda: 'init' } }, { heads: 2, differential: { lambda: 'random', layer: 3 } }, { heads: 2, differential: { lambda: 'init', init: 0.5, gain: [1, 2, 3, 4], epsilon: 0.1 } },
  ],
  softcap: [{ softcap: 1.5 }],
  temperature: [{ temperature: 0.7 }],
  mask: [
    { mask: 'causal' },
    { mask: { kind: 'causal', alignment: 'end' } },
    { mask: { kind: 'padding', visible: 1 } },
    { mask: { kind: 'padding', visible: 0 } },
    { mask: { kind: 'window', size: 0, causal: true } },
    { mask: { kind: 'window', size: 2, causal: true, counts: 'self' } },
    // Layers of a kind each: what is local has this window.
    { mask: { kind: 'window', size: 2, causal: true }, block: { norm: 'before', layers: 2, layerTypes: ['sliding_attention', 'full_attention'] } },
    { mask: { ...values, values: [[0, 1, 1], [1, 1, 1], [0, 0, 1]] } },
    { mask: { kind: 'additive', values: matrix(3, 3, 7) } },
    { mask: { kind: 'additive', values: [[0, 1, 1], ['-inf', '-inf', '-inf'], [0, 0, 1]] } },
  ],
  alsoHidden: [
    { alsoHidden: { causal: true } }, { alsoHidden: { keys: { values: [0, 1, 1], oneMeans: 'visible' } } },
    { alsoHidden: { keys: { values: [1, 0, 0], oneMeans: 'hidden' }, segments: { queries: [0, 0, 1], keys: [0, 1, 1] } } },
  ],
  maskFill: [{ maskFill: 'min' }, { maskFill: -3 }],
  weighting: [{ weighting: { by: 'sigmoid' } }, { weighting: { by: 'sigmoid', bias: 0.5 } }, { weighting: { by: 'linear' } }],
  sink: [{ sink: { from: 'one' } }, { sink: { from: 'random' } }, { sink: { from: 'given', logits: [0.5] } }],
  weightsDividedIn: [{ weightsDividedIn: 'float32' }],
  weightsTimes: [{ weightsTimes: 0.02 }],
  averageWeights: [{ averageWeights: true }],
  fullyMasked: [{ fullyMasked: 'zero' }],
  block: [
    { block: { norm: 'before', weights: [{ norm1: [1, 2, 0.5, -1] }] } },
    { block: { norm: 'after', of: 'rms', epsilon: 0.1, gains: 'random', layers: 2, shown: 2, finalNorm: true } },
  ],
  feedForward: [{ feedForward: { of: 'swiglu', width: 2, bias: true } }],
  unembedding: [{ unembedding: { from: 'tied' } }, { unembedding: { from: 'random', size: 3, topK: 2 } }],
  random: [
    { random: { generator: 'numpy.RandomState', seed: 1 } },
    { random: { generator: 'numpy.default_rng', seed: 0 } },
    { random: { generator: 'torch', seed: 0 } },
  ],
  labels: [{ labels: { queries: ['a', 'b', 'c'] } }, { labels: { keys: ['u', 'v', 'w'] } }, { labels: { keys: ['u', 'v'] } }],
}; // prettier-ignore
