import { insightsInParts, insightsOfCell, type AttentionTrace, type Insight } from '../../engine/index';

/*
 * Runs in a worker. Reasons go through all numbers, some dozens of times: a part at a time, so that what is looked at is answered in between, and for
 * the newest question alone.
 */

/** Milliseconds after which other questions are answered first. */
const timeSlice = 10;
/** Milliseconds after which what there is is not held back for what is to come. */
const patience = 100;

export interface InsightComputation {
  /**
   * All of them, or where they take long those that are there and `more`: asked again, it goes on. Rejected where another was asked for
   * before it was done. Another cell of the same step goes on with what is done of it.
   */
  at(trace: AttentionTrace, step: string, index: readonly number[]): Promise<readonly Insight[]>;
}

interface Work {
  readonly trace: AttentionTrace;
  readonly step: string;
  readonly parts: Generator<readonly Insight[], readonly Insight[]>;
  /** What was answered last. */
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
        if (now > begun + patience && news !== own.lastAnswer && all(value).length > 0) {
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

/** Resolved when the questions that had come were answered. A timer would wait 4 ms each time. */
const yieldToMessages = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
