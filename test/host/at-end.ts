// Ends what the test files of one process share (a browser, a VS Code) after the last of them. mocha requires this file before any test. Where files
// run in parallel, mocha ends each process itself, and cleanup.ts ends what the process started.
const tasks = new Set<() => Promise<unknown>>();

/** Runs `task` once after all tests of this process. */
export const atEndOfTests = (task: () => Promise<unknown>): void => void tasks.add(task);

export async function mochaGlobalTeardown(): Promise<void> {
  for (const task of tasks) await task();
}
