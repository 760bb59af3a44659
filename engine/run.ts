import { referenceKernels } from './backend/reference';
import { sinusoidal } from './positions';
import type { Problem, Result } from './problems';
import { fail, ok } from './problems';
import { createStream, type RandomStream } from './random/index';
import { isSource, type CallOf, type OperationCall, type OperationName, type SourceCall } from './operations';
import { planOf } from './planner';
import { type Plan, type Step } from './plan';
import { decodeNumber, type AttentionSpec, type SpecMatrix } from './spec';
import { allocate, sizeOf, type Tensor } from './tensor';
import { traceOf, type AttentionTrace } from './trace';

/** A trace larger than this is refused before anything is allocated. */
export const memoryLimit = 1 << 30;

/** Plans and computes at once, in the calling thread, on the reference backend. Meant for small specs; the page uses a worker for large ones. */
export function explainAttention(spec: AttentionSpec): Result<AttentionTrace> {
  const planned = planOf(spec);
  if (!planned.ok) return planned;
  return runReference(spec, planned.value);
}

/** Runs a plan on the reference backend. `onStep` is told of each finished step (for progress). */
export function runReference(
  spec: AttentionSpec,
  plan: Plan,
  onStep?: (step: Step, done: number) => void,
): Result<AttentionTrace> {
  if (plan.bytes > memoryLimit) return fail(tooLarge(plan));
  const values = new Map<string, Tensor>();
  const produce = sourceProducer(spec, plan);
  plan.steps.forEach((step, i) => {
    values.set(step.id, isSource(step.call) ? produce(step, step.call) : callKernel(spec, step, step.call, values));
    onStep?.(step, i + 1);
  });
  return ok(traceOf(spec, plan, values, observations(plan, values)));
}

function tooLarge(plan: Plan): Problem {
  const mb = (bytes: number): string => `${Math.ceil(bytes / 1048576)} MB`;
  return {
    code: 'too-large',
    message: `${plan.tokens.length} tokens would need ${mb(plan.bytes)}, the limit is ${mb(memoryLimit)}`,
    hint: 'Select fewer tokens.',
  };
}

/** The values of the plan's source steps alone (given, drawn, tokens, positions, masks): what a GPU backend starts from. */
export function sourceValues(spec: AttentionSpec, plan: Plan): ReadonlyMap<string, Tensor> {
  const produce = sourceProducer(spec, plan);
  const values = new Map<string, Tensor>();
  for (const step of plan.steps) if (isSource(step.call)) values.set(step.id, produce(step, step.call));
  return values;
}

function callKernel(spec: AttentionSpec, step: Step, call: OperationCall, values: ReadonlyMap<string, Tensor>): Tensor {
  const operands = step.operands.map((id) => values.get(id)).filter((t) => t !== undefined);
  const kernel = referenceKernels[call.op as OperationName] as (
    call: CallOf<OperationName>,
    operands: readonly Tensor[],
    shape: readonly number[],
    dtype: AttentionSpec['dtype'],
  ) => Tensor;
  return kernel(call as CallOf<OperationName>, operands, step.shape, spec.dtype);
}

type Produce = (step: Step, call: SourceCall) => Tensor;

/** Draws come from one stream, in the order of the plan's steps, as a program would draw them. */
function sourceProducer(spec: AttentionSpec, plan: Plan): Produce {
  let stream: RandomStream | undefined;
  return (step, call) => {
    const out = allocate(spec.dtype, step.shape);
    switch (call.op) {
      case 'given':
        fillRows(out, matrixAt(spec, call.path));
        break;
      case 'tokens':
        plan.tokens.forEach((t, i) => (out.data[i] = t.id));
        break;
      case 'random': {
        stream ??= seeded(spec);
        const draws = stream.normal(sizeOf(step.shape));
        draws.forEach((x, i) => (out.data[i] = x / call.divideBy));
        break;
      }
      case 'sinusoidal':
        sinusoidal(call.layout, out);
        break;
      case 'causalMask':
        fillCausal(out, call.offset);
    }
    return out;
  };
}

function seeded(spec: AttentionSpec): RandomStream {
  const stream = createStream(spec.random);
  if (!stream.ok) throw new Error(`the plan let an invalid seed pass: ${stream.problems[0]?.message}`);
  return stream.value;
}

function fillRows(out: Tensor, rows: SpecMatrix): void {
  const columns = out.shape.at(-1) ?? 0;
  rows.forEach((row, i) => row.forEach((x, j) => (out.data[i * columns + j] = decodeNumber(x))));
}

/** The matrix of a spec at `start.q`, `projections.wq`, … */
function matrixAt(spec: AttentionSpec, path: string): SpecMatrix {
  const value = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], spec);
  return value as SpecMatrix;
}

function fillCausal(out: Tensor, offset: number): void {
  const columns = out.shape.at(-1) ?? 0;
  for (let i = 0; i < out.data.length; i++) {
    const [row, column] = [Math.floor(i / columns), i % columns];
    out.data[i] = column - row > offset ? 1 : 0;
  }
}

/** NaN and infinities in the weights and the output, with the first place: where a reader would look. */
function observations(plan: Plan, values: ReadonlyMap<string, Tensor>): Problem[] {
  return ['weights', 'output'].flatMap((id) => {
    const step = plan.steps.find((s) => s.id === id);
    const tensor = values.get(id);
    return step && tensor ? nonFinite(step, tensor) : [];
  });
}

function nonFinite(step: Step, tensor: Tensor): Problem[] {
  const at = tensor.data.findIndex((x) => !Number.isFinite(x));
  if (at < 0) return [];
  const columns = tensor.shape.at(-1) ?? 1;
  const rows = tensor.shape.at(-2) ?? 1;
  const row = Math.floor(at / columns) % rows;
  const found = Number.isNaN(tensor.data[at]) ? 'NaN' : 'an infinity';
  const label = step.rowLabels[row] ?? String(row);
  return [
    {
      code: 'non-finite',
      message: `${step.symbol} has ${found} first in row “${label}”, column ${at % columns}`,
      hint: 'NaN or infinities in the input, a row with no visible key, or an overflow: click the cell to see which.',
      path: step.id,
    },
  ];
}
