import {
  alongRoad,
  copiedRows,
  wasmKernels,
  type OverviewHelper,
  type RoadPart,
  type RoadWork,
  type Surveyed,
} from '../../engine/index';
import { remoteOf, type Remote, type WorkerMethods } from './remote';

/*
 * A second worker beside that of the exact values, for rows of an overview: by messages, since a webview has no SharedArrayBuffer. The worker
 * that it helps starts it from its own script, so that it ends with it, and the page knows nothing of it.
 */

let helper: Remote | undefined;

/** For an overview, whose input has no preview: two processors are enough. One that helped an earlier overview ends. */
export function startOverviewHelper(): OverviewHelper | undefined {
  endOverviewHelper();
  if (navigator.hardwareConcurrency < 2 || typeof Worker === 'undefined') return undefined;
  const remote = start();
  helper = remote;
  return (
    remote && {
      begin: (work) => void remote.beginStripes(work).catch(() => undefined),
      go: remote.stripe,
    }
  );
}

export function endOverviewHelper(): void {
  helper?.stop();
  helper = undefined;
}

function start(): Remote | undefined {
  try {
    const worker = new Worker(location.href, { name: 'attention stripes' });
    // Its errors would go on to this worker, and end it too.
    worker.addEventListener('error', (event) => event.preventDefault());
    return remoteOf(worker);
  } catch {
    return undefined;
  }
}

/** Lets other messages of this worker in. No timer: browsers hold those back for 4 ms once they follow one another. */
export function yieldToMessages(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(undefined);
  });
}

/** The other side. */
export function createOverviewStripes(): Pick<WorkerMethods, 'beginStripes' | 'stripe'> {
  let go: ((part: RoadPart) => Surveyed) | undefined;
  return {
    async beginStripes(work: RoadWork) {
      go = alongRoad(work, wasmKernels());
    },
    async stripe(part: RoadPart) {
      if (!go) throw new Error('no stripes have been begun');
      return copiedRows(go(part));
    },
  };
}
