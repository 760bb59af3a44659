import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { kernels } from '../../../engine/backend/wasm';
import { computeRows, shareRows, type Helper, type RowSpan, type RowValues } from '../../../engine/backend/wasm/rows';
import { measure, median, type Measured } from '../measure';
import { peakModule, peakProbe } from '../peak';
import { sustained } from '../peak-probe';
import type { Place } from '../peers';
import { problemOf, wrongRow } from '../plainAttention';
import { fourSteps } from '../rowWork';
import type { Told } from '../rowsThread';
import type { Form, Section } from './index';

export const workers: Section = {
  name: 'workers',
  words:
    'a preview’s steps from the scores to the output by two threads and by one, by messages, d = 64; and what two threads get of the machine',
  run,
};

const d = 64;

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const own = kernels();
  const module = await peakModule(own.build === 'relaxed');
  const peak = peakProbe(module);
  const thread = await startThread(place);
  try {
    for (const n of short ? [1024, 2048] : [1024, 2048, 4096]) {
      const work = fourSteps(n, d);
      const check = (found: unknown): string | undefined => {
        const values = found as RowValues;
        const [weights, output] = [values.get('weights'), values.get('output')];
        return weights && output ? wrongRow(problemOf(n, d), { weights, output }) : 'no output';
      };
      const byTwo = (): Promise<RowValues> => shareRows(work, own, thread.helper, turn);
      const byOne = (): Promise<RowValues> => shareRows(work, own, undefined, turn);
      const atOnce = (): RowValues => computeRows(work, own, [0, n]);
      const contenders = [
        { name: 'two threads', run: byTwo, check },
        { name: 'one, by parts', run: byOne, check },
        { name: 'one, step by step', run: atOnce, check },
      ];
      const before = await bothAtOnce(peak, module, thread);
      const name = `four steps, n = ${n}`;
      const amount = (2 * n * n * d) / 1e9;
      const found = await measure({ name, amount, unit: 'GFMA', inputs: 1, contenders, peak }, effort);
      const after = await bothAtOnce(peak, module, thread);
      const note = `two threads of nothing but the probe got ${before.toFixed(2)} times the work of one before, ${after.toFixed(2)} after: what the machine, shared as it is, allows`;
      const spent = await processorTime([byTwo, byOne, atOnce], short ? 8 : 30);
      yield { ...found, notes: [...found.notes, `the ${own.build} build`, note, spent] };
    }
  } finally {
    await thread.end();
  }
}

const turn = (): Promise<void> => new Promise((done) => void setImmediate(done));

interface Thread {
  readonly helper: Helper;
  /** How often the probe runs in a millisecond. */
  peak(module: Uint8Array<ArrayBuffer>, milliseconds: number): Promise<number>;
  end(): Promise<unknown>;
}

async function startThread({ folder, cache }: Place): Promise<Thread> {
  const outfile = join(cache, 'rowsThread.mjs');
  await build({
    entryPoints: [join(folder, 'rowsThread.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const worker = new Worker(outfile);
  const waiting = new Map<number, (values: never) => void>();
  worker.on('message', ({ id, values }: { id: number; values: never }) => {
    waiting.get(id)?.(values);
    waiting.delete(id);
  });
  let next = 0;
  const ask = <T>(told: (id: number) => Told): Promise<T> =>
    new Promise((done) => {
      const id = next++;
      waiting.set(id, done);
      worker.postMessage(told(id));
    });
  return {
    helper: {
      begin: (work) => worker.postMessage({ begin: work } satisfies Told),
      rows: (rows: RowSpan) => ask<RowValues>((id) => ({ rows, id })),
    },
    peak: (peak, milliseconds) => ask<number>((id) => ({ peak, milliseconds, id })),
    end: () => worker.terminate(),
  };
}

/** What sharing costs beside the work itself, which a machine that others use does not disturb much. */
async function processorTime(ways: readonly (() => unknown)[], rounds: number): Promise<string> {
  const times = ways.map((): number[] => []);
  for (let i = 0; i < rounds; i++) {
    for (const [j, way] of ways.entries()) {
      const before = process.cpuUsage();
      await way();
      // What the other thread still computes for nobody counts too.
      await new Promise((done) => void setTimeout(done, 20));
      const { user, system } = process.cpuUsage(before);
      times[j]?.push((user + system) / 1000);
    }
  }
  const [two = NaN, parts = NaN, whole = NaN] = times.map(median);
  const ms = (time: number): string => `${time.toFixed(1)} ms`;
  return `processor time, all threads, ${rounds} rounds: two ${ms(two)}, one by parts ${ms(parts)}, step by step ${ms(whole)}; divided by two at best ${((2 * parts) / two).toFixed(2)} and ${((2 * whole) / two).toFixed(2)} times as fast`;
}

/** How much two threads that probe at once get done together, as a multiple of one alone; the median of a few tries of a tenth of a second. */
async function bothAtOnce(probe: () => number, module: Uint8Array<ArrayBuffer>, thread: Thread): Promise<number> {
  const [ratios, time]: [number[], number] = [[], 100];
  // Until it is compiled there.
  await thread.peak(module, 1);
  for (let i = 0; i < 5; i++) {
    const alone = sustained(probe, time);
    const theirs = thread.peak(module, time);
    const mine = sustained(probe, time);
    ratios.push((mine + (await theirs)) / alone);
  }
  return median(ratios);
}
