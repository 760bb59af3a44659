import {
  alibiSlopes,
  angleAt,
  angleOf,
  bucketOf,
  distanceAt,
  heldAs,
  positionAt,
  isHalf,
  roundTo,
  roundingTo,
  timesOf,
  turnsOf,
} from '../math';
import { drawsOf, isSource, operationOf, type CallOf, type SourceCall, type SourceName, type Step } from '../plan';
import type { CellExplanation, CellValue, Cells } from '../operations';
import { productTerms, softmaxTerms } from './terms';
import { fullIndex, offsetOf, type AttentionTrace } from '../run';

/**
 * How the cell at index `at` ([…batch, head,] row, column) of a step was computed. Operands are read through the trace, whether or not they
 * are held in memory. Leading dimensions missing in `at` are 0; the result's index has all of them. Throws on an unknown step or
 * index.
 */
export function explainCell(trace: AttentionTrace, stepId: string, at: readonly number[]): CellExplanation {
  const step = stepOf(trace, stepId);
  const index = fullIndex(step.shape, at);
  const cell: CellValue = { step: stepId, index, value: trace.value(stepId, index) };
  if (isSource(step.call)) return explainSource(trace, step, step.call, cell);
  return operationOf(step.call).made(step.call, cell, cellsOf(trace, step));
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

/** A step's operands, as its operation reads them to explain a cell. */
const cellsOf = (trace: AttentionTrace, step: Step): Cells => ({
  shape: step.shape,
  count: step.operands.length,
  operandShape: (i) => stepOf(trace, operandOf(step, i)).shape,
  read: (i, index) => read(trace, operandOf(step, i), index),
  served: (i, index) => readServed(trace, operandOf(step, i), index),
  round: roundingOf(trace),
  ...(isHalf(trace.spec.dtype) && { half: roundTo(trace.spec.dtype) }),
  products: (transposeB, cell) => productTerms({ op: 'matmul', transposeB }, trace, step, cell),
  softmax: (cell) => softmaxTerms(trace, step, cell),
});

/** A cell of an operand that is broadcast: a bias row to every row, a mask to every head. */
function readServed(trace: AttentionTrace, id: string, index: readonly number[]): CellValue {
  const { shape } = stepOf(trace, id);
  const own = index.slice(-shape.length).map((i, d) => (shape[d] === 1 ? 0 : i));
  return read(trace, id, own);
}

const roundingOf = (trace: AttentionTrace): ((x: number) => number) => roundTo(heldAs(trace.spec.dtype));

function drawOf({ spec, plan }: AttentionTrace, { id, shape, call }: Step, { index, value }: CellValue): number {
  if (call.op === 'random' && call.divideBy === 1 && call.times === undefined && spec.dtype === 'float64') return value;
  return drawsOf(spec, plan, id)[offsetOf(shape, index)] as number;
}

interface SourceCell {
  readonly trace: AttentionTrace;
  readonly step: Step;
  readonly cell: CellValue;
  readonly row: number;
  readonly column: number;
}

function explainSource(trace: AttentionTrace, step: Step, call: SourceCall, cell: CellValue): CellExplanation {
  const [row, column] = cell.index.slice(-2) as [number, number];
  const explain = sourceCells[call.op] as (call: SourceCall, at: SourceCell) => CellExplanation;
  return explain(call, { trace, step, cell, row, column });
}

/** What made a cell of each kind of source. */
const sourceCells: { readonly [O in SourceName]: (call: CallOf<O>, at: SourceCell) => CellExplanation } = {
  given: ({ path }, { cell }) => ({ ...cell, kind: 'given', path }),
  weight: ({ weight: { tensor, rows, columns } }, { trace, step, cell, row, column }) => {
    const [i, j] = [row + (rows?.[0] ?? 0), column + (columns?.[0] ?? 0)];
    const at = step.shape.at(-2) === 1 ? [j] : [i, j];
    return { ...cell, kind: 'learned', model: trace.spec.model?.name ?? '', tensor, at };
  },
  tokens: (_, { trace, cell, row, column }) => ({
    ...cell,
    kind: 'token',
    text: trace.plan.tokens[row]?.text ?? '',
    is: column === 0 ? 'id' : 'row',
  }),
  random: ({ divideBy, times, inFloat32 }, { trace, step, cell }) => {
    const { generator, seed } = trace.spec.random;
    const factor = times !== undefined && { times: inFloat32 ? Math.fround(times) : times };
    return { ...cell, kind: 'drawn', generator, seed, divideBy, draw: drawOf(trace, step, cell), ...factor };
  },
  sinusoidal: ({ layout, at, dtype }, { step, cell, row, column }) => ({
    ...cell,
    kind: 'position',
    ...angleOf(layout, positionAt(at, row, cell.index.at(-3)), column, step.shape.at(-1) as number, roundingTo(dtype)),
  }),
  rotations: ({ at, turning = {} }, { step, cell, row, column }) => {
    const turn = turnsOf(step.shape.at(-1) as number, turning)[column];
    if (!turn) throw new Error(`no pair ${column} in ${step.id}`);
    const [position, times] = [positionAt(at, row >> 1, cell.index.at(-3)), timesOf(turning)];
    const angle = angleAt(turn, position);
    const fn = row % 2 === 0 ? 'cos' : 'sin';
    return {
      ...cell, kind: 'position', position, fn, divisor: turn.divisor, angle, turn, ...(times !== 1 && { times }),
    }; // prettier-ignore
  },
  alibi: ({ at }, { step, cell, row, column }) => {
    const heads = at?.heads ?? step.shape.at(-3) ?? 1;
    const matrix = cell.index.slice(0, -2).reduce((sum, i, d) => sum * (step.shape[d] as number) + i, 0);
    const slope = alibiSlopes(heads)[matrix % heads] as number;
    return { ...cell, kind: 'distance', slope, distance: distanceAt(at, row, column, Math.floor(matrix / heads)) };
  },
  buckets: ({ bucketing, at }, { cell, row, column }) => {
    const input = cell.index.at(-3);
    const relative = positionAt(at?.keys, column, input) - positionAt(at?.queries, row, input);
    const others = [relative - 1, relative + 1].map((one) => bucketOf(bucketing, one));
    return { ...cell, kind: 'bucket', relative, alone: !others.includes(cell.value) };
  },
  patternMask: (_, { cell }) => hiddenCell(cell),
  listMask: (_, { cell }) => hiddenCell(cell),
  givenMask: (_, { cell }) => hiddenCell(cell),
};

const hiddenCell = (cell: CellValue): CellExplanation => ({ ...cell, kind: 'hidden', hidden: cell.value === 1 });
