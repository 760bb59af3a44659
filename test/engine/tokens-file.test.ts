import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  tokenize,
  tokenizerFromJson,
  tokenizerFromVocab,
  type TextToken,
  type TokenizeOptions,
} from '../../engine/tokens';
import type { Pipeline } from '../../engine/tokens/file/pipeline';
import { pythonOrSkip } from '../reference/python';
import { fixture, texts } from './tokens-texts';

/** A text, then ids, tokens and UTF-16 offsets as Hugging Face's tokenizers gave them. */
type Case = readonly [string, readonly number[], readonly string[], readonly (readonly [number, number])[]];

interface Golden {
  readonly name: string;
  readonly json: Record<string, unknown>;
  readonly cases: readonly Case[];
  readonly bare: readonly Case[];
  readonly literal: readonly Case[];
}

function pipelineOf(json: unknown): Pipeline {
  const result = tokenizerFromJson(json);
  if (!result.ok) assert.fail(JSON.stringify(result.problems));
  return result.value;
}

function assertCases(pipeline: Pipeline, cases: readonly Case[], options: TokenizeOptions): void {
  assert(cases.length > 0);
  for (const [text, ids, written, offsets] of cases) {
    const tokens = tokenize(pipeline, text, options);
    const place = JSON.stringify(text);
    assert.deepEqual(
      tokens.map(({ id }) => id),
      ids,
      place,
    );
    assert.deepEqual(tokens.map(offsetsOf), offsets, place);
    // Bytes that are written as characters (`Ġ`) are shown as the text that they are.
    if (!pipeline.bytes)
      assert.deepEqual(
        tokens.map((token) => token.text),
        written,
        place,
      );
  }
}

/** What a template adds has the offsets 0, 0 there; here an empty range where it stands. */
const offsetsOf = ({ start, end, special }: TextToken): [number, number] =>
  special && start === end ? [0, 0] : [start, end];

describe('tokenizer.json', () => {
  const goldens = fixture<readonly Golden[]>('huggingface.json.gz');

  it('was compared for 55 tokenizers', () => assert.equal(goldens.length, 55));

  for (const { name, json, cases, bare, literal } of goldens) {
    it(`${name}: ids, tokens and offsets of Hugging Face’s tokenizers`, () => {
      const pipeline = pipelineOf(json);
      assertCases(pipeline, cases, {});
      assertCases(pipeline, bare, { template: false });
      assertCases(pipeline, literal, { specials: 'text' });
      assert.deepEqual(pipeline.notes, []);
      assert(cases.every(([, ids]) => ids.every((id) => id < pipeline.size)));
    });
  }

  it('agrees on new texts, where the library is installed', function () {
    this.timeout(180_000);
    const python = pythonOrSkip(this, 'tokenizers', 'sentencepiece');
    const script = join(__dirname, '../reference/tokens_huggingface.py');
    const { stdout } = spawnSync(python, [script, '40', '99'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    for (const { json, cases, literal } of JSON.parse(stdout) as Golden[]) {
      assertCases(pipelineOf(json), cases, {});
      assertCases(pipelineOf(json), literal, { specials: 'text' });
    }
  });

  it('shows bytes as text, and parts of a character as bytes', () => {
    const { json } = goldens.find(({ name }) => name === 'gpt2') as Golden;
    const tokens = tokenize(pipelineOf(json), 'cat \u{10348}');
    assert.deepEqual(
      tokens.slice(-4).map(({ text, start, end }) => [text, start, end]),
      ['\\xF0', '\\x90', '\\x8D', '\\x88'].map((text) => [text, 4, 6]),
    );
  });

  it('never throws, whatever the text', () => {
    const pipelines = goldens.map(({ json }) => pipelineOf(json));
    for (const text of [...texts(60, 8), '\ud800', '\udc00\ud800', '']) {
      for (const pipeline of pipelines) {
        for (const { start, end } of tokenize(pipeline, text)) assert(start >= 0 && end >= start && end <= text.length);
      }
    }
  });

  it('looks up no more for each character of a long text than of a short one', () => {
    for (const { name, json } of goldens) {
      const pipeline = pipelineOf(json);
      for (const unit of ['a', ' ', '漢', '!1 ']) {
        const [short, long] = [400, 4000].map((size) => lookUps(() => tokenize(pipeline, unit.repeat(size))));
        assert(Number(long) <= 11 * Number(short) + 100, `${name} ${unit}: ${short}, ${long}`);
      }
    }
  });

  it('cuts a run that overflows the regular expression’s stack', () => {
    const split = { type: 'Split', pattern: { Regex: '[a-z]+' }, behavior: 'Isolated', invert: false };
    const model = { type: 'WordLevel', unk_token: '<unk>', vocab: { '<unk>': 0 } };
    const tokens = tokenize(pipelineOf({ model, pre_tokenizer: split }), 'a'.repeat(8_000_000));
    assert.equal(tokens.at(-1)?.end, 8_000_000);
  });
});

/** How often something is looked up in a Map, where vocabularies, merges and tries are. */
function lookUps(work: () => void): number {
  const original = Object.getOwnPropertyDescriptor(Map.prototype, 'get') as { value: (key: unknown) => unknown };
  let count = 0;
  const counting = function (this: Map<unknown, unknown>, key: unknown): unknown {
    count++;
    return original.value.call(this, key);
  };
  Object.defineProperty(Map.prototype, 'get', { ...original, value: counting });
  try {
    work();
  } finally {
    Object.defineProperty(Map.prototype, 'get', original);
  }
  return count;
}

describe('tutorial 000', () => {
  /** Lines of bert-base-uncased's vocab.txt that the tutorial shows, at their places. */
  const shown: Record<number, string> = {
    0: '[PAD]',
    100: '[UNK]',
    101: '[CLS]',
    102: '[SEP]',
    999: '!',
    1037: 'a',
    1045: 'i',
    2031: 'have',
    2047: 'new',
    2226: '##u',
    14246: 'gp',
  };
  const vocabulary = Array.from({ length: 14_247 }, (_, id) => shown[id] ?? `[unused${id}]`).join('\n');

  it('gives its tokens and ids from a vocab.txt', () => {
    const result = tokenizerFromVocab(`${vocabulary}\n`);
    assert(result.ok);
    const tokens = tokenize(result.value, 'I have a new GPU!');
    assert.deepEqual(
      tokens.map(({ text }) => text),
      ['[CLS]', 'i', 'have', 'a', 'new', 'gp', '##u', '!', '[SEP]'],
    );
    assert.deepEqual(
      tokens.map(({ id }) => id),
      [101, 1045, 2031, 1037, 2047, 14246, 2226, 999, 102],
    );
    assert.deepEqual(tokens[6], { text: '##u', id: 2226, start: 15, end: 16 });
    assert.deepEqual(tokens[8], { text: '[SEP]', id: 102, start: 17, end: 17, special: true });
    const bare = tokenize(result.value, 'I have a new GPU!', { template: false });
    assert.deepEqual(
      bare.map(({ text }) => text),
      ['i', 'have', 'a', 'new', 'gp', '##u', '!'],
    );
    assert.equal(result.value.notes[0]?.message, 'text is lowercased: no piece has an upper-case letter');
  });

  it('keeps case when the vocabulary does, or when told to', () => {
    const cased = tokenizerFromVocab('[UNK]\r\nGPU\r\n!\r\n');
    assert(cased.ok);
    assert.deepEqual(
      tokenize(cased.value, 'GPU!').map(({ id }) => id),
      [1, 2],
    );
    assert.equal(cased.value.notes[0]?.message, 'text is not lowercased: line 2 is GPU');
    const told = tokenizerFromVocab(vocabulary, { lowercase: false });
    assert(told.ok);
    assert.deepEqual(
      tokenize(told.value, 'I a', { template: false }).map(({ text }) => text),
      ['[UNK]', 'a'],
    );
    assert.deepEqual(told.value.notes, []);
  });

  it('refuses what is no vocabulary and tells of pieces that stand twice', () => {
    const refused = tokenizerFromVocab('just\nwords');
    assert(!refused.ok);
    assert.equal(refused.problems[0]?.message, 'vocab.txt: no line [UNK] among 2');
    const twice = tokenizerFromVocab('[UNK]\na\nb\na\n');
    assert(twice.ok);
    assert.equal(twice.value.notes[0]?.message, 'vocab.txt: a on line 2 and on line 4, which counts');
  });
});

describe('damaged and unknown tokenizer files', () => {
  const model = { type: 'WordLevel', unk_token: '<unk>', vocab: { '<unk>': 0, a: 1 } };
  const problems = (json: unknown): string[] => {
    const result = tokenizerFromJson(json);
    return result.ok ? [] : result.problems.map(({ path, message }) => `${path ?? ''} | ${message}`);
  };
  const withPart = (key: string, part: unknown): string[] => problems({ model, [key]: part });

  it('say where JSON breaks off', () => {
    const result = tokenizerFromJson('{"model": {"type": "BPE",, }}');
    assert(!result.ok);
    assert.deepEqual([result.problems[0]?.code, result.problems[0]?.range], ['json-syntax', { start: 25, end: 26 }]);
    const cut = tokenizerFromJson('{"model": {"vocab": {"a": 1');
    assert(!cut.ok);
    assert.equal(cut.problems[0]?.range?.start, 27);
  });

  it('name every part that is not supported', () => {
    const found = problems({
      version: '1.0',
      normalizer: { type: 'Sequence', normalizers: [{ type: 'NFC' }, { type: 'Visual' }] },
      pre_tokenizer: { type: 'UnicodeScripts' },
      post_processor: { type: 'Pairs' },
      model: { type: 'BPE', dropout: 0.1, vocab: {}, merges: [] },
    });
    assert.deepEqual(found, [
      'model | model: dropout (merges left out at random) is not supported',
      'normalizer.normalizers[1] | normalizer.normalizers[1]: Visual is not supported',
      'pre_tokenizer | pre_tokenizer: UnicodeScripts is not supported',
      'post_processor | post_processor: Pairs is not supported',
    ]);
  });

  it('name the field, what was found and what was expected', () => {
    assert.deepEqual(problems([]), [' | file: a list of 0, expected an object']);
    assert.deepEqual(problems({}), ['model | model: nothing, expected an object']);
    assert.deepEqual(problems({ version: '2.0', model }), ['version | version: "2.0", expected 1.0']);
    assert.deepEqual(problems({ model: { ...model, vocab: { a: -1 } } }), [
      'model.vocab["a"] | model.vocab["a"]: -1, expected an integer from 0 to 67108863',
    ]);
    assert.deepEqual(problems({ model: { ...model, unk_token: 'x' } }), [
      'model.unk_token | model.unk_token: "x", expected one of the 2 tokens of the vocabulary',
    ]);
    assert.deepEqual(problems({ model: { type: 'BPE', vocab: { a: 0, b: 1 }, merges: ['a b'] } }), [
      'model.merges[0] | model.merges[0]: "a b", expected two tokens of the vocabulary that together are one',
    ]);
    assert.deepEqual(problems({ model: { type: 'Unigram', unk_id: 2, vocab: [['a', 0], ['b']] } }), [
      'model.vocab[1] | model.vocab[1]: a list of 1, expected [piece, score]',
      'model.unk_id | model.unk_id: 2, expected below 1',
    ]);
    assert.deepEqual(withPart('pre_tokenizer', { type: 'Digits' }), [
      'pre_tokenizer.individual_digits | pre_tokenizer.individual_digits: nothing, expected true or false',
    ]);
    assert.deepEqual(
      withPart('added_tokens', [
        { id: 5, content: '<s>', special: true, single_word: false, lstrip: 0, rstrip: false, normalized: false },
      ]),
      ['added_tokens[0].lstrip | added_tokens[0].lstrip: 0, expected true or false'],
    );
    assert.deepEqual(
      withPart('post_processor', {
        type: 'TemplateProcessing',
        single: [{ SpecialToken: { id: '[X]' } }, { Sequence: { id: 'A' } }],
        special_tokens: {},
      }),
      [
        'post_processor.special_tokens.[X] | post_processor.special_tokens.[X]: nothing, expected an object',
        'post_processor.special_tokens.[X].tokens | post_processor.special_tokens.[X].tokens: nothing, expected a list',
        'post_processor.special_tokens.[X].ids | post_processor.special_tokens.[X].ids: nothing, expected a list',
      ],
    );
    assert.deepEqual(withPart('normalizer', { type: 'Precompiled', precompiled_charsmap: 'AB!D' }), [
      'normalizer | normalizer: character map: character 2 is no base64',
    ]);
  });

  it('say what in a pattern is not supported, and where', () => {
    const pattern = (Regex: string): string | undefined =>
      withPart('pre_tokenizer', { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false })[0];
    const at = 'pre_tokenizer.pattern.Regex';
    assert.equal(pattern('a(?<n>b)'), `${at} | ${at}: (?< is not supported (character 1 of "a(?<n>b)")`);
    assert.equal(pattern('(a)\\1'), `${at} | ${at}: \\1 is not supported (character 4 of "(a)\\\\1")`);
    assert.equal(
      pattern('\\p{Nonsense}'),
      `${at} | ${at}: \\p{Nonsense} is not supported (character 0 of "\\\\p{Nonsense}")`,
    );
    assert.equal(pattern('(?i:straße)'), `${at} | ${at}: (?i:ß) is not supported (character 8 of "(?i:straße)")`);
    assert.equal(pattern('(?i:fine)'), `${at} | ${at}: (?i:fi) is not supported (character 4 of "(?i:fine)")`);
    assert.equal(pattern('[a'), `${at} | ${at}: ] expected (character 2 of "[a")`);
    assert.equal(pattern('a)'), `${at} | ${at}: unmatched ) (character 1 of "a)")`);
    assert.equal(pattern('*a'), `${at} | ${at}: * repeats nothing (character 0 of "*a")`);
  });

  it('come with notes on what is not applied', () => {
    const token = {
      content: 'zz',
      id: 9,
      special: true,
      normalized: false,
      single_word: false,
      lstrip: false,
      rstrip: false,
    };
    const result = tokenizerFromJson({ model, truncation: { max_length: 128 }, padding: null, added_tokens: [token] });
    assert(result.ok);
    assert.deepEqual(
      result.value.notes.map(({ message }) => message),
      [
        'truncation is not applied: all of the text is shown',
        'added_tokens[0]: zz has id 2 by its place in the vocabulary, not 9',
      ],
    );
  });

  it('never throw, whatever the JSON', () => {
    const deep = (levels: number): unknown =>
      levels ? { type: 'Sequence', normalizers: [deep(levels - 1)] } : { type: 'NFC' };
    assert.deepEqual(withPart('normalizer', deep(2000)), [' | file: an object, expected no more than 64 levels']);
    fc.assert(
      fc.property(fc.jsonValue(), (json) => tokenizerFromJson(json).ok === false),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.string(), (text) => typeof tokenizerFromJson(text).ok === 'boolean'),
      { numRuns: 200 },
    );
  });

  it('never throw when one value of a good file is another', () => {
    const goldens = fixture<readonly Golden[]>('huggingface.json.gz').filter(({ name }) => name !== 't5');
    const others = [null, 0, -1, 1e9, '', 'x', true, [], {}, [[]], { type: 'NFC' }, { type: 'ByteLevel' }, '(', '\\'];
    let refused = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...goldens),
        fc.nat(),
        fc.constantFrom(...others),
        fc.string({ maxLength: 40 }),
        ({ json }, pick, other, text) => {
          const result = tokenizerFromJson(changed(json, pick, other));
          if (result.ok) tokenize(result.value, text);
          else refused++;
        },
      ),
      { numRuns: 1500 },
    );
    assert(refused > 300, `${refused} refused`);
  });
});

/** The file with one of its values, outside long lists and vocabularies, replaced. */
function changed(json: unknown, pick: number, other: unknown): unknown {
  const copy = structuredClone(json);
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value).slice(0, 12)) {
      places.push({ holder: value as Record<string, unknown>, key });
      visit((value as Record<string, unknown>)[key]);
    }
  };
  visit(copy);
  const place = places[pick % places.length];
  if (place) place.holder[place.key] = other;
  return copy;
}
