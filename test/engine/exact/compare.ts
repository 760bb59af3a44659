import assert from 'node:assert/strict';
import type { AttentionSpec, AttentionTrace } from '../../../engine/index';
import { add, pair, type Pair } from './double-double';
import { indexOf, readNested, round, ulp, valuesOf, type Cells, type DType, type Made, type Nested } from './cells';
import { rules, type Origin, type Seen } from './rules';

/** One spec as the reference program writes it: every partial by its step's id. */
export interface Golden {
  readonly name: string;
  readonly spec: AttentionSpec;
  readonly steps: Readonly<Record<string, Nested>>;
}

/** The worst error of a step as a share of what is allowed: against its own operands, and against NumPy from the start. */
export interface Worst {
  cells: number;
  own: number;
  numpy: number;
}

export type Tally = Map<string, Worst>;

/** The trace's values for each step of the plan; their running errors are filled in as the comparison walks on. */
function walk(trace: AttentionTrace): Seen {
  const cells = new Map<string, Cells>();
  for (const step of trace.plan.steps) {
    const values = valuesOf(trace, step.id, step.shape);
    cells.set(step.id, { shape: step.shape, values, error: new Float64Array(values.length) });
  }
  const get = (id: string): Cells => {
    const found = cells.get(id);
    assert.ok(found, `the trace has no step ${id}`);
    return found;
  };
  return { spec: trace.spec, has: (id) => cells.has(id), get };
}

/** Compares every cell of every step of a trace; returns what is wrong, a line for each step that is. A trace that is wrong counts for no tally. */
export function compareTrace(trace: AttentionTrace, golden: Golden, tally: Tally): string[] {
  const ids = trace.plan.steps.map((s) => s.id);
  const missing = Object.keys(golden.steps).filter((id) => !ids.includes(id));
  const extra = ids.filter((id) => !(id in golden.steps));
  const wrong = [...missing.map((id) => `${id}: not in the plan`), ...extra.map((id) => `${id}: only in the plan`)];
  if (wrong.length > 0) return wrong;
  const seen = walk(trace);
  const own: Tally = new Map();
  const complaints = ids.flatMap((id) => {
    const complaint = compareStep(seen, id, golden.steps[id] ?? [], own);
    return complaint === undefined ? [] : [`${id}${complaint}`];
  });
  if (complaints.length === 0) merge(tally, own);
  return complaints;
}

function merge(tally: Tally, more: Tally): void {
  for (const [key, { cells, own, numpy }] of more) {
    const into = worstOf(tally, key);
    into.cells += cells;
    into.own = Math.max(into.own, own);
    into.numpy = Math.max(into.numpy, numpy);
  }
}

function compareStep(seen: Seen, id: string, nested: Nested, tally: Tally): string | undefined {
  const { dtype } = seen.spec;
  const expected = readNested(nested, dtype);
  const cells = seen.get(id);
  if (expected.shape.join('×') !== cells.shape.join('×')) {
    return `: ${cells.shape.join('×')}, expected ${expected.shape.join('×')}`;
  }
  const made = rules[id]?.(seen) ?? 'given';
  const worst = worstOf(tally, `${id} ${dtype}`);
  worst.cells += cells.values.length;
  if (typeof made !== 'string' && made.shape.join('×') !== cells.shape.join('×')) {
    return `: ${cells.shape.join('×')}, its operands make ${made.shape.join('×')}`;
  }
  return ownComplaint(cells, made, dtype, worst) ?? numpyComplaint(cells, expected.values, made, dtype, worst);
}

function worstOf(tally: Tally, key: string): Worst {
  const found = tally.get(key) ?? { cells: 0, own: 0, numpy: 0 };
  tally.set(key, found);
  return found;
}

/** Each cell against its own operands. */
function ownComplaint(cells: Cells, made: Made | Origin, dtype: DType, worst: Worst): string | undefined {
  return complaintOf(cells, (actual, i) => {
    if (round(actual, dtype) !== actual && !Number.isNaN(actual)) return 'not a float32';
    if (typeof made === 'string') return undefined;
    const exact = made.exact[i] ?? pair(NaN);
    const nearest = round(exact.hi, dtype);
    if (agreesInKind(actual, nearest)) return undefined;
    if (!Number.isFinite(nearest) || !Number.isFinite(actual)) return `${nearest} from its operands`;
    const [error, allowed] =
      made.rule === 'bound'
        ? [distance(actual, exact), made.local?.[i] ?? 0]
        : [Math.abs(actual - nearest), made.rule === 'ulp' ? ulp(nearest, dtype) : 0];
    worst.own = Math.max(worst.own, share(error, allowed));
    return error <= allowed ? undefined : `${nearest} from its operands (error ${error}, allowed ${allowed})`;
  });
}

/** Each cell against NumPy's: both are within the running error of what exact arithmetic gives. */
function numpyComplaint(
  cells: Cells,
  expected: Float64Array,
  made: Made | Origin,
  dtype: DType,
  worst: Worst,
): string | undefined {
  return complaintOf(cells, (actual, i) => {
    const target = expected[i] ?? NaN;
    if (made === 'given') return Object.is(actual, target) ? undefined : `${target} was given`;
    const error = runningError(actual, i, made, dtype);
    cells.error[i] = Number.isFinite(actual) ? error : 0;
    if (agreesInKind(actual, target)) return undefined;
    if (!Number.isFinite(target) || !Number.isFinite(actual)) return `${target} in NumPy`;
    const off = Math.abs(actual - target);
    worst.numpy = Math.max(worst.numpy, share(off, 2 * error));
    return off <= 2 * error ? undefined : `${target} in NumPy (error ${off}, allowed ${2 * error})`;
  });
}

/**
 * What the operands bring, and twice what the step itself may add: NumPy's float32 exp, tanh, sin and cos are within 4 ulp and
 * not 1, and its division follows a rounded square root.
 */
function runningError(actual: number, i: number, made: Made | Origin, dtype: DType): number {
  if (made === 'given') return 0;
  if (made === 'drawn') return ulp(actual, dtype);
  const local = made.rule === 'bound' ? (made.local?.[i] ?? 0) : made.rule === 'ulp' ? ulp(actual, dtype) : 0;
  return (made.spread[i] ?? 0) + 2 * local;
}

function complaintOf(cells: Cells, check: (actual: number, i: number) => string | undefined): string | undefined {
  let first: string | undefined;
  cells.values.forEach((actual, i) => {
    const complaint = check(actual, i);
    if (complaint !== undefined) first ??= `[${indexOf(i, cells.shape).join(',')}]: ${actual}, ${complaint}`;
  });
  return first;
}

/** Equal, or both NaN; the sign of zero is free (a sum of zeros depends on its order). */
const agreesInKind = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

const distance = (actual: number, exact: Pair): number => Math.abs(add(pair(actual), pair(-exact.hi, -exact.lo)).hi);

const share = (error: number, allowed: number): number => (error === 0 ? 0 : error / allowed);
