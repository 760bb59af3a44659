/* Computes a plan in float32 on a graphics card, for previews, and compares the result with the reference. */
import type { Plan } from '../../../plan';
import type { Result } from '../../../text';
import type { Tensor } from '../../../math';
import type { WebGpuDevice } from './device';
import type { GpuRunOptions } from './buffers';
import { holdSteps, runSteps, type GpuHeld, type GpuValues } from './run';

export { requestWebGpu, releaseWebGpu, type WebGpuDevice, type WebGpuRequest } from './device';
export { comparePart, compareWithTrace, type Difference, type StepDifference } from './compare';
export { readHeldTile } from './tile';
export { measureCrossover } from './crossover';
export type { GpuRunOptions } from './buffers';
export type { GpuHeld, GpuValues } from './run';

/**
 * Runs a plan's operations on the GPU, in float32 whatever the spec's dtype: for pixels and previews, never for digits.
 * `sources` are the values of the plan's sources (`sourceValues`). Returns the values of the requested steps, by default of all that are
 * not sources. Masked cells hold exactly −∞ or the fill; fully masked rows of weights are NaN or 0, as the spec says.
 * Problems, not exceptions: `non-finite-input`, `out-of-memory`, `cancelled`, `device-lost`, `shader-refused`, `gpu-error`.
 */
export const runWebGpu = (
  device: WebGpuDevice,
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  options: GpuRunOptions = {},
): Promise<Result<GpuValues>> => runSteps(device, plan.steps, sources, options);

/** The same, but the values stay on the GPU until `release`, and only what is read is copied back. Scores are computed when they are read. */
export const holdWebGpu = (
  device: WebGpuDevice,
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  options: GpuRunOptions = {},
): Promise<Result<GpuHeld>> => holdSteps(device, plan.steps, sources, options);
