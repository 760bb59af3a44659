import { valuesOf } from '../hash';
import type { Step } from '../plan';
import type { AttentionTrace } from '../trace';

/** The step of that id, if the trace has it. */
export const find = (trace: AttentionTrace, id: string): Step | undefined => trace.plan.steps.find((s) => s.id === id);

/** All values of a step, row-major; undefined where the trace has no such step. */
export const allOf = (trace: AttentionTrace, id: string): Float64Array | undefined => {
  const step = find(trace, id);
  return step && valuesOf(trace, step);
};
