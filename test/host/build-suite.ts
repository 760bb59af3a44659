// Bundles the extension's test suite into dist/test/suite: each test/extension/suite/**/*.test.ts, and the entry that VS
// Code calls. Run by itself, it is `npm run build:tests`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { withExpected } from './expected';
import { removeFolder, root } from './paths';

const source = join(root, 'test/extension/suite');

/** The folder whose index.js exports run(). */
export const suiteFolder = join(root, 'dist/test/suite');

/** Bundles the suite and returns its number of test files. */
export async function buildSuite(): Promise<number> {
  const names = existsSync(source) ? readdirSync(source, { recursive: true, encoding: 'utf8' }) : [];
  const tests = names.filter((name) => name.endsWith('.test.ts'));
  removeFolder(suiteFolder);
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: join(root, 'test/host/suite-index.ts'), out: 'index' },
      ...tests.map((name) => ({ in: join(source, name), out: name.slice(0, -'.ts'.length) })),
    ],
    outdir: suiteFolder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [withExpected],
  });
  return tests.length;
}

if (process.argv[1]?.endsWith('build-suite.ts')) {
  buildSuite().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
