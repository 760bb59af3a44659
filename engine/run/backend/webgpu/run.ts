import { isSource, operationOf, operations } from '../../../plan';
import { fail, ok, type Problem, type Result, nextTurn } from '../../../text';
import { sizeOf, type Tensor } from '../../../math';
import { attempt, type WebGpuDevice } from './device';
import {
  bufferOf,
  createBuffer,
  destroy,
  dropBuffer,
  guarded,
  heldBytes,
  mapModeRead,
  release,
  usage,
  type GpuRunOptions,
  type Run,
} from './buffers';
import { fuse } from './fuse';
import { launchesOf, type Launch, type Launches } from './kernel';
import { fusedLaunches } from './kernels/attention';
import { gpuKernelOf } from './kernels/index';
import { pipelineOf } from './pipeline';
import {
  bytesOf,
  splitAfter,
  firstNonFinite,
  firstTooLarge,
  freedAfter,
  isByReference,
  neededSteps,
  readOperands,
  stepOf,
  uploadsOf,
  type GpuStep,
  type Uploads,
} from './steps';

export type GpuValues = ReadonlyMap<string, Float32Array<ArrayBuffer>>;

/** The steps of a plan with values on the GPU. */
export interface GpuHeld {
  /**
   * Reads back the values `from` … `to` − 1 of a step, row-major; by default all. A step that was not requested before is computed first.
   * Problems as of a run.
   */
  read(step: string, range?: readonly [from: number, to: number]): Promise<Result<Float32Array<ArrayBuffer>>>;
  /** Bytes of all buffers. */
  bytes(): number;
  /** Destroys all buffers. */
  release(): void;
}

/** After a step with this many multiply-adds the run waits for the queue, so that it can be cancelled before the next. */
const longStep = 1 << 28;

const cancelled: Problem = { code: 'cancelled', message: 'the GPU run was cancelled' };

/**
 * Runs steps in order on the GPU, in float32. Only the requested values are copied back. All buffers are destroyed before the promise
 * is fulfilled. Problems: `non-finite-input`, `out-of-memory`, `cancelled`, `device-lost`,
 * `shader-refused`, `gpu-error`. Throws (our bug) on an unknown step or a source without values.
 */
export async function runSteps(
  device: WebGpuDevice,
  steps: readonly GpuStep[],
  sources: ReadonlyMap<string, Tensor>,
  options: GpuRunOptions = {},
): Promise<Result<GpuValues>> {
  const wanted = options.steps ?? steps.filter((s) => !isSource(s.call)).map((s) => s.id);
  const run = runOf(device, steps, sources, options);
  try {
    const problem = await computeSteps(run, wanted);
    return problem
      ? fail(problem)
      : await readBack(
          run,
          wanted.map((id) => wholeStep(run, id)),
        );
  } finally {
    release(run);
  }
}

/**
 * The same, but the values stay on the GPU. Without `options.steps`, the steps that fusing makes unnecessary (scores to masked scores) are
 * computed only when they are read (`fuse`).
 */
export async function holdSteps(
  device: WebGpuDevice,
  steps: readonly GpuStep[],
  sources: ReadonlyMap<string, Tensor>,
  options: GpuRunOptions = {},
): Promise<Result<GpuHeld>> {
  const wanted = options.steps ?? fuse(steps, [], options.fuseFrom).flatMap((s) => (isSource(s.call) ? [] : s.id));
  const run = runOf(device, steps, sources, options);
  const problem = await computeSteps(run, wanted);
  if (problem) {
    release(run);
    return fail(problem);
  }
  // Reads run one after the other: two of them may need the same step.
  let turn: Promise<unknown> = Promise.resolve();
  return ok({
    read(id, range) {
      const part = turn.then(() => readPart(run, id, range));
      turn = part.catch(() => undefined);
      return part;
    },
    bytes: () => heldBytes(run),
    release: () => release(run),
  });
}

const runOf = (
  device: WebGpuDevice,
  steps: readonly GpuStep[],
  sources: ReadonlyMap<string, Tensor>,
  options: GpuRunOptions,
): Run => ({ device, steps, sources, options, buffers: new Map(), live: new Set(), kept: new Set() });

/** A run with the steps and inputs of one computation. */
interface Job extends Run {
  readonly needed: readonly GpuStep[];
  readonly inputs: Uploads;
}

/** Computes the wanted steps that have no buffer yet. Their buffers are kept, as are those kept before. */
async function computeSteps(run: Run, wanted: readonly string[]): Promise<Problem | undefined> {
  const needed = neededSteps(fuse(run.steps, [...wanted, ...run.kept], run.options.fuseFrom), wanted, run.buffers);
  const job = { ...run, needed, inputs: uploadsOf(needed, run.sources) };
  const refused = run.device.state.loss ?? firstNonFinite(job.inputs, run.steps) ?? firstTooLarge(run.device, needed);
  if (refused) return refused;
  wanted.forEach((id) => run.kept.add(id));
  const { device, options } = run;
  const pipelines = await compileAll(job);
  if (!pipelines.ok) return device.state.loss ?? pipelines.problems[0];
  const freed = freedAfter(needed, [...run.kept]);
  for (const part of splitAfter(needed, (step) => workOf(run, step) >= longStep)) {
    if (options.signal?.aborted) return cancelled;
    const values = await valuesByReference(job, part);
    if (!values.ok) return values.problems[0];
    const problem = await guarded(run, () => {
      for (const step of part) {
        if (isByReference(step)) write(job, step.id, values.value);
        else computeStep(job, step, pipelines.value);
        // What no later step reads goes at once: the queue keeps it until its work is done.
        for (const id of freed.get(step.id) ?? []) dropBuffer(run, id);
      }
    });
    if (problem) return problem;
    if (part.at(-1) !== needed.at(-1)) await attempt(() => device.gpu.queue.onSubmittedWorkDone());
  }
  return options.signal?.aborted ? cancelled : device.state.loss;
}

async function readPart(
  run: Run,
  id: string,
  range?: readonly [number, number],
): Promise<Result<Float32Array<ArrayBuffer>>> {
  const problem = run.buffers.has(id) ? run.device.state.loss : await computeSteps(run, [id]);
  if (problem) return fail(problem);
  const whole = wholeStep(run, id);
  const found = await readBack(run, [range ? { ...whole, from: range[0], to: range[1] } : whole]);
  return found.ok ? ok(found.value.get(id) ?? new Float32Array()) : found;
}

/** Compiled, by the shader's name. */
type Pipelines = ReadonlyMap<string, GPUComputePipeline>;

async function compileAll(job: Job): Promise<Result<Pipelines>> {
  const compiled = new Map<string, GPUComputePipeline>();
  for (const { shader } of job.needed.flatMap((step) => launchesFor(job, step)?.list ?? [])) {
    const pipeline = await pipelineOf(job.device, shader);
    if (!pipeline.ok) return pipeline;
    compiled.set(shader.name, pipeline.value);
  }
  return ok(compiled);
}

/** The launches of a step; undefined for a source, an alias, and the output of fused attention. */
function launchesFor(run: Run, step: GpuStep): Launches | undefined {
  const { call, fused, shape } = step;
  const shapes = shapesOf(run, step);
  const target = { tiled: !run.device.software };
  if (fused) return fusedLaunches(fused, shapes, shape, fused.output.shape, target);
  if (isSource(call) || step.producedByOperand) return undefined;
  const kernel = gpuKernelOf(call.op);
  return kernel && launchesOf(kernel, call, shapes, shape, target);
}

const shapesOf = (run: Run, { operands }: GpuStep): (readonly number[])[] =>
  operands.map((id) => run.steps.find((s) => s.id === id)?.shape ?? []);

function workOf(run: Run, step: GpuStep): number {
  const { call, fused, shape } = step;
  if (isSource(call) || step.producedByOperand) return 0;
  const shapes = shapesOf(run, step);
  if (fused) return sizeOf(shape) * ((shapes[0]?.at(-1) ?? 0) + (shapes[2]?.at(-1) ?? 0));
  return operations[call.op].work(call as never, shapes, shape);
}

function computeStep(job: Job, step: GpuStep, pipelines: Pipelines): void {
  if (isSource(step.call)) return upload(job, step);
  if (step.producedByOperand) return;
  const launches = launchesFor(job, step);
  if (launches) return launchAll(job, step, launches, pipelines);
  readOperands(step).forEach((id) => job.buffers.set(step.id, bufferOf(job, id))); // an alias
}

/** Those of a step that has no kernel: its operands come back and the reference computes it, in float32. It is alone in its part. */
async function valuesByReference(job: Job, part: readonly GpuStep[]): Promise<Result<Float32Array<ArrayBuffer>>> {
  const [step] = part;
  if (!step || isSource(step.call) || !isByReference(step)) return ok(new Float32Array());
  const found = await readBack(
    job,
    [...new Set(step.operands)].map((id) => wholeStep(job, id)),
  );
  if (!found.ok) return found;
  const operands = step.operands.map((id): Tensor => {
    const { shape } = stepOf(job.steps, id);
    return { dtype: 'float32', shape, data: found.value.get(id) ?? new Float32Array() };
  });
  const { data } = operationOf(step.call).kernel(step.call, operands, step.shape, 'float32');
  const values = new Float32Array(data);
  const problem = firstNonFinite(new Map([[step.id, { step, data: values }]]), job.steps);
  return problem ? fail(problem) : ok(values);
}

const upload = (run: Job, { id }: GpuStep): void => write(run, id, run.inputs.get(id)?.data ?? new Float32Array());

function write(run: Run, id: string, data: Float32Array<ArrayBuffer>): void {
  const size = Math.max(4, data.byteLength);
  const buffer = createBuffer(run, id, size, usage.storage | usage.copyTarget | usage.copySource);
  run.device.gpu.queue.writeBuffer(buffer, 0, data);
  run.buffers.set(id, buffer);
}

function launchAll(run: Run, step: GpuStep, { list, scratch = 0 }: Launches, pipelines: Pipelines): void {
  const createResult = (s: GpuStep): GPUBuffer => {
    const buffer = createBuffer(run, s.id, bytesOf(s), usage.storage | usage.copySource);
    run.buffers.set(s.id, buffer);
    return buffer;
  };
  const operands = readOperands(step).map((id) => bufferOf(run, id));
  const own = {
    result: createResult(step),
    output: step.fused && createResult(step.fused.output),
    scratch: scratch ? createBuffer(run, `${step.id} between`, 4 * scratch, usage.storage) : undefined,
  };
  for (const launch of list) {
    const bound = launch.binds.map((b) => (typeof b === 'number' ? operands[b] : own[b]));
    launchOne(run, step.id, launch, bound, pipelines.get(launch.shader.name));
  }
  destroy(run, own.scratch);
}

function launchOne(
  run: Run,
  label: string,
  { params, groups, shader }: Launch,
  buffers: readonly (GPUBuffer | undefined)[],
  pipeline: GPUComputePipeline | undefined,
): void {
  if (groups === 0) return;
  if (!pipeline) throw new Error(`${shader.name} was not compiled`);
  const { gpu, maxGroups } = run.device;
  const uniform = createBuffer(run, `${label} parameters`, params.byteLength, usage.uniform | usage.copyTarget);
  gpu.queue.writeBuffer(uniform, 0, params);
  const entries = [uniform, ...buffers].map((buffer, binding) => {
    if (!buffer) throw new Error(`${shader.name}: nothing to bind at ${binding}`);
    return { binding, resource: { buffer } };
  });
  const encoder = gpu.createCommandEncoder({ label });
  const pass = encoder.beginComputePass({ label });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, gpu.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.min(groups, maxGroups), Math.ceil(groups / maxGroups));
  pass.end();
  gpu.queue.submit([encoder.finish()]);
  destroy(run, uniform);
}

/** The values `from` … `to` − 1 of a step. */
interface Part {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

const wholeStep = (run: Run, id: string): Part => ({ id, from: 0, to: sizeOf(stepOf(run.steps, id).shape) });

async function readBack(run: Run, parts: readonly Part[]): Promise<Result<GpuValues>> {
  const staged = new Map<Part, GPUBuffer>();
  const problem = await guarded(run, () => stage(run, parts, staged));
  if (problem) return fail(problem);
  const mapped = await attempt(() => Promise.all([...staged.values()].map((b) => b.mapAsync(mapModeRead))));
  if (run.options.signal?.aborted) return fail(cancelled);
  if ('error' in mapped) {
    await nextTurn(); // If the reason is a lost device, that is reported in a later task.
    return fail(run.device.state.loss ?? { code: 'gpu-error', message: `reading back: ${mapped.error}` });
  }
  const values = new Map([...staged].map(([part, buffer]) => [part.id, copyOf(buffer, part)]));
  staged.forEach((buffer) => destroy(run, buffer));
  return ok(values);
}

const copyOf = (buffer: GPUBuffer, { from, to }: Part): Float32Array<ArrayBuffer> =>
  new Float32Array(buffer.getMappedRange().slice(0), 0, to - from);

function stage(run: Run, parts: readonly Part[], staged: Map<Part, GPUBuffer>): void {
  const encoder = run.device.gpu.createCommandEncoder({ label: 'read back' });
  for (const part of parts) {
    const size = 4 * Math.max(1, part.to - part.from);
    const target = createBuffer(run, `${part.id} read back`, size, usage.mapRead | usage.copyTarget);
    encoder.copyBufferToBuffer(bufferOf(run, part.id), 4 * part.from, target, 0, size);
    staged.set(part, target);
  }
  run.device.gpu.queue.submit([encoder.finish()]);
}
