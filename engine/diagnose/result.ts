import { ok, type Paced, type Problem, type Result } from '../text';
import { valuesOf, type AttentionTrace } from '../run';
import type { Step } from '../plan';
import { checkTrace, type Answer } from './check';
import { chanceOf, evidenceOf, isPrinted, type Evidence, type Printed } from './printed';
import { rowsOf, sameShape, transposed, type Matrix } from './matrices';

/** How a step was printed: as it is, with rows and columns exchanged, or as the mean of its heads. */
export type Form = 'plain' | 'transposed' | 'averaged';

/** A step that gives every digit. */
export interface FoundStep {
  readonly step: Step;
  readonly form: Form;
  /** Which of the matrices of a step that has several, from 0. */
  readonly head?: number;
}

export type Checked = {
  /** Digits after the point that were compared; negative: tens. Fewer than were printed where the last ones are those of float32. */
  readonly digits: number;
} & (
  | { readonly is: 'step'; readonly steps: readonly FoundStep[]; readonly chance: number }
  | Extract<Answer, { is: 'mistake' | 'several' }>
  | {
      readonly is: 'none';
      readonly nearest?: { readonly step: Step; readonly evidence: Evidence };
      /** Why no mistake was tried. */
      readonly notTried?: Problem;
    }
);

/** Above this chance that a step meets the digits by accident, the answer says so. */
export const tellingChance = 1e-4;

/** Digits of float32 that survive some sums. */
const digitsOfFloat32 = 6;
/** A step of more numbers than this is passed by. */
const mostCells = 1 << 18;

/**
 * Which step of a trace a printed matrix is, or which known mistakes give every digit of it; else the nearest step of its shape. What has more digits
 * than float32 and is nothing to all of them is compared to six significant ones.
 */
export function* checkResult(trace: AttentionTrace, mine: Printed): Paced<Result<Checked>> {
  const first = yield* checkDigits(trace, mine);
  const digits = digitsFor(mine.rows, digitsOfFloat32);
  if (!first.ok || first.value.is !== 'none' || digits >= mine.digits) return first;
  const fewer = yield* checkDigits(trace, { ...mine, digits });
  return fewer.ok && fewer.value.is !== 'none' ? fewer : first;
}

/** Digits after the point that are so many significant ones of the largest number. */
export function digitsFor(rows: Matrix, significant: number): number {
  const largest = rows.flat().reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  return significant - 1 - Number(largest.toExponential().split('e')[1] ?? 0);
}

function* checkDigits(trace: AttentionTrace, mine: Printed): Paced<Result<Checked>> {
  const { digits } = mine;
  const places = yield* placesOf(trace, mine.rows);
  const steps = places.flatMap(({ m, ...place }) => (isPrinted(m, mine) ? [place] : []));
  const chance = places.length * chanceOf(mine);
  const asPrinted = steps.filter(({ form }) => form === 'plain');
  if (asPrinted.length > 0) return ok({ is: 'step', digits, steps: asPrinted, chance });
  const answer = yield* checkTrace(trace, mine);
  // Another form of a step is no worse a finding than a mistake: only where no mistake is found is it the one that counts.
  if (answer.ok && (answer.value.is === 'mistake' || answer.value.is === 'several') && steps.length === 0)
    return ok({ ...answer.value, digits });
  if (steps.length > 0) return ok({ is: 'step', digits, steps, chance });
  const near = nearestOf(places, mine);
  const none = { is: 'none', digits, ...(near && { nearest: near }) } as const;
  return ok(answer.ok ? none : { ...none, ...(answer.problems[0] && { notTried: answer.problems[0] }) });
}

interface Place extends FoundStep {
  readonly m: Matrix;
}

/** Every matrix of every step that has the shape of the printed one, in each form. */
function* placesOf(trace: AttentionTrace, rows: Matrix): Paced<readonly Place[]> {
  const places: Place[] = [];
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  for (const step of trace.plan.steps) {
    yield;
    const [r = 1, c = 1] = step.shape.slice(-2);
    const cells = step.shape.reduce((a, b) => a * b, 1);
    if (cells > mostCells || !((r === height && c === width) || (r === width && c === height))) continue;
    const all = matricesOf(valuesOf(trace, step), r, c);
    const at = (m: Matrix, form: Form, head?: number): void => {
      if (sameShape(m, rows)) places.push({ step, form, m, ...(head === undefined ? {} : { head }) });
    };
    all.forEach((m, head) => {
      at(m, 'plain', all.length > 1 ? head : undefined);
      at(transposed(m), 'transposed', all.length > 1 ? head : undefined);
    });
    if (all.length > 1) at(meanOf(all), 'averaged');
  }
  return places;
}

const matricesOf = (values: Float64Array, rows: number, columns: number): readonly Matrix[] =>
  Array.from({ length: values.length / (rows * columns) }, (_, i) =>
    rowsOf(values.subarray(i * rows * columns, (i + 1) * rows * columns), columns),
  );

const meanOf = (all: readonly Matrix[]): Matrix =>
  (all[0] ?? []).map((cells, i) =>
    cells.map((_x, j) => all.reduce((sum, m) => sum + (m[i]?.[j] ?? NaN), 0) / all.length),
  );

/** The computed step whose largest difference is smallest. */
function nearestOf(places: readonly Place[], mine: Printed): { step: Step; evidence: Evidence } | undefined {
  const all = places
    .filter(({ form, step }) => form === 'plain' && step.operands.length > 0)
    .map(({ step, m }) => ({ step, evidence: evidenceOf(m, mine) }));
  const far = ({ evidence }: { evidence: Evidence }): number => {
    const by = Math.abs(evidence.mine - evidence.right);
    return Number.isNaN(by) ? Infinity : by;
  };
  const [first] = all;
  return first && all.reduce((a, b) => (far(b) < far(a) ? b : a), first);
}
