// `npm run package`: the production bundles and the .vsix, whose size is printed and kept under 5 MB.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths';
import { HostError, must, run } from './processes';

const limit = 5_000_000;

/** Builds for production, packages into `file` (default: explain-attention.vsix in the repository), and returns its path. */
export async function packageExtension(file = join(root, 'explain-attention.vsix')): Promise<string> {
  const node = (args: string[]) => run(process.execPath, args, { cwd: root, limit: 180 });
  must(await node(['esbuild.mjs', '--production']), 'the production build');
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  const args = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    file,
  ];
  must(await node([vsce, ...args]), 'vsce package');
  const { size } = statSync(file);
  console.log(`${file}: ${(size / 1e6).toFixed(2)} MB`);
  if (size > limit) throw new HostError(`the package has ${size} bytes, more than ${limit}`);
  return file;
}

if (process.argv[1]?.endsWith('package.ts')) {
  packageExtension().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
