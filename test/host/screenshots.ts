// `npm run screenshots`: drives a real VS Code through the main job and writes the pictures that README shows, and one set
// for each theme and width into test-results/screenshots, to be looked at.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { examplesFolder, explainSelection, goToStep, readyPanel, setControl } from '../extension/e2e/panel';
import { root } from './paths';
import { openVSCode, type Session, type Theme } from './session';

const pictures = join(root, 'extension/media');
const gallery = join(root, 'test-results/screenshots');

/** The sentence of tutorial 001, at the scores of one cell. */
async function theCat(vscode: Session): Promise<Frame> {
  const frame = await explainSelection(vscode, '001.md', 'The cat sat on the mat', 'mat');
  await vscode.runCommand('View: Close Panel').catch(() => undefined);
  await goToStep(frame, 'scores');
  await frame.locator('[data-matrix="scores"] [data-row="1"][data-column="2"]').first().click();
  return frame;
}

async function withVSCode(
  theme: Theme,
  width: number,
  height: number,
  shoot: (vscode: Session) => Promise<void>,
): Promise<void> {
  const settings = {
    'workbench.activityBar.location': 'hidden',
    'workbench.startupEditor': 'none',
    'explorer.autoReveal': false,
  };
  const vscode = await openVSCode({
    extensionDevelopmentPath: root,
    folder: examplesFolder(),
    theme,
    width,
    height,
    settings,
  });
  try {
    await vscode.runCommand('View: Close Primary Side Bar').catch(() => undefined);
    await shoot(vscode);
  } finally {
    await vscode.close();
  }
}

/** The pointer rests on a literal until its hover shows. */
async function hover(vscode: Session, file: string, text: string): Promise<void> {
  await vscode.openFile(file);
  const word = vscode.page.locator('.view-line', { hasText: text }).first();
  await word.hover({ position: { x: 160, y: 8 } });
  await vscode.page.locator('.monaco-hover img').first().waitFor({ timeout: 15_000 });
}

async function main(): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  mkdirSync(gallery, { recursive: true });
  const saved: string[] = [];
  const save = async (vscode: Session, folder: string, name: string): Promise<void> => {
    await vscode.screenshot(join(folder, `${name}.png`));
    saved.push(`${name}.png`);
  };
  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
    await withVSCode(theme, 1600, 960, async (vscode) => {
      const frame = await theCat(vscode);
      await save(vscode, theme === 'dark' || theme === 'light' ? pictures : gallery, `panel-${theme}`);
      await goToStep(frame, 'weights');
      await save(vscode, gallery, `weights-${theme}`);
      await setControl(frame, 'mask', 'causal');
      await goToStep(frame, 'masked');
      await save(vscode, gallery, `masked-${theme}`);
      await readyPanel(vscode);
    });
  }
  await withVSCode('dark', 1100, 700, async (vscode) => {
    await hover(vscode, '004.py', 'W_q =');
    await save(vscode, pictures, 'hover-dark');
  });
  console.log(`screenshots: ${saved.join(', ')}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
