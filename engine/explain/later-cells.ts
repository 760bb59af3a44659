import type { CellValue } from '../operations';
import { isSource, operationOf, type Step } from '../plan';
import { fullIndex, type AttentionTrace } from '../run';

/**
 * The cells that carry a cell's number on, in order: a score, its scaled and masked score, its weight; or a number of Q, its cell in a head
 * and after the rotation. The chain ends before a product, which mixes the cell with others. A rotation also changes the cell's partner
 * and a shared key or value head serves several query heads; the chain then follows the cell's own index and the first of those heads.
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

/** The index in `step` of a cell of its first operand; undefined where the step mixes that cell with others. */
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
