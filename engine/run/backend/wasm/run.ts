import {
  isSource,
  type CallOf,
  type Kernels as Operations,
  type OperationName,
  type Plan,
  type Step,
} from '../../../plan';
import { fail, ok, type Problem, type Result } from '../../../text';
import { sizeOf, type DType, type Tensor } from '../../../math';
import { heldLimit } from '../../large/deferred';
import { withFastElementwise } from '../../large/elementwise';
import { referenceKernels } from '../reference';
import { saturate } from '../webgpu/kernel';
import { wasmKernels, type WasmKernels } from './index';

export type WasmValues = ReadonlyMap<string, Float32Array>;

type Shape = readonly number[];

/**
 * A float32 backend: products and softmax by `kernels` (no fixed order of summation), all other operations by the reference in float32.
 * Operands must be float32 tensors, whatever the spec's dtype. For pixels and previews, never for digits.
 */
export function wasmOperations(kernels: WasmKernels): Operations {
  return {
    ...referenceKernels,
    matmul: (call, [a, b], shape) => matmul(kernels, call, requireFloat32(a), requireFloat32(b), shape),
    softmax: (call, [a], shape) => softmax(kernels, call, requireFloat32(a), shape),
    // A finite fill beyond float32 stays finite, so that a fully masked row has equal weights, as in float64, and not NaN.
    mask: (call, operands, shape, dtype) =>
      referenceKernels.mask({ ...call, fill: saturate(call.fill) }, operands, shape, dtype),
  };
}

function requireFloat32(t: Tensor | undefined): Tensor & { readonly data: Float32Array } {
  if (!(t?.data instanceof Float32Array)) throw new Error('wasm backend: a float32 operand is missing');
  return t as Tensor & { readonly data: Float32Array };
}

type Floats = ReturnType<typeof requireFloat32>;

const float32Tensor = (shape: Shape, data: Float32Array): Tensor => ({ dtype: 'float32', shape, data });

// a: …×n×k, b: …×k×m (or …×m×k when transposed), out: …×n×m; with one b for all batches it is one product with all rows
function matmul(kernels: WasmKernels, { transposeB }: CallOf<'matmul'>, a: Floats, b: Floats, shape: Shape): Tensor {
  const [k, rows, m] = [a.shape.at(-1) ?? 0, shape.at(-2) ?? 0, shape.at(-1) ?? 0];
  const shared = b.data.length === k * m;
  const n = shared ? sizeOf(shape.slice(0, -1)) : rows;
  const batches = shared ? 1 : sizeOf(shape.slice(0, -2));
  const out = new Float32Array(sizeOf(shape));
  for (let i = 0; i < batches; i++) {
    const left = a.data.subarray(i * n * k, (i + 1) * n * k);
    const right = b.data.subarray(i * k * m, (i + 1) * k * m);
    out.set(kernels.matmul({ a: left, b: right, n, k, m, transposed: transposeB }), i * n * m);
  }
  return float32Tensor(shape, out);
}

// a, out: …×m
function softmax(kernels: WasmKernels, { emptyRow }: CallOf<'softmax'>, a: Floats, shape: Shape): Tensor {
  const m = shape.at(-1) ?? 0;
  const n = m === 0 ? 0 : a.data.length / m;
  const out = kernels.softmax({ x: a.data, n, m }).slice();
  if (emptyRow === 'zero') for (let i = 0; i < n; i++) zeroIfEmpty(a.data, out, i * m, m);
  return float32Tensor(shape, out);
}

/** Sets a fully masked row to 0, which the kernel returns as NaN. */
function zeroIfEmpty(x: Float32Array, out: Float32Array, from: number, m: number): void {
  if (!Number.isNaN(out[from])) return;
  if (x.subarray(from, from + m).every((s) => s === -Infinity)) out.fill(0, from, from + m);
}

/**
 * Runs a plan's operations in float32, in the calling thread. `sources` are the values of the plan's sources (`sourceValues`). Returns
 * the values of all other steps; an identity step shares the array of its operand. NaN and infinities follow IEEE 754, and finite numbers
 * beyond float32 become its largest. Problem: `out-of-memory`, also for a plan with deferred steps (`heldLimit`).
 */
export function runWasm(
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  kernels: WasmKernels = wasmKernels(),
  onStep?: (step: Step, done: number) => void,
): Result<WasmValues> {
  if (plan.bytes > heldLimit) return fail(outOfMemory(plan, `${plan.bytes} bytes of steps, ${heldLimit} are the most`));
  const operationOf = withFastElementwise(wasmOperations(kernels));
  const values = new Map<string, Tensor>();
  const found = new Map<string, Float32Array>();
  try {
    plan.steps.forEach((step, i) => {
      const tensor = isSource(step.call) ? toFloat32(sources.get(step.id)) : compute(operationOf, step, values);
      values.set(step.id, tensor);
      if (!isSource(step.call)) found.set(step.id, requireFloat32(tensor).data);
      onStep?.(step, i + 1);
    });
  } catch (error) {
    if (error instanceof RangeError) return fail(outOfMemory(plan, error.message));
    throw error;
  }
  return ok(found);
}

function toFloat32(source: Tensor | undefined): Tensor {
  if (!source) throw new Error('wasm backend: a source has no values');
  if (source.dtype === 'float32') return source;
  return float32Tensor(source.shape, Float32Array.from(source.data, saturate));
}

type Compute = (call: CallOf<OperationName>, operands: readonly Tensor[], shape: Shape, dtype: DType) => Tensor;

function compute(all: Operations, { call, operands, shape }: Step, values: ReadonlyMap<string, Tensor>): Tensor {
  const given = operands.map((id) => values.get(id)).filter((t) => t !== undefined);
  return (all[call.op as OperationName] as Compute)(call as CallOf<OperationName>, given, shape, 'float32');
}

function outOfMemory({ tokens }: Plan, why: string): Problem {
  return { code: 'out-of-memory', message: `no float32 preview of ${tokens.length} tokens: ${why}` };
}
