// What the extension reads before anyone asks for anything: VS Code is played by an object that answers everything.
import assert from 'node:assert/strict';
import Module from 'node:module';

const read: string[] = [];

/** Anything: calls, fields and constructors all give more of it. */
const anything = (name: string): unknown =>
  new Proxy(function () {} as unknown as object, {
    get(_, field) {
      if (field === Symbol.toPrimitive) return () => name;
      if (field === 'then' || typeof field === 'symbol') return undefined;
      return anything(`${name}.${field}`);
    },
    apply() {
      read.push(name);
      return anything(`${name}()`);
    },
    construct: () => ({}),
  });

interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

describe('starting up', () => {
  it('reads no file, and no vocabulary above all', () => {
    // An import copies what a module owns, and keeps its prototype.
    const module = Object.create(anything('vscode') as object) as object;
    const loader = Module as unknown as Loader;
    const load = loader._load;
    loader._load = (request, ...rest) => (request === 'vscode' ? module : load.call(loader, request, ...rest));
    try {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      const { activate } = require('../../../extension/extension') as { activate(context: unknown): void };
      const subscriptions: unknown[] = [];
      const memento = { get: (_: string, initial: unknown) => initial, update: () => undefined };
      const extension = { packageJSON: {} };
      activate({ extension, extensionUri: {}, workspaceState: memento, globalState: memento, subscriptions });
      assert.ok(subscriptions.length >= 5);
      assert.ok(read.includes('vscode.commands.registerCommand'), read.join());
      assert.deepEqual(
        read.filter((call) => call.startsWith('vscode.workspace.fs')),
        [],
      );
    } finally {
      loader._load = load;
    }
  });
});
