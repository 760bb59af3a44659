import {
  compareWithTrace,
  explainCell,
  fail,
  insightsAt,
  ok,
  planOf,
  releaseWebGpu,
  requestWebGpu,
  runReference,
  runWebGpu,
  sourceValues,
  traceOf,
  whereItGoes,
  type AttentionSpec,
  type AttentionTrace,
  type Plan,
  type Result,
  type Tensor,
} from '../engine/index';
import { createCutter } from './cutter';
import type { GpuValues, WorkerCall, WorkerMessage, WorkerMethods } from './remote';

/*
 * Runs in a worker of its own: one holds the exact trace, another a GPU's preview. Both answer the same questions, so
 * that a view need not know. A third keeps the tokenizers. Cancelling is ending the worker.
 */

interface Scope {
  postMessage(message: WorkerMessage, transfer?: readonly Transferable[]): void;
  onmessage: ((event: MessageEvent<WorkerCall>) => void) | null;
}
const scope = self as unknown as Scope;

let trace: AttentionTrace | undefined;
let gpuValues: GpuValues = new Map();

function held(): AttentionTrace {
  if (!trace) throw new Error('nothing has been computed yet');
  return trace;
}

const methods: WorkerMethods = {
  async compute(spec) {
    const begin = performance.now();
    const planned = planOf(spec);
    if (!planned.ok) return planned;
    const { steps } = planned.value;
    const tell = (done: number): void =>
      scope.postMessage({ type: 'progress', step: steps[done]?.words.name ?? '', done, total: steps.length });
    tell(0);
    const result = runReference(spec, planned.value, (_, done) => tell(done));
    if (!result.ok) return result;
    trace = result.value;
    return ok({ problems: trace.problems, milliseconds: performance.now() - begin });
  },
  async preview(spec, allowSoftware) {
    const begin = performance.now();
    const planned = planOf(spec);
    if (!planned.ok) return planned;
    const problem = await runPreview(spec, planned.value, allowSoftware);
    return problem.ok ? ok({ problems: [], milliseconds: performance.now() - begin }) : problem;
  },
  read: async (step, request) => held().read(step, request),
  explainCell: async (step, index) => explainCell(held(), step, index),
  whereItGoes: async (step, index) => whereItGoes(held(), step, index),
  insights: async (step, index) => insightsAt(held(), step, index),
  async takeValues() {
    trace = undefined;
    return gpuValues;
  },
  async compare(values) {
    const { value, step } = compareWithTrace(held().plan, held(), values);
    return { value, step };
  },
  cut: createCutter(),
};

async function runPreview(spec: AttentionSpec, plan: Plan, allowSoftware: boolean): Promise<Result<undefined>> {
  const device = await requestWebGpu(navigator.gpu, { allowSoftware });
  if (!device.ok) return device;
  const sources = sourceValues(spec, plan);
  const result = await runWebGpu(device.value, plan, sources);
  releaseWebGpu(device.value);
  if (!result.ok) return fail(...result.problems);
  gpuValues = result.value;
  trace = traceOf(spec, plan, previewTensors(plan, sources, gpuValues), []);
  return ok(undefined);
}

function previewTensors(plan: Plan, sources: ReadonlyMap<string, Tensor>, values: GpuValues): Map<string, Tensor> {
  const tensors = new Map(sources);
  for (const { id, shape } of plan.steps) {
    const data = values.get(id);
    if (data) tensors.set(id, { dtype: 'float32', shape, data });
  }
  return tensors;
}

scope.onmessage = ({ data: { id, method, args } }) => {
  // The call's own types tie method and arguments; a message has lost that link.
  const call = methods[method] as (...args: readonly unknown[]) => Promise<unknown>;
  call(...args).then(
    (value) => scope.postMessage({ type: 'answer', id, value }, transferable(value)),
    (error: unknown) =>
      scope.postMessage({ type: 'refusal', id, message: error instanceof Error ? error.message : String(error) }),
  );
};

/** A preview's values are given away, not copied: they can be hundreds of megabytes. */
const transferable = (value: unknown): Transferable[] =>
  value instanceof Map ? [...value.values()].map((array: Float32Array) => array.buffer as ArrayBuffer) : [];
