import { insightsOfPlan, insightsVary, type AttentionSpec } from '../../engine/index';
import { startRemote, Stopped, type Remote } from './remote';
import type { TraceHandle } from '../trace';

/** What can be asked about a whole trace: its insights, and shuffled tokens. */
export type InsightSource = Pick<TraceHandle, 'insights' | 'shuffle' | 'readShuffled'>;

/** Gives the worker to ask about a spec's trace. */
export type InsightWorker = (spec: AttentionSpec) => InsightSource;

/** One worker for all traces that the page computes itself. It starts with the first question and holds the trace of the last one. */
export function createInsightWorker(workerSource: () => string): InsightWorker {
  let worker: Remote | undefined;
  let holds: AttentionSpec | undefined;
  return (spec) => {
    worker ??= startRemote(workerSource(), () => undefined);
    // A worker answers in order, so later questions are about this spec.
    if (holds !== spec) void worker.compute(spec).catch(() => (worker = holds = undefined));
    holds = spec;
    return worker;
  };
}

/** Answers that are cached for a trace. */
const cacheSize = 256;

/** Caches insights by step and cell. Insights that follow from the plan alone are not asked for. */
export function cachedInsights(of: Pick<TraceHandle, 'spec' | 'plan'>, source: () => InsightSource): InsightSource {
  const known = new Map<string, ReturnType<TraceHandle['insights']>>();
  return {
    insights(step, index) {
      const planned = insightsOfPlan(of, step);
      if (planned) return Promise.resolve(planned);
      const key = `${step} ${insightsVary(step) ? index.join() : ''}`;
      const asked = known.get(key) ?? source().insights(step, index);
      // Emptied when full: a reader seldom returns to that many cells.
      if (known.size >= cacheSize) known.clear();
      known.set(key, asked);
      asked.then(
        (found) => found.at(-1)?.kind === 'more' && known.delete(key),
        () => known.delete(key),
      );
      return asked;
    },
    shuffle: (seed) => source().shuffle(seed),
    readShuffled: (seed, step, request) =>
      source()
        .readShuffled(seed, step, request)
        .catch((error: unknown) => {
          // The order is no longer held. The view that asked for it is about to be replaced, so this is no error.
          throw new Stopped(String(error));
        }),
  };
}
