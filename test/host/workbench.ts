// Actions of a user in VS Code's window, by keyboard: commands from the palette, opening files, selecting text.
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { uriPath } from './server';
import { HostError } from './processes';

const quickInput = '.quick-input-widget:not([style*="display: none"])';
const row = `${quickInput} .quick-input-list .monaco-list-row`;

/** Waits until the workbench is loaded and shows its theme, which comes with the built-in extensions. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
  await page.locator('.monaco-workbench .part.editor').waitFor({ timeout: 60_000 });
  await page.locator('.monaco-workbench[class*="vscode-theme-"]').waitFor({ timeout: 60_000 });
}

/**
 * Opens the quick input (F1) and enters a text. Repeats the key: directly after a start nothing may listen yet, and the input may close again when
 * another part takes the focus. The text is set and not typed: typed, it went into the editor that a stop of the debugger had just focused.
 */
async function typeInQuickInput(page: Page, text: string): Promise<void> {
  const input = page.locator(`${quickInput} input.input`);
  for (let attempt = 0; attempt < 10; attempt++) {
    await page.keyboard.press('F1');
    const filled = await input
      .waitFor({ timeout: 2000 })
      .then(() => input.evaluate(enter, text, { timeout: 5000 }))
      .then(
        () => true,
        () => false,
      );
    if (filled) return;
  }
  const [asked] = await page.locator('.monaco-dialog-box').allInnerTexts();
  throw new HostError(`F1 opened no command palette${asked ? `: a dialog asks “${asked.replace(/\s+/g, ' ')}”` : ''}`);
}

function enter(input: SVGElement | HTMLElement, text: string): void {
  (input as HTMLInputElement).value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

async function closeQuickInput(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator(quickInput).waitFor({ state: 'hidden', timeout: 5000 });
}

/**
 * Runs a command by its full title in the palette, such as `Explain Attention` or `View: Toggle Panel`. Waits up to `seconds` for the title, because
 * an extension registers its commands a moment after the start.
 */
export async function runCommand(page: Page, title: string, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    await typeInQuickInput(page, `>${title}`);
    if (await chooseRow(page, title)) return;
    await closeQuickInput(page);
  }
  throw new HostError(`the command palette offers no "${title}"`);
}

/**
 * Clicks the row with exactly this label, if it appears within a moment. The whole label is compared: VS Code puts the letters that match into an
 * element of their own, so that a longer label holds an element whose text is `label`.
 */
async function chooseRow(page: Page, label: string): Promise<boolean> {
  const exact = page.locator(row).filter({ has: page.locator('.label-name').filter({ hasText: wholeText(label) }) });
  const offered = await exact
    .first()
    .waitFor({ timeout: 3000 })
    .then(
      () => true,
      () => false,
    );
  if (offered) await exact.first().click();
  return offered;
}

const wholeText = (text: string): RegExp =>
  new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)}\\s*$`);

/** Focuses the first editor group. With a panel in focus, files would open in its group, and selections would have no editor. */
async function leavePanel(page: Page): Promise<void> {
  const panel = page.locator('.editor-group-container.active .editor-instance > [id^="webview-editor-element"]');
  if ((await panel.count()) > 0) await runCommand(page, 'View: Focus First Editor Group');
}

/** Opens a file by its absolute path in Quick Open and waits for its editor. */
export async function openFile(page: Page, path: string): Promise<void> {
  await leavePanel(page);
  await typeInQuickInput(page, uriPath(path));
  const name = basename(path);
  const offered = page.locator(row).filter({ has: page.getByText(name, { exact: true }) });
  await offered.first().click({ timeout: 20_000 });
  await page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor({ timeout: 20_000 });
  if (!name.endsWith('.ipynb')) await page.locator(editorOf(path)).first().waitFor({ timeout: 20_000 });
}

function editorOf(path: string): string {
  return `.monaco-editor[data-uri$="${encodeURI(uriPath(path))}"]`;
}

/** The position in the status bar, such as `Ln 3, Col 5 (12 selected)`. */
export async function position(page: Page): Promise<string> {
  const text = await page.locator('[id="status.editor.selection"]').textContent({ timeout: 10_000 });
  return text?.trim() ?? '';
}

/** Moves the cursor of the active editor with "Go to Line/Column"; line and column count from 1. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  await leavePanel(page);
  await typeInQuickInput(page, `:${line}:${column}`);
  await page.locator(`${quickInput} input.input`).press('Enter');
  await page.locator(quickInput).waitFor({ state: 'hidden', timeout: 5000 });
}

/**
 * Selects text in the active editor by VS Code's anchor commands; lines and columns count from 1, the end is exclusive. Returns the text of the
 * status bar. Fails if the cursor is not where it should be.
 */
export async function selectText(page: Page, start: [number, number], end: [number, number]): Promise<string> {
  await goTo(page, ...start);
  await runCommand(page, 'Set Selection Anchor');
  await goTo(page, ...end);
  await runCommand(page, 'Select from Anchor to Cursor');
  const expected = `Ln ${end[0]}, Col ${end[1]} (`;
  for (let attempt = 0; attempt < 50; attempt++) {
    const shown = await position(page);
    if (shown.startsWith(expected)) return shown;
    await page.waitForTimeout(100);
  }
  throw new HostError(`selecting ${start.join(':')} to ${end.join(':')} ended at "${await position(page)}"`);
}
