/* Computing a spec: in the page's own thread if it is small, else in a worker, with a float32 preview of large inputs. */

export { createCompute, isSmall, type Compute } from './compute';
export { startRemote, Stopped, type Remote, type TokenizerSource } from './remote';
export { serve } from './worker';
