// A thread that computes rows, or an overview's stripes, for another, as webview/compute/helper.ts does in a page; and one that runs the peak probe when it is told.
import { parentPort } from 'node:worker_threads';
import { computeRows, roomsFor, type RowSpan, type RowValues, type RowWork } from '../../engine/backend/wasm/rows';
import { kernels } from '../../engine/backend/wasm';
import { alongRoad, copied, type RoadPart, type RoadWork } from '../../engine/large/along';
import { peakProbe, sustained } from './peak-probe';

export type Told =
  | { readonly begin: RowWork }
  | { readonly rows: RowSpan; readonly spare: RowValues | undefined; readonly id: number }
  | { readonly road: RoadWork }
  | { readonly stripe: RoadPart; readonly id: number }
  | { readonly peak: Uint8Array<ArrayBuffer>; readonly milliseconds: number; readonly id: number };

const own = kernels();
let work: RowWork | undefined;
let go: ReturnType<typeof alongRoad> | undefined;
let probe: (() => number) | undefined;
const probeOf = (module: Uint8Array<ArrayBuffer>): (() => number) => (probe ??= peakProbe(module));

parentPort?.on('message', (told: Told) => {
  if ('begin' in told) work = told.begin;
  else if ('road' in told) go = alongRoad(told.road, kernels());
  else if ('stripe' in told) parentPort?.postMessage({ id: told.id, values: go && copied(go(told.stripe)) });
  else if ('peak' in told)
    parentPort?.postMessage({ id: told.id, values: sustained(probeOf(told.peak), told.milliseconds) });
  else if (work) {
    const values = computeRows(work, own, told.rows, roomsFor(work, told.rows, told.spare));
    const buffers = new Set([...values.values()].map(({ buffer }) => buffer as ArrayBuffer));
    parentPort?.postMessage({ id: told.id, values }, [...buffers]);
  }
});
