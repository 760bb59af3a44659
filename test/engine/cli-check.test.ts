// `explain-attention check`: results that NumPy printed, with and without a mistake (test/reference/diagnose.py), are named in the terminal.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { matrixDefaults } from '../../engine/index';

type Rows = readonly (readonly number[])[];
const root = join(__dirname, '../..');
const { given, results } = JSON.parse(readFileSync(join(root, 'test/fixtures/diagnose.json'), 'utf8')) as {
  readonly given: Readonly<Record<'x' | 'wq' | 'wk' | 'wv' | 'wo', Rows>> &
    Readonly<Record<'bq' | 'bk' | 'bv', number[]>>;
  readonly results: Readonly<Record<string, Rows>>;
};

interface Answer {
  readonly results: readonly {
    readonly name: string;
    readonly line?: number;
    readonly is: string;
    readonly digits: number;
    readonly words: readonly string[];
    readonly steps?: readonly { readonly step: string; readonly form: string; readonly head?: number }[];
    readonly named?: { readonly mistakes: readonly (readonly { readonly id: string }[])[] };
  }[];
}

/** A tutorial's text; what NumPy 1.24 prints for it stands beside each test. */
const tutorial = `Q = [[1, 0, 1], [0, 2, 0], [1, 1, 0], [0.5, 0.3, 2]]
K = [[1, 2, 0], [0, 1, 1], [2, 0, 1], [0.1, 0.7, 0.2]]
V = [[1, 0], [0.5, 2], [3, 1], [0.2, 0.9]]
`;

describe('explain-attention check', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-check-'));
  const program = join(folder, 'cli.js');
  before(() => {
    buildSync({
      entryPoints: [join(root, 'engine/cli/main.ts')], outfile: program, bundle: true, platform: 'node',
      define: { PACKAGE_VERSION: '"1.2.3"' }, logLevel: 'error',
    }); // prettier-ignore
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const check = (...words: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [program, 'check', ...words], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    });
  const answer = (...words: readonly string[]): { status: number | null; first: Answer['results'][number] } => {
    const { status, stdout, stderr } = check(...words, '--json');
    const [first] = (JSON.parse(stdout || '{"results":[]}') as Answer).results;
    return first ? { status, first } : assert.fail(stderr);
  };

  const { x, wq, wk, wv, wo, bq, bk, bv } = given;
  const spec = write(
    'spec.json',
    JSON.stringify({
      ...matrixDefaults, start: { from: 'x', x }, dModel: 8, heads: 2, mask: 'causal',
      projections: { from: 'given', wq, wk, wv, bq, bk, bv }, outputProjection: { from: 'given', wo },
    }),
  ); // prettier-ignore
  const planted = (name: string): string =>
    write(`${name}.csv`, (results[name] ?? []).map((row) => row.join(',')).join('\n'));

  for (const name of ['noScale', 'viewHeads', 'maskLoose', 'softmaxQueries', 'viewMerge', 'residual'])
    it(`names ${name} in a file of NumPy’s numbers beside a spec`, () => {
      const { status, first } = answer(spec, '--result', planted(name));
      assert.equal(status, 1);
      assert.deepEqual([first.is, first.named?.mistakes.map((set) => set.map(({ id }) => id))], ['mistake', [[name]]]);
      const [, mistake = '', step = '', cells = '', fix = ''] = first.words;
      assert.match(mistake, /^mistake: /);
      assert.match(step, /^first step that differs: /);
      assert.match(cells, /^\d+ of 48 numbers agree with the right output; \[\d, \d\] differs most: /);
      assert.match(fix, /^write instead: /);
    });

  it('finds the right result, with exit status 0', () => {
    const { status, first } = answer(spec, '--result', planted('right'));
    assert.deepEqual([status, first.is, first.steps?.map(({ step }) => step)], [0, 'step', ['output']]);
  });

  it('checks every matrix that the attention does not use, and says the line', () => {
    const file = write('text.txt', `${tutorial}scores = [[1, 1, 3, 0.3], [4, 2, 0, 1.4], [3, 1, 2, 0.8], [1.1, 2.3, 3, 0.66]]\n`);
    const { status, first } = answer(file);
    assert.deepEqual([status, first.name, first.line, first.digits], [0, 'scores', 4, 2]);
    assert.deepEqual(first.steps, [{ step: 'scores', form: 'plain' }]);
  }); // prettier-ignore

  it('names a transposed step', () => {
    const file = write('turned.txt', `${tutorial}T = [[1, 4, 3, 1.1], [1, 2, 1, 2.3], [3, 0, 2, 3], [0.3, 1.4, 0.8, 0.66]]\n`);
    const { status, first } = answer(file, '--result', 'T');
    assert.deepEqual([status, first.is, first.steps], [0, 'step', [{ step: 'scores', form: 'transposed' }]]);
  }); // prettier-ignore

  // NumPy's weights of the spec's two heads: their mean, and those of the second head.
  const [averaged, second] = [
    '[[1, 0, 0, 0, 0, 0], [0.2081, 0.7919, 0, 0, 0, 0], [0.0412, 0.3875, 0.5713, 0, 0, 0], [0.4781, 0.0663, 0.3418, 0.1138, 0, 0], [0.0042, 0.1197, 0.5379, 0.0039, 0.3343, 0], [0.009, 0.13, 0.5225, 0.0173, 0.137, 0.1842]]',
    '[[1, 0, 0, 0, 0, 0], [0.3752, 0.6248, 0, 0, 0, 0], [0.0822, 0.7685, 0.1493, 0, 0, 0], [0.215, 0.0745, 0.6806, 0.0299, 0, 0], [0.0082, 0.2306, 0.1054, 0.0068, 0.6489, 0], [0.016, 0.2433, 0.1023, 0.0323, 0.2575, 0.3487]]',
  ]; // prettier-ignore
  it('names the mean of the heads, and one head of two, in a file of rounded numbers', () => {
    const averagedFile = write('averaged.json', averaged);
    assert.deepEqual(answer(spec, '--result', averagedFile).first.steps, [{ step: 'weights', form: 'averaged' }]);
    const secondFile = write('second.json', second);
    assert.deepEqual(answer(spec, '--result', secondFile).first.steps, [{ step: 'weights', form: 'plain', head: 1 }]);
  });

  it('compares six significant digits where the later ones are those of float32', () => {
    // np.float32 of the right output: as many digits as NumPy prints of it.
    const right = (results['right'] ?? []).map((row) => row.map((cell) => Math.fround(cell).toFixed(8)));
    const file = write('float32.csv', right.map((row) => row.join(',')).join('\n'));
    const { first } = answer(spec, '--result', file);
    assert.equal(first.is, 'step');
    assert.ok(first.digits < 8);
  });

  it('finds nothing where a digit is wrong, and says which', () => {
    const file = write('wrong.txt', `${tutorial}out = [[1.92, 0.99], [0.92, 0.57], [1.34, 0.67], [1.65, 1.14]]\n`);
    const { status, stdout } = check(file);
    assert.equal(status, 1);
    assert.match(stdout, /out is no step .*\n {2}nearest step: O, Output\n {2}7 of 8 numbers agree .* \[0, 0\]/);
  });

  it('names a mistake with one head, where the output is the weighted sum, once', () => {
    // NumPy's softmax(Q Kᵀ) V.
    const file = write('unscaled.txt', `${tutorial}out = [[2.4041, 0.995], [0.9263, 0.2898], [1.359, 0.4574], [1.9611, 1.1936]]\n`);
    const { first } = answer(file);
    assert.deepEqual([first.is, first.named?.mistakes.map((set) => set.map(({ id }) => id))], ['mistake', [['noScale']]]);
  }); // prettier-ignore

  it('says that few digits may agree by chance', () => {
    const file = write('few.txt', `${tutorial}out = [[2, 1], [1, 1], [1, 1], [2, 1]]\n`);
    assert.match(check(file).stdout, /So few digits may agree by chance\./);
  });

  it('refuses what it cannot check', () => {
    const file = write('none.txt', tutorial);
    for (const words of [[file], [file, '--result', 'P'], [], [join(folder, 'absent.txt')], [file, '--result']]) {
      const { status, stderr } = check(...words);
      assert.equal(status, 2, words.join(' '));
      assert.notEqual(stderr, '');
    }
    assert.match(check(file, '--result', 'P').stderr, /P is no matrix of the file and no file.*Q, K, V/);
  });

  it('checks a document: what does not hold, where, and what would', () => {
    const block = '```python\nimport numpy as np\nW = np.array([[0.25, 0.75], [0.5, 0.5]])\nprint(W.T)\n```\n\n```\n[[0.25 0.75]\n [0.5  0.5 ]]\n```\n';
    const file = write('lesson.md', `# W\n\n${block}\n√16 = 4.\n`);
    const { status, stdout } = check(file);
    assert.equal(status, 1);
    assert.match(stdout, /lesson\.md:10:1: 2 of 4 printed numbers are not those of line 6: .* \[printed\]\n {2}They are those of its transpose\.\n$/);
    const { marks } = JSON.parse(check(file, '--json').stdout) as { marks: readonly Record<string, unknown>[] };
    assert.deepEqual(marks.map(({ rule, line, column, endLine, codeLine }) => [rule, line, column, endLine, codeLine]), [['printed', 10, 1, 11, 6]]);
    assert.equal(check(write('right.md', block.replace('W.T', 'W'))).status, 0);
  }); // prettier-ignore
});
