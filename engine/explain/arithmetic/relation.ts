// Computes a line of arithmetic again from the digits that are shown, and adds digits until the result agrees.
import { halfUnit, mostAdded, rounded, roundedAt, shown, shownAt, type Digits, type ShownNumber } from './digits';

/** A result and the numbers it is computed from. */
export interface Relation {
  readonly result: Digits;
  readonly from: readonly Digits[];
  /** The operation, applied to the rounded numbers; several where readers can read the line in several ways. */
  readonly redo: readonly ((numbers: readonly number[]) => number)[];
  /** Magnitude of the largest intermediate number, which sets the rounding error of doubles; only where it exceeds the result. */
  readonly size?: (numbers: readonly number[]) => number;
}

/** The largest magnitude among the finite numbers: the `size` of sums and differences. */
export const largestOf = (numbers: readonly number[]): number =>
  numbers.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);

/** A result as it is shown; `about` only where redoing the line gives another last digit. */
export interface ShownResult extends ShownNumber {
  readonly about?: Deviation;
  /** The number as its matrix shows it, where that has fewer digits. */
  readonly inMatrix?: string;
}

export interface Deviation {
  /** An upper bound of the difference; Infinity where one of the two is not finite. */
  readonly bound: number;
  /** Whether the cause is the rounding to the spec's dtype. */
  readonly rounded: boolean;
}

/** Whether redoing the line gives the result that is shown, in all its digits. */
export function holdsInDigits(relation: Relation): boolean {
  const numbers = relation.from.map((digits) => rounded(digits).value);
  for (const again of relation.redo) {
    const found = again(numbers);
    const far = differenceOf(relation, found);
    if (far !== 0 && !(far < allowedOf(relation, numbers, found))) return false;
  }
  return true;
}

/** The distance of a number from the result; Infinity where one of the two is not finite. */
function differenceOf({ result }: Relation, found: number): number {
  const { value } = rounded(result);
  if (Number.isFinite(value) && Number.isFinite(found)) return Math.abs(found - value);
  return Object.is(value, found) || value === found ? 0 : Infinity;
}

/** Half a unit of the last digit, minus the rounding error of the doubles. */
function allowedOf({ result, size }: Relation, numbers: readonly number[], found: number): number {
  return halfUnit(rounded(result).places) * (1 - 1e-9) - 1e-15 * (size?.(numbers) ?? Math.abs(found));
}

/** The largest distance between the result and any way to redo the line. */
function largestDifference(relation: Relation): number {
  const numbers = relation.from.map((digits) => rounded(digits).value);
  return relation.redo.reduce((most, again) => Math.max(most, differenceOf(relation, again(numbers))), 0);
}

/** How inexact a line is; undefined where it holds. */
export function deviationOf(relation: Relation): Deviation | undefined {
  return holdsInDigits(relation) ? undefined : { bound: largestDifference(relation), rounded: isRounded(relation) };
}

/** Whether even the exact operands give another number: then the result was rounded to the dtype. */
function isRounded({ result, from, redo }: Relation): boolean {
  const numbers = from.map(({ value }) => value);
  const seen = 0.1 * halfUnit(rounded(result).places);
  return redo.some((again) => !(Math.abs(again(numbers) - result.value) <= seen));
}

/** Numbers that get equally many added digits: those of one matrix, or a single number. */
export type Group = readonly Digits[];

/** Cost of a digit that is added to a result. It is high because a result should look as its matrix shows it. */
const costOfResult = 3;
/** At most this many digits are added to a line that no number of digits makes hold. */
const mostForNear = 2;

/**
 * Adds the fewest digits with which all relations hold: to the groups and, with `result`, to the result of the first relation. If no digits
 * do, nothing is changed and the answer is false.
 */
export function addDigits(
  relations: readonly [Relation, ...Relation[]],
  groups: readonly Group[],
  { result = false, most = 14 } = {},
): boolean {
  const all = result ? [...groups, [relations[0].result]] : groups;
  const costs = all.map((_, i) => (i < groups.length ? 1 : costOfResult));
  const { extra } = relations[0].result;
  const limit = Math.min(most, costs.reduce((sum, cost) => sum + cost * mostAdded, 0)); // prettier-ignore
  const ways: DigitSearch = { relations, groups: all, costs };
  for (let total = 0; total <= limit; total++) if (tryDigits(ways, 0, total)) return true;
  relations[0].result.extra = extra;
  minimizeDifference(relations, groups);
  return false;
}

/** For a line that cannot hold: chooses the digits for which redoing differs least, so that the bound that is shown is tight. */
function minimizeDifference(relations: readonly Relation[], groups: readonly Group[]): void {
  let [best, least] = [0, Infinity];
  for (let extra = 0; extra <= mostForNear; extra++) {
    for (const digits of groups.flat()) digits.extra = extra;
    const far = Math.max(...relations.map(largestDifference));
    if (far < 0.8 * least) [best, least] = [extra, far];
  }
  for (const digits of groups.flat()) digits.extra = best;
}

interface DigitSearch {
  readonly relations: readonly Relation[];
  readonly groups: readonly Group[];
  /** Cost of one digit in each group. */
  readonly costs: readonly number[];
}

/** Tries all ways to spend exactly `left` on digits of the groups from index `at`, most on the first; true once all relations hold. */
function tryDigits(ways: DigitSearch, at: number, left: number): boolean {
  const [group, cost] = [ways.groups[at], ways.costs[at] ?? 1];
  if (!group) return left === 0 && ways.relations.every(holdsInDigits);
  const isLast = at === ways.groups.length - 1;
  const most = mostUseful(group, Math.min(mostAdded, Math.floor(left / cost)));
  if (isLast && most * cost !== left) return false;
  for (let extra = most; extra >= (isLast ? most : 0); extra--) {
    for (const digits of group) digits.extra = extra;
    if (tryDigits(ways, at + 1, left - extra * cost)) return true;
  }
  return false;
}

/** The largest number of added digits that still changes a number of the group; at most `most`. */
function mostUseful(group: Group, most: number): number {
  let last = 0;
  for (const digits of group)
    while (last < most && roundedAt(digits, last).value !== digits.value && Number.isFinite(digits.value)) last++;
  return last;
}

/** The result of a line, ready to be shown. */
export function resultOf(relation: Relation): ShownResult {
  const about = deviationOf(relation);
  return { ...withMatrix(relation.result), ...(about && { about }) };
}

/** A number with its current digits, and as its matrix shows it where that differs. */
export function withMatrix(digits: Digits): ShownResult {
  const now = shown(digits);
  const inMatrix = shownAt(digits, 0).text;
  return inMatrix === now.text ? now : { ...now, inMatrix };
}

/** A bound with one significant digit, rounded up: `0.0001`, `3e−7`. */
export function boundText(bound: number): string {
  const [figure = '', power = '0'] = bound.toExponential(12).split('e');
  const text = String(Number(`${Math.ceil(Number(figure))}e${power}`));
  return text.replace('e+', 'e').replaceAll('-', '−');
}
