import {
  fusedRunner,
  copyPooledResult,
  wasmKernels,
  type OverviewHelper,
  type FusedChunk,
  type FusedInputs,
  type PooledAttentionResult,
} from '../../engine/index';
import { remoteOf, type Remote, type WorkerMethods } from './remote';

/*
 * A second worker that computes rows of an overview for the worker of the exact values. They exchange messages, since a webview has no
 * SharedArrayBuffer. The first worker starts the second from its own script, so that both end together.
 */

let helper: Remote | undefined;

/** Starts the helper for an overview and ends an earlier one. Needs two processors. */
export function startOverviewHelper(): OverviewHelper | undefined {
  endOverviewHelper();
  if (navigator.hardwareConcurrency < 2 || typeof Worker === 'undefined') return undefined;
  const remote = start();
  helper = remote;
  return (
    remote && {
      begin: (work) => void remote.beginStripes(work).catch(() => undefined),
      compute: remote.stripe,
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
    // Otherwise its errors would propagate to this worker and end it too.
    worker.addEventListener('error', (event) => event.preventDefault());
    return remoteOf(worker);
  } catch {
    return undefined;
  }
}

/** Lets this worker handle waiting messages. Not a timer: browsers delay repeated timers by 4 ms. */
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

/** The helper's methods. */
export function createOverviewStripes(): Pick<WorkerMethods, 'beginStripes' | 'stripe'> {
  let go: ((part: FusedChunk) => PooledAttentionResult) | undefined;
  return {
    async beginStripes(work: FusedInputs) {
      go = fusedRunner(work, wasmKernels());
    },
    async stripe(part: FusedChunk) {
      if (!go) throw new Error('no stripes have been begun');
      return copyPooledResult(go(part));
    },
  };
}
