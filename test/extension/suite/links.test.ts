// A link is text from a stranger. Those that are not ours are made here with zlib, which knows nothing of our packing.
import assert from 'node:assert/strict';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as vscode from 'vscode';
import { matrixDefaults, textDefaults, type AttentionSpec } from '../../../engine/index';
import { createControllers } from '../../../extension/panels/controllers';
import type { Guard } from '../../../extension/host/guard';
import { createController } from '../../../extension/panels/controller';
import { linkHandler } from '../../../extension/panels/link-handler';
import { linkLimit } from '../../../extension/panel/links';
import { createReport } from '../../../extension/host/report';
import type { PageMessage, View } from '../../../webview/protocol';
import {
  closeAll,
  explain,
  extensionId,
  fakePanels,
  notifications,
  open,
  run,
  noPrograms,
  select,
  until,
} from './host';
import { createFile } from './memory-files';

const spec: AttentionSpec = {
  ...textDefaults,
  start: { from: 'text', text: 'The café ∞ 😀 sat', tokenizer: 'words' },
  mask: 'causal',
};
const view: View = { step: 'weights', cell: [1, 0], slice: { batch: 0, head: 0 }, digits: 3 };

const packed = (value: unknown): string =>
  deflateRawSync(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))).toString('base64url');
const uriOf = (query: string, path = '/explain'): vscode.Uri =>
  vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path, query });
const linkTo = (value: unknown): vscode.Uri => uriOf(`v=1&z=${packed(value)}`);

describe('links', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);
  let handle: ((uri: vscode.Uri) => Promise<void>) | undefined;
  const closing: vscode.Disposable[] = [];

  before(() => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension);
    const log = vscode.window.createOutputChannel('suite', { log: true });
    const report = createReport(log, () => undefined);
    const guarded: Guard =
      (_, act) =>
      async (...args) => {
        await act(...args);
      };
    const memento: vscode.Memento = {
      keys: () => [],
      get: <T>(_: string, initial?: T) => initial as T,
      update: () => Promise.resolve(),
    };
    const parts = {
      extensionUri: extension.extensionUri,
      memento,
      report,
      guarded,
      programs: noPrograms,
      along: () => [],
    };
    closing.push(log);
    handle = linkHandler(
      createControllers((id, events) => createController(id, parts, events)),
      report,
      guarded,
    );
  });
  after(() => {
    closing.forEach((one) => one.dispose());
  });

  const follow = async (uri: vscode.Uri): Promise<void> => {
    assert.ok(handle);
    await handle(uri);
  };

  it('copied from the panel open the same in a new panel', async () => {
    const editor = await open('one two');
    await select(editor, 'one two');
    await run(explain);
    await until('the explanation', () => panels.page().got.some(({ type }) => type === 'explain'));
    await vscode.env.clipboard.writeText('');
    panels.page().say({ type: 'link', spec, view });
    let link = '';
    const poll = setInterval(() => void vscode.env.clipboard.readText().then((now) => (link = now)), 50);
    await until('the link', () => link !== '').finally(() => clearInterval(poll));
    const start = `${vscode.env.uriScheme}://${extensionId}/explain?v=1&z=`;
    assert.ok(link.startsWith(start), link);
    assert.match(link.slice(start.length), /^[\w-]+$/, 'nothing in it needs escaping');
    const json = inflateRawSync(Buffer.from(link.slice(start.length), 'base64url')).toString();
    assert.deepEqual(JSON.parse(json), { spec, view });
    await follow(vscode.Uri.parse(link, true));
    assert.equal(panels.opened.length, 2, 'what was shown stays');
    const second = panels.opened[1]?.page;
    const message = await until('the second', () => second?.got.find(({ type }) => type === 'explain'));
    assert.ok(message.type === 'explain');
    assert.deepEqual(message.explanation.spec, spec);
    assert.deepEqual(message.view, view);
    assert.equal(message.explanation.source.uri, undefined);
    assert.deepEqual(errors.shown, []);
  });

  const text = 'x'.repeat(40);
  const big = Array.from({ length: 60 }, (_, i) => Array.from({ length: 40 }, (_, j) => Math.sin(i * 40 + j)));
  const tooLarge: AttentionSpec = { ...matrixDefaults, dModel: 40, start: { from: 'x', x: big } };

  const content = new TextEncoder().encode(`${JSON.stringify({ spec: tooLarge, view: {} }, null, 2)}\n`);
  const beyond: readonly PageMessage[] = [
    { type: 'link', spec: tooLarge, view: {} },
    // What is larger still: the page has made the file.
    { type: 'noLink', content },
  ];
  for (const message of beyond) {
    it(`are not made beyond their limit: a file is offered (${message.type})`, async () => {
      const { showWarningMessage, showSaveDialog } = vscode.window;
      const window = vscode.window as unknown as Record<string, unknown>;
      const said: unknown[][] = [];
      const asked: vscode.SaveDialogOptions[] = [];
      const target = createFile('', 'json');
      window['showWarningMessage'] = (...args: unknown[]) => {
        said.push(args);
        return Promise.resolve(args[1]);
      };
      window['showSaveDialog'] = (options: vscode.SaveDialogOptions) => {
        asked.push(options);
        return Promise.resolve(target);
      };
      try {
        const editor = await open('one two');
        await select(editor, 'one two');
        await run(explain);
        await vscode.env.clipboard.writeText('before');
        panels.page().say(message);
        await until('the offer', () => asked.length === 1);
        assert.match(String(said[0]?.[0]), new RegExp(`${linkLimit} characters`));
        assert.match(asked[0]?.defaultUri?.path ?? '', /\/explanation\.attention\.json$/);
        assert.equal(await vscode.env.clipboard.readText(), 'before');
        let written = await vscode.workspace.fs.readFile(target);
        for (let i = 0; i < 100 && written.length < content.length; i++)
          written = await vscode.workspace.fs.readFile(target);
        assert.equal(new TextDecoder().decode(written), new TextDecoder().decode(content));
      } finally {
        Object.assign(window, { showWarningMessage, showSaveDialog });
      }
    });
  }

  const words = (count: number) => ({ from: 'text', text: 'a '.repeat(count), tokenizer: 'words' });
  const half = packed({ spec }).slice(0, 60);
  const refused: readonly [what: string, uri: vscode.Uri, message: RegExp][] = [
    ['another path', uriOf(`v=1&z=${packed({ spec })}`, '/run'), /\/run is not known/],
    ['no query', uriOf(''), /version {2}is not known/],
    ['another version', uriOf(`v=2&z=${packed({ spec })}`), /version 2 is not known; 1 is/],
    ['no content', uriOf('v=1'), /damaged/],
    ['characters that are not ours', uriOf('v=1&z=<script>'), /damaged/],
    ['no deflate stream', uriOf('v=1&z=AAAA____'), /damaged/],
    ['half of a link', uriOf(`v=1&z=${half}`), /damaged/],
    [
      'bytes that are no text',
      uriOf(`v=1&z=${deflateRawSync(Buffer.from([255, 254])).toString('base64url')}`),
      /damaged/,
    ],
    ['something else in JSON', linkTo({ command: 'workbench.action.quit' }), /holds no spec/],
    ['a field of another type', linkTo({ spec: { ...spec, heads: 'two' } }), /heads: expected a number/],
    ['an unknown field', linkTo({ spec: { ...spec, run: 'rm' } }), /run: unknown field/],
    [
      'a prototype',
      linkTo(JSON.stringify({ spec }).replace('{"spec":{', '{"spec":{"__proto__":{"x":1},')),
      /__proto__/,
    ],
    ['sizes without bounds', linkTo({ spec: { ...spec, dModel: 1e9 } }), /dModel is 1000000000, expected/],
    [
      'more than memory',
      linkTo({ spec: { ...spec, dModel: 4096, start: words(20_000) } }),
      /20000 tokens would need \d+ MB, the limit is/,
    ],
    ['longer than the limit', uriOf(`v=1&z=${'A'.repeat(linkLimit)}`), /characters, the limit is 8000/],
    ['a bomb', linkTo({ spec: { ...spec, start: { ...spec.start, text: text.repeat(100_000) } } }), /damaged/],
  ];
  for (const [what, uri, message] of refused) {
    it(`(${what}) are refused in words`, async () => {
      const began = Date.now();
      await follow(uri);
      assert.equal(errors.shown.length, 1);
      assert.match(errors.shown[0] ?? '', message);
      assert.equal(panels.opened.length, 0);
      assert.ok(Date.now() - began < 1000, `${Date.now() - began} ms`);
    });
  }

  it('with a view that is none show the spec without it', async () => {
    await follow(linkTo({ spec, view: { step: { toString: 'x' }, cell: [-1, 0] } }));
    await until('the explanation', () => panels.page().got.some(({ type }) => type === 'explain'));
    assert.deepEqual(panels.explanation().spec, spec);
    assert.match(panels.explanation().notes[0] ?? '', /view\.step/);
  });
});
