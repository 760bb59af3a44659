import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { wasmKernels } from '../../../engine/run/backend/wasm';
import type { Overview, OverviewHelper } from '../../../engine/run/large/overview-types';
import { measure, median, type Measured } from '../measure';
import { overviewWork } from '../overviewWork';
import { peakModule, peakProbe } from '../peak';
import { sustained } from '../peak-probe';
import type { Place } from '../peers';
import type { Told } from '../stripesThread';
import type { Form, Section } from './index';

export const workers: Section = {
  name: 'workers',
  words:
    'the overview of n = 16,384 by two threads and by one, by messages, d = 64; and what two threads get of the machine',
  run,
};

const d = 64;

async function* run(place: Place, { short }: Form): AsyncGenerator<Measured> {
  const own = wasmKernels();
  const module = await peakModule(own.build === 'relaxed');
  const peak = peakProbe(module);
  const thread = await startThread(place);
  try {
    yield await stripes(short ? 8192 : 16_384, thread, { peak, module, build: own.build });
  } finally {
    await thread.end();
  }
}

interface Machine {
  readonly peak: () => number;
  readonly module: Uint8Array<ArrayBuffer>;
  readonly build: string;
}

/** A run takes a second or two, so no warm-up is needed. The time to send the helper its data is included. */
const seldom = { rounds: 5, warmUp: 0, least: 0 };

async function stripes(n: number, thread: Thread, { peak, module, build }: Machine): Promise<Measured> {
  const work = overviewWork(n, d);
  const check = (found: unknown): string | undefined => work.check(found as Overview);
  const [byTwo, byOne] = [() => work.run(thread.stripes, turn), () => work.run(undefined, turn)];
  const contenders = [
    { name: 'two threads', run: byTwo, check },
    { name: 'one', run: byOne, check },
  ];
  const before = await bothAtOnce(peak, module, thread);
  const name = `overview stripes, n = ${n}`;
  const found = await measure(
    { name, amount: (2 * n * n * d) / 1e9, unit: 'GFMA', inputs: 1, contenders, peak },
    seldom,
  );
  const after = await bothAtOnce(peak, module, thread);
  const [two = NaN, one = NaN] = await processorTime([byTwo, byOne], 3);
  const spent = `processor time, all threads, 3 rounds: two ${ms(two)}, one ${ms(one)}; divided by two at best ${((2 * one) / two).toFixed(2)} times as fast`;
  return { ...found, notes: [...found.notes, `the ${build} build`, allowed(before, after), spent] };
}

const allowed = (before: number, after: number): string =>
  `two threads of nothing but the probe got ${before.toFixed(2)} times the work of one before, ${after.toFixed(2)} after: what the machine, shared as it is, allows`;

const ms = (time: number): string => `${time.toFixed(1)} ms`;

const turn = (): Promise<void> => new Promise((done) => void setImmediate(done));

interface Thread {
  readonly stripes: OverviewHelper;
  /** Number of probe runs per millisecond. */
  peak(module: Uint8Array<ArrayBuffer>, milliseconds: number): Promise<number>;
  end(): Promise<unknown>;
}

async function startThread({ folder, cache }: Place): Promise<Thread> {
  const outfile = join(cache, 'stripesThread.mjs');
  await build({
    entryPoints: [join(folder, 'stripesThread.ts')],
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
    stripes: {
      begin: (road) => worker.postMessage({ road } satisfies Told),
      compute: (stripe) => ask((id) => ({ stripe, id })),
    },
    peak: (peak, milliseconds) => ask<number>((id) => ({ peak, milliseconds, id })),
    end: () => worker.terminate(),
  };
}

/** CPU time, which includes the overhead of sharing the work. Other load on the machine hardly affects it. */
async function processorTime(ways: readonly (() => unknown)[], rounds: number): Promise<readonly number[]> {
  const times = ways.map((): number[] => []);
  for (let i = 0; i < rounds; i++) {
    for (const [j, way] of ways.entries()) {
      const before = process.cpuUsage();
      await way();
      // Also counts stripes that the other thread still computes although nobody needs them any more.
      await new Promise((done) => void setTimeout(done, 20));
      const { user, system } = process.cpuUsage(before);
      times[j]?.push((user + system) / 1000);
    }
  }
  return times.map(median);
}

/** Throughput of two threads that run the probe at the same time, relative to one thread alone: the median of five measurements of 0.1 s. */
async function bothAtOnce(probe: () => number, module: Uint8Array<ArrayBuffer>, thread: Thread): Promise<number> {
  const [ratios, time]: [number[], number] = [[], 100];
  // Compiles the probe in that thread.
  await thread.peak(module, 1);
  for (let i = 0; i < 5; i++) {
    const alone = sustained(probe, time);
    const theirs = thread.peak(module, time);
    const mine = sustained(probe, time);
    ratios.push((mine + (await theirs)) / alone);
  }
  return median(ratios);
}
