import type { CellValue } from './explanation';
import type { OperationCall } from '../plan/operations';
import type { Step } from '../plan/plan';
import { fullIndex, type AttentionTrace } from '../run/trace';

/**
 * The cells that a cell turns into, in order: a score, the scaled score, the masked score, the weight; or a number of Q, where it stands
 * in its head, and what it is after its rotation. Ends before a product, which mixes it with others. A rotation also goes into the
 * cell's partner, and a shared key or value head serves several query heads: the chain keeps the cell's own place and the first of those
 * heads.
 */
export function whereItGoes(trace: AttentionTrace, stepId: string, index: readonly number[]): readonly CellValue[] {
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
  if (cellByCell.has(call.op)) return index;
  const lead = index.slice(0, -2);
  const [row = 0, column = 0] = index.slice(-2);
  switch (call.op) {
    case 'splitHeads': {
      const width = shape.at(-1) ?? 1;
      return [...lead, Math.floor(column / width), row, column % width];
    }
    case 'concatHeads': {
      const width = shapeOf(trace, operands[0] ?? '').at(-1) ?? 1;
      return [...lead.slice(0, -1), row, (lead.at(-1) ?? 0) * width + column];
    }
    case 'repeatHeads':
      return [...lead.slice(0, -1), (lead.at(-1) ?? 0) * call.times, row, column];
    default:
      return undefined;
  }
}

/** Operations whose result has what became of a cell in the same place. */
const cellByCell: ReadonlySet<OperationCall['op']> = new Set<OperationCall['op']>([
  'add',
  'divide',
  'softcap',
  'rope',
  'mask',
  'softmax',
  'identity',
]);

function shapeOf(trace: AttentionTrace, id: string): readonly number[] {
  const step = trace.plan.steps.find((s) => s.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step.shape;
}
