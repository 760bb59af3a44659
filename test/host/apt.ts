// What the tests may install by themselves: Debian's and Ubuntu's packages, where they run as root.
import { existsSync, readFileSync } from 'node:fs';
import { HostError, must, progress, run } from './processes';

/** The words of /etc/os-release, or '' on another system. */
export function osRelease(): string {
  return existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
}

/** A way to get something: the command for people, and the packages when apt can do it. */
export interface Installation {
  command: string;
  apt?: string[];
}

/** Installs with apt, or fails with the command that a person would have to run. */
export async function install(what: string, way: Installation): Promise<void> {
  if (!way.apt || process.getuid?.() !== 0) throw new HostError(`${what} is missing. Install it with: ${way.command}`);
  await progress(`${what} with apt, once`, aptInstall(way.apt));
}

let updated: Promise<unknown> | undefined;

async function aptInstall(packages: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await (updated ??= run('apt-get', ['update'], { env, limit: 180 }));
  const args = ['install', '-y', '--no-install-recommends', ...packages];
  must(await run('apt-get', args, { env, limit: 480 }), `apt-get ${args.join(' ')}`);
}
