import { exp } from '../../math';
import type { AttentionTrace } from '../../run';
import { findStep, rowBlocks } from './trace-values';
import { runToEnd, type Parts } from './parts';

/** Largest x for which exp(x) is finite: log of the largest number of each format. */
const exponentLimits = {
  float64: 709.782712893384,
  float32: 88.72283905206835,
  float16: 11.089866488461016,
  bfloat16: 88.71898561375326,
} as const;

export interface Overflow {
  /** The largest finite logit. */
  readonly largest: number;
  /** exp of it in float64: a term of the sum if softmax did not subtract the maximum. */
  readonly exponential: number;
  /** Formats in which that exponential is infinite, so that the row would be ∞/∞ = NaN. */
  readonly overflowsIn: readonly (keyof typeof exponentLimits)[];
  /** The factor by which the scores would have to grow to overflow in the spec's dtype; Infinity when no logit is positive. */
  readonly factorToOverflow: number;
}

/** How close softmax would be to overflow if it did not subtract the maximum; undefined without softmax or finite logits. */
export const overflow = (trace: AttentionTrace): Overflow | undefined => runToEnd(overflowParts(trace));

/** The same as pausable work. */
export function* overflowParts(trace: AttentionTrace): Parts<Overflow | undefined> {
  const logits = findStep(trace, 'masked');
  if (!logits) return undefined;
  let largest = -Infinity;
  yield* rowBlocks(trace, logits, (rows) => {
    for (const x of rows) if (x > largest && x < Infinity) largest = x;
  });
  if (largest === -Infinity) return undefined;
  const formats = Object.keys(exponentLimits) as (keyof typeof exponentLimits)[];
  return {
    largest,
    exponential: exp(largest),
    overflowsIn: formats.filter((format) => largest > exponentLimits[format]),
    factorToOverflow: largest > 0 ? exponentLimits[trace.spec.dtype] / largest : Infinity,
  };
}
