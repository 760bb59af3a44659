/**
 * How far an answer may be from the exact value because it was worked out from digits that are shown: each operand may be anything that is shown as
 * the same digits. The first-order bound of interval arithmetic: for every operand the change of the result when it alone moves by what it may be off,
 * added up (R. E. Moore, Interval Analysis, 1966, ch. 4), with a hundredth more for what is left out.
 */
import { exp, heldAs, sizeOf, type Tensor } from '../math';
import { isSource, type Step } from '../plan';
import { explainCell } from '../explain';
import { offsetOf, recomputed, valuesOf, type AttentionTrace } from '../run';
import { cellsOf, indexIn, indexOf, overPart, stepNamed, type Quantity } from './quantity';

/** Digits after the point on the page that shows fewest: a lesson's figures. The panel shows four. */
export const fewestDigits = 3;

const unit = Number(`1e-${fewestDigits}`);
const remainder = 1.01;

/** How far a shown number may be from the exact one: nothing if all its digits are shown, else half a unit of the last. */
function errorAsShown(x: number): number {
  if (!Number.isFinite(x)) return 0;
  const scaled = x / unit;
  return Math.abs(scaled - Math.round(scaled)) <= 1e-9 * Math.max(1, Math.abs(scaled)) ? 0 : unit / 2;
}

/** The change of `of` when each of `xs` alone moves up or down by its error, added up. */
function changeOf(of: (xs: Float64Array) => number, xs: Float64Array, errors: ArrayLike<number>): number {
  const moved = Float64Array.from(xs);
  const exact = of(xs);
  let sum = 0;
  for (let i = 0; i < xs.length; i++) {
    const [x, error] = [xs[i] as number, errors[i] as number];
    if (error === 0) continue;
    const changes = [x + error, x - error].map((other) => {
      moved[i] = other;
      return Math.abs(of(moved) - exact);
    });
    moved[i] = x;
    sum += Math.max(...changes);
  }
  return Number.isFinite(sum) ? remainder * sum : 0;
}

/** The errors of a trace's cells. `isHidden`: whether a step's numbers are not shown while a question is open, so that they are worked out as well. */
export interface ShownErrors {
  /** Of a cell that is worked out from what is shown of its step's operands. */
  readonly ofResult: (step: Step, index: readonly number[]) => number;
  /** Of a cell as it is read by the one who works on. */
  readonly ofOperand: (step: Step, index: readonly number[]) => number;
}

export function shownErrors(trace: AttentionTrace, isHidden: (step: string) => boolean): ShownErrors {
  const { spec, plan } = trace;
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const tensors = new Map<string, Tensor>();
  const known = new Map<string, number>();
  const tensorOf = (step: Step): Tensor => {
    const found = tensors.get(step.id) ?? { shape: step.shape, dtype: heldAs(spec.dtype), data: valuesOf(trace, step) };
    tensors.set(step.id, found);
    return found;
  };
  const ofOperand = (step: Step, index: readonly number[]): number => {
    const shown = errorAsShown(trace.value(step.id, index));
    return isHidden(step.id) && !isSource(step.call) ? Math.max(shown, ofResult(step, index)) : shown;
  };
  const ofResult = (step: Step, index: readonly number[]): number => {
    const key = `${step.id} ${index.join()}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const error = worked(step, index);
    known.set(key, error);
    return error;
  };
  const worked = (step: Step, index: readonly number[]): number => {
    if (isSource(step.call)) return errorAsShown(trace.value(step.id, index));
    const operands = new Map(step.operands.flatMap((id) => { const of = steps.get(id); return of ? [[id, tensorOf(of)] as const] : []; })); // prettier-ignore
    const at = offsetOf(step.shape, index);
    let sum = 0;
    for (const { step: id, index: cell } of cellsIn(explainCell(trace, step.id, index))) {
      const [of, tensor] = [steps.get(id), operands.get(id)];
      const error = of && tensor ? ofOperand(of, cell) : 0;
      if (!of || !tensor || error === 0) continue;
      const place = offsetOf(of.shape, cell);
      const one = (x: Float64Array): number =>
        recomputed(spec, step, new Map(operands).set(id, { ...tensor, data: withCell(tensor.data, place, x[0] as number) })).data[at] as number; // prettier-ignore
      sum += changeOf(one, Float64Array.of(tensor.data[place] as number), [error]);
    }
    return sum;
  };
  return { ofResult, ofOperand };
}

function withCell(data: Tensor['data'], place: number, x: number): Tensor['data'] {
  const copy = data.slice();
  copy[place] = x;
  return copy;
}

interface CellOf {
  readonly step: string;
  readonly index: readonly number[];
}

/** The cells that an explanation names, each once, without the cell that it explains. */
function cellsIn(made: object): readonly CellOf[] {
  const found = new Map<string, CellOf>();
  const walk = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    if (Array.isArray(one)) return one.forEach(walk);
    const { step, index } = one as Partial<CellOf>;
    if (one !== made && typeof step === 'string' && Array.isArray(index)) found.set(`${step} ${index.join()}`, { step, index });
    Object.values(one).forEach(walk);
  };
  walk(made);
  return [...found.values()];
} // prettier-ignore

/** How far a quantity may be from its exact value when it is worked out from what is shown; 0 for sizes, which are whole. */
export function shownErrorOf(trace: AttentionTrace, q: Quantity, isHidden: (step: string) => boolean): number {
  const found = stepNamed(trace, q.step);
  if (!found.ok) return 0;
  const step = found.value;
  const errors = shownErrors(trace, isHidden);
  const take = q.take ?? 'value';
  if (take === 'rows' || take === 'columns' || take === 'cells' || take === 'multiplyAdds') return 0;
  if (take !== 'value' && !q.cell) {
    const cells = cellsOf(trace, q);
    if (!cells.ok) return 0;
    const xs = Float64Array.from(cells.value, ({ value }) => value);
    const of = cells.value.map(({ index }) => errors.ofOperand(step, index));
    return changeOf((values) => overPart(take, values), xs, of);
  }
  const index = indexIn(step, q.cell ?? []);
  if (!index.ok) return 0;
  return take === 'value' ? errors.ofResult(step, index.value) : softmaxError(trace, step, index.value, q, errors);
}

/** The same of what a softmax is made of. */
function softmaxError(
  trace: AttentionTrace,
  step: Step,
  index: readonly number[],
  { take, to = 0 }: Quantity,
  { ofOperand }: ShownErrors,
): number {
  const row = (of: Step): readonly (readonly number[])[] => Array.from({ length: of.shape.at(-1) ?? 0 }, (_, j) => [...index.slice(0, -1), j]); // prettier-ignore
  const changeIn = (of: Step, cells: readonly (readonly number[])[], made: (xs: Float64Array) => number): number =>
    changeOf(made, Float64Array.from(cells, (cell) => trace.value(of.id, cell)), cells.map((cell) => ofOperand(of, cell))); // prettier-ignore
  const own = index.at(-1) ?? 0;
  if (take === 'gradient') return changeIn(step, row(step), (a) => (a[own] as number) * ((own === to ? 1 : 0) - (a[to] as number))); // prettier-ignore
  const operand = trace.plan.steps.find(({ id }) => id === step.operands[0]);
  if (!operand) return 0;
  const powers = (z: Float64Array): Float64Array => {
    const most = z.reduce((a, b) => Math.max(a, b), -Infinity);
    return z.map((x) => exp(x - most));
  };
  const sum = (xs: Float64Array): number => xs.reduce((a, b) => a + b, 0);
  if (take === 'exponential') return changeIn(operand, row(operand), (z) => powers(z)[own] as number);
  if (take === 'denominator') return changeIn(operand, row(operand), (z) => sum(powers(z)));
  const all = Array.from({ length: sizeOf(operand.shape) }, (_, i) => indexOf(operand.shape, i));
  const at = offsetOf(operand.shape, index);
  return changeIn(operand, all, (z) => (powers(z)[at] as number) / sum(powers(z)));
}
