import { ok, type Paced, type Problem, type Result } from '../text';
import { valuesOf, type AttentionTrace } from '../run';
import type { AttentionSpec } from '../spec';
import type { Step } from '../plan';
import { checkTrace, type Answer } from './check';
import { chanceOf, evidenceOf, farthest, isPrinted, type Evidence, type Printed } from './printed';
import { separated, type Separation } from './separate';
import { rowsOf, sameShape, transposed, type Matrix } from './matrices';

/**
 * How a step was printed: as it is, with rows and columns exchanged, as the mean of its heads; masked scores with a large negative number for −∞;
 * weights before they are divided by their sum, with the largest score subtracted. The last two look different and are right.
 */
export type Form = 'plain' | 'transposed' | 'averaged' | 'filled' | 'undivided';

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
  | (Extract<Answer, { is: 'mistake' | 'several' }> & {
      /** Where more than one set of mistakes gives the numbers: an input on which they print different ones, if there is a small one. */
      readonly separation?: Separation | 'none';
    })
  | {
      readonly is: 'none';
      readonly nearest?: Near;
      /** Why no mistake was tried. */
      readonly notTried?: Problem;
    }
);

/** The step whose numbers are nearest. */
export interface Near {
  readonly step: Step;
  readonly evidence: Evidence;
}

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
  const fewer = Math.min(mine.digits, digitsFor(mine.rows, digitsOfFloat32));
  const places = yield* placesOf(trace, mine.rows);
  const [exact, near] = [mine.digits, fewer].map((digits) => stepsOf(places, { ...mine, digits })) as [Steps, Steps];
  if (exact.some(isPlain)) return ok(asSteps(exact.filter(isPlain), places, mine));
  const answer = yield* checkTrace(trace, mine, { fewer });
  const found =
    answer.ok && (answer.value.is === 'mistake' || answer.value.is === 'several') ? answer.value : undefined;
  // Another form of a step is no worse a finding than a mistake: only where no mistake is found is it the one that counts.
  if (exact.length > 0) return ok(asSteps(exact, places, mine));
  if (found?.digits === mine.digits) return ok(yield* withSeparation(trace.spec, found));
  const plain = near.filter(isPlain);
  if (near.length > 0) return ok(asSteps(plain.length > 0 ? plain : near, places, { ...mine, digits: fewer }));
  if (found) return ok(yield* withSeparation(trace.spec, found));
  const nearest = yield* nearestOf(places, mine);
  const none = { is: 'none', digits: mine.digits, ...(nearest && { nearest }) } as const;
  return ok(answer.ok ? none : { ...none, ...(answer.problems[0] && { notTried: answer.problems[0] }) });
}

/** The steps of a trace that are printed so, whatever form; `nearest`: where none is. */
export function* stepsPrintedAs(
  trace: AttentionTrace,
  mine: Printed,
): Paced<{ readonly steps: Steps; readonly chance: number; readonly nearest?: Near }> {
  const places = yield* placesOf(trace, mine.rows);
  const steps = stepsOf(places, mine);
  const plain = steps.filter(isPlain);
  const nearest = steps.length > 0 ? undefined : yield* nearestOf(places, mine);
  const chance = places.length * chanceOf(mine);
  return { steps: plain.length > 0 ? plain : steps, chance, ...(nearest && { nearest }) };
}

function* withSeparation(spec: AttentionSpec, found: Extract<Answer, { is: 'mistake' | 'several' }>): Paced<Checked> {
  const sets = (found.is === 'mistake' ? [found.named] : found.named).flatMap(({ mistakes }) => mistakes);
  if (sets.length < 2) return found;
  return { ...found, separation: (yield* separated(spec, sets)) ?? 'none' };
}

type Steps = readonly FoundStep[];
const isPlain = ({ form }: FoundStep): boolean => form === 'plain';

const stepsOf = (places: readonly Place[], mine: Printed): Steps =>
  places.flatMap(({ m, ...place }) => (isPrinted(m, mine) ? [place] : []));

const asSteps = (steps: Steps, places: readonly Place[], mine: Printed) =>
  ({ is: 'step', digits: mine.digits, steps, chance: places.length * chanceOf(mine) }) as const;

/** Digits after the point that are so many significant ones of the largest number. */
export function digitsFor(rows: Matrix, significant: number): number {
  const largest = rows.flat().reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  return significant - 1 - Number(largest.toExponential().split('e')[1] ?? 0);
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
      if (sameShape(m, rows)) {
        const other = step.id === 'masked' ? filled(m, rows) : step.id === 'weights' ? undivided(m) : undefined;
        if (other) at(other, step.id === 'masked' ? 'filled' : 'undivided', all.length > 1 ? head : undefined);
      }
    });
    if (all.length > 1) at(meanOf(all), 'averaged');
  }
  return places;
}

/** e to this and less is 0 in every precision, beside a score of any usual size. */
const asGoodAsHidden = -9e3;

/** Masked scores with what was printed in place of −∞; undefined where nothing else was. */
function filled(m: Matrix, rows: Matrix): Matrix | undefined {
  const isFilled = (x: number, y: number): boolean => x === -Infinity && Number.isFinite(y) && y <= asGoodAsHidden;
  const made = m.map((row, i) => row.map((x, j) => (isFilled(x, rows[i]?.[j] ?? NaN) ? (rows[i]?.[j] ?? NaN) : x)));
  return made.some((row, i) => row.some((x, j) => x !== m[i]?.[j] && !Number.isNaN(x))) ? made : undefined;
}

const undivided = (m: Matrix): Matrix =>
  m.map((row) => row.map((x) => x / row.reduce((most, y) => Math.max(most, y), 0)));

const matricesOf = (values: Float64Array, rows: number, columns: number): readonly Matrix[] =>
  Array.from({ length: values.length / (rows * columns) }, (_, i) =>
    rowsOf(values.subarray(i * rows * columns, (i + 1) * rows * columns), columns),
  );

const meanOf = (all: readonly Matrix[]): Matrix =>
  (all[0] ?? []).map((cells, i) =>
    cells.map((_x, j) => all.reduce((sum, m) => sum + (m[i]?.[j] ?? NaN), 0) / all.length),
  );

/** The computed step whose largest difference is smallest. */
function* nearestOf(places: readonly Place[], mine: Printed): Paced<Near | undefined> {
  let [best, least] = [undefined as Place | undefined, Infinity];
  for (const place of places) {
    yield;
    if (!isPlain(place) || place.step.operands.length === 0) continue;
    const by = farthest(place.m, mine);
    best ??= place;
    if (by < least) [best, least] = [place, by];
  }
  return best && { step: best.step, evidence: evidenceOf(best.m, mine) };
}
