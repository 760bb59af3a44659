// A thread that computes an overview's stripes for another, as webview/compute/overview-worker.ts does in a page; and one that runs the peak probe when it is told.
import { parentPort } from 'node:worker_threads';
import { kernels } from '../../engine/run/backend/wasm';
import { alongRoad, copied } from '../../engine/run/large/along';
import type { RoadPart, RoadWork } from '../../engine/run/large/road-work';
import { peakProbe, sustained } from './peak-probe';

export type Told =
  | { readonly road: RoadWork }
  | { readonly stripe: RoadPart; readonly id: number }
  | { readonly peak: Uint8Array<ArrayBuffer>; readonly milliseconds: number; readonly id: number };

let go: ReturnType<typeof alongRoad> | undefined;
let probe: (() => number) | undefined;
const probeOf = (module: Uint8Array<ArrayBuffer>): (() => number) => (probe ??= peakProbe(module));

parentPort?.on('message', (told: Told) => {
  if ('road' in told) go = alongRoad(told.road, kernels());
  else if ('stripe' in told) parentPort?.postMessage({ id: told.id, values: go && copied(go(told.stripe)) });
  else parentPort?.postMessage({ id: told.id, values: sustained(probeOf(told.peak), told.milliseconds) });
});
