import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createTensorFiles, openTensorFileCommand as command } from '../../../extension/files/tensor-file';
import { createReport } from '../../../extension/host/report';
import { parseHostMessage, type HostMessage, type SourceState } from '../../../webview/protocol';
import {
  closeAll,
  explain,
  extensionId,
  fakePanels,
  inputBoxes,
  notifications,
  open,
  run,
  select,
  until,
} from './host';

/** Files that are on no disk, as in a virtual workspace; the provider tells of changes. */
const scheme = `tensors-${Date.now().toString(36)}`;
/** A file's size may be claimed, and its content may be slow to come. */
interface File {
  readonly content: Uint8Array;
  readonly mtime: number;
  readonly size?: number;
  readonly arrives?: Promise<unknown>;
}
const files = new Map<string, File>();
const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
let count = 0;

function fileAt(uri: vscode.Uri): File {
  const file = files.get(uri.path);
  if (!file) throw vscode.FileSystemError.FileNotFound(uri);
  return file;
}

const refuse = (uri: vscode.Uri): never => {
  throw vscode.FileSystemError.NoPermissions(uri);
};

const provider: vscode.FileSystemProvider = {
  onDidChangeFile: changed.event,
  watch: () => new vscode.Disposable(() => undefined),
  stat: (uri) => {
    const { content, mtime, size = content.length } = fileAt(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size };
  },
  readFile: async (uri) => {
    const { content, arrives } = fileAt(uri);
    await arrives;
    return content;
  },
  readDirectory: () => [],
  createDirectory: refuse,
  writeFile: refuse,
  delete: refuse,
  rename: refuse,
};

function write(uri: vscode.Uri, content: Uint8Array | undefined): vscode.Uri {
  const before = files.has(uri.path);
  if (content) files.set(uri.path, { content, mtime: ++count });
  else files.delete(uri.path);
  const { Changed, Created, Deleted } = vscode.FileChangeType;
  changed.fire([{ uri, type: content ? (before ? Changed : Created) : Deleted }]);
  return uri;
}

const create = (name: string, content: Uint8Array): vscode.Uri =>
  write(vscode.Uri.from({ scheme, path: `/folder ${++count}/${name}` }), content);

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** A .npy file of float32 as np.save lays it out. */
function npy(shape: readonly number[], value: (i: number) => number): Uint8Array {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.map((n) => `${n},`).join(' ')}), }`;
  const padded = `${header.padEnd(117)}\n`;
  const numbers = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => value(i));
  const prefix = Uint8Array.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length & 255, padded.length >> 8]);
  const bytes = new Uint8Array(prefix.length + padded.length + numbers.byteLength);
  bytes.set(prefix);
  bytes.set(text(padded), prefix.length);
  bytes.set(new Uint8Array(numbers.buffer), prefix.length + padded.length);
  return bytes;
}

interface Item extends vscode.QuickPickItem {
  readonly picked?: boolean;
}

/** Answers to quick picks, in order: labels to pick, or `usual` for those that are ticked; nothing leaves the question. */
function quickPicks() {
  const shown: { labels: string[]; items: readonly Item[]; options: vscode.QuickPickOptions }[] = [];
  let answers: (readonly string[] | 'usual')[] = [];
  const original = vscode.window.showQuickPick;
  beforeEach(() => {
    shown.splice(0);
    answers = [];
    const answer = (items: readonly Item[], options: vscode.QuickPickOptions): Promise<unknown> => {
      shown.push({ labels: items.map(({ label }) => label), items, options });
      const wanted = answers.shift();
      const chosen = items.filter((item) => (wanted === 'usual' ? item.picked : wanted?.includes(item.label)));
      assert.ok(
        wanted === 'usual' || chosen.length === (wanted?.length ?? 0),
        `${String(wanted)} in ${String(shown.at(-1)?.labels)}`,
      );
      return Promise.resolve(options.canPickMany ? wanted && chosen : chosen[0]);
    };
    vscode.window.showQuickPick = answer as unknown as typeof original;
  });
  afterEach(() => {
    vscode.window.showQuickPick = original;
  });
  return { shown, answer: (...next: typeof answers) => void (answers = next) };
}

describe('files of tensors', () => {
  const panels = fakePanels();
  const errors = notifications();
  const boxes = inputBoxes();
  const picks = quickPicks();
  let registered: vscode.Disposable | undefined;
  before(() => {
    registered = vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true });
  });
  after(() => registered?.dispose());
  afterEach(() => {
    for (const { page } of panels.opened)
      for (const message of page.got) {
        const parsed = parseHostMessage(message);
        assert.ok(parsed.ok, parsed.ok ? '' : parsed.problems[0]?.message);
      }
  });
  afterEach(closeAll);

  const example = (name: string): vscode.Uri => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder, 'the tests run in a folder');
    return vscode.Uri.joinPath(folder.uri, name);
  };
  const explained = (times = 1) =>
    until(`explanation ${times}`, () => panels.page().got.filter((m) => m.type === 'explain').length === times);
  const states = (): SourceState[] =>
    panels.page().got.flatMap((message) => (message.type === 'source' ? [message.state] : []));

  it('are opened by the command: tensors by name, with shape, type and role', async () => {
    const { showOpenDialog } = vscode.window;
    let asked: vscode.OpenDialogOptions | undefined;
    vscode.window.showOpenDialog = (options) => {
      asked = options;
      return Promise.resolve([example('projections.npz')]);
    };
    picks.answer('usual');
    try {
      await run(command);
    } finally {
      vscode.window.showOpenDialog = showOpenDialog;
    }
    assert.deepEqual(Object.values(asked?.filters ?? {})[0], ['npy', 'npz', 'safetensors', 'csv', 'tsv', 'json']);
    assert.deepEqual(
      picks.shown.map(({ items }) => items.map(({ label, description, picked }) => [label, description, picked])),
      [
        [
          ['X', '3×4 float64 · X · projections.npz', true],
          ['W_q', '4×4 float64 · W_q · projections.npz', true],
          ['W_k', '4×4 float64 · W_k · projections.npz', true],
          ['W_v', '4×4 float64 · W_v · projections.npz', true],
        ],
      ],
    );
    await explained();
    const { spec, source } = panels.explanation();
    assert.equal(source.label, 'projections.npz: X, W_q, W_k, W_v');
    // NumPy: np.random.seed(3); np.random.randn(3, 4)[0], then the next 16 numbers as 4×4, [0, 0]
    assert.ok(spec.start.from === 'x' && spec.projections.from === 'given');
    assert.deepEqual(
      (spec.start.x as number[][])[0],
      [1.7886284734303186, 0.43650985051198943, 0.09649746807200862, -1.8634927033644908],
    );
    assert.equal(spec.projections.wq[0]?.[0], 0.8813180422075299);
    assert.equal(spec.dtype, 'float64');
    assert.deepEqual(errors.shown, []);
  });

  it('are opened from the Explorer, which names the file and what is selected', async () => {
    const { contributes } = vscode.extensions.getExtension(extensionId)?.packageJSON as {
      contributes: { menus: Record<string, { command: string; when: string }[]> };
    };
    const entry = contributes.menus['explorer/context']?.find((one) => one.command === command);
    const pattern = /resourceExtname =~ \/(.*)\/i$/.exec(entry?.when ?? '')?.[1];
    assert.ok(pattern, 'the menu is for certain files');
    for (const extension of ['.npy', '.npz', '.safetensors', '.csv', '.json', '.NPY'])
      assert.match(extension, new RegExp(pattern, 'i'));
    for (const extension of ['.py', '.npyx', '', '.xnpy']) assert.doesNotMatch(extension, new RegExp(pattern, 'i'));
    const [q, k] = [
      create(
        'Q.npy',
        npy([2, 2], (i) => i),
      ),
      create(
        'K.npy',
        npy([3, 2], (i) => -i),
      ),
    ];
    picks.answer('usual');
    await run(command, q, [q, k]);
    await explained();
    const { spec, source } = panels.explanation();
    assert.deepEqual(spec.start, { from: 'qkv', q: [[0, 1], [2, 3]], k: [['-0', -1], [-2, -3], [-4, -5]] }); // prettier-ignore
    assert.equal(spec.dtype, 'float32');
    assert.equal(source.label, 'Q.npy + 1: Q, K');
  });

  it('take the only tensor without a question, in a virtual workspace too', async () => {
    await run(
      command,
      create(
        'anything.npy',
        npy([2, 3], (i) => i / 2),
      ),
    );
    await explained();
    assert.deepEqual(panels.explanation().spec.start, { from: 'x', x: [[0, 0.5, 1], [1.5, 2, 2.5]] }); // prettier-ignore
    assert.equal(panels.explanation().source.label, 'anything.npy');
    assert.equal(picks.shown.length, 0);
  });

  it('keep a leading axis as heads, or take one index of it', async () => {
    picks.answer('usual', ['All 2 as heads']);
    await run(command, example('heads.safetensors'));
    await explained();
    assert.equal(picks.shown[1]?.options.placeHolder, 'attn.query is 1×2×5×4: which index of axis 1?');
    const first = panels.explanation().spec;
    assert.equal(first.heads, 2);
    assert.ok(typeof first.mask === 'object' && first.mask.kind === 'boolean');
    assert.ok(first.start.from === 'qkv' && first.start.q.length === 2 && first.start.k.length === 2);

    picks.answer('usual', ['1']);
    await run(command, example('heads.safetensors'));
    await explained(2);
    const { spec, notes } = panels.explanation();
    assert.equal(spec.heads, 1);
    assert.ok(spec.start.from === 'qkv');
    assert.deepEqual(spec.start.q, first.start.q[1]);
    assert.ok(notes.includes('attn.query: index 1 of 2 in axis 1.'), notes.join(' '));
  });

  it('keep a leading axis of X as inputs of a batch, after one index of those before it', async () => {
    const file = create(
      'batch.npy',
      npy([2, 3, 1, 2], (i) => i),
    );
    picks.answer(['1'], ['All 3 as inputs of a batch']);
    await run(command, file);
    await explained();
    assert.ok(!picks.shown[0]?.labels.some((label) => label.startsWith('All')), 'only the last leading axis');
    const { spec, notes } = panels.explanation();
    assert.deepEqual(spec.start, { from: 'x', x: [[[6, 7]], [[8, 9]], [[10, 11]]] });
    assert.ok(notes.includes('X is 3×1×2: 3 inputs of 1×2.'), notes.join(' '));
    assert.deepEqual(errors.shown, []);
  });

  it('ask for roles that names do not tell', async () => {
    const file = create('m.json', text('{"a": [[1, 2], [3, 4]], "b": [[5, 6], [7, 8]], "Q": [[1, 1], [1, 1]]}'));
    picks.answer(['a', 'b'], ['K'], ['Q']);
    await run(command, file);
    await explained();
    const { start } = panels.explanation().spec;
    assert.deepEqual(start, { from: 'qkv', q: [[5, 6], [7, 8]], k: [[1, 2], [3, 4]] }); // prettier-ignore
    assert.equal(picks.shown[1]?.options.placeHolder, 'What is a (2×2)?');
    assert.ok(!picks.shown[2]?.labels.includes('K'), 'each role once');
  });

  it('read CSV', async () => {
    await run(command, create('m.csv', text('1,2,3\n4,5,6.5\n')));
    await explained();
    assert.deepEqual(panels.explanation().spec.start, { from: 'x', x: [[1, 2, 3], [4, 5, 6.5]] }); // prettier-ignore
  });

  it('are explained whole where the steps that are too large to be held are computed when they are looked at', async () => {
    await run(
      command,
      create(
        'X.npy',
        npy([12_000, 1], (i) => i % 97),
      ),
    );
    await explained();
    assert.deepEqual(boxes.shown, []);
    const { start } = panels.explanation().spec;
    assert.ok(start.from === 'x' && start.x.length === 12_000);
  });

  it('ask for rows when all are too many, and say what all would need', async () => {
    const file = create(
      'X.npy',
      npy([40_000, 53], (i) => i),
    );
    boxes.type('100:104');
    await run(command, file);
    await explained();
    assert.match(
      boxes.shown[0]?.options.prompt ?? '',
      /^40000 rows have 2120000 numbers and need \d+ MB for the steps; the limits are 2097152 numbers and 1074 MB\./,
    );
    assert.match(boxes.shown[0]?.options.value ?? '', /^0:\d{4,5}$/);
    const { start } = panels.explanation().spec;
    assert.ok(start.from === 'x');
    assert.deepEqual(start.x[0]?.slice(0, 3), [5300, 5301, 5302]);
    assert.equal(start.x.length, 4);
    assert.ok(panels.explanation().notes.includes('X: rows 100 to 103 of 40000.'));
    for (const wrong of ['', '5', '7:3', '0:40000', '0:40001', 'a:b']) {
      boxes.type(wrong);
      await run(command, file);
      assert.ok(boxes.shown.at(-1)?.objection, wrong);
    }
    await explained(1);
  });

  it('that are damaged are named with the byte, and leave what the panel shows', async () => {
    const sound = npy([2, 2], (i) => i);
    await run(command, create('sound.npy', sound));
    await explained();
    await run(command, create('cut.npy', sound.slice(0, -3)));
    assert.equal(errors.shown.length, 1);
    assert.match(
      errors.shown[0] ?? '',
      /^byte \d+: the file ends, float32 2×2 needs 16 bytes from byte \d+ on: 3 bytes are missing \(cut\.npy\)\. Copy or download it again\.$/,
    );
    const last = panels.page().got.at(-1);
    assert.ok(last?.type === 'problems' && last.label === 'cut.npy');
    await run(command, create('model.pt', text('PK')));
    assert.match(errors.shown[1] ?? '', /it is not run \(model\.pt\)/);
    await run(command, vscode.Uri.from({ scheme, path: '/nothing.npy' }));
    assert.match(errors.shown[2] ?? '', /cannot be read: .*\(nothing\.npy\)/);
    await run(command, create('none.json', text('{"a": "b"}')));
    assert.match(errors.shown[3] ?? '', /no matrix was found/);
    await run(command, create('ragged.json', text('{\n "Q": [[1, 2], [3]]}')));
    assert.match(errors.shown[4] ?? '', /\(ragged\.json, line 2, column 16\)/);
    await explained(1);
  });

  it('are refused where their shapes do not fit, with their names', async () => {
    picks.answer(['Q', 'K']);
    await run(command, create('m.json', text('{"Q": [[1, 2], [3, 4]], "K": [[5, 6, 7], [8, 9, 10]]}')));
    assert.match(errors.shown[0] ?? '', /^K has 3 columns, Q has 2 \(m\.json\)/);
    assert.equal(panels.opened.length, 0);
  });

  it('are not read when they are larger than the limit', async () => {
    const file = create('large.npy', text(''));
    files.set(file.path, { content: text(''), mtime: 1, size: 600_000_000, arrives: new Promise(() => undefined) });
    await run(command, file);
    assert.equal(errors.shown[0], '600 MB, the limit is 536 MB (large.npy).');
    await run(command, vscode.workspace.workspaceFolders?.[0]?.uri);
    assert.match(errors.shown[1] ?? '', /^a folder, expected a file/);
  });

  it('can be cancelled while they are read, and say nothing then', async () => {
    const { withProgress } = vscode.window;
    const cancel = new vscode.CancellationTokenSource();
    let title: string | undefined;
    vscode.window.withProgress = (options, task) => {
      title = options.title;
      setTimeout(() => cancel.cancel(), 50);
      assert.equal(options.cancellable, true);
      return task({ report: () => undefined }, cancel.token);
    };
    const file = create(
      'slow.npy',
      npy([2, 2], (i) => i),
    );
    files.set(file.path, { ...fileAt(file), arrives: new Promise(() => undefined) });
    try {
      await run(command, file);
    } finally {
      vscode.window.withProgress = withProgress;
    }
    assert.equal(title, 'Opening slow.npy');
    assert.deepEqual(errors.shown, []);
    assert.equal(panels.opened.length, 0);
  });

  it('are left alone when a question is left', async () => {
    picks.answer();
    await run(command, example('projections.npz'));
    picks.answer('usual');
    await run(command, example('heads.safetensors'));
    assert.equal(panels.opened.length, 0);
    assert.deepEqual(errors.shown, []);
  });

  describe('once they are explained', () => {
    const content = (last: number) => npy([2, 2], (i) => (i === 3 ? last : i));

    it('are stale when they change, fresh when they are again what they were, gone when they are deleted', async () => {
      const file = create('X.npy', content(3));
      await run(command, file);
      await explained();
      write(file, content(30));
      await until('stale', () => states().at(-1) === 'stale');
      write(file, content(3));
      await until('fresh', () => states().at(-1) === 'fresh');
      write(file, undefined);
      await until('gone', () => states().at(-1) === 'gone');
      write(file, content(31));
      await until('stale again', () => states().at(-1) === 'stale');
      panels.page().say({ type: 'recompute' });
      await explained(2);
      assert.deepEqual(panels.explanation().spec.start, { from: 'x', x: [[0, 1], [2, 31]] }); // prettier-ignore
    });

    it('are no longer followed once something else is explained', async () => {
      const file = create('X.npy', content(3));
      await run(command, file);
      await explained();
      const editor = await open('The cat sat');
      await select(editor, 'The cat sat');
      await run(explain);
      await explained(2);
      write(file, content(30));
      await new Promise((done) => setTimeout(done, 800));
      assert.deepEqual(states(), []);
      panels.page().say({ type: 'recompute' });
      await explained(3);
      assert.equal(panels.explanation().spec.start.from, 'text');
    });

    it('are followed again after a reload of the window', async () => {
      const values: Record<string, unknown> = {};
      const memento = {
        keys: () => Object.keys(values),
        get: (key: string) => values[key],
        update: (key: string, value: unknown) => {
          // As a window keeps it.
          values[key] = value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
          return Promise.resolve();
        },
      } as unknown as vscode.Memento;
      const sent: HostMessage[] = [];
      const panel = {
        open: () => undefined,
        isOpen: () => true,
        send: (message: HostMessage) => void sent.push(message),
      };
      const log = vscode.window.createOutputChannel('suite', { log: true });
      const make = () =>
        createTensorFiles({
          panel,
          memento,
          report: createReport(log, () => undefined),
          began: () => undefined,
          openCapture: () => false,
        });
      const file = create('X.npy', content(3));
      const first = make();
      await first.open(file, undefined);
      first.dispose();
      const [message] = sent.splice(0);
      assert.ok(message?.type === 'explain');
      const { source } = message.explanation;

      const second = make();
      assert.equal(second.resume({ label: 'typed input', textHash: '0' }), undefined);
      assert.equal(second.following(), false);
      write(file, content(5));
      await second.resume(source);
      assert.deepEqual(sent, [{ type: 'source', state: 'stale' }]);
      write(file, content(3));
      await until('fresh', () => sent.length === 2 && sent[1]?.type === 'source' && sent[1].state === 'fresh');
      await second.recompute();
      assert.ok(sent[2]?.type === 'explain');
      assert.deepEqual(sent[2].explanation, message.explanation);
      second.stop();
      assert.equal(make().resume(source), undefined);
      second.dispose();
      log.dispose();
    });
  });
});
