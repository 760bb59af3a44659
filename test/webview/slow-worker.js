// Runs before the page: lets a test hold back, answer or break what the page asks of its workers.
globalThis.workers = { started: 0, gpuAsked: 0 };
const held = [];
globalThis.releaseWorkers = () => held.splice(0).forEach((send) => send());
{
  const { hold = '', answer = {}, crash = '' } = globalThis.workerPlan ?? {};
  const Real = globalThis.Worker;
  globalThis.Worker = class extends Real {
    constructor(...args) {
      super(...args);
      globalThis.workers.started++;
    }
    postMessage(message, ...rest) {
      const { id, method } = message;
      const given = answer[method];
      if (method === crash) this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
      else if (given) this.dispatchEvent(new MessageEvent('message', { data: { type: 'answer', id, value: given } }));
      else if (method === hold) held.push(() => super.postMessage(message, ...rest));
      else super.postMessage(message, ...rest);
    }
  };
  const { gpu } = navigator;
  Object.defineProperty(navigator, 'gpu', {
    get() {
      globalThis.workers.gpuAsked++;
      return gpu;
    },
  });
}
