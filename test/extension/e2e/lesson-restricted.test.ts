// What package.json declares of untrusted workspaces: everything works in Restricted Mode, since nothing of a folder is run.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planClass, readResults } from '../../../engine/index';
import { freshFolder, root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { inLesson } from './lesson-page';
import { goToStep, panelShowing, readMatrix, soon } from './panel';

const lesson = [
  '# A lesson of a stranger\n',
  '```attention id=b step=q\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 1]]\n```\n',
  '```attention-question\n{ "id": "q", "kind": "number", "prompt": "Score of query 0 and key 1?", "digits": 0, "of": { "step": "scores", "cell": [0, 1] } }\n```\n',
].join('\n');

describe('Restricted Mode of a real VS Code', function () {
  this.timeout(240_000);
  let vscode: Session;
  const folder = freshFolder('restricted');
  const room = join(folder, 'class-lesson');
  const own = join(room, 'students/Ada');

  before(async () => {
    const plan = planClass({ lesson, name: 'lesson.md', students: ['Ada'], seed: 3 });
    assert.ok(plan.ok);
    for (const { path, text } of plan.value.files) {
      mkdirSync(join(room, path, '..'), { recursive: true });
      writeFileSync(join(room, path), text);
    }
    writeFileSync(join(folder, 'q.py'), 'Q = [[1.5, 2.25], [0.5, 1.0]]\nK = [[1.0, 0.0], [3.0, 1.0]]\n');
    const settings = { 'security.workspace.trust.startupPrompt': 'never' };
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000, trust: false, settings }); // prettier-ignore
  });
  after(() => vscode.close());

  it('is what is tested, and what the manifest declares', async () => {
    await vscode.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { capabilities: unknown };
    assert.deepEqual(manifest.capabilities, { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true });
  });

  it('explains a literal', async () => {
    await vscode.openFile('q.py');
    await vscode.selectText(1, 1, 3, 1);
    await vscode.runCommand('Explain Attention');
    const frame = await panelShowing(vscode, 'q.py:1');
    await goToStep(frame, 'scores');
    assert.deepEqual(await readMatrix(frame, 'scores'), [[1.5, 6.75], [0.5, 2.5]]); // prettier-ignore
  });

  it('has hovers', async () => {
    await vscode.openFile('q.py');
    await vscode.goTo(1, 8);
    const hover = vscode.page.locator('.monaco-hover:visible').filter({ hasText: '2×2' }).first();
    await soon(async () => {
      await vscode.runCommand('Show or Focus Hover');
      await hover.waitFor({ timeout: 5000 });
    }, 60);
    assert.match(await hover.innerText(), /2\.25/);
    await vscode.page.keyboard.press('Escape');
  });

  it('plays a lesson of the folder, which is handed in and graded', async () => {
    await vscode.openFile(join(own, 'lesson.md'));
    await vscode.runCommand('Explain Attention: Open Course or Lesson…');
    await inLesson(vscode, async (page) => {
      const q = page.locator('[data-question="q"]');
      const verdict = q.locator('.verdict[data-verdict]').first();
      await q.waitFor();
      // There already, if the page was loaded again after the answer.
      if (!(await verdict.isVisible())) {
        await q.locator('input').fill('5');
        await q.locator('.check').click();
      }
      await verdict.waitFor();
    });
    await inLesson(vscode, (page) => page.locator('.hand-in').click());
    const file = join(own, 'Ada.results.json');
    await soon(() => Promise.resolve(assert.ok(existsSync(file), file)));
    const results = readResults(readFileSync(file, 'utf8'));
    assert.ok(results.ok);
    assert.deepEqual(results.value.answers.map((a) => a.response), [5]); // prettier-ignore
    await vscode.runCommand('Explain Attention: Grade Class…');
    const folders = vscode.page.locator('.quick-input-widget .monaco-list-row');
    // The class of the workspace is what is offered first.
    await folders.filter({ hasText: 'class-lesson' }).first().waitFor();
    assert.match(await folders.first().innerText(), /^class-lesson/);
    await folders.first().click();
    await soon(() => Promise.resolve(assert.ok(existsSync(join(room, 'teacher/report.html')))));
    await soon(() => Promise.resolve(assert.match(readFileSync(join(room, 'teacher/marks.csv'), 'utf8'), /^Ada,/m)));
  });

  it('sets up a class in the folder, and writes nothing that is not named before', async () => {
    const item = (text: string | RegExp) =>
      vscode.page.locator('.quick-input-widget .monaco-list-row', { hasText: text }).first();
    const pick = async (title: string, text: string | RegExp): Promise<void> => {
      await vscode.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: title }).waitFor();
      await item(text).click();
    };
    const before = readdirSync(folder).sort();
    // From another file: the command is for the lesson that is chosen, not for what happens to be open.
    await vscode.openFile('q.py');
    await vscode.runCommand('Explain Attention: Set Up a Class…');
    await pick('Lesson', /Softmax/);
    await pick('Students', 'No list');
    await pick('Folder', /\/class-/);
    const dialog = vscode.page.locator('.monaco-dialog-box');
    await dialog.getByText(/\d+ files go to/).waitFor();
    assert.deepEqual(readdirSync(folder).sort(), before, 'nothing is written before the yes');
    await dialog.getByRole('button', { name: 'Write' }).click();
    await soon(() => {
      const made = readdirSync(folder).filter((name) => !before.includes(name));
      assert.equal(made.length, 1, made.join());
      const files = readdirSync(join(folder, made[0] ?? ''), { recursive: true, encoding: 'utf8' });
      for (const file of ['teacher/key.json', 'students/everybody/README.md'])
        assert.ok(files.includes(file), files.join());
      return Promise.resolve();
    });
    await vscode.page.locator('.notification-toast', { hasText: /files are in/ }).waitFor();
  });

  it('stayed restricted, broke no content policy and made no request', async () => {
    await vscode.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    assert.deepEqual(vscode.cspViolations(), []);
    assert.deepEqual(vscode.foreignRequests(), []);
  });
});
