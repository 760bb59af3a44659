import type { AttentionSpec, Plan, Problem } from '../../engine/index';
import type { PanelSettings } from '../protocol';
import type { InsightWorker } from './insight-worker';
import { startRemote, type Remote } from './remote';
import type { ComputeReport, TraceHandle } from '../trace';

/* One computation of one spec: its events, its workers, and how to stop it. */

export type BackendSetting = PanelSettings['backend'];

export interface ComputeEvents {
  readonly onProgress: (step: string, done: number, total: number) => void;
  /** float32 values for drawing. Requests for exact numbers wait until these are computed. */
  readonly onPreview: (handle: TraceHandle) => void;
  /** The exact values. The previous handle's workers are stopped afterwards. */
  readonly onDone: (handle: TraceHandle, report: ComputeReport) => void;
  /** The report of the current values was extended: a preview was compared with them, or there was no GPU. */
  readonly onReport: (report: ComputeReport) => void;
  readonly onProblems: (problems: readonly Problem[]) => void;
}

export interface Job {
  readonly remotes: Remote[];
  stopped: boolean;
  /** Pauses its overview while another input is computed. */
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

/** The worker of a finished preview, kept for the next one because it still has its GPU device and compiled kernels. */
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
