// Whoever sits before the window of a web extension host: its tests run in a worker, which sees no page. They say what is to be done in a line
// `person: […]` of the log, and see for themselves what came of it.
import type { Frame, Page } from 'playwright-core';

/** In the page that has `in`, once it is there: a click, a text, or nothing but waiting for `at`. */
export interface Deed {
  readonly in: string;
  readonly at: string;
  readonly does: 'click' | 'fill' | 'see';
  readonly text?: string;
}

/** Does what it is asked, one thing after the other. What cannot be done is printed, and the test that waits for it fails. */
export function peopleIn(page: Page): (deeds: readonly Deed[]) => void {
  let before = Promise.resolve();
  return (deeds) => {
    before = before.then(async () => {
      for (const deed of deeds) await done(page, deed);
    });
    before = before.catch((error: unknown) => console.log(`person: ${String(error)}`));
  };
}

async function done(page: Page, { in: selector, at, does, text = '' }: Deed): Promise<void> {
  const frame = await frameWith(page, selector);
  const found = frame.locator(at).first();
  if (does === 'click') await found.click();
  else if (does === 'fill') await found.fill(text);
  else await found.waitFor();
}

async function frameWith(page: Page, selector: string): Promise<Frame> {
  for (const end = Date.now() + 40_000; Date.now() < end; await page.waitForTimeout(100)) {
    for (const frame of page.frames()) {
      const there = await frame.locator(selector).count().catch(() => 0); // prettier-ignore
      if (there > 0) return frame;
    }
  }
  throw new Error(`no page has ${selector}`);
}
