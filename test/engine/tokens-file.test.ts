// Tokenizers from local files: a WordPiece vocabulary as tutorial 000 uses it, and anything a person may point us at.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tokenize, tokenizerFromJson, tokenizerFromVocab, type Tokenizer } from '../../engine/tokens/index';

/** bert-base-uncased's ids of the tutorial's pieces, in a vocabulary of that size. */
const pieces: Record<string, number> = {
  '[PAD]': 0, '[UNK]': 100, '[CLS]': 101, '[SEP]': 102, '!': 999, i: 1045, '##u': 2226, a: 1037, have: 2031, new: 2047, gp: 14246,
}; // prettier-ignore

function vocabulary(): string {
  const lines = Array.from({ length: 14247 }, (_, i) => `[unused${i}]`);
  for (const [piece, id] of Object.entries(pieces)) lines[id] = piece;
  return lines.join('\n');
}

const made = (result: ReturnType<typeof tokenizerFromVocab>): Tokenizer => {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
};

describe('WordPiece from vocab.txt', () => {
  it('cuts “I have a new GPU!” as tutorial 000 prints it', () => {
    const text = 'I have a new GPU!';
    const found = tokenize(made(tokenizerFromVocab(vocabulary())), text);
    assert.deepEqual(
      found.map((t) => t.id),
      [101, 1045, 2031, 1037, 2047, 14246, 2226, 999, 102],
    );
    assert.deepEqual(
      found.slice(1, -1).map((t) => text.slice(t.start, t.end)),
      ['I', 'have', 'a', 'new', 'GP', 'U', '!'],
    );
  });

  it('never throws on any text', () => {
    const tokenizer = made(tokenizerFromVocab(vocabulary()));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (t) =>
        tokenize(tokenizer, t).every((x) => x.start <= x.end),
      ),
    );
  });
});

describe('tokenizer.json', () => {
  const json = {
    version: '1.0',
    added_tokens: [
      { id: 0, content: '[UNK]', special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
    ],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: { '[UNK]': 0, un: 1, '##like': 2, '##ly': 3 },
    },
  };

  it('reads a WordPiece model with its parts', () => {
    const found = tokenize(made(tokenizerFromJson(json)), 'Unlikely  zebra');
    assert.deepEqual(
      found.map(({ id, start, end }) => [id, start, end]),
      [
        [1, 0, 2],
        [2, 2, 6],
        [3, 6, 8],
        [0, 10, 15],
      ],
    );
  });

  it('names a part that it does not know', () => {
    const result = tokenizerFromJson({ ...json, pre_tokenizer: { type: 'Astrology' } });
    assert.ok(!result.ok);
    assert.match(JSON.stringify(result.problems), /Astrology/);
  });

  it('never throws on arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => typeof tokenizerFromJson(value).ok === 'boolean'),
      { numRuns: 1000 },
    );
    const part = fc.constantFrom(...Object.keys(json));
    fc.assert(
      fc.property(
        part,
        fc.jsonValue(),
        (name, value) => typeof tokenizerFromJson({ ...json, [name]: value }).ok === 'boolean',
      ),
      { numRuns: 1000 },
    );
  });
});
