// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { assemblingTensors } from '../../engine/files/index';
import { literalAtPaced, readingName, specFromTextPaced } from '../../engine/parse/index';
import { inStretches, type Paced } from '../../engine/text';
import { literalInWindowPaced } from '../../engine/parse/literal-at';
import { scanCandidatesPaced, windowSize } from '../../engine/parse/literals';
import { namesOf } from '../../engine/program/index';
import { scannerOf, type Scanner } from '../../engine/parse/scanner';
import { readNames } from './names-support';

const columns = 64;
const rows = 300;
const cell = (i: number): string => (((i * 7919) % 20011) / 5003 - 2).toFixed(4);
const data = Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => cell(i * columns + j)));
const written = (open: string, between: string, close: string, next: string): string =>
  data.map((row) => open + row.join(between) + close).join(next);
const names = Array.from({ length: columns }, (_, j) => `c${j}`);

/** A matrix of 19,200 numbers in every notation: some 160,000 characters each. */
const notations: Readonly<Record<string, string>> = {
  'nested brackets': `Q = [${written('[', ', ', ']', ',\n')}]`,
  'nested brackets, a blank before each comma': `[${written('[', ' , ', ']', ',\n')}]`,
  'brackets on one line': `[${written('[', ', ', ']', ', ')}]`,
  'one flat list': `Q = [${written('', ', ', '', ', ')}]`,
  'a call of NumPy': `Q = np.array([${written('[', ', ', ']', ',\n')}])`,
  'NumPy’s print': `Q\n[${written('[', ' ', ']', '\n ')}]`,
  'nested brackets with inf': `Q = [[${data[0]?.join(', ')}],\n${written('[', ', ', ']', ',\n').replaceAll('-1.0', 'inf')}]`,
  MATLAB: `Q = [${written('', ' ', '', ';\n')}];`,
  Julia: `Q = Float32[${written('', ' ', '', ';\n')}]`,
  R: `Q <- matrix(c(${written('', ', ', '', ',\n')}), nrow=${rows}, byrow=TRUE)`,
  C: `double Q[${rows}][${columns}] = {${written('{', ', ', '}', ',\n')}};`,
  Rust: `let q = vec![${written('vec![', ', ', ']', ',\n')}];`,
  LaTeX: `\\begin{bmatrix}\n${written('', ' & ', '', ' \\\\\n')}\n\\end{bmatrix}`,
  CSV: `${written('', ',', '', '\n')}\n`,
  'CSV with a header': `${names.join(',')}\n${written('', ',', '', '\n')}\n`,
  'decimal commas': `${written('', ';', '', '\n').replaceAll('.', ',')}\n`,
  'columns between blanks': `${written('', ' ', '', '\n')}\n`,
  'rows in brackets': `${written('[ ', ' ', ' ]', '\n')}\n`,
  Markdown: `|${names.join('|')}|\n|${'---|'.repeat(columns)}\n${written('| ', ' | ', ' |', '\n')}\n`,
  pandas: `   ${names.join('  ')}\n${data.map((row, i) => `${i}  ${row.join('  ')}`).join('\n')}\n`,
  'pandas’ call': `f = pd.DataFrame([${written('[', ', ', ']', ',\n')}])`,
  Octave: `Q =\n\n${written('   ', '   ', '', '\n')}\n`,
};

/** The most that `looked` grows between two places to stop. */
function longest(work: Paced<unknown>, looked: () => number): number {
  let [most, before] = [0, looked()];
  for (;;) {
    const part = work.next();
    most = Math.max(most, looked() - before);
    before = looked();
    if (part.done) return most;
  }
}

function places(work: Paced<unknown>): number {
  let count = 0;
  while (!work.next().done) count++;
  return count;
}

/** How many parts, and the longest in milliseconds of processor time, which other programs do not lengthen as they do the clock's. */
function timed(work: Paced<unknown>): { readonly parts: number; readonly most: number } {
  let most = 0;
  for (let parts = 0; ; parts++) {
    const from = process.cpuUsage();
    const part = work.next();
    const { user, system } = process.cpuUsage(from);
    most = Math.max(most, (user + system) / 1000);
    if (part.done) return { parts, most };
  }
}

// A row has some 500 characters, each of which is looked at a few times; a line is looked at as a whole to see how long it is.
const mostSteps = (text: string): number => (text.includes('\n') ? 16_384 : 1 << 19);

describe('a long literal is read in short stretches', function () {
  this.timeout(120_000);
  for (const [name, text] of Object.entries(notations)) {
    it(`${name}: as a matrix`, () => {
      const s = scannerOf(text);
      const most = longest(scanCandidatesPaced(s), () => s.steps);
      assert.ok(most <= mostSteps(text), `${most} characters looked at in one stretch`);
    });
    it(`${name}: as a selection and at the cursor`, function () {
      const command = timed(specFromTextPaced(text));
      const hover = timed(literalAtPaced(text, text.length / 2));
      if (this.test) this.test.title += ` (longest stretch ${command.most.toFixed(1)} ms, ${hover.most.toFixed(1)} ms)`;
      assert.ok(command.parts > text.length / 4096);
      assert.ok(hover.parts > 5);
    });
  }
});

describe('what a program computes', () => {
  const statements = Array.from({ length: 100 }, (_, i) => `x_${i + 2} = x_${i + 1} @ W_q`);
  const text = `W_q = np.array([[0.6, -0.8], [0.8, 0.6]])\nx_1 = np.array([[1, 2]])\n${statements.join('\n')}\n`;
  it('can be stopped between its statements, in a command and in a hover', () => {
    assert.ok(places(namesOf(text, undefined)) >= 100);
    const at = text.lastIndexOf('x_101');
    const few = places(readingName(text.slice(0, at), text.indexOf('x_1')));
    assert.ok(places(readingName(text, at)) >= few + 100);
  });
});

describe('one product of a program', () => {
  const text = (n: number): string =>
    `import numpy as np\nA = np.ones((${n}, ${n}))\nX = 0.5 * np.matmul(A, A) - A @ A`;
  it('can be stopped in its middle, and comes to the same', () => {
    // Two products of 8 million multiply-adds each, a million at a stretch.
    assert.ok(places(namesOf(text(200), undefined)) >= 14);
    const meaning = readNames(text(200)).meaningOf('X');
    assert.ok(meaning?.kind === 'matrix' && meaning.matrix.values.every((x) => x === -100));
  });
  it('of batches too', () => {
    const batches = 'import numpy as np\nA = np.arange(12).reshape(2, 2, 3)\nX = A @ A.transpose(0, 2, 1)';
    const meaning = readNames(batches).meaningOf('X');
    assert.ok(meaning?.kind === 'matrix');
    // NumPy 1.24: A @ A.transpose(0, 2, 1)
    assert.deepEqual([...meaning.matrix.values], [5, 14, 14, 50, 149, 212, 212, 302]);
  });
});

describe('element by element, a draw, a softmax', () => {
  const head = 'import numpy as np\nimport torch\n';
  const numbers = 'A = np.arange(60000.0).reshape(200, 300)\nB = np.arange(40000.0).reshape(200, 200) / 20000\n';
  /** Cells by their index, as NumPy 1.24 and PyTorch 1.13 have them. */
  const cells: readonly (readonly [code: string, ...(readonly [at: number, value: number])[]])[] = [
    ['X = -A.T * 2 + 0.5', [0, 0.5], [1, -599.5], [59999, -119997.5]],
    ['np.random.seed(3)\nX = np.random.rand(300, 100)', [0, 0.5507979025745755], [8191, 0.6115849422006384], [8192, 0.778064806632357], [29999, 0.6501723815317978]],
    ['np.random.seed(3)\nX = np.random.randn(300, 100)', [29999, 0.5083945728561409]],
    ['rng = np.random.default_rng(5)\nX = rng.integers(0, 9, (300, 100))', [29999, 8]],
    // The last part has 5 numbers, fewer than PyTorch draws at once.
    ['torch.manual_seed(0)\nX = torch.randn(24581)', [0, -1.1258398294448853], [8191, -0.18562829494476318], [8192, 0.2651572823524475], [24575, -0.16410592198371887], [24576, -1.037035584449768], [24580, -1.1056528091430664]],
    ['torch.manual_seed(0)\nX = torch.rand(24581)', [24580, 0.08053028583526611]],
    ['from scipy.special import softmax\nX = softmax(B, axis=0)', [0, 0.0015730284612542648], [39999, 0.01150754281737944]],
    ['X = np.where(np.tril(np.ones((200, 200))) == 0, -1e9, 0.0)', [0, 0], [1, -1e9], [39800, 0]],
  ]; // prettier-ignore
  for (const [code, ...expected] of cells)
    it(`can be stopped in the middle, and comes to the same: ${code.replaceAll('\n', '; ')}`, () => {
      const text = `${head}${numbers}${code}`;
      assert.ok(places(namesOf(text, undefined)) >= 4);
      const meaning = readNames(text).meaningOf('X');
      assert.ok(meaning?.kind === 'matrix');
      for (const [at, value] of expected)
        assert.ok(Math.abs((meaning.matrix.values[at] ?? NaN) - value) <= 1e-14 * Math.abs(value), `${at}`);
    });
});

describe('a hover in a file of 10 MB', function () {
  this.timeout(120_000);
  const measured: string[] = [];
  // One line is looked through as a whole, and `\\begin` is searched for by the language's own lastIndexOf.
  const hovered: readonly (readonly [name: string, mostSteps: number])[] = [
    ['nested brackets', 16_384], ['brackets on one line', 1 << 19], ['C', 16_384], ['MATLAB', 16_384],
    ['LaTeX', 1 << 18], ['Markdown', 16_384], ['pandas', 16_384], ['CSV', 16_384],
  ]; // prettier-ignore
  for (const [name, mostSteps] of hovered) {
    const part = notations[name] ?? '';
    // One literal of 10 MB where rows stand in brackets, else one table, or many, after the other.
    const between = name === 'brackets on one line' ? ', ' : ',\n';
    const rowsOnly = part.slice(part.indexOf(between, 500) + between.length, -1);
    const isOne = name === 'nested brackets' || name === 'brackets on one line';
    const text = isOne
      ? `${part.slice(0, -1)}${between}${`${rowsOnly}${between}`.repeat(Math.ceil(1e7 / part.length))}`
      : part.repeat(Math.ceil(1e7 / part.length));
    const places = [0.001, 0.5, 0.9999].map((x) => Math.floor(x * text.length));
    const scanner = (at: number) => scannerOf(text, Math.max(0, at - windowSize), at + windowSize);
    it(`${name}: looks at few characters between two places to stop`, () => {
      for (const at of places) {
        const s = scanner(at);
        const most = longest(literalInWindowPaced(s, s.at, at), () => s.steps);
        assert.ok(most <= mostSteps, `${most} characters looked at in one stretch, with the cursor at ${at}`);
      }
    });
    it(`${name}: a part takes little time`, function () {
      // The same parts three times: what a collection of garbage or another program adds to one of them is not in all.
      const times = [1, 2, 3].map(() => partTimes(scanner(places[1] ?? 0), places[1] ?? 0));
      const [first = []] = times;
      const most = Math.max(...first.map((_, i) => Math.min(...times.map((one) => one[i] ?? Infinity))));
      measured.push(`${name} ${most.toFixed(1)}`);
      assert.ok(most < 12, `${most.toFixed(1)} ms in one part: with a stretch of 4 ms more than a frame`);
    });
  }
  after(() => console.log(`      longest part, ms of processor time: ${measured.join(', ')}`));
});

/** Processor time of each part, in milliseconds. */
function partTimes(s: Scanner, at: number): number[] {
  const work = literalInWindowPaced(s, s.at, at);
  const times: number[] = [];
  for (let done = false; !done;) {
    const from = process.cpuUsage();
    done = work.next().done === true;
    const { user, system } = process.cpuUsage(from);
    times.push((user + system) / 1000);
  }
  return times;
}

describe('a spec of tensors', () => {
  it('is made in short stretches, and comes to the same', async () => {
    const [n, d] = [1 << 10, 128];
    const values = Float64Array.from({ length: n * d }, (_, i) => (i % 1001) / 8);
    const part = { name: 'X', role: 'x', shape: [n, d], values, dtype: 'float32' } as const;
    assert.ok(places(assemblingTensors([part])) >= (n * d) / 4096);
    const made = await inStretches(assemblingTensors([part]));
    assert.ok(made?.ok);
    const { start } = made.value.spec;
    assert.ok(start.from === 'x' && start.x.length === n);
    assert.deepEqual(
      start.x[3],
      Array.from({ length: d }, (_, j) => ((3 * d + j) % 1001) / 8),
    );
  });

  it('stops when nobody waits', async () => {
    const part = {
      name: 'X',
      role: 'x',
      shape: [4096, 64],
      values: new Float64Array(4096 * 64),
      dtype: 'float32',
    } as const;
    let asked = 0;
    const slow = (function* (): Paced<unknown> {
      const work = assemblingTensors([part]);
      for (let next = work.next(); !next.done; next = work.next()) {
        for (const until = Date.now() + 2; Date.now() < until;);
        yield;
      }
      return 'done';
    })();
    assert.equal(await inStretches(slow, () => ++asked > 1), undefined);
    assert.equal(asked, 2);
  });
});
