import { insightsOfPlan, insightsVary, type AttentionSpec } from '../../engine/index';
import { startRemote, Stopped, type Remote } from './remote';
import type { TraceHandle } from '../trace';

/** What is asked about a trace as a whole. */
export type InsightSource = Pick<TraceHandle, 'insights' | 'shuffle' | 'readShuffled'>;

/** Gives whom to ask about what comes of a spec. */
export type InsightWorker = (spec: AttentionSpec) => InsightSource;

/** One worker for all that the page computes itself, started when its reasons are first asked for; it holds what was asked about last. */
export function createInsightWorker(workerSource: () => string): InsightWorker {
  let worker: Remote | undefined;
  let holds: AttentionSpec | undefined;
  return (spec) => {
    worker ??= startRemote(workerSource(), () => undefined);
    // Questions are answered in their order, so that those that follow are about this one.
    if (holds !== spec) void worker.compute(spec).catch(() => (worker = holds = undefined));
    holds = spec;
    return worker;
  };
}

/** Answers that are remembered of a trace. */
const cacheSize = 256;

/** Answers about a step are remembered, and what the plan says itself is not asked. */
export function cachedInsights(of: Pick<TraceHandle, 'spec' | 'plan'>, source: () => InsightSource): InsightSource {
  const known = new Map<string, ReturnType<TraceHandle['insights']>>();
  return {
    insights(step, index) {
      const planned = insightsOfPlan(of, step);
      if (planned) return Promise.resolve(planned);
      const key = `${step} ${insightsVary(step) ? index.join() : ''}`;
      const asked = known.get(key) ?? source().insights(step, index);
      // A reader who walked over many cells hardly goes back over all of them.
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
          // Whoever still draws an order that is gone is about to go, too.
          throw new Stopped(String(error));
        }),
  };
}
