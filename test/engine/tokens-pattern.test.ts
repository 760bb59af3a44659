// Patterns of tokenizer files: the same matches as JavaScript's own machine, in steps that are linear in the text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tokenize, tokenizerFromJson } from '../../engine/tokens';
import { textDefaults, withPieces, type AttentionSpec } from '../../engine/index';
import { compilePattern, readPattern } from '../../engine/tokens/file/pattern';
import { searcher, type Search } from '../../engine/tokens/file/pattern/matcher';
import { regExpSource, type Piece } from '../../engine/tokens/file/pattern/piece';
import { programOf, type Program } from '../../engine/tokens/file/pattern/program';
import { TooMuchWork } from '../../engine/tokens/file/work';

type Found = readonly [number, number];

function all(search: Search, text: string): Found[] {
  const found: Found[] = [];
  for (let at = 0; at <= text.length;) {
    const match = search(at);
    if (!match) break;
    found.push([match.start, match.end]);
    at = match.end > match.start ? match.end : match.end + ((text.codePointAt(match.end) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}

const pieceOf = (source: string): Piece => {
  const read = readPattern(source);
  assert.ok(read.ok, source);
  return read.value;
};

const programFor = (source: string): Program => programOf(pieceOf(source)) ?? assert.fail(`${source} has no program`);

/** As JavaScript finds them. Letters of two units are stepped over as one. */
function byJavaScript(source: string, text: string, flags: 'gu' | 'gv'): Found[] {
  const pattern = new RegExp(regExpSource(pieceOf(source)), flags);
  const search: Search = (at) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    return match ? { start: match.index, end: match.index + match[0].length } : undefined;
  };
  return all(search, text);
}

const byProgram = (source: string, text: string): Found[] => all(searcher(programFor(source), text, source), text); // prettier-ignore

/** Steps that a program takes for all matches in a text. */
function stepsOf(source: string, text: string): number {
  const program = programFor(source);
  let steps = 0;
  const counting: Program = { ...program, code: new Proxy(program.code, { get: (code, key) => (steps++, code[key as unknown as number]) }) }; // prettier-ignore
  all(searcher(counting, text, source), text);
  return steps;
}

const isNative = (source: string): boolean => {
  const pattern = compilePattern(source);
  assert.ok(pattern.ok, source);
  return 'native' in pattern.value;
};

/** As their files have them. */
const real = {
  'GPT-2': "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  'Llama 3': "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  'Qwen 2': "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  'DeepSeek V3': '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  'DeepSeek, letters': '[一-龥぀-ゟ゠-ヿ]+',
  digits: '\\p{N}{1,3}',
  BLOOM: ' ?[^(\\s|[.,!?…。，、।۔،])]+',
  spaces: ' {2,}',
} as const; // prettier-ignore
/** Runs of letters that can be cut in several places: by a program of its own. */
const o200k =
  "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

const hostile = [
  '(a+)+b', '(a*)*b', '(a|a)*b', '(a|aa)+$', '(?:a+)+?b', 'a*a*a*a*b', '(?:(?:a*)*)*b', '(?=a*b)a', '(?<=ba*)c', '(?!a*b)c', '(?>a*)b', '(a?){9}a{9}',
  '(?:a|b|ab)*c', '[a-z]+[a-z]+[a-z]+1', '\\s+$', '(?:x?a*)*y', '(?=(?:a+)+c)a', '(a*+)*b', '.*.*=.*', '(?:a{1,4}){1,4}b',
] as const; // prettier-ignore

const letters = ['a', 'b', ' ', '\n', 'A', '1', '.', '漢', '🙂'] as const;
// Not beyond the Basic Multilingual Plane: V8 finds `(?![^a])` in the middle of 🙂.
const texts = fc.string({ unit: fc.constantFrom(...letters.slice(0, -1)), maxLength: 7 });

/**
 * Patterns of all that is supported, but what gives nothing back: JavaScript has no way to write that. They are compared without the flag
 * `v`: with it, V8 of Node 20 does not find `(?:[^\n]a)+` in `aa`.
 */
const { tree } = fc.letrec<{ tree: string; atom: string }>((tie) => ({
  tree: fc
    .array(
      fc.array(tie('atom'), { maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((branches) => branches.join('|')),
  atom: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom('a', 'b', '[ab]', '\\s', '\\p{L}', '[^a]', '.', '^', '$', '\\b', '漢', '\\n'),
        fc
          .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!'), tie('tree'))
          .map(([open, inside]) => `${open}${inside})`),
      ),
      fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}'),
    )
    .map(([one, count]) => one + count),
}));

describe('patterns of a tokenizer file', () => {
  it('of real tokenizers are searched by JavaScript, which is linear for them', () => {
    for (const source of Object.values(real)) assert.ok(isNative(source), source);
  });

  it('that may take more than linear time are not', () => {
    for (const source of [...hostile, o200k]) assert.ok(!isNative(source), source);
  });

  it('match what JavaScript matches: real ones', () => {
    const some = fc.string({ unit: fc.constantFrom(...letters, "'s", "'LL", '\r', '\t', 'é', 'ǅ', '٣', '/'), maxLength: 40 });
    fc.assert(
      fc.property(some, (text) => {
        for (const source of [...Object.values(real), o200k])
          assert.deepEqual(byProgram(source, text), byJavaScript(source, text, 'gv'), source);
      }),
      { numRuns: 100 },
    );
  }); // prettier-ignore

  it('match what JavaScript matches: any', () => {
    let matches = 0;
    fc.assert(
      fc.property(tree, texts, (source, text) => {
        const piece = readPattern(source);
        if (!piece.ok || !programOf(piece.value)) return;
        const found = byProgram(source, text);
        matches += found.length;
        assert.deepEqual(found, byJavaScript(source, text, 'gu'), source);
      }),
      { numRuns: 500 },
    );
    assert.ok(matches > 250, String(matches));
  });

  it('give nothing back where they say so', () => {
    assert.deepEqual(byProgram('(?>a|ab)c', 'abc ac'), [[4, 6]]);
    assert.deepEqual(byProgram('a*+a', 'aaa'), []);
    assert.deepEqual(byProgram('(?>a+)b', 'aab'), [[0, 3]]);
    assert.deepEqual(byProgram('(?:(?>a?)b)+', 'abbab'), [[0, 5]]);
  });

  it('take steps that are linear in the text, whatever the pattern', () => {
    for (const source of [...hostile, ...Object.values(real), o200k])
      for (const unit of ['a', ' ', 'ab', 'A', '=', '\n ', 'aab'])
        for (const end of ['', 'c', '!']) {
          const [short, long] = [60, 600].map((count) => stepsOf(source, unit.repeat(count) + end)) as [number, number]; // prettier-ignore
          assert.ok(long <= 11 * short + 1500, `${source} on ${unit}…${end}: ${short} steps, then ${long}`);
        }
  }).timeout(60_000);

  it('that JavaScript searches are linear there too: no time is lost on 100 kB of anything', () => {
    const start = process.cpuUsage();
    let count = 0;
    for (const source of Object.values(real)) {
      const pattern = compilePattern(source);
      assert.ok(pattern.ok && 'native' in pattern.value);
      const { native } = pattern.value;
      for (const unit of ['a', ' ', '\n', ' \n', 'A', 'aA', '!', '漢', '\t\r', "'"])
        for (const end of ['', 'x', '\n'])
          count += [...(unit.repeat(100_000 / unit.length) + end).matchAll(native)].length;
    }
    // A run is one match. A quadratic pattern takes 5·10⁹ steps, half a minute; all of these together are a few million.
    assert.ok(count > 100, String(count));
    assert.ok(process.cpuUsage(start).user < 10e6);
  }).timeout(60_000);

  const model = { type: 'WordLevel', unk_token: '<unk>', vocab: { '<unk>': 0 } };
  const fileWith = (Regex: string): unknown => ({
    model,
    pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false },
  });
  const specOf = (text: string): AttentionSpec => ({ ...textDefaults, start: { from: 'text', text, tokenizer: { file: 'tokenizer.json' } } } as unknown as AttentionSpec); // prettier-ignore

  it('(a+)+b cuts 40 characters, and 100,000', () => {
    const tokenizer = tokenizerFromJson(fileWith('(a+)+b'));
    assert.ok(tokenizer.ok);
    for (const count of [40, 100_000]) assert.equal(tokenize(tokenizer.value, 'a'.repeat(count)).length, 1);
    assert.equal(tokenize(tokenizer.value, `${'a'.repeat(100_000)}b c`).length, 2);
  });

  it('that take too many steps are a Problem that names file and pattern', () => {
    const wide = `(?:${Array.from({ length: 400 }, (_, i) => `a*?${String.fromCodePoint(0x4e00 + i)}`).join('|')})`;
    const tokenizer = tokenizerFromJson(fileWith(wide));
    assert.ok(tokenizer.ok);
    const cut = withPieces(specOf('a'.repeat(100_000)), tokenizer.value);
    assert.ok(!cut.ok);
    assert.equal(cut.problems[0]?.code, 'tokenizer-work');
    assert.match(cut.problems[0]?.message ?? '', /^tokenizer\.json: "\(\?:a\*\?一.*…" takes more than 20000000 steps on this text$/);
    assert.throws(() => tokenize(tokenizer.value, 'a'.repeat(100_000)), TooMuchWork);
  }).timeout(20_000); // prettier-ignore

  it('whose counts or groups are too many are refused when the file is read', () => {
    const problem = (Regex: string): string => {
      const tokenizer = tokenizerFromJson(fileWith(Regex));
      return tokenizer.ok ? '' : (tokenizer.problems[0]?.message ?? '');
    };
    const at = 'pre_tokenizer.pattern.Regex';
    assert.equal(problem('(?:(?:a{100}){100}){100}'), `${at}: its counts written out, it is too long (character 0 of "(?:(?:a{100}){100}){100}")`); // prettier-ignore
    assert.equal(problem('a{3,2}'), `${at}: {3,2} is out of order (character 1 of "a{3,2}")`);
    assert.match(problem('('.repeat(100_000)), /^pre_tokenizer\.pattern\.Regex: more than 200 groups in each other/);
    assert.match(problem('['.repeat(100_000)), /^pre_tokenizer\.pattern\.Regex: more than 50 classes in each other/);
  });

  it('nor does a normalizer that writes much for little take all memory', () => {
    const more = { type: 'Replace', pattern: { String: 'a' }, content: 'a'.repeat(1000) };
    const tokenizer = tokenizerFromJson({ model, normalizer: { type: 'Sequence', normalizers: [more, more, more] } }); // prettier-ignore
    assert.ok(tokenizer.ok);
    const cut = withPieces(specOf('a'.repeat(20)), tokenizer.value);
    assert.ok(!cut.ok);
    assert.match(cut.problems[0]?.message ?? '', /^tokenizer\.json: the normalizer takes more than 10000000 steps/);
  }).timeout(30_000);
});
