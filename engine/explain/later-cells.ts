import type { CellValue } from '../operations';
import { isSource, operationOf, type Step } from '../plan';
import { fullIndex, type AttentionTrace } from '../run';

/**
 * The cells that a cell turns into, in order: a score, the scaled score, the masked score, the weight; or a number of Q, where it stands
 * in its head, and what it is after its rotation. Ends before a product, which mixes it with others. A rotation also goes into the
 * cell's partner, and a shared key or value head serves several query heads: the chain keeps the cell's own place and the first of those
 * heads.
 */
export function laterCells(trace: AttentionTrace, stepId: string, index: readonly number[]): readonly CellValue[] {
  const chain: CellValue[] = [];
  let at: Place | undefined = { step: stepId, index: fullIndex(shapeOf(trace, stepId), index) };
  while ((at = nextPlace(trace, at))) chain.push({ ...at, value: trace.value(at.step, at.index) });
  return chain;
}

interface Place {
  readonly step: string;
  readonly index: readonly number[];
}

function nextPlace(trace: AttentionTrace, { step: from, index }: Place): Place | undefined {
  const next = trace.plan.steps.find((s) => s.operands[0] === from && placeIn(s, trace, index) !== undefined);
  const place = next && placeIn(next, trace, index);
  return next && place && { step: next.id, index: place };
}

/** Where a cell of the first operand stands in a step; undefined where the step mixes it with others. */
function placeIn(
  { call, shape, operands }: Step,
  trace: AttentionTrace,
  index: readonly number[],
): readonly number[] | undefined {
  if (isSource(call)) return undefined;
  const { nextCell } = operationOf(call);
  if (typeof nextCell === 'string') return nextCell === 'mixed' ? undefined : index;
  return nextCell(call, index, shapeOf(trace, operands[0] ?? ''), shape);
}

function shapeOf(trace: AttentionTrace, id: string): readonly number[] {
  const step = trace.plan.steps.find((s) => s.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step.shape;
}
