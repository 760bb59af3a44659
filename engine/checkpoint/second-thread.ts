import type { WasmKernels } from '../run';

/** Operands of a product, as `WasmKernels.matmul` takes them. */
export interface ProductOperands {
  /** n×k. */
  readonly a: Float32Array;
  /** k×m; m×k when `transposed`. */
  readonly b: Float32Array;
  readonly n: number;
  readonly k: number;
  readonly m: number;
  readonly transposed: boolean;
}

/** Another thread with the same kernels. */
export interface SecondThread {
  /**
   * a·b, n×m. The operands are copied before it returns; the result is a view of shared memory, valid until the next product. Undefined where the thread has
   * ended, is still at work on another product, or where this one does not fit into the memory that both share.
   */
  product(operands: ProductOperands): Promise<Float32Array | undefined>;
  end(): void;
}

/** Numbers in memory that both threads see: a, then b, then the result. */
interface Shared {
  readonly memory: SharedArrayBuffer;
  readonly n: number;
  readonly k: number;
  readonly m: number;
  readonly transposed: boolean;
}
/** To the thread, and back: its result is in the shared memory. */
export interface ToSecond {
  readonly product: Shared;
}
export interface FromSecond {
  readonly done: true;
}

function partsOf({ memory, n, k, m }: Shared) {
  const part = (from: number, length: number): Float32Array => new Float32Array(memory, 4 * from, length);
  return { a: part(0, n * k), b: part(n * k, k * m), result: part(n * k + k * m, n * m) };
}

/** What the thread does with a message. */
export function answerSecond(kernels: Pick<WasmKernels, 'matmul'>, { product: shared }: ToSecond): FromSecond {
  const { a, b, result } = partsOf(shared);
  result.set(kernels.matmul({ ...shared, a, b }));
  return { done: true };
}

/** Most bytes of shared memory. */
const mostShared = 1 << 26;
/** Least multiply-adds of a product that is divided: a millisecond or two of one thread. */
const leastDivided = 1 << 25;
const leastRows = 16;

/**
 * a·b as a copy. A large one is divided by its rows between this thread and the second; each element is the same sum in the same order either way. What a
 * thread that has ended leaves over is computed here.
 */
export async function product(
  kernels: Pick<WasmKernels, 'matmul'>,
  operands: ProductOperands,
  second: SecondThread | undefined,
): Promise<Float32Array> {
  const { a, n, k, m } = operands;
  if (!second || n < leastRows || n * k * m < leastDivided) return kernels.matmul(operands).slice();
  const own = Math.ceil(n / 2);
  const rest = { ...operands, a: a.subarray(own * k), n: n - own };
  const theirs = second.product(rest);
  const values = new Float32Array(n * m);
  values.set(kernels.matmul({ ...operands, a: a.subarray(0, own * k), n: own }));
  values.set((await theirs) ?? kernels.matmul(rest), own * m);
  return values;
}

/** The part of Node's `worker_threads` that is used. */
interface NodeThreads {
  readonly Worker: new (code: string, options: { eval: true; workerData: string }) => NodeWorker;
}
interface NodeWorker {
  postMessage(message: unknown): void;
  on(event: 'message' | 'error' | 'exit', heard: (value: never) => void): void;
  terminate(): unknown;
  unref(): void;
}
interface Host {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/** Runs a bundle in a worker of Node with the names of a browser's worker; its path is the worker's data. */
export const asBrowserWorker = `const { parentPort, workerData } = require('node:worker_threads');
globalThis.bundle = workerData;
globalThis.postMessage = (message) => parentPort.postMessage(message);
parentPort.on('message', (data) => globalThis.onmessage({ data }));
require(workerData);`;

/**
 * Starts the bundle of the models in a second thread of Node. Undefined where there is one processor, and in browsers, whose pages in VS Code share no memory
 * between threads: a copy of the weights for the other takes longer than its half of the product.
 */
export function startSecondThread(bundle: string): SecondThread | undefined {
  const builtin = (globalThis as unknown as Host).process?.getBuiltinModule;
  const os = builtin?.('node:os') as { availableParallelism(): number } | undefined;
  const threads = builtin?.('node:worker_threads') as NodeThreads | undefined;
  if (!os || !threads || os.availableParallelism() < 2) return undefined;
  const worker = new threads.Worker(asBrowserWorker, { eval: true, workerData: bundle });
  worker.unref();
  return askedBy(worker);
}

function askedBy(worker: NodeWorker): SecondThread {
  let memory = new SharedArrayBuffer(0);
  let give: ((isDone: boolean) => void) | undefined;
  let [hasEnded, isBusy] = [false, false];
  const lost = (): void => {
    hasEnded = true;
    give?.(false);
  };
  worker.on('message', () => give?.(true));
  worker.on('error', lost);
  worker.on('exit', lost);
  return {
    async product({ a, b, n, k, m, transposed }) {
      const bytes = 4 * (n * k + k * m + n * m);
      if (hasEnded || isBusy || bytes > mostShared) return undefined;
      isBusy = true;
      if (memory.byteLength < bytes) memory = new SharedArrayBuffer(bytes);
      const shared = { memory, n, k, m, transposed };
      const parts = partsOf(shared);
      parts.a.set(a);
      parts.b.set(b);
      const done = new Promise<boolean>((settle) => (give = settle));
      worker.postMessage({ product: shared } satisfies ToSecond);
      const isDone = await done;
      isBusy = false;
      return isDone ? parts.result : undefined;
    },
    end() {
      lost();
      worker.terminate();
    },
  };
}
