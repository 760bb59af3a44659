import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { matrixDefaults, type AttentionSpec } from '../../engine/index';

/** A case of `test/reference/block.py`, as that program has it. */
export interface BlockCase {
  readonly case: {
    readonly norm: 'before' | 'after' | 'none';
    readonly kind: 'layer' | 'rms';
    readonly feed: 'relu' | 'gelu' | 'gelu-tanh' | 'silu' | 'swiglu' | null;
    readonly layers: number;
    readonly shown: number;
    readonly epsilon: number;
    readonly dtype: 'float64' | 'float32';
    readonly convention: 'XW' | 'XWT';
    readonly heads: number;
    readonly kv: number;
    readonly dK: number;
    readonly dV: number;
    readonly width: number;
    readonly bias: boolean;
    readonly ffBias: boolean;
    readonly causal: boolean;
    readonly finalNorm: boolean;
    readonly vocabulary: number;
    readonly topK: number;
    readonly x: number[][];
    readonly context?: number[][];
    readonly seed?: number;
    readonly gains?: 'ones' | 'random';
    readonly weights?: NonNullable<NonNullable<AttentionSpec['block']>['weights']>;
    readonly last?: { readonly norm?: number[]; readonly normBias?: number[]; readonly wu?: number[][] };
  };
  readonly steps: Readonly<Record<string, unknown>>;
}

export const blockCases = (
  JSON.parse(gunzipSync(readFileSync('test/fixtures/attention/block.json.gz')).toString()) as { cases: BlockCase[] }
).cases;

export function specOf({ case: of }: BlockCase): AttentionSpec {
  const { last: { wu, ...last } = {}, seed } = of;
  const topK = of.topK ? { topK: of.topK } : {};
  return {
    ...matrixDefaults,
    dtype: of.dtype,
    start: { from: 'x', x: of.x, ...(of.context && { context: of.context }) },
    convention: of.convention,
    projections: { from: 'random', dK: of.dK, dV: of.dV, ...(of.bias && { bias: true }) },
    heads: of.heads,
    kvHeads: of.kv,
    outputProjection: { from: 'random', ...(of.bias && { bias: true }) },
    mask: of.causal ? 'causal' : 'none',
    random: { generator: 'numpy.RandomState', seed: seed ?? 0 },
    block: {
      norm: of.norm,
      ...(of.norm !== 'none' && { of: of.kind, epsilon: of.epsilon }),
      layers: of.layers,
      shown: of.shown,
      finalNorm: of.finalNorm,
      ...(of.gains && of.norm !== 'none' && { gains: of.gains }),
      ...(of.weights && { weights: of.weights }),
      ...(Object.keys(last).length > 0 && { last }),
    },
    ...(of.feed && { feedForward: { of: of.feed, width: of.width, ...(of.ffBias && { bias: true }) } }),
    ...(of.vocabulary > 0 && {
      unembedding: wu ? { from: 'given', wu, ...topK } : { from: 'random', size: of.vocabulary, ...topK },
    }),
  };
}

export const nameOf = ({ case: of }: BlockCase): string =>
  [`norm ${of.norm}`, of.kind, of.feed ?? 'no feed-forward', `${of.layers} layers, ${of.shown} shown`, of.dtype, of.seed === undefined ? 'given' : 'drawn'].join(', '); // prettier-ignore
