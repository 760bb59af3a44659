import type { Problem } from '../../../text';
import type { Tensor } from '../../../math';
import { attempt, type WebGpuDevice } from './device';
import { megabytes, type GpuStep } from './steps';

// GPUBufferUsage and GPUMapMode of the WebGPU standard, as numbers: Node lacks these globals.
export const usage = { mapRead: 0x1, copySource: 0x4, copyTarget: 0x8, uniform: 0x40, storage: 0x80 } as const;
export const mapModeRead = 0x1;

export interface GpuRunOptions {
  /** An `AbortSignal` or similar. Checked between steps; the result of a cancelled run is dropped. */
  readonly signal?: { readonly aborted: boolean } | undefined;
  /** Ids of the steps to compute; by default all that are not sources. Only these and their operands are computed. */
  readonly steps?: readonly string[] | undefined;
  /** Fewest multiply-adds for which attention is fused. For tests: it affects only rounding. */
  readonly fuseFrom?: number;
}

export interface Run {
  readonly device: WebGpuDevice;
  readonly steps: readonly GpuStep[];
  readonly sources: ReadonlyMap<string, Tensor>;
  /** The values of each step; an alias shares its operand's buffer. */
  readonly buffers: Map<string, GPUBuffer>;
  /** Every buffer that is not destroyed yet. */
  readonly live: Set<GPUBuffer>;
  readonly options: GpuRunOptions;
  /** Ids of steps whose buffers must not be freed. */
  readonly kept: Set<string>;
}

export function release({ live, buffers }: Run): void {
  live.forEach((buffer) => buffer.destroy());
  live.clear();
  buffers.clear();
}

export const heldBytes = ({ live }: Run): number => [...live].reduce((bytes, buffer) => bytes + buffer.size, 0);

export function dropBuffer(run: Run, id: string): void {
  const buffer = run.buffers.get(id);
  destroy(run, buffer);
  for (const [other, its] of run.buffers) if (its === buffer) run.buffers.delete(other);
}

export function bufferOf(run: Run, id: string): GPUBuffer {
  const buffer = run.buffers.get(id);
  if (!buffer) throw new Error(`${id} is not on the GPU`);
  return buffer;
}

export function createBuffer(run: Run, label: string, size: number, flags: number): GPUBuffer {
  const buffer = run.device.gpu.createBuffer({ label, size, usage: flags });
  run.live.add(buffer);
  return buffer;
}

export function destroy(run: Run, buffer: GPUBuffer | undefined): void {
  if (buffer && run.live.delete(buffer)) buffer.destroy();
}

/**
 * Calls the GPU inside error scopes. They are pushed and popped without an await between, so that runs side by side on one
 * device cannot see each other's errors.
 */
export async function guarded(run: Run, calls: () => void): Promise<Problem | undefined> {
  const { gpu, name, state } = run.device;
  const filters = ['internal', 'validation', 'out-of-memory'] as const;
  filters.forEach((filter) => gpu.pushErrorScope(filter));
  let popped: Promise<readonly (GPUError | null)[]> | undefined;
  try {
    calls();
  } finally {
    popped = Promise.all(filters.map(() => gpu.popErrorScope()));
  }
  const held = heldBytes(run);
  const errors = await attempt(() => popped);
  if (state.loss) return state.loss;
  if ('error' in errors) return { code: 'gpu-error', message: `${name}: ${errors.error}` };
  const [memory, ...others] = errors.value; // popped in reverse: memory comes first
  if (memory) return { code: 'out-of-memory', message: `${megabytes(held)} do not fit on ${name}: ${memory.message}` };
  const other = others.find((error) => error !== null);
  return other && { code: 'gpu-error', message: `${name}: ${other.message}` };
}
