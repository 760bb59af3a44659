// Bundles the extension (Node and web hosts), the command line and the page, and packs the vocabularies. `--production` minifies, `--watch` rebuilds, `--page` builds
// the page alone, `--outdir=DIR` writes elsewhere (tests).
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { buildVocabularies } from './engine/tokens/vocabularies.mjs';

const root = dirname(fileURLToPath(import.meta.url));

/** `import source from 'worker:./worker'` gives that file's own bundle as a string: started from a blob URL, since a page may load no other script. */
const inlineWorker = {
  name: 'inline-worker',
  setup(build) {
    const { minify, sourcemap } = build.initialOptions;
    build.onResolve({ filter: /^worker:/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, `${path.slice('worker:'.length)}.ts`),
      namespace: 'worker',
    }));
    build.onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path }) => {
      const result = await esbuild.build({
        ...shared({ minify, sourcemap: sourcemap ? 'inline' : false }),
        entryPoints: [path],
        format: 'iife',
        platform: 'browser',
        legalComments: 'none',
        write: false,
        metafile: true,
      });
      const watchFiles = Object.keys(result.metafile.inputs).map((file) => resolve(root, file));
      return { contents: result.outputFiles[0].text, loader: 'text', watchFiles };
    });
  },
};

/**
 * KaTeX names each font as woff2, woff and ttf; every VS Code reads woff2, so the others stay out of the package. So do the families that no formula
 * asks for (`\\mathfrak`, `\\mathsf`, `\\mathscr`, `\\mathtt`; a test holds the formulas to that).
 */
const fontsInUse = {
  name: 'fonts-in-use',
  setup(build) {
    build.onLoad({ filter: /katex(\.min)?\.css$/ }, async ({ path }) => {
      const css = await readFile(path, 'utf8');
      const other = /,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(["'](?:woff|truetype)["']\)/g;
      const unused = /@font-face\{[^}]*KaTeX_(?:Fraktur|SansSerif|Script|Typewriter)[^}]*\}/g;
      return { contents: css.replace(unused, '').replace(other, ''), loader: 'css', resolveDir: dirname(path) };
    });
  },
};

const shared = ({ minify, sourcemap }) => ({
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  minify,
  sourcemap,
  legalComments: 'linked',
  logLevel: 'warning',
});

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** `explain-attention`, the engine in a terminal. */
const commandLine = {
  entryPoints: ['engine/cli/main.ts'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  define: { PACKAGE_VERSION: JSON.stringify(version) },
};

/** One set of options for each bundle; the extension's are left out until its source exists. */
function bundles({ production, outdir, page }) {
  const base = shared({ minify: production, sourcemap: production ? false : 'linked' });
  const webview = {
    ...base,
    entryPoints: { webview: 'webview/main.ts' },
    outdir,
    format: 'iife',
    platform: 'browser',
    loader: { '.woff2': 'file' },
    assetNames: 'fonts/[name]',
    plugins: [inlineWorker, fontsInUse],
  };
  const host = {
    ...base,
    entryPoints: ['extension/extension.ts'],
    format: 'cjs',
    external: ['vscode'],
  };
  const hosts = [
    { ...host, outfile: join(outdir, 'extension.js'), platform: 'node', target: 'node20' },
    { ...host, outfile: join(outdir, 'extension.web.js'), platform: 'browser' },
    { ...base, ...commandLine, outfile: join(outdir, 'cli.js') },
  ];
  return page || !existsSync(join(root, 'extension/extension.ts')) ? [webview] : [webview, ...hosts];
}

/** Builds once. `outdir` is relative to the project or absolute. */
export async function build({ production = false, outdir = 'dist', page = false } = {}) {
  const folder = resolve(root, outdir);
  await removeOld(folder);
  const all = bundles({ production, outdir: folder, page });
  const [vocabularies, ...results] = await Promise.all([
    page ? [] : buildVocabularies(join(folder, 'vocabularies')),
    ...all.map((options) => esbuild.build({ ...options, metafile: true })),
  ]);
  const bundled = results.flatMap((result) => Object.keys(result.metafile.outputs)).map((file) => resolve(root, file));
  return [...bundled, ...vocabularies];
}

/** Fonts and maps of an earlier build would otherwise be packaged. */
async function removeOld(folder) {
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'fonts'), { recursive: true, force: true });
  const maps = (await readdir(folder)).filter((name) => /\.(js|css)\.map$/.test(name));
  await Promise.all(maps.map((name) => rm(join(folder, name))));
}

async function watch(options) {
  const all = bundles({ ...options, outdir: resolve(root, options.outdir) });
  await buildVocabularies(resolve(root, options.outdir, 'vocabularies'));
  const contexts = await Promise.all(all.map((o) => esbuild.context({ ...o, logLevel: 'info' })));
  await Promise.all(contexts.map((context) => context.watch()));
}

async function printSizes(files) {
  const shown = files.filter((file) => /\.(js|css|tkv)$/.test(file)).sort();
  for (const file of shown) console.log(`${kilobytes((await stat(file)).size)}  ${relative(root, file)}`);
  const fonts = files.filter((file) => file.endsWith('.woff2'));
  const sizes = await Promise.all(fonts.map(async (file) => (await stat(file)).size));
  console.log(`${kilobytes(sizes.reduce((a, b) => a + b, 0))}  ${fonts.length} fonts`);
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0).padStart(6)} kB`;

async function main(args) {
  const outdir = args.find((arg) => arg.startsWith('--outdir='))?.slice('--outdir='.length) ?? 'dist';
  const options = { production: args.includes('--production'), page: args.includes('--page'), outdir };
  if (args.includes('--watch')) return watch(options);
  await printSizes(await build(options));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main(process.argv.slice(2)).catch((error) => {
    // esbuild has said its own errors.
    if (!('errors' in error)) console.error(error);
    process.exit(1);
  });
}
