// The digits of a running sum: each partial sum equals the one before plus the added term.
import { halfUnit, mostAdded, roundedAt, type Digits } from './digits';

/** One addition of the chain: `before` (none at the beginning) plus `term` gives the sum. */
export interface Link {
  readonly before: Digits | undefined;
  readonly term: Digits;
  readonly sum: Digits;
}

/** Cost of one more digit. A term's digit counts twice, as its factors need more digits too; the last sum should have the digits of its matrix. */
const [costOfTerm, costOfSum, costOfLast] = [2, 1, 4];
/** More than all digits of any chain cost. */
const costOfFailure = 1e6;
const mostUsual = 3;

/**
 * Chooses the digits of a chain: as few as make most additions hold. Each number is correctly rounded; where the rounded parts do not add up
 * to the rounded sum, the parts get more digits. `isCell`: the last sum is a cell of a matrix.
 */
export function addChainDigits(links: readonly Link[], isCell: boolean): void {
  if (links.length === 0) return;
  const few = cheapest(links, isCell, mostUsual);
  const ways = few.cost < costOfFailure ? few : cheapest(links, isCell, mostAdded);
  links.forEach(({ sum, term }, i) => {
    sum.extra = ways.sums[i] ?? 0;
    term.extra = ways.terms[i] ?? 0;
  });
}

interface ChainDigits {
  readonly cost: number;
  readonly sums: readonly number[];
  readonly terms: readonly number[];
}

/** For each number of digits of a sum: the least cost, and the predecessor that has it. Dynamic programming along the chain. */
interface Stage {
  readonly costs: Float64Array;
  readonly before: Uint8Array;
  readonly terms: Uint8Array;
}

function cheapest(links: readonly Link[], isCell: boolean, most: number): ChainDigits {
  const stages: Stage[] = [];
  for (const [i, link] of links.entries()) {
    const isLast = isCell && i === links.length - 1;
    stages.push(stageOf(link, stages[i - 1], isLast ? costOfLast : costOfSum, most));
  }
  return backFrom(stages);
}

function stageOf(link: Link, last: Stage | undefined, price: number, most: number): Stage {
  const count = most + 1;
  const stage: Stage = {
    costs: new Float64Array(count).fill(Infinity),
    before: new Uint8Array(count),
    terms: new Uint8Array(count),
  };
  const terms = valuesOf(link.term, most);
  const sums = valuesOf(link.sum, most);
  const befores = link.before ? valuesOf(link.before, most) : [0];
  for (let s = 0; s < sums.length; s++) {
    const target = sums[s] as number;
    const allowed = allowedOf(link, s);
    for (let b = 0; b < befores.length; b++) {
      const start = (last?.costs[b] ?? 0) + s * price;
      if (start >= (stage.costs[s] as number)) continue;
      const t = terms.findIndex((x) => follows((befores[b] as number) + x, target, allowed));
      const cost = start + (t < 0 ? costOfFailure : t * costOfTerm);
      if (cost >= (stage.costs[s] as number)) continue;
      stage.costs[s] = cost;
      stage.before[s] = b;
      stage.terms[s] = Math.max(t, 0);
    }
  }
  return stage;
}

/** The value rounded with 0, 1, 2 … added digits, until it is exact or `most` are added. */
function valuesOf(digits: Digits, most: number): number[] {
  const values = [roundedAt(digits, 0).value];
  while (values.length <= most && Number.isFinite(digits.value) && values.at(-1) !== digits.value)
    values.push(roundedAt(digits, values.length).value);
  return values;
}

/** The allowed difference: half a unit of the sum's last digit, minus the rounding error of the doubles. */
function allowedOf({ term, sum }: Link, extra: number): number {
  // What the term is added to is at most as large as both together.
  const size = Math.abs(term.value) + Math.abs(sum.value);
  return halfUnit(roundedAt(sum, extra).places) * (1 - 1e-9) - (Number.isFinite(size) ? 1e-15 * size : 0);
}

const follows = (found: number, target: number, allowed: number): boolean =>
  Number.isFinite(target) ? Math.abs(found - target) < allowed : Object.is(found, target);

function backFrom(stages: readonly Stage[]): ChainDigits {
  const [sums, terms]: [number[], number[]] = [[], []];
  const costs = stages.at(-1)?.costs ?? new Float64Array(1);
  let at = costs.indexOf(Math.min(...costs));
  const cost = costs[at] ?? 0;
  for (const stage of [...stages].reverse()) {
    sums.unshift(at);
    terms.unshift(stage.terms[at] ?? 0);
    at = stage.before[at] ?? 0;
  }
  return { cost, sums, terms };
}
