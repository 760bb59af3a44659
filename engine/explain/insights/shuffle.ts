import { valuesOf, explainAttention, type AttentionTrace } from '../../run';
import type { Step } from '../../plan';
import { createStream } from '../../random';
import { findStep } from './trace-values';
import { largerOrNaN, permutedSpec, tolerance } from './properties';

/** The effect of shuffling the tokens on weights and output. */
export interface ShuffledTokens {
  readonly seed: number;
  /** Token i of the shuffled text is token `order[i]` of the text: `np.argsort(np.random.RandomState(seed).randn(n))`. */
  readonly order: readonly number[];
  /** The trace of the shuffled tokens. */
  readonly again: AttentionTrace;
  /** Largest |P·O − O′|: the permuted output minus the output of the shuffled tokens. */
  readonly output: number;
  /** Largest |P·A·Pᵀ − A′| over all heads; undefined where no weights are computed. */
  readonly weights: number | undefined;
  /** Whether the output is only permuted, within rounding. */
  readonly holds: boolean;
}

/**
 * Shuffles the tokens by a seed and computes attention again. Undefined with fewer than two tokens, with a context, and without embeddings.
 * Self-attention without positions and mask is permutation-equivariant (Lee et al. 2019, Set Transformer, property 1).
 */
export function shuffleTokens(trace: AttentionTrace, seed: number): ShuffledTokens | undefined {
  const output = findStep(trace, 'output');
  const order = orderOf(output?.shape.at(-2) ?? 0, seed);
  const spec = order && permutedSpec(trace, order);
  const again = spec && explainAttention(spec);
  if (!output || !order || !again?.ok) return undefined;
  const own = differenceOf(trace, again.value, output, order, false);
  const weights = findStep(trace, 'weights');
  return {
    seed,
    order,
    again: again.value,
    output: own.largest,
    weights: weights && differenceOf(trace, again.value, weights, order, true).largest,
    holds: own.largest <= 1000 * tolerance(trace) * own.size,
  };
}

/** Shuffles by the first seed, from `seed` on, that changes the order. */
export function shuffleTokensFrom(trace: AttentionTrace, seed: number): ShuffledTokens | undefined {
  const rows = findStep(trace, 'output')?.shape.at(-2) ?? 0;
  const moves = (at: number): boolean => orderOf(rows, at)?.some((from, to) => from !== to) ?? false;
  let first = seed;
  while (!moves(first) && first < seed + 100) first++;
  return shuffleTokens(trace, first);
}

/** The shuffled order; undefined for fewer than two tokens. */
function orderOf(n: number, seed: number): readonly number[] | undefined {
  const stream = n > 1 ? createStream({ generator: 'numpy.RandomState', seed }) : undefined;
  if (!stream?.ok) return undefined;
  const draws = stream.value.normal(n);
  return Array.from(draws.keys()).sort((a, b) => (draws[a] as number) - (draws[b] as number) || a - b);
}

/** The permuted rows (and columns, with `columns`) minus those computed from the shuffled tokens; the largest difference. */
function differenceOf(
  trace: AttentionTrace,
  again: AttentionTrace,
  step: Step,
  order: readonly number[],
  columns: boolean,
): { readonly largest: number; readonly size: number } {
  const [was, is] = [valuesOf(trace, step), valuesOf(again, step)];
  const [n, m] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  let [largest, size] = [0, 0];
  is.forEach((x, at) => {
    const [matrix, cell] = [Math.floor(at / (n * m)) * n * m, at % (n * m)];
    const [row, column] = [order[Math.floor(cell / m)] ?? 0, cell % m];
    const before = was[matrix + row * m + (columns ? (order[column] ?? 0) : column)] as number;
    largest = largerOrNaN(largest, Math.abs(before - x));
    size = largerOrNaN(size, Math.abs(before));
  });
  return { largest, size };
}
