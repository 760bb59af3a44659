import assert from 'node:assert/strict';
import { encodeNumber, parseMatrices } from '../../../engine/index';
import { replaced, rewrite } from '../../../extension/panel/write-back-text';
import type { Rewritten } from '../../../webview/protocol';

/** The first matrix of a text with some of its numbers changed. */
function changed(text: string, changes: Readonly<Record<number, number>>, which = 0): Rewritten {
  const matrix = parseMatrices(text).matrices[which];
  assert.ok(matrix, text);
  const was = Array.from(matrix.values, encodeNumber);
  const now = was.map((x, i) => (changes[i] === undefined ? x : encodeNumber(changes[i])));
  return { role: matrix.role ?? 'x', symbol: 'X', shape: matrix.shape, was, now };
}

function written(text: string, changes: Readonly<Record<number, number>>, language = 'python'): string {
  const result = rewrite(text, changed(text, changes), language);
  return result.ok ? replaced(text, result.value) : `${result.problems[0]?.message}`;
}

describe('writing a matrix back into a text', () => {
  const cases: readonly (readonly [before: string, changes: Readonly<Record<number, number>>, after: string])[] = [
    ['X = [[1, 2], [3, 4]]', { 2: 0.5 }, 'X = [[1, 2], [0.5, 4]]'],
    ['X = [[1.0, 2.0],\n     [3.0, 4.0]]  # mine', { 0: 7 }, 'X = [[7.0, 2.0],\n     [3.0, 4.0]]  # mine'],
    ['q = np.array([[1, 2], [3, 4]], dtype=np.float32)', { 3: -1e-9 }, 'q = np.array([[1, 2], [3, -1e-9]], dtype=np.float32)'],
    ['m = np.array([[0, 0], [0, 0]])', { 1: -Infinity }, 'm = np.array([[0, -np.inf], [0, 0]])'],
    ['m = torch.tensor([[True, False], [True, True]])', { 1: 1 }, 'm = torch.tensor([[True, True], [True, True]])'],
    ['m = torch.tensor([[0.0, 1.0], [1, 1]])', { 0: -Infinity, 1: NaN }, "m = torch.tensor([[-float('inf'), float('nan')], [1, 1]])"],
    ['X = [1 2; 3 4];', { 1: 5 }, 'X = [1 5; 3 4];'],
    ['X = [1/3, 2; 3, 4];', { 0: 1 / 7 }, 'X = [0.14285714285714285, 2; 3, 4];'],
    ['X <- matrix(c(1, 2, 3, 4), nrow = 2, byrow = TRUE)', { 1: 9 }, 'X <- matrix(c(1, 9, 3, 4), nrow = 2, byrow = TRUE)'],
    ['X <- matrix(nrow = 1, ncol = 2, c(1, 2))', { 1: 9 }, 'X <- matrix(nrow = 1, ncol = 2, c(1, 9))'],
    ['| the | 1.5 | 2 |\n|---|---|---|\n| cat | 3 | 4 |', { 3: 8 }, '| the | 1.5 | 2 |\n|---|---|---|\n| cat | 3 | 8 |'],
    ['let x = [[1.0, 2.0], [3.0, 4.0]];', { 1: 6 }, 'let x = [[1.0, 6.0], [3.0, 4.0]];'],
    ['X = \\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}', { 2: 0.25 }, 'X = \\begin{bmatrix} 1 & 2 \\\\ 0.25 & 4 \\end{bmatrix}'],
  ]; // prettier-ignore
  for (const [before, changes, after] of cases) {
    it(before.split('\n')[0] ?? '', () => assert.equal(written(before, changes), after));
  }

  it('prints the literal anew where numbers cannot be told apart, and it reads the same', () => {
    const text = 'x = 1\n  W = np.array([[1e3, 2],  # 2 of 4\n    [3, 4]])';
    const after = written(text, { 3: 0.5 });
    assert.equal(after, 'x = 1\n  W = np.array([[1000.0, 2.0],\n                [3.0, 0.5]])');
  });

  it('says why not', () => {
    assert.match(written('[[1, 2], [3, 4]]', { 0: Infinity }, 'json'), /cannot be written in the notation .*brackets/);
    const [one, twice] = ['[[1, 2], [3, 4]]', 'a = [[1, 2], [3, 4]]\nb = [[1, 2], [3, 4]]'];
    const two = rewrite(twice, changed(one, { 0: 2 }), 'python');
    assert.match(two.ok ? '' : (two.problems[0]?.message ?? ''), /2 literals have the numbers of X/);
    const none = rewrite('y = [[5, 6]]', changed(one, { 0: 2 }), 'python');
    assert.match(
      none.ok ? '' : (none.problems[0]?.message ?? ''),
      /no literal of the selection has the numbers of X \(2×2\)/,
    );
    assert.match(written('m = np.array([[1, 2]], dtype=np.int64)', { 0: 0.5 }), /int64, which cannot hold 0.5/);
  });

  it('reads what it would write, and rather writes nothing than the wrong number', () => {
    // Column by column: the second number of the text is the first of the second row.
    assert.match(written('X <- matrix(c(1, 1, 1, 1), nrow = 2)', { 1: 9 }, 'r'), /^X cannot be written/);
  });

  it('takes the literal whose name says that it is meant', () => {
    const text = 'K = [[1, 2], [3, 4]]\nQ = [[1, 2], [3, 4]]';
    const result = rewrite(text, { ...changed(text, { 0: 9 }), role: 'q' }, 'python');
    assert.ok(result.ok);
    assert.equal(replaced(text, result.value), 'K = [[1, 2], [3, 4]]\nQ = [[9, 2], [3, 4]]');
  });
});
