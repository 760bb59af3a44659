// `node --import tsx test/bench/panel.ts`: builds for production and measures the panel in a real VS Code (panel-host.ts). No section of
// main.ts, which times functions in Node and bundles them for it.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runTests } from '@vscode/test-electron';
import { copyExamples, root } from '../host/paths';
import { must, run } from '../host/processes';
import { resolveVSCode } from '../host/vscode';

async function main(): Promise<void> {
  must(await run(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, limit: 180 }), 'the production build');
  // Within the extension's folder: only there does VS Code give it the extension's own API object, whose panels it watches.
  const outfile = join(root, 'dist/test/bench/panel-host.js');
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'test/bench/panel-host.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
  });
  const host = await resolveVSCode();
  const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;
  console.log(`${host.words}; ${load()} before`);
  await runTests({
    vscodeExecutablePath: host.executable,
    launchArgs: [...host.args, copyExamples(), '--disable-extensions'],
    extensionDevelopmentPath: root,
    extensionTestsPath: outfile,
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
