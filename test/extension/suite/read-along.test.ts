// Read Along, and the marks of a step in its document, in a real editor.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AlongStop, HostMessage, PageState } from '../../../webview/protocol';
import { closeAll, explain, fakePanels, goTo, notifications, open, rangeOf, replace, run, sleep, until } from './host';
import { createFile } from './memory-files';
import { page } from './read-along-page';

const formula = String.raw`\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)`;
const weights = page.slice(page.indexOf('[[0.1242'), page.indexOf('0.0203]]') + 8);
const output = page.slice(page.indexOf('[[3.3951'), page.indexOf('5.4951]]') + 8);
const lastRow = '[[0.1484, 0.1934, 0.6379, 0.0203]]';

const [begin, next, previous, play, end] = ['readAlong', 'alongNext', 'alongPrevious', 'alongPlay', 'alongStop'].map((name) => `explainAttention.${name}`) as [string, string, string, string, string]; // prettier-ignore

/** What a place shows: its line, what is marked there, and its step in the panel. */
type Place = readonly [line: number, text: string, step: string];

const api = vscode.window as unknown as {
  showInformationMessage: (message: string) => Promise<undefined>;
  visibleTextEditors: readonly vscode.TextEditor[];
};

/** What the tests of the enclosing `describe` are told. */
function informed(): readonly string[] {
  const told: string[] = [];
  const { showInformationMessage } = api;
  beforeEach(() => {
    told.splice(0);
    api.showInformationMessage = (message) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
  });
  afterEach(() => Object.assign(api, { showInformationMessage }));
  return told;
}

/** What each kind of mark marks, by the texts in the document. VS Code tells nobody what is marked: editors are given to the extension with ears. */
function marks(): () => readonly (readonly string[])[] {
  const drawn = new Map<string, readonly string[]>();
  const original = Object.getOwnPropertyDescriptor(vscode.window, 'visibleTextEditors');
  const hearing = (editor: vscode.TextEditor): vscode.TextEditor => {
    const setDecorations = (type: vscode.TextEditorDecorationType, ranges: readonly vscode.Range[]): void => {
      drawn.set(type.key, ranges.map((range) => editor.document.getText(range))); // prettier-ignore
      editor.setDecorations(type, ranges);
    };
    return Object.create(editor, { setDecorations: { value: setDecorations } }) as vscode.TextEditor;
  };
  beforeEach(() => {
    drawn.clear();
    const get = (): readonly vscode.TextEditor[] => ((original?.get?.call(vscode.window) ?? []) as vscode.TextEditor[]).map(hearing); // prettier-ignore
    Object.defineProperty(vscode.window, 'visibleTextEditors', { configurable: true, enumerable: true, get });
  });
  afterEach(() => {
    if (original) Object.defineProperty(vscode.window, 'visibleTextEditors', original);
  });
  return () => [...drawn.values()].filter((texts) => texts.length > 0);
}

describe('reading along a document', function () {
  this.timeout(90_000);
  const panels = fakePanels();
  const errors = notifications();
  const told = informed();
  const marked = marks();
  afterEach(async () => {
    await run(end);
    await closeAll();
    assert.deepEqual(errors.shown, []);
  });

  const messages = (): readonly HostMessage[] => panels.opened.flatMap(({ page: { got } }) => got);
  /** The step that the panel was last told to show, and the cell. */
  function shown(): { readonly step: string | undefined; readonly cell?: readonly number[] | undefined } {
    const last = messages().findLast(({ type }) => type === 'explain' || type === 'goTo');
    if (last?.type === 'goTo') return { step: last.step };
    return last?.type === 'explain' ? { step: last.view?.step, cell: last.view?.cell } : { step: undefined };
  }
  const explanations = (): number => messages().filter(({ type }) => type === 'explain').length;

  async function lensesOf({ uri }: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
    return (await run('vscode.executeCodeLensProvider', uri)) as vscode.CodeLens[];
  }
  /** The lens with a title, at whose text. */
  async function lensOf(document: vscode.TextDocument, title: RegExp): Promise<vscode.CodeLens> {
    for (let left = 100; left > 0; left--) {
      const found = (await lensesOf(document)).find(({ command }) => title.test(command?.title ?? ''));
      if (found) return found;
      await sleep(50);
    }
    assert.fail(
      `no lens ${String(title)}: ${(await lensesOf(document)).map(({ command }) => command?.title).join(', ')}`,
    );
  }
  const call = async ({ command }: vscode.CodeLens): Promise<void> => {
    assert.ok(command);
    await run(command.command, ...((command.arguments ?? []) as unknown[]));
  };
  const titles = async (document: vscode.TextDocument, line: number): Promise<readonly string[]> =>
    (await lensesOf(document)).flatMap(({ range, command }) => (range.start.line + 1 === line && command?.command.startsWith('explainAttention.along') ? [command.title] : [])).sort(); // prettier-ignore

  /** Waits for the sentence of a place, and for its step in the panel. */
  const placed = (): Promise<unknown> => until('a place', () => sentence() !== '' && shown().step !== undefined);
  async function begun(content = page, language = 'markdown'): Promise<vscode.TextEditor> {
    const editor = await open(content, language);
    await run(begin);
    await placed();
    if (bar()?.playing) await run(play);
    return editor;
  }
  /** What the panel's bar says of the place. */
  const bar = () => messages().findLast((message) => message.type === 'along')?.place;
  const sentence = (): string => {
    const place = bar();
    return place ? `${place.at} of ${place.of}. ${place.says}` : '';
  };
  const placeIn = ({ document, selection }: vscode.TextEditor): Place => [
    selection.start.line + 1,
    document.getText(selection),
    shown().step ?? '',
  ];
  const on = async (command: string, at: number): Promise<void> => {
    await run(command);
    await until(`place ${at}`, () => sentence().startsWith(`${at} of `));
  };

  it('is saved with the page: every place with its lines, and the step of the attention that the page has', async () => {
    const { showSaveDialog } = vscode.window;
    const uri = createFile('', 'html');
    Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(uri) });
    try {
      await begun();
      const state = { version: 1, explanation: panels.explanation() } as unknown as PageState;
      panels.page().say({ type: 'savePage', state, theme: { classes: 'vscode-dark', variables: {} } });
      await until('the word that it is saved', () => told.some((text) => /saved/i.test(text)), 60);
      const html = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const json = /id="saved-along">([^<]*)</.exec(html)?.[1] ?? '[]';
      const way = JSON.parse(json) as readonly AlongStop[];
      assert.equal(way.length, bar()?.of);
      assert.deepEqual([way[0]?.excerpt[1], way[0]?.step], ['Q', 'q']);
      const written = way.find(({ step, excerpt }) => step === 'weights' && excerpt[1] === weights);
      assert.ok(written, JSON.stringify(way.map(({ step, excerpt }) => [step, excerpt[1]])));
      for (const { excerpt, says } of way) assert.ok(page.includes(excerpt.join('')) && says !== '', excerpt.join(''));
    } finally {
      Object.assign(vscode.window, { showSaveDialog });
    }
  });

  it('begins at the lens above the first place: the place is marked and selected, its step stands in the panel, a sentence says it', async () => {
    const editor = await open(page, 'markdown');
    const lens = await lensOf(editor.document, /Read Along/);
    assert.equal(lens.range.start.line + 1, 3);
    await call(lens);
    await placed();
    assert.deepEqual(placeIn(editor), [3, 'Q', 'q']);
    assert.equal(sentence(), '1 of 16. Line 3. This is Q, the queries. As the text gives it; it stands in line 9.');
    assert.ok(marked().some((texts) => texts.join() === 'Q'));
    assert.deepEqual(await titles(editor.document, 3), ['$(arrow-right) Next', '$(close) End', '$(debug-pause) 1 of 16']); // prettier-ignore
  });

  it('leads from top to bottom through formulas, code and printed numbers, with one explanation, and back', async () => {
    const editor = await begun();
    const walk: Place[] = [placeIn(editor)];
    for (let at = 2; at <= 16; at++) {
      await on(next, at);
      walk.push(placeIn(editor));
      assert.ok(sentence().includes(`Line ${editor.selection.start.line + 1}.`), sentence());
      assert.ok(marked().some((texts) => texts.join() === walk.at(-1)?.[1]), `${at} is marked`); // prettier-ignore
    }
    const lines = walk.map(([line]) => line);
    assert.deepEqual(
      lines,
      [...lines].sort((a, b) => a - b),
    );
    for (const place of [
      [3, 'QK^\\top', 'scores'],
      [5, `${formula}V`, 'output'],
      [12, 'Q @ K.T / np.sqrt(2)', 'scaled'],
      [13, 'np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)', 'weights'],
      [14, 'weights @ V', 'output'],
      [22, weights, 'weights'],
      [25, output, 'output'],
      [30, lastRow, 'weights'],
    ])
      assert.ok(walk.some((one) => one.join() === place.join()), `${place.join(' | ')} is among\n${walk.join('\n')}`); // prettier-ignore
    assert.deepEqual(shown(), { step: 'weights', cell: [2, 0] });
    assert.equal(explanations(), 2, 'one for the attention, one for the row');
    assert.deepEqual(await titles(editor.document, 30), ['$(arrow-left) Back', '$(close) End', '$(play) 16 of 16']); // prettier-ignore
    await run(next);
    await sleep(300);
    assert.match(sentence(), /^16 of 16\./);
    await on(previous, 15);
    assert.deepEqual(placeIn(editor), [25, output, 'output']);
  });

  it('goes on where it was left, and from the beginning after it was read to its end', async () => {
    const editor = await begun();
    for (let at = 2; at <= 4; at++) await on(next, at);
    await run(end);
    assert.equal(bar(), undefined, 'the bar is gone');
    assert.deepEqual(await titles(editor.document, 5), []);
    assert.ok(!marked().some((texts) => texts.join() === `${formula}V`), 'the mark is gone');
    await goTo(editor, '# By hand');
    await run(next);
    await sleep(200);
    assert.deepEqual([bar(), editor.selection.start.line], [undefined, 0], 'nothing is read');
    await run(begin);
    await until('the place', () => sentence() !== '');
    await run(play);
    assert.match(sentence(), /^4 of 16\./);
    assert.deepEqual(placeIn(editor), [5, `${formula}V`, 'output']);
    for (let at = 5; at <= 16; at++) await on(next, at);
    await run(end);
    await run(begin);
    await until('the first place', () => sentence().startsWith('1 of 16'));
    assert.deepEqual(placeIn(editor), [3, 'Q', 'q']);
  });

  it('plays by itself from the beginning until it is paused, and says at its lens which of both', async () => {
    const editor = await open(page, 'markdown');
    await run(begin);
    await placed();
    assert.equal(bar()?.playing, true);
    await lensOf(editor.document, /pause\) 1 of/);
    await until('the second place', () => sentence().startsWith('2 of 16'), 20);
    assert.equal(shown().step, 'k');
    panels.page().say({ type: 'along', act: 'play' });
    await lensOf(editor.document, /play\) 2 of/);
    const before = sentence();
    await sleep(8000);
    assert.equal(sentence(), before);
    panels.page().say({ type: 'along', act: 'faster' });
    await until('the pace', () => bar()?.pace === '2×');
    panels.page().say({ type: 'along', act: 'next' });
    await until('the third place', () => sentence().startsWith('3 of 16'));
    panels.page().say({ type: 'along', act: 'previous' });
    await until('the second place', () => sentence().startsWith('2 of 16'));
  });

  it('ends by the bar, and where its document is closed', async () => {
    const { document } = await begun();
    panels.page().say({ type: 'along', act: 'stop' });
    await until('its end', () => bar() === undefined);
    assert.deepEqual(await titles(document, 3), []);
    await closeAll();
    // A document that an extension has opened lives on for a while: this one is opened as a person does.
    await run('vscode.open', createFile(page, 'md'));
    await run(begin);
    await until('the place', () => sentence() !== '');
    await run('workbench.action.closeActiveEditor');
    await until('its end', () => bar() === undefined, 30);
  });

  it('says that there is no attention, of a document without one', async () => {
    await open('# A walk\n\nThe queries of 12 people were [[1, 2], [3, 4]].\n', 'markdown');
    await run(begin);
    await until('the message', () => told.length > 0);
    assert.deepEqual(told, ['No attention was found in this document.']);
    assert.equal(panels.opened.length, 0);
  });

  it('stays at its place while lines are written above it, and leads on in the text as it is then', async () => {
    const editor = await begun();
    for (let at = 2; at <= 4; at++) await on(next, at);
    await replace(editor.document, '# By hand', '# By hand\n\nOne paragraph more.');
    await until('the lens', () => editor.document.lineCount > 32);
    assert.deepEqual(await titles(editor.document, 7), ['$(arrow-left) Back', '$(arrow-right) Next', '$(close) End', '$(play) 4 of 16']); // prettier-ignore
    await run(next);
    await until('the next place', () => sentence().startsWith('5 of '));
    assert.equal(placeIn(editor)[0], 11);
    assert.ok(sentence().includes('Line 11.'), sentence());
    await replace(editor.document, 'One paragraph more.', 'A paragraph more.');
    const leading = run(next);
    await replace(editor.document, 'It prints', 'It printed');
    await leading;
    await until('the place after it', () => sentence().startsWith('6 of '));
    assert.deepEqual(told, [], 'an edit while it is read is no document without attention');
  });
});

describe('the marks of a step in its document', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  const errors = notifications();
  const marked = marks();
  afterEach(async () => {
    await closeAll();
    assert.deepEqual(errors.shown, []);
  });

  async function explained(): Promise<vscode.TextEditor> {
    const editor = await open(page, 'markdown');
    await goTo(editor, 'weights @ V');
    await run(explain);
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain')); // prettier-ignore
    return editor;
  }
  const marksAre = (what: string, ...wanted: (readonly string[])[]): Promise<boolean> =>
    until(what, () =>
      wanted.every((texts) => marked().some((own) => [...own].sort().join('|') === [...texts].sort().join('|'))),
    ).catch((error: unknown) => {
      // prettier-ignore
      assert.fail(`${String(error)}: ${JSON.stringify(marked(), null, 1)}`);
    });

  it('are its line of code, its part of the formula and its printed numbers, together', async () => {
    await explained();
    panels.page().say({ type: 'step', step: 'weights', reveal: false });
    const line = 'np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)';
    await marksAre('weights', [line], [formula, weights, lastRow]);
    panels.page().say({ type: 'step', step: 'output', reveal: false });
    await marksAre('output', ['weights @ V'], [`${formula}V`, output]);
  });

  it('are of numbers that are one row those of a cell in that row', async () => {
    await explained();
    panels.page().say({ type: 'step', step: 'weights', cell: [0, 1], reveal: false });
    await marksAre('the first row', [formula, weights]);
    panels.page().say({ type: 'step', step: 'weights', cell: [2, 1], reveal: false });
    await marksAre('the last row', [formula, weights, lastRow]);
  });

  it('lead back: the cursor in printed numbers, or in a part of a formula, selects its step', async () => {
    const editor = await explained();
    panels.page().say({ type: 'step', step: 'q', reveal: false });
    await until('the marks', () => marked().some((texts) => texts.includes('Q')));
    const went = (): string | undefined => {
      const last = panels.page().got.findLast(({ type }) => type === 'goTo');
      return last?.type === 'goTo' ? last.step : undefined;
    };
    for (const [text, step] of [
      ['0.0616', 'weights'],
      ['2.6415', 'output'],
      ['\\top}{', 'scores'],
      ['0.3939 0.1143', 'weights'],
    ] as const) {
      // prettier-ignore
      await goTo(editor, text);
      await until(`${text}: ${step}`, () => went() === step);
      panels.page().say({ type: 'step', step, reveal: false });
    }
  });

  it('move with the text', async () => {
    const editor = await explained();
    panels.page().say({ type: 'step', step: 'weights', reveal: false });
    await marksAre('weights', [formula, weights, lastRow]);
    await replace(editor.document, '# By hand', '# By hand, and once more');
    await marksAre('weights', [formula, weights, lastRow]);
    assert.ok(rangeOf(editor.document, weights));
  });
});
