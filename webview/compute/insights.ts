import { insightsInParts, insightsOfCell, type AttentionTrace, type Insight } from '../../engine/index';

/*
 * Computes insights, in a worker. Some read all numbers dozens of times, so the work is done in time slices: other requests are answered in
 * between, and a newer question ends an older one.
 */

/** Milliseconds of work before other requests are answered. */
const timeSlice = 10;
/** Milliseconds after which the insights found so far are returned before the rest. */
const firstInsightsDelay = 100;

export interface InsightComputation {
  /**
   * All insights; if they take long, those found so far and `more`: the same question again continues. Rejected when another question
   * came first. Another cell of the same step reuses what has been computed.
   */
  at(trace: AttentionTrace, step: string, index: readonly number[]): Promise<readonly Insight[]>;
}

interface Work {
  readonly trace: AttentionTrace;
  readonly step: string;
  readonly parts: Generator<readonly Insight[], readonly Insight[]>;
  /** A key of the last answer. */
  lastAnswer: string;
}

export function createInsightComputation(): InsightComputation {
  let latestRequest = 0;
  let work: Work | undefined;
  return {
    async at(trace, step, index) {
      const request = ++latestRequest;
      const own = work?.trace === trace && work.step === step ? work : begin(trace, step);
      work = own;
      const begun = performance.now();
      const all = (found: readonly Insight[]): Insight[] => [...insightsOfCell(trace, step, index), ...found];
      for (let end = begun + timeSlice; ;) {
        const { done, value } = own.parts.next();
        if (done) {
          work = undefined;
          return all(value);
        }
        const now = performance.now();
        if (now < end) continue;
        const news = `${index.join()} ${value.length}`;
        if (now > begun + firstInsightsDelay && news !== own.lastAnswer && all(value).length > 0) {
          own.lastAnswer = news;
          return [...all(value), { kind: 'more' }];
        }
        await yieldToMessages();
        if (request !== latestRequest) throw new Error('other reasons were asked for');
        end = performance.now() + timeSlice;
      }
    },
  };
}

const begin = (trace: AttentionTrace, step: string): Work => ({
  trace,
  step,
  parts: insightsInParts(trace, step),
  lastAnswer: '',
});

/** Resolves after the waiting messages were handled. A timer would wait 4 ms each time. */
const yieldToMessages = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
