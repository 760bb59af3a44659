import { isSource, type CallOf, type Kernels as Operations, type OperationName } from '../../../plan/operations';
import type { Plan, Step } from '../../../plan/plan';
import { fail, ok, type Problem, type Result } from '../../../text/problems';
import { sizeOf, type DType, type Tensor } from '../../../math/tensor';
import { heldLimit } from '../../large/deferred';
import { quick } from '../../large/quick';
import { referenceKernels } from '../reference';
import { saturate } from '../webgpu/kernel';
import { kernels, type Kernels } from './index';

export type WasmValues = ReadonlyMap<string, Float32Array>;

type Shape = readonly number[];

/**
 * A backend in float32: products and softmax by `own`, in no fixed order, the rest (copies, and one rounding a cell) by the reference
 * in float32. Operands are float32 tensors, whatever the spec's dtype. For pixels and previews, never for digits.
 */
export function wasmOperations(own: Kernels): Operations {
  return {
    ...referenceKernels,
    matmul: (call, [a, b], shape) => matmul(own, call, need(a), need(b), shape),
    softmax: (call, [a], shape) => softmax(own, call, need(a), shape),
    // A finite fill beyond float32 stays finite: a row that is hidden throughout then has equal weights, as in float64, and not NaN.
    mask: (call, operands, shape, dtype) =>
      referenceKernels.mask({ ...call, fill: saturate(call.fill) }, operands, shape, dtype),
  };
}

function need(t: Tensor | undefined): Tensor & { readonly data: Float32Array } {
  if (!(t?.data instanceof Float32Array)) throw new Error('wasm backend: a float32 operand is missing');
  return t as Tensor & { readonly data: Float32Array };
}

type Floats = ReturnType<typeof need>;

const made = (shape: Shape, data: Float32Array): Tensor => ({ dtype: 'float32', shape, data });

// a: …×n×k, b: …×k×m (or …×m×k when transposed), out: …×n×m; one b for all is one product with all rows
function matmul(own: Kernels, { transposeB }: CallOf<'matmul'>, a: Floats, b: Floats, shape: Shape): Tensor {
  const [k, rows, m] = [a.shape.at(-1) ?? 0, shape.at(-2) ?? 0, shape.at(-1) ?? 0];
  const shared = b.data.length === k * m;
  const n = shared ? sizeOf(shape.slice(0, -1)) : rows;
  const batches = shared ? 1 : sizeOf(shape.slice(0, -2));
  const out = new Float32Array(sizeOf(shape));
  for (let i = 0; i < batches; i++) {
    const left = a.data.subarray(i * n * k, (i + 1) * n * k);
    const right = b.data.subarray(i * k * m, (i + 1) * k * m);
    out.set(own.matmul({ a: left, b: right, n, k, m, transposed: transposeB }), i * n * m);
  }
  return made(shape, out);
}

// a, out: …×m
function softmax(own: Kernels, { emptyRow }: CallOf<'softmax'>, a: Floats, shape: Shape): Tensor {
  const m = shape.at(-1) ?? 0;
  const n = m === 0 ? 0 : a.data.length / m;
  const out = own.softmax({ x: a.data, n, m }).slice();
  if (emptyRow === 'zero') for (let i = 0; i < n; i++) zeroIfEmpty(a.data, out, i * m, m);
  return made(shape, out);
}

/** A row without a visible key came out as NaN. */
function zeroIfEmpty(x: Float32Array, out: Float32Array, from: number, m: number): void {
  if (!Number.isNaN(out[from])) return;
  if (x.subarray(from, from + m).every((s) => s === -Infinity)) out.fill(0, from, from + m);
}

/**
 * Runs a plan's operations in float32, in the calling thread; `sources` are the values of the plan's sources (`sourceValues`).
 * Gives the values of all other steps; a step that changes nothing has the array of its operand. NaN and infinities travel as in IEEE
 * 754, and numbers beyond float32 become its largest. Problem: `out-of-memory`, also for a plan of which a trace does
 * not hold every step (`heldLimit`).
 */
export function runWasm(
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  own: Kernels = kernels(),
  onStep?: (step: Step, done: number) => void,
): Result<WasmValues> {
  if (plan.bytes > heldLimit) return fail(outOfMemory(plan, `${plan.bytes} bytes of steps, ${heldLimit} are the most`));
  const operationOf = quick(wasmOperations(own));
  const values = new Map<string, Tensor>();
  const found = new Map<string, Float32Array>();
  try {
    plan.steps.forEach((step, i) => {
      const tensor = isSource(step.call) ? narrowed(sources.get(step.id)) : compute(operationOf, step, values);
      values.set(step.id, tensor);
      if (!isSource(step.call)) found.set(step.id, need(tensor).data);
      onStep?.(step, i + 1);
    });
  } catch (error) {
    if (error instanceof RangeError) return fail(outOfMemory(plan, error.message));
    throw error;
  }
  return ok(found);
}

function narrowed(source: Tensor | undefined): Tensor {
  if (!source) throw new Error('wasm backend: a source has no values');
  if (source.dtype === 'float32') return source;
  return made(source.shape, Float32Array.from(source.data, saturate));
}

type Compute = (call: CallOf<OperationName>, operands: readonly Tensor[], shape: Shape, dtype: DType) => Tensor;

function compute(all: Operations, { call, operands, shape }: Step, values: ReadonlyMap<string, Tensor>): Tensor {
  const given = operands.map((id) => values.get(id)).filter((t) => t !== undefined);
  return (all[call.op as OperationName] as Compute)(call as CallOf<OperationName>, given, shape, 'float32');
}

function outOfMemory({ tokens }: Plan, why: string): Problem {
  return { code: 'out-of-memory', message: `no float32 preview of ${tokens.length} tokens: ${why}` };
}
