import { exp } from '../../math';
import type { AttentionTrace } from '../../run';
import { find, goThrough } from './find';
import { atOnce, type Parts } from './parts';

/** Largest x for which exp(x) is finite: log of the largest number of each format. */
const exponentLimits = {
  float64: 709.782712893384,
  float32: 88.72283905206835,
  float16: 11.089866488461016,
} as const;

export interface Overflow {
  /** The largest finite logit that softmax gets. */
  readonly largest: number;
  /** exp of it, in float64: what a softmax without subtraction of the maximum would add up. */
  readonly exponential: number;
  /** Formats in which that exp is infinite, so that the row would be ∞/∞ = NaN. */
  readonly overflowsIn: readonly (keyof typeof exponentLimits)[];
  /** The scores times this would overflow in the spec's dtype; Infinity when no logit is positive. */
  readonly factorToOverflow: number;
}

/** What would happen to exp without subtracting the row's maximum; undefined where no softmax is computed or nothing is finite. */
export const overflow = (trace: AttentionTrace): Overflow | undefined => atOnce(overflowParts(trace));

/** The same, a part at a time. */
export function* overflowParts(trace: AttentionTrace): Parts<Overflow | undefined> {
  const logits = find(trace, 'masked');
  if (!logits) return undefined;
  let largest = -Infinity;
  yield* goThrough(trace, logits, (rows) => {
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
