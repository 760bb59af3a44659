// What users get: the package, installed as they install it, on a text of their own.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageExtension } from './package';
import { freshFolder } from './paths';
import { openVSCode, type Session } from './session';

describe('the packaged extension', function () {
  this.timeout(300_000);
  const folder = freshFolder('vsix');
  let vscode: Session;

  before(async () => {
    const vsix = await packageExtension(join(folder, 'explain-attention.vsix'));
    writeFileSync(join(folder, 'sentence.txt'), 'The cat sat on the mat\n');
    vscode = await openVSCode({ vsix, folder });
  });
  after(() => vscode.close());

  it('installs', () => {
    assert.deepEqual(vscode.server.installed(), ['explain-attention.explain-attention']);
  });

  it('contains what it runs and no sources or tests', () => {
    const installed = readdirSync(vscode.server.extensionsFolder).find((name) => name.startsWith('explain-attention'));
    assert.ok(installed);
    const at = (path: string) => existsSync(join(vscode.server.extensionsFolder, installed, path));
    const expected = [
      'dist/extension.js',
      'dist/extension.web.js',
      'dist/webview.js',
      'dist/lesson.css',
      'package.json',
    ];
    assert.deepEqual(
      expected.filter((path) => !at(path)),
      [],
    );
    assert.deepEqual(['engine', 'test', 'node_modules', 'dist/test'].filter(at), []);
  });

  it('explains a selected sentence, without a network request or a breach of its policy', async () => {
    await vscode.openFile('sentence.txt');
    await vscode.selectText(1, 1, 1, 23);
    await vscode.runCommand('Explain Attention');
    const frame = await vscode.webviewFrame();
    await frame.getByText('cat', { exact: true }).first().waitFor({ timeout: 30_000 });
    assert.deepEqual(vscode.foreignRequests(), []);
    assert.deepEqual(vscode.cspViolations(), []);
  });
});
