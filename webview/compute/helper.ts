import {
  alongRoad,
  computeRows,
  copiedRows,
  roomsFor,
  wasmKernels,
  type OverviewHelper,
  type RoadPart,
  type RoadWork,
  type RowHelper,
  type RowSpan,
  type RowValues,
  type RowWork,
  type Surveyed,
} from '../../engine/index';
import { remoteOf, type Remote, type WorkerMethods } from '../remote';

/*
 * A second worker beside a preview's, for rows of queries (`runWasmShared`), or beside that of the exact values, for rows of its overview: by
 * messages, since a webview has no SharedArrayBuffer. The worker that it helps starts it from its own script, so that it ends with it, and the page
 * knows nothing of it.
 */

let helper: RowHelper | undefined;

/**
 * Undefined where no processor is free for it (two are busy: one with this preview, one with the exact values), or no worker can start another.
 * Starts it at the first call; later ones give the same.
 */
export function secondWorker(): RowHelper | undefined {
  if (navigator.hardwareConcurrency < 3 || typeof Worker === 'undefined') return undefined;
  // A worker that was lost is replaced at the next preview.
  const remote = helper ? undefined : start('attention rows', () => (helper = undefined));
  return (helper ??= remote && {
    // A loss is told to whoever waits for rows.
    begin: (work) => void remote.beginRows(work).catch(() => undefined),
    rows: remote.rows,
  });
}

let surveyor: Remote | undefined;

/** For an overview, whose input has no preview: two processors are enough. One that helped an earlier overview ends. */
export function startSurveyor(): OverviewHelper | undefined {
  endSurveyor();
  if (navigator.hardwareConcurrency < 2 || typeof Worker === 'undefined') return undefined;
  const remote = start('attention stripes');
  surveyor = remote;
  return (
    remote && {
      begin: (work) => void remote.beginStripes(work).catch(() => undefined),
      go: remote.stripe,
    }
  );
}

export function endSurveyor(): void {
  surveyor?.stop();
  surveyor = undefined;
}

function start(name: string, ended?: () => void): Remote | undefined {
  try {
    const worker = new Worker(location.href, { name });
    // Its errors would go on to this worker, and end it too.
    worker.addEventListener('error', (event) => event.preventDefault());
    return remoteOf(worker, ended ? { ended } : {});
  } catch {
    return undefined;
  }
}

/** Lets other messages of this worker in. No timer: browsers hold those back for 4 ms once they follow one another. */
export function messageTurn(): Promise<void> {
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
export function createRows(): Pick<WorkerMethods, 'beginRows' | 'rows'> {
  let work: RowWork | undefined;
  let own: ReturnType<typeof wasmKernels> | undefined;
  return {
    async beginRows(given: RowWork) {
      work = given;
    },
    async rows(range: RowSpan, spare: RowValues | undefined): Promise<RowValues> {
      if (!work) throw new Error('no rows have been begun');
      return computeRows(work, (own ??= wasmKernels()), range, roomsFor(work, range, spare));
    },
  };
}

export function createStripes(): Pick<WorkerMethods, 'beginStripes' | 'stripe'> {
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
