// Runs alone: it measures time.
// Texts that are made to be slow: a pattern that goes over the same characters from each of its beginnings takes 64 times as long for a text eight times as long.
import assert from 'node:assert/strict';
import { parseMatrices, specFromText } from '../../engine/index';
import { programIn } from '../../engine/parse/code/lines';
import { latexNumber } from '../../engine/parse/formats/latex-number';
import { cutLiteralProblem, wholeRows } from '../../engine/parse/cut-literals';
import { plainName } from '../../engine/lessons/results';
import { tokenizerFromVocab } from '../../engine/tokens/file/vocab';
import './names-support';

const times = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length));
const line = (begin: string, piece: string, end: string): string =>
  begin + piece.repeat(Math.ceil(280 / piece.length)) + end;

const texts: Readonly<Record<string, (length: number) => string>> = {
  'a digit and blanks': (n) => `1${' '.repeat(n)}`,
  'a bracket that is left open before blanks': (n) => `[1${' '.repeat(n)}`,
  'digits between blanks': times(`1${' '.repeat(500)}`),
  'empty lines beside matrices': times(`[[1, 2], [3, 4]]${'\n'.repeat(1500)}`),
  'escaped quotes that nothing closes': (n) => `'${"\\'".repeat(n / 2)}`,
  'escaped double quotes that nothing closes': (n) => `"${'\\"'.repeat(n / 2)}`,
  'quotes before letters': times("'a"),
  'commands of LaTeX that nothing closes': times('\\a{'),
  'a call with many brackets': times(line('f()', '[]', 'x\n')),
  'a call of many calls': times(line('f()', '.a()', 'x\n')),
  'a call with many pairs': times(line('f', '()', 'x\n')),
  'a condition with many brackets': times(line('if', '(', 'x\n')),
  'a condition with many brackets and colons': times(line('if', '(:', 'x\n')),
  'a loop with many brackets': times(line('for (', ')=', 'x\n')),
  'a class and blanks': times(line('class A', ' ', '1\n')),
  'an import and blanks': times(line('import a', ' ', '1\n')),
  'imports of imports': times(line('import a', ', a', '1 1\n')),
  'a name, a colon, blanks': times(line('a:', ' ', '1\n')),
  'types before types': times(line('', 'const ', '\n')),
  'indices that nothing closes': times('a['),
  'numbers in deeper and deeper brackets': times('[1,'),
  'rows in deeper and deeper brackets': times('[[1, 2], '),
  'a word': times('a'),
  'a word with dots': times('a.'),
  'a number': times('1'),
  'a number of R with many digits': (n) => `c(0.${'0'.repeat(n)}, 1)`,
  'a number of Mathematica with many digits': (n) => `{{${'1'.repeat(n)}\`x, 2}, {3, 4}}`,
  'a number of LaTeX with many digits': (n) => `\\begin{bmatrix}${'1'.repeat(n)}x & 2 \\\\ 3 & 4\\end{bmatrix}`,
}; // prettier-ignore

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  parseMatrices,
  specFromText,
  programIn,
  cutLiteralProblem,
  wholeRows,
};

/** The least processor time of a few runs, in milliseconds. */
function took(run: () => unknown): number {
  let best = Infinity;
  for (let i = 0; i < 4 && best > 5; i++) {
    const start = process.cpuUsage();
    run();
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}

/** Eight times as long takes about eight times as long, not 64 times: 24, because runs differ; and what takes 60 ms is not asked. */
function isLinear(run: (length: number) => unknown): void {
  const [short, long] = [took(() => run(2000)), took(() => run(16_000))];
  assert.ok(long <= Math.max(24 * short, 60), `${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
}

describe('what is read in time linear in the text', function () {
  this.timeout(60_000);
  for (const [name, make] of Object.entries(texts))
    it(name, () => {
      for (const read of Object.values(readers)) isLinear((length) => read(make(length)));
    });

  it('and brackets that go too deep cost little more than a matrix of as many characters', () => {
    const plain = took(() => parseMatrices(`[${'[1, 2], '.repeat(2000)}[3, 4]]`.repeat(2)));
    for (const piece of ['[1,', '[1, ', '[-0.5, ', '((1, 2), [', '[[1, 2], ']) {
      const deep = took(() => parseMatrices(times(piece)(32_000)));
      assert.ok(deep <= 12 * plain + 30, `${piece}: ${deep.toFixed(0)} ms, a matrix ${plain.toFixed(0)} ms`);
    }
  });

  const others: Readonly<Record<string, (length: number) => unknown>> = {
    'a number of LaTeX': (n) => latexNumber(`${'1'.repeat(n)}x`),
    'a line of a vocabulary': (n) => tokenizerFromVocab(`[UNK]\na${' '.repeat(n)}b`),
    'the name of a student': (n) => plainName(`a${'-'.repeat(n)}b`),
  };
  for (const [name, run] of Object.entries(others)) it(name, () => isLinear(run));
});
