// Nothing is left behind: what was begun is ended when this process ends, in reverse order, Ctrl+C included.
import { type ChildProcess, spawnSync } from 'node:child_process';

const posix = process.platform !== 'win32';
const tasks = new Set<() => void>();
const children = new Set<ChildProcess>();
let listening = false;
let stopping = false;

/** True once a signal asked this process to end: that its children end then is no error. */
export function isStopping(): boolean {
  return stopping;
}

/** Runs `task` when this process ends; the returned function forgets it. */
export function atExit(task: () => void): () => void {
  listen();
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** Ends a child with this process. It must have been started as `detached` (on Windows: not), to be a group of its own. */
export function endWithUs(child: ChildProcess): void {
  const forget = atExit(() => signal(child, 'SIGKILL'));
  children.add(child);
  child.once('exit', () => {
    children.delete(child);
    forget();
  });
}

/** Asks a child and all below it to end, and kills them when they have not after two seconds. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise((done) => child.once('exit', done));
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), 2000);
  await exited;
  clearTimeout(timer);
  // What it started and left running, such as an extension host.
  signal(child, 'SIGKILL');
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (posix) process.kill(-child.pid, name);
    else spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
  } catch {
    // Already gone.
  }
}

/** Without a listener, a signal ends Node at once and none of this would run. */
function listen(): void {
  if (listening) return;
  listening = true;
  process.once('exit', () => [...tasks].reverse().forEach((task) => task()));
  const stop = (code: number) => {
    stopping = true;
    void Promise.all([...children].map(end)).finally(() => process.exit(code));
  };
  process.once('SIGINT', () => stop(130));
  process.once('SIGTERM', () => stop(143));
}
