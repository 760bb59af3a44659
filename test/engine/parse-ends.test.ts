// Where a text, a word or a stretch that is looked at ends: what stands behind the end is not read, and long words are shown cut.
import assert from 'node:assert/strict';
import { literalAt } from '../../engine/parse/index';
import { scanCandidates } from '../../engine/parse/literals';
import { scannerOf } from '../../engine/parse/scanner';
import { parseMatrices } from './parse-same';
import { where } from './parse-support';

/** A matrix of two rows in each notation, and texts that begin one. */
const texts = [
  'Q = [[1, 2], [3, 4]]', 'Q = [[1, 2], [3, 4', 'Q = [[1, 2], [3, 4]', 'Q = np.array([[1, 2], [3, 4]])', 'Q = np.array([[1, 2], [3, 4]]', 'np.array([[1, 2], [3, 4]], dtype=float',
  'tensor([[1., 2.],\n        [3., 4.]])', '[[1. 2.]\n [3. 4.]]', 'A = [1 2; 3 4]', 'A = [1 2; 3 4', 'A = [1 2\n3 4]', 'x = [1:3]', '1:3', 'Q <- matrix(c(1, 2, 3, 4), 2)', 'Q <- matrix(c(1, 2), 2', 'q <- c(1, 2)',
  'float Q[2][2] = {{1, 2}, {3, 4}}', 'float Q[2][2] = {{1, 2}, {3, 4', 'Q := [][]float64{{1, 2}, {3, 4}}', 'let q = vec![vec![1., 2.], vec![3., 4.]]', 'let q = arr2(&[[1., 2.], [3., 4.]]', 'Matrix2::new(1., 2., 3., 4.)', 'mat.NewDense(2, 2, []float64{1, 2, 3, 4})',
  '\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}', '\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix', '\\begin{bmatrix} 1 & 2 \\\\ 3 & 4', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |', '1,2\n3,4', 'a,b\n1,2\n3,4', '1 2\n3 4', '1;2\n3;4', '1,5;2\n3;4,5',
  'pd.DataFrame([[1, 2], [3, 4]])', 'pd.DataFrame({"a": [1, 2], "b": [3, 4]}', '   a  b\n0  1  2\n1  3  4', '     [,1] [,2]\n[1,]    1    2\n[2,]    3    4', 'Q =\n\n   1   2\n   3   4\n', 'x = 1', 'f(1', '"[1, 2', '[1, 2]  ', '[1, 2] #', '[1', '[1.', '[1e', '[-', '(1, 2)', '{', '', 'a',
]; // prettier-ignore
const behind = [
  ']',
  '5',
  '.T',
  ')',
  ' * 2',
  '\n7 8\n',
  '}',
  ';',
  ',',
  '=',
  "'",
  ' x',
  ':3',
  '|',
  '%',
  '"',
  '.',
  'e3',
  ' 9',
  ' & 9',
  '! 4',
  '&&',
  '[0]',
];

describe('what follows the end of what is to be read', () => {
  for (const text of texts)
    it(`changes nothing of ${JSON.stringify(text)}`, () => {
      const alone = scanCandidates(scannerOf(text));
      for (const more of behind) {
        const s = scannerOf(text + more, 0, text.length);
        const found = scanCandidates(s);
        // A table that goes on behind the end is none that was read whole: it is left out there, and nothing of it is another.
        const isCut = found.length < alone.length || found.some(({ problems }) => problems.length > 0);
        if (!(isCut && /\n|;|,/.test(text))) assert.deepEqual(found, alone, `${JSON.stringify(more)} behind the end`);
        for (const { whole } of found) assert.ok(whole.end <= text.length);
        assert.ok(s.at <= text.length);
      }
    });

  it('is told from a text that ends there', () => {
    assert.deepEqual([scannerOf('ab').follows, scannerOf('ab', 0, 1).follows, scannerOf('ab', 0, 2).follows, scannerOf('ab', 0, 5).follows], [-1, 98, -1, -1]); // prettier-ignore
    assert.deepEqual([scannerOf('abc', 1, 2).text, scannerOf('abc', 1, 2).end, scannerOf('abc').end], ['ab', 2, 3]);
  });
});

describe('a long word is shown cut', () => {
  const word = (length: number): string => `n${'abcdefghij'.repeat(9)}`.slice(0, length);
  const said = (text: string): string => {
    const [problem, more] = parseMatrices(text).problems;
    assert.ok(problem && !more, text);
    return `${problem.message} | ${where(text, problem)}`;
  };
  // The first 40 letters in code, 64 between brackets; the place is that of the whole word.
  for (const [notation, most, write] of [
    ['C', 40, (name: string) => `float Q[2][2] = {{1, ${name}}, {3, 4}};`],
    ['Rust', 40, (name: string) => `let Q = vec![vec![1., ${name}], vec![3., 4.]];`],
    ['R', 40, (name: string) => `Q <- matrix(c(1, ${name}), 2)`],
    ['brackets', 64, (name: string) => `Q = [[1, ${name}], [3, 4]]`],
  ] as const)
    it(`a name in ${notation}`, () => {
      for (const length of [1, 39, 40, 41, 63, 64, 65]) {
        const text = write(word(length));
        assert.equal(said(text), `${word(length).slice(0, most)} is not a number | unknown-name 1:${text.indexOf(word(length)) + 1} ${word(length)}`); // prettier-ignore
      }
    });

  it('an item that is no number, with dots from 41 letters on', () => {
    for (const length of [2, 39, 40, 41, 80])
      for (const write of [
        (item: string) => `Q = [[1, ${item}], [3, 4]]`,
        (item: string) => `float Q[2][2] = {{1, ${item}}, {3, 4}};`,
        (item: string) => `Q <- matrix(c(1, ${item}, 3), 2)`,
      ]) {
        const item = `5${word(length)}`.slice(0, length);
        const text = write(item);
        const shown = length > 40 ? `${item.slice(0, 39)}…` : item;
        assert.equal(said(text), `${shown} is not a number | malformed 1:${text.indexOf(item) + 1} ${item}`);
      }
  });

  it('a string without a comma before it, in R', () => {
    for (const length of [3, 39, 40, 41, 60]) {
      const quoted = `"${word(length - 2)}"`;
      assert.equal(said(`Q <- matrix(c(1 ${quoted}), 2)`), `${quoted.slice(0, 40)} is a string, expected a number | string 1:17 ${quoted.slice(0, 40)}`); // prettier-ignore
    }
  });
});

describe('the cursor at the ends of a literal', () => {
  const found = (text: string, at: number): string => {
    const literal = literalAt(text, at);
    return !literal ? '-' : 'problems' in literal ? literal.problems.map(({ code }) => code).join() : [...literal.matrix.values].join(); // prettier-ignore
  };
  for (const literal of [
    '[[1, 2], [3, 4]]',
    'np.array([[1, 2], [3, 4]])',
    '{{1, 2}, {3, 4}}',
    '[1 2; 3 4]',
    'vec![vec![1., 2.], vec![3., 4.]]',
    'matrix(c(1, 3, 2, 4), 2)',
    'Float32[1 2; 3 4]',
    '[][]float64{{1, 2}, {3, 4}}',
  ])
    it(literal, () => {
      const text = `a = b;\nQ = ${literal};\nc = d;\n`;
      const start = text.indexOf(literal);
      for (let at = start; at <= start + literal.length; at++)
        assert.equal(found(text, at), '1,2,3,4', `at ${at - start}`);
      for (const at of [0, 3, start + literal.length + 3, text.length]) assert.equal(found(text, at), '-', `at ${at}`);
    });
});
