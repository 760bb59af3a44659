import {
  t,
  type AttentionSpec,
  type CellExplanation,
  type CellValue,
  type ExtremeRows,
  type Insight,
  type Piece,
  type Problem,
  type Result,
  type FusedChunk,
  type FusedInputs,
  type PooledAttentionResult,
  type Tile,
  type TileRequest,
} from '../../engine/index';
import type { Shuffling } from '../trace';

/** What a worker can be asked to do. `compute` or `preview` comes first; the others, but for `cut`, speak of its trace. */
export interface WorkerMethods {
  /** Exact values, on the CPU. */
  compute(spec: AttentionSpec): Promise<Result<Computed>>;
  /** float32 values by WebGPU or WebAssembly. The problem's message says why there are none. */
  preview(spec: AttentionSpec, wish: PreviewRequest): Promise<Result<Previewed>>;
  read(step: string, request: TileRequest | undefined): Promise<Tile>;
  /** The rows of weights that are most and least spread out; undefined where none is, and where another question came. */
  extremeRows(step: string, request: Pick<TileRequest, 'batch' | 'head'>): Promise<ExtremeRows | undefined>;
  /** Stops computing the overview of what is not held, or goes on with it. */
  runOverview(go: boolean): Promise<void>;
  explainCell(step: string, index: readonly number[]): Promise<CellExplanation>;
  whereItGoes(step: string, index: readonly number[]): Promise<readonly CellValue[]>;
  insights(step: string, index: readonly number[]): Promise<readonly Insight[]>;
  shuffle(seed: number): Promise<Shuffling | undefined>;
  readShuffled(seed: number, step: string, request?: TileRequest): Promise<Tile>;
  /** Values `from` … before `to` of a step of the preview; read back from the GPU only now. */
  values(step: string, from: number, to: number): Promise<Float32Array>;
  /** How far the exact values of a step are from a preview's, whole rows, the first of which begins at value `from`. */
  compare(step: string, from: number, values: Float32Array): Promise<number>;
  /** Lets go of the preview, not of the device and its kernels, and says what computed it in the end: a GPU may have been lost. */
  releasePreview(): Promise<RanBy>;
  /** What `stripe` speaks of from now on. */
  beginStripes(work: FusedInputs): Promise<void>;
  /** Some rows of an overview, for the worker that computes the others. */
  stripe(part: FusedChunk): Promise<PooledAttentionResult>;
  /** Cuts a spec's text with its tokenizer, made from `source`, or from an earlier one, which the worker keeps. */
  tokenize(spec: AttentionSpec, source: TokenizerSource | undefined): Promise<CutResult>;
}

/** A vocabulary file's bytes, or the text of a tokenizer.json or vocab.txt. */
export type TokenizerSource = { readonly bytes: Uint8Array } | { readonly text: string };

/** `known`: the tokenizer could be made and is kept, whatever became of the text. */
export type CutResult =
  | {
      readonly known: true;
      readonly pieces: readonly Piece[];
      readonly notes: readonly string[];
      readonly problems?: never;
    }
  | { readonly known: boolean; readonly problems: readonly Problem[] };

export type GpuValues = ReadonlyMap<string, Float32Array>;

export interface Difference {
  readonly value: number;
  readonly step: string;
}

export interface Computed {
  readonly problems: readonly Problem[];
  readonly milliseconds: number;
}

/** Which GPU may be asked, and whether WebAssembly may stand in for it. */
export interface PreviewRequest {
  readonly gpu: 'never' | 'hardware' | 'any';
  readonly wasm: boolean;
  /** Multiply-adds from which a hardware GPU is worth asking; measured where it is not known. */
  readonly crossover?: number;
}

export interface RanBy {
  readonly by: 'WebGPU' | 'WASM';
  /** Why no GPU did it, where one was asked. */
  readonly noGpu?: Problem;
  /** Multiply-adds from which the GPU is ahead of WebAssembly, where that was measured or given. */
  readonly crossover?: number;
}

export interface Previewed extends Computed, RanBy {}

export type WorkerCall = {
  readonly id: number;
  readonly method: keyof WorkerMethods;
  readonly args: readonly unknown[];
};
export type WorkerMessage =
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly message: string }
  | { readonly type: 'progress'; readonly step: string; readonly done: number; readonly total: number };

export interface Remote extends WorkerMethods {
  /** Ends the worker; every question that is open is rejected. */
  stop(): void;
}

/** Said to whoever waits for a worker that was stopped. */
export class Stopped extends Error {}

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

/**
 * Starts a worker from its source text (a blob: a page loads no second script). Every question is answered, or rejected
 * when the worker fails or is stopped: none waits for ever.
 */
export function startRemote(source: string, onProgress: OnProgress): Remote {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  return remoteOf(workerAt(url), { onProgress, ended: () => URL.revokeObjectURL(url) });
}

/** What is needed of a worker. */
type Served = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>;

/** A worker; where the page may make none (its policy, a browser without them), one that refuses every question with the reason. */
function workerAt(url: string): Served {
  try {
    return new Worker(url, { name: 'attention' });
  } catch (error) {
    const reason = t('no worker can be started: {0}', error instanceof Error ? error.message : String(error));
    const refuse = (): never => {
      throw new Error(reason);
    };
    return { postMessage: refuse, terminate: () => undefined, onmessage: null, onerror: null, onmessageerror: null };
  }
}

type OnProgress = (step: string, done: number, total: number) => void;

interface RemoteEvents {
  readonly onProgress?: OnProgress;
  /** The worker failed or was stopped. */
  readonly ended?: () => void;
}

/** A worker that was started just now, behind its methods. */
export function remoteOf(worker: Served, { onProgress, ended: onEnd }: RemoteEvents = {}): Remote {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let ended: Error | undefined;

  const end = (error: Error): void => {
    ended ??= error;
    worker.terminate();
    onEnd?.();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === 'progress') return onProgress?.(data.step, data.done, data.total);
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.type === 'answer') asked?.resolve(data.value as never);
    else asked?.reject(new Error(data.message));
  };
  worker.onerror = (event) => end(new Error(t('the worker failed: {0}', event.message || t('no reason given'))));
  worker.onmessageerror = () => end(new Error(t('a message of the worker could not be read')));

  const call =
    <M extends keyof WorkerMethods>(method: M) =>
    (...args: Parameters<WorkerMethods[M]>): ReturnType<WorkerMethods[M]> =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        const id = next++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, method, args } satisfies WorkerCall);
      }) as ReturnType<WorkerMethods[M]>;
  return {
    compute: call('compute'),
    preview: call('preview'),
    read: call('read'),
    runOverview: call('runOverview'),
    extremeRows: call('extremeRows'),
    explainCell: call('explainCell'),
    whereItGoes: call('whereItGoes'),
    insights: call('insights'),
    shuffle: call('shuffle'),
    readShuffled: call('readShuffled'),
    values: call('values'),
    compare: call('compare'),
    releasePreview: call('releasePreview'),
    beginStripes: call('beginStripes'),
    stripe: call('stripe'),
    tokenize: call('tokenize'),
    stop: () => end(new Stopped('stopped')),
  };
}
