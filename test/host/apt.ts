// Packages that the tests may install by themselves: Debian's and Ubuntu's, when run as root.
import { existsSync, readFileSync } from 'node:fs';
import { HostError, must, progress, run } from './processes';

/** The content of /etc/os-release, or '' on other systems. */
export function osRelease(): string {
  return existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
}

/** How something is installed: the command to tell a person, and the packages if apt can install them. */
export interface Installation {
  command: string;
  apt?: string[];
}

/** Installs with apt. Fails with the command that a person would have to run if that is not possible. */
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
