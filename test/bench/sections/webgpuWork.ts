// Times the same work in our WebGPU kernels and in peers, in a page or in Node. Operands are float32 arrays of the program, or stay on the GPU
// where the library keeps them there. A run ends when its output has been read back. The weights stay on the GPU in libraries that allow it.
import { holdSteps } from '../../../engine/run/backend/webgpu/run';
import type { GpuStep } from '../../../engine/run/backend/webgpu/steps';
import { requestWebGpu, type WebGpuDevice } from '../../../engine/run/backend/webgpu/index';
import type { OperationCall, Tensor } from '../../../engine/index';
import { difference } from '../check';
import { measure, type Contender, type Effort, type Measured } from '../measure';
import { product, reals, softmaxed, transposed } from '../plainMath';
import type { Jax, JaxArray } from '../tensorEngines';

/** Where the work is measured: a page's WebGPU or Dawn's, how a peer is loaded there, and peers that only this place has. */
export interface WebGpuPlace {
  readonly gpu: GPU;
  /** Whether the device may be software. */
  readonly allowSoftware: boolean;
  readonly load: (library: 'jax' | 'ort') => Promise<unknown>;
  /** Peers that are no WebGPU libraries. */
  readonly others?: (work: WebGpuWork, operands: Operands) => Promise<readonly Entry[]>;
}

export interface WebGpuWork {
  readonly kind: 'attention' | 'product' | 'softmax';
  readonly n: number;
  readonly d: number;
  /** onnxruntime-web's model; without it that peer is left out. */
  readonly model?: readonly number[];
}

/** The result of a run. The weights are read for the check only. */
export interface Ran {
  readonly output: Float32Array;
  readonly weights?: () => Promise<Float32Array>;
  readonly release?: () => void;
}

export interface Entry {
  readonly name: string;
  readonly run: () => Promise<Ran>;
}

export type Operands = Readonly<
  Record<string, { readonly data: Float32Array; readonly shape: readonly [number, number] }>
>;

/** Largest difference between float32 and float64 sums of this many products, with absolute values below 2. */
const tolerances = { attention: 1e-5, product: 2e-3, softmax: 1e-6 } as const;

function operandsOf({ kind, n, d }: WebGpuWork): Operands {
  const of = (seed: number, columns: number): Operands[string] => ({
    data: reals(n * columns, seed),
    shape: [n, columns],
  });
  if (kind === 'attention') return { q: of(1, d), k: of(2, d), v: of(3, d) };
  return kind === 'product' ? { a: of(1, n), b: of(2, n) } : { x: of(1, n) };
}

const dataOf = (arrays: Operands, name: string): Float32Array => arrays[name]?.data ?? new Float32Array();

function expectedOf({ kind, n, d }: WebGpuWork, arrays: Operands): { output: Float32Array; weights?: Float32Array } {
  if (kind === 'product') return { output: product(dataOf(arrays, 'a'), dataOf(arrays, 'b'), n, n, n) };
  if (kind === 'softmax') return { output: softmaxed(dataOf(arrays, 'x'), n, 1) };
  const scores = product(dataOf(arrays, 'q'), transposed(dataOf(arrays, 'k'), n), n, d, n);
  const weights = softmaxed(scores, n, 1 / Math.sqrt(d));
  return { output: product(weights, dataOf(arrays, 'v'), n, n, d), weights };
}

const amountOf = ({ kind, n, d }: WebGpuWork): number =>
  kind === 'attention' ? 2 * n * n * d : kind === 'product' ? n ** 3 : n * n;

/** Checks the numbers of each contender, then times them in alternation. */
export async function measureWebGpu(place: WebGpuPlace, work: WebGpuWork, effort: Effort): Promise<Measured> {
  const arrays = operandsOf(work);
  const expected = expectedOf(work, arrays);
  const others = (await place.others?.(work, arrays)) ?? [];
  const entries = [await ours(place, work, arrays), ...(await peers(place, work, arrays)), ...others];
  const notes: string[] = [];
  const contenders: Contender[] = [];
  for (const { name, run } of entries) {
    const wrong = await wrongIn(run, expected, tolerances[work.kind]);
    const timed = async (): Promise<void> => (await run()).release?.();
    if (wrong === undefined) contenders.push({ name, run: timed, check: () => undefined });
    else notes.push(`${name}: not timed, ${wrong}`);
    if (wrong !== undefined && name === 'ours') throw new Error(notes.join());
  }
  const { kind, n, d } = work;
  const name =
    kind === 'attention' ? `attention, n = ${n}, d = ${d}` : kind === 'product' ? `${n}³ product` : `softmax of ${n}²`;
  return measure({ name, amount: amountOf(work) / 1e9, unit: kind === 'softmax' ? 'Gcell' : 'GFMA', inputs: 1, contenders, notes }, effort); // prettier-ignore
}

async function wrongIn(
  run: Entry['run'],
  expected: ReturnType<typeof expectedOf>,
  tolerance: number,
): Promise<string | undefined> {
  try {
    const ran = await run();
    const weights = expected.weights && (await ran.weights?.());
    ran.release?.();
    if (expected.weights && !weights) return 'gave no weights';
    const far = difference(ran.output, expected.output, () => tolerance);
    return far ?? (weights && expected.weights && difference(weights, expected.weights, () => 1e-6));
  } catch (error) {
    return String(error);
  }
}

// --- ours ------------------------------------------------------------------------------

const devices = new Map<GPU, Promise<WebGpuDevice>>();

/** Our device of this place, opened once. */
export function deviceOf({ gpu, allowSoftware }: WebGpuPlace): Promise<WebGpuDevice> {
  const known = devices.get(gpu);
  if (known) return known;
  const opened = requestWebGpu(gpu, { allowSoftware }).then((found) => {
    if (!found.ok) throw new Error(JSON.stringify(found.problems));
    return found.value;
  });
  devices.set(gpu, opened);
  return opened;
}

const given: OperationCall = { op: 'given', path: '' };

/** Steps as a plan has them. Their operands are uploaded in every run. */
function stepsOf({ kind, n, d }: WebGpuWork, arrays: Operands): readonly GpuStep[] {
  const step = (id: string, shape: readonly number[], call: OperationCall, operands: readonly string[]): GpuStep => ({ id, symbol: id, shape, call, operands, rowLabels: [] }); // prettier-ignore
  const sources = Object.entries(arrays).map(([id, { shape }]) => step(id, shape, given, []));
  if (kind === 'product') return [...sources, step('output', [n, n], { op: 'matmul', transposeB: false }, ['a', 'b'])];
  if (kind === 'softmax') return [...sources, step('output', [n, n], { op: 'softmax', emptyRow: 'nan' }, ['x'])];
  return [
    ...sources,
    step('scores', [n, n], { op: 'matmul', transposeB: true }, ['q', 'k']),
    step('scaled', [n, n], { op: 'divide', by: Math.sqrt(d) }, ['scores']),
    step('weights', [n, n], { op: 'softmax', emptyRow: 'nan' }, ['scaled']),
    step('output', [n, d], { op: 'matmul', transposeB: false }, ['weights', 'v']),
  ];
}

async function ours(place: WebGpuPlace, work: WebGpuWork, arrays: Operands): Promise<Entry> {
  const own = await deviceOf(place);
  const steps = stepsOf(work, arrays);
  const sources = new Map<string, Tensor>(
    Object.entries(arrays).map(([id, array]) => [id, { dtype: 'float32', ...array }]),
  );
  const run = async (): Promise<Ran> => {
    const held = await holdSteps(own, steps, sources);
    if (!held.ok) throw new Error(JSON.stringify(held.problems));
    const read = async (id: string): Promise<Float32Array> => {
      const part = await held.value.read(id);
      if (!part.ok) throw new Error(JSON.stringify(part.problems));
      return part.value;
    };
    return { output: await read('output'), weights: () => read('weights'), release: held.value.release };
  };
  return { name: 'ours', run };
}

// --- peers -----------------------------------------------------------------------------

interface OrtTensor {
  readonly data: Float32Array;
  getData(): Promise<Float32Array>;
  dispose(): void;
}
interface Ort {
  readonly env: { readonly wasm: { numThreads: number; wasmPaths: string } };
  readonly Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => OrtTensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<{ run(feeds: object): Promise<Record<string, OrtTensor>> }>;
  };
}

async function peers(place: WebGpuPlace, work: WebGpuWork, arrays: Operands): Promise<Entry[]> {
  const failing = (name: string, error: unknown): Entry => ({
    name,
    run: () => Promise.reject(new Error(String(error))),
  });
  const { model } = work;
  return Promise.all([
    jax(place, work, arrays).catch((error: unknown) => failing('jax-js', error)),
    ...(model
      ? [onnx(place, work.kind, model, arrays).catch((error: unknown) => failing('onnxruntime-web', error))]
      : []),
  ]);
}

async function jax(place: WebGpuPlace, { kind, d }: WebGpuWork, arrays: Operands): Promise<Entry> {
  const { init, defaultDevice, numpy, nn } = (await place.load('jax')) as Jax;
  await init('webgpu');
  defaultDevice('webgpu');
  const held = new Map(Object.entries(arrays).map(([id, { data, shape }]) => [id, numpy.array(data).reshape(shape)]));
  const of = (id: string): JaxArray => {
    const array = held.get(id);
    if (!array) throw new Error(id);
    return array.ref;
  };
  const run = async (): Promise<Ran> => {
    if (kind === 'product') return { output: await numpy.matmul(of('a'), of('b')).data() };
    if (kind === 'softmax') return { output: await nn.softmax(of('x'), -1).data() };
    const weights = nn.softmax(numpy.matmul(of('q'), of('k').transpose()).mul(1 / Math.sqrt(d)), -1);
    const output = await numpy.matmul(weights.ref, of('v')).data();
    return { output, weights: () => weights.ref.data(), release: () => weights.dispose() };
  };
  return { name: 'jax-js (WebGPU)', run };
}

async function onnx(
  place: WebGpuPlace,
  kind: WebGpuWork['kind'],
  model: readonly number[],
  arrays: Operands,
): Promise<Entry> {
  const ort = (await place.load('ort')) as Ort;
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = '/ort/';
  const preferredOutputLocation = kind === 'attention' ? { w: 'gpu-buffer', o: 'cpu' } : 'cpu';
  const options = { executionProviders: ['webgpu'], preferredOutputLocation };
  const session = await ort.InferenceSession.create(Uint8Array.from(model), options);
  const feeds = Object.fromEntries(
    Object.entries(arrays).map(([name, { data, shape }]) => [name, new ort.Tensor('float32', data, shape)]),
  );
  const name = { attention: 'o', product: 'c', softmax: 'y' }[kind];
  const run = async (): Promise<Ran> => {
    const results = await session.run(feeds);
    const [output, weights] = [results[name], results['w']];
    if (!output) throw new Error(`no output ${name}`);
    if (!weights) return { output: output.data };
    return { output: output.data, weights: () => weights.getData(), release: () => weights.dispose() };
  };
  return { name: 'onnxruntime-web (WebGPU)', run };
}
