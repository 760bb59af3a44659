import { isSource, operations, type Step } from '../../../plan';
import type { Problem } from '../../../text';
import { formatShape, sizeOf, type Tensor } from '../../../math';
import type { WebGpuDevice } from './device';
import type { FusedCall } from './kernels/attention';
import { gpuKernelOf } from './kernels/index';

/** The part of a plan's step that the GPU backend needs. */
export interface GpuStep extends Pick<Step, 'id' | 'symbol' | 'call' | 'operands' | 'shape' | 'rowLabels'> {
  /** Fused attention: this step computes its weights from Q, K, V and an optional mask, and also the step `output`. See `fuse`. */
  readonly fused?: FusedCall & { readonly output: GpuStep };
  /** This step is the output of fused attention; the step of the weights computes it. */
  readonly producedByOperand?: true;
}

export function stepOf(steps: readonly GpuStep[], id: string): GpuStep {
  const step = steps.find((s) => s.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step;
}

/** Whether a step shares the buffer of its first operand. */
export const isAlias = ({ call }: Pick<GpuStep, 'call'>): boolean =>
  !isSource(call) && operations[call.op].gpu === 'view';

/** Whether a step has no kernel: the reference computes it, from operands that are read back. */
export const isByReference = ({ call }: Pick<GpuStep, 'call'>): boolean =>
  !isSource(call) && operations[call.op].gpu === 'reference';

/** Ids of the operands that a step's kernel reads, in binding order. Not all operands are read: softmax does not read its mask. */
export function readOperands({ id, call, operands, fused, producedByOperand }: GpuStep): readonly string[] {
  if (isSource(call)) return [];
  if (fused ?? producedByOperand) return operands;
  const reads = isAlias({ call }) ? [0] : (gpuKernelOf(call.op)?.reads ?? operands.map((_, i) => i));
  return reads.map((i) => {
    const operand = operands[i];
    if (operand === undefined) throw new Error(`${id}: operand ${i} is missing`);
    return operand;
  });
}

/** The wanted steps and, recursively, their operands, in the plan's order, without those that are `held` already. */
export function neededSteps(
  steps: readonly GpuStep[],
  wanted: readonly string[],
  held: ReadonlyMap<string, unknown> = new Map(),
): GpuStep[] {
  const needed = new Set<string>();
  const visit = (id: string): void => {
    if (needed.has(id) || held.has(id)) return;
    needed.add(id);
    readOperands(stepOf(steps, id)).forEach(visit);
  };
  wanted.forEach(visit);
  return steps.filter((s) => needed.has(s.id));
}

/** For each step, the ids of the buffers that no later step reads. Those of `wanted` steps are never freed. */
export function freedAfter(
  steps: readonly GpuStep[],
  wanted: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const owner = new Map<string, string>();
  const lastReader = new Map<string, string>();
  for (const step of steps) {
    const operands = readOperands(step).map((id) => owner.get(id) ?? id);
    operands.forEach((id) => lastReader.set(id, step.id));
    owner.set(step.id, isAlias(step) ? (operands[0] ?? step.id) : step.id);
  }
  for (const id of wanted) lastReader.delete(owner.get(id) ?? id);
  const freed = new Map<string, string[]>();
  for (const [id, reader] of lastReader) freed.set(reader, [...(freed.get(reader) ?? []), id]);
  return freed;
}

/** Splits the steps after each one that `isLong`, and around those without a kernel. Each part is submitted to the GPU at once. */
export function splitAfter(steps: readonly GpuStep[], isLong: (step: GpuStep) => boolean): GpuStep[][] {
  const parts: GpuStep[][] = [[]];
  for (const step of steps) {
    if (isByReference(step)) parts.push([]);
    parts.at(-1)?.push(step);
    if (isLong(step) || isByReference(step)) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

export type Uploads = ReadonlyMap<string, { readonly step: GpuStep; readonly data: Float32Array<ArrayBuffer> }>;

/** The values of the sources among `steps`, rounded to float32. */
export function uploadsOf(steps: readonly GpuStep[], sources: ReadonlyMap<string, Tensor>): Uploads {
  const inputs = steps.filter((step) => isSource(step.call));
  return new Map(inputs.map((step) => [step.id, { step, data: float32(step, sources.get(step.id)) }]));
}

function float32(step: GpuStep, tensor: Tensor | undefined): Float32Array<ArrayBuffer> {
  if (tensor?.data.length !== sizeOf(step.shape)) {
    throw new Error(`${step.id}: ${tensor?.data.length ?? 'no'} values for ${formatShape(step.shape)}`);
  }
  const { data } = tensor;
  // Nobody writes into them: what is float32 already is not copied.
  return data instanceof Float32Array && data.buffer instanceof ArrayBuffer
    ? (data as Float32Array<ArrayBuffer>)
    : new Float32Array(data);
}

/**
 * The problem `non-finite-input` if an input is NaN or infinite: WGSL need not honour those, so a preview could be wrong. −∞ may pass where it meets no
 * arithmetic of a shader: `steps` are those that could read it.
 */
export function firstNonFinite(inputs: Uploads, steps: readonly GpuStep[]): Problem | undefined {
  for (const { step, data } of inputs.values()) {
    const at = nonFiniteAt(data, hidesByBits(steps, step.id));
    if (at >= 0) return nonFinite(step, at, data[at] as number);
  }
  return undefined;
}

/** There may be millions: four at a time, whose products with 0 sum to 0 for finite numbers alone. It takes half of what one by one takes. */
function nonFiniteAt(data: Float32Array, mayHide: boolean): number {
  const firstIn = (start: number, end: number): number => {
    for (let i = start; i < end; i++) if (!Number.isFinite(data[i]) && !(mayHide && data[i] === -Infinity)) return i;
    return -1;
  };
  const last = data.length - 3;
  let i = 0;
  for (; i < last; i += 4) {
    const sum =
      (data[i] as number) * 0 + (data[i + 1] as number) * 0 + (data[i + 2] as number) * 0 + (data[i + 3] as number) * 0;
    if (sum === 0) continue;
    const at = firstIn(i, i + 4);
    if (at >= 0) return at;
  }
  return firstIn(i, data.length);
}

/** Whether all that reads a step knows −∞ by its bits, as softmax does, or is computed by the reference: a sink of −∞, what top-k leaves out. */
function hidesByBits(steps: readonly GpuStep[], id: string): boolean {
  const readers = steps.filter((step) => readOperands(step).includes(id));
  return readers.every((step) =>
    isAlias(step) ? hidesByBits(steps, step.id) : !step.fused && (step.call.op === 'softmax' || isByReference(step)),
  );
}

function nonFinite(step: GpuStep, at: number, value: number): Problem {
  const columns = step.shape.at(-1) ?? 1;
  const row = Math.floor(at / columns) % (step.shape.at(-2) ?? 1);
  const found = Number.isNaN(value) ? 'NaN' : 'an infinity, or a number beyond float32,';
  return {
    code: 'non-finite-input',
    message: `${step.symbol} has ${found} in row “${step.rowLabels[row] ?? row}”, column ${at % columns}`,
    hint: 'WebGPU need not honour NaN and infinities: no GPU preview.',
    path: step.id,
  };
}

/** Bytes of a step's buffer; at least 4, since WebGPU refuses empty ones. */
export const bytesOf = (step: GpuStep): number => 4 * Math.max(1, sizeOf(step.shape));

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1048576)} MB`;

/** The problem `out-of-memory` if a step is larger than the device's largest buffer. */
export function firstTooLarge(device: WebGpuDevice, steps: readonly GpuStep[]): Problem | undefined {
  const step = steps.find((s) => bytesOf(s) > device.maxBufferBytes);
  if (!step) return undefined;
  const [needs, has] = [megabytes(bytesOf(step)), megabytes(device.maxBufferBytes)];
  const message = `${step.symbol} (${formatShape(step.shape)}) needs ${needs}, ${device.name} takes ${has} in one buffer`;
  return { code: 'out-of-memory', message, path: step.id };
}
