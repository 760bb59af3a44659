// The package itself, unopened: what is in it and how large.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodingNames, vocabularyFile } from '../../engine/index';
import { entriesOf, packageExtension, sizesOf, tooLarge } from './package';
import { freshFolder } from './paths';

describe('the package', function () {
  this.timeout(300_000);
  let vsix: Buffer;

  before(async () => {
    vsix = readFileSync(await packageExtension(join(freshFolder('package'), 'explain-attention.vsix')));
  });

  it('holds the vocabulary of each encoding', () => {
    const names = entriesOf(vsix).map(({ name }) => name);
    const expected = encodingNames.map((name) => `extension/dist/vocabularies/${vocabularyFile(name)}`);
    assert.deepEqual(names.filter((name) => name.includes('vocabularies')).sort(), [...expected].sort());
    assert.ok(names.includes('extension/dist/extension.js'), names.join(', '));
  });

  it('has at most 4 MB, and 1 MB without the vocabularies', () => {
    const sizes = sizesOf(vsix);
    assert.deepEqual(tooLarge(sizes), []);
    assert.ok(sizes.whole - sizes.withoutVocabularies > 1e6, JSON.stringify(sizes));
    assert.match(tooLarge({ whole: 4_000_001, withoutVocabularies: 1e6 }).join(), /4000001 bytes, more than 4000000/);
    assert.match(tooLarge({ whole: 4e6, withoutVocabularies: 1_000_001 }).join(), /1000001 bytes, more than 1000000/);
  });
});
