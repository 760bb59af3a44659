// The digits of operations that are shown in one line: sums, quotients, rotations, positions and the like.
import { cos, exp, sin } from '../../math';
import type { CellExplanation, CellValue } from '../../operations';
import { commonBase, digitsOf, shown, sumDigits, type Digits, type DigitFormat, type ShownNumber } from './digits';
import { largestOf, resultOf, addDigits, type Relation, type ShownResult } from './relation';
import type { DigitFormatOf } from './products';

type Of<K extends CellExplanation['kind']> = Extract<CellExplanation, { kind: K }>;

const valueOf = (cell: CellValue, places: DigitFormatOf): Digits => digitsOf(cell.value, places(cell.step));
const asSingleTerms = (digits: readonly Digits[]): Digits[][] => digits.map((one) => [one]);

/** A result and the numbers it is computed from. */
export interface ShownLine {
  readonly from: readonly ShownNumber[];
  readonly result: ShownResult;
}

/** Adds digits until the line can be redone from what it shows. */
function lineOf(result: Digits, from: readonly Digits[], redo: Relation['redo'], size?: Relation['size']): ShownLine {
  const relation: Relation = { result, from, redo, ...(size && { size }) };
  addDigits([relation], asSingleTerms(from), { result: true });
  return { from: from.map(shown), result: resultOf(relation) };
}

export function shownSum(cell: Of<'sum'>, places: DigitFormatOf): ShownLine {
  const from = [valueOf(cell.left, places), valueOf(cell.right, places)];
  return lineOf(summed(cell, from, places), from, [([a = NaN, b = NaN]) => a + b], largestOf);
}

/** A result that may be small compared with the numbers it is the sum of. */
const summed = (cell: CellValue, from: readonly Digits[], places: DigitFormatOf): Digits =>
  sumDigits(cell.value, places(cell.step), commonBase([...from.map(({ value }) => value), cell.value], places(cell.step))); // prettier-ignore

/** a × b, a − b, a ÷ b, exp(a). */
export function shownApplied(cell: Of<'applied'>, places: DigitFormatOf, between: DigitFormat): ShownLine {
  const own = cell.operands.map((operand) => valueOf(operand, places));
  const from = cell.by === undefined ? own : [...own, digitsOf(cell.by, between)];
  const redo = ([a = NaN, b = NaN]: readonly number[]): number =>
    ({ '×': a * b, '−': a - b, '÷': a / b, exp: exp(a) })[cell.function];
  return cell.function === '−'
    ? lineOf(summed(cell, from, places), from, [redo], largestOf)
    : lineOf(valueOf(cell, places), from, [redo]);
}

/** The sum or the largest of some cells. */
export function shownReduced(cell: Of<'reduced'>, places: DigitFormatOf): ShownLine {
  const from = cell.terms.map((term) => valueOf(term, places));
  if (cell.function === 'max') return lineOf(valueOf(cell, places), from, [largest]);
  return lineOf(summed(cell, from, places), from, [(numbers) => numbers.reduce((sum, x) => sum + x, 0)], largestOf);
}

const largest = (numbers: readonly number[]): number =>
  numbers.reduce((most, x) => (x > most || Number.isNaN(x) ? x : most), -Infinity);

/** A quotient. A divisor that is the root of a whole number is shown as `√8` too, so both ways to redo the line must give the result. */
export function shownQuotient(
  cell: Of<'quotient'> | Of<'drawn'>,
  places: DigitFormatOf,
  divisor: DigitFormat,
): ShownLine {
  if (cell.kind === 'drawn' && cell.times !== undefined) return shownTimes(cell, cell.times, places, divisor);
  const [above, by] =
    cell.kind === 'quotient' ? [valueOf(cell.operand, places), cell.by] : [digitsOf(cell.draw, divisor), cell.divideBy];
  const root = rootOf(by);
  const divided = [([a = NaN, b = NaN]: readonly number[]): number => a / b];
  if (root !== undefined) divided.push(([a = NaN]) => a / Math.sqrt(root));
  return lineOf(valueOf(cell, places), [above, digitsOf(by, divisor)], divided);
}

/** A draw times a number. */
const shownTimes = (cell: Of<'drawn'>, times: number, places: DigitFormatOf, between: DigitFormat): ShownLine =>
  lineOf(
    valueOf(cell, places),
    [digitsOf(cell.draw, between), digitsOf(times, between)],
    [([a = NaN, b = NaN]) => a * b],
  );

/** The whole number whose root the divisor is; undefined if there is none. */
export function rootOf(by: number): number | undefined {
  const square = Math.round(by * by);
  return by > 1 && !Number.isInteger(by) && Math.abs(Math.sqrt(square) - by) < 1e-6 * by ? square : undefined;
}

/** One number that appears in two matrices. */
export const shownSame = (cell: CellValue, from: CellValue, places: DigitFormatOf): ShownLine =>
  lineOf(valueOf(cell, places), [valueOf(from, places)], [([a = NaN]) => a]);

/** −slope · distance */
export const shownDistance = (cell: Of<'distance'>, places: DigitFormatOf, slope: DigitFormat): ShownLine =>
  lineOf(valueOf(cell, places), [digitsOf(cell.slope, slope)], [([a = NaN]) => -a * cell.distance]);

export function shownRotation(cell: Of<'rotated'>, places: DigitFormatOf): ShownLine {
  const from = [cell.own, cell.cosine, cell.partner, cell.sine].map((of) => valueOf(of, places));
  const [own, partner] = [cell.own.value * cell.cosine.value, cell.partner.value * cell.sine.value];
  const result = sumDigits(cell.value, places(cell.step), commonBase([own, partner, cell.value], places(cell.step)));
  const turned = ([x = NaN, cosine = NaN, y = NaN, sine = NaN]: readonly number[]): number =>
    x * cosine + cell.sign * (y * sine);
  return lineOf(result, from, [turned], () => Math.max(Math.abs(own), Math.abs(partner)));
}

export interface ShownAngle {
  readonly divisor: ShownNumber;
  readonly angle: ShownResult;
  /** What the cosine or sine is multiplied by, if anything. */
  readonly times?: ShownNumber;
  readonly result: ShownResult;
}

/** sin or cos of an angle, and the angle: position ÷ divisor. */
export function shownAngle(cell: Of<'position'>, places: DigitFormatOf, between: DigitFormat): ShownAngle {
  const of = cell.fn === 'sin' ? sin : cos;
  const [result, divisor, angle] = [
    valueOf(cell, places),
    digitsOf(cell.divisor, between),
    digitsOf(cell.angle, between),
  ];
  const times = cell.times === undefined ? [] : [digitsOf(cell.times, between)];
  const curve: Relation = { result, from: [angle, ...times], redo: [([a = NaN, m = 1]) => of(a) * m] };
  const whole: Relation = {
    result,
    from: [divisor, ...times],
    redo: [([a = NaN, m = 1]) => of(cell.position / a) * m],
  };
  const divided: Relation = { result: angle, from: [divisor], redo: [([a = NaN]) => cell.position / a] };
  addDigits([curve], [[angle, ...times]], { result: true });
  addDigits([divided, whole], [[divisor, ...times]]);
  const [by] = times;
  const found = {
    divisor: shown(divisor),
    angle: resultOf(divided),
    result: lessExact(resultOf(curve), resultOf(whole)),
  };
  return by ? { ...found, times: shown(by) } : found;
}

const lessExact = (a: ShownResult, b: ShownResult): ShownResult =>
  (b.about?.bound ?? 0) > (a.about?.bound ?? 0) ? b : a;
