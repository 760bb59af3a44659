// Ends what this process has started when it ends itself, also by Ctrl+C, in reverse order.
import { type ChildProcess, spawnSync } from 'node:child_process';

const posix = process.platform !== 'win32';
const tasks = new Set<() => void>();
const children = new Set<ChildProcess>();
let listening = false;
let stopping = false;

/** Whether a signal asked this process to end, in which case it is no error that its children end. */
export function isStopping(): boolean {
  return stopping;
}

/** Runs `task` when this process ends. The returned function cancels that. */
export function atExit(task: () => void): () => void {
  listen();
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** Ends a child when this process ends. It must have been started as `detached` (except on Windows), so that it is a process group. */
export function endWithUs(child: ChildProcess): void {
  const forget = atExit(() => signal(child, 'SIGKILL'));
  children.add(child);
  child.once('exit', () => {
    children.delete(child);
    forget();
  });
}

/** Asks a child and its descendants to end, and kills them after two seconds. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise((done) => child.once('exit', done));
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), 2000);
  await exited;
  clearTimeout(timer);
  // Kills what the child started and left running, such as an extension host.
  signal(child, 'SIGKILL');
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (posix) process.kill(-child.pid, name);
    else spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
  } catch {
    // It has ended already.
  }
}

/** Without a listener a signal would end Node at once, and no task would run. */
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
