import type { AttentionSpec, Plan, Problem } from '../../engine/index';
import type { PanelSettings } from '../protocol';
import type { InsightWorker } from './insight-worker';
import { startRemote, type Remote } from './remote';
import type { ComputeReport, TraceHandle } from '../trace';

/* One computation of one spec: who asked, who computes, and how it is ended. */

export type BackendSetting = PanelSettings['backend'];

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

export interface Job {
  readonly remotes: Remote[];
  stopped: boolean;
  /** Holds its overview back while another input is computed. */
  pauseOverview?: (wait: boolean) => void;
}

export interface Run {
  readonly job: Job;
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  readonly backend: BackendSetting;
  readonly workerSource: () => string;
  readonly idle: IdleWorker;
  readonly insightWorker: InsightWorker;
  readonly events: ComputeEvents;
}

/** A preview's worker that has done its work, for the next one: its device and compiled kernels are still there. */
export interface IdleWorker {
  worker?: Remote | undefined;
}

export function startWorker({ job, workerSource, events }: Run, progress: boolean): Remote {
  const remote = startRemote(workerSource(), (step, done, total) => {
    if (progress && !job.stopped) events.onProgress(step, done, total);
  });
  job.remotes.push(remote);
  return remote;
}

export function stop(job: Job | undefined): void {
  if (!job) return;
  job.stopped = true;
  for (const remote of job.remotes) remote.stop();
}
