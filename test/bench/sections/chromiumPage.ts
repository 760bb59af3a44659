// Runs in a page. Times the kernels of engine/run/backend/wasm, as the product uses them there, in alternation with the peers. Operands are arrays of the page.
import { wasmKernels, type WasmKernels } from '../../../engine/run/backend/wasm';
import { difference } from '../check';
import { measure, type Contender, type Effort, type Measured } from '../measure';
import { peakProbe } from '../peak-probe';
import { checkOf, problemOf, wrongRow, type Attended } from '../plainAttention';
import { product, reals, softmaxed } from '../plainMath';
import { startEngine, type Engine, type Entry, type Sources } from '../tensorPeers';

export interface ChromiumWish {
  readonly kind: 'attention' | 'product' | 'softmax';
  readonly n: number;
  readonly effort: Effort;
  /** The WebAssembly module of the peak probe for each build. */
  readonly peaks: Readonly<Record<'relaxed' | 'simd128', readonly number[]>>;
}

const d = 64;
const own = wasmKernels();

const load = async (path: string): Promise<unknown> => (await import(path)) as unknown;

const sources: Sources = {
  load: async <T>(name: string) => {
    if (name === 'onnxruntime-web') return (await load('/ort/ort.wasm.bundle.min.mjs')) as T;
    const { core, wasm } = (await load('/tf.js')) as { core: T; wasm: T };
    return name.endsWith('core') ? core : wasm;
  },
  folderOf: (name) => (name === 'onnxruntime-web' ? '/ort/' : '/tf-wasm/'),
};

let started: Promise<readonly Engine[]> | undefined;
const engines = (): Promise<readonly Engine[]> =>
  (started ??= Promise.all([startEngine('onnxruntime-web', sources), startEngine('tfjs (WASM)', sources)]));

async function measureChromium({ kind, n, effort, peaks }: ChromiumWish): Promise<Measured> {
  // A run of about 2 ms, because a page's clock has a resolution of 0.1 ms.
  const peak = peakProbe(Uint8Array.from(peaks[own.build === 'relaxed' ? 'relaxed' : 'simd128']), 1_000_000);
  const { name, amount, contenders } = await works[kind](own, n);
  const notes = [`the ${own.build} build; ${navigator.userAgent.replace(/.*Chrome/, 'Chrome')}`];
  const unit = kind === 'softmax' ? 'Gcell' : 'GFMA';
  return measure(
    { name: `${name}, in a page`, amount: amount / 1e9, unit, inputs: 1, contenders, notes, peak },
    effort,
  );
}

interface Made {
  readonly name: string;
  readonly amount: number;
  readonly contenders: readonly Contender[];
}

const contendersOf = <T>(entries: readonly Entry<T>[], check: (found: T) => string | undefined): Contender[] =>
  entries.map(({ name, run, read }) => ({ name, run, check: (r: unknown) => check(read(r)) }));

const works: Readonly<Record<ChromiumWish['kind'], (own: WasmKernels, n: number) => Promise<Made>>> = {
  async attention(own, n) {
    const problem = problemOf(n, d);
    const { q, k, v } = problem;
    const check = n <= 1024 ? checkOf(problem) : (found: Attended) => wrongRow(problem, found);
    const run = (): unknown => own.attention({ q, k, v, n, m: n, d, dv: d, scale: 1 / Math.sqrt(d) }, true);
    const others = await Promise.all((await engines()).map((e) => e.attention(problem)));
    const ours = { name: 'ours, copied in', run, check: (r: unknown) => check(r as Attended) };
    return { name: `attention, n = ${n}`, amount: 2 * n * n * d, contenders: [ours, ...contendersOf(others, check)] };
  },
  async product(own, n) {
    const [a, b] = [reals(n * n, 1), reals(n * n, 2)];
    const expected = product(a, b, n, n, n);
    const check = (found: Float32Array): string | undefined => difference(found, expected, () => 2e-3);
    const others = await Promise.all((await engines()).map((e) => e.product(a, b, n)));
    const run = (): unknown => own.matmul({ a, b, n, k: n, m: n });
    const ours = { name: 'ours, copied in', run, check: (r: unknown) => check(r as Float32Array) };
    return { name: `${n}³ product`, amount: n ** 3, contenders: [ours, ...contendersOf(others, check)] };
  },
  async softmax(own, n) {
    const x = reals(n * n, 1);
    const expected = softmaxed(x, n, 1);
    const check = (found: Float32Array): string | undefined => difference(found, expected, () => 1e-5);
    const others = await Promise.all((await engines()).map((e) => e.softmax(x, n)));
    const given = own.allocate(x.length);
    given.values().set(x);
    const run = (): unknown => own.softmax({ x: given, n, m: n });
    const ours = { name: 'ours, held', run, check: (r: unknown) => check(r as Float32Array) };
    return { name: `softmax of ${n}²`, amount: n * n, contenders: [ours, ...contendersOf(others, check)] };
  },
};

Object.assign(globalThis, { measureChromium });
