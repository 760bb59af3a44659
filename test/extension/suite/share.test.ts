// What the panel takes along, up to what VS Code does with it. The page's messages are those that share.test.ts of the webview sees it send.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, explain, fakePanels, notifications, open, run, select, until } from './host';
import { createFile } from './memory-files';
import type { PageMessage, PageState } from '../../../webview/protocol';

const program = 'import numpy as np\n\nprint(np.eye(2))\n';

/** Answers to the dialogs of VS Code, and what was asked. */
function dialogs() {
  const asked: (vscode.SaveDialogOptions | undefined)[] = [];
  const said: string[] = [];
  let target: vscode.Uri | undefined;
  const { showSaveDialog, showInformationMessage } = vscode.window;
  const window = vscode.window as unknown as Record<string, unknown>;
  beforeEach(() => {
    asked.splice(0);
    said.splice(0);
    target = undefined;
    window['showSaveDialog'] = (options?: vscode.SaveDialogOptions) => {
      asked.push(options);
      return Promise.resolve(target);
    };
    window['showInformationMessage'] = (message: string) => {
      said.push(message);
      return Promise.resolve(undefined);
    };
  });
  afterEach(() => Object.assign(window, { showSaveDialog, showInformationMessage }));
  return { asked, said, answer: (uri: vscode.Uri) => void (target = uri) };
}

describe('what the panel takes along', () => {
  const panels = fakePanels();
  const errors = notifications();
  const save = dialogs();
  afterEach(closeAll);

  /** The page of a panel that shows something. */
  const say = async (message: PageMessage): Promise<void> => {
    const editor = await open('The cat sat');
    await select(editor, 'The cat sat');
    await run(explain);
    await until('the explanation', () => panels.page().got.some(({ type }) => type === 'explain'));
    panels.page().say(message);
  };
  const read = async (uri: vscode.Uri): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));

  it('lands in the clipboard', async () => {
    await vscode.env.clipboard.writeText('before');
    const text = 'Q = np.array([[1.0, -2.5e-10]])  # ∞ 😀\n';
    await say({ type: 'copy', text, what: 'Q (1×2)' });
    let found = '';
    const poll = setInterval(() => void vscode.env.clipboard.readText().then((now) => (found = now)), 50);
    try {
      await until('the clipboard', () => found === text);
    } finally {
      clearInterval(poll);
    }
  });

  it('opens as an untitled document of its language, beside nothing and on no disk', async () => {
    await say({ type: 'open', language: 'python', content: program });
    const editor = await until('the program', () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.isUntitled && active;
    });
    assert.equal(editor.document.languageId, 'python');
    assert.equal(editor.document.getText(), program);
    assert.equal(editor.viewColumn, vscode.ViewColumn.One);
    assert.deepEqual(save.asked, []);
  });

  for (const content of ['new ∞\n', new Uint8Array([0, 255, 137, 80])]) {
    it(`is written where the reader says (${typeof content === 'string' ? 'text' : 'bytes'})`, async () => {
      const uri = createFile('old', 'txt');
      save.answer(uri);
      await say({ type: 'save', name: 'attention-scores.svg', content });
      await until('the word that it is saved', () => save.said.length > 0);
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      assert.deepEqual([...(await vscode.workspace.fs.readFile(uri))], [...bytes]);
      assert.match(save.asked[0]?.defaultUri?.path ?? '', /\/attention-scores\.svg$/);
      assert.deepEqual(errors.shown, []);
    });
  }

  it('is not written where the dialog is left', async () => {
    await say({ type: 'save', name: 'attention.ipynb', content: '{}' });
    await until('the question', () => save.asked.length === 1);
    await new Promise((done) => setTimeout(done, 100));
    assert.deepEqual(save.said, []);
  });

  it('is one web page that asks nothing of any network', async function () {
    this.timeout(60_000);
    const uri = createFile('', 'html');
    save.answer(uri);
    const theme = { classes: 'vscode-dark', variables: { '--vscode-editor-background': '#123456' } };
    await say({ type: 'log', level: 'info', message: 'the page is there' });
    const explanation = { ...panels.explanation(), source: { label: 'a.md:1' } };
    const state = { version: 1, explanation } as unknown as PageState;
    panels.page().say({ type: 'savePage', state, theme });
    await until('the word that it is saved', () => save.said.length > 0, 30);
    const html = await read(uri);
    assert.ok(html.startsWith('<!DOCTYPE html>'), html.slice(0, 40));
    assert.ok(html.includes('"The cat sat"'), 'the explanation is in it');
    assert.ok(html.includes('--vscode-editor-background: #123456'), 'and its colours');
    assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
    assert.match(html, /url\(data:font\/woff2;base64,/);
    // Whatever a browser would fetch: attributes, style sheets and imports. Names of XML vocabularies are no addresses to it.
    const names = /https?:\/\/www\.w3\.org\/[\w/.#-]+/g;
    const markup = html.replace(/<script[\s\S]*?<\/script>/g, '');
    assert.deepEqual(markup.replace(names, '').match(/https?:\/\/[^\s"')]+/g), null);
    assert.deepEqual(html.match(/(?:src|href|action)\s*=\s*["']?(?:https?:)?\/\//gi), null);
    assert.deepEqual(html.match(/(?:url\(|@import)\s*["']?(?:https?:)?\/\//gi), null);
    assert.equal(save.asked[0]?.defaultUri?.path.split('/').at(-1), 'attention.html');
  });
});
