// `npm run bench panel`: packages the extension into a folder of its own and measures its panel and its activation in a real VS Code
// (panel-host.ts); with `--work`, the work of its page (panel-work.ts). It is not a section of main.ts, because those time functions.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { runTests } from '@vscode/test-electron';
import { copyExamples, freshFolder, root } from '../host/paths';
import { must, run } from '../host/processes';
import { resolveVSCode } from '../host/vscode';
import { measureWork } from './panel-work';

/** What is copied beside `dist`: everything that the manifest names, which is at least what the package contains. */
const packaged = ['package.json', 'package.nls.json', 'package.nls.de.json', 'extension'];

/** The extension as it is packaged, in a folder that no other build writes to. */
async function stage(): Promise<string> {
  const folder = join(freshFolder('bench'), 'explain-attention');
  for (const path of packaged) cpSync(join(root, path), join(folder, path), { recursive: true });
  const args = ['esbuild.mjs', '--production', `--outdir=${join(folder, 'dist')}`];
  must(await run(process.execPath, args, { cwd: root, limit: 180 }), 'the production build');
  return folder;
}

/** The test is inside the extension's folder. Only there VS Code gives it the same API object as the extension, so that it sees the extension's panels. */
async function hostPart(folder: string): Promise<string> {
  const outfile = join(folder, 'bench/panel-host.js');
  await bundle({
    absWorkingDir: root,
    entryPoints: [join(root, 'test/bench/panel-host.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
  });
  return outfile;
}

/** The number of activations in panel-host.ts. */
const activations = 11;

/** The names under which we register commands and panels. Copies must not register each other's. */
const ownName = /explainAttention/g;

type Manifest = Readonly<Record<string, unknown>>;

/** An extension in its own folder that only the benchmark activates. */
function writeExtension(folder: string, name: string, manifest: Manifest, script: string): void {
  const path = join(folder, '..', name);
  mkdirSync(path, { recursive: true });
  const own = { ...manifest, name, main: './extension.js', activationEvents: ['onCommand:never'] };
  writeFileSync(join(path, 'package.json'), JSON.stringify(own));
  writeFileSync(join(path, 'extension.js'), script);
}

/** Extensions whose activation is timed: copies of ours, and as many that do nothing. Each is new to VS Code. */
function extensionsToActivate(folder: string): void {
  const [script, manifest] = ['dist/extension.js', 'package.json'].map((path) =>
    readFileSync(join(folder, path), 'utf8'),
  );
  const own = JSON.parse(manifest ?? '') as Manifest;
  const { publisher, version, engines } = own;
  for (let i = 0; i < activations; i++) {
    const renamed = (text = ''): string => text.replace(ownName, `$&${i}`);
    const { contributes } = JSON.parse(renamed(manifest)) as { contributes: Manifest };
    const ours = { publisher, version, engines, contributes: { commands: contributes['commands'] } };
    writeExtension(folder, `empty-${i}`, { publisher, version, engines }, 'exports.activate = () => undefined;\n');
    writeExtension(folder, `ours-${i}`, ours, renamed(script));
  }
}

/** `--profile=PATH`: CPU profiles of the extension host, PATH-0.cpuprofile for the first round and so on. */
const profiles = process.argv.find((arg) => arg.startsWith('--profile='))?.slice('--profile='.length);

async function main(): Promise<void> {
  if (process.argv.includes('--work')) return measureWork(process.argv.includes('--short') ? 5 : 20);
  const folder = await stage();
  const tests = await hostPart(folder);
  extensionsToActivate(folder);
  const host = await resolveVSCode();
  const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;
  console.log(`${host.words}; ${load()} before`);
  await runTests({
    vscodeExecutablePath: host.executable,
    launchArgs: [...host.args, copyExamples(), '--disable-extensions'],
    // The parent folder of all extensions, because VS Code in a browser accepts one path only.
    extensionDevelopmentPath: join(folder, '..'),
    extensionTestsPath: tests,
    extensionTestsEnv: {
      BENCH_ROUNDS: process.argv.includes('--short') ? '5' : '20',
      ...(profiles && { BENCH_PROFILE: profiles }),
    },
  });
  console.log(`${load()} after`);
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  // A request to an update server that does not answer may still be open.
  .finally(() => process.exit());
