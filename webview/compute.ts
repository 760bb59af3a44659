import {
  compareWithTrace,
  explainAttention,
  explainCell,
  insightsAt,
  planOf,
  whereItGoes,
  type AttentionSpec,
  type AttentionTrace,
  type Plan,
  type Problem,
} from '../engine/index';
import type { PanelSettings } from './protocol';
import { startRemote, Stopped, type Computed, type Difference, type Remote } from './remote';
import type { ComputeReport, TraceHandle } from './trace-handle';

type BackendSetting = PanelSettings['backend'];

/** Below both, a spec is computed at once in the page's own thread: a few milliseconds. */
export const smallWork = 2_000_000;
export const smallBytes = 8_000_000;

/**
 * Multiply-adds from which on a GPU draws a preview while the exact values are computed. A constant of the design: it does
 * not depend on the hardware, so everyone sees the same kind of picture for the same input.
 */
export const gpuBorder = 1 << 24;

export const isSmall = (plan: Plan): boolean => plan.multiplyAdds < smallWork && plan.bytes < smallBytes;

/** `cpu` never asks for a GPU, `webgpu` always does, on a software adapter too. */
export const wantsGpu = (plan: Plan, backend: BackendSetting): boolean =>
  backend === 'webgpu' || (backend === 'auto' && plan.multiplyAdds >= gpuBorder);

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
}

/** Chooses where to compute, and computes. `workerSource` is the worker's script. */
export function createCompute(workerSource: string): Compute {
  /** Whose values are shown, and who computes. */
  let serving: Job | undefined;
  let running: Job | undefined;
  const serve = (job: Job): void => {
    if (serving !== job) stop(serving);
    serving = job;
    running = undefined;
  };
  return {
    cancel() {
      stop(running);
      running = undefined;
    },
    start(spec, backend, events) {
      stop(running);
      const job: Job = { remotes: [], stopped: false };
      running = job;
      const planned = planOf(spec);
      if (!planned.ok) return events.onProblems(planned.problems);
      const done = (handle: TraceHandle, report: ComputeReport): void => {
        events.onDone(handle, report);
        serve(job);
      };
      const run = { job, spec, plan: planned.value, backend, workerSource, events: { ...events, onDone: done } };
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
  readonly workerSource: string;
  readonly events: ComputeEvents;
}

function startWorker({ job, workerSource, events }: Run, progress: boolean): Remote {
  const remote = startRemote(workerSource, (step, done, total) => {
    if (progress && !job.stopped) events.onProgress(step, done, total);
  });
  job.remotes.push(remote);
  return remote;
}

function computeHere(run: Run): void {
  const { spec, plan, events } = run;
  const begin = performance.now();
  const result = explainAttention(spec);
  if (!result.ok) return events.onProblems(result.problems);
  const report: ComputeReport = { ran: 'CPU', milliseconds: performance.now() - begin };
  const trace = result.value;
  events.onDone(handleOf(trace), report);
  if (wantsGpu(plan, run.backend)) {
    const compare = async (preview: Remote): Promise<Difference> =>
      compareWithTrace(plan, trace, await preview.takeValues());
    void settle(run, reportWithGpu(run, report, startPreview(run), compare));
  }
}

/** A trace that is held in this thread. */
function handleOf(trace: AttentionTrace): TraceHandle {
  const { spec, plan, problems } = trace;
  return {
    spec,
    plan,
    problems,
    read: async (step, request) => trace.read(step, request),
    explainCell: async (step, index) => explainCell(trace, step, index),
    whereItGoes: async (step, index) => whereItGoes(trace, step, index),
    insights: async (step, index) => insightsAt(trace, step, index),
  };
}

async function computeRemotely(run: Run): Promise<void> {
  const { spec, plan, events } = run;
  const exact = startWorker(run, true);
  const computing = exact.compute(spec);
  const handle = computing.then((result) => remoteHandle(run, exact, result.ok ? result.value.problems : []));
  // Whoever waits for it is told; nobody need.
  handle.catch(() => undefined);
  const previewing = wantsGpu(plan, run.backend) ? startPreview(run) : undefined;
  let exactIsThere = false;
  void previewing?.then(
    (found) => {
      if (found.remote && !exactIsThere && !run.job.stopped) events.onPreview(previewHandle(run, found.remote, handle));
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
    const compare = async (preview: Remote): Promise<Difference> => exact.compare(await preview.takeValues());
    if (previewing) await reportWithGpu(run, report, previewing, compare);
  }
}

/** A failure of our own becomes a problem that is shown; being stopped is no failure. */
async function settle({ job, events }: Run, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Stopped || job.stopped) return;
    const message = `could not compute: ${error instanceof Error ? error.message : String(error)}`;
    events.onProblems([{ code: 'failed', message, hint: 'Select fewer tokens, or report the issue.' }]);
  }
}

function remoteHandle({ spec, plan }: Run, remote: Remote, problems: readonly Problem[]): TraceHandle {
  return {
    spec,
    plan,
    problems,
    read: (step, request) => remote.read(step, request),
    explainCell: (step, index) => remote.explainCell(step, index),
    whereItGoes: (step, index) => remote.whereItGoes(step, index),
    insights: (step, index) => remote.insights(step, index),
  };
}

/** Answers from the GPU's values until the exact ones are there, then from these: the GPU's are given away for comparison. */
function previewHandle({ spec, plan }: Run, remote: Remote, exact: Promise<TraceHandle>): TraceHandle {
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
    read: (step, request) => reader.read(step, request),
    explainCell: async (step, index) => (await exact).explainCell(step, index),
    whereItGoes: async (step, index) => (await exact).whereItGoes(step, index),
    insights: async (step, index) => (await exact).insights(step, index),
  };
}

type Preview =
  { readonly remote: Remote; readonly computed: Computed } | { readonly remote?: never; readonly problem: Problem };

/** Why there was no GPU, in two words; the problem's message has the rest. */
const reasons: Readonly<Record<string, string>> = {
  'no-webgpu': 'no WebGPU',
  'no-adapter': 'no adapter',
  'software-adapter': 'software adapter',
  'device-refused': 'device refused',
  'device-lost': 'device lost',
  'out-of-memory': 'out of memory',
  'non-finite-input': 'NaN or infinity in the input',
};

/** Computes with WebGPU in a worker of its own, so that the page and the exact computation go on. */
async function startPreview(run: Run): Promise<Preview> {
  const remote = startWorker(run, false);
  try {
    const result = await remote.preview(run.spec, run.backend === 'webgpu');
    if (result.ok) return { remote, computed: result.value };
    remote.stop();
    return { problem: result.problems[0] ?? { code: 'gpu-error', message: 'no reason given' } };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { problem: { code: 'gpu-error', message: error instanceof Error ? error.message : String(error) } };
  }
}

async function reportWithGpu(
  { events }: Run,
  report: ComputeReport,
  previewing: Promise<Preview>,
  compare: (preview: Remote) => Promise<Difference>,
): Promise<void> {
  const preview = await previewing;
  if (!preview.remote) {
    const { code, message } = preview.problem;
    return events.onReport({ ...report, fallback: reasons[code] ?? message, fallbackDetail: message });
  }
  const difference = await compare(preview.remote);
  preview.remote.stop();
  events.onReport({ ...report, ran: 'WebGPU + CPU', difference });
}
