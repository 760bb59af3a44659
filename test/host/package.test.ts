// The content and size of the .vsix file.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodingNames, t, useTexts, vocabularyFile, type Texts } from '../../engine/index';
import { entriesOf, packageExtension, sizesOf, textOf, tooLarge } from './package';
import { freshFolder, root } from './paths';

describe('the package', function () {
  this.timeout(300_000);
  let vsix: Buffer;

  before(async () => {
    vsix = readFileSync(await packageExtension(join(freshFolder('package'), 'explain-attention.vsix')));
  });

  it('contains the vocabulary of each encoding', () => {
    const names = entriesOf(vsix).map(({ name }) => name);
    const expected = encodingNames.map((name) => `extension/dist/vocabularies/${vocabularyFile(name)}`);
    assert.deepEqual(names.filter((name) => name.includes('vocabularies')).sort(), [...expected].sort());
    assert.ok(names.includes('extension/dist/extension.js'), names.join(', '));
  });

  it('contains the files that the manifest and the extension name, and no others', () => {
    const names = entriesOf(vsix).map(({ name }) => name);
    const read = (path: string): string => readFileSync(join(root, path), 'utf8');
    const fonts = [...read('dist/common.css').matchAll(/url\("?\.\/(fonts\/[\w.-]+)"?\)/g)].map(([, name]) => `dist/${name}`);
    const folder = (path: string, ending: RegExp): string[] =>
      readdirSync(join(root, path)).filter((name) => ending.test(name)).map((name) => `${path}/${name}`);
    const manifest = [...read('package.json').matchAll(/"(?:\.\/)?(extension\/[^"]*\.\w+)"/g)].map(([, path]) => path);
    const bundles = ['extension.js', 'extension.web.js', 'model.js', 'output.js', 'program.js', 'webview.js', 'common.css', 'webview.css', 'lesson.css'].map((name) => `dist/${name}`);
    const expected = [
      ...bundles, ...fonts, ...manifest, ...encodingNames.map((name) => `dist/vocabularies/${vocabularyFile(name)}`),
      'dist/THIRD-PARTY-NOTICES.txt', 'dist/sbom.cdx.json', 'extension/python/explain_attention.py', 'dist/extension.web.js.LEGAL.txt', 'dist/webview.js.LEGAL.txt',
      ...folder('extension/models', /\.safetensors$|\.tokenizer\.json$/),
      ...folder('extension/lessons', /\.md$/), ...folder('extension/docs', /\.md$/), ...folder('extension/schemas', /\.json$/),
      ...folder('extension/examples', /^start-here.*\.md$/), ...folder('extension/l10n', /\.l10n\.\w+\.json$/), ...folder('extension/walkthrough', /\.(svg|md)$/),
      'package.json', 'package.nls.json', 'package.nls.de.json', 'readme.md', 'changelog.md', 'LICENSE.txt',
    ];
    const own = names.filter((name) => name.startsWith('extension/')).map((name) => name.slice('extension/'.length));
    assert.ok(fonts.length > 5);
    assert.deepEqual(own.sort(), [...new Set(expected)].sort());
  }); // prettier-ignore

  it('says everything in German, though most of its texts are under a hash', () => {
    const texts = (json: string): Texts => JSON.parse(json) as Texts;
    const whole = texts(readFileSync(join(root, 'extension/l10n/bundle.l10n.de.json'), 'utf8'));
    const entry = entriesOf(vsix).find(({ name }) => name.endsWith('bundle.l10n.de.json'));
    assert.ok(entry);
    const packed = texts(textOf(vsix, entry));
    useTexts(packed);
    try {
      const said = Object.entries(whole).filter(([english, german]) => t(english) === german);
      const untold = Object.keys(whole).filter((english) => t(english) !== whole[english]);
      assert.ok(said.length > 3000 && Object.keys(packed).length >= said.length - 50, `${said.length} of ${Object.keys(whole).length}`);
      assert.equal(said.length + untold.length, Object.keys(whole).length);
      // Not packed: what only the terminal says, in English then.
      for (const english of untold) assert.equal(t(english), english);
      assert.ok(Object.keys(packed).filter((key) => key.startsWith('#')).length > 2000);
    } finally {
      useTexts({});
    }
  }); // prettier-ignore

  it('has the same bytes when it is built again', async () => {
    const again = readFileSync(await packageExtension(join(freshFolder('package-again'), 'explain-attention.vsix')));
    assert.ok(again.equals(vsix));
  });

  it('contains its code once: Node’s entry has a few kilobytes, and both pages share a bundle', () => {
    const sizes = new Map(entriesOf(vsix).map(({ name, size }) => [name, size]));
    assert.ok((sizes.get('extension/dist/extension.js') ?? Infinity) < 4000);
    assert.ok((sizes.get('extension/dist/extension.web.js') ?? 0) > 100_000);
  });

  it('embeds the first picture of its README, because VS Code loads no others there, and has no broken link', () => {
    const entry = entriesOf(vsix).find(({ name }) => name === 'extension/readme.md');
    assert.ok(entry);
    const text = textOf(vsix, entry);
    const targets = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
    const pictures = targets.flatMap((target) => /^data:image\/(?:gif|png|webp);base64,(.*)$/.exec(target)?.[1] ?? []);
    assert.deepEqual(
      pictures.map((data) => Buffer.from(data, 'base64').toString('latin1', 8, 12)),
      ['WEBP'],
    );
    assert.deepEqual(
      targets.filter((target) => !/^(?:https|data):/.test(target)),
      [],
    );
    assert.match(text, /\| In the panel, hovers \|/);
  });

  it('has at most 6 MB, 1.5 MB of models, and 2 MB without them and the vocabularies', () => {
    const sizes = sizesOf(vsix);
    assert.deepEqual(tooLarge(sizes), []);
    assert.ok(sizes.whole - sizes.withoutVocabularies - sizes.models > 1e6, JSON.stringify(sizes));
    assert.ok(sizes.models > 1e6, JSON.stringify(sizes));
    const most = { whole: 6e6, models: 15e5, withoutVocabularies: 2e6 };
    assert.deepEqual(tooLarge(most), []);
    assert.match(tooLarge({ ...most, whole: 6_000_001 }).join(), /6000001 bytes, more than 6000000/);
    assert.match(tooLarge({ ...most, models: 1_500_001 }).join(), /1500001 bytes, more than 1500000/);
    assert.match(tooLarge({ ...most, withoutVocabularies: 2_000_001 }).join(), /2000001 bytes, more than 2000000/);
  });
});
