// What test files share and open once (a browser, a VS Code) ends after the last of them. mocha requires this before any test; where files run side by
// side, mocha ends each process itself, and cleanup.ts ends what was begun in it.
const tasks = new Set<() => Promise<unknown>>();

/** Runs `task` once after all tests of this process. */
export const atEndOfTests = (task: () => Promise<unknown>): void => void tasks.add(task);

export async function mochaGlobalTeardown(): Promise<void> {
  for (const task of tasks) await task();
}
