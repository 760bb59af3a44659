// What the extension reads before anyone asks for anything: VS Code is played by an object that answers everything.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const read: string[] = [];

/** Anything: calls, fields and constructors all give more of it. */
const anything = (name: string): unknown =>
  new Proxy(function () {} as unknown as object, {
    get(_, field) {
      if (field === Symbol.toPrimitive) return () => name;
      if (field === Symbol.iterator) return function* () {};
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
  readonly _cache: Readonly<Record<string, unknown>>;
}

const { contributes } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
  contributes: { commands: readonly { command: string }[] };
};
const saved = new Map<string, unknown>();
const memento = {
  get: (key: string, initial: unknown) => saved.get(key) ?? initial,
  update: () => undefined,
  setKeysForSync: () => undefined,
};
const context = () => ({
  extension: { packageJSON: { contributes } },
  extensionUri: {},
  workspaceState: memento,
  globalState: memento,
  subscriptions: [] as unknown[],
});

describe('starting up', () => {
  // An import copies what a module owns, and keeps its prototype.
  const module = Object.create(anything('vscode') as object) as object;
  // What an import copies is put there before.
  const documents: { languageId: string; lineCount: number; getText: () => string }[] = [];
  const opened: ((document: object) => void)[] = [];
  const workspace = new Proxy(anything('vscode.workspace') as object, {
    get: (target, field) =>
      field === 'textDocuments'
        ? documents
        : field === 'onDidOpenTextDocument'
          ? (listen: (document: object) => void) => (opened.push(listen), { dispose: () => undefined })
          : (Reflect.get(target, field) as unknown),
  });
  const nothing = () => ({ dispose: () => undefined });
  const EventEmitter = class { event = nothing; fire = nothing; dispose = nothing; }; // prettier-ignore
  Object.defineProperties(module, { workspace: { value: workspace, enumerable: true }, EventEmitter: { value: EventEmitter, enumerable: true } }); // prettier-ignore
  const loader = Module as unknown as Loader;
  const load = loader._load;
  before(() => void (loader._load = (request, ...rest) => (request === 'vscode' ? module : load.call(loader, request, ...rest)))); // prettier-ignore
  after(() => void (loader._load = load));
  /** Ours that were loaded. */
  const loaded = (): string[] => Object.keys(loader._cache).filter((path) => /[\\/](extension|engine|webview)[\\/]/.test(path) && !/[\\/]test[\\/]/.test(path)); // prettier-ignore
  /** The scan for attention's words, whose room imports nothing. */
  const isScan = (path: string): boolean => /engine[\\/]python[\\/]/.test(path);
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const extension = () => require('../../../extension/extension') as typeof import('../../../extension/extension');

  it('loads nothing of the engine, the page or what explains', function () {
    if (loaded().some((path) => /[\\/]engine[\\/]/.test(path) && !isScan(path))) this.skip();
    const started = context();
    extension().activate(started as never);
    assert.ok(started.subscriptions.length >= 5);
    const files = loaded().map((path) => relative(join(__dirname, '../../../extension'), path).replaceAll('\\', '/'));
    const activation = [
      'attention-code.ts',
      'index.ts',
      'lesson-block.ts',
      'names.ts',
      'next-turn.ts',
      'open-document.ts',
    ].map((name) => `activation/${name}`);
    const scan = ['imports.ts', 'index.ts', 'words.ts'].map((name) => `../engine/python/${name}`);
    assert.deepEqual(files.sort(), [...activation, 'extension.ts', 'hover-settings/index.ts', ...scan].sort());
  });

  it('loads the rest for a program only once one has the words of attention, and asks no process before', async function () {
    const isLate = (): boolean => loaded().some((path) => /[\\/]late\.ts$/.test(path));
    if (isLate()) this.skip();
    const python = (text: string, languageId = 'python') => ({ languageId, lineCount: 1, getText: () => text });
    documents.push(python('import numpy as np\nx = np.ones(3)'));
    // What is no Python, although it has the words.
    documents.push(
      python('softmax = 1', 'plaintext'),
      python('import softmax = here', 'markdown'),
      python('x = softmax(q)', 'java'),
      // Its words without a formula, and formulas without its words.
      python('Attention, and softmax of scores', 'latex'),
      python('It is $x^T y$', 'markdown'),
    );
    extension().activate(context() as never);
    await new Promise((done) => setTimeout(done, 20));
    for (const listen of opened) listen(python('import torch\nx = torch.relu(y)'));
    assert.equal(isLate(), false);
    for (const listen of opened) listen(python('y = tf.keras.layers.AdditiveAttention()([q, v])'));
    assert.equal(isLate(), true);
  });

  it('leaves what reads programs to its own process: of it the bundle has names and words alone', async () => {
    const { metafile } = await build({
      ...{
        entryPoints: [join(__dirname, '../../../extension/late.ts')],
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
      },
      ...{
        format: 'cjs',
        platform: 'browser',
        target: 'es2022',
        external: ['vscode'],
        logLevel: 'error',
        outdir: 'out',
      },
    });
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
    const bytes = (path: RegExp): number => inputs.filter(([name]) => path.test(name)).reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0); // prettier-ignore
    assert.ok(bytes(/(^|\/)engine\/spec\//) > 50_000, 'the bundle has the engine');
    assert.equal(bytes(/py-ast/), 0);
    assert.ok(bytes(/(^|\/)engine\/program\//) < 20_000, `${bytes(/(^|\/)engine\/program\//)} bytes`);
  });

  it('registers the commands that package.json names, and each of them does something once it is asked', () => {
    const started = context();
    assert.deepEqual(extension().commandsOf(started as never), contributes.commands.map(({ command }) => command)); // prettier-ignore
    assert.ok(contributes.commands.length > 10);
    const late = extension().late();
    const given = late.start(started as never);
    assert.deepEqual(late.unimplementedCommands(extension().commandsOf(started as never)), []);
    assert.deepEqual(late.unimplementedCommands(['explainAttention.none']), ['explainAttention.none']);
    assert.throws(() => given.run('explainAttention.none', []), /none does nothing/);
  });

  it('reads no file, and no vocabulary above all', () => {
    read.length = 0;
    const started = context();
    extension().activate(started as never);
    extension()
      .late()
      .start(started as never);
    assert.ok(read.includes('vscode.commands.registerCommand'), read.join());
    assert.deepEqual(
      read.filter((call) => call.startsWith('vscode.workspace.fs')),
      [],
    );
  });
});
