// Runs before the page: its workers are started with a few lines before their own, which hold the first one back between its parts, and tell what
// a second one is asked (in the document's data-rows), or lose it.
{
  const { processors = 4, loss = '' } = globalThis.rowsPlan ?? {};
  const said = new BroadcastChannel('rows');
  const told = [];
  said.onmessage = ({ data }) => {
    told.push(data);
    document.documentElement.dataset.rows = told.join(' ');
  };
  const inWorkers = ([processors, loss]) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: processors });
    if (self.name !== 'attention rows') {
      const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (...args) {
        setTimeout(() => post.apply(this, args), 150);
      };
      return;
    }
    const said = new BroadcastChannel('rows');
    said.postMessage('started');
    self.addEventListener('message', ({ data }) => {
      said.postMessage(data.method);
      if (data.method !== 'rows' || !loss) return;
      // Not heard by the worker itself any more.
      if (loss === 'error') throw new Error('lost on purpose');
      self.close();
    });
  };
  const Real = globalThis.Blob;
  globalThis.Blob = class extends Real {
    constructor(parts, options) {
      const lines = `(${inWorkers})(${JSON.stringify([processors, loss])});\n`;
      super(options?.type === 'text/javascript' ? [lines, ...parts] : parts, options);
    }
  };
}
