// `npm run bench`: installs the peers at first use, bundles the benchmarks as the product is bundled, and runs them.
// Arguments: names of sections, --short, --json, --list.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createHash } from 'node:crypto';

const folder = dirname(fileURLToPath(import.meta.url));
const peers = join(folder, 'node_modules');
const cache = join(peers, '.cache/bench');

/** The lock file that the peers were installed from; after it changed they are installed anew. */
function installPeers() {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(peers, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stderr.write('bench: installing the peers into test/bench/node_modules (npm ci)\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, error } = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ci in test/bench: ${error?.message ?? `exit code ${status}`}`);
  writeFileSync(stamp, lock);
}

/** One bundle for Node. tsx would wrap every closure for its name, which is slower than what is shipped. */
async function bundle(name = 'main') {
  const { build } = await import('esbuild');
  await mkdir(cache, { recursive: true });
  const outfile = join(cache, `${name}.mjs`);
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['esbuild', 'assemblyscript/asc', 'playwright-core', 'webgpu'],
    logLevel: 'warning',
  });
  return outfile;
}

/** Those that need a VS Code or a page of their own are programs of their own: each does its measuring and prints it. */
const programs = {
  panel: 'activation and the first step in a real VS Code; with --work, the work of its page after a change',
  pictures: 'large heatmaps in headless Chromium, first and again, against plotly.js',
  model: '200 tokens through a model of GPT-2’s size from a folder: time, first layer, memory',
  motion: 'what a frame of the motion of a computation costs, with 20 tokens',
  weak: 'from the start of a page to its first frame, on a processor four times as slow too',
};

/** Those of them that are bundled as the sections are, each with programs that it starts itself; they are given this folder and those first. */
const bundled = { model: ['model-peak'] };

async function runProgram(name, args) {
  const helpers = bundled[name];
  const program = helpers
    ? [await bundle(name), folder, ...(await Promise.all(helpers.map(bundle)))]
    : ['--import', 'tsx', join(folder, `${name}.ts`)];
  const { status } = spawnSync(process.execPath, [...program, ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

try {
  installPeers();
  const [name = '', ...others] = process.argv.slice(2);
  if (name in programs) {
    await runProgram(name, others);
    process.exit();
  }
  const { main } = await import(pathToFileURL(await bundle()).href);
  await main(process.argv.slice(2), { folder, cache });
  if (process.argv.includes('--list')) {
    const lines = Object.entries(programs).map(([program, words]) => `${program.padEnd(16)} ${words}\n`);
    process.stdout.write(`\nBy name only:\n${lines.join('')}`);
  }
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
