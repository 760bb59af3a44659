// Runs before the page: its workers are started with a few lines before their own, which hold the first one back between its parts (if `held`, after
// two turns, until the page says go), and tell what a second one is asked (in the document's data-rows), or lose it.
{
  const { processors = 4, loss = '', held = false } = globalThis.rowsPlan ?? {};
  const said = new BroadcastChannel('rows');
  const told = [];
  said.onmessage = ({ data }) => {
    told.push(data);
    document.documentElement.dataset.rows = told.join(' ');
  };
  const inWorkers = ([processors, loss, held]) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: processors });
    if (self.name === 'attention') {
      const post = MessagePort.prototype.postMessage;
      let turns = 0;
      const waiting = [];
      MessagePort.prototype.postMessage = function (...args) {
        const go = () => setTimeout(() => post.apply(this, args), 150);
        if (held && ++turns > 2) waiting.push(go);
        else go();
      };
      new BroadcastChannel('rows-go').onmessage = () => {
        held = false;
        waiting.splice(0).forEach((go) => go());
      };
      return;
    }
    const said = new BroadcastChannel('rows');
    said.postMessage('started');
    self.addEventListener('message', ({ data }) => {
      said.postMessage(data.method);
      if (data.method !== 'stripe' || !loss) return;
      // Not heard by the worker itself any more.
      if (loss === 'error') throw new Error('lost on purpose');
      self.close();
    });
  };
  const Real = globalThis.Blob;
  globalThis.Blob = class extends Real {
    constructor(parts, options) {
      const lines = `(${inWorkers})(${JSON.stringify([processors, loss, held])});\n`;
      super(options?.type === 'text/javascript' ? [lines, ...parts] : parts, options);
    }
  };
}
