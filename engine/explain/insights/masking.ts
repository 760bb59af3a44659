import { sizeOf } from '../../math';
import type { AttentionTrace } from '../../run';
import { allValuesInParts, findStep, rowsAt } from './trace-values';
import { runToEnd, type Parts } from './parts';
import { softmaxOf } from './softmax';

export interface MaskedAfterSoftmax {
  /** The row that keeps the smallest share of its weight (counted over heads and batches), and that share. */
  readonly row: number;
  readonly sum: number;
  /** Largest difference between a weight computed this way and the correct one. */
  readonly deviation: number;
}

/** The effect of a common mistake, masking after softmax: how far the rows are from summing to 1. Undefined if nothing is masked. */
export const maskedAfterSoftmax = (trace: AttentionTrace): MaskedAfterSoftmax | undefined =>
  runToEnd(maskedAfterSoftmaxParts(trace));

/** The same as pausable work. */
export function* maskedAfterSoftmaxParts(trace: AttentionTrace): Parts<MaskedAfterSoftmax | undefined> {
  const step = findStep(trace, 'masked');
  const m = step?.shape.at(-1) ?? 0;
  if (step?.call.op !== 'mask' || m === 0) return undefined;
  const hidden = yield* allValuesInParts(trace, step.operands[1] ?? 'mask');
  const logits = findStep(trace, step.operands[0] ?? '');
  const weights = findStep(trace, 'weights');
  // With a sink the rows do not sum to 1 either way.
  if (!hidden || !logits || weights?.call.op !== 'softmax') return undefined;
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
