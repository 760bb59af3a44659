import {
  explainCell,
  extremeRows,
  heldLimit,
  insightsAt,
  laterCells,
  type AttentionTrace,
  type Plan,
  type Problem,
} from '../../engine/index';
import { cachedInsights, type InsightSource, type InsightWorker } from './insight-worker';
import type { Remote } from './remote';
import { createShuffles } from './shuffles';
import { stepOf, type OverviewControl, type TraceHandle } from '../trace';
import { cacheWholeMatrices } from './tile-cache';
import type { Job, Run } from './job';
import type { Found } from './previews';

/* Trace handles: a uniform view of a trace, whether its values are in this thread or in a worker. */

/** Up to both limits (about 25 tokens) insights take a few milliseconds and are computed in the page's own thread. */
const fewCells = 640;
const fewMultiplyAdds = 50_000;

const isTiny = ({ steps, multiplyAdds }: Plan): boolean =>
  multiplyAdds < fewMultiplyAdds && steps.every(({ shape }) => shape.reduce((a, b) => a * b, 1) <= fewCells);

/** A handle of a trace in this thread. If its insights take too long, a worker computes the trace again and answers them. */
export function handleOf(trace: AttentionTrace, reasoner: InsightWorker): TraceHandle {
  const { spec, plan, problems } = trace;
  const here: InsightSource = {
    insights: async (step, index) => insightsAt(trace, step, index),
    ...createShuffles(() => trace),
  };
  return {
    spec,
    plan,
    problems,
    read: cacheWholeMatrices(plan, async (step, request) => trace.read(step, request)),
    extremeRows: async (id, slice) => extremeRowsOf(trace, id, slice),
    explainCell: async (step, index) => explainCell(trace, step, index),
    whereItGoes: async (step, index) => laterCells(trace, step, index),
    ...cachedInsights(trace, isTiny(plan) ? () => here : () => reasoner(spec)),
  };
}

function extremeRowsOf(
  trace: AttentionTrace,
  id: string,
  slice: Parameters<TraceHandle['extremeRows']>[1],
): ReturnType<typeof extremeRows> {
  const step = stepOf(trace.plan, id);
  return step && extremeRows(trace, step, slice);
}

export function remoteHandle({ spec, plan, job }: Run, remote: Remote, problems: readonly Problem[]): TraceHandle {
  return {
    spec,
    plan,
    problems,
    ...(plan.bytes > heldLimit && { overview: overviewOf(job, remote) }),
    read: cacheWholeMatrices(plan, (step, request) => remote.read(step, request)),
    extremeRows: (step, slice) => remote.extremeRows(step, slice),
    explainCell: (step, index) => remote.explainCell(step, index),
    whereItGoes: (step, index) => remote.whereItGoes(step, index),
    ...cachedInsights({ spec, plan }, () => remote),
  };
}

/** The overview's control: it runs unless the reader stops it, and pauses while another input is computed. */
function overviewOf(job: Job, remote: Remote): OverviewControl {
  let [wanted, waiting] = [true, false];
  // A stopped worker computes no overview.
  const requestOverview = (): void => void remote.runOverview(wanted && !waiting).catch(() => undefined);
  job.pauseOverview = (wait) => {
    if (wait === waiting) return;
    waiting = wait;
    requestOverview();
  };
  return {
    running: () => wanted,
    run(go) {
      wanted = go;
      requestOverview();
    },
  };
}

/** A handle that reads a preview's values until the exact ones are computed, or the preview's are lost with the GPU. */
export function previewHandle(
  { spec, plan }: Run,
  { remote, computed }: Found,
  exact: Promise<TraceHandle>,
): TraceHandle {
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
