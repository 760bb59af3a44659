import { comparePart, planOf, runReference, t, type AttentionSpec, type Plan, type Problem } from '../../engine/index';
import { handleOf, previewHandle, remoteHandle } from './handles';
import { startWorker, stop, type BackendSetting, type ComputeEvents, type Job, type IdleWorker, type Run } from './job';
import { reportWithPreview, startPreview, wantsGpu, wantsPreview, type ComparePart } from './previews';
import { createInsightWorker } from './insight-worker';
import { Stopped } from './remote';
import type { ComputeReport, TraceHandle } from '../trace';

/** A spec below both limits is computed synchronously in the page's own thread, in a few milliseconds. */
const smallWork = 2_000_000;
const smallBytes = 8_000_000;

/** Debounce in milliseconds for large specs that replace a running computation: of several in quick succession, only the last is computed. */
const debounceMs = 50;

export const isSmall = (plan: Plan): boolean => plan.multiplyAdds < smallWork && plan.bytes < smallBytes;

export interface Compute {
  /** Computes a spec and cancels a running computation. A small spec is done when this returns. */
  start(spec: AttentionSpec, backend: BackendSetting, events: ComputeEvents): void;
  /** Cancels the running computation. The current trace stays. */
  cancel(): void;
}

/** Decides where to compute a spec, and computes it. `workerSource` returns the worker's script. */
export function createCompute(workerSource: () => string): Compute {
  /** The job whose values are shown, and the job that is being computed. */
  let serving: Job | undefined;
  let running: Job | undefined;
  /** The computation that starts when the debounce is over. */
  let next: Run | undefined;
  let isDebouncing = false;
  const idle: IdleWorker = {};
  const insightWorker = createInsightWorker(workerSource);
  const runJob = (job: Job): void => {
    if (serving !== job) stop(serving);
    serving = job;
    running = undefined;
  };
  const stopRunning = (): void => {
    stop(running);
    [running, next] = [undefined, undefined];
  };
  const debounced = (run: Run): void => {
    next = run;
    if (isDebouncing) return;
    isDebouncing = true;
    setTimeout(() => {
      isDebouncing = false;
      if (next) void computeRemotely(next);
      next = undefined;
    }, debounceMs);
  };
  return {
    cancel() {
      stopRunning();
      serving?.pauseOverview?.(false);
    },
    start(spec, backend, events) {
      const replaces = running !== undefined || isDebouncing;
      stopRunning();
      const job: Job = { remotes: [], stopped: false };
      running = job;
      const problems = (found: readonly Problem[]): void => {
        serving?.pauseOverview?.(false);
        events.onProblems(found);
      };
      const planned = planOf(spec);
      if (!planned.ok) return problems(planned.problems);
      serving?.pauseOverview?.(true);
      const done = (handle: TraceHandle, report: ComputeReport): void => {
        events.onDone(handle, report);
        runJob(job);
      };
      const run = {
        job,
        spec,
        plan: planned.value,
        backend,
        workerSource,
        idle,
        insightWorker,
        events: { ...events, onDone: done, onProblems: problems },
      };
      if (isSmall(run.plan)) computeHere(run);
      else if (replaces) debounced(run);
      else void computeRemotely(run);
    },
  };
}

function computeHere(run: Run): void {
  const { spec, plan, events } = run;
  const begin = performance.now();
  const result = runReference(spec, plan);
  if (!result.ok) return events.onProblems(result.problems);
  const report: ComputeReport = { ran: 'CPU', milliseconds: performance.now() - begin };
  const trace = result.value;
  events.onDone(handleOf(trace, run.insightWorker), report);
  if (wantsGpu(plan, run.backend)) {
    const compare: ComparePart = async (step, from, values) => comparePart(trace, step, from, values).maxAbs;
    void reportFailure(run, reportWithPreview(run, report, startPreview(run), compare));
  }
}

async function computeRemotely(run: Run): Promise<void> {
  const { spec, plan, events } = run;
  const exact = startWorker(run, true);
  const computing = exact.compute(spec);
  const handle = computing.then((result) => remoteHandle(run, exact, result.ok ? result.value.problems : []));
  // Avoids an unhandled rejection if nobody awaits it.
  handle.catch(() => undefined);
  const previewing = wantsPreview(plan, run.backend) ? startPreview(run) : undefined;
  let exactIsThere = false;
  void previewing?.then(
    (found) => {
      if (found.remote && !exactIsThere && !run.job.stopped) events.onPreview(previewHandle(run, found, handle));
    },
    () => undefined,
  );
  await reportFailure(run, finish());

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

/** Turns an exception, which is our own bug, into a problem that is shown. Being stopped is not a failure. */
async function reportFailure({ job, events }: Run, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Stopped || job.stopped) return;
    const message = t('could not compute: {0}', error instanceof Error ? error.message : String(error));
    events.onProblems([{ code: 'failed', message, hint: t('Select fewer tokens, or report the issue.') }]);
  }
}
