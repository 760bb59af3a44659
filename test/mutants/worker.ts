// Manages the process in which tests run. It is started on demand, and ended when it takes too long or cannot be used again.
import { type ChildProcess, fork } from 'node:child_process';
import { root } from '../host/paths';
import { childPath } from './bundle';
import type { Order, Report } from './child';

let running: ChildProcess | undefined;

function begun(): ChildProcess {
  if (running) return running;
  const child = fork(childPath, { cwd: root, silent: true, execArgv: ['--max-old-space-size=2048'] });
  child.stdout?.resume();
  child.stderr?.resume();
  child.on('exit', () => running === child && (running = undefined));
  return (running = child);
}

export function endWorker(): void {
  running?.removeAllListeners('message');
  running?.kill('SIGKILL');
  running = undefined;
}

/** The report for an order; undefined if the process died or took longer than `limit` milliseconds. */
export function ask(order: Order, limit: number): Promise<Report | undefined> {
  if (order.fresh) endWorker();
  const child = begun();
  return new Promise((resolve) => {
    const finish = (report?: Report): void => {
      clearTimeout(timer);
      child.removeAllListeners('message');
      child.removeListener('exit', died);
      if (!report || order.fresh || report.failed === 'loading') endWorker();
      resolve(report);
    };
    const died = (): void => finish();
    const timer = setTimeout(finish, limit);
    child.once('message', finish);
    child.once('exit', died);
    child.send(order);
  });
}
