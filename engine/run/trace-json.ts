import { hashTrace, valuesOf } from './hash';
import type { Problem } from '../text';
import type { StepWords } from '../plan';
import { encodeNumber, type AttentionSpec, type SpecNumber } from '../spec';
import type { AttentionTrace } from './trace';

/** Nested arrays of numbers, one level per dimension of a step. */
export type NestedNumbers = readonly (SpecNumber | NestedNumbers)[];

export interface StepJson {
  readonly id: string;
  readonly symbol: string;
  readonly operation: string;
  readonly operands: readonly string[];
  readonly shape: readonly number[];
  readonly shapes: string;
  /** LaTeX. */
  readonly formula: string;
  readonly words: StepWords;
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
  /** Of a program's step: its line in the text, from 1. */
  readonly line?: number;
  /** Its numbers are not the code's own. */
  readonly standIn?: true;
  readonly values: NestedNumbers;
}

/** A whole trace as plain JSON; `extension/schemas/trace.schema.json` describes it. */
export interface TraceJson {
  readonly version: 1;
  readonly hash: string;
  readonly spec: AttentionSpec;
  readonly steps: readonly StepJson[];
  readonly problems: readonly Problem[];
  /** Fields of the spec that change nothing here, and why. */
  readonly notes: readonly Problem[];
}

/** The trace with every value: non-finite numbers as "inf", "-inf", "nan", negative zero as "-0". */
export function traceToJson(trace: AttentionTrace): TraceJson {
  const steps = trace.plan.steps.map((step) => ({
    id: step.id,
    symbol: step.symbol,
    operation: step.call.op,
    operands: step.operands,
    shape: step.shape,
    shapes: step.shapes,
    formula: step.formula.plain,
    words: step.words,
    rowLabels: step.rowLabels,
    columnLabels: step.columnLabels,
    ...(step.line !== undefined && { line: step.line }),
    ...(step.standIn && { standIn: step.standIn }),
    values: nest(Array.from(valuesOf(trace, step), encodeNumber), step.shape),
  }));
  return {
    version: 1,
    hash: hashTrace(trace),
    spec: trace.spec,
    steps,
    problems: trace.problems,
    notes: trace.plan.notes,
  };
}

function nest(flat: readonly SpecNumber[], shape: readonly number[]): NestedNumbers {
  if (shape.length < 2) return flat;
  const [n = 0, ...rest] = shape;
  const size = flat.length / (n || 1);
  return Array.from({ length: n }, (_, i) => nest(flat.slice(i * size, (i + 1) * size), rest));
}
