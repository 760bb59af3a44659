import { kernels, type Attended, type Kernels } from '../../../engine/backend/wasm';
import { difference } from '../check';
import { measure, type Contender, type Measured } from '../measure';
import { peer, type Place } from '../peers';
import { product, reals, softmaxed, transposed } from '../plainMath';
import { engines, type Engines } from '../tensorEngines';
import type { Form, Section } from './index';

export const wasm: Section = {
  name: 'wasm',
  words:
    'float32, d = 64, weights and output, one thread; against onnxruntime-web, tfjs (WASM), jax-js, ml-matrix, plain loops',
  run,
};

const d = 64;

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const own = kernels();
  const peers = await engines(place);
  const { Matrix } = await peer<MlMatrix>(place, 'ml-matrix');
  const notes = [`ours: the ${own.build} build`];
  for (const n of short ? [4, 16, 512, 1024] : [4, 16, 512, 1024, 2048]) {
    const contenders = await attentions(own, peers, n);
    if (n <= 512) contenders.push(library(Matrix, n));
    const amount = (2 * n * n * d) / 1e9;
    yield await measure({ name: `attention, n = ${n}`, amount, unit: 'GFMA', inputs: 1, contenders, notes }, effort);
  }
  const contenders = await products(own, peers, 1024);
  yield await measure(
    { name: '1024³ product', amount: 1024 ** 3 / 1e9, unit: 'GFMA', inputs: 1, contenders, notes },
    effort,
  );
  for (const n of short ? [1024] : [4096]) {
    const rows = await softmaxes(own, peers, n);
    yield await measure(
      { name: `softmax of ${n}²`, amount: (n * n) / 1e9, unit: 'Gcell', inputs: 1, contenders: rows, notes },
      effort,
    );
  }
}

async function attentions(own: Kernels, peers: Engines, n: number): Promise<Contender[]> {
  const given = { q: reals(n * d, 1), k: reals(n * d, 2), v: reals(n * d, 3), n, d };
  const expected = loops(given);
  const check = (result: unknown): string | undefined => {
    const { output, weights } = result as Attended;
    return near(weights ?? [], expected.weights) ?? near(output, expected.output);
  };
  const attend = (): Attended => own.attention({ ...given, m: n, dv: d, scale: 1 / Math.sqrt(d) }, true);
  const copied = (): Attended => {
    const { output, weights } = attend();
    return { output: output.slice(), ...(weights && { weights: weights.slice() }) };
  };
  const others = await peers.attention(given);
  return [
    { name: 'ours', run: attend, check },
    { name: 'ours, copied out', run: copied, check },
    ...others.map(({ name, run, read }) => ({ name, run, check: (r: unknown) => check(read(r)) })),
    ...(n <= 1024 ? [{ name: 'plain loops', run: () => loops(given), check }] : []),
  ];
}

async function products(own: Kernels, peers: Engines, n: number): Promise<Contender[]> {
  const [a, b] = [reals(n * n, 1), reals(n * n, 2)];
  const expected = product(a, b, n, n, n);
  const check = (result: unknown): string | undefined => difference(result as Float32Array, expected, () => 2e-3);
  const others = await peers.product(a, b, n);
  return [
    { name: 'ours', run: () => own.matmul({ a, b, n, k: n, m: n }), check },
    ...others.map(({ name, run, read }) => ({ name, run, check: (r: unknown) => check(read(r)) })),
  ];
}

async function softmaxes(own: Kernels, peers: Engines, n: number): Promise<Contender[]> {
  const x = reals(n * n, 1);
  const expected = softmaxed(x, n, 1);
  const others = await peers.softmax(x, n);
  return [
    { name: 'ours', run: () => own.softmax({ x, n, m: n }), check: (r) => near(r as Float32Array, expected) },
    ...others.map(({ name, run, read }) => ({ name, run, check: (r: unknown) => near(read(r), expected) })),
  ];
}

// Values are below 2 and weights below 1: what float32 sums of a few thousand of them may differ by.
const near = (actual: ArrayLike<number>, expected: ArrayLike<number>): string | undefined =>
  difference(actual, expected, () => 1e-5);

interface Given {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
  readonly n: number;
}

/** softmax(QKᵀ/√d)·V as one writes it, in float64 sums over float32 arrays. */
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
