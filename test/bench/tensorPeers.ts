// onnxruntime-web, tfjs-backend-wasm and jax-js behind one interface. Each uses one thread, and results stay where the library puts them. Uses no API of Node.
import { modelOf, type Graph } from './onnx';

/** How a host imports a peer's module, and the folder of its .wasm files if the module does not find them by itself. */
export interface Sources {
  readonly load: <T>(name: string) => Promise<T>;
  readonly folderOf: (name: string) => string | undefined;
}

export const engineNames = ['onnxruntime-web', 'tfjs (WASM)', 'jax-js (WASM)'] as const;
export type EngineName = (typeof engineNames)[number];

/** Imports an engine and waits until it is ready. */
export const startEngine = (name: EngineName, sources: Sources): Promise<Engine> =>
  ({ 'onnxruntime-web': onnx, 'tfjs (WASM)': tensorflow, 'jax-js (WASM)': jax })[name](sources);

/** A peer prepared for one piece of work. `read` fetches the numbers for the check and is not timed. */
export interface Entry<T> {
  readonly name: string;
  readonly run: () => unknown;
  readonly read: (result: unknown) => T;
}

export interface Heads {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
  readonly n: number;
  readonly d: number;
}

interface Attended {
  readonly output: Float32Array;
  readonly weights: Float32Array;
}

/** x: n×(h·d); the four weights (h·d)×(h·d). */
export interface Layer {
  readonly x: Float32Array;
  readonly wq: Float32Array;
  readonly wk: Float32Array;
  readonly wv: Float32Array;
  readonly wo: Float32Array;
  readonly n: number;
  readonly h: number;
  readonly d: number;
}

export interface Engines {
  /** Weights h×n×n, output n×(h·d). */
  layer(layer: Layer): Promise<Entry<Attended>[]>;
  attention(heads: Heads): Promise<Entry<Attended>[]>;
  product(a: Float32Array, b: Float32Array, n: number): Promise<Entry<Float32Array>[]>;
  softmax(x: Float32Array, n: number): Promise<Entry<Float32Array>[]>;
}

export interface Engine {
  layer?(layer: Layer): Promise<Entry<Attended>>;
  attention(heads: Heads): Promise<Entry<Attended>>;
  product(a: Float32Array, b: Float32Array, n: number): Promise<Entry<Float32Array>>;
  softmax(x: Float32Array, n: number): Promise<Entry<Float32Array>>;
}

interface OrtTensor {
  readonly data: Float32Array;
}
interface Ort {
  readonly env: { readonly wasm: { numThreads: number; wasmPaths?: string } };
  readonly Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => OrtTensor;
  readonly InferenceSession: {
    create(
      model: Uint8Array,
      options: object,
    ): Promise<{
      run(feeds: Record<string, OrtTensor>): Promise<Record<string, OrtTensor>>;
    }>;
  };
}

async function onnx({ load, folderOf }: Sources): Promise<Engine> {
  const ort = await load<Ort>('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  const files = folderOf('onnxruntime-web');
  if (files !== undefined) ort.env.wasm.wasmPaths = files;
  const entry = async (
    graph: Graph,
    values: Record<string, Float32Array>,
  ): Promise<Entry<Record<string, OrtTensor>>> => {
    const session = await ort.InferenceSession.create(modelOf(graph), { executionProviders: ['wasm'] });
    const feeds = Object.fromEntries(
      Object.entries(values).map(([name, data]) => [name, new ort.Tensor('float32', data, graph.inputs[name] ?? [])]),
    );
    return { name: 'onnxruntime-web', run: () => session.run(feeds), read: (r) => r as Record<string, OrtTensor> };
  };
  const one = (made: Entry<Record<string, OrtTensor>>, name: string): Entry<Float32Array> => ({
    ...made,
    read: (r) => dataOf(made.read(r), name),
  });
  const both = (made: Entry<Record<string, OrtTensor>>): Entry<Attended> => ({
    ...made,
    read: (r) => ({ output: dataOf(made.read(r), 'o'), weights: dataOf(made.read(r), 'w') }),
  });
  return {
    attention: async ({ q, k, v, n, d }) => both(await entry(attentionGraph(n, d), { q, k, v })),
    layer: async (layer) => {
      const { x, wq, wk, wv, wo } = layer;
      return both(await entry(layerGraph(layer), { x, wq, wk, wv, wo }));
    },
    product: async (a, b, n) => {
      return one(await entry(productGraph(n), { a, b }), 'c');
    },
    softmax: async (x, n) => {
      return one(await entry(softmaxGraph(n), { x }), 'y');
    },
  };
}

/** Splits heads into a third dimension. K is returned transposed. */
function layerGraph({ n, h, d }: Layer): Graph {
  const cut = (name: string, perm: readonly number[]): Graph['nodes'] => [
    { op: 'MatMul', inputs: ['x', `w${name}`], output: `${name}0` },
    { op: 'Reshape', inputs: [`${name}0`, 'cut'], output: `${name}1` },
    { op: 'Transpose', inputs: [`${name}1`], output: name, attributes: { perm } },
  ];
  const nodes = [
    ...cut('q', [1, 0, 2]),
    ...cut('k', [1, 2, 0]),
    ...cut('v', [1, 0, 2]),
    { op: 'MatMul', inputs: ['q', 'k'], output: 's' },
    { op: 'Mul', inputs: ['s', 'by'], output: 'scaled' },
    { op: 'Softmax', inputs: ['scaled'], output: 'w', attributes: { axis: -1 } },
    { op: 'MatMul', inputs: ['w', 'v'], output: 'heads' },
    { op: 'Transpose', inputs: ['heads'], output: 'beside', attributes: { perm: [1, 0, 2] } },
    { op: 'Reshape', inputs: ['beside', 'joined'], output: 'all' },
    { op: 'MatMul', inputs: ['all', 'wo'], output: 'o' },
  ];
  const square = [h * d, h * d];
  return {
    nodes,
    inputs: { x: [n, h * d], wq: square, wk: square, wv: square, wo: square },
    outputs: { w: [h, n, n], o: [n, h * d] },
    scalars: { by: 1 / Math.sqrt(d) },
    integers: { cut: [n, h, d], joined: [n, h * d] },
  };
}

export const productGraph = (n: number): Graph => ({
  nodes: [{ op: 'MatMul', inputs: ['a', 'b'], output: 'c' }],
  inputs: { a: [n, n], b: [n, n] },
  outputs: { c: [n, n] },
});

export const softmaxGraph = (n: number): Graph => ({
  nodes: [{ op: 'Softmax', inputs: ['x'], output: 'y', attributes: { axis: -1 } }],
  inputs: { x: [n, n] },
  outputs: { y: [n, n] },
});

export const attentionGraph = (n: number, d: number): Graph => ({
  nodes: [
    { op: 'Transpose', inputs: ['k'], output: 'kt', attributes: { perm: [1, 0] } },
    { op: 'MatMul', inputs: ['q', 'kt'], output: 's' },
    { op: 'Mul', inputs: ['s', 'by'], output: 'scaled' },
    { op: 'Softmax', inputs: ['scaled'], output: 'w', attributes: { axis: -1 } },
    { op: 'MatMul', inputs: ['w', 'v'], output: 'o' },
  ],
  inputs: { q: [n, d], k: [n, d], v: [n, d] },
  outputs: { w: [n, n], o: [n, d] },
  scalars: { by: 1 / Math.sqrt(d) },
});

function dataOf(results: Record<string, OrtTensor>, name: string): Float32Array {
  const found = results[name];
  if (!found) throw new Error(`onnxruntime-web: no output ${name}`);
  return found.data;
}

interface TfTensor {
  dataSync(): Float32Array;
  dispose(): void;
}
interface Tf {
  setBackend(name: string): Promise<boolean>;
  tensor2d(values: Float32Array, shape: readonly number[]): TfTensor;
  tidy<T>(work: () => T): T;
  transpose(x: TfTensor, perm?: readonly number[]): TfTensor;
  reshape(x: TfTensor, shape: readonly number[]): TfTensor;
  matMul(a: TfTensor, b: TfTensor): TfTensor;
  mul(x: TfTensor, by: number): TfTensor;
  softmax(x: TfTensor): TfTensor;
}
interface TfWasm {
  setWasmPaths(folder: string): void;
  setThreadsCount(n: number): void;
}

async function tensorflow({ load, folderOf }: Sources): Promise<Engine> {
  const tf = await load<Tf>('@tensorflow/tfjs-core');
  const name = '@tensorflow/tfjs-backend-wasm';
  const backend = await load<TfWasm>(name);
  const files = folderOf(name);
  if (files !== undefined) backend.setWasmPaths(files);
  backend.setThreadsCount(1);
  if (!(await tf.setBackend('wasm'))) throw new Error('tfjs: no wasm backend');
  // Each run frees the tensors of the run before, as a user of the library would.
  const entry = (work: () => TfTensor[]): Entry<readonly TfTensor[]> => {
    let before: readonly TfTensor[] = [];
    const run = (): readonly TfTensor[] => {
      before.forEach((tensor) => tensor.dispose());
      return (before = tf.tidy(work));
    };
    return { name: 'tfjs (WASM)', run, read: (r) => r as readonly TfTensor[] };
  };
  const first = (made: Entry<readonly TfTensor[]>): Entry<Float32Array> => ({
    ...made,
    read: (r) => made.read(r)[0]?.dataSync() ?? new Float32Array(),
  });
  const both = (made: Entry<readonly TfTensor[]>): Entry<Attended> => ({
    ...made,
    read: (r) => {
      const [output, weights] = made.read(r).map((tensor) => tensor.dataSync()) as [Float32Array, Float32Array];
      return { output, weights };
    },
  });
  return {
    attention: async ({ n, d, ...values }) => {
      const [q, k, v] = [values.q, values.k, values.v].map((x) => tf.tensor2d(x, [n, d])) as [
        TfTensor,
        TfTensor,
        TfTensor,
      ];
      return both(
        entry(() => {
          const weights = tf.softmax(tf.mul(tf.matMul(q, tf.transpose(k)), 1 / Math.sqrt(d)));
          return [tf.matMul(weights, v), weights];
        }),
      );
    },
    layer: async ({ n, h, d, ...values }) => {
      const x = tf.tensor2d(values.x, [n, h * d]);
      const [wq, wk, wv, wo] = [values.wq, values.wk, values.wv, values.wo].map((w) =>
        tf.tensor2d(w, [h * d, h * d]),
      ) as [TfTensor, TfTensor, TfTensor, TfTensor];
      const cut = (w: TfTensor, perm: readonly number[]): TfTensor =>
        tf.transpose(tf.reshape(tf.matMul(x, w), [n, h, d]), perm);
      return both(
        entry(() => {
          const scores = tf.matMul(cut(wq, [1, 0, 2]), cut(wk, [1, 2, 0]));
          const weights = tf.softmax(tf.mul(scores, 1 / Math.sqrt(d)));
          const heads = tf.transpose(tf.matMul(weights, cut(wv, [1, 0, 2])), [1, 0, 2]);
          return [tf.matMul(tf.reshape(heads, [n, h * d]), wo), weights];
        }),
      );
    },
    product: async (a, b, n) => {
      const [x, y] = [tf.tensor2d(a, [n, n]), tf.tensor2d(b, [n, n])];
      return first(entry(() => [tf.matMul(x, y)]));
    },
    softmax: async (x, n) => {
      const given = tf.tensor2d(x, [n, n]);
      return first(entry(() => [tf.softmax(given)]));
    },
  };
}

export interface JaxArray {
  /** A further reference to the array, because an operation consumes the references that it is given. */
  readonly ref: JaxArray;
  reshape(shape: readonly number[]): JaxArray;
  transpose(): JaxArray;
  mul(by: number): JaxArray;
  data(): Promise<Float32Array>;
  dispose(): void;
}
export interface Jax {
  init(device: string): Promise<unknown>;
  defaultDevice(device: string): unknown;
  readonly numpy: { array(values: Float32Array): JaxArray; matmul(a: JaxArray, b: JaxArray): JaxArray };
  readonly nn: { softmax(x: JaxArray, axis: number): JaxArray };
}

async function jax({ load }: Sources): Promise<Engine> {
  const { init, defaultDevice, numpy, nn } = await load<Jax>('@jax-js/jax');
  await init('wasm');
  defaultDevice('wasm');
  const name = 'jax-js (WASM)';
  const array = (x: Float32Array, rows: number): JaxArray => numpy.array(x).reshape([rows, x.length / rows]);
  return {
    attention: async ({ n, d, ...values }) => {
      const [q, k, v] = [values.q, values.k, values.v].map((x) => array(x, n)) as [JaxArray, JaxArray, JaxArray];
      const run = async (): Promise<Attended> => {
        const scores = numpy.matmul(q.ref, k.ref.transpose()).mul(1 / Math.sqrt(d));
        const shares = nn.softmax(scores, -1);
        const output = await numpy.matmul(shares.ref, v.ref).data();
        return { output, weights: await shares.data() };
      };
      return { name, run, read: (r) => r as Attended };
    },
    product: async (a, b, n) => {
      const [x, y] = [array(a, n), array(b, n)];
      return { name, run: () => numpy.matmul(x.ref, y.ref).data(), read: (r) => r as Float32Array };
    },
    softmax: async (x, n) => {
      const given = array(x, n);
      return { name, run: () => nn.softmax(given.ref, -1).data(), read: (r) => r as Float32Array };
    },
  };
}
