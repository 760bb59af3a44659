import type { WasmKernels } from '../backend/wasm/index';
import type { Plan, Step } from '../../plan';
import type { Tensor } from '../../math';
import type { BlockContext } from './blocks';
import type { Pyramid } from './pyramid';
import { matrixIn } from './fused-kernel';
import type { SoftmaxSummaries } from './softmax-summaries';

/** What the parts of an overview have in common. */
export interface OverviewContext {
  readonly plan: Plan;
  readonly deferred: ReadonlySet<string>;
  readonly wasm: WasmKernels;
  /** Computes rectangles of deferred steps in float32, from the held steps in float32. */
  readonly blocks: BlockContext;
  readonly summaries: SoftmaxSummaries;
  /** Pyramids pool 2^level × 2^level cells. `stripe` is the number of cells of a stripe, roughly. */
  readonly level: number;
  readonly stripe: number;
  readonly pyramidOf: (step: Step, leading: readonly number[]) => Pyramid;
}

/** All leading indices (batch, head) of a shape, in row-major order. */
export function leadingIndices(shape: readonly number[]): readonly (readonly number[])[] {
  return shape
    .slice(0, -2)
    .reduce<readonly (readonly number[])[]>(
      (indices, size) => indices.flatMap((leading) => Array.from({ length: size }, (_, i) => [...leading, i])),
      [[]],
    );
}

/** The float32 matrix of a held step at a leading index (broadcast). */
export const heldMatrix = (context: OverviewContext, step: Step, leading: readonly number[]): Float32Array =>
  matrixIn(heldTensor(context, step), leading);

export function heldTensor({ blocks }: OverviewContext, { id }: Step): Tensor {
  const tensor = blocks.held.get(id);
  if (!tensor) throw new Error(`step ${id} is not held`);
  return tensor;
}
