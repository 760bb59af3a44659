/** Which step of an attention the numbers of a matrix are that stands in the text. */
import { chanceOf, decimalsOf, digitsFor } from '../../diagnose';
import type { Step } from '../../plan';
import type { TextRange } from '../../text';

/** A matrix or a vector as it is written: its rows, and the digits after the point that it is written with. */
export interface WrittenMatrix {
  readonly range: TextRange;
  readonly shape: readonly number[];
  readonly rows: readonly (readonly number[])[];
  readonly digits: number;
}

/** The numbers of a step that are known: none of them stands in. Those of several heads follow one another. */
export interface KnownStep {
  readonly step: Step;
  readonly values: Float64Array;
  /** Its numbers are those of float32. */
  readonly isFloat32?: boolean;
}

export interface MatchedMatrix {
  readonly step: string;
  /** Its rows and columns exchanged, or one row, column or number of it alone. */
  readonly form: 'plain' | 'transposed' | 'row' | 'column' | 'cell';
  /** Which row or column, from 0; of a number both. */
  readonly at?: readonly number[];
  /** Which of the matrices of a step that has several, from 0. */
  readonly head?: number;
  /** Digits after the point to which all numbers agree. Fewer than are written if the last digits differ by float32's rounding. */
  readonly digits: number;
  /** All written digits agree. */
  readonly isExact: boolean;
}

/** A match is not reported if some step would have these digits by accident with more than this probability. */
const tellingChance = 1e-4;

/** Digits of float32 that survive some sums. */
const digitsOfFloat32 = 6;

/** Steps with more numbers are not compared. */
const mostNumbers = 1 << 16;

export function writtenNumbersOf(
  text: string,
  {
    range,
    shape,
    values,
  }: { readonly range: TextRange; readonly shape: readonly number[]; readonly values: Float64Array },
): WrittenMatrix | undefined {
  if (values.length === 0 || values.length > mostNumbers || shape.length > 2) return undefined;
  const width = shape.at(-1) ?? 1;
  const rows = Array.from({ length: values.length / width }, (_, i) => [
    ...values.subarray(i * width, (i + 1) * width),
  ]);
  return { range, shape, rows, digits: decimalsOf(text.slice(range.start, range.end)) };
}

/**
 * All steps that have these numbers, in the order of the steps: to every digit that is written, else to those that float32 keeps. Nothing for numbers so few
 * or so round that a step may have them by accident, with more than the `allowed` chance.
 */
export function matchingMatrix(
  steps: readonly KnownStep[],
  written: WrittenMatrix,
  allowed = tellingChance,
): readonly MatchedMatrix[] {
  const exact = matchingTo(steps, written, written.digits, allowed);
  const digits = digitsFor(written.rows, digitsOfFloat32);
  if (exact.length > 0 || digits >= written.digits) return exact.map((one) => ({ ...one, isExact: true }));
  return matchingTo(steps, written, digits, allowed).map((one) => ({ ...one, isExact: false }));
}

type Match = Omit<MatchedMatrix, 'isExact'>;

function matchingTo(
  steps: readonly KnownStep[],
  { rows, shape }: WrittenMatrix,
  digits: number,
  allowed: number,
): readonly Match[] {
  const [only] = rows[0] ?? [];
  if (only !== undefined && rows.length * (rows[0]?.length ?? 0) === 1) return cellsTo(steps, only, digits, allowed);
  const places = steps.flatMap((known) => formsOf(known, shape, rows));
  const isTelling = places.length * chanceOf({ rows, digits }) <= allowed;
  const found = isTelling ? places.filter(({ m, isFloat32 }) => isWritten(m, rows, digits, isFloat32)) : [];
  const plain = found.filter(({ form }) => form === 'plain');
  return (plain.length > 0 ? plain : found).map(({ m: _, isFloat32: __, ...match }) => ({ ...match, digits }));
}

/** A number that is written alone is told by its digits, if it is that of one cell only. */
function cellsTo(steps: readonly KnownStep[], written: number, digits: number, allowed: number): readonly Match[] {
  const unit = Number(`1e${-digits}`);
  const all = steps.filter(({ values }) => values.length > 1 && values.length <= mostNumbers);
  const chance = all.reduce((sum, { values }) => sum + values.length * Math.min(1, unit / Math.max(rangeOf(values), unit)), 0); // prettier-ignore
  if (!(chance <= allowed)) return [];
  const found = all.flatMap(({ step, values, isFloat32 = false }) => {
    const isIt = (x: number): boolean => isWritten([[x]], [[written]], digits, isFloat32);
    const at = values.findIndex(isIt);
    const [height = 1, width = 1] = step.shape.slice(-2);
    const head = values.length > height * width ? { head: Math.floor(at / (height * width)) } : {};
    return at < 0 || values.subarray(at + 1).some(isIt) ? [] : [{ step: step.id, form: 'cell' as const, at: [Math.floor(at / width) % height, at % width], ...head, digits }]; // prettier-ignore
  });
  return found;
}

const rangeOf = (values: Float64Array): number => {
  const finite = values.filter(Number.isFinite);
  return finite.reduce((a, x) => Math.max(a, x), -Infinity) - finite.reduce((a, x) => Math.min(a, x), Infinity);
};

/** Half the distance between neighbours of float32 at 1. */
const float32Unit = 2 / 33_554_432;

/** Rounded to these digits; a number of float32 is known to half its last bit. */
const isWritten = (
  m: WrittenMatrix['rows'],
  rows: WrittenMatrix['rows'],
  digits: number,
  isFloat32: boolean,
): boolean =>
  m.every((cells, i) =>
    cells.every((x, j) => {
      const y = rows[i]?.[j] ?? NaN;
      const slack = 0.5001 * Number(`1e${-digits}`) + (isFloat32 ? Math.abs(x) * float32Unit : 0);
      return Object.is(x, y) || (Number.isFinite(x) && Math.abs(x - y) <= slack);
    }),
  );

type Form = Omit<MatchedMatrix, 'isExact' | 'digits'> & {
  readonly m: readonly (readonly number[])[];
  readonly isFloat32: boolean;
};

/** Each way in which a step may have been written with this shape. */
function formsOf(
  { step, values, isFloat32 = false }: KnownStep,
  shape: readonly number[],
  rows: WrittenMatrix['rows'],
): readonly Form[] {
  const [height = 1, width = 1] = step.shape.slice(-2);
  const count = values.length / (height * width);
  if (values.length > mostNumbers || !Number.isInteger(count)) return [];
  return Array.from({ length: count }, (_, of) => of).flatMap((of) => {
    const own = values.subarray(of * height * width, (of + 1) * height * width);
    const m = Array.from({ length: height }, (_, i) => [...own.subarray(i * width, (i + 1) * width)]);
    const place = { step: step.id, ...(count > 1 ? { head: of } : {}) };
    return formsOfMatrix(m, shape, rows).map((form) => ({ ...place, ...form, isFloat32 }));
  });
}

function formsOfMatrix(
  m: WrittenMatrix['rows'],
  shape: readonly number[],
  rows: WrittenMatrix['rows'],
): readonly Pick<Form, 'form' | 'at' | 'm'>[] {
  const [height, width] = [m.length, m[0]?.length ?? 0];
  const [high, wide] = [rows.length, rows[0]?.length ?? 0];
  const exchanged = Array.from({ length: width }, (_, j) => m.map((row) => row[j] ?? NaN));
  const as = (line: readonly number[]): WrittenMatrix['rows'] => (high === 1 ? [line] : line.map((x) => [x]));
  const length = high === 1 ? wide : wide === 1 ? high : 0;
  const isMatrix = shape.length === 2 || height === 1;
  return [
    ...(isMatrix && high === height && wide === width ? [{ form: 'plain' as const, m }] : []),
    ...(isMatrix && high === width && wide === height ? [{ form: 'transposed' as const, m: exchanged }] : []),
    ...(length === width && height > 1 ? m.map((row, at) => ({ form: 'row' as const, at: [at], m: as(row) })) : []),
    ...(length === height && width > 1 ? exchanged.map((column, at) => ({ form: 'column' as const, at: [at], m: as(column) })) : []),
  ]; // prettier-ignore
}

/** The same step with the same numbers. */
export const isAlike = (a: KnownStep, b: KnownStep): boolean =>
  a.step.id === b.step.id && a.step.shape.join() === b.step.shape.join() && isSame(a.values, b.values);

const isSame = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((x, i) => Object.is(x, b[i]) || Math.abs(x - (b[i] ?? NaN)) <= 1e-12 * Math.max(1, Math.abs(x))); // prettier-ignore
