// Byte-level BPE against another program (gpt-tokenizer), on the vocabularies that the build makes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { encode as r50k } from 'gpt-tokenizer/encoding/r50k_base';
import { loadTokenizer, tokenize, type EncodingName, type Tokenizer } from '../../engine/tokens/index';

const peers: Record<EncodingName, (text: string, options: { disallowedSpecial: Set<string> }) => number[]> = {
  gpt2: r50k,
  cl100k_base: cl100k,
  o200k_base: o200k,
};
const asText = { disallowedSpecial: new Set<string>() };

describe('byte-level BPE', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-tokens-'));
  const loaded = new Map<EncodingName, Tokenizer>();
  before(async () => {
    const script = pathToFileURL(join(__dirname, '../../engine/tokens/vocabularies.mjs')).href;
    const { buildVocabularies } = (await import(script)) as { buildVocabularies(to: string): Promise<string[]> };
    await buildVocabularies(folder);
    for (const name of Object.keys(peers) as EncodingName[]) {
      const result = await loadTokenizer(name, (file) =>
        Promise.resolve(new Uint8Array(readFileSync(join(folder, file)))),
      );
      assert.ok(result.ok, JSON.stringify(result));
      loaded.set(name, result.value);
    }
  });

  const tokens = (name: EncodingName, text: string) => {
    const tokenizer = loaded.get(name);
    assert.ok(tokenizer);
    return tokenize(tokenizer, text);
  };

  it('cuts “What is the capital of France?” into the 7 tokens of tutorial 003', () => {
    const found = tokens('cl100k_base', 'What is the capital of France?');
    assert.deepEqual(
      found.map((t) => t.text),
      ['What', ' is', ' the', ' capital', ' of', ' France', '?'],
    );
    assert.deepEqual(
      found.map((t) => t.id),
      cl100k('What is the capital of France?'),
    );
  });

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary-ascii', maxLength: 12 }),
    fc.constantFrom(
      ' ',
      '\n',
      '\r\n',
      '\t\t',
      "don't",
      "I'LL",
      'ſ',
      '1234567',
      '🤷🏽‍♀️',
      'naïve',
      '日本語',
      'مرحبا',
      '\u00a0',
      'def f(x):\n    return x',
      '<|endoftext|>',
    ),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

  for (const name of Object.keys(peers) as EncodingName[]) {
    it(`${name}: the same ids on 1,000 texts, and offsets that cover the text in order`, () => {
      fc.assert(
        fc.property(text, (t) => {
          const found = tokens(name, t);
          assert.deepEqual(
            found.map((x) => x.id),
            peers[name](t, asText),
            JSON.stringify(t),
          );
          let end = 0;
          for (const token of found) {
            assert.ok(token.start <= end && token.end >= end, JSON.stringify([t, token]));
            end = token.end;
          }
          assert.equal(end, t.length);
        }),
        { numRuns: 1000 },
      );
    });
  }

  it('never throws, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (t) => tokens('o200k_base', `${t}\ud800`).length >= 0),
      { numRuns: 300 },
    );
  });

  it('refuses a damaged vocabulary', async () => {
    const bytes = new Uint8Array(readFileSync(join(folder, 'gpt2.tkv')));
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    const result = await loadTokenizer('gpt2', () => Promise.resolve(bytes));
    assert.ok(!result.ok);
    assert.match(result.problems[0]?.code ?? '', /^vocabulary/);
  });
});
