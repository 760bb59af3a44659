import { matrixDefaults, type AttentionSpec, type SpecMatrix } from '../../engine/index';
import { fixture } from './specs';

/** A case of test/reference/qk_norm.py: what it was given, and the steps that it found. */
export interface NormCase {
  readonly case: {
    readonly over: 'head' | 'all';
    readonly dtype: 'float32' | 'float64';
    readonly heads: number;
    readonly kv: number;
    readonly epsilon: number;
    readonly rope: boolean;
    readonly x: SpecMatrix;
    readonly context?: SpecMatrix;
    readonly wq: SpecMatrix;
    readonly wk: SpecMatrix;
    readonly wv: SpecMatrix;
    readonly gq?: readonly number[];
    readonly gk?: readonly number[];
  };
  readonly steps: Readonly<Record<string, unknown>>;
}

export const normCases = fixture<{ cases: readonly NormCase[] }>('qk-norm.json').cases;

/** The same as a spec. */
export function specOf({ case: given }: NormCase): AttentionSpec {
  const { over, dtype, heads, kv, epsilon, rope, x, context, wq, wk, wv, gq, gk } = given;
  return {
    ...matrixDefaults,
    dtype,
    heads,
    ...(kv !== heads && { kvHeads: kv }),
    positions: rope ? 'rope-half' : 'none',
    start: { from: 'x', x, ...(context && { context }) },
    projections: { from: 'given', wq, wk, wv },
    qkNorm: { over, epsilon, ...(gq && { gq }), ...(gk && { gk }) },
  };
}
