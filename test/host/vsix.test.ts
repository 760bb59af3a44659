// Tests the package as users get it: installed from the .vsix, with a text of their own.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { goToStep, panelShowing, readMatrix } from '../extension/e2e/panel';
import { codeVersion } from './code-server';
import { packageExtension } from './package';
import { freshFolder } from './paths';
import { openVSCode, type Session } from './session';

describe('the packaged extension', function () {
  this.timeout(300_000);
  const folder = freshFolder('vsix');
  const vsix = join(folder, 'explain-attention.vsix');
  let vscode: Session;

  before(async () => {
    await packageExtension(vsix);
    writeFileSync(join(folder, 'sentence.txt'), 'The cat sat on the mat\n');
    vscode = await openVSCode({ vsix, folder });
  });
  after(() => vscode.close());

  it('installs', () => {
    assert.deepEqual(vscode.server.installed(), ['explain-attention.explain-attention']);
  });

  it('contains the files that it needs to run, and no sources or tests', () => {
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

  it('shows README with its first picture on the page of the extension', async () => {
    await vscode.runCommand('View: Show Extensions');
    await vscode.page.locator('.extension-list-item', { hasText: 'Explain Attention' }).first().click();
    await vscode.page.locator('.extension-editor .name', { hasText: 'Explain Attention' }).waitFor();
    const pictures = await shownPictures(vscode.page);
    // The newest VS Code draws only pictures from the web on this page: of ours, which is in the package, it shows the words.
    const seen = codeVersion.startsWith('1.100.');
    assert.deepEqual(
      pictures.map(({ words, width, height }) => ({ words: words.slice(0, 20), seen: width > 300 && height > 100 })),
      [{ words: 'A sentence is explai', seen }],
    );
    await vscode.runCommand('View: Close All Editors');
  });

  it('explains a selected sentence, without a network request or a violation of its Content Security Policy', async () => {
    await vscode.openFile('sentence.txt');
    await vscode.selectText(1, 1, 1, 23);
    await vscode.runCommand('Explain Attention');
    const frame = await vscode.webviewFrame();
    await frame.getByText('cat', { exact: true }).first().waitFor({ timeout: 30_000 });
    assert.deepEqual(vscode.foreignRequests(), []);
    assert.deepEqual(vscode.cspViolations(), []);
  });

  it('explains a literal in a folder that is not trusted', async () => {
    const strange = freshFolder('vsix-restricted');
    writeFileSync(join(strange, 'q.py'), 'Q = [[1.5, 2.25], [0.5, 1.0]]\nK = [[1.0, 0.0], [3.0, 1.0]]\n');
    const settings = { 'security.workspace.trust.startupPrompt': 'never' };
    const restricted = await openVSCode({ vsix, folder: strange, trust: false, settings });
    try {
      const badge = restricted.page.locator('.statusbar-item', { hasText: 'Restricted Mode' });
      await badge.waitFor();
      await restricted.openFile('q.py');
      await restricted.selectText(1, 1, 3, 1);
      await restricted.runCommand('Explain Attention');
      const frame = await panelShowing(restricted, 'q.py:1');
      await goToStep(frame, 'scores');
      assert.deepEqual(await readMatrix(frame, 'scores'), [[1.5, 6.75], [0.5, 2.5]]); // prettier-ignore
      await badge.waitFor();
    } finally {
      await restricted.close();
    }
  });
});

interface Picture {
  readonly words: string;
  /** Natural width of the loaded picture; 0 if it was not loaded. */
  readonly width: number;
  readonly height: number;
}

/** The pictures of the rendered README, once each has loaded or failed. */
async function shownPictures(page: Page): Promise<readonly Picture[]> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    for (const frame of page.frames()) {
      const found = await frame.evaluate(picturesOfReadme).catch(() => []);
      if (found.length > 0) return found;
    }
    await page.waitForTimeout(200);
  }
  return [];
}

/** Evaluated in the page. */
function picturesOfReadme(): readonly Picture[] {
  const pictures = [...document.querySelectorAll('img')];
  const isReadme = document.querySelector('h1')?.textContent === 'Explain Attention';
  if (!isReadme || !pictures.every((picture) => picture.complete)) return [];
  return pictures.map((picture) => ({
    words: picture.alt,
    width: picture.naturalWidth,
    height: picture.naturalHeight,
  }));
}
