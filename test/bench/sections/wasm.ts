import { wasmKernels, type AttentionResult, type WasmBuffer, type WasmKernels } from '../../../engine/run/backend/wasm';
import { difference } from '../check';
import { measure, remarks, type Contender, type Measured } from '../measure';
import { peakModule, peakProbe } from '../peak';
import { peer, type Place } from '../peers';
import { product, reals, softmaxed, transposed } from '../plainMath';
import { engines, type Engines, type Layer } from '../tensorEngines';
import type { Form, Section } from './index';

export const wasm: Section = {
  name: 'wasm',
  words:
    'float32, d = 64, weights and output, one thread; against onnxruntime-web, tfjs (WASM), jax-js, ml-matrix, plain loops',
  run,
};

const d = 64;

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const own = wasmKernels();
  const peers = await engines(place);
  const peak = peakProbe(await peakModule(own.build === 'relaxed'));
  const { Matrix } = await peer<MlMatrix>(place, 'ml-matrix');
  const notes = [`ours: the ${own.build} build`];
  const timed = (name: string, amount: number, unit: string, contenders: readonly Contender[]): Promise<Measured> =>
    measure({ name, amount: amount / 1e9, unit, inputs: 1, contenders, notes, peak }, effort);
  for (const n of short ? [16, 512, 1024] : [4, 16, 512, 1024, 2048, 4096]) {
    const contenders = await attentions(own, peers, n);
    if (n <= 512) contenders.push(library(Matrix, n));
    yield await timed(`attention, n = ${n}`, 2 * n * n * d, 'GFMA', contenders);
    yield held(own, `after n = ${n}`, 4 * n * n);
    own.release();
  }
  const layer = layerOf(512, 8);
  yield await timed(
    '8 heads, n = 512, d_model = 512',
    4 * 512 ** 3 + 2 * 512 ** 3,
    'GFMA',
    await layers(own, peers, layer),
  );
  yield await timed('1024³ product', 1024 ** 3, 'GFMA', await products(own, peers, 1024));
  for (const n of [1024, 4096]) {
    yield await timed(`softmax of ${n}²`, n * n, 'Gcell', await softmaxes(own, peers, n));
    own.release();
  }
}

/** The size of the kernels' memory, next to the size of the weights. */
function held(own: WasmKernels, name: string, weights: number): Measured {
  const bytes = own.bytes();
  const note = `memory of our kernels: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / weights).toFixed(2)} times the weights`;
  return remarks(name, [note]);
}

function hold(own: WasmKernels, values: Float32Array): WasmBuffer {
  const room = own.allocate(values.length);
  room.values().set(values);
  return room;
}

/** Four projections and h heads. The layer's weights are scaled down, so that the scores stay in a normal range. */
function layerOf(n: number, h: number): Layer {
  const small = (seed: number): Float32Array => reals(h * d * h * d, seed).map((x) => x / 16);
  return { x: reals(n * h * d, 1), wq: small(2), wk: small(3), wv: small(4), wo: small(5), n, h, d };
}

/** The head's columns of n×(h·d), as a matrix of their own. */
function headOf(x: Float32Array, n: number, h: number, head: number): Float32Array {
  const out = new Float32Array(n * d);
  for (let i = 0; i < n; i++) out.set(x.subarray((i * h + head) * d, (i * h + head + 1) * d), i * d);
  return out;
}

type Multiply = (a: Float32Array, b: Float32Array) => Float32Array;
type Attend = (q: Float32Array, k: Float32Array, v: Float32Array) => { output: Float32Array; weights: Float32Array };

function layerBy({ x, wq, wk, wv, wo, n, h }: Layer, multiply: Multiply, attend: Attend): Required<AttentionResult> {
  const [q, k, v] = [wq, wk, wv].map((w) => multiply(x, w)) as [Float32Array, Float32Array, Float32Array];
  const weights = new Float32Array(h * n * n);
  const beside = new Float32Array(n * h * d);
  for (let head = 0; head < h; head++) {
    const part = attend(headOf(q, n, h, head), headOf(k, n, h, head), headOf(v, n, h, head));
    weights.set(part.weights, head * n * n);
    for (let i = 0; i < n; i++) beside.set(part.output.subarray(i * d, (i + 1) * d), (i * h + head) * d);
  }
  return { weights, output: multiply(beside, wo) };
}

async function layers(own: WasmKernels, peers: Engines, layer: Layer): Promise<Contender[]> {
  const { n, h } = layer;
  const width = h * d;
  const expected = layerBy(
    layer,
    (a, b) => product(a, b, n, width, width),
    (q, k, v) => loops({ q, k, v, n }),
  );
  // Tolerance for sums of 512 terms whose operands are such sums themselves.
  const check = (result: unknown): string | undefined => {
    const { output, weights } = result as Required<AttentionResult>;
    return difference(weights, expected.weights, () => 1e-4) ?? difference(output, expected.output, () => 1e-2);
  };
  const run = (): AttentionResult =>
    layerBy(
      layer,
      (a, b) => own.matmul({ a, b, n, k: width, m: width }).slice(),
      (q, k, v) =>
        own.attention({ q, k, v, n, m: n, d, dv: d, scale: 1 / Math.sqrt(d) }, true) as Required<AttentionResult>,
    );
  const others = await peers.layer(layer);
  return [{ name: 'ours', run, check }, ...others.map((o) => ({ ...o, check: (r: unknown) => check(o.read(r)) }))];
}

async function attentions(own: WasmKernels, peers: Engines, n: number): Promise<Contender[]> {
  const given = { q: reals(n * d, 1), k: reals(n * d, 2), v: reals(n * d, 3), n, d };
  const expected = loops(given);
  const check = (result: unknown): string | undefined => {
    const { output, weights } = result as AttentionResult;
    return near(weights ?? [], expected.weights) ?? near(output, expected.output);
  };
  const attend = (): AttentionResult => own.attention({ ...given, m: n, dv: d, scale: 1 / Math.sqrt(d) }, true);
  const copied = (): AttentionResult => {
    const { output, weights } = attend();
    return { output: output.slice(), ...(weights && { weights: weights.slice() }) };
  };
  const [q, k, v] = [given.q, given.k, given.v].map((x) => hold(own, x)) as [WasmBuffer, WasmBuffer, WasmBuffer];
  const resident = (): AttentionResult => own.attention({ q, k, v, n, m: n, d, dv: d, scale: 1 / Math.sqrt(d) }, true);
  const others = await peers.attention(given);
  return [
    { name: 'ours, held', run: resident, check },
    { name: 'ours, copied in', run: attend, check },
    { name: 'ours, copied both', run: copied, check },
    ...others.map(({ name, run, read }) => ({ name, run, check: (r: unknown) => check(read(r)) })),
    ...(n <= 1024 ? [{ name: 'plain loops', run: () => loops(given), check }] : []),
  ];
}

async function products(own: WasmKernels, peers: Engines, n: number): Promise<Contender[]> {
  const [a, b] = [reals(n * n, 1), reals(n * n, 2)];
  const expected = product(a, b, n, n, n);
  const check = (result: unknown): string | undefined => difference(result as Float32Array, expected, () => 2e-3);
  const others = await peers.product(a, b, n);
  return [
    { name: 'ours', run: () => own.matmul({ a, b, n, k: n, m: n }), check },
    ...others.map(({ name, run, read }) => ({ name, run, check: (r: unknown) => check(read(r)) })),
  ];
}

async function softmaxes(own: WasmKernels, peers: Engines, n: number): Promise<Contender[]> {
  const x = reals(n * n, 1);
  const expected = softmaxed(x, n, 1);
  const [given, copy] = [hold(own, x), hold(own, x)];
  const others = await peers.softmax(x, n);
  return [
    {
      name: 'ours, held',
      run: () => own.softmax({ x: given, n, m: n }),
      check: (r) => near(r as Float32Array, expected),
    },
    {
      name: 'ours, copied in',
      run: () => own.softmax({ x, n, m: n }),
      check: (r) => near(r as Float32Array, expected),
    },
    ...others.map(({ name, run, read }) => ({ name, run, check: (r: unknown) => near(read(r), expected) })),
    // Time of the memory traffic alone: one read and one write.
    { name: 'a bare copy', run: () => copied(given, copy), check: (r) => difference(r as Float32Array, x, () => 0) },
  ];
}

function copied(from: WasmBuffer, to: WasmBuffer): Float32Array {
  const out = to.values();
  out.set(from.values());
  return out;
}

// Largest error of a float32 sum of a few thousand products, with values below 2 and weights below 1.
const near = (actual: ArrayLike<number>, expected: ArrayLike<number>): string | undefined =>
  difference(actual, expected, () => 1e-5);

interface Given {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
  readonly n: number;
}

/** softmax(QKᵀ/√d)·V written plainly, with float64 sums over float32 arrays. */
function loops({ q, k, v, n }: Given): { weights: Float32Array; output: Float32Array } {
  const weights = softmaxed(product(q, transposed(k, n), n, d, n), n, 1 / Math.sqrt(d));
  return { weights, output: product(weights, v, n, n, d) };
}

interface Matrix {
  mmul(other: Matrix): Matrix;
  transpose(): Matrix;
  mul(by: number): Matrix;
  to1DArray(): number[];
  to2DArray(): number[][];
}
interface MlMatrix {
  readonly Matrix: { new (rows: readonly (readonly number[])[]): Matrix };
}

function library(Matrix: MlMatrix['Matrix'], n: number): Contender {
  const [q, k, v] = [1, 2, 3].map((seed) => reals(n * d, seed)) as [Float32Array, Float32Array, Float32Array];
  const expected = loops({ q, k, v, n });
  const matrix = (values: Float32Array): Matrix =>
    new Matrix(Array.from({ length: n }, (_, i) => [...values.subarray(i * d, (i + 1) * d)]));
  const [mq, mk, mv] = [matrix(q), matrix(k), matrix(v)];
  const run = (): Matrix => {
    const scores = Float32Array.from(mq.mmul(mk.transpose()).to1DArray());
    const weights = softmaxed(scores, n, 1 / Math.sqrt(d));
    return new Matrix(Array.from({ length: n }, (_, i) => [...weights.subarray(i * n, (i + 1) * n)])).mmul(mv);
  };
  return { name: 'ml-matrix', run, check: (r) => near((r as Matrix).to1DArray(), expected.output) };
}
