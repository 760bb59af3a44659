// Bundles the extension (Node and web hosts), the command line and the page, and packs the vocabularies. `--production` minifies, `--watch` rebuilds, `--page` builds
// the page alone, `--outdir=DIR` writes elsewhere (tests).
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import subsetFont from 'subset-font';
import { minify } from 'terser';
import { buildVocabularies } from './engine/tokens/vocabularies.mjs';
import { billOf, noticesOf } from './notices.mjs';

const root = dirname(fileURLToPath(import.meta.url));

/** The page's bundle as a function with a name, so that it can give a worker its own text (webview/main.ts). */
const asFunction = { banner: { js: '(function bundle() {' }, footer: { js: '})();' } };

/** What the bundles in bundles read: esbuild names it in metafiles of their own. */
const inner = new Set();

/**
 * What is imported while a bundle runs is kept whole: three times what the page uses of the toolkit (webview/draw/toolkit.ts, imported where there
 * is a document), and each module apart. So it is shaken in a bundle of its own first.
 */
const shaken = (filter, plugins = []) => ({
  name: 'shaken',
  setup(build) {
    build.onLoad({ filter }, async ({ path }) => {
      const { minify, platform, external } = build.initialOptions;
      const options = { ...shared({ minify, sourcemap: false }), legalComments: 'inline', platform, external };
      const result = await esbuild.build({
        ...options,
        plugins,
        entryPoints: [path],
        format: 'esm',
        write: false,
        metafile: true,
      });
      for (const file of Object.keys(result.metafile.inputs)) inner.add(file);
      const watchFiles = Object.keys(result.metafile.inputs).map((file) => join(root, file));
      return { contents: result.outputFiles[0].text, loader: 'js', watchFiles };
    });
  },
});
const shakenToolkit = shaken(/webview[\\/]draw[\\/]toolkit\.ts$/);

/** WebAssembly is for the pixels of a page; the host draws none, and what it asks of the kernels their plain twin does (`Build`). */
const noMachineCode = {
  name: 'no-machine-code',
  setup(build) {
    build.onLoad({ filter: /backend[\\/]wasm[\\/]bytes\.ts$/ }, () => ({
      contents: "export const [simd128, relaxed] = ['', ''];",
      loader: 'js',
    }));
  },
};
const shakenLate = shaken(/extension[\\/]late\.ts$/, [noMachineCode]);

/**
 * KaTeX names each font as woff2, woff and ttf; every VS Code reads woff2, so the others stay out of the package. So do the families that no formula
 * asks for (`\\mathfrak`, `\\mathsf`, `\\mathscr`, `\\mathtt`; a test holds the formulas to that), and the slanted and bold cuts of those that are
 * there: where a lesson asks for one (`\\mathbf`, `\\textit`), the browser makes it of the family's other cut.
 */
const absent = ['Fraktur', 'SansSerif', 'Script', 'Typewriter'].join('|');
const synthetic = ['Caligraphic-Bold', 'Main-Bold', 'Main-BoldItalic', 'Main-Italic', 'Math-BoldItalic'].join('|');
export const fontsInUse = {
  name: 'fonts-in-use',
  setup(build) {
    build.onLoad({ filter: /katex(\.min)?\.css$/ }, async ({ path }) => {
      const css = await readFile(path, 'utf8');
      const other = /,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(["'](?:woff|truetype)["']\)/g;
      const unused = new RegExp(`@font-face\\{[^}]*KaTeX_(?:${absent}|${synthetic})[^}]*\\}`, 'g');
      return { contents: css.replace(unused, '').replace(other, ''), loader: 'css', resolveDir: dirname(path) };
    });
    // Each font with all its glyphs, without its hints for screens of few pixels, which are a fifth of its bytes.
    build.onLoad({ filter: /KaTeX_[\w-]+\.woff2$/ }, async ({ path }) => ({
      contents: await subsetFont(await readFile(path), undefined, {
        keepAllGlyphs: true,
        noHinting: true,
        targetFormat: 'woff2',
      }),
      loader: 'file',
    }));
    // Letters of an absent family are as large as the upright ones that stand in for them.
    build.onLoad({ filter: /katex\.mjs$/ }, async ({ path }) => {
      const sizes = new RegExp(`^ *"((?:${absent})-\\w+)": \\{[^}]*\\},?\\n`, 'gm');
      const code = await readFile(path, 'utf8');
      const names = JSON.stringify([...code.matchAll(sizes)].map(([, name]) => name));
      const same = `for (const name of ${names}) setFontMetrics(name, fontMetricsData['Main-Regular']);\n`;
      return { contents: code.replace(sizes, '') + same, loader: 'js' };
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

/**
 * The extension's own code is in one file, `extension.web.js`, since a browser's extension host takes one. Node's entry is as small as
 * activation is, and takes the rest from that file at first use (extension/extension.ts).
 */
const restFromWeb = {
  name: 'rest-from-web',
  setup(build) {
    build.onLoad({ filter: /extension[\\/]late\.ts$/ }, () => ({
      contents: "module.exports = require('./extension.web.js').late();",
      loader: 'js',
    }));
    build.onResolve({ filter: /^\.\/extension\.web\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** `explain-attention`, the engine in a terminal. */
const commandLine = {
  entryPoints: ['engine/cli/main.ts'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  define: { PACKAGE_VERSION: JSON.stringify(version) },
};

/** Definitions in Python are read by a parser in the package, not by people: their comments, blank lines and wide indentation stay in the repository. */
const shortPython = {
  name: 'short-python',
  setup(build) {
    const short = (text) =>
      text
        .replace(/^( {4})+/gm, ({ length }) => ' '.repeat(length / 4))
        .replace(/\n *#.*/g, '')
        .replace(/\n\n+/g, '\n');
    build.onLoad({ filter: /libraries[\\/]prelude[\\/][\w-]+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/String\.raw`[^`]*`/g, short),
      loader: 'ts',
    }));
  },
};

/** What reads programs and formulas, in a worker of either host (extension/host/worker.ts). */
const programs = {
  entryPoints: { program: 'engine/formula/serve/worker.ts' },
  format: 'iife',
  platform: 'neutral',
  mainFields: ['module', 'main'],
};

/** Models run on the SIMD build alone (`modelKernels`). */
const oneBuild = {
  name: 'one-build',
  setup(build) {
    build.onLoad({ filter: /backend[\\/]wasm[\\/]bytes\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/(export const relaxed =\s*)'[^']*'/, "$1''"),
      loader: 'ts',
    }));
  },
};

/** What runs models from folders, in a worker of Node (extension/checkpoint/worker.ts). */
const models = {
  entryPoints: { model: 'extension/checkpoint/worker.ts' },
  format: 'iife',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  plugins: [oneBuild],
};

/** The notebook's renderer, which VS Code imports as a module. */
const outputs = { entryPoints: { output: 'webview/output/main.ts' }, format: 'esm', platform: 'browser' };

/** One set of options for each bundle; the extension's are left out until its source exists. */
function bundles({ production, outdir, page }) {
  const base = shared({ minify: production, sourcemap: production ? false : 'linked' });
  const webview = {
    ...base,
    entryPoints: { webview: 'webview/main.ts', lesson: 'webview/lesson/lesson.css', common: 'webview/common.css' },
    outdir,
    format: 'iife',
    platform: 'browser',
    loader: { '.woff2': 'file' },
    assetNames: 'fonts/[name]',
    plugins: [shakenToolkit, fontsInUse],
    // markdown-it's: the browser knows the one, and lessons turn the other off.
    alias: { entities: './webview/lesson/entities.ts', 'linkify-it': './webview/lesson/linkify.ts' },
    ...asFunction,
  };
  const host = {
    ...base,
    entryPoints: ['extension/extension.ts'],
    format: 'cjs',
    external: ['vscode'],
  };
  const hosts = [
    { ...host, outfile: join(outdir, 'extension.js'), platform: 'node', target: 'node20', plugins: [restFromWeb] },
    {
      ...host,
      outfile: join(outdir, 'extension.web.js'),
      platform: 'browser',
      plugins: production ? [shakenLate, noMachineCode] : [noMachineCode],
    },
    { ...base, ...programs, outdir, plugins: production ? [shortPython] : [] },
    { ...base, ...models, outdir },
    { ...base, ...outputs, outdir },
    { ...base, ...commandLine, outfile: join(outdir, 'cli.js') },
  ];
  return page || !existsSync(join(root, 'extension/extension.ts')) ? [webview] : [webview, ...hosts];
}

/** The JSON schemas of specs and of lesson blocks, as the fields of a spec declare them (engine/spec/spec.ts). Written only where they differ. */
async function writeSchemas() {
  const options = { ...shared({ minify: false, sourcemap: false }), legalComments: 'none' };
  const entryPoints = ['engine/spec/schema.ts'];
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints,
    format: 'esm',
    platform: 'neutral',
    write: false,
  });
  const { schemaFiles } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  for (const [name, schema] of Object.entries(schemaFiles())) {
    const [path, text] = [join(root, 'extension/schemas', name), `${JSON.stringify(schema, null, 2)}\n`];
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeFile(path, text);
  }
}

/** Builds once. `outdir` is relative to the project or absolute. */
export async function build({ production = false, outdir = 'dist', page = false } = {}) {
  const folder = resolve(root, outdir);
  await removeOld(folder);
  await writeSchemas();
  const all = bundles({ production, outdir: folder, page });
  const [vocabularies, ...results] = await Promise.all([
    page ? [] : buildVocabularies(join(folder, 'vocabularies')),
    ...all.map((options) => esbuild.build({ ...options, metafile: true })),
  ]);
  if (production)
    for (const name of ['webview', 'extension.web', 'program', 'model']) await shorten(join(folder, `${name}.js`));
  const read = results.flatMap((result) => Object.keys(result.metafile.inputs));
  const inputs = [...new Set([...read, ...inner])];
  if (!page) await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(root, inputs));
  if (!page) await writeFile(join(folder, 'sbom.cdx.json'), billOf(root, inputs));
  const bundled = results.flatMap((result) => Object.keys(result.metafile.outputs)).map((file) => resolve(root, file));
  return [...bundled, ...vocabularies];
}

/** What is packaged, once more by terser: compressed it is 3 % smaller than esbuild's alone. */
async function shorten(file) {
  if (!existsSync(file)) return;
  const options = { ecma: 2022, compress: { ecma: 2022, passes: 2 }, format: { comments: 'some' } };
  await writeFile(file, (await minify(await readFile(file, 'utf8'), options)).code);
}

/** Fonts, maps and licence texts of an earlier build would otherwise be packaged. */
async function removeOld(folder) {
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'fonts'), { recursive: true, force: true });
  const old = (await readdir(folder)).filter((name) => /\.(js|css)\.(map|LEGAL\.txt)$/.test(name));
  await Promise.all(old.map((name) => rm(join(folder, name))));
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
