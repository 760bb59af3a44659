import {
  computeRows,
  wasmKernels,
  type RowHelper,
  type RowSpan,
  type RowValues,
  type RowWork,
} from '../../engine/index';
import { remoteOf, type WorkerMethods } from '../remote';

/*
 * A second worker beside a preview's, for rows of queries (`runWasmShared`): by messages, since a webview has no SharedArrayBuffer. The preview's
 * worker starts it from its own script, so that it ends with it, and the page knows nothing of it.
 */

let helper: RowHelper | undefined;

/**
 * Undefined where no processor is free for it (two are busy: one with this preview, one with the exact values), or no worker can start another.
 * Starts it at the first call; later ones give the same.
 */
export function secondWorker(): RowHelper | undefined {
  if (navigator.hardwareConcurrency < 3 || typeof Worker === 'undefined') return undefined;
  return (helper ??= start());
}

function start(): RowHelper | undefined {
  try {
    const worker = new Worker(location.href, { name: 'attention rows' });
    // Its errors would go on to this worker, and end it too.
    worker.addEventListener('error', (event) => event.preventDefault());
    const remote = remoteOf(worker, {
      // A worker that was lost is replaced at the next preview.
      ended: () => (helper = undefined),
    });
    return {
      // A loss is told to whoever waits for rows.
      begin: (work) => void remote.beginRows(work).catch(() => undefined),
      rows: remote.rows,
    };
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
    async rows(range: RowSpan): Promise<RowValues> {
      if (!work) throw new Error('no rows have been begun');
      return computeRows(work, (own ??= wasmKernels()), range);
    },
  };
}
