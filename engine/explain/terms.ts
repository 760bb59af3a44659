import {
  softmaxParts,
  mostTerms,
  type CellValue,
  type ProductTerm,
  type RestOfProducts,
  type RestOfSoftmax,
  type SoftmaxTerm,
} from '../operations';
import type { CallOf, Step } from '../plan';
import { allocate, heldAs, roundTo } from '../math';
import { broadcastIndex, type AttentionTrace } from '../run';

const firstTerms = 8;
const largestTerms = 64;

/** The products that a cell is the sum of, with their partial sums, each rounded as the backend rounds. */
export function productTerms(
  call: CallOf<'matmul'>,
  trace: AttentionTrace,
  step: Step,
  { index }: CellValue,
): { terms: ProductTerm[]; rest?: RestOfProducts } {
  const [a, b] = [operandOf(trace, step, 0), operandOf(trace, step, 1)];
  const [aLead, bLead] = [a, b].map(({ shape }) => broadcastIndex(shape, index.slice(0, -2))) as [
    LeadingIndex,
    LeadingIndex,
  ];
  const [i, j] = index.slice(-2) as [number, number];
  const left = rowValues(trace, a.id, aLead, i);
  const right = call.transposeB ? rowValues(trace, b.id, bLead, j) : columnValues(trace, b.id, bLead, j);
  const round = roundingOf(trace);
  const products = left.map((x, t) => round(x * (right[t] as number)));
  const { shown, rest } = notable(products, Math.abs, []);
  const partialSums = sumsUpTo(products, shown, round);
  const terms = shown.map((t, at): ProductTerm => ({
    left: { step: a.id, index: [...aLead, i, t], value: left[t] as number },
    right: { step: b.id, index: call.transposeB ? [...bLead, j, t] : [...bLead, t, j], value: right[t] as number },
    product: products[t] as number,
    partialSum: partialSums[at] as number,
  }));
  return rest ? { terms, rest: { count: rest.count, sum: rest.sumOf(products) } } : { terms };
}

/** The partial sums up to and including each index of `at`, which is ascending; rounded after every addition. */
function sumsUpTo(values: Float64Array, at: readonly number[], round: (x: number) => number): number[] {
  let [sum, from] = [0, 0];
  return at.map((to) => {
    for (; from <= to; from++) sum = round(sum + (values[from] as number));
    return sum;
  });
}

/** How a row of weights was computed: the operand's row, its maximum, the exponentials and their sum. */
export function softmaxTerms(
  trace: AttentionTrace,
  step: Step,
  { index }: CellValue,
): {
  operand: CellValue;
  max: number;
  sum: number;
  terms: SoftmaxTerm[];
  rest?: RestOfSoftmax;
} {
  const from = operandOf(trace, step, 0).id;
  const [lead, [row, column]] = [index.slice(0, -2), index.slice(-2) as [number, number]];
  const values = rowValues(trace, from, lead, row);
  const weights = rowValues(trace, step.id, lead, row);
  const held = allocate(heldAs(trace.spec.dtype), [values.length]);
  held.data.set(values);
  const { max, exponentials, sum } = softmaxParts(held, 0, values.length);
  const round = roundingOf(trace);
  const operandAt = (j: number): CellValue => ({ step: from, index: [...lead, row, j], value: values[j] as number });
  const term = (j: number): SoftmaxTerm => ({
    operand: operandAt(j),
    shifted: round((values[j] as number) - max),
    exponential: exponentials[j] as number,
    weight: weights[j] as number,
  });
  const { shown, rest } = notable(weights, (x) => x, [column]);
  const found = { operand: operandAt(column), max, sum, terms: Array.from(shown, term) };
  if (!rest) return found;
  const others = { exponentials: rest.sumOf(exponentials), weights: rest.sumOf(weights) };
  return { ...found, rest: { count: rest.count, ...others } };
}

type LeadingIndex = readonly number[];

function operandOf({ plan }: AttentionTrace, step: Step, i: number): Step {
  const found = plan.steps.find(({ id }) => id === step.operands[i]);
  if (!found) throw new Error(`step ${step.id} has no operand ${i}`);
  return found;
}

const placeOf = (lead: LeadingIndex): { batch: number; head: number } => ({
  batch: lead.at(-2) ?? 0,
  head: lead.at(-1) ?? 0,
});

/** Reads a whole row: in a trace that computes on demand, that costs as much as one cell. */
const rowValues = (trace: AttentionTrace, step: string, lead: LeadingIndex, row: number): Float64Array =>
  trace.read(step, { ...placeOf(lead), rows: [row, row + 1] }).min;

const columnValues = (trace: AttentionTrace, step: string, lead: LeadingIndex, column: number): Float64Array =>
  trace.read(step, { ...placeOf(lead), columns: [column, column + 1] }).min;

const roundingOf = (trace: AttentionTrace): ((x: number) => number) => roundTo(heldAs(trace.spec.dtype));

interface Notable {
  /** Ascending indices. */
  readonly shown: readonly number[];
  readonly rest?: { readonly count: number; readonly sumOf: (values: Float64Array) => number };
}

/** Which terms are shown: all if there are few, else the first ones, the largest by `size` and the `wanted` ones. */
function notable(values: Float64Array, size: (x: number) => number, wanted: readonly number[]): Notable {
  const count = values.length;
  if (count <= mostTerms) return { shown: Array.from(values, (_, i) => i) };
  const first = Array.from({ length: firstTerms }, (_, i) => i);
  const chosen = new Set([...first, ...largestAt(values, largestTerms, size), ...wanted]);
  const shown = [...chosen].sort((a, b) => a - b);
  const left = (_: number, i: number): boolean => !chosen.has(i);
  return {
    shown,
    rest: { count: count - shown.length, sumOf: (all) => all.filter(left).reduce((sum, x) => sum + x, 0) },
  };
}

/** Indices of the `count` largest values, largest first; of equal values the first. NaN is skipped. One pass, as there can be 131,072 values. */
export function largestAt(values: Float64Array, count: number, size: (x: number) => number = (x) => x): number[] {
  const found: number[] = [];
  let least = -Infinity;
  for (const [i, each] of values.entries()) {
    const value = size(each);
    if (!(value > least)) continue;
    const at = found.findIndex((j) => size(values[j] as number) < value);
    found.splice(at < 0 ? found.length : at, 0, i);
    found.length = Math.min(found.length, count);
    if (found.length === count) least = size(values[found[count - 1] as number] as number);
  }
  return found;
}
