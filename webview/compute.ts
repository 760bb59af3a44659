import {
  comparePart,
  explainCell,
  extremeRows,
  heldLimit,
  insightsAt,
  isSource,
  planOf,
  runReference,
  whereItGoes,
  t,
  type AttentionSpec,
  type AttentionTrace,
  type Plan,
  type Problem,
  type Step,
} from '../engine/index';
import type { PanelSettings } from './protocol';
import { recallCrossover, rememberCrossover } from './crossover';
import { startRemote, Stopped, type Difference, type Previewed, type PreviewWish, type Remote } from './remote';
import type { ComputeReport, OverviewControl, TraceHandle } from './trace-handle';
import { askingOf, createReasoner, type Asking, type Reasoner } from './reasoner';
import { createShuffles } from './shuffles';
import { rememberWholes } from './wholes';

type BackendSetting = PanelSettings['backend'];

/** Below both, a spec is computed at once in the page's own thread: a few milliseconds. */
export const smallWork = 2_000_000;
export const smallBytes = 8_000_000;

/**
 * Multiply-adds from which on a GPU, or WebAssembly where there is none, draws a preview while the exact values are computed. A constant
 * of the design: it does not depend on the hardware, so everyone sees the same kind of picture for the same input.
 */
export const gpuBorder = 1 << 24;

export const isSmall = (plan: Plan): boolean => plan.multiplyAdds < smallWork && plan.bytes < smallBytes;

/** Below both, reasons take a few milliseconds and are computed in the page's own thread too: about 25 tokens. */
const fewCells = 640;
const fewMultiplyAdds = 50_000;

const isTiny = ({ steps, multiplyAdds }: Plan): boolean =>
  multiplyAdds < fewMultiplyAdds && steps.every(({ shape }) => shape.reduce((a, b) => a * b, 1) <= fewCells);

/** `cpu` never asks for a GPU, `webgpu` always does, on a software adapter too. */
export const wantsGpu = (plan: Plan, backend: BackendSetting): boolean =>
  backend === 'webgpu' || (backend === 'auto' && plan.multiplyAdds >= gpuBorder);

/** Of a plan whose n×m steps are not held, the overview is the preview. */
const wantsPreview = (plan: Plan, backend: BackendSetting): boolean =>
  plan.bytes <= heldLimit && (wantsGpu(plan, backend) || plan.multiplyAdds >= gpuBorder);

function previewWish(plan: Plan, backend: BackendSetting): PreviewWish {
  const crossover = recallCrossover();
  return {
    gpu: backend === 'cpu' ? 'never' : backend === 'webgpu' ? 'any' : 'hardware',
    wasm: plan.multiplyAdds >= gpuBorder,
    ...(crossover !== undefined && { crossover }),
  };
}

export interface ComputeEvents {
  readonly onProgress: (step: string, done: number, total: number) => void;
  /** float32 values for pixels. Its explanations of cells wait for the exact values. */
  readonly onPreview: (handle: TraceHandle) => void;
  /** The exact values. Afterwards the handle shown before is dead. */
  readonly onDone: (handle: TraceHandle, report: ComputeReport) => void;
  /** The report of the values that are shown grew: a preview was compared with them, or there was no GPU. */
  readonly onReport: (report: ComputeReport) => void;
  readonly onProblems: (problems: readonly Problem[]) => void;
}

export interface Compute {
  /** Computes; a computation that is under way is cancelled. A small spec is done on return. */
  start(spec: AttentionSpec, backend: BackendSetting, events: ComputeEvents): void;
  /** Ends what is under way. What is shown stays. */
  cancel(): void;
}

interface Job {
  readonly remotes: Remote[];
  stopped: boolean;
  /** Holds its overview back while another input is computed. */
  waits?: (wait: boolean) => void;
}

/** Chooses where to compute, and computes. `workerSource` gives the worker's script. */
export function createCompute(workerSource: () => string): Compute {
  /** Whose values are shown, and who computes. */
  let serving: Job | undefined;
  let running: Job | undefined;
  const resting: Resting = {};
  const reasoner = createReasoner(workerSource);
  const serve = (job: Job): void => {
    if (serving !== job) stop(serving);
    serving = job;
    running = undefined;
  };
  return {
    cancel() {
      stop(running);
      running = undefined;
      serving?.waits?.(false);
    },
    start(spec, backend, events) {
      stop(running);
      const job: Job = { remotes: [], stopped: false };
      running = job;
      const problems = (found: readonly Problem[]): void => {
        serving?.waits?.(false);
        events.onProblems(found);
      };
      const planned = planOf(spec);
      if (!planned.ok) return problems(planned.problems);
      serving?.waits?.(true);
      const done = (handle: TraceHandle, report: ComputeReport): void => {
        events.onDone(handle, report);
        serve(job);
      };
      const run = {
        job,
        spec,
        plan: planned.value,
        backend,
        workerSource,
        resting,
        reasoner,
        events: { ...events, onDone: done, onProblems: problems },
      };
      if (isSmall(run.plan)) computeHere(run);
      else void computeRemotely(run);
    },
  };
}

function stop(job: Job | undefined): void {
  if (!job) return;
  job.stopped = true;
  for (const remote of job.remotes) remote.stop();
}

interface Run {
  readonly job: Job;
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  readonly backend: BackendSetting;
  readonly workerSource: () => string;
  readonly resting: Resting;
  readonly reasoner: Reasoner;
  readonly events: ComputeEvents;
}

/** A preview's worker that has done its work, for the next one: its device and compiled kernels are still there. */
interface Resting {
  worker?: Remote | undefined;
}

function startWorker({ job, workerSource, events }: Run, progress: boolean): Remote {
  const remote = startRemote(workerSource(), (step, done, total) => {
    if (progress && !job.stopped) events.onProgress(step, done, total);
  });
  job.remotes.push(remote);
  return remote;
}

function computeHere(run: Run): void {
  const { spec, plan, events } = run;
  const begin = performance.now();
  const result = runReference(spec, plan);
  if (!result.ok) return events.onProblems(result.problems);
  const report: ComputeReport = { ran: 'CPU', milliseconds: performance.now() - begin };
  const trace = result.value;
  events.onDone(handleOf(trace, run.reasoner), report);
  if (wantsGpu(plan, run.backend)) {
    const compare: ComparePart = async (step, from, values) => comparePart(trace, step, from, values).maxAbs;
    void settle(run, reportWithPreview(run, report, startPreview(run), compare));
  }
}

/** A trace that is held in this thread. Where its reasons would hold that up, a worker computes it too and gives them. */
function handleOf(trace: AttentionTrace, reasoner: Reasoner): TraceHandle {
  const { spec, plan, problems } = trace;
  const here: Asking = {
    insights: async (step, index) => insightsAt(trace, step, index),
    ...createShuffles(() => trace),
  };
  return {
    spec,
    plan,
    problems,
    read: rememberWholes(plan, async (step, request) => trace.read(step, request)),
    extremeRows: async (id, slice) => extremeRowsOf(trace, id, slice),
    explainCell: async (step, index) => explainCell(trace, step, index),
    whereItGoes: async (step, index) => whereItGoes(trace, step, index),
    ...askingOf(trace, isTiny(plan) ? () => here : () => reasoner(spec)),
  };
}

function extremeRowsOf(
  trace: AttentionTrace,
  id: string,
  slice: Parameters<TraceHandle['extremeRows']>[1],
): ReturnType<typeof extremeRows> {
  const step = trace.plan.steps.find((one) => one.id === id);
  return step && extremeRows(trace, step, slice);
}

async function computeRemotely(run: Run): Promise<void> {
  const { spec, plan, events } = run;
  const exact = startWorker(run, true);
  const computing = exact.compute(spec);
  const handle = computing.then((result) => remoteHandle(run, exact, result.ok ? result.value.problems : []));
  // Whoever waits for it is told; nobody need.
  handle.catch(() => undefined);
  const previewing = wantsPreview(plan, run.backend) ? startPreview(run) : undefined;
  let exactIsThere = false;
  void previewing?.then(
    (found) => {
      if (found.remote && !exactIsThere && !run.job.stopped) events.onPreview(previewHandle(run, found, handle));
    },
    () => undefined,
  );
  await settle(run, finish());

  async function finish(): Promise<void> {
    const result = await computing;
    exactIsThere = true;
    if (!result.ok) return events.onProblems(result.problems);
    const report: ComputeReport = { ran: 'CPU', milliseconds: result.value.milliseconds };
    events.onDone(await handle, report);
    const compare: ComparePart = (step, from, values) => exact.compare(step.id, from, values);
    if (previewing) await reportWithPreview(run, report, previewing, compare);
  }
}

/** A failure of our own becomes a problem that is shown; being stopped is no failure. */
async function settle({ job, events }: Run, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Stopped || job.stopped) return;
    const message = t('could not compute: {0}', error instanceof Error ? error.message : String(error));
    events.onProblems([{ code: 'failed', message, hint: t('Select fewer tokens, or report the issue.') }]);
  }
}

function remoteHandle({ spec, plan, job }: Run, remote: Remote, problems: readonly Problem[]): TraceHandle {
  return {
    spec,
    plan,
    problems,
    ...(plan.bytes > heldLimit && { overview: overviewOf(job, remote) }),
    read: rememberWholes(plan, (step, request) => remote.read(step, request)),
    extremeRows: (step, slice) => remote.extremeRows(step, slice),
    explainCell: (step, index) => remote.explainCell(step, index),
    whereItGoes: (step, index) => remote.whereItGoes(step, index),
    ...askingOf({ spec, plan }, () => remote),
  };
}

/** Runs unless the reader ended it, and not while another input is computed. */
function overviewOf(job: Job, remote: Remote): OverviewControl {
  let [wanted, waiting] = [true, false];
  // A worker that was stopped surveys nothing.
  const tell = (): void => void remote.survey(wanted && !waiting).catch(() => undefined);
  job.waits = (wait) => {
    if (wait === waiting) return;
    waiting = wait;
    tell();
  };
  return {
    running: () => wanted,
    run(go) {
      wanted = go;
      tell();
    },
  };
}

/** Answers from the preview's values until the exact ones are there, or the preview's are lost with the GPU; then from these. */
function previewHandle({ spec, plan }: Run, { remote, computed }: Found, exact: Promise<TraceHandle>): TraceHandle {
  let reader: Pick<TraceHandle, 'read'> = remote;
  exact.then(
    (handle) => (reader = handle),
    () => undefined,
  );
  return {
    spec,
    plan,
    problems: [],
    preview: true,
    previewBy: computed.by,
    read: (step, request) => reader.read(step, request).catch(async () => (await exact).read(step, request)),
    extremeRows: async (step, slice) => (await exact).extremeRows(step, slice),
    explainCell: async (step, index) => (await exact).explainCell(step, index),
    whereItGoes: async (step, index) => (await exact).whereItGoes(step, index),
    insights: async (step, index) => (await exact).insights(step, index),
    shuffle: async (seed) => (await exact).shuffle(seed),
    readShuffled: async (seed, step, request) => (await exact).readShuffled(seed, step, request),
  };
}

interface Found {
  readonly remote: Remote;
  readonly computed: Previewed;
}
type Preview = Found | { readonly remote?: never; readonly problem: Problem };

/** Why there was no GPU, in two words; the problem's message has the rest. */
const reasons: Readonly<Record<string, string>> = {
  'no-webgpu': t('no WebGPU'),
  'no-adapter': t('no adapter'),
  'software-adapter': t('software adapter'),
  'device-refused': t('device refused'),
  'device-lost': t('device lost'),
  'out-of-memory': t('out of memory'),
  'non-finite-input': t('NaN or infinity in the input'),
};

/** Computes with WebGPU or WebAssembly in a worker of its own, so that the page and the exact computation go on. */
async function startPreview(run: Run): Promise<Preview> {
  const remote = previewWorker(run);
  try {
    const result = await remote.preview(run.spec, previewWish(run.plan, run.backend));
    if (result.ok) {
      rememberCrossover(result.value.crossover);
      return { remote, computed: result.value };
    }
    remote.stop();
    return { problem: result.problems[0] ?? { code: 'gpu-error', message: t('no reason given') } };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { problem: { code: 'gpu-error', message: error instanceof Error ? error.message : String(error) } };
  }
}

function previewWorker(run: Run): Remote {
  const { job, resting } = run;
  const rested = resting.worker;
  if (!rested) return startWorker(run, false);
  resting.worker = undefined;
  job.remotes.push(rested);
  return rested;
}

/** A job that was stopped has ended its workers; another may have left one to rest meanwhile. */
function letRest({ job, resting }: Run, remote: Remote): void {
  if (job.stopped) return;
  job.remotes.splice(job.remotes.indexOf(remote), 1);
  if (resting.worker) remote.stop();
  else resting.worker = remote;
}

type ComparePart = (step: Step, from: number, values: Float32Array) => Promise<number>;

/** Values that are compared at a time: 4 MB. */
const comparedAtOnce = 1 << 20;

/** All steps of a preview, part by part: no more of it is ever in the page than one of them. */
async function compareAll({ plan }: Run, preview: Remote, compare: ComparePart): Promise<Difference> {
  let worst: Difference = { value: 0, step: '' };
  for (const step of plan.steps) {
    if (isSource(step.call)) continue;
    const columns = step.shape.at(-1) ?? 1;
    const size = step.shape.reduce((a, b) => a * b, 1);
    const part = Math.max(1, Math.floor(comparedAtOnce / columns)) * columns;
    for (let from = 0; from < size; from += part) {
      const value = await compare(step, from, await preview.values(step.id, from, Math.min(from + part, size)));
      if (worst.step === '' || value > worst.value) worst = { value, step: step.id };
    }
  }
  return worst;
}

async function reportWithPreview(
  run: Run,
  report: ComputeReport,
  previewing: Promise<Preview>,
  compare: ComparePart,
): Promise<void> {
  const { backend, events } = run;
  const preview = await previewing;
  if (!preview.remote) return events.onReport({ ...report, ...fallbackFor(backend, preview.problem) });
  const difference = await compareAll(run, preview.remote, compare);
  const { by, noGpu } = await preview.remote.rest();
  letRest(run, preview.remote);
  events.onReport({ ...report, ...fallbackFor(backend, noGpu), ran: `${by} + CPU`, difference });
}

/** Nobody asked for a GPU: then none is missed. */
const fallbackFor = (
  backend: BackendSetting,
  because: Problem | undefined,
): Pick<ComputeReport, 'fallback' | 'fallbackDetail'> => (backend !== 'cpu' && because ? fallbackOf(because) : {});

const fallbackOf = ({ code, message }: Problem): Pick<ComputeReport, 'fallback' | 'fallbackDetail'> => ({
  fallback: reasons[code] ?? message,
  fallbackDetail: message,
});
