import { insightsInParts, type AttentionTrace, type Insight } from '../engine/index';

/*
 * Runs in a worker. Reasons go through all numbers, some dozens of times: a part at a time, so that what is looked at is answered in between, and for
 * the newest question alone.
 */

/** Milliseconds after which other questions are answered first. */
const slice = 10;

export interface Reasons {
  /** Rejected where another was asked for before it was done. Another cell of the same step goes on with what is done of it. */
  at(trace: AttentionTrace, step: string, index: readonly number[]): Promise<readonly Insight[]>;
}

interface Work {
  readonly trace: AttentionTrace;
  readonly step: string;
  index: readonly number[];
  readonly parts: Generator<void, Insight[]>;
}

export function createReasons(): Reasons {
  let turn = 0;
  let work: Work | undefined;
  return {
    async at(trace, step, index) {
      const mine = ++turn;
      const own = work?.trace === trace && work.step === step ? work : begin(trace, step);
      work = own;
      own.index = index;
      for (let end = performance.now() + slice; ;) {
        const { done, value } = own.parts.next();
        if (done) {
          work = undefined;
          return value;
        }
        if (performance.now() < end) continue;
        await othersFirst();
        if (mine !== turn) throw new Error('other reasons were asked for');
        end = performance.now() + slice;
      }
    },
  };
}

function begin(trace: AttentionTrace, step: string): Work {
  const work: Work = { trace, step, index: [], parts: insightsInParts(trace, step, () => work.index) };
  return work;
}

/** Resolved when the questions that had come were answered. A timer would wait 4 ms each time. */
const othersFirst = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
