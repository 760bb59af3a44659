import type { AttentionTrace } from '../trace';
import { allOf, find } from './find';
import { softmaxOf } from './softmax';

export interface MaskedAfter {
  /** Row (counted over heads and batches) that keeps the smallest share of its weight, and that share. */
  readonly row: number;
  readonly sum: number;
  /** Largest difference of a weight from the true one. */
  readonly deviation: number;
}

/**
 * Softmax first and zeros after, a common mistake: what the rows would sum to. Undefined without a mask of hidden cells.
 */
export function maskedAfter(trace: AttentionTrace): MaskedAfter | undefined {
  const step = find(trace, 'masked');
  if (step?.call.op !== 'mask') return undefined;
  const [logits, hidden, weights] = [
    allOf(trace, step.operands[0] ?? ''),
    allOf(trace, 'mask'),
    allOf(trace, 'weights'),
  ];
  const m = step.shape.at(-1) ?? 0;
  if (!logits || !hidden || !weights || m === 0) return undefined;
  let found: MaskedAfter = { row: 0, sum: Infinity, deviation: 0 };
  let deviation = 0;
  for (let start = 0; start < logits.length; start += m) {
    const kept = softmaxOf(logits.subarray(start, start + m)).map((w, j) =>
      hidden[(start + j) % hidden.length] === 1 ? 0 : w,
    );
    const sum = kept.reduce((a, b) => a + b, 0);
    kept.forEach((w, j) => (deviation = Math.max(deviation, Math.abs(w - (weights[start + j] as number)))));
    if (sum < found.sum) found = { row: start / m, sum, deviation: 0 };
  }
  return { ...found, deviation };
}
