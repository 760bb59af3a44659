import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  explainAttention,
  explainCell,
  hashTrace,
  matrixDefaults,
  planOf,
  textDefaults,
  tokenLimit,
  tokenizerFromVocab,
  tokenizerOf,
  validateSpec,
  valuesOf,
  withPieces,
  wordsAt,
  type AttentionSpec,
  type AttentionTrace,
  type Piece,
  type Problem,
  type Start,
  type Tokenizer,
} from '../../engine/index';
import { compareTrace, type Golden } from './exact/compare';
import { run } from './specs';
import { encoding } from './tokens-texts';

const golden = JSON.parse(
  gunzipSync(readFileSync(join(__dirname, '../fixtures/attention/variants.json.gz'))).toString('utf8'),
) as { specs: readonly Golden[] };

type TextStart = Extract<Start, { from: 'text' }>;
const spec = (start: TextStart, more: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...textDefaults,
  ...more,
  start,
});
const problemsOf = (json: unknown): readonly Problem[] => {
  const result = validateSpec(json);
  return result.ok ? [] : result.problems;
};

/** `vocab.txt` of seven pieces: [PAD], [UNK], [CLS], [SEP], walk, ##ing, the. */
function bert(): Tokenizer {
  const result = tokenizerFromVocab('[PAD]\n[UNK]\n[CLS]\n[SEP]\nwalk\n##ing\nthe\n');
  assert.ok(result.ok);
  return result.value;
}

function cut(from: AttentionSpec, tokenizer: Tokenizer): AttentionSpec {
  const result = withPieces(from, tokenizer);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

const piecesOf = ({ start }: AttentionSpec): readonly Piece[] =>
  start.from === 'text' && 'pieces' in start ? (start.pieces ?? []) : [];
const rowsOf = (trace: AttentionTrace, id: string): readonly string[] =>
  trace.plan.steps.find((s) => s.id === id)?.rowLabels ?? [];

describe('tutorial 003, from its text to its output', () => {
  it('cut a text into what is seen: an emoji of several parts and a flag are one token', () => {
    const text = 'hi \u{1F469}\u{1F3FD}\u200D\u{1F680}\u2600\uFE0F\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7} c';
    // Grapheme clusters (Unicode's UAX 29).
    const seen = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);
    const tokens = (tokenizer: 'words' | 'characters'): readonly string[] => {
      const plan = planOf({ ...textDefaults, start: { from: 'text', text, tokenizer } });
      return plan.ok ? plan.value.tokens.map((token) => token.text) : assert.fail();
    };
    assert.equal(seen.length, 9);
    assert.deepEqual(tokens('characters').map((token) => (token === '·' ? ' ' : token)), seen); // prettier-ignore
    assert.deepEqual(tokens('words'), ['hi', ...seen.slice(3, 7), 'c']);
  });

  const question = 'What is the capital of France?';

  for (const { name, spec: expected, steps } of golden.specs.filter((g) => g.name.startsWith('tutorial 003'))) {
    it(name, async () => {
      const start = { from: 'text', text: question, tokenizer: 'cl100k_base' } as const;
      const found = cut({ ...expected, start }, await encoding('cl100k_base'));
      assert.deepEqual(found, expected);
      assert.deepEqual(compareTrace(run(found), { name, spec: expected, steps }, new Map()), []);
    });
  }

  it('has the shapes that it states', async () => {
    const base = spec({ from: 'text', text: question, tokenizer: 'cl100k_base' }, { dModel: 16, heads: 4 });
    const projections = { from: 'random', dK: 4, dV: 3 } as const;
    const cutSpec = cut({ ...base, projections, outputProjection: { from: 'random' } }, await encoding('cl100k_base'));
    const shapes = Object.fromEntries(run(cutSpec).plan.steps.map((s) => [s.id, s.shape.join('×')]));
    const [n, d, hdv] = [7, 16, 12];
    const stated = { x: [n, d], scores: [4, n, n], concat: [n, hdv], wo: [hdv, d], output: [n, d] };
    for (const [id, shape] of Object.entries(stated)) assert.equal(shapes[id], shape.join('×'), id);
  });
});

describe('a spec whose tokens a vocabulary decides', () => {
  const needy = spec({ from: 'text', text: ' the cat the', tokenizer: 'gpt2' });

  it('is valid without pieces, and planned to a Problem that says what is needed', () => {
    assert.deepEqual(problemsOf(needy), []);
    assert.equal(tokenizerOf(needy), 'gpt2');
    const plan = planOf(needy);
    assert.ok(!plan.ok);
    assert.deepEqual(plan.problems.map(({ code, path }) => [code, path]), [['vocabulary-needed', 'start.tokenizer']]); // prettier-ignore
    assert.match(plan.problems[0]?.message ?? '', /gpt2/);
  });

  it('needs no vocabulary once it has pieces', async () => {
    const full = cut(needy, await encoding('gpt2'));
    assert.deepEqual(piecesOf(full), [[262, 0, 4], [3797, 4, 8], [262, 8, 12]]); // prettier-ignore
    assert.equal(tokenizerOf(full), undefined);
    const again = JSON.parse(JSON.stringify(full)) as AttentionSpec;
    assert.deepEqual(problemsOf(again), []);
    assert.equal(hashTrace(run(again)), hashTrace(run(full)));
    assert.deepEqual(cut(full, bert()), full);
  });

  it('is left alone where no vocabulary is needed', () => {
    for (const tokenizer of ['words', 'characters', 'bytes'] as const) {
      const plain = spec({ from: 'text', text: 'the cat', tokenizer });
      assert.equal(tokenizerOf(plain), undefined);
      assert.equal(cut(plain, bert()), plain);
    }
    const x: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x: [[1]] } };
    assert.equal(tokenizerOf(x), undefined);
  });

  it('draws one row for each distinct token, in order of first appearance', async () => {
    const trace = run(cut(needy, await encoding('gpt2')));
    assert.deepEqual(rowsOf(trace, 'tokens'), ['·the', '·cat', '·the']);
    assert.deepEqual(rowsOf(trace, 'table'), ['·the', '·cat']);
    const tokens = trace.plan.steps[0];
    assert.ok(tokens);
    assert.deepEqual(tokens.columnLabels, ['id', 'row']);
    assert.deepEqual([...valuesOf(trace, tokens)], [262, 0, 3797, 1, 262, 0]);
    assert.equal(trace.value('embedding', [2, 5]), trace.value('table', [0, 5]));
    assert.match(tokens.words.what, /gpt2 cuts the text into 3 tokens.*50,257/);
    const made = explainCell(trace, 'embedding', [1, 5]);
    assert.ok(made.kind === 'lookup' && made.id.index.join() === '1,1' && made.entry.index.join() === '1,5');
    const row = explainCell(trace, 'tokens', [1, 1]);
    assert.ok(row.kind === 'token' && row.is === 'row' && row.text === '·cat');
  });

  it('takes the id as the row of a given table, which must reach it', () => {
    const start = { from: 'text', text: '!"!', tokenizer: 'gpt2', pieces: [[0, 0, 1], [1, 1, 2], [0, 2, 3]] } as const; // prettier-ignore
    const table = [[1, 2], [3, 4]]; // prettier-ignore
    const trace = run(
      spec(start, { embedding: { from: 'given', table }, positions: 'none', projections: { from: 'none' } }),
    );
    assert.deepEqual(trace.plan.steps[0]?.columnLabels, ['id']);
    assert.deepEqual([0, 1, 2].map((i) => trace.value('embedding', [i, 1])), [2, 4, 2]); // prettier-ignore
    const short = problemsOf(spec(start, { embedding: { from: 'given', table: [[1, 2]] } }));
    assert.deepEqual(short.map(({ message }) => message), ['id 1 is outside of the table, which has 1 row']); // prettier-ignore
  });

  it('marks special tokens, and says that they stand for no text', () => {
    const full = cut(spec({ from: 'text', text: 'walking', tokenizer: { file: 'vocab.txt' } }), bert());
    assert.deepEqual(piecesOf(full), [[2, 0, 0, '[CLS]', true], [4, 0, 4], [5, 4, 7, '##ing'], [3, 7, 7, '[SEP]', true]]); // prettier-ignore
    const { plan } = run(full);
    assert.deepEqual(plan.tokens.map(({ text, special }) => [text, special]), [
      ['[CLS]', true], ['walk', undefined], ['##ing', undefined], ['[SEP]', true],
    ]); // prettier-ignore
    assert.match(plan.steps[0]?.words.what ?? '', /^vocab\.txt cuts the text into 4 tokens/);
    assert.equal(plan.steps[0]?.words.notice, '[CLS] and [SEP] are special tokens: they stand for no text.');
  });

  it('writes tokens that are part of a character as bytes', async () => {
    const full = cut(spec({ from: 'text', text: '😀\t\n', tokenizer: 'cl100k_base' }), await encoding('cl100k_base'));
    assert.deepEqual(piecesOf(full).slice(0, 2), [[76460, 0, 2, '\\xF0\\x9F\\x98'], [222, 0, 2, '\\x80']]); // prettier-ignore
    assert.deepEqual(rowsOf(run(full), 'tokens'), ['\\xF0\\x9F\\x98', '\\x80', '→↵']);
  });

  it('names the tokens of a selected cell in its words', async () => {
    const trace = run(cut(needy, await encoding('gpt2')));
    const scores = trace.plan.steps.find((s) => s.id === 'scores');
    assert.ok(scores);
    assert.match(scores.words.what, /Row “·cat” of Q meets column “·the \(2\)” of/);
    assert.match(wordsAt(trace, scores, [2, 1]).what, /Row “·the \(2\)” of Q meets column “·cat” of/);
  });
});

describe('withPieces', () => {
  const refused = (start: TextStart, tokenizer: Tokenizer): readonly Problem[] => {
    const result = withPieces(spec(start), tokenizer);
    return result.ok ? [] : result.problems;
  };

  it('refuses another tokenizer, a text without tokens, and too many tokens', async () => {
    const gpt2 = await encoding('gpt2');
    const other = refused({ from: 'text', text: 'a', tokenizer: 'cl100k_base' }, gpt2);
    assert.deepEqual(other.map((p) => p.message), ['the spec asks for cl100k_base, found gpt2']); // prettier-ignore
    assert.equal(refused({ from: 'text', text: 'a', tokenizer: 'gpt2' }, bert())[0]?.code, 'tokenizer-other');
    assert.equal(refused({ from: 'text', text: 'a', tokenizer: { file: 'tokenizer.json' } }, gpt2)[0]?.code, 'tokenizer-other'); // prettier-ignore
    assert.equal(refused({ from: 'text', text: '', tokenizer: 'gpt2' }, gpt2)[0]?.code, 'empty');
    const long = refused({ from: 'text', text: ' a'.repeat(tokenLimit + 1), tokenizer: 'gpt2' }, gpt2);
    assert.equal(long[0]?.message, 'the text has 131073 tokens, the limit is 131072');
    assert.deepEqual(refused({ from: 'text', text: ' a'.repeat(tokenLimit), tokenizer: 'gpt2' }, gpt2), []);
  });

  it('gives a spec that is valid, whatever the text', async () => {
    const tokenizers = [await encoding('gpt2'), await encoding('o200k_base'), bert()] as const;
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, fc.constantFrom(...tokenizers), (written, tokenizer) => {
        const name = tokenizer.kind === 'bytes' ? tokenizer.name : { file: 'vocab.txt' };
        const result = withPieces(spec({ from: 'text', text: written, tokenizer: name }), tokenizer);
        assert.ok(result.ok);
        assert.deepEqual(problemsOf(JSON.parse(JSON.stringify(result.value))), []);
        assert.ok(explainAttention(result.value).ok);
      }),
      { numRuns: 150 },
    );
  });
});

describe('validation of pieces', () => {
  const base = { from: 'text', text: 'héllo', tokenizer: 'gpt2' };
  const cases: readonly (readonly [unknown, string])[] = [
    [[], 'start.pieces: expected pieces, found an array of 0'],
    ['x', 'start.pieces: expected pieces, found "x"'],
    [[[1, 0]], 'start.pieces[0]: expected [id, start, end, written?, special?], found an array of 2'],
    [[[1, 0, 1, 'h', false]], 'start.pieces[0]: expected [id, start, end, written?, special?], found an array of 5'],
    [[[-1, 0, 1]], 'start.pieces[0]: id -1, expected a whole number from 0 to 1000000'],
    [[[1.5, 0, 1]], 'start.pieces[0]: id 1.5, expected a whole number from 0 to 1000000'],
    [[[1, 0, 6]], 'start.pieces[0]: ends at 6, the text at 5'],
    [[[1, 2, 1]], 'start.pieces[0]: from 2 to 1 is no range'],
    [[[1, 2, 3], [1, 1, 2]], 'start.pieces[1]: begins at 1, before the piece before it, at 2'],
    [Array.from({ length: 131_073 }, () => [1, 0, 1]), 'the text has 131073 tokens, the limit is 131072'],
  ]; // prettier-ignore
  for (const [pieces, message] of cases) {
    it(message, () => {
      assert.deepEqual(problemsOf({ ...textDefaults, start: { ...base, pieces } }).map((p) => p.message), [message]); // prettier-ignore
    });
  }

  it('allows none where the text says its tokens itself', () => {
    const start = { ...base, tokenizer: 'words', pieces: [[0, 0, 5]] };
    assert.match(problemsOf({ ...textDefaults, start })[0]?.message ?? '', /^start\.pieces: expected no pieces/);
  });
});
