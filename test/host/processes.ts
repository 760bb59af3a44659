// Runs child processes, each with a time limit. None outlives this process.
import { spawn } from 'node:child_process';
import { end, endWithUs } from './cleanup';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Seconds after which the process and its descendants are killed. */
  limit?: number;
  /** Show the output as it comes (it is collected either way). */
  echo?: boolean;
}

export interface RunResult {
  /** The exit code; 124 if the time limit was reached, 127 if the program could not be started. */
  code: number;
  /** Standard output and standard error, interleaved. */
  output: string;
}

const posix = process.platform !== 'win32';

/** Runs a program to its end. Never rejects: failures are in the code and the output. */
export function run(program: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  const { limit = 600, echo = false, ...rest } = options;
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...rest, stdio: ['ignore', 'pipe', 'pipe'], detached: posix });
    endWithUs(child);
    let output = '';
    let late = false;
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (echo) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      late = true;
      output += `\n${program} ran longer than ${limit} s and was stopped.\n`;
      void end(child);
    }, limit * 1000);
    const finish = (code: number, note = '') => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code: late ? 124 : code, output: output + note });
    };
    child.on('error', (error) => finish(127, `${program}: ${error.message}\n`));
    child.on('close', (code) => finish(code ?? 1));
    // A program that continues in the background, such as desktop VS Code, may keep the streams open after it has exited.
    child.on('exit', (code) => setTimeout(() => finish(code ?? 1), 2000).unref());
  });
}

/** Runs the npm that runs this process. A nested npm must not inherit the outer one's folder or package. */
export function npm(args: string[], options: RunOptions = {}): Promise<RunResult> {
  const cli = process.env['npm_execpath'];
  const outer = /^npm_(package_|lifecycle_|command$|config_local_prefix$)/;
  const env = Object.fromEntries(Object.entries(options.env ?? process.env).filter(([name]) => !outer.test(name)));
  const quiet = [...args, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  if (cli?.endsWith('npm-cli.js')) return run(process.execPath, [cli, ...quiet], { ...options, env });
  return run(posix ? 'npm' : 'npm.cmd', quiet, { ...options, env });
}

export class HostError extends Error {}

/** Returns the result of a program that succeeded. Throws an error with its name and last output otherwise. */
export function must(result: RunResult, what: string): RunResult {
  if (result.code === 0) return result;
  throw new HostError(`${what} failed (exit code ${result.code}):\n${tail(result.output)}`);
}

/** The last lines of an output. */
export function tail(output: string, lines = 30): string {
  return output.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Prints a line, and another every 15 seconds while the work goes on. */
export async function progress<T>(line: string, work: Promise<T>): Promise<T> {
  console.log(line);
  const start = Date.now();
  const timer = setInterval(() => console.log(`  … ${Math.round((Date.now() - start) / 1000)} s`), 15_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Rejects with `message` unless the work ends within `seconds`. */
export async function within<T>(seconds: number, message: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostError(`${message} (waited ${seconds} s)`)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
