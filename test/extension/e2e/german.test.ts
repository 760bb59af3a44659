// Issue part “Craft”: one complete translation. VS Code says its language is German; everything else is a reader's way.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { panelShowing, soon } from './panel';

const texts = (path: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as Readonly<Record<string, string>>;

const theCat = JSON.parse(readFileSync(join(root, 'test/fixtures/attention/the-cat.json'), 'utf8')) as {
  default: { scores: number[][] };
};

describe('German in a real VS Code', function () {
  this.timeout(180_000);
  const bundle = texts('extension/l10n/bundle.l10n.de.json');
  /** What German has for a text; a text without is a mistake of this test. */
  function german(english: string): string {
    const text = bundle[english];
    assert.ok(text && text !== english, `the bundle has no German for “${english}”`);
    return text;
  }
  let vscode: Session;
  before(async () => {
    const folder = freshFolder('german');
    writeFileSync(join(folder, 'katze.md'), 'The cat sat on the mat\n');
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000, language: 'de' });
  });
  after(() => vscode.close());

  it('is what the panel speaks; the numbers keep their point', async () => {
    await vscode.openFile('katze.md');
    await vscode.selectText(1, 1, 1, 23);
    await vscode.runCommand('Explain Attention');
    const frame = await panelShowing(vscode, 'katze.md:1');
    assert.equal(await frame.locator('html').getAttribute('lang'), 'de');
    await frame.getByRole('button', { name: german('Next step') }).click();
    await frame.getByRole('button', { name: german('Share') }).waitFor();
    await frame.locator('.timeline-step[data-step="scores"]').click();
    const cell = frame.locator('[data-matrix="scores"] [data-row="0"][data-column="0"]').first();
    const score = theCat.default.scores[0]?.[0] ?? NaN;
    const said = `Zeile The, Spalte The, ${score.toFixed(4)}`;
    await soon(async () => assert.equal(await cell.getAttribute('aria-label'), said));
  });

  it('is what the palette offers', async () => {
    const german = texts('package.nls.de.json')['command.resetInputs'];
    assert.ok(german);
    await vscode.runCommand(`Explain Attention: ${german}`);
  });
});
