// `npm run package`: builds for production, makes the .vsix, and prints and checks its sizes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths';
import { HostError, must, run } from './processes';
import { entriesOf, packagedTexts, repacked } from './repack';

/**
 * The date of every file in the package, in seconds since 1970 (vsce takes it from SOURCE_DATE_EPOCH): that of the newest dated version in
 * CHANGELOG.md, so that the same sources give the same bytes on any day.
 */
function releaseTime(): number {
  const day = /^## .*?(\d{4}-\d{2}-\d{2})/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.[1];
  return Date.parse(`${day ?? '2026-01-01'}T00:00:00Z`) / 1000;
}

/** Largest sizes in bytes: of the whole package, of the trained models in it, and of it without vocabularies and models. */
const limits = { whole: 6_000_000, models: 1_500_000, withoutVocabularies: 2_000_000 };

/** Builds for production, packages into `file` (default: explain-attention.vsix in the repository), and returns its path. */
export async function packageExtension(file = join(root, 'explain-attention.vsix')): Promise<string> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(releaseTime()) };
  const node = (args: string[]) => run(process.execPath, args, { cwd: root, limit: 600, env });
  must(await node(['esbuild.mjs', '--production']), 'the production build');
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  const args = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--readme-path',
    packagedReadme(),
    '--out',
    file,
  ];
  must(await node([vsce, ...args]), 'vsce package');
  const change = (name: string, content: Buffer): Buffer => {
    if (/\/bundle\.l10n\.\w+\.json$/.test(name)) return Buffer.from(packagedTexts(content.toString('utf8')));
    // Schemas and manifests are read by programs alone: their blanks stay in the repository, and so does what only building it asks for.
    if (name === 'extension/package.json') {
      const { scripts: _, devDependencies: _of, ...manifest } = JSON.parse(content.toString('utf8')) as Readonly<Record<string, unknown>>; // prettier-ignore
      return Buffer.from(JSON.stringify(manifest));
    }
    return name.endsWith('.json') ? Buffer.from(JSON.stringify(JSON.parse(content.toString('utf8')))) : content;
  };
  writeFileSync(file, await repacked(readFileSync(file), change));
  const sizes = sizesOf(readFileSync(file));
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
  console.log(
    `${file}: ${mb(sizes.whole)}, ${mb(sizes.withoutVocabularies)} without vocabularies and models (${mb(sizes.models)})`,
  );
  const over = tooLarge(sizes);
  if (over.length) throw new HostError(over.join('\n'));
  return file;
}

/**
 * Writes README for the page of the installed extension into dist, and returns its path. That page loads pictures only from https and data addresses
 * and opens no files, and the sources have no public address. So the first picture is embedded; the others, which would weigh as much as a room of the
 * engine, are left out, and links to files are replaced by their text.
 */
function packagedReadme(): string {
  const path = 'dist/package/README.md';
  const data = (name: string): string => readFileSync(join(root, name)).toString('base64');
  let pictures = 0;
  const text = readFileSync(join(root, 'README.md'), 'utf8')
    .replace(/(!\[[^\]]*\])\(([\w/-]+\.(png|gif|webp))\)/g, (_, words: string, name: string, type: string) => {
      pictures++;
      return pictures === 1 ? `${words}(data:image/${type};base64,${data(name)})` : '';
    })
    .replace(/(?<!!)\[([^\]]*)\]\((?!\w+:)[^)#][^)]*\)/g, '$1');
  mkdirSync(join(root, 'dist/package'), { recursive: true });
  writeFileSync(join(root, path), text);
  return path;
}

export { entriesOf, textOf } from './repack';

export type Sizes = { readonly [part in keyof typeof limits]: number };

/** The size of a .vsix (a zip), of the compressed models in it, and without these and the vocabularies. */
export function sizesOf(vsix: Buffer): Sizes {
  const entries = entriesOf(vsix);
  const sizeOf = (fits: (name: string) => boolean): number =>
    entries.filter(({ name }) => fits(name)).reduce((sum, { size }) => sum + size, 0);
  const models = sizeOf((name) => name.includes('/models/'));
  const vocabularies = sizeOf((name) => name.endsWith('.tkv'));
  return { whole: vsix.length, models, withoutVocabularies: vsix.length - models - vocabularies };
}

/** Which sizes exceed their limit, as messages. */
export const tooLarge = (sizes: Sizes): string[] =>
  (Object.keys(limits) as (keyof Sizes)[])
    .filter((part) => sizes[part] > limits[part])
    .map((part) => `the package (${part}) has ${sizes[part]} bytes, more than ${limits[part]}`);

if (process.argv[1]?.endsWith('package.ts')) {
  packageExtension().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
