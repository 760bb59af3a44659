// `npm run screenshots`: every view of the panel in four themes at three widths, into test-results/screenshots/panel; then the
// main job in a real VS Code, as pictures in extension/media for README: the panel in each kind of theme, and a hover.
// `npm run screenshots -- views` takes only the former, a theme's name only that one of the latter.
import { join } from 'node:path';
import { explainSelection, goToStep } from '../extension/e2e/panel';
import { copyExamples, root } from './paths';
import { HostError, run } from './processes';
import { openVSCode, type Session, type Theme } from './session';

const media = join(root, 'extension/media');
const themes: Theme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

/** A selected sentence, walked to its scores, and the arithmetic of one cell. */
async function panel(vscode: Session, theme: Theme): Promise<void> {
  const frame = await explainSelection(vscode, '001.md', 'The cat sat on the mat', 'mat');
  await goToStep(frame, 'scores');
  await frame.locator('[data-matrix="scores"] [data-row="1"][data-column="2"]').first().click();
  await frame.locator('.inspector').getByText('Σ').first().waitFor();
  await vscode.page.mouse.move(0, 0);
  await save(vscode, `panel-${theme}`);
}

async function hover(vscode: Session, theme: Theme): Promise<void> {
  await vscode.runCommand('View: Close All Editors');
  await vscode.openFile('001.py');
  const line = 13;
  await vscode.goTo(line, 10);
  await vscode.runCommand('Show or Focus Hover');
  await vscode.page.locator('.monaco-hover:visible td span').first().waitFor({ timeout: 20_000 });
  await save(vscode, `hover-${theme}`);
}

async function save(vscode: Session, name: string): Promise<void> {
  const path = join(media, `${name}.png`);
  await vscode.screenshot(path);
  console.log(path);
  await shrink(path);
}

/** A palette of 96 colours: README's pictures are in the package, and a third as large so. Without pngquant they stay as they are. */
async function shrink(path: string): Promise<void> {
  const args = ['--quality', '60-95', '--speed', '1', '--strip', '--nofs', '--force', '--output', path, '96', path];
  const { code, output } = await run('pngquant', args);
  if (code !== 0) console.log(`not made smaller (the package wants pngquant, as Debian has it): ${output}`);
}

/** By the test that looks at them too. */
async function views(): Promise<void> {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--import=tsx', 'test/webview/pictures.test.ts'];
  const { code } = await run(process.execPath, args, { cwd: root, echo: true, limit: 1200 });
  if (code !== 0) throw new HostError('a picture has something to complain of');
}

async function main(wanted: string[]): Promise<void> {
  if (wanted.length === 0 || wanted.includes('views')) await views();
  for (const theme of themes.filter((name) => wanted.length === 0 || wanted.includes(name))) {
    const options = { extensionDevelopmentPath: root, folder: copyExamples(), width: 1680, height: 1050, theme };
    const vscode = await openVSCode({ ...options, settings: { 'workbench.activityBar.location': 'hidden' } });
    try {
      await vscode.runCommand('View: Toggle Primary Side Bar Visibility');
      await panel(vscode, theme);
      if (theme === 'dark' || theme === 'light') await hover(vscode, theme);
    } catch (error) {
      await save(vscode, `failed-${theme}`);
      throw error;
    } finally {
      await vscode.close();
    }
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
