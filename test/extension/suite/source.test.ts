import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HostMessage, SourceState } from '../../../webview/protocol';
import { closeAll, explain, fakePanels, notifications, open, rangeOf, replace, run, select, show, until } from './host';

const matrix = '[[1, 2], [3, 4]]';
const isSource = (message: HostMessage) => message.type === 'source';

describe('the source of an explanation', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  const states = (): SourceState[] =>
    panels.page().got.flatMap((message) => (message.type === 'source' ? [message.state] : []));
  const explained = (count: number) =>
    until(`explanation ${count}`, () => panels.page().got.filter((m) => m.type === 'explain').length === count);

  async function start(): Promise<vscode.TextDocument> {
    return startIn(await open(`before\nX = ${matrix}\nafter\n`));
  }

  async function startIn(editor: vscode.TextEditor): Promise<vscode.TextDocument> {
    await select(editor, matrix);
    await run(explain);
    await explained(1);
    return editor.document;
  }

  it('is stale after an edit in it and fresh when that is undone', async () => {
    const document = await start();
    await replace(document, '3', '30');
    await until('stale', () => states().at(-1) === 'stale');
    await run('undo');
    await until('fresh', () => states().at(-1) === 'fresh');
    assert.deepEqual(states(), ['stale', 'fresh']);
  });

  it('is not touched by edits around it, and is read where it then stands', async () => {
    const document = await start();
    await replace(document, 'before', 'one\ntwo\nthree');
    await replace(document, 'after', 'long after');
    await replace(document, '3', '30');
    await until('stale', () => states().at(-1) === 'stale');
    // Its line is another one, which may be told before, with the state that it still has.
    const stale = (): number => states().filter((state) => state === 'stale').length;
    assert.equal(stale(), 1);
    panels.page().say({ type: 'recompute' });
    await explained(2);
    const { spec, source } = panels.explanation();
    assert.deepEqual(spec.start, {
      from: 'x',
      x: [
        [1, 2],
        [30, 4],
      ],
    });
    assert.match(source.label, /:4$/);
    await replace(document, '30', '3');
    await until('stale again', () => stale() === 2);
  });

  it('keeps the explanation when what stands there now cannot be explained', async () => {
    const document = await start();
    await replace(document, '[3, 4]', '[3]');
    await until('stale', () => states().at(-1) === 'stale');
    panels.page().say({ type: 'recompute' });
    await until('the message', () => errors.shown.length === 1);
    assert.match(errors.shown[0] ?? '', /row 2.*, line 2, column 14\)/);
    assert.equal(panels.page().got.at(-1)?.type, 'problems');
    await explained(1);
  });

  it('is shown in the editor by offsets of the explained text', async () => {
    const document = await start();
    await replace(document, 'before', 'much before');
    panels.page().say({ type: 'reveal', start: 9, end: 15 });
    await until('the selection', () => document.getText(vscode.window.activeTextEditor?.selection) === '[3, 4]');
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.One);
  });

  it('is gone with an unsaved document that is closed', async () => {
    await startIn(await show(await vscode.workspace.openTextDocument({ content: matrix })));
    await run('workbench.action.revertAndCloseActiveEditor');
    await until('gone', () => states().at(-1) === 'gone');
    panels.page().say({ type: 'recompute' });
    await until('the message', () => errors.shown.length === 1);
    assert.match(errors.shown[0] ?? '', /cannot be opened/);
  });

  describe('in a file', () => {
    const folder = (): vscode.Uri => {
      const [first] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(first, 'the tests run in a folder');
      return first.uri;
    };
    // Characters that a glob would give a meaning.
    let tests = 0;
    beforeEach(() => void tests++);
    const file = (): vscode.Uri => vscode.Uri.joinPath(folder(), `suite [${tests}] {a}.txt`);
    const write = (text: string) => vscode.workspace.fs.writeFile(file(), new TextEncoder().encode(text));
    afterEach(async () => {
      await vscode.workspace.fs.delete(file()).then(undefined, () => undefined);
    });

    async function startFile(): Promise<vscode.TextDocument> {
      await write(`before\n${matrix}\n`);
      const document = await vscode.workspace.openTextDocument(file());
      const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      await select(editor, matrix);
      await run(explain);
      await explained(1);
      return document;
    }

    it('is gone when the file is deleted, and fresh when it comes back', async () => {
      const document = await startFile();
      await vscode.workspace.fs.delete(document.uri);
      await until('gone', () => states().at(-1) === 'gone');
      await write(`before\n${matrix}\n`);
      await until('fresh', () => states().at(-1) === 'fresh', 20);
    });

    it('is stale when another program changes the file', async () => {
      await startFile();
      await write('before\n[[1, 2], [3, 5]]\n');
      await until('stale', () => states().at(-1) === 'stale', 20);
      await write(`before\nand more\n${matrix}\n`);
      await until('fresh', () => states().at(-1) === 'fresh', 20);
    });

    it('follows a file that is renamed', async () => {
      const document = await startFile();
      const to = vscode.Uri.joinPath(folder(), 'suite renamed.txt');
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(document.uri, to, { overwrite: true });
      assert.ok(await vscode.workspace.applyEdit(edit));
      try {
        const renamed = await vscode.workspace.openTextDocument(to);
        await replace(renamed, '4', '5');
        await until('stale', () => states().at(-1) === 'stale');
        panels.page().say({ type: 'recompute' });
        await explained(2);
        assert.deepEqual(panels.explanation().spec.start, {
          from: 'x',
          x: [
            [1, 2],
            [3, 5],
          ],
        });
        assert.match(panels.explanation().source.label, /^suite renamed\.txt:2$/);
        await run('workbench.action.revertAndCloseActiveEditor');
      } finally {
        await vscode.workspace.fs.delete(to);
      }
    });

    it('changes with the kind of line ends without being stale', async () => {
      const rows = '[[1, 2],\n [3, 4]]';
      await write(`before\n${rows}\n`);
      const document = await vscode.workspace.openTextDocument(file());
      const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      await select(editor, rows);
      await run(explain);
      await explained(1);
      await editor.edit((edit) => edit.setEndOfLine(vscode.EndOfLine.CRLF));
      assert.equal(document.eol, vscode.EndOfLine.CRLF);
      await replace(document, '4', '5');
      await until('stale', () => states().at(-1) === 'stale');
      await replace(document, '5', '4');
      await until('fresh', () => states().at(-1) === 'fresh');
      await run('workbench.action.files.revert');
    });
  });

  it('is not told twice', async () => {
    const document = await start();
    await replace(document, '3', '30');
    await until('stale', () => states().length === 1);
    await replace(document, '30', '31');
    await replace(document, '31', '3');
    await until('fresh', () => states().at(-1) === 'fresh');
    assert.deepEqual(states(), ['stale', 'fresh']);
    assert.ok(panels.page().got.some(isSource));
    assert.ok(rangeOf(document, matrix));
  });
});
