import { isSource, operations, type CallOf } from './operations';
import type { Step } from './plan';

/** Number of multiply-adds of a step, from its operands' shapes; 0 for sources. */
export function workOf(step: Step, steps: readonly Step[]): number {
  if (isSource(step.call)) return 0;
  const shapes = step.operands.map((id) => steps.find((s) => s.id === id)?.shape ?? []);
  return operations[step.call.op].work(step.call as CallOf<never>, shapes, step.shape);
}
