import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { readResults } from '../../../engine/index';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { explainerAt, lessonFrame } from './lesson-page';
import { reloaded, soon } from './panel';

const block = (id: string, cell: string): string =>
  `\`\`\`attention id=${id} step=scores cell=${cell}\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 1]]\n\`\`\`\n`;
const question = (id: string): string =>
  `\`\`\`attention-question\n{ "id": "${id}", "kind": "number", "prompt": "Score of query 0 and key 1?", "digits": 0, "of": { "step": "scores", "cell": [0, 1] } }\n\`\`\`\n`;
const lesson = `# First page\n\n${block('one', '1,1')}\n${question('q')}\n# Second page\n\n${block('two', '0,0')}\n${question('later')}`;

describe('a lesson in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;
  const folder = freshFolder('lesson');

  before(async () => {
    writeFileSync(join(folder, 'lesson.md'), lesson);
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000 });
  });
  after(() => vscode.close());

  const lessonPage = (): Promise<Frame> => lessonFrame(vscode);

  it('plays beside the live explainer, which shows the page’s block', async () => {
    await vscode.openFile('lesson.md');
    await vscode.runCommand('Explain Attention: Open Course or Lesson…');
    const page = await lessonPage();
    await page.locator('[data-question="q"]').waitFor();
    const explainer = await explainerAt(vscode, 'lesson.md: one');
    await explainer.locator('[data-current-step="scores"]').waitFor();
    await page.locator('.next').click();
    await explainerAt(vscode, 'lesson.md: two');
    await page.locator('.previous').click();
    await explainerAt(vscode, 'lesson.md: one');
  });

  it('has the explainer hide what a question asks for, until it is answered', async () => {
    const page = await lessonPage();
    const explainer = await explainerAt(vscode, 'lesson.md: one');
    const scores = explainer.locator('.picture-layer [role=grid][data-matrix=scores]');
    await explainer.getByText('The lesson asks for this.').waitFor();
    assert.equal(await scores.isVisible(), false);
    const q = page.locator('[data-question="q"]');
    await q.locator('input').fill('5');
    await q.locator('.check').click();
    await scores.waitFor();
    await page.locator('.reset').click();
    await explainer.getByText('The lesson asks for this.').waitFor();
    assert.equal(await scores.isVisible(), false);
  });

  it('keeps answers through a reload of the window', async () => {
    const page = await lessonPage();
    const q = page.locator('[data-question="q"]');
    await q.locator('input').fill('5');
    await q.locator('.check').click();
    await q.locator('.verdict[data-verdict="right"]').waitFor();
    await vscode.page.waitForTimeout(1500);
    await reloaded(vscode, async () => {
      const again = await lessonPage();
      await again.locator('[data-question="q"] .verdict[data-verdict="right"]').waitFor({ timeout: 60_000 });
    });
  });

  // VS Code in a browser writes a page's state every 5 s (extension/panels/kept.ts); what is checked is kept by the host at once.
  it('keeps what was entered and not yet checked a second before the browser reloaded', async () => {
    const page = await lessonPage();
    await page.locator('.next').click();
    const input = (frame: Frame): Locator => frame.locator('[data-question="later"] input');
    await input(page).fill('12');
    await vscode.page.waitForTimeout(1000);
    const comesBack = async (): Promise<void> => {
      const again = await lessonPage();
      await input(again).waitFor({ timeout: 60_000 });
      assert.equal(await input(again).inputValue(), '12');
      await again.locator('.previous').click();
    };
    await reloaded(vscode, comesBack, vscode.reloadPage);
  });

  it('is handed in beside itself', async () => {
    const page = await lessonPage();
    await page.locator('.hand-in').click();
    const box = vscode.page.locator('.quick-input-widget input');
    await box.waitFor();
    await box.fill('Ada');
    await vscode.page.keyboard.press('Enter');
    const file = join(folder, 'Ada.results.json');
    await soon(() => Promise.resolve(assert.ok(existsSync(file), file)));
    const results = readResults(readFileSync(file, 'utf8'));
    assert.ok(results.ok);
    assert.deepEqual(results.value.answers.map(({ question: id, response }) => [id, response]), [['q', 5]]);
  }); // prettier-ignore

  it('broke no content policy and made no request', () => {
    assert.deepEqual(vscode.cspViolations(), []);
    assert.deepEqual(vscode.foreignRequests(), []);
  });
});
