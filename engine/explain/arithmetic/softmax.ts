// The digits of a row of softmax: scores minus their maximum, exponentials, their sum, and each one's share of it.
import { exp } from '../../math';
import type { CellExplanation } from '../../operations';
import {
  commonBase,
  digitsOf,
  mostAdded,
  rounded,
  sumDigits,
  shown,
  type Digits,
  type DigitFormat,
  type ShownNumber,
} from './digits';
import { holdsInDigits, largestOf, resultOf, addDigits, type Relation, type ShownResult } from './relation';
import type { DigitFormatOf } from './products';

export type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

export interface ShownShare {
  /** Index of the term in the explanation. */
  readonly at: number;
  readonly score: ShownNumber;
  readonly shifted: ShownResult;
  readonly exponential: ShownResult;
  readonly weight: ShownResult;
}

export interface ShownSoftmax {
  readonly terms: readonly ShownShare[];
  readonly max: ShownNumber;
  readonly sum: ShownResult;
  /** exp(score − maximum) of the cell in one line; only where the cell's term is shown. */
  readonly own?: ShownResult;
  /** The sum of the terms that are not shown. */
  readonly others?: { readonly exponential: ShownNumber; readonly weight: ShownResult };
}

interface Row {
  readonly at: number;
  readonly score: Digits;
  readonly shifted: Digits;
  readonly exponential: Digits;
  readonly weight: Digits;
}

const subtract = ([a = NaN, b = NaN]: readonly number[]): number => a - b;
const divide = ([a = NaN, b = NaN]: readonly number[]): number => a / b;
const raise = ([x = NaN]: readonly number[]): number => exp(x);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0);

/**
 * The terms at the ascending indices `chosen` (all without it) and the sum of the others. Exponentials and their sum belong to no matrix;
 * `share` is their number format.
 */
export function shownSoftmax(
  cell: Softmax,
  places: DigitFormatOf,
  share: DigitFormat,
  chosen?: readonly number[],
): ShownSoftmax {
  const [max, sum] = [digitsOf(cell.max, places(cell.operand.step)), digitsOf(cell.sum, share)];
  const rows = (chosen ?? cell.terms.map((_, i) => i)).flatMap((at) => rowAt(cell, places, share, at, max));
  const others = othersOf(cell, places, share, rows);
  const shares = [...rows, ...(others ? [others] : [])];
  settleShares(shares, sum);
  for (const row of rows) addDigits([raised(row)], [[row.shifted]]);
  settleScores(
    rows.filter(({ score }) => score !== max),
    max,
  );
  const at = rows.find((row) => cell.terms[row.at]?.operand.index.at(-1) === cell.index.at(-1));
  if (at && at.score !== max) addDigits([raisedAtOnce(at, max), lessMax(at, max)], [[at.score]]);
  return {
    terms: rows.map((row) => shownShare(row, max, sum)),
    max: shown(max),
    sum: resultOf(added(shares, sum)),
    ...(at && { own: resultOf(raisedAtOnce(at, max)) }),
    ...(others && { others: { exponential: shown(others.exponential), weight: resultOf(shared(others, sum)) } }),
  };
}

/** The largest score has the digits `most` of the maximum: one number is never shown in two roundings. */
function rowAt(cell: Softmax, places: DigitFormatOf, share: DigitFormat, at: number, most: Digits): Row[] {
  const { terms, operand, step, max } = cell;
  const term = terms[at];
  if (!term) return [];
  const of = places(operand.step);
  return [
    {
      at,
      score: Object.is(term.operand.value, max) ? most : digitsOf(term.operand.value, of),
      shifted: sumDigits(term.shifted, of, commonBase([term.operand.value, max], of)),
      exponential: digitsOf(term.exponential, share),
      weight: digitsOf(term.weight, places(step)),
    },
  ];
}

type Share = Pick<Row, 'exponential' | 'weight'>;

function othersOf(cell: Softmax, places: DigitFormatOf, share: DigitFormat, rows: readonly Row[]): Share | undefined {
  const { terms, rest = { count: 0, exponentials: 0, weights: 0 } } = cell;
  if (terms.length === rows.length && rest.count === 0) return undefined;
  const kept = new Set(rows.map(({ at }) => at));
  const [exponentials, weights] = terms.reduce(
    ([e, w], term, i) => (kept.has(i) ? [e, w] : [e + term.exponential, w + term.weight]),
    [rest.exponentials, rest.weights],
  );
  return { exponential: digitsOf(exponentials, share), weight: digitsOf(weights, places(cell.step)) };
}

const shared = ({ exponential, weight }: Share, sum: Digits): Relation => ({
  result: weight,
  from: [exponential, sum],
  redo: [divide],
});
/** The `size` of exp(x): a relative error of x is |x| times as large in exp(x). */
const sizeOfPower = (x: number): number => exp(x) * (1 + Math.abs(x));

const raised = ({ shifted, exponential }: Row): Relation => ({
  result: exponential,
  from: [shifted],
  redo: [raise],
  size: ([x = NaN]) => sizeOfPower(x),
});
const lessMax = ({ score, shifted }: Row, max: Digits): Relation => ({
  result: shifted,
  from: [score, max],
  redo: [subtract],
  size: largestOf,
});
const raisedAtOnce = ({ score, exponential }: Row, max: Digits): Relation => ({
  result: exponential,
  from: [score, max],
  redo: [([x = NaN, most = NaN]) => exp(x - most)],
  size: ([x = NaN, most = NaN]) => exp(x - most) * (1 + Math.max(Math.abs(x), Math.abs(most))),
});
const added = (shares: readonly Share[], sum: Digits): Relation => ({
  result: sum,
  from: shares.map(({ exponential }) => exponential),
  redo: [sumOf],
  size: largestOf,
});

/** Chooses as few digits as possible for the sum and the exponentials such that every share and the sum can be redone from them. */
function settleShares(shares: readonly Share[], sum: Digits): void {
  for (let extra = 0; extra <= mostAdded; extra++) {
    sum.extra = extra;
    const all = shares.map((share) => addDigits([shared(share, sum)], [[share.exponential]]));
    if (all.every(Boolean) && makeAddUp(shares, sum)) return;
  }
  // Not every line can hold: make most of them hold.
  sum.extra = 2;
  for (const share of shares) addDigits([shared(share, sum)], [[share.exponential]], { result: true });
  makeAddUp(shares, sum);
}

/** Adds digits to the exponentials that have the fewest until they add up to the sum; says whether they do. */
function makeAddUp(shares: readonly Share[], sum: Digits): boolean {
  const [relation, before] = [added(shares, sum), shares.map(({ exponential }) => exponential.extra)];
  for (let least = rounded(sum).places; !holdsInDigits(relation); least++) {
    if (least > rounded(sum).places + mostAdded) break;
    for (const { exponential } of shares)
      while (rounded(exponential).places < least && exponential.extra < mostAdded) exponential.extra++;
  }
  if (holdsInDigits(relation) && shares.every((share) => holdsInDigits(shared(share, sum)))) return true;
  shares.forEach(({ exponential }, i) => (exponential.extra = before[i] ?? 0));
  return false;
}

/** Chooses the fewest digits, together, for the maximum (which is in every row) and the scores. */
function settleScores(rows: readonly Row[], max: Digits): void {
  let [best, least] = [1, Infinity];
  for (let extra = 0; extra <= mostAdded && extra < least; extra++) {
    const cost = tryScores(rows, max, extra);
    if (cost < least) [best, least] = [extra, cost];
  }
  tryScores(rows, max, best);
  for (const row of rows) addDigits([lessMax(row, max), raised(row)], [[row.score]], { result: true });
}

/** Cost of a row that does not hold with any digits. */
const failure = 100;

function tryScores(rows: readonly Row[], max: Digits, extra: number): number {
  max.extra = extra;
  return rows.reduce((cost, row) => {
    row.score.extra = 0;
    const held = addDigits([lessMax(row, max)], [[row.score]]);
    return cost + (held ? row.score.extra : failure);
  }, extra);
}

function shownShare(row: Row, max: Digits, sum: Digits): ShownShare {
  return {
    at: row.at,
    score: shown(row.score),
    shifted: resultOf(lessMax(row, max)),
    exponential: resultOf(raised(row)),
    weight: resultOf(shared(row, sum)),
  };
}

export interface ShownPowers {
  readonly own: ShownNumber;
  readonly terms: readonly ShownNumber[];
  readonly others?: ShownNumber;
  readonly count: number;
  readonly result: ShownResult;
}

/** `e^a ÷ (e^a + e^b + …) = r` with the first terms and the sum of the others. The cell's own power is in numerator and denominator. */
export function softmaxFormula(cell: Softmax, places: DigitFormatOf, most: number): ShownPowers {
  const of = places(cell.operand.step);
  const first = cell.terms
    .slice(0, most)
    .map(({ shifted, operand }) => sumDigits(shifted, of, commonBase([operand.value, cell.max], of)));
  const at = cell.terms.findIndex(({ operand }) => operand.index.at(-1) === cell.index.at(-1));
  const own = first[at] ?? digitsOf(cell.terms[at]?.shifted ?? NaN, of);
  const rest = cell.terms.slice(most).reduce((sum, { exponential }) => sum + exponential, cell.rest?.exponentials ?? 0);
  const count = cell.terms.length - first.length + (cell.rest?.count ?? 0);
  const others = count > 0 ? digitsOf(rest, of) : undefined;
  const relation: Relation = {
    result: digitsOf(cell.value, places(cell.step)),
    from: [own, ...first, ...(others ? [others] : [])],
    redo: [([above = NaN, ...below]) => exp(above) / below.reduce((sum, x, i) => sum + (i < first.length ? exp(x) : x), 0)],
  }; // prettier-ignore
  addDigits([relation], [[own], first.filter((digits) => digits !== own), others ? [others] : []], {
    result: true,
    most: 21,
  });
  return { own: shown(own), terms: first.map(shown), ...(others && { others: shown(others) }), count, result: resultOf(relation) }; // prettier-ignore
}
