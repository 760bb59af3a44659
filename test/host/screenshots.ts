// `npm run screenshots`: every view of the panel in four themes and three widths, into test-results/screenshots/panel. Then, in a real VS Code,
// README's pictures into extension/media (an animated walk through the panel, and a hover), and panel and hover in each kind of theme into
// test-results/screenshots/vscode, for inspection. `npm run screenshots -- views` takes only the first, `walk` only the animation, a theme's name
// only that theme's.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainSelection, goToStep, panelShowing, readyPanel } from '../extension/e2e/panel';
import { movingPicture, type Frame } from './moving-picture';
import { copyExamples, root } from './paths';
import { HostError, must, run } from './processes';
import { openVSCode, type Session, type Theme } from './session';

const media = join(root, 'extension/media');
const themes: Theme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

/** Explains a selected sentence, goes to the scores, and opens the arithmetic of one cell. */
async function panel(vscode: Session, theme: Theme): Promise<void> {
  const frame = await explainSelection(vscode, '1-the-cat-sat.md', 'The cat sat on the mat', 'mat');
  await goToStep(frame, 'scores');
  await frame.locator('[data-matrix="scores"] [data-row="1"][data-column="2"]').first().click();
  await frame.locator('.inspector').getByText('Σ').first().waitFor();
  await vscode.page.mouse.move(0, 0);
  await save(vscode, `panel-${theme}`);
}

async function hover(vscode: Session, theme: Theme): Promise<void> {
  await vscode.runCommand('View: Close All Editors');
  await vscode.openFile('1-the-cat-sat.py');
  const line = 13;
  await vscode.goTo(line, 10);
  await vscode.runCommand('Show or Focus Hover');
  await vscode.page.locator('.monaco-hover:visible td span').first().waitFor({ timeout: 20_000 });
  await save(vscode, `hover-${theme}`);
}

async function save(vscode: Session, name: string): Promise<void> {
  const ofReadme = name === 'hover-dark';
  const path = join(ofReadme ? media : lookFolder(), `${name}.png`);
  await vscode.screenshot(path);
  console.log(path);
  if (ofReadme) await shrink(path);
}

/** The folder of pictures for inspection. */
function lookFolder(): string {
  const folder = join(root, 'test-results/screenshots/vscode');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Reduces a picture to 96 colours, a third of its size, because README's pictures are in the package. Leaves it as it is without pngquant. */
async function shrink(path: string): Promise<void> {
  const args = ['--quality', '60-95', '--speed', '1', '--strip', '--nofs', '--force', '--output', path, '96', path];
  const { code, output } = await run('pngquant', args);
  if (code !== 0) console.log(`not made smaller (the package wants pngquant, as Debian has it): ${output}`);
}

/** Takes the pictures by the test that also checks them. */
async function views(): Promise<void> {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--import=tsx', 'test/webview/pictures.test.ts'];
  const { code } = await run(process.execPath, args, { cwd: root, echo: true, limit: 1200 });
  if (code !== 0) throw new HostError('a picture has something to complain of');
}

/** Takes README's first picture: the first window, the question's arithmetic, the score behind it as it is computed, and code with a mistake. */
async function walkThrough(): Promise<void> {
  const vscode = await openVSCode({
    extensionDevelopmentPath: root,
    theme: 'dark',
    settings: { ...quiet, 'explainAttention.exampleOnStart': 'once', 'explainAttention.textWeights': 'trained' },
    width: 1040,
    height: 724,
  });
  const frames: Frame[] = [];
  const take = async (shown: number): Promise<void> => {
    await vscode.page.mouse.move(0, 0);
    // Symbols come with their fonts.
    await vscode.page.waitForTimeout(1000);
    // Without the title and the status bar, which say nothing of the extension and weigh 5 kB in the package.
    const clip = { x: 0, y: 34, width: 1040, height: 660 };
    frames.push({ png: await vscode.page.screenshot({ animations: 'disabled', caret: 'hide', clip }), shown });
  };
  try {
    await vscode.runCommand('View: Toggle Primary Side Bar Visibility');
    const frame = await readyPanel(vscode);
    await frame.locator('.opening-next', { hasText: 'What the model expects' }).waitFor();
    await take(3000);
    await frame.getByRole('button', { name: 'Show the arithmetic' }).click();
    await frame.locator('.inspector').getByText('Σ').first().waitFor();
    await take(3000);
    await vscode.goTo(47, 1);
    await vscode.page.locator('.squiggly-warning').first().waitFor();
    // VS Code gives lenses that scroll into view their commands a moment later.
    await vscode.page.waitForTimeout(1500);
    await vscode.page.locator('.codelens-decoration a', { hasText: '4×4' }).click();
    await panelShowing(vscode, 'Untitled-1:46');
    await goToStep(frame, 'scores');
    await frame.locator('[data-matrix="scores"] [data-row="1"][data-column="2"]').first().click();
    await frame.getByRole('button', { name: 'Watch it computed' }).click();
    await vscode.page.waitForTimeout(500);
    await take(3000);
    const [gif, webp] = [join(media, 'walk.gif'), join(media, 'walk.webp')];
    writeFileSync(gif, movingPicture(frames));
    // Without loss, and little more than half as large. Debian's package webp has the program.
    must(await run('gif2webp', ['-m', '6', '-q', '100', '-min_size', gif, '-o', webp]), 'gif2webp');
    rmSync(gif);
    console.log(`${webp}: ${statSync(webp).size} bytes`);
  } catch (error) {
    await save(vscode, 'failed-walk');
    throw error;
  } finally {
    await vscode.close();
  }
}

const quiet = { 'workbench.activityBar.location': 'hidden', 'editor.minimap.enabled': false };

async function main(wanted: string[]): Promise<void> {
  if (wanted.length === 0 || wanted.includes('views')) await views();
  if (wanted.length === 0 || wanted.includes('walk')) await walkThrough();
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
