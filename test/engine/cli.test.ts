import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { textDefaults, type TraceJson } from '../../engine/index';
import { boxOf, textSpec } from './box-support';
import { spec001, spec004 } from './specs';
import { vocabularyOf } from './tokens-texts';

const root = join(__dirname, '../..');

/** The weights that 1-the-cat-sat.py prints, as NumPy computes them. */
function printed001(): readonly (readonly number[])[] {
  const text = readFileSync(join(root, 'test/fixtures/attention/tutorials.json'), 'utf8');
  return (JSON.parse(text) as { '001': { weights: number[][] } })['001'].weights;
}

/** weights[1,5,2] of words-1 on “The keys to the cabinet are lost.”, as NumPy computes it (test/fixtures/models.json.gz). */
const keysToCabinet = 0.99998534;

describe('the command line', function () {
  this.timeout(30_000);
  // As it is shipped: its bundles of texts lie in the folder of the extension.
  const shipped = mkdtempSync(join(tmpdir(), 'explain-attention-cli-'));
  const folder = join(shipped, 'dist');
  const program = join(folder, 'cli.js');
  before(async () => {
    mkdirSync(join(folder, 'vocabularies'), { recursive: true });
    cpSync(join(root, 'extension/models'), join(shipped, 'extension/models'), { recursive: true });
    cpSync(join(root, 'extension/l10n'), join(shipped, 'extension/l10n'), { recursive: true });
    writeFileSync(join(folder, 'vocabularies/gpt2.tkv'), await vocabularyOf('gpt2'));
    buildSync({
      entryPoints: [join(root, 'engine/cli/main.ts')], outfile: program, bundle: true, platform: 'node',
      define: { PACKAGE_VERSION: '"1.2.3"' },
    }); // prettier-ignore
  });

  const cli = (words: readonly string[], input = ''): { status: number | null; stdout: string; stderr: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { input, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('lists what the formulas of a document say', () => {
    const file = join(shipped, 'notes.md');
    writeFileSync(file, 'Queries $Q \\in \\mathbb{R}^{m \\times d}$, keys $K \\in \\mathbb{R}^{n \\times d}$.\n\n$$\\text{softmax}(QK)$$ and $i$\n\nB = [[1, 2], [3, 4]]\n'); // prettier-ignore
    const { status, stdout } = cli(['--outline', file]);
    assert.equal(status, 0);
    assert.deepEqual(stdout.split('\n'), [
      '1:10: Q \\in \\mathbb{R}^{m \\times d}: m×d',
      '1:48: K \\in \\mathbb{R}^{n \\times d}: n×d',
      '3:3: refused: \\text{softmax}(QK): Q m×d and K n×d do not fit: d is not n (K transposed, d×n, would fit.)',
      '3:29: left alone: i',
      '5:5: matrix B, 2×2',
      'Formulas: 2 understood, 1 refused, 1 left alone',
      '',
    ]);
  });

  it('explains the formula of a document that would else be prose, and says what stands in', () => {
    const file = join(shipped, 'formula.md');
    writeFileSync(file, 'The output is\n\n$$\\text{softmax}\\left(\\frac{QK^T}{\\sqrt{d_k}}\\right)V$$\n');
    const { status, stdout, stderr } = cli([file]);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /\(5×4\)·\(4×6\) → \(5×6\)/);
    assert.match(stderr, /This is the formula of line 3; --as-text takes the document as text\./);
    assert.match(stderr, /All numbers stand in/);
  });

  it('explains a notebook that was copied as text with the numbers that it prints, and lists what it does not', () => {
    const file = join(shipped, 'copied.md');
    const draws = 'In [1]:\nimport numpy as np\nQ = np.random.randn(2, 2)\nK = np.random.randn(2, 2)\nprint("Q\\n", Q)\n\nQ\n [[1. 0.]\n [0. 1.]]\nK\n [[1. 1.]\n [0. 2.]]\n\n'; // prettier-ignore
    const code = 'In [2]:\ndef softmax(x):\n    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)\n\nout = softmax(Q @ K.T) @ K\n\n'; // prettier-ignore
    writeFileSync(file, `${draws}${code}As $$\\text{softmax}(QK^T)V$$ says, not $$\\text{softmax}(QKK)V$$\n`);
    const { status, stdout, stderr } = cli([file]);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /0\.7311\s+.?\s*0\.2689/);
    assert.match(stderr, /Numbers that the document prints: Q, K\./);
    assert.match(stderr, /Other attentions of the document: formula in line 20/);
  });

  it('says how a program was taken, with the steps that it prints', () => {
    const w = '[[1.0, 2.0], [3.0, 4.0]]';
    const text = `X = [[1.0, 2.0]]\nW_q = ${w}\nW_k = ${w}\nW_v = ${w}\n# Q = X @ W_q\nq = X @ W_q.T\n`;
    const { status, stdout, stderr } = cli(['-', '--steps', 'q'], text);
    assert.equal(status, 0, stderr);
    assert.match(stdout, / 5\.0+ .* 11\.0+/); // [1 2]·Wᵀ; [1 2]·W is [7 10].
    assert.match(stderr, /^note: X·Wᵀ, as the line `q = X @ W_q\.T` says\.$/m);
    assert.match(cli(['-', '--steps', 'q'], text.replace('\nq =', '\n#')).stderr, /^note: .*both X·W and X·Wᵀ fit/m);
  });

  it('explains the attention that Python code computes, says where there is none, and where it looked in vain', () => {
    const path = (name: string): string => join(root, 'extension/examples', name);
    const code = cli([`${path('1-the-cat-sat.py')}:27`, '--steps', 'weights', '--digits', '8']);
    assert.equal(code.status, 0, code.stderr);
    // As the file prints them under Python.
    for (const row of printed001())
      for (const weight of row) assert.ok(code.stdout.includes(weight.toFixed(8)), `${weight}`);
    const elsewhere = cli([`${path('1-the-cat-sat.py')}:10`]);
    assert.equal(elsewhere.status, 1);
    assert.match(elsewhere.stderr, /no attention is computed here/);
    const missed = cli([path('5-column-vectors.py'), '--steps', 'weights']);
    assert.equal(missed.status, 0, missed.stderr);
    assert.match(missed.stderr, /^note: No attention was found in what this code computes/m);
    const set = cli([path('1-the-cat-sat.py'), '--set', 'scale=none', '--steps', 'scaled,weights', '--digits', '8']);
    assert.equal(set.status, 0, set.stderr);
    assert.match(set.stderr, /^note: No field can be set of what code does/m);
    assert.doesNotMatch(set.stdout, new RegExp(printed001()[1]?.[0]?.toFixed(8) ?? ''), 'unscaled weights are others');
    assert.doesNotMatch(
      cli([path('4-loops-then-matrices.py'), '--as-text', '--steps', 'weights']).stderr,
      /No attention was found/,
    );
  });

  it('prints the steps of a text with shapes and shaded cells', () => {
    const { status, stdout, stderr } = cli(['--text', 'The cat sat on the mat']);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^S {2}Scores {3}\(6×8\)·\(8×6\) → \(6×6\) {3}\[scores\]$/m);
    assert.match(stdout, /^ {2} *cat( +[·░▒▓█] −?\d+\.\d{4}){6}$/m);
  });

  it('prints tokens as columns with the same numbers', () => {
    const numbers = (words: readonly string[]): string[][] => {
      const { status, stdout, stderr } = cli([...words, '--text', 'The cat sat', '--steps', 'q']);
      assert.equal(status, 0, stderr);
      const lines = stdout.split('\n').filter((line) => /\d\.\d{4}/.test(line) && /[·░▒▓█]/.test(line));
      return lines.map((line) => line.match(/−?\d+\.\d{4}/g) ?? []);
    };
    const [rows, columns] = [numbers([]), numbers(['--columns'])];
    assert.deepEqual([rows.length, rows[0]?.length, columns.length, columns[0]?.length], [3, 8, 8, 3]);
    assert.deepEqual(columns[0]?.map((_, j) => columns.map((row) => row[j])), rows); // prettier-ignore
  });

  it('reads a spec from a file and gives the whole trace as JSON', () => {
    const file = join(folder, 'spec.json');
    writeFileSync(file, JSON.stringify(spec004));
    const { status, stdout, stderr } = cli([file, '--json']);
    assert.equal(status, 0, stderr);
    const trace = JSON.parse(stdout) as TraceJson;
    const output = trace.steps.find((s) => s.id === 'output')?.values as number[][];
    assert.deepEqual(
      output[1]?.map((x) => x.toFixed(7)),
      ['0.1178232', '0.3949111', '-2.4440105', '0.5687822'],
    );
  });

  it('reads literals from standard input, changes switches, shows one cell with its terms', () => {
    const q = 'Q = [[1, 0], [0, 2]]\nK = [[1, 1], [3, 0]]\n';
    const { status, stdout, stderr } = cli(['-', '--set', 'scale=none', '--cell', 'scores[1,0]'], q);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /scores\[1,0\] = 2\.0000/);
    assert.match(stdout, /q\[1,1\] 2\.0000 · k\[0,1\] 1\.0000 = 2\.0000 {3}Σ 2\.0000/);
  });

  it('cuts a text by a bundled vocabulary beside it', () => {
    const { status, stdout, stderr } = cli(['--text', ' the cat the', '--tokenizer', 'gpt2', '--steps', 'tokens']);
    assert.equal(status, 0, stderr);
    assert.match(
      stdout,
      /^ +·the +[·░▒▓█] 262 +[·░▒▓█] 0\n +·cat +[·░▒▓█] 3797 +[·░▒▓█] 1\n +·the +[·░▒▓█] 262 +[·░▒▓█] 0$/m,
    );
  });

  it('finds the tokens of a spec that has none, and keeps those of one that has', () => {
    const spec = { ...textDefaults, start: { from: 'text', text: ' the', tokenizer: 'gpt2' } };
    const full = { ...spec, start: { ...spec.start, pieces: [[5, 0, 4]] } };
    const tokens = (json: object): unknown => {
      const { status, stdout, stderr } = cli(['-', '--json'], JSON.stringify(json));
      assert.equal(status, 0, stderr);
      return (JSON.parse(stdout) as TraceJson).steps[0]?.values;
    };
    assert.deepEqual(tokens(spec), [[262, 0]]);
    assert.deepEqual(tokens(full), [[5, 0]]);
    const other = { ...full, start: { ...full.start, tokenizer: { file: 'vocab.txt' } } };
    assert.deepEqual(tokens(other), [[5, 0]]);
  });

  it('has a trained model read a text, and a spec that names one', async () => {
    const cell = ['--cell', 'weights[1,5,2]', '--digits', '8'];
    const first = cli(['--text', 'The keys to the cabinet are lost.', '--model', 'auto', ...cell]);
    assert.equal(first.status, 0, first.stderr);
    const [, read] = /^weights\[1,5,2\] [=≈] (\S+)/.exec(first.stdout) ?? [];
    assert.ok(Math.abs(Number(read) - keysToCabinet) < 2e-8, first.stdout.slice(0, 80));
    const spec = await textSpec(boxOf('words-1'), 'The keys to the cabinet are lost.');
    const again = cli(['-', ...cell], JSON.stringify(spec));
    assert.equal(again.status, 0, again.stderr);
    assert.equal(again.stdout, first.stdout);
    assert.match(cli(['--text', 'Привет', '--model', 'auto']).stderr, /characters-1 does not know 6 of 6 tokens/);
    assert.match(cli(['--text', 'a', '--model', 'other']).stderr, /--model other: none of auto, characters-1/);
    assert.equal(cli(['--text', 'a', '--model', 'other']).status, 2);
    assert.match(cli(['--text', '[[1, 2], [3, 4]]', '--model', 'auto']).stderr, /the input is no text/);
  });

  it('cuts a text by a local vocab.txt or tokenizer.json, and says what it decided', () => {
    const [vocab, json] = [join(folder, 'vocab.txt'), join(folder, 'tokenizer.json')];
    writeFileSync(vocab, '[PAD]\n[UNK]\n[CLS]\n[SEP]\nwalk\n##ing\n');
    writeFileSync(
      json,
      JSON.stringify({ model: { type: 'WordLevel', vocab: { '?': 0, walking: 7 }, unk_token: '?' } }),
    );
    const byVocab = cli(['--text', 'Walking', '--tokenizer', vocab, '--steps', 'tokens']);
    assert.equal(byVocab.status, 0, byVocab.stderr);
    assert.match(byVocab.stdout, /vocab\.txt cuts the text into 4 tokens/);
    assert.match(byVocab.stdout, /##ing/);
    assert.match(byVocab.stderr, /^note: text is lowercased/m);
    const byJson = cli(['--text', 'walking', '--tokenizer', json, '--steps', 'tokens', '--cell', 'tokens[0,1]']);
    assert.equal(byJson.status, 0, byJson.stderr);
    assert.match(byJson.stdout, /walking +█ 7 +· 0/);
    assert.match(byJson.stdout, /the row of “walking” in a table of the distinct tokens/);
  });

  it('exits with 1 when a tokenizer is missing or damaged, with the place', () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{\n  "model":');
    const damaged = cli(['--text', 'a', '--tokenizer', broken]);
    assert.equal(damaged.status, 1);
    assert.match(damaged.stderr, /broken\.json:2:11: no JSON/);
    const absent = cli(['--text', 'a', '--tokenizer', 'o200k_base']);
    assert.equal(absent.status, 1);
    assert.match(absent.stderr, /o200k_base\.tkv/);
    const spec = { ...textDefaults, start: { from: 'text', text: 'a', tokenizer: { file: 'mine.json' } } };
    const unsaid = cli(['-'], JSON.stringify(spec));
    assert.equal(unsaid.status, 1);
    assert.match(unsaid.stderr, /mine\.json decides them .*--tokenizer/);
  });

  it('says which fields of a spec change nothing', () => {
    const { status, stderr } = cli(
      ['-', '--steps', 'weights'],
      JSON.stringify({ ...spec001, positions: 'rope-half', convention: 'XWT' }),
    );
    assert.equal(status, 0);
    assert.equal(stderr, 'note: convention is ignored: there is no W to apply\n');
  });

  it('names line and column of bad input and exits with 1', () => {
    const { status, stdout, stderr } = cli(['-'], '\nX = [[1, 2],\n     [3]]\n');
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^-:3:6: .*row 2 has 1 number/);
  });

  it('names line and column of a field of a spec', () => {
    const spec = JSON.stringify({ ...spec001, start: { from: 'x', x: [[1, 2], [3, 'four']] } }, null, 1); // prettier-ignore
    const at = (broken: string): string => cli(['-'], broken).stderr.split(' ')[0] ?? '';
    const line = spec.split('\n').findIndex((l) => l.includes('four')) + 1;
    assert.equal(at(spec), `-:${line}:5:`);
    assert.equal(
      at(spec.replace('"four"', '4').replace('"scale": "sqrt_d_k"', '"scale": "root"')).split(':').length,
      4,
    );
    const missing = cli(['-'], '{"version": 1}').stderr.split('\n');
    assert.match(missing[0] ?? '', /^-:1:1: dtype: expected /);
    const set = cli(['-', '--set', 'heads=0'], JSON.stringify(spec001));
    assert.equal(set.status, 1);
    assert.match(set.stderr, /^-: heads is 0, expected/);
  });

  it('takes a broken spec for a spec, not for a text', () => {
    const broken: readonly (readonly [string, RegExp])[] = [
      ['{ "version": 1,\n "dtype": "float64",, }', /^-:2:21: no JSON: expected a name in quotes, found ,/],
      ['{"version": 1, "x": [1, 2', /^-:1:26: no JSON: expected , or \], the text ends/],
      ['{"version": 1, "x": [1, 2,]}', /^-:1:27: no JSON: expected a value after the comma, found \]/],
      ['{"version": 1, "x": 01}', /^-:1:22: no JSON: expected , or \}, found 1/],
      ['{"version": 1, "x": nan}', /^-:1:21: no JSON: expected a value, found n/],
      ['{"version": 1} x', /^-:1:16: no JSON: expected the end, found x/],
      [`{"version": 1, "x": ${'['.repeat(100_000)}`, /no JSON: expected at most 64 levels/],
    ];
    for (const [text, message] of broken) {
      const { status, stdout, stderr } = cli(['-'], text);
      assert.deepEqual([status, stdout], [1, ''], text.slice(0, 40));
      assert.match(stderr, message);
    }
  });

  it('names every operand of a cell', () => {
    const rope = { ...spec001, positions: 'rope-half', softcap: 2 };
    const words = ['qRotated[1,0]', 'capped[0,0]', 'mask[0,1]'].flatMap((cell) => ['--cell', cell]);
    const { status, stdout, stderr } = cli(['-', ...words], JSON.stringify(rope));
    assert.equal(status, 0, stderr);
    const number = '−?\\d+\\.\\d{4,10}';
    const has = (text: string): void =>
      assert.match(stdout, new RegExp(text.replace(/[[\]()]/g, '\\$&').replace(/#/g, number)));
    has('q[1,0] # · qRotations[2,0] # − q[1,4] # · qRotations[3,0] #');
    has('scaled[0,0] # ÷ 2.0000 = #\n  tanh(#) = #\n  2.0000 · #\n');
    has('mask[0,1] = 1\n');
  });

  it('says how a cell was made in the language of --locale, with the same numbers', () => {
    const text = { from: 'text', text: ' the cat the', tokenizer: 'gpt2' };
    const k = Array.from({ length: 5000 }, (_, i) => [i % 7, i % 5]);
    const long = { from: 'qkv', q: [[1, 2]], k, v: k };
    const hidden = { kind: 'boolean', values: [[1, 1], [0, 1]], trueMeans: 'hidden' };
    const asked: readonly (readonly [object, ...string[]])[] = [
      [{ ...textDefaults, start: text, mask: 'causal', positions: 'learned-random' }, 'tokens[0,0]', 'tokens[0,1]', 'table[0,0]', 'embedding[1,0]', 'mask[0,1]', 'mask[1,0]', 'masked[0,1]', 'masked[1,0]', 'weights[1,0]'],
      [{ ...spec001, mask: hidden, fullyMasked: 'zero', start: { from: 'qkv', q: [[1, 2], [3, 4]], k: [[1, 2], [3, 4]] } }, 'q[0,0]', 'weights[0,1]'],
      [{ ...spec001, mask: 'none', start: long }, 'output[0,0]', 'weights[0,1]'],
    ];
    for (const [spec, ...cells] of asked) {
      const told = (locale: string): string[] => {
        const words = ['--locale', locale, ...cells.flatMap((cell) => ['--cell', cell])];
        const { status, stdout, stderr } = cli(['-', ...words], JSON.stringify(spec));
        assert.equal(status, 0, stderr);
        return stdout.split('\n');
      };
      const german = told('de');
      // What is left without names of cells and of functions, powers of ten and tokens, are words: none of them is English.
      const names = /\w+\[[\d,]+\]|\b(exp|max|tanh|numpy\.RandomState|fullyMasked|zero|[a-z]+\.[qk])\b|(?<=\d)e−?\d+|„.*?“|“.*?”/g;
      for (const [i, english] of told('en').entries()) {
        const own = german[i] ?? '';
        assert.deepEqual(own.match(/−?[\d.∞]+/g), english.match(/−?[\d.∞]+/g));
        if (/\p{Script=Latin}/u.test(english.replace(names, ''))) assert.notEqual(own.replace(names, ''), english.replace(names, ''));
      }
    }
  }); // prettier-ignore

  it('names batches and heads', () => {
    const x = [[[1, 0], [0, 1]], [[1, 1], [2, 0]]]; // prettier-ignore
    const titles = (heads: number): string[] => {
      const spec = { ...spec001, mask: 'none', heads, start: { from: 'x', x } };
      const { status, stdout, stderr } = cli(['-', '--steps', 'weights'], JSON.stringify(spec));
      assert.equal(status, 0, stderr);
      return stdout.match(/^ {2}(batch|head) .*$/gm) ?? [];
    };
    assert.deepEqual(titles(1), ['  batch 0', '  batch 1']);
    assert.deepEqual(titles(2), ['  batch 0, head 0', '  batch 0, head 1', '  batch 1, head 0', '  batch 1, head 1']);
  });

  it('exits with 2 on bad usage, and says what the options are', () => {
    for (const words of [
      [],
      ['--nonsense'],
      ['--cell', 'weights', '-'],
      ['--digits', '99', '-'],
      [join(folder, 'absent')],
    ]) {
      assert.equal(cli(words).status, 2, words.join(' '));
    }
    assert.equal(cli(['--text', 'a', '--tokenizer', 'nope']).status, 2);
    assert.match(cli(['--text', 'a', '--tokenizer', 'nope']).stderr, /none of words, .*gpt2.*, and no file/);
    assert.equal(cli(['-', '--tokenizer', 'gpt2'], 'Q = [[1]]\nK = [[2]]').status, 2);
    assert.match(cli([]).stderr, /Usage: explain-attention/);
    assert.match(cli(['--text', 'a b', '--cell', 'weights[7,0]']).stderr, /weights\[7,0\] is outside of 2×2/);
    assert.match(cli(['--text', 'a b', '--steps', 'wights']).stderr, /no step wights; the steps are tokens, /);
  });

  it('prints its version and its help', () => {
    assert.equal(cli(['--version']).stdout, '1.2.3\n');
    assert.match(cli(['--help']).stdout, /--cell STEP\[I,J\]/);
  });
});
