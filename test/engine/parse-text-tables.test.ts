import assert from 'node:assert/strict';
import { literalAt } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { onlyMatrix, where } from './parse-support';

/** `name/role 2×2 1 2 3 4 [rows] [columns]` of each matrix, and the problems with their places. */
function summary(text: string): string {
  const { matrices, problems } = parseMatrices(text);
  const found = matrices.map((m) => {
    const labels = [m.rowLabels, m.columnLabels].map((l) => (l ? `[${l.join(' ')}]` : '-')).join(' ');
    return `${m.name ?? '-'}/${m.role ?? '-'} ${m.shape.join('×')} ${[...m.values].join(' ')} ${labels}`;
  });
  return [...found, ...problems.map((p) => where(text, p))].join('; ');
}

const show = (text: string): string => text.replaceAll('\n', '⏎').replaceAll('\t', '⇥');

describe('LaTeX matrices', () => {
  const cases: readonly (readonly [string, string])[] = [
    [String.raw`\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}`, '-/- 2×2 1 2 3 4 - -'],
    [String.raw`\begin{pmatrix}1&2\\3&4\\\end{pmatrix}`, '-/- 2×2 1 2 3 4 - -'],
    ['\\begin{Bmatrix}\n 1 & 2 \\\\[2pt]\n 3 & 4\n\\end{Bmatrix}', '-/- 2×2 1 2 3 4 - -'],
    // amsmath: no break of the page after this row.
    [String.raw`\begin{bmatrix} 1 & 2 \\* 3 & 4 \end{bmatrix}`, '-/- 2×2 1 2 3 4 - -'],
    [String.raw`\begin{vmatrix} 1 & 2 \end{vmatrix}`, '-/- 1×2 1 2 - -'],
    [String.raw`\begin{smallmatrix} -1 & .5 \\ 1e-3 & 2. \end{smallmatrix}`, '-/- 2×2 -1 0.5 0.001 2 - -'],
    [
      String.raw`\begin{array}{c|cc} \hline 1 & 2 & 3 \\ \hline 4 & 5 & 6 \\ \hline \end{array}`,
      '-/- 2×3 1 2 3 4 5 6 - -',
    ],
    [String.raw`\begin{bmatrix*}[r] -1 & 2 \\ 3 & -4 \end{bmatrix*}`, '-/- 2×2 -1 2 3 -4 - -'],
    [
      String.raw`\begin{bmatrix} \frac{1}{2} & -\dfrac{1}{4} & \tfrac12 \\ 1/8 & -\infty & \text{nan} \end{bmatrix}`,
      '-/- 2×3 0.5 -0.25 0.5 0.125 -Infinity NaN - -',
    ],
    [
      String.raw`\begin{bmatrix} 1.5 \times 10^{-3} & 2\cdot10^4 \\ \mathbf{3} & {-4} \\ 1{,}000 & \color{red}{5} \end{bmatrix}`,
      '-/- 3×2 0.0015 20000 3 -4 1000 5 - -',
    ],
    ['\\begin{bmatrix} 1 & 2 % first\n \\\\ 3 & 4 \\end{bmatrix}', '-/- 2×2 1 2 3 4 - -'],
    [String.raw`Q = \begin{bmatrix} 1 & 2 \end{bmatrix}`, 'Q/q 1×2 1 2 - -'],
    [String.raw`$\mathbf{K} = \left[\begin{array}{cc} 1 & 2 \end{array}\right]$`, 'K/k 1×2 1 2 - -'],
    [String.raw`\[ W_q = \begin{bmatrix} 1 & 2 \end{bmatrix} \]`, 'W_q/wq 1×2 1 2 - -'],
    [String.raw`W^Q &= \begin{bmatrix} 1 & 2 \end{bmatrix} \\`, 'W_Q/wq 1×2 1 2 - -'],
    [String.raw`\mathbf{W}_{K} := \begin{bmatrix} 1 & 2 \end{bmatrix}`, 'W_K/wk 1×2 1 2 - -'],
    ['V =\n\\begin{bmatrix} 1 & 2 \\end{bmatrix}', 'V/v 1×2 1 2 - -'],
    [
      String.raw`$Q = \begin{pmatrix} 1 & 2 \end{pmatrix}, \quad K = \begin{pmatrix} 3 & 4 \end{pmatrix}$`,
      'Q/q 1×2 1 2 - -; K/k 1×2 3 4 - -',
    ],
    [String.raw`"$Q = \\begin{pmatrix} 1 & 2 \\\\ 3 & \\frac{1}{2} \\end{pmatrix}$"`, 'Q/q 2×2 1 2 3 0.5 - -'],
    [String.raw`\begin{bmatrix} 1 & \cdots & 3 \\ 4 & \cdots & 6 \end{bmatrix}`, String.raw`elided 1:21 \cdots`],
    ['\\begin{bmatrix} 1 & 2 \\\\\n \\vdots & \\vdots \\\\\n 3 & 4 \\end{bmatrix}', String.raw`elided 2:2 \vdots`],
    [String.raw`\begin{bmatrix} 1 & 2 \\ 3 \end{bmatrix}`, 'ragged 1:26 3'],
    [String.raw`\begin{bmatrix} 1 & 2 \\ 3 & \end{bmatrix}`, 'missing-number 1:30 '],
    [String.raw`Q = \begin{bmatrix} 1 & 2 \\ 3 & x \end{bmatrix}`, 'malformed 1:34 x'],
    [String.raw`Q = \begin{bmatrix} 1 & 2 \\ 3 & 4`, String.raw`unbalanced 1:5 \begin{bmatrix}`],
    [String.raw`\begin{bmatrix} a & b \\ c & d \end{bmatrix}`, ''],
    [String.raw`\begin{pmatrix} q_{11} & \cdots & q_{1n} \\ \vdots & \ddots & \vdots \end{pmatrix}`, ''],
    [String.raw`\begin{align} x &= 1 \\ y &= 2 \end{align}`, ''],
    [String.raw`f(x) = \begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}`, ''],
    [String.raw`\begin{tabular}{ll} Name & 1 \\ Other & 2 \end{tabular}`, ''],
  ];
  for (const [text, expected] of cases) it(show(text), () => assert.equal(summary(text), expected));

  it('marks what is not computed', () => {
    const matrix = String.raw`\begin{bmatrix} 1 & 2 \end{bmatrix}`;
    for (const [text, expected] of [
      [`${matrix}^\\top`, '^\\top'],
      [`${matrix}^T`, '^T'],
      [`${matrix} \\cdot W`, ' \\cdot'],
      [`Q = ${matrix} ${matrix}`, ' \\begin'],
    ] as const) {
      const { expression } = parseMatrices(text).matrices[0] ?? {};
      assert.equal(text.slice(expression?.start, expression?.end), expected, text);
    }
    for (const text of [matrix, `$Q = ${matrix}$ and so on`, `Q = ${matrix},`, `\\left[${matrix}\\right]`])
      assert.equal(onlyMatrix(text).expression, undefined, text);
  });

  it('is found from its name, its brackets and any of its cells', () => {
    const text = String.raw`Then \mathbf{Q} = \left[\begin{array}{cc} 1 & 2 \\ 3 & 4 \end{array}\right] follows.`;
    for (const part of ['Q}', 'left', 'array', 'cc', '1 &', '3', '4', 'right']) {
      const found = literalAt(text, text.indexOf(part));
      assert.ok(found && 'matrix' in found, `nothing at ${part}`);
      assert.equal(found.matrix.name, 'Q');
    }
    assert.equal(literalAt(text, text.indexOf('follows') + 3), undefined);
  });
});

describe('Markdown tables', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |', '-/- 2×2 1 2 3 4 - [a b]'],
    ['a | b\n--|--\n1 | 2\n3 | 4', '-/- 2×2 1 2 3 4 - [a b]'],
    ['|   | The | cat |\n|---|:-:|:-:|\n| The | 1.5 | 2 |\n| cat | 3 | 4 |', '-/- 2×2 1.5 2 3 4 [The cat] [The cat]'],
    ['| token | x | y |\n|---|---|---|\n| The | 1 | 2 |\n| 7 | 3 | 4 |', '-/- 2×2 1 2 3 4 [The 7] [x y]'],
    ['| | |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |', '-/- 2×2 1 2 3 4 - -'],
    ['|---|---|\n| 1 | 2 |\n| 3 | 4 |', '-/- 2×2 1 2 3 4 - -'],
    ['| 1 | 2 |\n| 3 | 4 |', '-/- 2×2 1 2 3 4 - -'],
    ['| | 0 | 1 |\n|-|-|-|\n| a | 1 | 2 |\n| b | 3 | 4 |', '-/- 2×2 1 2 3 4 [a b] [0 1]'],
    ['| **a** | b |\n|---|---|\n| **1.5** | `2` |\n| $-3$ | −4 |', '-/- 2×2 1.5 2 -3 -4 - [a b]'],
    ['### Q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n', 'Q/q 1×2 1 2 - [a b]'],
    ['| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | |', 'missing-number 4:7 '],
    ['| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | ... |', 'elided 4:7 ...'],
    ['| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |', 'ragged 4:1 | 3 |'],
    ['| a | b |\n|---|---|\n| 1,234 | 2 |\n| 3 | 4 |', 'malformed 3:3 1,234'],
  ];
  for (const [text, expected] of cases) it(show(text), () => assert.equal(summary(text), expected));
});

describe('delimited text', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a,b\n1,2\n3,4\n', '-/- 2×2 1 2 3 4 - [a b]'],
    ['"a","b, c"\n"1",2\n3,"4"\n', '-/- 2×2 1 2 3 4 - [a b, c]'],
    ['"say ""a""",b\n1,2\n3,4', '-/- 2×2 1 2 3 4 - [say "a" b]'],
    [',x,y\nThe,1,2\ncat,3,4', '-/- 2×2 1 2 3 4 [The cat] [x y]'],
    ['token,x,y\n"New York",1,2\nthe,3,4', '-/- 2×2 1 2 3 4 [New York the] [x y]'],
    [',0,1\n0,1.5,2\n1,3,4', '-/- 2×2 1.5 2 3 4 [0 1] [0 1]'],
    ['The,1,2\ncat,3,4', '-/- 2×2 1 2 3 4 [The cat] -'],
    ['1,2\n3,4', '-/- 2×2 1 2 3 4 - -'],
    ['x;y\n1,5;-2,25\n3;4e2', '-/- 2×2 1.5 -2.25 3 400 - [x y]'],
    ['1,5;2,5', '-/- 1×2 1.5 2.5 - -'],
    ['1,5\t2,5\n3\t4', '-/- 2×2 1.5 2.5 3 4 - -'],
    ['a\tb\n1\t2\n3\t4', '-/- 2×2 1 2 3 4 - [a b]'],
    ['1.5;2\n3;4', '-/- 2×2 1.5 2 3 4 - -'],
    ['# x, y\n1.0, 2.0\n3.0, 4.0\n', '-/- 2×2 1 2 3 4 - [x y]'],
    // A header of np.savetxt that is a sentence names no columns.
    ['# the first head\n1.0, 2.0\n3.0, 4.0\n', '-/- 2×2 1 2 3 4 - -'],
    ['# x\n1.0, 2.0\n3.0, 4.0\n', '-/- 2×2 1 2 3 4 - -'],
    ['x,y\r\n1,2\r\n3,4\r\n', '-/- 2×2 1 2 3 4 - [x y]'],
    ['Q\nx,y\n1,2\n3,4', 'Q/q 2×2 1 2 3 4 - [x y]'],
    ['x,y\n1,2\n3\n', ''],
    ['x,y,z\n1,2,3\n4,5\n', 'ragged 3:1 4,5'],
    ['x,y,z\n1,2,3\n4,,6\n', 'missing-number 3:3 '],
    ['x,y,z\n1,2,3\n4,n/a,6\n', 'malformed 3:3 n/a'],
    ['x;y\n1,5;2.5\n3;4', 'decimal-sign 2:1 1,5'],
    ['x,y\n1,2\n...,...\n3,4\n', 'elided 3:1 ...'],
  ];
  for (const [text, expected] of cases) it(show(text), () => assert.equal(summary(text), expected));
});

describe('columns between blanks', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a b\n1 2\n3 4', '-/- 2×2 1 2 3 4 - [a b]'],
    ['      The  cat\nThe   1    2\ncat   3    4', '-/- 2×2 1 2 3 4 [The cat] [The cat]'],
    ['token  x  y\nThe    1  2\ncat    3  4', '-/- 2×2 1 2 3 4 [The cat] [x y]'],
    ['Q\n 1 2\n 3 4\n\nK:\n 5 6\n 7 8\n', 'Q/q 2×2 1 2 3 4 - -; K/k 2×2 5 6 7 8 - -'],
    ['x1   x2\n1.5  -inf\nnan  4', '-/- 2×2 1.5 -Infinity NaN 4 - [x1 x2]'],
    ['New York  1 2\nBoston    3 4', '-/- 2×2 1 2 3 4 [New York Boston] -'],
    ['a b\n1 2\n3 4 5', 'ragged 3:1 3 4 5'],
    ['   a  ...  c\n0  1  ...  3\n1  4  ...  6\n\n[2 rows x 30 columns]', 'elided 2:7 ...'],
  ];
  for (const [text, expected] of cases) it(show(text), () => assert.equal(summary(text), expected));
});

describe('what programs print without brackets', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Q =\n\n   1   2\n   3   4\n\nK =\n\n   5   6\n   7   8\n', 'Q/q 2×2 1 2 3 4 - -; K/k 2×2 5 6 7 8 - -'],
    ['A =\n\n   1.0e+03 *\n\n    0.0010    2.0000\n    3.0000    4.0005\n', 'A/- 2×2 1 2000 3000 4000.5 - -'],
    ['A(:,:,1) =\n\n   1   2\n   3   4\n\n\nA(:,:,2) =\n\n   5   6\n   7   8\n', 'A/- 2×2×2 1 2 3 4 5 6 7 8 - -'],
    ['A =\n\n  Columns 1 through 2\n\n   1   2\n   4   5\n\n  Column 3\n\n   3\n   6\n', 'A/- 2×3 1 2 3 4 5 6 - -'],
    ['H =\n\n   1 + 2i   3 + 0i\n   4 + 0i   5 + 0i\n', 'complex 3:8 2i; complex 4:8 0i'],
    ['2×2 Matrix{Float64}:\n 1.0  2.0\n 3.0  4.0', '-/- 2×2 1 2 3 4 - -'],
    ['julia> Q = rand(2, 2)\n2×2 Matrix{Float64}:\n 1.0  2.0\n 3.0  4.0', 'Q/q 2×2 1 2 3 4 - -'],
    ['3-element Vector{Float32}:\n 1.0\n NaN\n Inf', '-/- 3 1 NaN Infinity - -'],
    ['2×2×2 Array{Int64, 3}:\n[:, :, 1] =\n 1  2\n 3  4\n\n[:, :, 2] =\n 5  6\n 7  8', '-/- 2×2×2 1 2 3 4 5 6 7 8 - -'],
    ['9×9 Matrix{Float64}:\n 1.0  …  2.0\n ⋮    ⋱\n 3.0  …  4.0', 'elided 2:7 …'],
    [' 1.0  2.0\n 3.0  4.0\n[torch.FloatTensor of size 2x2]', '-/- 2×2 1 2 3 4 - -'],
    ['0.01 *\n 1.5  2.0\n 3.0  4.0\n[ CPUFloatType{2,2} ]', '-/- 2×2 0.015 0.02 0.03 0.04 - -'],
    ['Columns 1 to 2 1  2\n 4  5\n\nColumns 3 to 3 3\n 6\n[ CPUFloatType{2,3} ]', '-/- 2×3 1 2 3 4 5 6 - -'],
    [
      '(1,.,.) = \n  1  2\n  3  4\n\n(2,.,.) = \n  5  6\n  7  8\n[ CPUDoubleType{2,2,2} ]',
      '-/- 2×2×2 1 2 3 4 5 6 7 8 - -',
    ],
    ['     [,1] [,2]\n[1,]    1    2\n[2,]    3    4', '-/- 2×2 1 2 3 4 - -'],
    [' [1]  1  2  3\n [4]  4  5', '-/- 5 1 2 3 4 5 - -'],
    ['0    1.5\n1    2.5\ndtype: float64', '-/- 2 1.5 2.5 - [0 1]'],
    ['Q [[1 2]\n [3 4]]', 'Q/q 2×2 1 2 3 4 - -'],
    ["tensor([[1., 2.]], device='cuda:0', dtype=torch.float64, grad_fn=<MulBackward0>)", '-/- 1×2 1 2 - -'],
    ['DeviceArray([[1., 2.]], dtype=float32)', '-/- 1×2 1 2 - -'],
  ];
  for (const [text, expected] of cases) it(show(text), () => assert.equal(summary(text), expected));

  it('states the common factor in a note, and the dtype', () => {
    const found = onlyMatrix('0.01 *\n 1.5  2.0\n 3.0  4.0\n[ CPUFloatType{2,2} ]');
    assert.equal(found.dtype, 'float32');
    assert.deepEqual(found.notes, ['Each number as printed times 0.01, which stands above them.']);
    assert.equal(onlyMatrix('2×2 Matrix{Float32}:\n 1.0  2.0\n 3.0  4.0').dtype, 'float32');
  });
});

describe('frames that are written out', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['df = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=["x", "y"])', 'df/- 2×2 1 3 2 4 [x y] [a b]'],
    ['pd.DataFrame({"a": np.array([1., 2.]), "b": (3, 4)})', '-/- 2×2 1 3 2 4 - [a b]'],
    ["X = pd.DataFrame([[1, 2], [3, 4]], columns=['a', 'b'])", 'X/x 2×2 1 2 3 4 - [a b]'],
    ["pandas.DataFrame(np.array([[1, 2]]), columns=list('ab'), dtype=float)", '-/- 1×2 1 2 - [a b]'],
    ['Q = pd.DataFrame([[1, 2], [3, 4]]).values', 'Q/q 2×2 1 2 3 4 - -'],
    ['pd.Series([1, 2, 3], index=["a", "b", "c"])', '-/- 3 1 2 3 - [a b c]'],
    ['pd.DataFrame({"a": [1, 2], "b": [3]})', 'ragged 1:33 [3]'],
    ['pd.DataFrame([[1, 2], [3]])', 'ragged 1:23 [3]'],
    ["pd.DataFrame([[1, 2]], columns=['a'])", 'shape-mismatch 1:14 [[1, 2]]'],
    ['pd.DataFrame({"a": [1], "b": [2]}, columns=["b", "a"])', 'expression 1:20 [1]'],
    ['pd.DataFrame({"a": [1, "x"], "b": [2, 3]})', 'string 1:24 "x"'],
    ['pd.DataFrame({"name": names, "age": ages})', ''],
    ['pd.DataFrame(rows, columns=["a", "b"])', ''],
  ];
  for (const [text, expected] of cases) it(show(text), () => assert.equal(summary(text), expected));
});

describe('text with numbers that is no matrix', () => {
  const nothing = [
    'In 2019 the model had 12 layers,\nand in 2020 it had 24 layers and 16 heads, 1024 wide.\n',
    '2024-01-01,1.5,2\n2024-01-02,1.6,3\nand so on',
    'Log:\n12:00:01 4 5\n12:00:02 6 7\nend of it',
    'express 4.17.1 2\nlodash 4.17.21 3\nand others',
    'numpy==1.24.2\ntorch==1.13.1\n',
    '[server]\nport = 8080\nworkers = 4\n',
    'port: 8080\nworkers: 4\n',
    '| Name | Size | Date |\n|---|---|---|\n| a.txt | 12 kB | 2024-01-01 |\n| b.txt | 3 kB | 2024-01-02 |\n',
    '| Option | Default | Description |\n|---|---|---|\n| width | 80 | columns |\n| depth | 4 | levels |\n\nSee below.',
    'Some code:\ncall(a,\n  1, 2,\n  3, 4,\n);\n',
    'x = 3;\ny = 4;\nz = 5;\n',
    'Tel. 030 12345 67\nFax 030 12345 68\nin Berlin',
    'Chapter 1 ..... 5\nChapter 2 ..... 17\n\nPreface',
    'Results of 1 false\n1 false\n2 true\n3 false\nin order',
    'a,b,c\nd,e,f\n',
    '1. First\n2. Second\n3. Third\n',
    '- 1 2\n- 3 4\n\nbullets',
    'Changes\n-------  \n * 18 September, 2001\n',
  ];
  for (const text of nothing) {
    it(show(text), () => {
      assert.equal(summary(text), '');
      for (let at = 0; at <= text.length; at += 3) {
        const found = literalAt(text, at);
        assert.ok(!found, `${JSON.stringify(found)} at ${at}`);
      }
    });
  }
});
