import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { encodingNames, loadTokenizer, tokenize, type EncodingName, type TextToken } from '../../engine/tokens';
import { encodeBytes } from '../../engine/tokens/bytes';
import { checksum } from '../../engine/tokens/vocabulary';
import { pythonOrSkip } from '../reference/python';
import { encoding, fixture, texts, vocabularyOf } from './tokens-texts';

type Golden = readonly (readonly [string, ...number[][]])[];

const ids = (tokens: readonly TextToken[]): number[] => tokens.map(({ id }) => id);

function assertGolden(golden: Golden, name: EncodingName, program: Awaited<ReturnType<typeof encoding>>): void {
  for (const [text, ...expected] of golden) {
    assert.deepEqual(ids(tokenize(program, text)), expected[encodingNames.indexOf(name)], JSON.stringify(text));
  }
}

/** Tokens cover the text in order: none begins behind the end of what came before, each character is in one. */
function assertCovers(tokens: readonly TextToken[], text: string): void {
  let [start, end] = [0, 0];
  for (const token of tokens) {
    assert(
      token.start >= start && token.start <= end && token.end >= end && token.end > token.start,
      JSON.stringify({ text, token }),
    );
    ({ start, end } = token);
  }
  assert.equal(end, text.length, JSON.stringify(text));
}

describe('bundled encodings', () => {
  it('gives the 7 tokens of tutorial 003', async () => {
    const tokens = tokenize(await encoding('cl100k_base'), 'What is the capital of France?');
    assert.deepEqual(
      tokens.map(({ text }) => text),
      ['What', ' is', ' the', ' capital', ' of', ' France', '?'],
    );
    // tiktoken 0.14.0, cl100k_base
    assert.deepEqual(ids(tokens), [3923, 374, 279, 6864, 315, 9822, 30]);
    assert.deepEqual(tokens[1], { text: ' is', id: 374, start: 4, end: 7 });
  });

  for (const name of encodingNames) {
    describe(name, () => {
      it('gives the ids that tiktoken gives, white space of every kind and lone surrogates included', async () => {
        const golden = fixture<Golden>('tiktoken.json.gz');
        assert(golden.length >= 1200);
        assertGolden(golden, name, await encoding(name));
      });

      it('gives the ids that gpt-tokenizer gives on 2,500 texts', async () => {
        const program = await encoding(name);
        const library = (await import(`gpt-tokenizer/encoding/${name}`)) as {
          encode(text: string, options: { disallowedSpecial: Set<string> }): number[];
        };
        for (const text of texts(2500, 1)) {
          // JavaScript's \s takes U+FEFF for white space and U+0085 for none; tiktoken, like Unicode, the other way round.
          const comparable = text.replace(/[\ufeff\u0085]/g, '');
          const expected = library.encode(comparable, { disallowedSpecial: new Set() });
          assert.deepEqual(ids(tokenize(program, comparable)), expected, JSON.stringify(comparable));
        }
      });

      it('covers every text in order', async () => {
        const program = await encoding(name);
        for (const text of texts(1000, 2)) assertCovers(tokenize(program, text), text);
      });

      it('cuts the text of a whole token into that token again', async () => {
        const program = await encoding(name);
        let checked = 0;
        for (const text of texts(400, 3)) {
          for (const { text: said, id, start, end } of tokenize(program, text)) {
            const slice = text.slice(start, end);
            if (said !== slice || /\p{Surrogate}/u.test(slice)) continue;
            assert.deepEqual(tokenize(program, slice), [{ text: said, id, start: 0, end: slice.length }]);
            checked++;
          }
        }
        assert(checked > 2000, `${checked} tokens`);
      });

      it('never throws', async () => {
        const program = await encoding(name);
        fc.assert(
          fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (text, special) => {
            assertCovers(tokenize(program, text, { specials: special ? 'special' : 'text' }), text);
          }),
          { numRuns: 300 },
        );
      });
    });
  }

  it('writes bytes that are part of a character as such, in that character’s range', async () => {
    // Tokens of tiktoken 0.14.0.
    const say = (tokens: readonly TextToken[]): unknown[] => tokens.map(({ text, start, end }) => [text, start, end]);
    assert.deepEqual(say(tokenize(await encoding('o200k_base'), 'a 漢')), [
      ['a', 0, 1],
      [' \\xE6\\xBC', 1, 3],
      ['\\xA2', 2, 3],
    ]);
    assert.deepEqual(say(tokenize(await encoding('cl100k_base'), '€🙂')), [
      ['€', 0, 1],
      ['\\xF0\\x9F', 1, 3],
      ['\\x99\\x82', 1, 3],
    ]);
  });

  it('takes special tokens as text, and as themselves when asked', async () => {
    const program = await encoding('cl100k_base');
    const text = 'a<|endoftext|>b<|fim_prefix|>';
    const plain = tokenize(program, text);
    assert(plain.every(({ special, id }) => !special && id < 100256));
    assert.deepEqual(
      tokenize(program, text, { specials: 'special' }).filter(({ special }) => special),
      [
        { text: '<|endoftext|>', id: 100257, start: 1, end: 14, special: true },
        { text: '<|fim_prefix|>', id: 100258, start: 15, end: 29, special: true },
      ],
    );
    assert.deepEqual([program.size, (await encoding('gpt2')).size], [100277, 50257]);
  });

  it('agrees with tiktoken on new texts, where it is installed', async function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'tiktoken');
    const data = join(createRequire(__filename).resolve('gpt-tokenizer/package.json'), '../data');
    const script = join(__dirname, '../reference/tokens_tiktoken.py');
    const { stdout } = spawnSync(python, [script, data, '500', '17'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const golden = JSON.parse(stdout) as Golden;
    for (const name of encodingNames) assertGolden(golden, name, await encoding(name));
  });
});

describe('vocabulary files', () => {
  const load = (name: EncodingName, file: Uint8Array): ReturnType<typeof loadTokenizer> =>
    loadTokenizer(name, () => Promise.resolve(file));
  const messages = async (name: EncodingName, file: Uint8Array): Promise<string> => {
    const result = await load(name, file);
    return result.ok ? 'ok' : result.problems.map(({ message }) => message).join('\n');
  };

  it('are refused when cut off, and say where', async () => {
    const file = await vocabularyOf('gpt2');
    assert.equal(await messages('gpt2', file.subarray(0, 9)), 'gpt2.tkv: ends at byte 9, within the header');
    const half = await messages('gpt2', file.subarray(0, 100_000));
    assert.equal(half, `gpt2.tkv: 100000 bytes, expected ${file.length} for 50256 tokens`);
    assert.match(await messages('gpt2', new Uint8Array(40)), /TKV1 expected at byte 0/);
    assert.equal(await messages('cl100k_base', file), 'cl100k_base.tkv: 50256 tokens, cl100k_base has 100256');
  });

  it('are refused when any byte is changed', async () => {
    const file = await vocabularyOf('gpt2');
    for (let at = 0; at < file.length; at += 6007) {
      const changed = new Uint8Array(file);
      changed[at] = (file[at] as number) ^ (1 + (at % 255));
      assert.match(await messages('gpt2', changed), /^gpt2\.tkv: /, `byte ${at}`);
    }
  });

  it('are refused when their tokens make no vocabulary', async () => {
    // Planes of a file of two tokens, a and b: shared lengths, lengths, ids (three bytes), rests.
    const planes = [0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 97, 98];
    const fileOf = (bytes: readonly number[]): Uint8Array => {
      const body = Uint8Array.from(bytes);
      const sum = checksum(body);
      const header = [0x54, 0x4b, 0x56, 0x31, 2, 0, 0, 0, 2, 0, 0, 0, ...[0, 8, 16, 24].map((n) => (sum >>> n) & 255)];
      return Uint8Array.from([...header, ...body]);
    };
    const changed = (at: number, to: number): Promise<string> => messages('gpt2', fileOf(planes.with(at, to)));
    assert.equal(await messages('gpt2', fileOf(planes)), 'gpt2.tkv: no token for byte 0');
    assert.equal(await changed(0, 1), 'gpt2.tkv: token 0: no bytes for it');
    assert.equal(await changed(3, 9), 'gpt2.tkv: token 1: no bytes for it');
    assert.equal(await changed(5, 0), 'gpt2.tkv: token 1: id 0 twice, or not below 2');
    assert.equal(await changed(6, 1), 'gpt2.tkv: token 0: id 256 twice, or not below 2');
  });

  it('are refused when they cannot be read, or are of no encoding', async () => {
    const unreadable = await loadTokenizer('gpt2', () => Promise.reject(new Error('no such file')));
    assert(!unreadable.ok);
    assert.equal(unreadable.problems[0]?.message, 'gpt2.tkv: no such file');
    const unknown = await load('gpt5' as EncodingName, new Uint8Array(0));
    assert(!unknown.ok);
    assert.equal(unknown.problems[0]?.message, 'gpt5: expected gpt2, cl100k_base, o200k_base');
  });
});

describe('long texts', () => {
  it('give one column entry a token, special or not', async () => {
    const program = await encoding('gpt2');
    const { count, ids: column, ends } = encodeBytes(program, '<|endoftext|>'.repeat(40_000), true);
    assert.deepEqual([count, column[39_999], ends[39_999]], [40_000, 50256, 520_000]);
  });
});
