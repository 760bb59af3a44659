// The provider itself, cancelled between its stretches: VS Code is played by the few classes that it uses.
import assert from 'node:assert/strict';
import Module from 'node:module';
import type * as Vscode from 'vscode';

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}
class MarkdownString {
  constructor(readonly value: string) {}
}
class Hover {
  constructor(
    readonly contents: MarkdownString,
    readonly range: Range,
  ) {}
}
const vscode = {
  Position,
  Range,
  MarkdownString,
  Hover,
  ColorThemeKind: { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 },
  l10n: { t: (text: string) => text },
  window: { activeColorTheme: { kind: 2 } },
  workspace: { getConfiguration: () => ({ get: () => undefined }), notebookDocuments: [], textDocuments: [] },
};

/** A document of one text that counts how often it is read. */
function documentOf(text: string) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const clamp = (offset: number): number => Math.max(0, Math.min(offset, text.length));
  const offsetAt = ({ line, character }: Position): number => clamp((starts[line] ?? text.length) + character);
  const positionAt = (offset: number): Position => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= clamp(offset)) low = middle;
      else high = middle - 1;
    }
    return new Position(low, clamp(offset) - (starts[low] ?? 0));
  };
  const document = {
    reads: 0,
    languageId: 'python',
    uri: { scheme: 'file', toString: () => 'file:///a.py' },
    lineCount: starts.length,
    offsetAt,
    positionAt,
    lineAt: (line: number) => ({
      range: { end: positionAt(line + 1 < starts.length ? (starts[line + 1] ?? 0) - 1 : text.length) },
    }),
    getText({ start, end }: Range) {
      document.reads++;
      return text.slice(offsetAt(start), offsetAt(end));
    },
    getWordRangeAtPosition: () => undefined,
  };
  return document;
}

/** A token that is cancelled once it has been asked so often, and tells of each question. */
function tokenAfter(asks: number, asked: (count: number) => void = () => undefined) {
  const token = {
    asked: 0,
    get isCancellationRequested() {
      asked(++token.asked);
      return token.asked > asks;
    },
    onCancellationRequested: () => ({ dispose: () => undefined }),
  };
  return token;
}

const rows = (count: number, columns: number): string =>
  Array.from(
    { length: count },
    (_, i) => `[${Array.from({ length: columns }, (_, j) => ((i * columns + j) % 997) / 8).join(', ')}]`,
  ).join(',\n');
const matrix = `Q = np.array([${rows(300, 32)}])\n`;
const filler = `K = [${rows(10, 32)}]\nprint('the next block', K)\n`;
const half = filler.repeat(Math.ceil(5_000_000 / filler.length));
const text = `${half}${matrix}${half}`;

describe('the hover provider on a file of 10 MB', function () {
  this.timeout(120_000);
  interface Loader {
    _load(request: string, ...rest: unknown[]): unknown;
    readonly _cache: Record<string, unknown>;
  }
  const loader = Module as unknown as Loader;
  const load = loader._load;
  const isOurs = (path: string): boolean => /[\\/]extension[\\/].+\.ts$/.test(path) && !/[\\/]test[\\/]/.test(path);
  let known: ReadonlySet<string> = new Set();
  let provider: Vscode.HoverProvider | undefined;
  const document = documentOf(text);
  before(() => {
    known = new Set(Object.keys(loader._cache));
    loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load.call(loader, request, ...rest));
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const hover = require('../../../extension/hover/hover') as typeof import('../../../extension/hover/hover');
    provider = hover.hoverProvider('explain', { summary: () => undefined, dispose: () => undefined });
  });
  after(() => {
    loader._load = load;
    // Other tests play VS Code in another way.
    for (const path of Object.keys(loader._cache))
      if (isOurs(path) && !known.has(path)) Reflect.deleteProperty(loader._cache, path);
  });

  const now = Date.now;
  afterEach(() => (Date.now = now));
  /** A clock that moves a millisecond at each look, so that the stretches are the same on every machine. */
  const slowClock = (): void => {
    let time = 0;
    Date.now = () => time++;
  };
  const at = document.positionAt(half.length + 200) as Vscode.Position;
  const hover = (token: ReturnType<typeof tokenAfter>): Promise<Hover | undefined> =>
    Promise.resolve(
      provider?.provideHover(
        document as unknown as Vscode.TextDocument,
        at,
        token as unknown as Vscode.CancellationToken,
      ),
    ) as Promise<Hover | undefined>;

  it('gives the host back while it reads, for the matrix and what stands near it', async function () {
    let [turns, last, longest] = [0, performance.now(), 0];
    const beat = setInterval(() => {
      turns++;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    });
    const found = await hover(tokenAfter(Infinity));
    clearInterval(beat);
    assert.match(found?.contents.value ?? '', /300×32/);
    assert.equal(found?.range.start.line, at.line);
    assert.ok(turns > 0);
    if (this.test) this.test.title += ` (${turns} turns of others, the longest wait ${longest.toFixed(1)} ms)`;
  });

  it('reads nothing when it is cancelled before', async () => {
    document.reads = 0;
    assert.equal(await hover(tokenAfter(0)), undefined);
    assert.equal(document.reads, 0);
  });

  it('stops between any two stretches, and reads nothing of the document after', async () => {
    slowClock();
    document.reads = 0;
    const askedAt = new Set<number>();
    const whole = tokenAfter(Infinity, () => askedAt.add(document.reads));
    assert.ok(await hover(whole));
    assert.ok(whole.asked > 40, `asked ${whole.asked} times`);
    // The last two are what stands before and after the matrix.
    assert.ok(askedAt.has(document.reads - 1), 'nobody asked between the windows around the matrix');
    for (const part of [0, 0.02, 0.2, 0.4, 0.6, 0.8, 0.95, 1]) {
      const asks = Math.max(1, Math.floor(part * (whole.asked - 1)));
      let reads = -1;
      const token = tokenAfter(asks, (count) => (reads = count === asks + 1 ? document.reads : reads));
      assert.equal(await hover(token), undefined, `cancelled at question ${asks} of ${whole.asked}`);
      assert.equal(document.reads, reads, `read after question ${asks} of ${whole.asked}`);
      // As many callers as wait for the stretch ask once more each, none of them goes on.
      assert.ok(token.asked - asks <= 5, `${token.asked - asks} questions after the one that said yes`);
    }
  });
});
