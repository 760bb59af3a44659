// Runs alone: it measures time.
// A selection that begins or ends inside a literal: the whole literal, or its whole rows with a note, or a Problem; never a row less in silence.
import assert from 'node:assert/strict';
import { specFromText } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { cutLiteralProblem, wholeRows } from '../../engine/parse/cut-literals';
import './names-support';

/** Three rows of two numbers, or of three, in each notation; no number is a piece of another. */
const literals: Record<string, string> = {
  'nested brackets': 'X = [[11, 12],\n     [13, 14],\n     [15, 16]]\n',
  'on one line': '[[11, 12], [13, 14], [15, 16]]',
  NumPy: 'X = np.array([[11., 12.],\n              [13., 14.],\n              [15., 16.]], dtype=np.float32)\n',
  PyTorch: 'X = torch.tensor([\n  [0.43, 0.15, 0.89],\n  [0.55, 0.87, 0.66],\n  [0.57, 0.85, 0.64],\n])\n',
  'printed by NumPy': '[[11. 12.]\n [13. 14.]\n [15. 16.]]\n',
  'printed by PyTorch': 'tensor([[0.11, 0.12],\n        [0.13, 0.14],\n        [0.15, 0.16]])\n',
  LaTeX: '\\begin{bmatrix}\n11 & 12 \\\\\n13 & 14 \\\\\n15 & 16\n\\end{bmatrix}\n',
  Markdown: '| a | b |\n|---|---|\n| 11 | 12 |\n| 13 | 14 |\n| 15 | 16 |\n',
  CSV: 'a,b\n11,12\n13,14\n15,16\n',
  'a table': '11 12\n13 14\n15 16\n',
  tabs: '11\t12\n13\t14\n15\t16\n',
  MATLAB: 'X = [11 12; 13 14; 15 16];\n',
  'MATLAB in lines': 'X = [11 12\n     13 14\n     15 16];\n',
  'C++': 'double X[3][2] = {\n  {11, 12},\n  {13, 14},\n  {15, 16}\n};\n',
  R: 'X <- matrix(c(11, 12, 13, 14, 15, 16), nrow = 3, byrow = TRUE)\n',
  'R, by rows': 'X <- rbind(c(11, 12), c(13, 14), c(15, 16))\n',
  'printed by R': '     [,1] [,2]\n[1,]   11   12\n[2,]   13   14\n[3,]   15   16\n',
  pandas: '    a   b\n0  11  12\n1  13  14\n2  15  16\n',
  Rust: 'let x = array![[11., 12.], [13., 14.], [15., 16.]];\n',
  Go: 'x := [][]float64{{11, 12}, {13, 14}, {15, 16}}\n',
  JavaScript: 'const X = [[11, 12], [13, 14], [15, 16]];\n',
  Mathematica: '{{11, 12}, {13, 14}, {15, 16}}\n',
  Julia: '3×2 Matrix{Float64}:\n 11.0  12.0\n 13.0  14.0\n 15.0  16.0\n',
};

const cutsOf = (text: string): string[] =>
  [...text].flatMap((_, i) => (i === 0 ? [text] : [text.slice(i), text.slice(0, i)]));

/** Numbers of the literal that stand whole in a cut of it. */
const standing = (cut: string, values: Float64Array): number[] =>
  [...values].filter((x) => new RegExp(`(?<![\\w.])${String(x).replace('.', '\\.')}(?![\\w])`).test(cut));

describe('a selection cut out of a literal', () => {
  for (const [notation, text] of Object.entries(literals))
    it(`${notation}: loses no number in silence, wherever it is cut`, () => {
      const values = parseMatrices(text).matrices[0]?.values;
      assert.ok(values && values.length >= 6, 'the whole literal is read');
      let read = 0;
      for (const cut of cutsOf(text)) {
        const found = specFromText(cut);
        if (!found.ok) continue;
        const { used, unfollowed = [] } = found.value;
        const got = new Set(used.flatMap((m) => [...m.values]));
        const lost = standing(cut, values).filter((x) => !got.has(x));
        if (used.length > 0) read++;
        // One row that nothing encloses may be anything; three numbers are a matrix that was cut.
        const isSaid = unfollowed.length > 0 || (used.length === 0 && standing(cut, values).length < 3);
        assert.ok(lost.length === 0 || isSaid, `${JSON.stringify(cut)} loses ${lost.join(', ')}`);
      }
      assert.ok(read > 1, `${read} cuts give a matrix`);
    });

  it('reads the whole rows, and says what is left out', () => {
    const found = specFromText('[1, 2],\n[3, 4],\n[5, 6]]');
    assert.ok(found.ok);
    const { spec, unfollowed } = found.value;
    assert.deepEqual(spec.start, { from: 'x', x: [[1, 2], [3, 4], [5, 6]] }); // prettier-ignore
    assert.deepEqual(unfollowed?.map(({ code, message, range }) => [code, message, range]), [
      ['cut', 'The selection begins inside a literal: its whole rows are read, ] is left out.', { start: 22, end: 23 }],
    ]); // prettier-ignore
    const second = specFromText('2],\n [3, 4],\n [5, 6]], dtype=np.float32)\n');
    assert.ok(second.ok);
    assert.deepEqual(second.value.spec.start, { from: 'x', x: [[3, 4], [5, 6]] }); // prettier-ignore
    assert.match(second.value.unfollowed?.[0]?.message ?? '', /2\], is left out/);
  });

  it('names numbers beside a matrix that are in none', () => {
    const said = (text: string): string[] => {
      const found = specFromText(text);
      assert.ok(found.ok, text);
      return (found.value.unfollowed ?? []).map(({ message }) => message);
    };
    assert.deepEqual(said('12 |\n| a | b |\n|---|---|\n| 13 | 14 |\n| 15 | 16 |\n'), [
      '12 | is in no matrix: select all of the literal that it belongs to.',
    ]);
    assert.deepEqual(said('12  14\n1  13  14\n2  15  16\n'), ['12, 14 are taken as names of columns, not as a row.']);
    for (const whole of [
      '1. [[1, 2], [3, 4]]\n2. and so on',
      'X = [[1, 2], [3, 4]]\n(2, 2)\n',
      'f(1, [[1, 2], [3, 4]])',
    ])
      assert.deepEqual(said(whole), [], whole);
  });

  it('takes sentences with numbers and brackets for what they are', () => {
    for (const text of [
      '12] Vaswani et al. were the first',
      '3) Mix the eggs (two) with the flour.',
      '2017, 2018) and later the Transformer',
      'See figures 1, 2 and 3 (page 4',
      'The weights [1, 2] and [3',
    ]) {
      const found = specFromText(text);
      assert.ok(found.ok && found.value.spec.start.from === 'text', text);
    }
  });

  it('looks at a long text once', () => {
    for (const text of ['1, 2], '.repeat(20_000), '[1, '.repeat(20_000), '1 & 2 \\\\\n'.repeat(10_000)]) {
      const before = Date.now();
      wholeRows(text);
      cutLiteralProblem(text);
      assert.ok(Date.now() - before < 2000, `${text.slice(0, 10)}: ${Date.now() - before} ms`);
    }
  });
});
