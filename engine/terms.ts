import { softmaxParts } from './backend/reference';
import type { CellValue, ProductTerm, RestOfProducts, RestOfSoftmax, SoftmaxTerm } from './cell';
import type { CallOf } from './operations';
import type { Step } from './plan';
import { allocate } from './tensor';
import { servedLead, type AttentionTrace } from './trace';

/** An explanation with more terms than this has the first and the largest of them alone. */
export const mostTerms = 4096;
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
  const [aLead, bLead] = [a, b].map(({ shape }) => servedLead(shape, index.slice(0, -2))) as [Lead, Lead];
  const [i = 0, j = 0] = index.slice(-2);
  const left = rowValues(trace, a.id, aLead, i);
  const right = call.transposeB ? rowValues(trace, b.id, bLead, j) : columnValues(trace, b.id, bLead, j);
  const round = roundingOf(trace);
  const products = left.map((x, t) => round(x * (right[t] as number)));
  let sum = 0;
  const partialSums = products.map((product) => (sum = round(sum + product)));
  const term = (t: number): ProductTerm => ({
    left: { step: a.id, index: [...aLead, i, t], value: left[t] as number },
    right: { step: b.id, index: call.transposeB ? [...bLead, j, t] : [...bLead, t, j], value: right[t] as number },
    product: products[t] as number,
    partialSum: partialSums[t] as number,
  });
  const { shown, others } = notable(products.map(Math.abs), []);
  const terms = shown.map(term);
  return others.length ? { terms, rest: { count: others.length, sum: sumAt(products, others) } } : { terms };
}

/** What made a row of weights: the operand's row, its maximum, the exponentials and their sum. */
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
  const [lead, row, column] = [index.slice(0, -2), index.at(-2) ?? 0, index.at(-1) ?? 0];
  const values = rowValues(trace, from, lead, row);
  const weights = rowValues(trace, step.id, lead, row);
  const held = allocate(trace.spec.dtype, [values.length]);
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
  const { shown, others } = notable(weights, [column]);
  const found = { operand: operandAt(column), max, sum, terms: shown.map(term) };
  if (!others.length) return found;
  const rest = { exponentials: sumAt(exponentials, others), weights: sumAt(weights, others) };
  return { ...found, rest: { count: others.length, ...rest } };
}

type Lead = readonly number[];

function operandOf({ plan }: AttentionTrace, step: Step, i: number): Step {
  const found = plan.steps.find(({ id }) => id === step.operands[i]);
  if (!found) throw new Error(`step ${step.id} has no operand ${i}`);
  return found;
}

const placeOf = (lead: Lead): { batch: number; head: number } =>
  lead.length > 1 ? { batch: lead[0] ?? 0, head: lead[1] ?? 0 } : { batch: 0, head: lead[0] ?? 0 };

/** A row at once: of a trace that computes when it is asked, a row costs what a cell does. */
const rowValues = (trace: AttentionTrace, step: string, lead: Lead, row: number): Float64Array =>
  trace.read(step, { ...placeOf(lead), rows: [row, row + 1] }).min;

const columnValues = (trace: AttentionTrace, step: string, lead: Lead, column: number): Float64Array =>
  trace.read(step, { ...placeOf(lead), columns: [column, column + 1] }).min;

const roundingOf = (trace: AttentionTrace): ((x: number) => number) =>
  trace.spec.dtype === 'float32' ? Math.fround : (x) => x;

/** Which of many terms are shown, in order: the first, the largest and the `wanted`. All, when they are not too many. */
function notable(sizes: Float64Array, wanted: readonly number[]): { shown: number[]; others: number[] } {
  const all = Array.from(sizes, (_, i) => i);
  if (all.length <= mostTerms) return { shown: all, others: [] };
  const chosen = new Set([...all.slice(0, firstTerms), ...largestAt(sizes, largestTerms), ...wanted]);
  return { shown: all.filter((i) => chosen.has(i)), others: all.filter((i) => !chosen.has(i)) };
}

/** Where the largest values stand, at most `count`; of equal ones the first. One pass: there can be 131,072. */
function largestAt(values: Float64Array, count: number): number[] {
  const found: number[] = [];
  values.forEach((value, i) => {
    const least = values[found[count - 1] ?? -1] ?? -Infinity;
    if (!(value > least)) return;
    const at = found.findIndex((j) => (values[j] as number) < value);
    found.splice(at < 0 ? found.length : at, 0, i);
    found.length = Math.min(found.length, count);
  });
  return found;
}

const sumAt = (values: Float64Array, at: readonly number[]): number =>
  at.reduce((sum, i) => sum + (values[i] as number), 0);
