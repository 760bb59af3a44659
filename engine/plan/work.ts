import { isSource, operations, type CallOf } from './operations';
import type { Step } from './plan';

/** Multiply-adds of a step, from the shapes of its operands; none where nothing is computed from another step. */
export function workOf(step: Step, steps: readonly Step[]): number {
  if (isSource(step.call)) return 0;
  const shapes = step.operands.map((id) => steps.find((s) => s.id === id)?.shape ?? []);
  return operations[step.call.op].work(step.call as CallOf<never>, shapes, step.shape);
}
