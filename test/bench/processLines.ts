import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Returns the process's output line by line, and undefined once it has ended. */
export function linesOf(child: ChildProcessWithoutNullStreams): () => Promise<string | undefined> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.on('error', () => child.stdout.push(null));
  child.stdin.on('error', () => undefined);
  return async () => {
    const { value, done } = await lines.next();
    return done ? undefined : String(value);
  };
}
