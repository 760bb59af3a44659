// Bundles a room's test files with the engine. The bundle contains all sampled mutants, of which one at a time can be switched on.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Loader, type Plugin } from 'esbuild';
import { root } from '../host/paths';
import { builtIn, type Mutant } from './mutate';

/** A folder that git ignores. It is inside the repository, so that imports of node_modules resolve. */
export const folder = join(root, 'test-results/mutants');
export const bundlePath = join(folder, 'tests.cjs');
export const childPath = join(folder, 'child.mjs');

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  packages: 'external',
  logLevel: 'error',
} as const;

export async function bundleTests(tests: readonly string[], mutants: readonly Mutant[]): Promise<void> {
  // Loads only the requested test files and their imports.
  const loaders = tests.map((file) => `${JSON.stringify(file)}: () => require('./${file}')`);
  const contents = `require('./test/host/random-tests.ts');\nmodule.exports = {\n${loaders.join(',\n')}\n};`;
  const stdin = { contents, resolveDir: root };
  await build({ ...common, stdin, outfile: bundlePath, plugins: [mutated(mutants), placed(new Set(tests))] });
  await build({ ...common, entryPoints: [join(root, 'test/mutants/child.ts')], outfile: childPath, format: 'esm' });
}

function mutated(mutants: readonly Mutant[]): Plugin {
  const numbered = mutants.map((mutant, id) => ({ ...mutant, id }));
  const setup: Plugin['setup'] = ({ onLoad }) => {
    onLoad({ filter: /[\\/]engine[\\/].*\.ts$/ }, ({ path }) => {
      const name = nameOf(path);
      const own = numbered.filter(({ file }) => file === name);
      return own.length ? { contents: builtIn(readFileSync(path, 'utf8'), own), loader: 'ts' } : undefined;
    });
  };
  return { name: 'mutated', setup };
}

/** Keeps the original folder of each test file, since tests read fixtures relative to it. `$load` reports that a file's imports are loaded and its own code starts. */
function placed(tests: ReadonlySet<string>): Plugin {
  const setup: Plugin['setup'] = ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const name = nameOf(path);
      if (name.startsWith('..') || name.startsWith('node_modules')) return undefined;
      const text = readFileSync(path, 'utf8')
        .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replace(/\b__dirname\b/g, JSON.stringify(dirname(path)))
        .replace(/\b__filename\b/g, JSON.stringify(path));
      const loader: Loader = 'ts';
      if (!tests.has(name)) return { contents: text, loader };
      return { contents: `$load(${JSON.stringify(name)});${text}`, loader };
    });
  };
  return { name: 'placed', setup };
}

const nameOf = (path: string): string => relative(root, path).replaceAll('\\', '/');
