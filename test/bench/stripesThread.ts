// A worker thread that computes stripes of an overview for the main thread, as webview/compute/overview-worker.ts does in a page. It also runs the peak probe on request.
import { parentPort } from 'node:worker_threads';
import { wasmKernels } from '../../engine/run/backend/wasm';
import { fusedRunner, copyResult } from '../../engine/run/large/fused-kernel';
import type { FusedChunk, FusedInputs } from '../../engine/run/large/fused-chunk';
import { peakProbe, sustained } from './peak-probe';

export type Told =
  | { readonly road: FusedInputs }
  | { readonly stripe: FusedChunk; readonly id: number }
  | { readonly peak: Uint8Array<ArrayBuffer>; readonly milliseconds: number; readonly id: number };

let go: ReturnType<typeof fusedRunner> | undefined;
let probe: (() => number) | undefined;
const probeOf = (module: Uint8Array<ArrayBuffer>): (() => number) => (probe ??= peakProbe(module));

parentPort?.on('message', (told: Told) => {
  if ('road' in told) go = fusedRunner(told.road, wasmKernels());
  else if ('stripe' in told) parentPort?.postMessage({ id: told.id, values: go && copyResult(go(told.stripe)) });
  else parentPort?.postMessage({ id: told.id, values: sustained(probeOf(told.peak), told.milliseconds) });
});
