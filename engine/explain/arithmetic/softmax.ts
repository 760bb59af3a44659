// The digits of a row of softmax: scores less their maximum, exponentials, their sum, and the share of each.
import { exp } from '../../math';
import type { CellExplanation } from '../../operations';
import {
  commonBase,
  digitsOf,
  mostExtra,
  rounded,
  sumDigits,
  shown,
  type Digits,
  type Places,
  type Shown,
} from './digits';
import { holds, largestOf, resultOf, settle, type Relation, type ShownResult } from './redo';
import type { PlacesOf } from './products';

export type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

export interface ShownShare {
  /** Which term of the explanation. */
  readonly at: number;
  readonly score: Shown;
  readonly shifted: ShownResult;
  readonly exponential: ShownResult;
  readonly weight: ShownResult;
}

export interface ShownSoftmax {
  readonly terms: readonly ShownShare[];
  readonly max: Shown;
  readonly sum: ShownResult;
  /** The cell's own exponential as it follows from its score and the maximum at once; where its term is shown. */
  readonly own?: ShownResult;
  /** The terms that are not shown, together. */
  readonly others?: { readonly exponential: Shown; readonly weight: ShownResult };
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
 * The terms at `chosen` (in order; all without it) and what the others add. Exponentials and their sum are written as `share` says:
 * they are no matrix's.
 */
export function shownSoftmax(cell: Softmax, places: PlacesOf, share: Places, chosen?: readonly number[]): ShownSoftmax {
  const rows = (chosen ?? cell.terms.map((_, i) => i)).flatMap((at) => rowAt(cell, places, share, at));
  const [max, sum] = [digitsOf(cell.max, places(cell.operand.step)), digitsOf(cell.sum, share)];
  const others = othersOf(cell, places, share, rows);
  const shares = [...rows, ...(others ? [others] : [])];
  settleShares(shares, sum);
  for (const row of rows) settle([raised(row)], [[row.shifted]]);
  settleScores(rows, max);
  const at = rows.find((row) => cell.terms[row.at]?.operand.index.at(-1) === cell.index.at(-1));
  if (at) settle([raisedAtOnce(at, max), lessMax(at, max)], [[at.score]]);
  return {
    terms: rows.map((row) => shownShare(row, max, sum)),
    max: shown(max),
    sum: resultOf(added(shares, sum)),
    ...(at && { own: resultOf(raisedAtOnce(at, max)) }),
    ...(others && { others: { exponential: shown(others.exponential), weight: resultOf(shared(others, sum)) } }),
  };
}

function rowAt({ terms, operand, step, max }: Softmax, places: PlacesOf, share: Places, at: number): Row[] {
  const term = terms[at];
  if (!term) return [];
  const of = places(operand.step);
  return [
    {
      at,
      score: digitsOf(term.operand.value, of),
      shifted: sumDigits(term.shifted, of, commonBase([term.operand.value, max], of)),
      exponential: digitsOf(term.exponential, share),
      weight: digitsOf(term.weight, places(step)),
    },
  ];
}

type Share = Pick<Row, 'exponential' | 'weight'>;

function othersOf(cell: Softmax, places: PlacesOf, share: Places, rows: readonly Row[]): Share | undefined {
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
/** exp is off by as much as its argument, relatively. */
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

/** Digits of the sum, as few as do, and of the exponentials: each share follows from both, and the sum from all. */
function settleShares(shares: readonly Share[], sum: Digits): void {
  for (let extra = 0; extra <= mostExtra; extra++) {
    sum.extra = extra;
    const all = shares.map((share) => settle([shared(share, sum)], [[share.exponential]]));
    if (all.every(Boolean) && addUp(shares, sum)) return;
  }
  // Where not all of it can hold, most of it should.
  sum.extra = 2;
  for (const share of shares) settle([shared(share, sum)], [[share.exponential]], { result: true });
  addUp(shares, sum);
}

/** Adds a digit to the exponentials with the fewest until they add up to the sum. */
function addUp(shares: readonly Share[], sum: Digits): boolean {
  const [relation, before] = [added(shares, sum), shares.map(({ exponential }) => exponential.extra)];
  for (let least = rounded(sum).places; !holds(relation); least++) {
    if (least > rounded(sum).places + mostExtra) break;
    for (const { exponential } of shares)
      while (rounded(exponential).places < least && exponential.extra < mostExtra) exponential.extra++;
  }
  if (holds(relation) && shares.every((share) => holds(shared(share, sum)))) return true;
  shares.forEach(({ exponential }, i) => (exponential.extra = before[i] ?? 0));
  return false;
}

/** Digits of the maximum, which every row is compared with, and of the scores: as few together as do. */
function settleScores(rows: readonly Row[], max: Digits): void {
  let [best, least] = [1, Infinity];
  for (let extra = 0; extra <= mostExtra && extra < least; extra++) {
    const cost = tryScores(rows, max, extra);
    if (cost < least) [best, least] = [extra, cost];
  }
  tryScores(rows, max, best);
  for (const row of rows) settle([lessMax(row, max), raised(row)], [[row.score]], { result: true });
}

/** What a row costs that does not follow at all. */
const failure = 100;

function tryScores(rows: readonly Row[], max: Digits, extra: number): number {
  max.extra = extra;
  return rows.reduce((cost, row) => {
    row.score.extra = 0;
    const held = settle([lessMax(row, max)], [[row.score]]);
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
  readonly own: Shown;
  readonly terms: readonly Shown[];
  readonly others?: Shown;
  readonly count: number;
  readonly result: ShownResult;
}

/** `e^a ÷ (e^a + e^b + …) = r`: the first terms and what the others add. The cell's own power stands above and below. */
export function softmaxFormula(cell: Softmax, places: PlacesOf, most: number): ShownPowers {
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
  settle([relation], [[own], first.filter((digits) => digits !== own), others ? [others] : []], {
    result: true,
    most: 21,
  });
  return { own: shown(own), terms: first.map(shown), ...(others && { others: shown(others) }), count, result: resultOf(relation) }; // prettier-ignore
}
