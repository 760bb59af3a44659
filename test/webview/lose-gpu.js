// Runs before the page: `loseGpu()` destroys the devices of all workers, as a driver does that is reset.
{
  const told = [];
  const inWorker = `{
    const { requestDevice } = GPUAdapter.prototype;
    const devices = [];
    GPUAdapter.prototype.requestDevice = async function (...args) {
      const device = await requestDevice.apply(this, args);
      devices.push(device);
      return device;
    };
    addEventListener('message', async (event) => {
      if (event.data !== 'lose the GPU') return;
      event.stopImmediatePropagation();
      devices.forEach((device) => device.destroy());
      await Promise.all(devices.map((device) => device.lost));
      postMessage({ type: 'answer', id: 'lost', value: devices.length });
    });
  }\n`;
  const Blobs = globalThis.Blob;
  globalThis.Blob = class extends Blobs {
    constructor(parts, options) {
      super(options?.type === 'text/javascript' ? [inWorker, ...parts] : parts, options);
    }
  };
  const Workers = globalThis.Worker;
  globalThis.Worker = class extends Workers {
    constructor(...args) {
      super(...args);
      told.push(this);
    }
  };
  /** How many devices there were. */
  globalThis.loseGpu = async () => {
    const counts = told.map(
      (worker) =>
        new Promise((done) => {
          worker.addEventListener('message', ({ data }) => data.id === 'lost' && done(data.value));
          worker.postMessage('lose the GPU');
        }),
    );
    return (await Promise.all(counts)).reduce((a, b) => a + b, 0);
  };
}
