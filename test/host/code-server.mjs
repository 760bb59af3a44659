// VS Code 1.100.3 built from the npm package code-server: the real workbench, extension host and webviews, where no
// download from VS Code's update server can be had. Its own postinstall is not used (it wants --unsafe-perm and
// downloads ripgrep); what follows is what that script does, less what VS Code does without.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const version = '4.100.3';
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = join(root, '.vscode-test', `code-server-${version}`);
const server = join(folder, 'node_modules/code-server');
const stamp = join(folder, 'complete');

/** Native modules that the server loads at start; the others (search, sign-in, terminals) are not needed by tests. */
const native = ['@vscode/spdlog', 'native-watchdog', '@parcel/watcher', 'node-pty'];

/** The entry of an installed server; installs it first (about two minutes, 340 MB) unless an earlier run has. */
export async function codeServer(say = console.log) {
  const entry = join(server, 'out/node/entry.js');
  if (existsSync(stamp)) return entry;
  needTools();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const npm = (cwd, ...args) => run(say, cwd, 'npm', [...args, '--no-audit', '--no-fund', '--loglevel=error']);
  const code = join(server, 'lib/vscode');
  say(`VS Code from npm (code-server ${version}), once, into .vscode-test: 1/4 packages`);
  await npm(folder, 'install', `code-server@${version}`, '--ignore-scripts');
  say('VS Code from npm: 2/4 server dependencies');
  await npm(server, 'install', '--ignore-scripts', '--omit=dev');
  say('VS Code from npm: 3/4 workbench and built-in extensions');
  await npm(code, 'install', '--ignore-scripts', '--omit=dev');
  await npm(join(code, 'extensions'), 'install', '--ignore-scripts', '--omit=dev');
  say('VS Code from npm: 4/4 native modules');
  await run(say, server, 'npm', ['rebuild', 'argon2']);
  for (const name of native) await rebuild(say, code, name);
  if (!existsSync(join(code, 'node_modules.asar'))) symlinkSync('node_modules', join(code, 'node_modules.asar'));
  writeFileSync(stamp, `${version}\n`);
  return entry;
}

/** node-pty's own post-install step may fail after its binary is built, which does no harm: what counts is the binary. */
async function rebuild(say, code, name) {
  const built = join(code, 'node_modules', name, 'build/Release');
  try {
    await run(say, join(code, 'node_modules', name), 'npx', ['--yes', 'node-gyp', 'rebuild']);
  } catch (error) {
    if (!existsSync(built)) throw error;
  }
}

function needTools() {
  const missing = ['python3', 'make', 'g++'].filter((tool) => spawnSync(tool, ['--version']).error);
  if (missing.length) throw new Error(`VS Code's native modules need ${missing.join(', ')}: sudo apt-get install -y python3 make g++`);
}

function run(say, cwd, command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, npm_config_ignore_scripts: '' } });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-4000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve(output);
      reject(new Error(`${command} ${args.join(' ')} (in ${cwd}) ended with ${code}:\n${output}`));
    });
  });
}
