import {
  explainAttention,
  explainCell,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
} from '../../../engine/index';
import { wasmKernels, type AttentionResult } from '../../../engine/run/backend/wasm';
import { difference } from '../check';
import { measure, median, remarks, type Measured } from '../measure';
import { modelOf } from '../onnx';
import { peakModule, peakProbe } from '../peak';
import { peer, type Place } from '../peers';
import { reals } from '../plainMath';
import { attentionGraph } from '../tensorEngines';
import type { Form, Section } from './index';

export const sizes: Section = {
  name: 'sizes',
  words: 'n = 16,384 in O(n·d) memory against onnxruntime-web; 131,072 tokens: memory, overview, cells, sharp tiles',
  run,
};

async function* run(place: Place, form: Form): AsyncGenerator<Measured> {
  yield large(form.short ? 20_000 : 131_072);
  yield clicks(form.short ? 20_000 : 131_072);
  yield await output(place, 4096);
  yield await pairs(place, 16_384, form.short ? 2 : 5);
}

const d = 64;

/** A run takes most of a second, so no warm-up is needed. */
const seldom = { rounds: 3, warmUp: 0, least: 0 };

/** Only softmax(QKᵀ/√d)·V. Some rows are checked against float64. */
async function output(place: Place, n: number): Promise<Measured> {
  const own = wasmKernels();
  const { given, check } = problem(n);
  const run = (): AttentionResult => own.attention({ ...given, m: n, dv: d, scale: 1 / Math.sqrt(d) }, false);
  const theirs = await session(place, given);
  const found = await measure(
    {
      name: `output alone, n = ${n}`,
      amount: (2 * n * n * d) / 1e9,
      unit: 'GFMA',
      inputs: 1,
      peak: peakProbe(await peakModule(own.build === 'relaxed')),
      contenders: [
        { name: 'ours', run, check: (result) => check((result as AttentionResult).output) },
        {
          name: 'onnxruntime-web',
          run: theirs,
          check: (result) => check((result as OrtResult)['o']?.data ?? new Float32Array()),
        },
      ],
    },
    seldom,
  );
  const most = Math.round(own.bytes() / 1e6);
  return {
    ...found,
    notes: [...found.notes, `ours: the ${own.build} build, ${most} MB; the scores would be ${(4 * n * n) / 1e6} MB`],
  };
}

/** The same for sizes at which a run takes seconds. Ours and the peer run in alternation, without a warm-up. */
async function pairs(place: Place, n: number, rounds: number): Promise<Measured> {
  const own = wasmKernels();
  const { given, check } = problem(n);
  const theirs = await session(place, given);
  const [mine, others]: [number[], number[]] = [[], []];
  const right = (result: Float32Array): void => {
    const wrong = check(result);
    if (wrong) throw new Error(wrong);
  };
  for (let i = 0; i < rounds; i++) {
    const [time, result] = timed(() => own.attention({ ...given, m: n, dv: d, scale: 1 / Math.sqrt(d) }, false));
    mine.push(time);
    right(result.output);
    const before = performance.now();
    const answer = await theirs();
    others.push(performance.now() - before);
    right(answer['o']?.data ?? new Float32Array());
  }
  const ratio = median(others.map((time, i) => time / (mine[i] as number)));
  const least = Math.min(...others) / Math.min(...mine);
  const notes = [
    `ours (${own.build}): ${spreadOf(mine)}, ${Math.round(own.bytes() / 1e6)} MB; the scores would be ${Math.round((4 * n * n) / 1e6)} MB`,
    `onnxruntime-web: ${spreadOf(others)}`,
    `${rounds} pairs: ours is ${ratio.toFixed(2)} times as fast, by the least times ${least.toFixed(2)}`,
  ];
  return remarks(`output alone, n = ${n}`, notes);
}

/** Operands, and a check of some rows of a result against float64. */
function problem(n: number): { given: Given & { d: number }; check: (found: Float32Array) => string | undefined } {
  const given = { q: reals(n * d, 1), k: reals(n * d, 2), v: reals(n * d, 3), n, d };
  const rows = [0, 1, n >> 1, n - 1];
  const expected = Float64Array.from(rows.flatMap((row) => exactly(given, row)));
  const check = (found: Float32Array): string | undefined => {
    const some = rows.flatMap((row) => Array.from(found.subarray(row * d, (row + 1) * d)));
    return difference(some, expected, () => 1e-5);
  };
  return { given, check };
}

type OrtResult = Record<string, { readonly data: Float32Array }>;
interface Ort {
  readonly env: { readonly wasm: { numThreads: number } };
  readonly Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => object;
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<{ run(feeds: Record<string, object>): Promise<OrtResult> }>;
  };
}

/** The same as an ONNX graph of standard operators. The weights are not among its outputs, so that no n×n matrix is copied. */
async function session(place: Place, { q, k, v, n }: Given): Promise<() => Promise<OrtResult>> {
  const ort = await peer<Ort>(place, 'onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  const graph = { ...attentionGraph(n, d), outputs: { o: [n, d] } };
  const made = await ort.InferenceSession.create(modelOf(graph), { executionProviders: ['wasm'] });
  const tensor = (values: Float32Array): object => new ort.Tensor('float32', values, [n, d]);
  const feeds = { q: tensor(q), k: tensor(k), v: tensor(v) };
  return () => made.run(feeds);
}

interface Given {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
  readonly n: number;
}

/** One row of the output in float64. */
function exactly({ q, k, v, n }: Given, row: number): number[] {
  const dot = (j: number): number => {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += (q[row * d + c] as number) * (k[j * d + c] as number);
    return sum / Math.sqrt(d);
  };
  const scores = Array.from({ length: n }, (_, j) => dot(j));
  const top = scores.reduce((a, b) => Math.max(a, b));
  const shares = scores.map((s) => Math.exp(s - top));
  const sum = shares.reduce((a, b) => a + b);
  return Array.from({ length: d }, (_, c) =>
    shares.reduce((all, share, j) => all + (share / sum) * (v[j * d + c] as number), 0),
  );
}

/** A trace whose n×m steps are computed on demand, as in the page's worker. */
function large(n: number): Measured {
  const [load, trace] = timed(() => traceOf(n));
  trace.overview?.();
  // The overview runs last: the other measurements need rows that it has not computed yet.
  const notes = [`loaded in ${ms(load)}`, ...settling(trace, n), ...cells(trace, n), ...overviewOf(trace, n)];
  notes.push(`memory of the process: ${Math.round(process.memoryUsage().rss / 1e6)} MB, this benchmark's own included`);
  return remarks(`${n} tokens, causal, d = 8`, notes);
}

function traceOf(n: number, more: Partial<AttentionSpec> = {}): AttentionTrace {
  const text = Array.from({ length: n }, (_, i) => `w${i % 50}`).join(' ');
  const start = { from: 'text', text, tokenizer: 'words' } as const;
  const result = explainAttention({ ...textDefaults, mask: 'causal', start, ...more });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

/** Cells of wide heads, and blocks with linear biases (ALiBi). Each is in rows that were not computed before. */
function clicks(n: number): Measured {
  const wide = traceOf(n, { dModel: 64, projections: { from: 'random', dK: 64, dV: 64 } });
  wide.overview?.();
  const notes = cells(wide, n).map((note) => `d = 64: ${note}`);
  const tilted = traceOf(n, { positions: 'alibi' });
  tilted.overview?.();
  notes.push(`ALiBi, d = 8: ${standouts(tilted, n)}`);
  return remarks(`${n} tokens, causal, other models`, notes);
}

function timed<T>(work: () => T): [milliseconds: number, value: T] {
  const begin = performance.now();
  const value = work();
  return [performance.now() - begin, value];
}

const ms = (time: number): string => `${time < 100 ? time.toFixed(1) : Math.round(time)} ms`;
const spreadOf = (times: readonly number[]): string => `${ms(median(times))} (least ${ms(Math.min(...times))})`;

/** The whole overview. Some of its stripes are followed by plain attention over the same rows, so that other load on the machine affects both. */
function overviewOf(trace: AttentionTrace, n: number): string[] {
  const own = wasmKernels();
  const overview = trace.overview?.();
  if (!overview) throw new Error('nothing is computed when it is looked at');
  const held = (seed: number): ReturnType<typeof own.allocate> => {
    const room = own.allocate(n * 8);
    room.values().set(reals(n * 8, seed));
    return room;
  };
  const [k, v, q] = [held(2), held(3), reals(n * 8, 1)];
  const [ratios, times, passes]: [number[], number[], number[]] = [[], [], []];
  let rowsPassed = 0;
  for (let last = false; !last;) {
    const before = overview.done();
    const [time, done] = timed(() => overview.advance());
    last = done;
    times.push(time);
    if ((before * 64) % n >= 64 * (overview.done() - before)) continue;
    const rows = q.subarray(before * 8, overview.done() * 8);
    const [pass] = timed(() => own.attention({ q: rows, k, v, n: rows.length / 8, m: n, d: 8, dv: 8 }, false));
    rowsPassed += rows.length / 8;
    passes.push(pass);
    ratios.push(time / pass);
  }
  const total = times.reduce((a, b) => a + b);
  const all = (passes.reduce((a, b) => a + b) * n) / rowsPassed;
  return [
    `overview: ${ms(total)}, ${times.length} stripes of ${spreadOf(times)}; ${(total / all).toFixed(2)} times a plain pass without a mask (${passes.length} stripes of it, spread over all rows: median ${median(ratios).toFixed(2)}, last ${(ratios.at(-1) ?? NaN).toFixed(2)})`,
  ];
}

/** A window of 300 × 213 blocks of weights, as a heatmap of 900 × 640 pixels requests it: at four block sizes, first coarse, then sharp in bands of rows. */
function settling(trace: AttentionTrace, n: number): string[] {
  const found: string[] = [];
  for (const level of [0, 2, 4, 6]) {
    const size = 1 << level;
    const [rows, columns] = [Math.min(n >> 1, 213 * size), Math.min(n >> 1, 300 * size)];
    const band = Math.max(size, Math.floor(rows / 8 / size) * size);
    const [coarse] = timed(() =>
      trace.read('weights', { rows: [n >> 2, (n >> 2) + rows], columns: [0, columns], level, pixels: true }),
    );
    const [fine] = timed(() => {
      for (let row = 0; row < rows; row += band)
        trace.read('weights', {
          rows: [(n >> 2) + row, (n >> 2) + Math.min(rows, row + band)],
          columns: [0, columns],
          level,
          pixels: 'fine',
        });
    });
    found.push(
      `${size}×${size} cells a block: coarse ${ms(coarse)}, ${fine < 1 ? 'the same' : `sharp after ${ms(fine)}`}`,
    );
  }
  return found;
}

/** A click on cells that were not computed before: the cell of the block, its value, and its explanation. */
function cells(trace: AttentionTrace, n: number): string[] {
  const rows = Array.from({ length: 12 }, (_, i) => (n >> 1) + i * 97);
  const of = (step: string, column: (row: number) => number, shift: number): string => {
    const times = rows.map((row) => timed(() => explainCell(trace, step, [row + shift, column(row)]))[0]);
    return `a cell of the ${step} and its explanation: ${spreadOf(times)}`;
  };
  return [
    of('scores', (row) => row >> 1, 0),
    of('weights', (row) => row >> 1, 1),
    of('output', () => 3, 2),
    standouts(trace, n),
  ];
}

/** Blocks in rows that were not computed before. */
function standouts(trace: AttentionTrace, n: number): string {
  const times = Array.from({ length: 12 }, (_, i) => {
    const at = ((((n * 13) >> 4) >> 7) + 2 * i) << 7;
    return timed(() => trace.read('weights', { rows: [at, at + 128], columns: [1024, 1152], pixels: 'fine' }))[0];
  });
  return `which cell of a block of 128×128 stands out: ${spreadOf(times)}`;
}
