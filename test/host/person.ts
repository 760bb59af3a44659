// Acts as the user in tests of a web extension host. These run in a worker, which cannot see the page: they log a line `person: […]` that says what
// to do, and check the result themselves.
import type { Frame, Page } from 'playwright-core';

/** An action in the page whose document contains the selector `in`: a click, typing a text, or only waiting for the selector `at`. */
export interface Deed {
  readonly in: string;
  readonly at: string;
  readonly does: 'click' | 'fill' | 'see';
  readonly text?: string;
}

/** Returns a function that performs actions one after the other. An action that fails is printed; the test that waits for its result then fails. */
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
