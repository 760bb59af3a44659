// One VS Code for the tests of the panel's paragraphs: it opens when the first of them asks, and closes after the last.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import { examplesFolder, panelShowing } from './panel';

/** Whole files that the command explains without a selection or with it. */
const files = {
  'cat.md': 'The cat sat on the mat\n',
  'matrix.py': 'import numpy as np\nX = np.array([[1.0, 2.0], [3.0, 4.0]])\n',
};

let opened: Promise<Session> | undefined;

/** The VS Code that the paragraphs share. */
export function sharedVSCode(): Promise<Session> {
  return (opened ??= open());
}

async function open(): Promise<Session> {
  const folder = examplesFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const vscode = await openVSCode({ extensionDevelopmentPath: root, folder, width: 1600, height: 1000 });
  await vscode.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return vscode;
}

/** Ends it; whoever asks next gets a new one. */
export async function closeShared(): Promise<void> {
  const vscode = await opened;
  opened = undefined;
  await vscode?.close();
}

after('the VS Code that the paragraphs share', closeShared);

/** “The cat sat on the mat” in a panel of a window that shows nothing else. */
export async function explainCat(vscode: Session): Promise<Frame> {
  await vscode.runCommand('View: Close All Editors');
  await vscode.openFile('cat.md');
  await vscode.selectText(1, 1, 1, 23);
  await vscode.runCommand('Explain Attention');
  return panelShowing(vscode, 'cat.md:1');
}

/** The matrix under the cursor. */
export async function explainMatrix(vscode: Session): Promise<Frame> {
  await vscode.runCommand('View: Close All Editors');
  await vscode.openFile('matrix.py');
  await vscode.goTo(2, 16);
  await vscode.runCommand('Explain Attention');
  return panelShowing(vscode, 'matrix.py:2');
}

export const clipboard = ({ page }: Session): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Waits until the step is the current one. */
export const atStep = (frame: Frame, step: string): Promise<void> =>
  frame.locator(`.stage[data-current-step="${step}"]`).waitFor();

/** A cell of a matrix of the current step. */
export const cellAt = (frame: Frame, matrix: string, row: number, column: number): Locator =>
  frame.locator(`.picture-layer [data-matrix="${matrix}"] [data-row="${row}"][data-column="${column}"]`).first();

/** Breaches of the policy and requests of the shared window so far. */
export const breaches = (vscode: Session): readonly unknown[] => [
  ...vscode.cspViolations(),
  ...vscode.foreignRequests(),
];
