// What a person does in the panel, and what stands in it.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { freshFolder, root } from '../../host/paths';
import type { Session } from '../../host/session';

/** A copy of the examples, so that a test may edit them. */
export function examplesFolder(): string {
  const folder = freshFolder('examples');
  cpSync(join(root, 'extension/examples'), folder, { recursive: true });
  return folder;
}

/** Where `from` begins and where the first `to` after it ends, in lines and columns from 1. */
export function between(file: string, from: string, to: string): readonly [number, number, number, number] {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(from);
  const last = text.indexOf(to, start);
  assert.ok(start >= 0 && last >= 0, `${file} has “${from}” and after it “${to}”`);
  return [...lineAndColumn(text, start), ...lineAndColumn(text, last + to.length)];
}

function lineAndColumn(text: string, offset: number): [number, number] {
  const before = text.slice(0, offset).split('\n');
  return [before.length, (before.at(-1)?.length ?? 0) + 1];
}

/** Selects a part of a file as a person would, runs the command from the palette, and waits for the panel. */
export async function explainSelection(vscode: Session, file: string, from: string, to: string): Promise<Frame> {
  const path = join(vscode.folder, file);
  await vscode.openFile(path);
  const selection = between(path, from, to);
  await vscode.selectText(...selection);
  await vscode.runCommand('Explain Attention');
  return panelShowing(vscode, `${file}:${selection[0]}`);
}

/** A page with an explanation in it; the empty one is ready too, before the first has come. */
const explained = 'body[data-ready="true"][data-shown]';

/** The panel's page, once the current explanation stands in it. */
export const readyPanel = (vscode: Session): Promise<Frame> => panelShowing(vscode, '');

/**
 * The page of the panel in front, once it shows an explanation of that source. The page is looked for anew each time: a
 * tab that was clicked, or a window that was reloaded, has the old one in front for a moment. VS Code's service worker may let a
 * restored page wait for 30 s.
 */
export async function panelShowing(vscode: Session, source: string | RegExp, seconds = 75): Promise<Frame> {
  const found = await shownWithin(vscode, source, seconds);
  if (found) return found;
  // As below: a page may wait for a replaced service worker for good.
  console.log(`    ~ no panel shows ${String(source)} after ${seconds} s; reloading the webviews`);
  await vscode.runCommand('Developer: Reload Webviews');
  const again = await shownWithin(vscode, source, seconds);
  if (again) return again;
  const frame = await vscode.webviewFrame();
  const [text = ''] = await frame.locator('body').allInnerTexts();
  throw new Error(`no panel shows ${String(source)}; the one in front has: ${text.slice(0, 300)}`);
}

async function shownWithin(vscode: Session, source: string | RegExp, seconds: number): Promise<Frame | undefined> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    const left = Math.max(1, (end - Date.now()) / 1000);
    const frame = await vscode.webviewFrame({ seconds: left }).catch(() => undefined);
    const header = frame?.locator(explained).locator('.header-source', { hasText: source });
    if (header && (await appears(header, 1000))) return frame;
  }
  return undefined;
}

/**
 * Reloads the window and waits for what comes back. Webviews that this VS Code restores at the same time share one service
 * worker, and the one whose worker is replaced meanwhile may wait for it for good (`Waiting for controllerchange`): a
 * person would reload once more, and so does this, twice at most.
 */
export async function reloaded<T>(
  vscode: Session,
  comesBack: () => Promise<T>,
  reload: () => Promise<void> = vscode.reloadWindow,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await reload();
    try {
      return await comesBack();
    } catch (error) {
      if (attempt === 3) throw error;
      console.log(`    ~ nothing came back after reload ${attempt}: ${String(error).split('\n')[0]}; reloading again`);
    }
  }
}

const appears = (locator: Locator, timeout: number): Promise<boolean> =>
  locator.waitFor({ timeout }).then(
    () => true,
    () => false,
  );

/** Repeats a check until it holds: what was done is seen a moment later. It fails with what the check said last. */
export async function soon(check: () => Promise<void>, seconds = 20): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Opens the sheet of switches and the group that a control is in, if they are folded. */
export async function unfoldControl(frame: Frame, name: string): Promise<void> {
  const control = frame.locator(`[data-control="${name}"]`);
  if (!(await frame.locator('#controls').isVisible())) await frame.getByRole('button', { name: /^Controls/ }).click();
  const group = frame.locator('details.group', { has: control });
  await group.waitFor();
  if (!(await control.isVisible())) await group.locator('summary').click();
  await control.waitFor({ state: 'visible' });
}

/** Opens the sheet of switches if it is folded and sets one, by mouse and keyboard. */
export async function setControl(frame: Frame, name: string, value: string): Promise<void> {
  const control = frame.locator(`[data-control="${name}"]`);
  await unfoldControl(frame, name);
  await control.waitFor({ state: 'visible' });
  if ((await control.evaluate((e) => e.tagName)) === 'VSCODE-DROPDOWN') {
    await control.click();
    await control.locator(`vscode-option[value="${value}"]`).click();
  } else {
    await control.locator('input').fill(value);
    await control.locator('input').press('Enter');
  }
  await frame.locator('body[data-ready="true"]').waitFor();
}

/** A step's button on the timeline (a chip, for weights and tables). */
const onRoad = (step = ''): string =>
  ['.timeline-step', '.timeline-chip'].map((c) => `${c}[data-step${step && `="${step}"`}]`).join(', ');

/** Waits until so many tokens stand over the timeline. */
export const hasTokens = (frame: Frame, count: number): Promise<void> =>
  soon(async () => assert.equal(await frame.locator('.token-button').count(), count));

/** Goes to a step of the timeline. */
export async function goToStep(frame: Frame, step: string): Promise<void> {
  await frame.locator(onRoad(step)).first().click();
  await frame.locator(`[data-current-step="${step}"]`).waitFor();
  await frame.locator('body[data-ready="true"]').waitFor();
  await frame.locator(`[data-matrix="${step}"] [data-row="0"][data-column="0"]`).first().waitFor();
}

/** Every number of a matrix that stands in the page, by row and column. */
export async function readMatrix(frame: Frame, step: string): Promise<number[][]> {
  const cells = await frame
    .locator(`[data-matrix="${step}"]`)
    .first()
    .locator('[data-value]')
    .evaluateAll((found) =>
      found.map((cell) => ['data-row', 'data-column', 'data-value'].map((name) => Number(cell.getAttribute(name)))),
    );
  const rows: number[][] = [];
  for (const [row = 0, column = 0, value = NaN] of cells) (rows[row] ??= [])[column] = value;
  return rows;
}

/** Walks the whole timeline and collects every matrix that is shown on the way. */
export async function readAllSteps(frame: Frame): Promise<Map<string, number[][]>> {
  const steps = await frame
    .locator(onRoad())
    .evaluateAll((found) => found.map((e) => e.getAttribute('data-step') ?? ''));
  const all = new Map<string, number[][]>();
  for (const step of new Set(steps)) {
    await goToStep(frame, step);
    const shown = await frame
      .locator('[data-matrix]')
      .evaluateAll((found) => found.map((e) => e.getAttribute('data-matrix') ?? ''));
    for (const id of new Set(shown)) all.set(id, await readMatrix(frame, id));
  }
  return all;
}

/** Opens the menu of a file in the Explorer and chooses from it, until the menu is gone. */
export async function chooseInExplorer({ page }: Session, file: string, command: string): Promise<void> {
  const item = page.getByRole('menuitem', { name: command });
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).click({ button: 'right' });
  await item.waitFor();
  // A menu that has just opened takes no click for a moment: the key it takes, and again if it did not.
  await soon(async () => {
    if (await item.isVisible()) {
      await item.hover();
      await page.keyboard.press('Enter');
    }
    assert.equal(await item.isVisible(), false, `${command} is chosen`);
  });
}
