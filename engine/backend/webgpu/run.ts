import { isSource, operations, type BackendCall, type OperationName } from '../../operations';
import { fail, ok, type Problem, type Result } from '../../problems';
import { sizeOf, type Tensor } from '../../tensor';
import { attempt, type WebGpuDevice } from './device';
import { alias, type Dispatch, type Kernel } from './kernel';
import { gpuKernels } from './kernels/index';
import { pipelineOf } from './pipeline';
import {
  bytesOf,
  cutAfter,
  firstNonFinite,
  firstTooLarge,
  freedAfter,
  megabytes,
  neededSteps,
  readOperands,
  stepOf,
  uploadsOf,
  type GpuStep,
  type Uploads,
} from './prepare';

export interface GpuRunOptions {
  /** An `AbortSignal` or its like. Looked at between steps; the result of a cancelled run is dropped. */
  readonly signal?: { readonly aborted: boolean } | undefined;
  /** Steps to read back, all of a backend's by default. Only these and what they need are computed. */
  readonly steps?: readonly string[] | undefined;
}

export type GpuValues = ReadonlyMap<string, Float32Array<ArrayBuffer>>;

// From the WebGPU standard (GPUBufferUsage, GPUMapMode): numbers, since Node has no such globals.
const usage = { mapRead: 0x1, copySource: 0x4, copyTarget: 0x8, uniform: 0x40, storage: 0x80 } as const;
const mapModeRead = 0x1;

/** After a step of so many multiply-adds the queue is waited for, so that a cancellation can come before the next. */
const longStep = 1 << 28;

const cancelled: Problem = { code: 'cancelled', message: 'the GPU run was cancelled' };

/**
 * Runs steps in order on the GPU, in float32; values stay there and only what is asked for comes back. Every buffer is
 * destroyed before the promise is fulfilled. Problems: `non-finite-input`, `out-of-memory`, `cancelled`, `device-lost`,
 * `shader-refused`, `gpu-error`. Throws (our bug) on an unknown step or a source without values.
 */
export async function runSteps(
  device: WebGpuDevice,
  steps: readonly GpuStep[],
  sources: ReadonlyMap<string, Tensor>,
  options: GpuRunOptions = {},
): Promise<Result<GpuValues>> {
  const wanted = options.steps ?? steps.filter((s) => !isSource(s.call)).map((s) => s.id);
  const needed = neededSteps(steps, wanted);
  const inputs = uploadsOf(needed, sources);
  const refused = device.state.loss ?? firstNonFinite(inputs) ?? firstTooLarge(device, needed);
  if (refused) return fail(refused);
  const run: Run = { device, steps: needed, inputs, buffers: new Map(), live: new Set(), options };
  try {
    const problem = await computeSteps(run, wanted);
    return problem ? fail(problem) : await readBack(run, wanted);
  } finally {
    run.live.forEach((buffer) => buffer.destroy());
  }
}

interface Run {
  readonly device: WebGpuDevice;
  readonly steps: readonly GpuStep[];
  readonly inputs: Uploads;
  /** The values of each step; an alias shares its operand's buffer. */
  readonly buffers: Map<string, GPUBuffer>;
  /** Every buffer that is not destroyed yet. */
  readonly live: Set<GPUBuffer>;
  readonly options: GpuRunOptions;
}

async function computeSteps(run: Run, wanted: readonly string[]): Promise<Problem | undefined> {
  const { device, steps, options } = run;
  const pipelines = await compileAll(run);
  if (!pipelines.ok) return device.state.loss ?? pipelines.problems[0];
  const freed = freedAfter(steps, wanted);
  for (const part of cutAfter(steps, (step) => workOf(run, step) >= longStep)) {
    if (options.signal?.aborted) return cancelled;
    const problem = await guarded(run, () => {
      for (const step of part) {
        computeStep(run, step, pipelines.value);
        // What no later step reads goes at once: the queue keeps it until its work is done.
        for (const id of freed.get(step.id) ?? []) destroy(run, run.buffers.get(id));
      }
    });
    if (problem) return problem;
    if (part.at(-1) !== steps.at(-1)) await attempt(() => device.gpu.queue.onSubmittedWorkDone());
  }
  return options.signal?.aborted ? cancelled : device.state.loss;
}

type Pipelines = ReadonlyMap<OperationName, GPUComputePipeline>;

async function compileAll({ device, steps }: Run): Promise<Result<Pipelines>> {
  const compiled = new Map<OperationName, GPUComputePipeline>();
  for (const { call } of steps) {
    if (isSource(call)) continue;
    const kernel = gpuKernels[call.op];
    if (kernel === alias) continue;
    const pipeline = await pipelineOf(device, call.op, kernel.shader);
    if (!pipeline.ok) return pipeline;
    compiled.set(call.op, pipeline.value);
  }
  return ok(compiled);
}

const shapesOf = (run: Run, { operands }: GpuStep): (readonly number[])[] =>
  operands.map((id) => run.steps.find((s) => s.id === id)?.shape ?? []);

function workOf(run: Run, step: GpuStep): number {
  if (isSource(step.call)) return 0;
  return operations[step.call.op].work(step.call as never, shapesOf(run, step), step.shape);
}

function computeStep(run: Run, step: GpuStep, pipelines: Pipelines): void {
  const { call } = step;
  if (isSource(call)) return upload(run, step);
  const pipeline = pipelines.get(call.op);
  if (pipeline) return launch(run, step, call, pipeline);
  readOperands(step).forEach((id) => run.buffers.set(step.id, bufferOf(run, id))); // an alias
}

function upload(run: Run, { id }: GpuStep): void {
  const data = run.inputs.get(id)?.data ?? new Float32Array();
  const size = Math.max(4, data.byteLength);
  const buffer = createBuffer(run, id, size, usage.storage | usage.copyTarget | usage.copySource);
  run.device.gpu.queue.writeBuffer(buffer, 0, data);
  run.buffers.set(id, buffer);
}

function dispatchOf(run: Run, step: GpuStep, call: BackendCall): Dispatch {
  // The record is total and typed by operation; TypeScript loses the link between a call and its kernel.
  const kernel = gpuKernels[call.op] as Kernel<OperationName>;
  return kernel.dispatch(call, shapesOf(run, step), step.shape);
}

function launch(run: Run, step: GpuStep, call: BackendCall, pipeline: GPUComputePipeline): void {
  const { gpu, maxGroups } = run.device;
  const { params, groups } = dispatchOf(run, step, call);
  const result = createBuffer(run, step.id, bytesOf(step), usage.storage | usage.copySource);
  run.buffers.set(step.id, result);
  if (groups === 0) return;
  const uniform = createBuffer(run, `${step.id} parameters`, params.byteLength, usage.uniform | usage.copyTarget);
  gpu.queue.writeBuffer(uniform, 0, params);
  const bound = [uniform, ...readOperands(step).map((id) => bufferOf(run, id)), result];
  const entries = bound.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const encoder = gpu.createCommandEncoder({ label: step.id });
  const pass = encoder.beginComputePass({ label: step.id });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, gpu.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.min(groups, maxGroups), Math.ceil(groups / maxGroups));
  pass.end();
  gpu.queue.submit([encoder.finish()]);
  destroy(run, uniform);
}

function bufferOf(run: Run, id: string): GPUBuffer {
  const buffer = run.buffers.get(id);
  if (!buffer) throw new Error(`${id} is not on the GPU`);
  return buffer;
}

function createBuffer(run: Run, label: string, size: number, flags: number): GPUBuffer {
  const buffer = run.device.gpu.createBuffer({ label, size, usage: flags });
  run.live.add(buffer);
  return buffer;
}

function destroy(run: Run, buffer: GPUBuffer | undefined): void {
  if (buffer && run.live.delete(buffer)) buffer.destroy();
}

/**
 * Calls the GPU inside error scopes. They are pushed and popped without an await between, so that runs side by side on one
 * device cannot see each other's errors.
 */
async function guarded({ device, live }: Run, calls: () => void): Promise<Problem | undefined> {
  const { gpu, name, state } = device;
  const filters = ['internal', 'validation', 'out-of-memory'] as const;
  filters.forEach((filter) => gpu.pushErrorScope(filter));
  let popped: Promise<readonly (GPUError | null)[]> | undefined;
  try {
    calls();
  } finally {
    popped = Promise.all(filters.map(() => gpu.popErrorScope()));
  }
  const held = [...live].reduce((bytes, buffer) => bytes + buffer.size, 0);
  const errors = await attempt(() => popped);
  if (state.loss) return state.loss;
  if ('error' in errors) return { code: 'gpu-error', message: `${name}: ${errors.error}` };
  const [memory, ...others] = errors.value; // popped in reverse: memory comes first
  if (memory) return { code: 'out-of-memory', message: `${megabytes(held)} do not fit on ${name}: ${memory.message}` };
  const other = others.find((error) => error !== null);
  return other && { code: 'gpu-error', message: `${name}: ${other.message}` };
}

async function readBack(run: Run, wanted: readonly string[]): Promise<Result<GpuValues>> {
  const staged = new Map<string, GPUBuffer>();
  const problem = await guarded(run, () => stage(run, wanted, staged));
  if (problem) return fail(problem);
  const mapped = await attempt(() => Promise.all([...staged.values()].map((b) => b.mapAsync(mapModeRead))));
  if (run.options.signal?.aborted) return fail(cancelled);
  if ('error' in mapped) {
    await nextTask(); // The loss, if that is the reason, is told in a task of its own.
    return fail(run.device.state.loss ?? { code: 'gpu-error', message: `reading back: ${mapped.error}` });
  }
  return ok(new Map([...staged].map(([id, buffer]) => [id, copyOf(buffer, stepOf(run.steps, id))])));
}

const copyOf = (buffer: GPUBuffer, { shape }: GpuStep): Float32Array<ArrayBuffer> =>
  new Float32Array(buffer.getMappedRange().slice(0), 0, sizeOf(shape));

function stage(run: Run, wanted: readonly string[], staged: Map<string, GPUBuffer>): void {
  const encoder = run.device.gpu.createCommandEncoder({ label: 'read back' });
  for (const id of wanted) {
    const size = bytesOf(stepOf(run.steps, id));
    const target = createBuffer(run, `${id} read back`, size, usage.mapRead | usage.copyTarget);
    encoder.copyBufferToBuffer(bufferOf(run, id), 0, target, 0, size);
    staged.set(id, target);
  }
  run.device.gpu.queue.submit([encoder.finish()]);
}

const nextTask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));
