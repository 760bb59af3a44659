import { referenceKernels } from './backend/reference';
import { seeded } from './draws';
import { alibi, rotations, sinusoidal } from './positions';
import type { Problem, Result } from './problems';
import { fail, ok } from './problems';
import type { RandomStream } from './random/index';
import { isSource, type CallOf, type OperationCall, type OperationName, type SourceCall } from './operations';
import { planOf } from './planner';
import { type Plan, type Step } from './plan';
import { decodeNumber, type AttentionSpec, type SpecNumber } from './spec';
import { allocate, sizeOf, type Tensor } from './tensor';
import { rowsOf } from './tokens/pieces';
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
  return ok(traceOf(spec, plan, values, observations(spec, plan, values)));
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
        fill(out, flatten(valueAt(spec, call.path)));
        break;
      case 'tokens':
        fill(out, tokenValues(plan, call));
        break;
      case 'random': {
        stream ??= seeded(spec);
        fill(
          out,
          stream.normal(sizeOf(step.shape)).map((x) => x / call.divideBy),
        );
        break;
      }
      case 'sinusoidal':
        sinusoidal(call.layout, out);
        break;
      case 'rotations':
        rotations(out);
        break;
      case 'alibi':
        alibi(out);
        break;
      case 'patternMask':
        fillPattern(out, call);
        break;
      case 'givenMask':
        fill(
          out,
          flatten(valueAt(spec, call.path)).map((x) => ((x === 0) === (call.hiddenIs === 0) ? 1 : 0)),
        );
    }
    return out;
  };
}

function tokenValues({ tokens }: Plan, { rows }: CallOf<'tokens'>): number[] {
  if (!rows) return tokens.map(({ id }) => id);
  const numbers = rowsOf(tokens);
  return tokens.flatMap(({ id }, i) => [id, numbers[i] as number]);
}

function fill(out: Tensor, values: ArrayLike<number>): void {
  if (values.length !== out.data.length) throw new Error(`${values.length} values for shape ${out.shape.join('×')}`);
  out.data.set(values);
}

/** The numbers of nested arrays (or of one row), in row-major order. */
function flatten(nested: unknown): number[] {
  const out: number[] = [];
  const walk = (at: unknown): void => {
    if (Array.isArray(at)) at.forEach(walk);
    else out.push(decodeNumber(at as SpecNumber));
  };
  walk(nested);
  return out;
}

/** The field of a spec at `start.q`, `projections.wq`, … */
const valueAt = (spec: AttentionSpec, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], spec);

function fillPattern(out: Tensor, { after, before, visible }: CallOf<'patternMask'>): void {
  const columns = out.shape.at(-1) ?? 0;
  for (let i = 0; i < out.data.length; i++) {
    const [row, column] = [Math.floor(i / columns), i % columns];
    out.data[i] = column - row > after || row - column > before || column >= visible ? 1 : 0;
  }
}

/** A row without visible keys, or NaN and infinities in the weights and the output, with the first place: where a reader would look. */
function observations(spec: AttentionSpec, plan: Plan, values: ReadonlyMap<string, Tensor>): Problem[] {
  const hidden = hiddenRows(spec, plan, values);
  if (hidden.length) return hidden;
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
  const label = `“${step.rowLabels[row] ?? row}”`;
  const found = Number.isNaN(tensor.data[at]) ? 'NaN' : 'an infinity';
  const hint = 'NaN or infinities in the input, or an overflow: click the cell to see which.';
  const message = `${step.symbol} has ${found}, the first in row ${label} at [${row}, ${at % columns}]`;
  return [{ code: 'non-finite', message, hint, path: step.id }];
}

/** A query that sees no key: which one, and what its weights are. */
function hiddenRows(spec: AttentionSpec, plan: Plan, values: ReadonlyMap<string, Tensor>): Problem[] {
  const masked = values.get('masked');
  const step = plan.steps.find((s) => s.id === 'masked');
  if (!masked || !step || step.call.op === 'identity') return [];
  const columns = masked.shape.at(-1) ?? 1;
  const at = emptyRow(masked.data, columns);
  if (at < 0) return [];
  const label = step.rowLabels[at % (masked.shape.at(-2) ?? 1)] ?? String(at);
  const zero = spec.fullyMasked === 'zero';
  const message = `“${label}” sees no key: its weights are ${zero ? '0' : 'NaN'}`;
  const hint = zero
    ? 'As some kernels do; softmax in NumPy and PyTorch gives NaN.'
    : 'exp(−∞ − −∞) is NaN, as in NumPy and PyTorch; some kernels give 0.';
  return [{ code: 'hidden-row', message, hint, path: 'masked' }];
}

function emptyRow(data: Tensor['data'], columns: number): number {
  for (let start = 0; start < data.length; start += columns) {
    if (data.subarray(start, start + columns).every((x) => x === -Infinity)) return start / columns;
  }
  return -1;
}
