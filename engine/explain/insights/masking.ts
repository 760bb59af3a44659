import { sizeOf } from '../../math';
import type { AttentionTrace } from '../../run';
import { allInParts, find, rowsAt } from './find';
import { atOnce, type Parts } from './parts';
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
export const maskedAfter = (trace: AttentionTrace): MaskedAfter | undefined => atOnce(maskedAfterParts(trace));

/** The same, a part at a time. */
export function* maskedAfterParts(trace: AttentionTrace): Parts<MaskedAfter | undefined> {
  const step = find(trace, 'masked');
  const m = step?.shape.at(-1) ?? 0;
  if (step?.call.op !== 'mask' || m === 0) return undefined;
  const hidden = yield* allInParts(trace, 'mask');
  const logits = find(trace, step.operands[0] ?? '');
  const weights = find(trace, 'weights');
  if (!hidden || !logits || !weights) return undefined;
  let found = { row: 0, sum: Infinity };
  let deviation = 0;
  for (let row = 0; row < sizeOf(step.shape) / m; row++) {
    const kept = softmaxOf(rowsAt(trace, logits, row, 1));
    const own = rowsAt(trace, weights, row, 1);
    let sum = 0;
    for (let j = 0; j < m; j++) {
      const weight = hidden[(row * m + j) % hidden.length] === 1 ? 0 : (kept[j] as number);
      sum += weight;
      deviation = Math.max(deviation, Math.abs(weight - (own[j] as number)));
    }
    if (sum < found.sum) found = { row, sum };
    if (row % 4 === 3) yield;
  }
  return { ...found, deviation };
}
