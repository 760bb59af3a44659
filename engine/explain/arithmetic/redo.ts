// Redoes a line of arithmetic from the digits that are shown, and adds digits until it holds.
import { half, mostExtra, rounded, roundedAt, shown, shownAt, type Digits, type Shown } from './digits';

/** A number that follows from others. */
export interface Relation {
  readonly result: Digits;
  readonly from: readonly Digits[];
  /** The same operation on the numbers as they are shown; several where a line can be read in several ways. */
  readonly redo: readonly ((numbers: readonly number[]) => number)[];
  /** How large the numbers are that doubles round on the way, where that is more than the result. */
  readonly size?: (numbers: readonly number[]) => number;
}

/** The largest of the numbers: of sums and differences. */
export const largestOf = (numbers: readonly number[]): number =>
  numbers.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);

/** A number that is shown as a result, with what redoing its line can differ from it by; none where the line holds. */
export interface ShownResult extends Shown {
  readonly about?: About;
  /** As its matrix writes it, where that has fewer digits. */
  readonly inMatrix?: string;
}

export interface About {
  /** At least the difference; Infinity where one of both is not finite. */
  readonly bound: number;
  /** It is the rounding to the spec's dtype that is seen. */
  readonly rounded: boolean;
}

/** Whether the result has the digits that redoing gives, each rounded to its last digit. */
export function holds(relation: Relation): boolean {
  const numbers = relation.from.map((digits) => rounded(digits).value);
  for (const again of relation.redo) {
    const found = again(numbers);
    const far = differenceOf(relation, found);
    if (far !== 0 && !(far < allowedOf(relation, numbers, found))) return false;
  }
  return true;
}

/** How far a number is from the result: Infinity where one of both is not finite. */
function differenceOf({ result }: Relation, found: number): number {
  const { value } = rounded(result);
  if (Number.isFinite(value) && Number.isFinite(found)) return Math.abs(found - value);
  return Object.is(value, found) || value === found ? 0 : Infinity;
}

/** Half of the last digit's unit, less what doubles themselves can be off. */
function allowedOf({ result, size }: Relation, numbers: readonly number[], found: number): number {
  return half(rounded(result).places) * (1 - 1e-9) - 1e-15 * (size?.(numbers) ?? Math.abs(found));
}

/** How far redoing is from the result at most. */
function farthest(relation: Relation): number {
  const numbers = relation.from.map((digits) => rounded(digits).value);
  return relation.redo.reduce((most, again) => Math.max(most, differenceOf(relation, again(numbers))), 0);
}

/** What is said of a line that does not hold; undefined where it does. */
export function aboutOf(relation: Relation): About | undefined {
  return holds(relation) ? undefined : { bound: farthest(relation), rounded: isRounded(relation) };
}

/** Whether all digits of the operands give another number: it was rounded to the dtype. */
function isRounded({ result, from, redo }: Relation): boolean {
  const numbers = from.map(({ value }) => value);
  const seen = 0.1 * half(rounded(result).places);
  return redo.some((again) => !(Math.abs(again(numbers) - result.value) <= seen));
}

/** Digits that are added together: of the numbers of one matrix, or of one number. */
export type Group = readonly Digits[];

/** Digits of a result are added last: it should be what its matrix shows. */
const costOfResult = 3;
/** Digits that a line gets that does not hold whatever is added. */
const mostForNear = 2;

/**
 * Adds as few digits as make all relations hold: to the groups, and to the first one's result where `result` says so. Without such, all
 * are left as they were. Says whether they hold.
 */
export function settle(
  relations: readonly [Relation, ...Relation[]],
  groups: readonly Group[],
  { result = false, most = 14 } = {},
): boolean {
  const all = result ? [...groups, [relations[0].result]] : groups;
  const costs = all.map((_, i) => (i < groups.length ? 1 : costOfResult));
  const before = all.map((group) => group.map(({ extra }) => extra));
  const limit = Math.min(most, costs.reduce((sum, cost) => sum + cost * mostExtra, 0)); // prettier-ignore
  const ways: Ways = { relations, groups: all, costs };
  for (let total = 0; total <= limit; total++) if (spend(ways, 0, total)) return true;
  all.forEach((group, i) => group.forEach((digits, j) => (digits.extra = before[i]?.[j] ?? 0)));
  comeNear(relations, groups);
  return false;
}

/** Where nothing helps: digits that bring redoing as near as it comes, so that the bound is what cannot be helped. */
function comeNear(relations: readonly Relation[], groups: readonly Group[]): void {
  let [best, least] = [0, Infinity];
  for (let extra = 0; extra <= mostForNear; extra++) {
    for (const digits of groups.flat()) digits.extra = extra;
    const far = Math.max(...relations.map(farthest));
    if (far < 0.8 * least) [best, least] = [extra, far];
  }
  for (const digits of groups.flat()) digits.extra = best;
}

interface Ways {
  readonly relations: readonly Relation[];
  readonly groups: readonly Group[];
  /** Of a digit that is added to a group. */
  readonly costs: readonly number[];
}

/** Whether all hold in some way of adding digits for exactly `left` to the groups from `at` on; the first ones get the most. */
function spend(ways: Ways, at: number, left: number): boolean {
  const [group, cost] = [ways.groups[at], ways.costs[at] ?? 1];
  if (!group) return left === 0 && ways.relations.every(holds);
  const isLast = at === ways.groups.length - 1;
  const most = lastOf(group, Math.min(mostExtra, Math.floor(left / cost)));
  if (isLast && most * cost !== left) return false;
  for (let extra = most; extra >= (isLast ? most : 0); extra--) {
    for (const digits of group) digits.extra = extra;
    if (spend(ways, at + 1, left - extra * cost)) return true;
  }
  return false;
}

/** Beyond so many added digits none of them changes; at most `most`. */
function lastOf(group: Group, most: number): number {
  let last = 0;
  for (const digits of group)
    while (last < most && roundedAt(digits, last).value !== digits.value && Number.isFinite(digits.value)) last++;
  return last;
}

/** The result of a line as it is to be written. */
export function resultOf(relation: Relation): ShownResult {
  const about = aboutOf(relation);
  return { ...withMatrix(relation.result), ...(about && { about }) };
}

/** A number, and what its matrix has of it. */
export function withMatrix(digits: Digits): ShownResult {
  const now = shown(digits);
  const inMatrix = shownAt(digits, 0).text;
  return inMatrix === now.text ? now : { ...now, inMatrix };
}

/** A bound in one digit, rounded up: `0.0001`, `3e−7`. */
export function boundText(bound: number): string {
  const [figure = '', power = '0'] = bound.toExponential(12).split('e');
  const text = String(Number(`${Math.ceil(Number(figure))}e${power}`));
  return text.replace('e+', 'e').replaceAll('-', '−');
}
