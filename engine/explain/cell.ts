import { rotationOf } from '../run/backend/reference';
import { alibiSlopes, angleOf, rotationDivisor } from '../math/positions';
import { tanh } from '../math/math';
import { drawsOf } from '../plan/draws';
import type { CellExplanation, CellValue } from './explanation';
import { isSource, type CallOf, type OperationName } from '../plan/operations';
import type { Step } from '../plan/plan';
import { productTerms, softmaxTerms } from './terms';
import { fullIndex, offsetOf, type AttentionTrace } from '../run/trace';

/**
 * The terms that made the cell at `at` ([…batch, head,] row, column) of a step. Reads operands through the trace, so
 * it works whether or not the step is held in memory. Leading dimensions that are missing in `at` count as 0; in the result none
 * is. Throws on an unknown step or index.
 */
export function explainCell(trace: AttentionTrace, stepId: string, at: readonly number[]): CellExplanation {
  const step = stepOf(trace, stepId);
  const index = fullIndex(step.shape, at);
  const cell: CellValue = { step: stepId, index, value: trace.value(stepId, index) };
  if (isSource(step.call)) return explainSource(trace, step, cell);
  const explain = explanations[step.call.op] as Explain<OperationName>;
  return explain(step.call as CallOf<OperationName>, trace, step, cell);
}

function stepOf(trace: AttentionTrace, id: string): Step {
  const step = trace.plan.steps.find((s) => s.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step;
}

const read = (trace: AttentionTrace, step: string, index: readonly number[]): CellValue => ({
  step,
  index,
  value: trace.value(step, index),
});

const operandOf = (step: Step, i: number): string => {
  const id = step.operands[i];
  if (id === undefined) throw new Error(`step ${step.id} has no operand ${i}`);
  return id;
};

type Explain<O extends OperationName> = (
  call: CallOf<O>,
  trace: AttentionTrace,
  step: Step,
  cell: CellValue,
) => CellExplanation;

const explanations: { readonly [O in OperationName]: Explain<O> } = {
  lookup: (call, trace, step, cell) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    const id = read(trace, operandOf(step, 1), [row, call.column]);
    return { ...cell, kind: 'lookup', id, entry: read(trace, operandOf(step, 0), [id.value, column]) };
  },
  add: (_, trace, step, cell) => ({
    ...cell,
    kind: 'sum',
    left: read(trace, operandOf(step, 0), cell.index),
    right: readServed(trace, operandOf(step, 1), cell.index),
  }),
  matmul: (call, trace, step, cell) => ({ ...cell, kind: 'products', ...productTerms(call, trace, step, cell) }),
  divide: (call, trace, step, cell) => ({
    ...cell,
    kind: 'quotient',
    operand: read(trace, operandOf(step, 0), cell.index),
    by: roundingOf(trace)(call.by),
  }),
  mask: (call, trace, step, cell) => ({
    ...cell,
    kind: 'masked',
    operand: read(trace, operandOf(step, 0), cell.index),
    mask: readServed(trace, operandOf(step, 1), cell.index),
    fill: roundingOf(trace)(call.fill),
  }),
  softmax: ({ emptyRow }, trace, step, cell) => {
    const parts = softmaxTerms(trace, step, cell);
    const zeroed = parts.max === -Infinity && emptyRow === 'zero';
    return { ...cell, kind: 'softmax', ...parts, zeroed };
  },
  softcap: (call, trace, step, cell) => {
    const operand = read(trace, operandOf(step, 0), cell.index);
    const round = roundingOf(trace);
    const cap = round(call.cap);
    const ratio = round(operand.value / cap);
    return { ...cell, kind: 'capped', operand, cap, ratio, tanh: round(tanh(ratio)) };
  },
  splitHeads: (_, trace, step, cell) => {
    const [head = 0, row = 0, column = 0] = cell.index.slice(-3);
    const width = step.shape.at(-1) ?? 0;
    return moved(trace, step, cell, [...cell.index.slice(0, -3), row, head * width + column]);
  },
  concatHeads: (_, trace, step, cell) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    const width = stepOf(trace, operandOf(step, 0)).shape.at(-1) ?? 1;
    return moved(trace, step, cell, [...cell.index.slice(0, -2), Math.floor(column / width), row, column % width]);
  },
  repeatHeads: ({ times }, trace, step, cell) => {
    const [head = 0, row = 0, column = 0] = cell.index.slice(-3);
    return moved(trace, step, cell, [...cell.index.slice(0, -3), Math.floor(head / times), row, column]);
  },
  rope: ({ layout }, trace, step, cell) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    const { partner, pair, sign } = rotationOf(layout, column, step.shape.at(-1) ?? 0);
    const [from, by] = [operandOf(step, 0), operandOf(step, 1)];
    return {
      ...cell,
      kind: 'rotated',
      own: read(trace, from, cell.index),
      partner: read(trace, from, [...cell.index.slice(0, -1), partner]),
      cosine: read(trace, by, [2 * row, pair]),
      sine: read(trace, by, [2 * row + 1, pair]),
      sign,
    };
  },
  identity: (_, trace, step, cell) => ({
    ...cell,
    kind: 'unchanged',
    operand: read(trace, operandOf(step, 0), cell.index),
  }),
};

const moved = (trace: AttentionTrace, step: Step, cell: CellValue, from: readonly number[]): CellExplanation => ({
  ...cell,
  kind: 'moved',
  operand: read(trace, operandOf(step, 0), from),
});

/** The cell of an operand that serves more than its own shape: a bias row for every row, a mask for every head. */
function readServed(trace: AttentionTrace, id: string, index: readonly number[]): CellValue {
  const { shape } = stepOf(trace, id);
  const own = index.slice(-shape.length).map((i, d) => (shape[d] === 1 ? 0 : i));
  return read(trace, id, own);
}

const roundingOf = (trace: AttentionTrace): ((x: number) => number) =>
  trace.spec.dtype === 'float32' ? Math.fround : (x) => x;

function drawOf({ spec, plan }: AttentionTrace, { id, shape, call }: Step, { index, value }: CellValue): number {
  if (call.op === 'random' && call.divideBy === 1 && spec.dtype === 'float64') return value;
  return drawsOf(spec, plan, id)[offsetOf(shape, index)] as number;
}

function explainSource(trace: AttentionTrace, step: Step, cell: CellValue): CellExplanation {
  const { call } = step;
  const [row = 0, column = 0] = cell.index.slice(-2);
  switch (call.op) {
    case 'given':
      return { ...cell, kind: 'given', path: call.path };
    case 'tokens':
      return { ...cell, kind: 'token', text: trace.plan.tokens[row]?.text ?? '', is: column === 0 ? 'id' : 'row' };
    case 'random': {
      const { generator, seed } = trace.spec.random;
      return { ...cell, kind: 'drawn', generator, seed, divideBy: call.divideBy, draw: drawOf(trace, step, cell) };
    }
    case 'sinusoidal':
      return { ...cell, kind: 'position', ...angleOf(call.layout, row, column, step.shape[1] ?? 0) };
    case 'rotations': {
      const divisor = rotationDivisor(column, 2 * (step.shape[1] ?? 0));
      const position = row >> 1;
      return {
        ...cell,
        kind: 'position',
        position,
        fn: row % 2 === 0 ? 'cos' : 'sin',
        divisor,
        angle: position / divisor,
      };
    }
    case 'alibi': {
      const heads = step.shape.length > 2 ? (step.shape.at(-3) ?? 1) : 1;
      const slope = alibiSlopes(heads)[cell.index.at(-3) ?? 0] ?? 0;
      return { ...cell, kind: 'distance', slope, distance: Math.abs(row - column) };
    }
    case 'patternMask':
    case 'givenMask':
      return { ...cell, kind: 'hidden', hidden: cell.value === 1 };
    default:
      throw new Error(`step ${step.id} is not a source`);
  }
}
