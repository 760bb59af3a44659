// The reporter of every mocha run, on the command line and in VS Code: the tests as they pass, the failures in full, and
// one line of counts that test.ts reads. It needs nothing of mocha, so that it can be bundled for the extension host.
import type { Runner, Suite, Test } from 'mocha';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const mark = 'counts:';

/** The counts that the last mocha run in this output reported; undefined if it died before its end. */
export function readCounts(output: string): Counts | undefined {
  const line = output.split('\n').findLast((text) => text.startsWith(`${mark} {`));
  return line === undefined ? undefined : (JSON.parse(line.slice(mark.length)) as Counts);
}

/** Mocha calls it with `new`. Where files run side by side, it tells of each file once that has ended. */
export default function report(runner: Runner): void {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  // Counted, since a test that ran in another process has lost its parents.
  let depth = 0;
  const indent = (): string => '  '.repeat(depth + 1);
  runner.on('suite', (suite: Suite) => {
    if (suite.root) return;
    console.log(`${indent()}${suite.title}`);
    depth++;
  });
  runner.on('suite end', (suite: Suite) => {
    if (!suite.root) depth--;
  });
  runner.on('pass', (test: Test) => {
    counts.passed++;
    const { duration = 0 } = test;
    console.log(`${indent()}✓ ${test.title}${duration > 1000 ? ` (${(duration / 1000).toFixed(1)} s)` : ''}`);
  });
  runner.on('pending', (test: Test) => {
    counts.skipped++;
    console.log(`${indent()}- ${test.title} (skipped)`);
  });
  runner.on('retry', (test: Test, error: unknown) => {
    console.log(`${indent()}~ ${test.fullTitle()} is tried again\n${words(error)}`);
  });
  runner.on('fail', (test: Test, error: unknown) => {
    counts.failed++;
    console.log(`${indent()}✗ ${test.fullTitle()}\n${words(error)}`);
  });
  runner.on('end', () => console.log(`${mark} ${JSON.stringify(counts)}`));
}

/** An error that comes from another process is a plain object with an error's fields. */
function words(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const { message, stack = '' } = error as Error;
  return stack.includes(message) ? stack : `${message}\n${stack}`;
}
