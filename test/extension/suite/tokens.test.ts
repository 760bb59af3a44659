import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { withPieces, loadTokenizer, textDefaults } from '../../../engine/index';
import type { HostMessage } from '../../../webview/protocol';
import { fileLimit, readTokenizerFile, readVocabulary } from '../../../extension/panel/vocabularies';
import { closeAll, explain, extensionId, fakePanels, notifications, open, run, select, until } from './host';
import { createFile } from './memory-files';

const question = 'What is the capital of France?';
const useFile = 'explainAttention.useTokenizerFile';
type Of<T extends HostMessage['type']> = Extract<HostMessage, { type: T }>;

/** What the file dialog gives in these tests; undefined: it is left. */
function dialogs() {
  const api = vscode.window as unknown as {
    showOpenDialog: (o: vscode.OpenDialogOptions) => Thenable<vscode.Uri[] | undefined>;
  };
  const original = api.showOpenDialog;
  const shown: vscode.OpenDialogOptions[] = [];
  const next: { uri?: vscode.Uri } = {};
  beforeEach(() => {
    shown.splice(0);
    delete next.uri;
    api.showOpenDialog = (options) => {
      shown.push(options);
      return Promise.resolve(next.uri && [next.uri]);
    };
  });
  afterEach(() => void (api.showOpenDialog = original));
  return { shown, next };
}

describe('tokens of a vocabulary: the host', () => {
  const panels = fakePanels();
  const errors = notifications();
  const { shown, next } = dialogs();
  afterEach(closeAll);
  const uri = vscode.extensions.getExtension(extensionId)?.extensionUri ?? vscode.Uri.file('/');
  const log = vscode.window.createOutputChannel('suite', { log: true });
  after(() => log.dispose());

  async function explained(): Promise<ReturnType<typeof panels.page>> {
    const editor = await open(`${question}\n`, 'markdown');
    await select(editor, question);
    await run(explain);
    await until('the explanation', () => panels.page().got.some(({ type }) => type === 'explain'));
    return panels.page();
  }
  const got = <T extends HostMessage['type']>(type: T): Of<T> | undefined =>
    panels.page().got.findLast((message): message is Of<T> => message.type === type);

  it('sends a vocabulary when it is asked for, and then only', async () => {
    const page = await explained();
    assert.equal(got('vocabulary'), undefined);
    page.say({ type: 'vocabulary', encoding: 'gpt2' });
    const sent = await until('the vocabulary', () => got('vocabulary'));
    assert.equal(Object.getPrototypeOf(sent.bytes), Uint8Array.prototype, 'Node’s Buffer would be sent as JSON');
    const tokenizer = await loadTokenizer('gpt2', () => Promise.resolve(sent.bytes));
    assert.ok(tokenizer.ok, JSON.stringify(tokenizer));
    const cut = withPieces(
      { ...textDefaults, start: { from: 'text', text: question, tokenizer: 'gpt2' } },
      tokenizer.value,
    );
    assert.ok(cut.ok && 'pieces' in cut.value.start);
    // gpt-tokenizer 4.0.0
    assert.deepEqual(
      cut.value.start.pieces?.map(([id]) => id),
      [2061, 318, 262, 3139, 286, 4881, 30],
    );
  });

  it('says why there is no vocabulary', async () => {
    const message = await readVocabulary(vscode.Uri.joinPath(uri, 'no such folder'), 'o200k_base', log);
    assert.equal(message.type, 'noTokenizer');
    assert.ok(message.type === 'noTokenizer' && message.name === 'o200k_base');
    assert.match(message.problems[0]?.message ?? '', /^o200k_base\.tkv cannot be read: /);
  });

  it('sends the file that was chosen, under a name that tells it from others; a left dialog sends nothing', async () => {
    const page = await explained();
    page.say({ type: 'chooseTokenizer' });
    await until('the dialog', () => shown.length === 1);
    assert.equal(shown[0]?.canSelectMany, false);
    const file = createFile('{"model": 1}', 'json');
    next.uri = file.with({ path: file.path });
    page.say({ type: 'chooseTokenizer' });
    const sent = await until('the file', () => got('tokenizerFile'));
    assert.equal(sent.text, '{"model": 1}');
    assert.equal(sent.name, file.path.slice(1));
    assert.equal(page.got.filter(({ type }) => type === 'tokenizerFile').length, 1);
  });

  it('the command shows the panel and sends the file; without a panel it explains first', async () => {
    const editor = await open(`${question}\n`, 'markdown');
    await select(editor, question);
    next.uri = createFile('{}', 'json');
    await run(useFile);
    assert.equal(panels.explanation().spec.start.from, 'text');
    await until('the file', () => got('tokenizerFile'));
    assert.equal(shown.length, 1);
    await run(useFile);
    assert.equal(panels.opened.length, 1);
    assert.equal(panels.page().reveals(), 2, 'it comes to the front each time');
  });

  it('refuses a folder, a file that is no text, one too large and one that is not there', async () => {
    const reason = async (file: vscode.Uri): Promise<string> => {
      const message = await readTokenizerFile(file);
      assert.equal(message.type, 'noTokenizer', JSON.stringify(message).slice(0, 200));
      return message.type === 'noTokenizer' ? (message.problems[0]?.message ?? '') : '';
    };
    assert.match(await reason(vscode.Uri.joinPath(uri, 'extension')), /is a folder$/);
    assert.match(
      await reason(vscode.Uri.joinPath(uri, 'extension/media/icon.png')),
      /media\/icon\.png is no text in UTF-8$/,
    );
    assert.match(await reason(vscode.Uri.joinPath(uri, 'nothing.json')), /nothing\.json cannot be read: /);
    const large = createFile(' '.repeat(fileLimit + 1), 'json');
    assert.match(await reason(large), /64\.0 MB, the limit for a tokenizer is 64 MB/);
    assert.deepEqual(errors.shown, []);
  });

  it('a new text has the tokenizer of the setting; a wrong one is words', async () => {
    const settings = vscode.workspace.getConfiguration('explainAttention');
    assert.equal(settings.get('tokenizer'), 'words');
    try {
      for (const [set, given] of [
        ['cl100k_base', 'cl100k_base'],
        ['bytes', 'bytes'],
        ['gpt9', 'words'],
      ]) {
        await settings.update('tokenizer', set, vscode.ConfigurationTarget.Global);
        const editor = await open(`${question} ${set}\n`, 'markdown');
        await select(editor, question);
        await run(explain);
        const explained = await until('the explanation', () => got('explain'));
        panels.page().got.splice(0);
        const { start } = explained.explanation.spec;
        assert.deepEqual(start, { from: 'text', text: question, tokenizer: given });
      }
    } finally {
      await settings.update('tokenizer', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
