import {
  providedModel,
  t,
  type AttentionSpec,
  type CellExplanation,
  type CellValue,
  type ExtremeRows,
  type Insight,
  type Model,
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

/** The requests that a worker answers. `compute` or `preview` must come first; all others except `tokenize` and `provide` are about its trace. */
export interface WorkerMethods {
  /** Exact values, on the CPU. */
  compute(spec: AttentionSpec): Promise<Result<Computed>>;
  /** float32 values by WebGPU or WebAssembly. The problem's message says why there are none. */
  preview(spec: AttentionSpec, wish: PreviewRequest): Promise<Result<Previewed>>;
  read(step: string, request: TileRequest | undefined): Promise<Tile>;
  /** The rows of weights with lowest and highest entropy; undefined if there are none, or if a newer request came. */
  extremeRows(step: string, request: Pick<TileRequest, 'batch' | 'head'>): Promise<ExtremeRows | undefined>;
  /** Stops or resumes the overview of steps that are not held in memory. */
  runOverview(go: boolean): Promise<void>;
  explainCell(step: string, index: readonly number[]): Promise<CellExplanation>;
  whereItGoes(step: string, index: readonly number[]): Promise<readonly CellValue[]>;
  insights(step: string, index: readonly number[]): Promise<readonly Insight[]>;
  shuffle(seed: number): Promise<Shuffling | undefined>;
  readShuffled(seed: number, step: string, request?: TileRequest): Promise<Tile>;
  /** Values `from` (inclusive) to `to` (exclusive) of a preview's step; they are read back from the GPU only now. */
  values(step: string, from: number, to: number): Promise<Float32Array>;
  /** Largest difference between a step's exact values and a preview's: `values` are whole rows from offset `from` on. */
  compare(step: string, from: number, values: Float32Array): Promise<number>;
  /** Frees the preview, but not the device and its kernels. Returns what computed it, as a GPU may have been lost meanwhile. */
  releasePreview(): Promise<RanBy>;
  /** Sets the inputs for subsequent `stripe` requests. */
  beginStripes(work: FusedInputs): Promise<void>;
  /** Computes some rows of an overview, for the worker that computes the others. */
  stripe(part: FusedChunk): Promise<PooledAttentionResult>;
  /** Tokenizes a spec's text. The tokenizer is made from `source`, or is one that the worker made and kept before. */
  tokenize(spec: AttentionSpec, source: TokenizerSource | undefined): Promise<CutResult>;
  /** A model that a spec names: sent before the first request with such a spec. */
  provide(model: Model): Promise<void>;
}

/** A vocabulary file's bytes, or the text of a tokenizer.json or vocab.txt. */
export type TokenizerSource = { readonly bytes: Uint8Array } | { readonly text: string };

/** `known`: the tokenizer was made and is kept, even if the text could not be tokenized. */
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

/** Which GPU may be used, and whether WebAssembly may replace it. */
export interface PreviewRequest {
  readonly gpu: 'never' | 'hardware' | 'any';
  readonly wasm: boolean;
  /** Multiply-adds from which a hardware GPU is faster; measured if absent. */
  readonly crossover?: number;
}

export interface RanBy {
  readonly by: 'WebGPU' | 'WASM';
  /** Why a GPU that was requested was not used. */
  readonly noGpu?: Problem;
  /** Multiply-adds from which the GPU is faster than WebAssembly, if measured or given. */
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
  /** Terminates the worker; all open requests are rejected. */
  stop(): void;
}

/** The error of requests to a worker that was stopped. */
export class Stopped extends Error {}

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

/**
 * Starts a worker from its source text, as a blob, because a page's CSP allows no second script. Every request is answered, or rejected when the
 * worker fails or is stopped.
 */
export function startRemote(source: string, onProgress: OnProgress): Remote {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  return remoteOf(workerAt(url), { onProgress, ended: () => URL.revokeObjectURL(url) });
}

/** The part of `Worker` that is used here. */
type Served = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>;

/** A worker. If the page cannot create one (CSP, an old browser), a substitute that rejects every request with the reason. */
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

/** The model of a spec among a call's arguments. */
function modelOf(argument: unknown): Model | undefined {
  const { model } = (argument ?? {}) as { readonly model?: { readonly name: string; readonly sha256: string } };
  return model?.sha256 === undefined ? undefined : providedModel(model);
}

interface RemoteEvents {
  readonly onProgress?: OnProgress;
  /** The worker failed or was stopped. */
  readonly ended?: () => void;
}

/** Wraps a new worker as an object with its methods. */
export function remoteOf(worker: Served, { onProgress, ended: onEnd }: RemoteEvents = {}): Remote {
  const waiting = new Map<number, Waiting>();
  /** The models that the worker has been sent, which no spec carries. */
  const models = new Set<string>();
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
        const model = modelOf(args[0]);
        if (model && !models.has(model.sha256)) {
          models.add(model.sha256);
          worker.postMessage({ id: next++, method: 'provide', args: [model] } satisfies WorkerCall);
        }
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
    provide: call('provide'),
    stop: () => end(new Stopped('stopped')),
  };
}
