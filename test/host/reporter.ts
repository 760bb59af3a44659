// The reporter of all mocha runs, on the command line and in VS Code: lists the tests that pass, details the failures, and prints one line of counts,
// which test.ts reads. It imports nothing of mocha, so that it can be bundled for the extension host.
import type { Runner, Suite, Test } from 'mocha';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const mark = 'counts:';

/** The counts of the last mocha run in an output. Undefined if it ended prematurely. */
export function readCounts(output: string): Counts | undefined {
  const line = output.split('\n').findLast((text) => text.startsWith(`${mark} {`));
  return line === undefined ? undefined : (JSON.parse(line.slice(mark.length)) as Counts);
}

/** mocha calls it with `new`. With files in parallel, it gets the events of a file when that has ended. */
export default function report(runner: Runner): void {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  // Counted here, because a test that ran in another process has no parent suites.
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

/** The text of an error. One from another process is a plain object with the fields of an Error. */
function words(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const { message, stack = '' } = error as Error;
  return stack.includes(message) ? stack : `${message}\n${stack}`;
}
