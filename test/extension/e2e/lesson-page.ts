// A lesson's page, and the explainer beside it, among the pages of a window.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Session } from '../../host/session';
import { soon } from './panel';

/** The frame that has something in it: panels are looked for anew, since a reload makes others. A silent page is loaded again for 70 s (extension/pages/start-page.ts). */
export async function frameWith({ page }: Session, selector: string): Promise<Frame> {
  let found: Frame | undefined;
  await soon(async () => {
    for (const frame of page.frames()) {
      if ((await frame.locator(selector).count().catch(() => 0)) > 0) found = frame;
    }
    assert.ok(found, `a frame with ${selector}`);
  }, 90);
  assert.ok(found);
  return found;
} // prettier-ignore

/** A page whose service worker was replaced while it loaded may wait for good (`reloaded` in panel.ts): a person would reload the window, and so does this, once. */
export async function lessonFrame(vscode: Session): Promise<Frame> {
  const selector = 'body[data-ready="true"] .lesson';
  try {
    return await frameWith(vscode, selector);
  } catch (error) {
    console.log(`    ~ no lesson came: ${String(error).split('\n')[0]}; reloading the window`);
    await vscode.reloadWindow();
    return frameWith(vscode, selector);
  }
}

/** A step in the lesson's page, from the start again where the page was loaded anew under it: what a person would do. */
export async function inLesson<T>(vscode: Session, step: (page: Frame) => Promise<T>): Promise<T> {
  for (let left = 3; ; left--) {
    const page = await lessonFrame(vscode);
    try {
      return await step(page);
    } catch (error) {
      if (!page.isDetached() || left === 0) throw error;
    }
  }
}

/** The explainer's page, once it shows what has this label. */
export async function explainerAt(vscode: Session, label: string): Promise<Frame> {
  const frame = await frameWith(vscode, 'body[data-shown] .header-source');
  await frame.locator('.header-source', { hasText: label }).waitFor();
  return frame;
}
