import type { Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the workers of a page go about an overview, as slow-workers.js has it. */
export interface Rows {
  readonly processors: number;
  /** What becomes of the second worker when it is asked for a stripe. */
  readonly loss?: 'error' | 'silence';
  /** The first worker waits after its first parts until `letWorkersGo`, so that a test can cancel it on any machine. */
  readonly held?: boolean;
}

/** A script to run before the page. */
export const slowWorkers = (rows: Rows): string =>
  `globalThis.rowsPlan = ${JSON.stringify(rows)};\n${readFileSync(join(__dirname, 'slow-workers.js'), 'utf8')}`;

export const letWorkersGo = (page: Page): Promise<void> =>
  page.evaluate(() => new BroadcastChannel('rows-go').postMessage('go'));
