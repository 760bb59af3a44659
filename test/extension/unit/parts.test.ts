import assert from 'node:assert/strict';
import {
  hashText,
  inDocumentOrder,
  joinedLength,
  rangeToDocument,
  toDocument,
} from '../../../extension/documents/parts';

const document = 'Q = [1]\n# prose\nK = [2]\n';
const parts = [
  { start: 0, end: 7 },
  { start: 16, end: 23 },
];
const joined = parts.map(({ start, end }) => document.slice(start, end)).join('\n');

describe('several selections as one text', () => {
  it('finds each character of the joined text in the document', () => {
    assert.equal(joined, 'Q = [1]\nK = [2]');
    for (let i = 0; i < joined.length; i++) {
      if (i !== 7) assert.equal(document[toDocument(parts, i)], joined[i], `offset ${i}`);
    }
    assert.equal(toDocument(parts, 7), 7, 'the separator stands at the end of the first part');
    assert.equal(toDocument(parts, joined.length), 23);
    assert.equal(toDocument(parts, 99), 23);
  });

  it('keeps a range in its part', () => {
    const at = joined.indexOf('[2]');
    assert.deepEqual(rangeToDocument(parts, { start: at, end: at + 3 }), { start: 20, end: 23 });
    assert.deepEqual(rangeToDocument(parts, { start: 4, end: 7 }), { start: 4, end: 7 });
    assert.deepEqual(rangeToDocument(parts, { start: 4, end: 8 }), { start: 4, end: 8 }, 'with the separator');
    assert.deepEqual(rangeToDocument(parts, { start: 5, end: 5 }), { start: 5, end: 5 });
    assert.deepEqual(rangeToDocument([], { start: 3, end: 4 }), { start: 0, end: 1 });
  });

  it('counts the joined length without joining', () => {
    assert.equal(joinedLength(parts), joined.length);
    assert.equal(joinedLength([]), 0);
  });

  it('sorts and drops what lies within another', () => {
    const found = inDocumentOrder([
      { start: 9, end: 12 },
      { start: 0, end: 7 },
      { start: 2, end: 5 },
      { start: 0, end: 7 },
    ]);
    assert.deepEqual(found, [
      { start: 0, end: 7 },
      { start: 9, end: 12 },
    ]);
  });

  it('hashes alike for every kind of line end, and differently for every edit', () => {
    assert.equal(hashText('a\r\nb\rc'), hashText('a\nb\nc'));
    assert.match(hashText(''), /^[0-9a-f]{16}$/);
    const texts = ['', '[[1, 2]]', '[[1, 3]]', '[[2, 1]]', '[[1, 2]] ', '[[1,2]]', 'ab', 'ba', '\n', '\n\n'];
    assert.equal(new Set(texts.map(hashText)).size, texts.length);
  });
});
