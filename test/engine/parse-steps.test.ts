// Texts that nothing ends: a bracket, a call, a table, a formula is begun again and again. The parser counts what it looks at.
import assert from 'node:assert/strict';
import { scanCandidatesPaced } from '../../engine/parse/literals';
import { scannerOf } from '../../engine/parse/scanner';

const pieces = [
  '[1, ', '[[1, ', '(1, ', '{1, ', '{{1, ', '[1; ', '[1 2\n', '[1, 2,\n', '[1, 2], ', '[[1, 2], ', '((1, 2), ', '{{1, 2}, ', '[', '(', '{',
  'np.array([1, ', 'array([[1, ', 'tensor([1, ', 'pd.DataFrame([1, ', 'x = [1, ', 'Q = [[1, 2]', '[[1, 2]] @ ', '[[1,2],[3]] ',
  'c(1, ', 'matrix(c(1, ', 'rbind(c(1, ', 'vec![1, ', '{"a": [1, ', '{"a": ', 'f(1, ', 'softmax(', 'x[', 'a.b(',
  '\\begin{bmatrix} 1 & ', '\\begin{pmatrix} 1 \\\\ ', '\\left[ 1 & ', '\\begin{bmatrix}',
  '| 1 ', '| 1 |\n|---|\n', '1, 2\n1\n', '1 2\n3\n', '1\t2\n', '1:', '1,', '"', "'", '"""', '`', '#', 'def f(\n', 'for x in y:\n ',
]; // prettier-ignore

function stepsIn(text: string): number {
  const s = scannerOf(text);
  const work = scanCandidatesPaced(s);
  while (!work.next().done);
  return s.steps;
}

describe('a text four times as long is looked at four times as much', () => {
  for (const piece of pieces)
    it(JSON.stringify(piece), () => {
      const [short, long] = [stepsIn(piece.repeat(1000)), stepsIn(piece.repeat(4000))];
      assert.ok(long <= 4.5 * short + 2000, `${short} characters looked at, then ${long}`);
      assert.ok(long <= 400 * piece.length * 4000, `${long} characters looked at in ${piece.length * 4000}`);
    });
});
