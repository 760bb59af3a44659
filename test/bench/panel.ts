// `npm run bench panel`: packages the extension into a folder of its own and measures its panel and its activation in a real VS Code
// (panel-host.ts). No section of main.ts, which times functions.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { runTests } from '@vscode/test-electron';
import { copyExamples, freshFolder, root } from '../host/paths';
import { must, run } from '../host/processes';
import { resolveVSCode } from '../host/vscode';

/** What a package holds beside `dist`, and more: all that the manifest names. */
const packaged = ['package.json', 'package.nls.json', 'package.nls.de.json', 'extension'];

/** The extension as it is packaged, in a folder that no other build writes to. */
async function stage(): Promise<string> {
  const folder = freshFolder('bench');
  for (const path of packaged) cpSync(join(root, path), join(folder, path), { recursive: true });
  const args = ['esbuild.mjs', '--production', `--outdir=${join(folder, 'dist')}`];
  must(await run(process.execPath, args, { cwd: root, limit: 180 }), 'the production build');
  return folder;
}

/** Within the extension's folder: only there does VS Code give it the extension's own API object, whose panels it watches. */
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

/** As many as panel-host.ts activates. */
const activations = 11;

/** The names under which our bundle registers commands and views. Copies must not register each other's. */
const ownName = /explainAttention/g;

/** Scripts to time the activation of: copies of ours and as many that do nothing. */
function copiesToActivate(folder: string): void {
  const script = readFileSync(join(folder, 'dist/extension.js'), 'utf8');
  for (let i = 0; i < activations; i++) {
    writeFileSync(join(folder, `bench/empty-${i}.js`), 'exports.activate = () => undefined;\n');
    writeFileSync(join(folder, `bench/ours-${i}.js`), script.replace(ownName, `$&${i}`));
  }
}

async function main(): Promise<void> {
  const folder = await stage();
  const tests = await hostPart(folder);
  copiesToActivate(folder);
  const host = await resolveVSCode();
  const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;
  console.log(`${host.words}; ${load()} before`);
  await runTests({
    vscodeExecutablePath: host.executable,
    launchArgs: [...host.args, copyExamples(), '--disable-extensions'],
    extensionDevelopmentPath: folder,
    extensionTestsPath: tests,
    extensionTestsEnv: { BENCH_ROUNDS: process.argv.includes('--short') ? '5' : '20' },
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
