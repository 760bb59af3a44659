import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { kernels } from '../../../engine/backend/wasm';
import { shareRows, type Helper, type RowSpan, type RowValues, type RowWork } from '../../../engine/backend/wasm/rows';
import type { Tensor } from '../../../engine/index';
import { measure, median, type Measured } from '../measure';
import { peakModule, peakProbe } from '../peak';
import type { Place } from '../peers';
import { problemOf, wrongRow } from '../plainAttention';
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
  const peak = await peakModule(own.build === 'relaxed');
  const thread = await startThread(place);
  try {
    for (const n of short ? [1024, 2048] : [1024, 2048, 4096]) {
      const work = workOf(n);
      const check = (found: unknown): string | undefined => {
        const values = found as RowValues;
        const [weights, output] = [values.get('weights'), values.get('output')];
        return weights && output ? wrongRow(problemOf(n, d), { weights, output }) : 'no output';
      };
      const byTwo = (): Promise<RowValues> => shareRows(work, own, thread.helper, turn);
      const byOne = (): Promise<RowValues> => shareRows(work, own, undefined, turn);
      const contenders = [
        { name: 'two threads', run: byTwo, check },
        { name: 'one thread', run: byOne, check },
      ];
      const before = await bothAtOnce(peak, thread);
      const name = `four steps, n = ${n}`;
      const amount = (2 * n * n * d) / 1e9;
      const found = await measure({ name, amount, unit: 'GFMA', inputs: 1, contenders, peak: peakProbe(peak) }, effort);
      const after = await bothAtOnce(peak, thread);
      const note = `two threads at once got ${before.toFixed(2)} times one’s peak before, ${after.toFixed(2)} after: what two can be at most`;
      yield { ...found, notes: [...found.notes, `the ${own.build} build`, note] };
    }
  } finally {
    await thread.end();
  }
}

/** Scores, divided, softmax, output: a plan's steps, of which every value is wanted. */
function workOf(n: number): RowWork {
  const { q, k, v } = problemOf(n, d);
  const tensor = (data: Float32Array): Tensor => ({ dtype: 'float32', shape: [n, d], data });
  const square = [n, n];
  return {
    steps: [
      { id: 'scores', call: { op: 'matmul', transposeB: true }, operands: ['q', 'k'], shape: square },
      { id: 'scaled', call: { op: 'divide', by: Math.sqrt(d) }, operands: ['scores'], shape: square },
      { id: 'weights', call: { op: 'softmax', emptyRow: 'nan' }, operands: ['scaled'], shape: square },
      { id: 'output', call: { op: 'matmul', transposeB: false }, operands: ['weights', 'v'], shape: [n, d] },
    ],
    operands: new Map([
      ['q', tensor(q)],
      ['k', tensor(k)],
      ['v', tensor(v)],
    ]),
    rows: n,
  };
}

const turn = (): Promise<void> => new Promise((done) => void setImmediate(done));

interface Thread {
  readonly helper: Helper;
  peak(module: Uint8Array<ArrayBuffer>): Promise<number>;
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
    peak: (peak) => ask<number>((id) => ({ peak, id })),
    end: () => worker.terminate(),
  };
}

/** How much two threads that probe at once get together, as a multiple of one alone; the median of a few tries. */
async function bothAtOnce(module: Uint8Array<ArrayBuffer>, thread: Thread): Promise<number> {
  const mine = peakProbe(module);
  const ratios: number[] = [];
  for (let i = 0; i < 3; i++) {
    const alone = mine();
    const theirs = thread.peak(module);
    // The other compiles its probe for some 200 ms: this one runs until it answers.
    let [beside, done]: [number[], boolean] = [[], false];
    const answer = theirs.then((value) => ((done = true), value));
    while (!done) {
      beside.push(mine());
      await turn();
    }
    ratios.push((median(beside) + (await answer)) / alone);
  }
  return median(ratios);
}
