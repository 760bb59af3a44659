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
  runWasm,
  runWebGpu,
  sourceValues,
  traceOf,
  wasmKernels,
  whereItGoes,
  t,
  type AttentionSpec,
  type AttentionTrace,
  type Plan,
  type Result,
  type Tensor,
} from '../engine/index';
import { createCutter } from './tokens/cutter';
import type { GpuValues, Previewed, PreviewWish, WorkerCall, WorkerMessage, WorkerMethods } from './remote';

/*
 * Runs in a worker of its own: one holds the exact trace, another a preview. Both answer the same questions, so
 * that a view need not know. A third keeps the tokenizers. Cancelling is ending the worker.
 */

interface Scope {
  postMessage(message: WorkerMessage, transfer?: readonly Transferable[]): void;
  onmessage: ((event: MessageEvent<WorkerCall>) => void) | null;
}
const scope = globalThis as unknown as Scope;

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
    void survey(trace);
    return ok({ problems: trace.problems, milliseconds: performance.now() - begin });
  },
  async preview(spec, wish) {
    const begin = performance.now();
    const planned = planOf(spec);
    if (!planned.ok) return planned;
    const found = await runPreview(spec, planned.value, wish);
    return found.ok ? ok({ ...found.value, problems: [], milliseconds: performance.now() - begin }) : found;
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

/** Computes the pictures of what is not held, a stripe at a time: questions that came meanwhile are answered in between. */
async function survey(of: AttentionTrace): Promise<void> {
  const overview = of.overview?.();
  if (!overview) return;
  do await new Promise((resolve) => setTimeout(resolve));
  while (trace === of && !overview.advance());
}

type Ran = Pick<Previewed, 'by' | 'noGpu'>;

/** By WebGPU; where there is none or none may be asked, by WebAssembly. */
async function runPreview(spec: AttentionSpec, plan: Plan, { gpu, wasm }: PreviewWish): Promise<Result<Ran>> {
  const sources = sourceValues(spec, plan);
  const onGpu = gpu === 'never' ? undefined : await runOnGpu(plan, sources, gpu === 'any');
  const values = onGpu?.ok || !wasm ? onGpu : runOnWasm(plan, sources);
  if (!values) return fail({ code: 'no-preview', message: t('neither WebGPU nor WebAssembly is wanted') });
  // What kept the GPU from it says more than what kept WebAssembly.
  if (!values.ok) return fail(...(onGpu && !onGpu.ok ? onGpu : values).problems);
  gpuValues = values.value;
  trace = traceOf(spec, plan, previewTensors(plan, sources, gpuValues), []);
  const [noGpu] = onGpu && !onGpu.ok ? onGpu.problems : [];
  return ok(onGpu?.ok ? { by: 'WebGPU' } : { by: 'WASM', ...(noGpu && { noGpu }) });
}

/** Plain JavaScript in its place would be no faster than the exact values. */
function runOnWasm(plan: Plan, sources: ReadonlyMap<string, Tensor>): Result<GpuValues> {
  const own = wasmKernels();
  if (own.build === 'plain') return fail({ code: 'no-wasm', message: t('WebAssembly is missing or refused') });
  return runWasm(plan, sources, own);
}

async function runOnGpu(
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  allowSoftware: boolean,
): Promise<Result<GpuValues>> {
  const device = await requestWebGpu(navigator.gpu, { allowSoftware });
  if (!device.ok) return device;
  const result = await runWebGpu(device.value, plan, sources);
  releaseWebGpu(device.value);
  return result;
}

function previewTensors(plan: Plan, sources: ReadonlyMap<string, Tensor>, values: GpuValues): Map<string, Tensor> {
  const tensors = new Map(sources);
  for (const { id, shape } of plan.steps) {
    const data = values.get(id);
    if (data) tensors.set(id, { dtype: 'float32', shape, data });
  }
  return tensors;
}

/** Answers what this worker is asked from now on. */
export function serve(): void {
  scope.onmessage = ({ data }) => answer(data);
}

function answer({ id, method, args }: WorkerCall): void {
  // The call's own types tie method and arguments; a message has lost that link.
  const call = methods[method] as (...args: readonly unknown[]) => Promise<unknown>;
  call(...args).then(
    (value) => scope.postMessage({ type: 'answer', id, value }, transferable(value)),
    (error: unknown) =>
      scope.postMessage({ type: 'refusal', id, message: error instanceof Error ? error.message : String(error) }),
  );
}

/** A preview's values are given away, not copied: they can be hundreds of megabytes. Steps that change nothing share theirs. */
const transferable = (value: unknown): Transferable[] =>
  value instanceof Map
    ? [...new Set([...value.values()].map(({ buffer }: Float32Array) => buffer as ArrayBuffer))]
    : [];
