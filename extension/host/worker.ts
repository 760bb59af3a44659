import * as vscode from 'vscode';
import { asBrowserWorker } from '../../engine/index';

/** A worker that takes messages of one type. */
export interface HostWorker<To> {
  post(message: To): void;
  end(): void;
}

/** The part of Node's `worker_threads` that is used. */
interface NodeWorker {
  postMessage(message: unknown): void;
  on(event: 'message' | 'error' | 'exit', heard: (value: never) => void): void;
  terminate(): unknown;
  unref(): void;
}
interface NodeThreads {
  readonly Worker: new (code: string, options: { eval: true; workerData: string }) => NodeWorker;
}

/** The part of a browser's worker that is used, in an extension host that runs in a browser. */
interface BrowserWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
interface Host {
  readonly process?: { getBuiltinModule?(name: string): unknown };
  readonly Worker?: new (url: string) => BrowserWorker;
  readonly Blob: new (parts: readonly unknown[], options: { type: string }) => object;
  readonly URL: { createObjectURL(blob: object): string; revokeObjectURL(url: string): void };
}

const host = globalThis as unknown as Host;

/**
 * Starts a bundle in a worker of the current host. Calls `got` for each message, and `lost` if the worker ends by itself. Throws if the host has no
 * workers.
 */
export async function startWorker<To, From>(
  bundle: vscode.Uri,
  got: (message: From) => void,
  lost: (why: string) => void,
): Promise<HostWorker<To>> {
  const threads = host.process?.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined;
  return threads ? inNode(threads, bundle, got, lost) : inBrowser(bundle, got, lost);
}

function inNode<To, From>(
  { Worker }: NodeThreads,
  bundle: vscode.Uri,
  got: (message: From) => void,
  lost: (why: string) => void,
): HostWorker<To> {
  const worker = new Worker(asBrowserWorker, { eval: true, workerData: bundle.fsPath });
  let isEnded = false;
  const ended = (why: string): void => {
    if (!isEnded) lost(why);
    isEnded = true;
  };
  worker.on('message', got);
  worker.on('error', (error: unknown) => ended(String(error)));
  worker.on('exit', (code: number) => ended(`exit ${code}`));
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    end() {
      isEnded = true;
      worker.terminate();
    },
  };
}

async function inBrowser<To, From>(
  bundle: vscode.Uri,
  got: (message: From) => void,
  lost: (why: string) => void,
): Promise<HostWorker<To>> {
  if (!host.Worker) throw new Error('this host has no workers');
  const code = await vscode.workspace.fs.readFile(bundle);
  const url = host.URL.createObjectURL(new host.Blob([code], { type: 'text/javascript' }));
  const worker = new host.Worker(url);
  worker.onmessage = ({ data }) => got(data as From);
  worker.onerror = ({ message = 'an error' }) => lost(message);
  return {
    post: (message) => worker.postMessage(message),
    end() {
      worker.terminate();
      host.URL.revokeObjectURL(url);
    },
  };
}
