import type { Kernels as Own } from '../backend/wasm/index';
import type { Plan, Step } from '../../plan/plan';
import type { Tensor } from '../../math/tensor';
import type { Blocks } from './blocks';
import type { Pyramid } from './pyramid';
import { matrixIn } from './along';
import type { Tops } from './tops';

/** What the parts of an overview share. */
export interface Survey {
  readonly plan: Plan;
  readonly deferred: ReadonlySet<string>;
  readonly own: Own;
  /** Everything that is held, in float32; deferred steps before the scores as well. */
  readonly blocks: Blocks;
  readonly tops: Tops;
  /** Pictures pool 2^level × 2^level cells; stripes have about so many cells. */
  readonly level: number;
  readonly stripe: number;
  readonly pyramidOf: (step: Step, lead: readonly number[]) => Pyramid;
}

/** Every leading index of a shape, in order. */
export function leadsOf(shape: readonly number[]): readonly (readonly number[])[] {
  return shape
    .slice(0, -2)
    .reduce<readonly (readonly number[])[]>(
      (leads, size) => leads.flatMap((lead) => Array.from({ length: size }, (_, i) => [...lead, i])),
      [[]],
    );
}

/** A held matrix that serves `lead`. */
export const matrixAt = (survey: Survey, step: Step, lead: readonly number[]): Float32Array =>
  matrixIn(tensorOf(survey, step), lead);

export function tensorOf({ blocks }: Survey, { id }: Step): Tensor {
  const tensor = blocks.held.get(id);
  if (!tensor) throw new Error(`step ${id} is not held`);
  return tensor;
}
