import assert from 'node:assert/strict';
import { specFromText } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { at, where } from './parse-support';

// What a problem or a note says in full: the row that it counts, what is expected there, and what would mend it.

type Rows = readonly (readonly string[])[];

const four: Rows = [
  ['1.5', '2', '3'],
  ['4', '5', '6'],
  ['7', '8', '9'],
  ['10', '11', '12'],
];
const row = (at: number, cells: readonly string[]): Rows => four.map((own, i) => (i === at ? cells : own));
const joined = (rows: Rows, [open, close]: readonly [string, string], between = ', '): string =>
  rows.map((cells) => open + cells.join(', ') + close).join(between);

/** How a notation says that row `at` (from 0) has `have` numbers, where those before it have `of`. */
type Wording = (at: number, have: number, of: number) => string;
const before: Wording = (at, have, of) =>
  `row ${at + 1} has ${have} numbers, ${at === 1 ? 'row 1 has' : `rows 1–${at} have`} ${of} | Give each row ${of} numbers.`;
const expected: Wording = (at, have, of) =>
  `row ${at + 1} has ${have} numbers, expected ${of} | Give each row ${of} numbers.`;
const longest =
  (what: string): Wording =>
  (at, have, of) =>
    `${what} ${at + 1} has ${have} numbers, the longest has ${of} | Give each ${what} ${of} numbers.`;
const named: Wording = (at, have, of) =>
  `column ${'abcd'.charAt(at)} has ${have} numbers, expected ${of} | Give each column ${of} numbers.`;

const notations: Readonly<Record<string, readonly [write: (rows: Rows) => string, says: Wording]>> = {
  Python: [(rows) => `Q = [${joined(rows, ['[', ']'])}]`, before],
  'what NumPy prints': [(rows) => `[${rows.map((cells) => `[${cells.join(' ')}]`).join('\n ')}]`, before],
  C: [(rows) => `float Q[4][3] = {${joined(rows, ['{', '}'])}};`, before],
  Rust: [(rows) => `let Q = array![${joined(rows, ['[', ']'])}];`, before],
  MATLAB: [(rows) => `Q = [${rows.map((cells) => cells.join(' ')).join('; ')}];`, before],
  CSV: [(rows) => `${rows.map((cells) => cells.join(',')).join('\n')}\n`, before],
  'CSV with semicolons': [(rows) => `${rows.map((cells) => cells.join(';')).join('\n')}\n`, before],
  'CSV with tabs': [(rows) => `${rows.map((cells) => cells.join('\t')).join('\n')}\n`, before],
  LaTeX: [
    (rows) => `Q = \\begin{pmatrix} ${rows.map((cells) => cells.join(' & ')).join(' \\\\ ')} \\end{pmatrix}`,
    expected,
  ],
  Markdown: [
    (rows) => `| a | b | c |\n|---|---|---|\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`,
    expected,
  ],
  'rows with labels': [
    (rows) => `${rows.map((cells, i) => `${['cat', 'sat', 'on', 'mat'][i]} ${cells.join(' ')}`).join('\n')}\n`,
    expected,
  ],
  'what R prints': [
    (rows) =>
      `      [,1] [,2] [,3]\n${rows.map((cells, i) => `[${i + 1},]  ${cells.map((x) => x.padStart(4)).join(' ')}`).join('\n')}\n`,
    expected,
  ],
  'what pandas prints': [
    (rows) =>
      `     a    b    c\n${rows.map((cells, i) => `${i}  ${cells.map((x) => x.padStart(4)).join(' ')}`).join('\n')}\n`,
    expected,
  ],
  'rbind of R': [(rows) => `Q <- rbind(${joined(rows, ['c(', ')'])})`, longest('row')],
  'cbind of R': [(rows) => `Q <- cbind(${joined(rows, ['c(', ')'])})`, longest('column')],
  'a frame of pandas': [
    (rows) =>
      `Q = pd.DataFrame({${rows.map((cells, i) => `"${'abcd'.charAt(i)}": [${cells.join(', ')}]`).join(', ')}})`,
    named,
  ],
};

const saidOf = (text: string): string[] => parseMatrices(text).problems.map((p) => `${p.message} | ${p.hint ?? ''}`);

describe('a row with another count is named by its number', () => {
  for (const [name, [write, says]] of Object.entries(notations))
    it(name, () => {
      for (const at of [1, 2, 3]) assert.deepEqual(saidOf(write(row(at, ['4', '5']))), [says(at, 2, 3)], String(at));
      // A number too many: R goes by the longest row, the others by the first.
      const tooMany = saidOf(write(row(2, ['7', '8', '9', '99'])))[0];
      assert.equal(tooMany, says === before || says === expected || says === named ? says(2, 4, 3) : says(0, 3, 4));
    });
});

describe('a cell without a number is named by its row', () => {
  for (const [name, hint] of [
    ['LaTeX', 'Write its number.'],
    ['Markdown', 'Write its number, or nan.'],
    ['CSV', 'Write its number, or nan.'],
    ['CSV with semicolons', 'Write its number, or nan.'],
  ] as const)
    it(name, () => {
      const write = notations[name]?.[0] as (rows: Rows) => string;
      for (const at of [1, 2, 3])
        assert.deepEqual(saidOf(write(row(at, ['4', '', '6']))), [`row ${at + 1} has an empty cell | ${hint}`]);
    });
});

describe('numbers that were left out', () => {
  const nested = 'Print the whole array: np.set_printoptions(threshold=sys.maxsize), or torch.set_printoptions(profile="full").'; // prettier-ignore
  const table = 'Print the whole matrix (NumPy: np.set_printoptions(threshold=sys.maxsize), pandas: df.to_string()).';
  for (const [name, hint] of [
    ...['Python', 'what NumPy prints', 'C', 'Rust', 'MATLAB', 'a frame of pandas'].map((one) => [one, nested] as const),
    ...['Markdown', 'CSV', 'CSV with tabs', 'rows with labels', 'what R prints', 'what pandas prints'].map((one) => [one, table] as const), // prettier-ignore
  ])
    it(name, () => {
      const write = notations[name]?.[0] as (rows: Rows) => string;
      const text = write(row(2, ['7', '...', '9']));
      assert.deepEqual(saidOf(text), [`... stands for numbers that were not printed | ${hint}`]);
      const [problem] = parseMatrices(text).problems;
      assert.equal(problem?.range?.start, text.indexOf('...'));
    });
});

/** Texts with what is wrong in them: `code line:column text | message | hint`, as the rule of their notation has it. */
const slips: readonly (readonly [text: string, ...problems: string[]])[] = [
  // Nested brackets.
  ['Q = [[1, 2], [, 4]]', 'ragged 1:14 [, 4] | row 2 has 1 number, row 1 has 2 | Give each row 2 numbers.', 'missing-number 1:15 , | no number before the comma | Write a number or remove the comma.'],
  ['Q = np.array([[, 2], [3, 4]])', 'missing-number 1:16 , | no number before the comma | Write a number or remove the comma.', 'ragged 1:22 [3, 4] | row 2 has 2 numbers, row 1 has 1 | Give each row 1 number.'],
  ['Q = [[1, , 3], [4, 5]]', 'missing-number 1:10 , | no number between two commas | Write a number or remove the comma.'],
  ['Q = [[1, 2], [3, 4]', 'unbalanced 1:5 [ | [ is never closed | Add ] at the end.'],
  ['Q = [[1, 2), [3, 4]]', 'unbalanced 1:11 ) | found ), expected ] to close [ | Each bracket is closed by its own kind.'],
  ['Q = {{1, 2], {3, 4}}', 'unbalanced 1:11 ] | found ], expected } | Each bracket is closed by its own kind.'],
  ['Q = [[1, 2], 3]', 'mixed-depth 1:14 3 | a number where a row was expected | Numbers and rows cannot stand side by side.'],
  ['Q = [1, [2, 3]]', 'mixed-depth 1:9 [ | a row where a number was expected | Numbers and rows cannot stand side by side.'],
  ['Q = [[1, 2], [[3, 4]]]', 'mixed-depth 1:16 3 | this number is nested deeper or less deep than the first | All numbers need the same depth.'],
  ['Q = [[1, 2 3]]', 'separator 1:12 3 | some numbers are separated by commas, some are not | Use commas everywhere or nowhere.'],
  ['Q = [[1 2, 3], [4 5 6]]', 'separator 1:10 , | some numbers are separated by commas, some are not | Use commas everywhere or nowhere.'],
  ['Q = [[1, 2j], [3, 4]]', 'complex 1:10 2j | 2j is a complex number | Attention is over real numbers.'],
  ['Q = [[1, "2"], [3, 4]]', 'string 1:10 "2" | "2" is a string, expected a number | Remove the quotes or the text.'],
  ['Q = [[1, null], [3, 4]]', 'null 1:10 null | null is not a number | Put a number or nan in its place.'],
  ['Q = [[1, a], [3, 4]]', 'unknown-name 1:10 a | a is not a number | Names are not looked up here: write the number itself.'],
  ['Q = [[1, 2 * 3], [3, 4]]', 'unexpected 1:12 * | * inside of the brackets | Arithmetic is not computed: write its result.'],
  ['Q = [[], []]', 'empty 1:6 [] | a row without numbers | Give at least one number.'],
  ['Q = np.array([[[[[1]]]]])', 'too-deep 1:18 [ | more than 4 brackets in each other | A matrix has 1 to 4 dimensions: batch, head, row, column.'],
  ['Q = [[1, 2; 3, 4]]', 'unexpected 1:11 ; | ; inside of the brackets | Write each row in its own brackets.'],
  ['Q = [[[1, 2], [3, 4]], [[1, 2]]]', 'ragged 1:24 [[1, 2]] | matrix 2 has 1 row, matrix 1 has 2 | Give each matrix 2 rows.'],
  ['Q = [[[1, 2]], [[3, 4]], [[5, 6], [7, 8]]]', 'ragged 1:26 [[5, 6], [7, 8]] | matrix 3 has 2 rows, matrices 1–2 have 1 | Give each matrix 1 row.'],
  ['Q = np.array([[1, 2], [3, 4]]\nprint(Q)', 'unbalanced 1:13 ( | np.array( is never closed | Add ) at the end of the call.'],
  ['Q = np.array([[1, 2], [3, 4]] + 1)', 'expression 1:31 + | found + in np.array(…), expected a comma or ) | Arithmetic is not computed: select the result as it is printed.'],
  // C and its family: integers are divided to integers, a leading 0 is octal, and C fills what is declared.
  ['double a[3][2] = {{1, 2}, {3, 4}};', 'shape-mismatch 1:18 {{1, 2}, {3, 4}} | 3×2 is declared, 2×2 is given | C and Go fill the rest with 0: write these zeros, or the sizes that are given.'],
  ['double a[2][2] = {{1, 1/3}, {2, 3}};', 'expression 1:23 1/3 | 1/3 divides whole numbers, which cuts the result to a whole number here | Write 1.0/3 or the number.'],
  ['float a[2][2] = {{1, 010}, {2, 3}};', 'malformed 1:22 010 | 010 is octal in some languages and decimal in others | Write it without the leading 0.'],
  ['double q[2][2] = {{1, "a"}, {"b", 2}};', 'string 1:23 "a" | "a" is a string, expected a number | Remove the quotes or the text.'],
  // MATLAB and Julia.
  ['Q = [1 2; 3 [4]]', 'unexpected 1:13 [ | [ inside of the brackets | Expected a number, a comma or a closing bracket.'],
  ['Q = [1:2000000]', 'expression 1:6 1:2000000 | 1:2000000 is a range that is not computed | Ranges of 1 to 10000 numbers are, where all programs round them alike; print it and select the numbers.'],
  // R.
  ['Q <- matrix(1:4, nrow = 0)', 'value 1:25 0 | nrow is no whole number above 0 | Give nrow as one number.'],
  ['Q <- matrix(1:4, nrow = n)', 'unknown-name 1:25 n | n is not a number | Names are not looked up here: write the number itself.'],
  ['Q <- matrix(1:5, 2)', 'shape-mismatch 1:13 1:5 | 5 numbers do not fill 2×3 | R repeats numbers only to a whole multiple; give all of them or change nrow and ncol.'],
  ['Q <- array(1:32, dim = c(2, 2, 2, 2, 2))', 'too-deep 1:24 c(2, 2, 2, 2, 2) | 5 dimensions | A matrix has 1 to 4 dimensions: batch, head, row, column.'],
  ['Q <- matrix(1:4, 2, dimnames = list(c("a", "b", "c"), NULL))', 'labels 1:37 c("a", "b", "c") | 3 names for 2 rows in dimnames | Give one name for each, or NULL.'],
  ['Q <- matrix(1:4, 2, dimnames = list(NULL, c("a")))', 'labels 1:43 c("a") | 1 names for 2 columns in dimnames | Give one name for each, or NULL.'],
  ['Q <- matrix(rep(0.5, 2000000), 2)', 'too-large 1:13 rep(0.5, 2000000) | more than 1024 numbers that are not written out | Print the matrix and select that.'],
  // Pages of R: each index once, each with numbers, all with the first page's labels.
  [', , 1\n\n     [,1] [,2]\n[1,]    1    2\n\n, , 1\n\n     [,1] [,2]\n[1,]    5    6\n', 'malformed 6:1 , , 1 | page 1 stands there twice | Print all pages in order, or select one of them.'],
  [', , 1\n\n     [,1] [,2]\n[1,]    1    2\n\n, , 2\n\n', 'malformed 6:1 , , 2 | page 2 has no numbers | Print all pages in order, or select one of them.'],
  [', , 1\n\n     a b\n[1,] 1 2\n\n, , 2\n\n     a c\n[1,] 5 6\n', 'malformed 6:1 , , 2 | page 2 has other labels than the first one | Print all pages in order, or select one of them.'],
  // Linear algebra of Go and Rust.
  ['Q := mat.NewDense(2, n, []float64{1, 2, 3, 4})', 'shape-mismatch 1:19 2, n,  | the rows and columns are no numbers: 2, n | Write the sizes as numbers.'],
  ['Q := mat.NewDense(2, 3, []float64{1, 2, 3, 4})', 'shape-mismatch 1:25 []float64{1, 2, 3, 4}) | 4 numbers do not fill 2×3 | Give 6 numbers, or change the sizes.'],
  ['let q = Matrix2::new(1.0, 2.0, 3.0);', 'shape-mismatch 1:21 (1.0, 2.0, 3.0) | 3 numbers do not fill 2×2 | Give 4 numbers, or change the sizes.'],
  // pandas.
  ['Q = pd.DataFrame([[1, 2], [3, 4]], columns=["a"])', 'shape-mismatch 1:18 [[1, 2], [3, 4]] | columns= has 1 label, expected 2 | Give each row and each column one label.'],
  ['Q = pd.DataFrame([[1, 2], [3, 4]], index=["a", "b", "c"])', 'shape-mismatch 1:18 [[1, 2], [3, 4]] | index= has 3 labels, expected 2 | Give each row and each column one label.'],
  ['Q = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, columns=["b"])', 'expression 1:24 [1, 2] | columns= chooses among the columns, which is not computed | Leave columns= out, or write the columns in its order.'],
  ['Q = pd.DataFrame([[[1, 2]]])', 'too-deep 1:18 [[[1, 2]]] | more than 2 brackets in each other | A frame has rows and columns.'],
  ['Q = pd.DataFrame([[1, 2], [3, 4]], foo=1)', 'unbalanced 1:5 p | the call of pandas is not understood to its end | Keep columns=, index= and dtype= as lists of words and a type.'],
  // Tables: one decimal sign.
  ['1,5;2\n3;4.5\n', 'decimal-sign 1:1 1,5 | 1,5 has a comma, 4.5 a point | Write all numbers with the same decimal sign.'],
  ['1.5;2,5\n3,5;4\n', 'decimal-sign 1:5 2,5 | 2,5 has a comma, 1.5 a point | Write all numbers with the same decimal sign.'],
  ['a;b\n1,5;2\n3.5;4\n', 'decimal-sign 2:1 1,5 | 1,5 has a comma, 3.5 a point | Write all numbers with the same decimal sign.'],
  ['| a | b |\n|---|---|\n| 1 | 2i |\n| 3 | 4 |', 'complex 3:7 2i | 2i is a complex number | Attention is over real numbers.'],
  ['| a | b |\n|---|---|\n| 1 | 1,234 |\n| 3 | 4 |', 'malformed 3:7 1,234 | 1,234 may be a thousand or a fraction | Write it without the comma, or with a point.'],
  ['| a | b |\n|---|---|\n| 1 | x |\n| 3 | 4 |', 'malformed 3:7 x | x is not a number | Write a number, or leave the column out.'],
  // LaTeX.
  ['Q = \\begin{bmatrix} 1 & 2 \\\\ 3 & 4', 'unbalanced 1:5 \\begin{bmatrix} | \\begin{bmatrix} is never closed | Add \\end{bmatrix}.'],
  ['Q = \\begin{bmatrix} 1 & \\cdots \\\\ 3 & 4 \\end{bmatrix}', 'elided 1:25 \\cdots | \\cdots stands for numbers that are not written | Write out the whole matrix.'],
  ['Q = \\begin{bmatrix} 1 & 2 \\\\ x & 4 \\end{bmatrix}', 'malformed 1:30 x | x is not a number | Write a number in each cell.'],
]; // prettier-ignore

describe('what is wrong, where, and what would mend it', () => {
  for (const [text, ...problems] of slips)
    it(text.replaceAll('\n', '⏎'), () =>
      assert.deepEqual(
        parseMatrices(text).problems.map((p) => `${where(text, p)} | ${p.message} | ${p.hint ?? ''}`),
        problems,
      ),
    );
});

const qk = 'Q = [[1, 2], [3, 4]]\nK = [[1, 0], [2, 1]]';
const weights = 'W_q = [[1, 0], [0, 1]]\nW_k = [[1, 2], [0, 1]]\nW_v = [[1, 0], [3, 1]]';
const x = 'X = [[1, 2], [3, 4], [5, 6]]';

/** What a selection is refused for, or the notes of what is read. */
function saidOfSelection(text: string): readonly string[] {
  const result = specFromText(text);
  return result.ok ? result.value.notes : result.problems.map((p) => `${p.message} | ${p.hint ?? ''}`);
}

describe('a selection that cannot be explained says what to select', () => {
  const refused: readonly (readonly [string, ...string[]])[] = [
    ['', 'nothing is selected | Select text or a matrix, such as [[1, 0], [0, 1]].'],
    ['  \n', 'only white space is selected | Select text or a matrix, such as [[1, 0], [0, 1]].'],
    ['K = [[1, 0], [2, 1]]\nQ = [[1, 2], [3, 4]]\nK = [[1, 0], [2, 2]]', 'K is given twice with different numbers, in line 1 and line 3 | Select one of them.'],
    [`${x}\n${weights}\nb_q = [[1, 2], [3, 4], [5, 6]]`, 'b_q is 3×2, expected a vector | A bias is one row, one column or a list.'],
    ['[1, 2], [3, 4]]\nK = [[1, 0], [2, 1]]', 'the selection begins inside a literal: line 1 closes what it does not open | Select the whole literal.'],
    [`${qk}\nV = [[1, 2], [3, 4]]\nW_o = [[1, 0, 2], [0, 1, 3], [1, 1, 1]]`, 'W_o is 3×3, the heads side by side have 2 columns | h·d_v must be one side of W_O.'],
    [`x_1 = [1, 2]\nx_3 = [3, 4]\n${weights}`, 'x_3 follows x_1: x_2 is missing | Select every token from the first to the last.'],
    [`x_1 = [1, 2]\nx_2 = [3, 4, 5]\n${weights}`, 'x_2 has 3 numbers, x_1 has 2 | All tokens need vectors of the same length.'],
    [`x_1 = [1, 2]\nx_1 = [3, 4]\n${weights}`, 'x_1 is given twice with different numbers | Select one of them.'],
    ['V = [[1, 2], [3, 4]]', 'V without Q, K | Select Q and K, and V to see the output; or rename it to X for Q = K = V = X.'],
    ['W_q = [[1, 2], [3, 4]]', 'W_q without X, W_k, W_v | Select X (or x_1 … x_n), W_q, W_k and W_v.'],
    [`${x}\nW_q = [[1, 2], [3, 4]]`, 'W_q without W_k, W_v | Select X (or x_1 … x_n), W_q, W_k and W_v.'],
    ['A1 = [[1, 2], [3, 4]]\nB1 = [[1, 2], [3, 4]]\nC1 = [[1, 2], [3, 4]]', '3 matrices are selected and none is named Q, K, V or X | Name them Q = …, K = …, V = …, or select one of them.'],
    ['[[1, 2], [3, 4]]\n[[1, 2], [3, 4]]\n[[1, 2], [3, 4]]', '3 matrices are selected and nothing says which is which | Name them Q = …, K = …, V = …, or select one of them.'],
    [`${qk}\nmask = [[0, 1, 1]]`, 'mask is 1×3, the scores are 2×2 | Each of its axes is 1, or as large as that of the scores.'],
    [`${qk}\nV = [[1., 2.], [3.]]`, 'row 2 has 1 number, row 1 has 2 | Give each row 2 numbers. Q and K alone lead to the weights: end the selection after line 2 of it.'],
  ]; // prettier-ignore
  for (const [text, ...said] of refused) it(said[0] ?? '', () => assert.deepEqual(saidOfSelection(text), said));
});

describe('a note says what was taken, and why', () => {
  const noV = 'V is not selected: the walk ends at the weights.';
  const noted: readonly (readonly [string, ...string[]])[] = [
    ['scores = [[1, 2], [3, 4]]', 'scores (2×2) is taken as scores QKᵀ.', 'd_k is not given: 64 is taken (Vaswani et al. 2017), so the scores are divided by 8. Change it in the panel.', noV],
    ['     cat sat\ncat  1.5 2\nsat  3   4\n', 'The matrix (2×2) is taken as scores QKᵀ, for its rows and columns carry the same tokens.', 'd_k is not given: 64 is taken (Vaswani et al. 2017), so the scores are divided by 8. Change it in the panel.', noV],
    [`${qk}\nb_q = [1, 2]`, noV, 'Not used: b_q (2): biases are added where X, W_q, W_k and W_v are given.'],
    [`${qk}\nattn_mask = [[0, 1]]\nmask = [[1, 0]]`, noV, 'attn_mask: a 1 (True) may be seen, as in scaled_dot_product_attention; in MultiheadAttention it hides. Nothing else tells: see the mask in the panel. Its one row serves every query.', 'Not used: mask (1×2): one mask is enough, or it does not fit; choose it in the panel.'],
    [`${x}\n${weights}\nQ = X @ W_q`, 'X·W, as the line `Q = X @ W_q` says.'],
    [`${x}\n${weights}\nQ = X @ W_q.T`, 'X·Wᵀ, as the line `Q = X @ W_q.T` says.'],
    [`${x}\n${weights}\nQ = W_q @ X.T`, 'X·Wᵀ, as the line `Q = W_q @ X.T` says.'],
    [`${qk}\nscale = 1`, noV, 'scale is 1: scores are not scaled.'],
    // √d_k with d_k = 2.
    [`${qk}\nscale = 3`, noV, `scale = 3 is not used: nothing says whether scores are divided or multiplied by it, and √d_k is ${Math.SQRT2}.`],
    ['Q = [[1, 2, 3, 4], [3, 4, 5, 6]]\nK = [[1, 2, 3, 4], [3, 4, 5, 6]]\nnum_heads = 2', noV, '2 heads, as num_heads says.'],
    [`${qk}\nV = [[1, 2], [3, 4]]\nW_o = [[1, 0], [0, 1]]`, 'The output is multiplied by W_o.'],
    ['Q = torch.tensor([[1., 2.]], dtype=torch.int32)\nK = torch.tensor([[1., 2.5]], dtype=torch.int32)', noV, 'The source says int32 for K, which would cut 2.5; it is kept as written.'],
    ['Q = torch.tensor([[1., 2.]])\nK = np.array([[1., 2.5]])', noV, 'Q: float32; K: float64. Computed in float64, which loses no digit of either.'],
    ['Q = [[1, nan], [3, 4]]\nK = [[1, 0], [inf, -inf]]', noV, 'Q holds 1 NaN, at [0, 1].', 'K holds 2 infinite values, the first at [1, 0].'],
    ['Q = [[[1, 2]], [[3, 4]]]\nK = [[[1, 2]], [[3, 4]]]', 'Q is 2×1×2: 2 heads of 1×2.', noV],
    [`X = [[[1, 2]], [[3, 4]]]\n${weights}`, 'X is 2×1×2: 2 inputs of 1×2.', 'The weights are square, so both X·W and X·Wᵀ fit; X·Wᵀ is right where W stands at the left (W·x).'],
    [`${qk}\nis_causal = True`, noV, 'Causal mask, as is_causal says.'],
  ]; // prettier-ignore
  for (const [text, ...said] of noted) it(said.at(-1) ?? '', () => assert.deepEqual(saidOfSelection(text), said));
});

describe('what a 1 in a mask means', () => {
  /** What stands in the mask of the spec, and the note on it. */
  const readOf = (mask: string): readonly unknown[] => {
    const result = specFromText(`${qk}\n${mask}`);
    assert.ok(result.ok, mask);
    const { spec, notes } = result.value;
    const found = typeof spec.mask === 'object' && 'trueMeans' in spec.mask ? spec.mask.trueMeans : 'added';
    return [found, notes[1]];
  };
  // Ones above the diagonal are a causal mask's hidden keys, on and below it the keys that it shows; a query sees some key.
  const cases: readonly (readonly [string, 'hidden' | 'visible' | 'added', string])[] = [
    ['mask = [[0, 1], [0, 0]]', 'hidden', 'mask: a 1 (True) hides, for the ones stand above the diagonal.'],
    ['mask = [[1, 0], [1, 1]]', 'visible', 'mask: a 1 (True) may be seen, for the ones stand on and below the diagonal.'],
    ['mask = [[1, 1], [0, 1]]', 'visible', 'mask: a 1 (True) may be seen, for otherwise a query would see no key.'],
    ['mask = [[0, 0], [1, 0]]', 'hidden', 'mask: a 1 (True) hides, for otherwise a query would see no key.'],
    ['key_padding_mask = [[0, 1]]', 'hidden', 'key_padding_mask: a 1 (True) hides, as in PyTorch’s key_padding_mask. Its one row serves every query.'],
    ['mask = [[1, 0], [0, 1]]\nscores = scores.masked_fill(mask == 0, -inf)', 'visible', 'mask: a 1 (True) may be seen, as the line `scores = scores.masked_fill(mask == 0, -inf)` says.'],
    ['mask = [[1, 0], [0, 1]]\nscores = scores.masked_fill(mask, -inf)', 'hidden', 'mask: a 1 (True) hides, as the line `scores = scores.masked_fill(mask, -inf)` says.'],
    ['mask = [[0, -1e9], [0, 0]]', 'added', 'mask is added to the scaled scores: it hides 1 of 4 cells.'],
    ['mask = [[0, -5], [0, 0.5]]', 'added', 'mask is added to the scaled scores as a bias; not all of its numbers are 0 or −inf.'],
  ]; // prettier-ignore
  for (const [mask, means, note] of cases) it(mask.replaceAll('\n', '⏎'), () => assert.deepEqual(readOf(mask), [means, note])); // prettier-ignore
});

describe('the cursor on a name before a matrix of LaTeX', () => {
  const matrix = '\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}';
  for (const [text, found] of [
    [`Q| = ${matrix}`, 'Q 2×2'],
    [`We set Q| = ${matrix}`, 'Q 2×2'],
    // The matrix above ends before the cursor.
    [`\\begin{bmatrix} 9 & 8 & 7 \\end{bmatrix} and\nQ| = ${matrix}`, 'Q 2×2'],
    [`Q = \\|begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}`, 'Q 2×2'],
  ] as const)
    it(text.replaceAll('\n', '⏎'), () => assert.equal(at(text), found));
});

describe('an item of Rust that is repeated', () => {
  for (const text of [
    'let q = vec![vec![1.0, 2.0]; 0];',
    'let q = vec![vec![1.0; 0]; 2];',
    'let q = vec![vec![1.0; 2.5]; 2];',
  ])
    it(`${text}: not so many times`, () => {
      const { matrices, problems } = parseMatrices(text);
      assert.deepEqual([matrices, problems.map(({ code }) => code)], [[], ['unexpected']]);
    });
});

describe('what is not followed has a code by what it is', () => {
  it('a matrix of attention, or another name', () => {
    const result = specFromText(`${qk}\nout = foo(Q)\nV = bar(Q)`);
    assert.ok(result.ok);
    assert.deepEqual(
      (result.value.unfollowed ?? []).map(({ code, message }) => `${code}: ${message}`),
      ['not-followed: out is not followed: foo is not defined above.', 'unknown-matrix: V is not followed: bar is not defined above.'],
    );
  }); // prettier-ignore
});

describe('vectors of tokens that are columns', () => {
  const columns = (count: number): string =>
    Array.from({ length: count }, (_, i) => `x_${i + 1} = [[${i}], [2]]`).join('\n');
  for (const count of [2, 3])
    it(`are named from the first to the last of ${count}`, () =>
      assert.deepEqual(saidOfSelection(`${columns(count)}\n${weights}`), [
        `X·Wᵀ, because x_1…x_${count} are columns (2×1): W·x on columns is X·Wᵀ on rows.`,
      ]));
});

describe('lines and rows', () => {
  const read = (text: string): readonly (readonly unknown[])[] =>
    parseMatrices(text).matrices.map((m) => [
      [...m.values],
      m.shape,
      text.slice(m.range.start, m.range.end),
      m.rowLabels,
    ]);

  it('may end with a carriage return alone', () => {
    assert.deepEqual(read('cat 1.5 2\rsat 3 4\r'), [[[1.5, 2, 3, 4], [2, 2], 'cat 1.5 2\rsat 3 4', ['cat', 'sat']]]);
    assert.deepEqual(read('a,b\r1,2\r3,4\r')[0], [[1, 2, 3, 4], [2, 2], 'a,b\r1,2\r3,4', undefined]);
  });

  it('end where their last number does', () =>
    assert.deepEqual(read('cat 1.5 2  \nsat 3 4   \n'), [
      [[1.5, 2, 3, 4], [2, 2], 'cat 1.5 2  \nsat 3 4', ['cat', 'sat']],
    ]));

  it('of a list in Markdown have no label', () => {
    for (const [first, second] of [
      ['-', '-'],
      ['*', '*'],
      ['-', '*'],
    ] as const)
      assert.deepEqual(read(`${first} 1.5 2.5\n${second} 3.5 4.5\n`)[0]?.[3] ?? [], [], first + second);
  });

  it('of a vector that R prints begin with the place of their first number', () => {
    assert.deepEqual(read(' [1]  0.5  1.5\n [3]  2.5  3.5\n')[0]?.[0], [0.5, 1.5, 2.5, 3.5]);
    // The place of another number is another vector.
    assert.deepEqual(read(' [1]  0.5  1.5\n [4]  2.5  3.5\n')[0]?.[0], [0.5, 1.5]);
    assert.deepEqual(read(' [1]  0.5  1.5\n [2]  2.5  3.5\n')[0]?.[0], [0.5, 1.5]);
    assert.deepEqual(read(' [2]  0.5  1.5\n'), []);
  });
});

describe('the cursor in one of two matrices of a line', () => {
  const matrix = (at: string): string => `\\begin{bmatrix} ${at} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}`;
  it('has the first', () => assert.equal(at(`Q = ${matrix('|')} + \\begin{bmatrix} 9 \\end{bmatrix}`), 'Q 2×2'));
  it('has the second', () => assert.equal(at(`Q = \\begin{bmatrix} 9 \\end{bmatrix}, K = ${matrix('|')}`), 'K 2×2'));
});

describe('a literal that is refused', () => {
  for (const text of [
    'let q = array![[1., 2.], ["a", 4.], [5., |6.]];',
    'let q = array![[1., 2.], ["a", 4.], [5., "b"|]];',
    'let q = array![[1., 2.|], ["a", 4.], [5., 6.]];',
  ])
    it(`is refused with the cursor anywhere in it: ${text}`, () => assert.equal(at(text), 'string'));
});

describe('a long text in a message', () => {
  it('is cut to 40 characters where it is a range', () => {
    const step = `0.${'0'.repeat(30)}1`;
    const [problem] = parseMatrices(`Q = [${step}:${step}:3]`).problems;
    assert.equal(problem?.message, `${`${step}:${step}`.slice(0, 40)} is a range that is not computed`);
  });
});
