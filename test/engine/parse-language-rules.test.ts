import assert from 'node:assert/strict';
import { parseMatrices } from './parse-same';
import { where } from './parse-support';

// What each language makes of a literal: the rules are those of its reference, and each case says which.

/** `name 2×2 1 2 3 4 [rows] (columns) dtype {arithmetic}` of each matrix, and the problems with their places. */
function summary(text: string): string {
  const { matrices, problems } = parseMatrices(text);
  const found = matrices.map((m) => {
    const parts = [
      `${m.name ?? '-'} ${m.shape.join('×')} ${[...m.values].join(' ')}`,
      m.rowLabels && `[${m.rowLabels.join(' ')}]`,
      m.columnLabels && `(${m.columnLabels.join(' ')})`,
      m.dtype,
      m.expression && `{${text.slice(m.expression.start, m.expression.end)}}`,
    ];
    return parts.filter((part) => part !== undefined).join(' ');
  });
  return [...found, ...problems.map((p) => where(text, p))].join('; ');
}

function test(cases: readonly (readonly [string, string])[]): void {
  for (const [text, expected] of cases) it(text.replaceAll('\n', '⏎'), () => assert.equal(summary(text), expected));
}

describe('arithmetic after a literal, which is not computed', () => {
  // MATLAB and Julia: operators with a point work element by element; `\` divides from the left; Octave indexes a literal.
  test([
    ['A = [1 2; 3 4] .* 2', 'A 2×2 1 2 3 4 {.* 2}'],
    ['A = [1 2; 3 4].^2', 'A 2×2 1 2 3 4 {.^2}'],
    ['A = [1 2; 3 4] ./ B', 'A 2×2 1 2 3 4 {./ B}'],
    ['A = [1 2; 3 4] .\\ B', 'A 2×2 1 2 3 4 {.\\ B}'],
    ['A = [1 2; 3 4] \\ B', 'A 2×2 1 2 3 4 {\\ B}'],
    ['A = [1 2; 3 4] == 2', 'A 2×2 1 2 3 4 {== 2}'],
    ['A = [1 2; 3 4] ~= 2', 'A 2×2 1 2 3 4 {~= 2}'],
    ['A = [1 2; 3 4] != 2', 'A 2×2 1 2 3 4 {!= 2}'],
    ['A = [1 2; 3 4] <= 2', 'A 2×2 1 2 3 4 {<= 2}'],
    ['A = [1 2; 3 4] > 2', 'A 2×2 1 2 3 4 {> 2}'],
    ['A = [1 2; 3 4] .== 2', 'A 2×2 1 2 3 4 {.== 2}'],
    ['A = [1 2; 3 4] .< 2', 'A 2×2 1 2 3 4 {.< 2}'],
    ['A = [1 2; 3 4] .+ 2', 'A 2×2 1 2 3 4 {.+ 2}'],
    ['A = [1 2; 3 4] .- 2', 'A 2×2 1 2 3 4 {.- 2}'],
    ['A = [1 2; 3 4] & 1', 'A 2×2 1 2 3 4 {& 1}'],
    ['A = [1 2; 3 4] |> f', 'A 2×2 1 2 3 4 {|> f}'],
    ['A = [1 2; 3 4] ÷ 2', 'A 2×2 1 2 3 4 {÷ 2}'],
    ['A = [1 2; 3 4](1, :)', 'A 2×2 1 2 3 4 {(1}'],
    ['A = [1 2; 3 4] * (2)', 'A 2×2 1 2 3 4 {*}'],
    ['A = [1 2\n 3 4] .* 2', 'A 2×2 1 2 3 4 {.* 2}'],
    ["A = [1 2; 3 4]'", "A 2×2 1 2 3 4 {'}"],
    ["A = [1 2; 3 4].'", "A 2×2 1 2 3 4 {.'}"],
    ['A = [1 2; 3 4]^2', 'A 2×2 1 2 3 4 {^2}'],
    // R: anything between two percent signs is an operator.
    ['Q <- matrix(1:4, 2) %in% K', 'Q 2×2 1 3 2 4 {%in% K}'],
    ['Q <- matrix(1:4, 2) %o% K', 'Q 2×2 1 3 2 4 {%o% K}'],
    ['Q <- matrix(1:4, 2) %*% K', 'Q 2×2 1 3 2 4 {%*% K}'],
    ['Q <- matrix(1:4, 2) %>% t()', 'Q 2×2 1 3 2 4 {%>% t}'],
    ['Q <- matrix(1:4, 2) |> t()', 'Q 2×2 1 3 2 4 {|> t}'],
    ['Q = {{1, 2}, {3, 4}} == K', 'Q 2×2 1 2 3 4 {== K}'],
    ['let q = array![[1., 2.], [3., 4.]] && m;', 'q 2×2 1 2 3 4 {&& m}'],
  ]);
});

describe('what is no arithmetic', () => {
  test([
    ['A = [1 2; 3 4];', 'A 2×2 1 2 3 4'],
    ['A = [1 2; 3 4] % note', 'A 2×2 1 2 3 4'],
    ['A = [1 2; 3 4]. Then B.', 'A 2×2 1 2 3 4'],
    ['A = [1 2; 3 4] (see below)', 'A 2×2 1 2 3 4'],
    ['A = [1 2; 3 4], B = [5 6; 7 8]', 'A 2×2 1 2 3 4; B 2×2 5 6 7 8'],
    ['| [1 2; 3 4] | [5 6; 7 8] |', '- 2×2 1 2 3 4; - 2×2 5 6 7 8'],
    ['Q <- matrix(1:4, 2) -> P', 'Q 2×2 1 3 2 4'],
    ['Q = {{1, 2}, {3, 4}} // MatrixForm', 'Q 2×2 1 2 3 4'],
    ['double Q[2][2] = {{1, 2}, {3, 4}}; /* * 2 */', 'Q 2×2 1 2 3 4 float64'],
  ]);
});

describe('sizes in a declaration', () => {
  // C11 6.7.9, C++ [dcl.init.aggr], Go's composite literals: a flat list fills rows in order, what is left out is 0.
  test([
    ['double Q[2][2] = {1, 2, 3, 4};', 'Q 2×2 1 2 3 4 float64'],
    ['double Q[][2] = {1, 2, 3, 4, 5, 6};', 'Q 3×2 1 2 3 4 5 6 float64'],
    ['double Q[2][1][2] = {1, 2, 3, 4};', 'Q 2×1×2 1 2 3 4 float64'],
    ['double Q[N][M] = {1, 2, 3, 4};', 'Q 4 1 2 3 4 float64'],
    ['double Q[N][2] = {{1, 2}, {3, 4}};', 'Q 2×2 1 2 3 4 float64'],
    ['double Q[2] = {1, 2};', 'Q 2 1 2 float64'],
    ['double Q[1][2][2] = {{{1, 2}, {3, 4}}};', 'Q 1×2×2 1 2 3 4 float64'],
    ['double Q[2][2] = {1, 2, 3};', 'shape-mismatch 1:18 {1, 2, 3}'],
    ['double Q[][2] = {1, 2, 3};', 'shape-mismatch 1:17 {1, 2, 3}'],
    ['double Q[3][2] = {{1, 2}, {3, 4}};', 'shape-mismatch 1:18 {{1, 2}, {3, 4}}'],
    ['double Q[2][3] = {{1, 2}, {3, 4}};', 'shape-mismatch 1:18 {{1, 2}, {3, 4}}'],
    ['float Q[5] = {1, 2};', 'shape-mismatch 1:14 {1, 2}'],
    ['static constexpr double Q[2][2]{{1, 2}, {3, 4}};', 'Q 2×2 1 2 3 4 float64'],
    ['static constexpr double Q[3][2]{{1, 2}, {3, 4}};', 'shape-mismatch 1:32 {{1, 2}, {3, 4}}'],
    ['Q := [2][2]float64{{1, 2}, {3, 4}}', 'Q 2×2 1 2 3 4 float64'],
    ['Q := [3][2]float64{{1, 2}, {3, 4}}', 'shape-mismatch 1:6 [3][2]float64{{1, 2}, {3, 4}}'],
    ['Q := [...]float64{1, 2, 3}', 'Q 3 1 2 3 float64'],
    ['Q := [3]float64{1, 2}', 'shape-mismatch 1:6 [3]float64{1, 2}'],
    ['float[,] Q = new float[2, 2] {{1, 2}, {3, 4}};', 'Q 2×2 1 2 3 4 float32'],
    ['std::array<float, 4> q = {1, 2};', 'shape-mismatch 1:26 {1, 2}'],
    ['std::array<float, 2> q = {1, 2};', 'q 2 1 2 float32'],
    // The outer braces are those of the class, the next ones those of the array in it.
    ['std::array<std::array<float, 2>, 2> Q{{{1, 2}, {3, 4}}};', 'Q 2×2 1 2 3 4 float32'],
    ['std::array<std::array<float, 2>, 3> Q{{{1, 2}, {3, 4}}};', 'shape-mismatch 1:38 {{{1, 2}, {3, 4}}}'],
    ['std::vector<std::array<float, 2>> Q = {{1, 2}, {3, 4}};', 'Q 2×2 1 2 3 4 float32'],
  ]);

  it('are named beside what is given', () => {
    const message = (text: string): string | undefined => parseMatrices(text).problems[0]?.message;
    assert.equal(message('double Q[3][2] = {{1, 2}, {3, 4}};'), '3×2 is declared, 2×2 is given');
    assert.equal(message('double Q[][2] = {1, 2, 3};'), '?×2 is declared, 3 is given');
  });
});

describe('commas in numbers of LaTeX', () => {
  const matrix = (cells: string): string => `Q = \\begin{bmatrix} ${cells} \\end{bmatrix}`;
  // TeX sets a comma without the space behind it as {,}: between thousands in English, before decimals in German or French.
  test([
    [matrix('1{,}000 & 2 \\\\ 12{,}345 & 1{,}000{,}000'), 'Q 2×2 1000 2 12345 1000000'],
    [matrix('1{,}5 & 2 \\\\ 3 & -4{,}25'), 'Q 2×2 1.5 2 3 -4.25'],
    [matrix('0{,}125 & 1{,}000'), 'Q 1×2 0.125 1'],
    [matrix('0{,}5 & 10{,}375'), 'Q 1×2 0.5 10.375'],
    [matrix('1{,}2345 & 2'), 'Q 1×2 1.2345 2'],
    [matrix('10{,}000 & 2'), 'Q 1×2 10000 2'],
    [matrix('1{,}000.5 & 2'), 'Q 1×2 1000.5 2'],
    [matrix('1{,}000.5 & 0{,}5'), 'malformed 1:21 1{,}000.5'],
  ]);
});

describe('frames of pandas', () => {
  // By pandas 1.5: each value and label is what the frame has.
  test([
    ['df = pd.DataFrame([1, 2, 3])', 'df 3×1 1 2 3'],
    ['pd.DataFrame([[1, 2], [3, 4]], index=[0, 1], columns=["a", "b"])', '- 2×2 1 2 3 4 [0 1] (a b)'],
    ['pd.DataFrame([[1, 2], [3, 4]], index=["x"])', 'shape-mismatch 1:14 [[1, 2], [3, 4]]'],
    ['pd.DataFrame({0: [1, 2], 129: [3, 4]})', '- 2×2 1 3 2 4 (0 129)'],
    ['pd.DataFrame({"a": [1, 2], "b": [3, 4]}, columns=["a", "b"])', '- 2×2 1 3 2 4 (a b)'],
    ['pd.DataFrame({"a": [1, 2], "b": [3, 4]}, columns=["a", "c"])', 'expression 1:20 [1, 2]'],
    ['pd.DataFrame({"a": [1, 2], "b": [3, 4]}, columns=["c", "b"])', 'expression 1:20 [1, 2]'],
    ['pd.DataFrame({"a": [[1, 2]], "b": [3]})', 'too-deep 1:20 [[1, 2]]'],
    ['pd.DataFrame({"a": [1, 2], "b": [3]})', 'ragged 1:33 [3]'],
    ['Q = pd.DataFrame([[1, 2], [3, 4]]).to_numpy()', 'Q 2×2 1 2 3 4'],
    ['Q = pd.DataFrame([[1, 2], [3, 4]], dtype="float32").values', 'Q 2×2 1 2 3 4 float32'],
    ['Q = pd.DataFrame([[1, 2], [3, 4]], dtype=np.float64).T', 'Q 2×2 1 2 3 4 float64 {.T}'],
    ['Q = pd.DataFrame([[1, 2], [3, 4]], copy=True)', 'Q 2×2 1 2 3 4'],
    ['Q = pd.DataFrame([[1, 2], [3, 4]], copy=float64)', 'Q 2×2 1 2 3 4'],
    ['Q = pd.DataFrame(np.array([[1, 2], [3, 4]], dtype=float), columns=list("ab"))', 'Q 2×2 1 2 3 4 (a b) float'],
    ['pd.Series([1, 2], index=["a"])', 'shape-mismatch 1:11 [1, 2]'],
    ['pd.Series([1, 2, 3], name="x")', '- 3 1 2 3'],
  ]);
});

describe('calls of R', () => {
  // By R's documentation: matrix and array fill column by column, structure takes dim or .Dim, data or .Data.
  test([
    ['Q <<- matrix(1:6, ncol = 3, byrow = TRUE)', 'Q 2×3 1 2 3 4 5 6'],
    ['Q <- structure(c(1, 2, 3, 4), .Dim = c(2L, 2L))', 'Q 2×2 1 3 2 4'],
    ['Q <- structure(.Data = c(1, 2, 3, 4), .Dim = c(2L, 2L))', 'Q 2×2 1 3 2 4'],
    ['Q <- array(1:4, dim = c(2, 2), dimnames = list(c("a", "b"), c("u", "v")))', 'Q 2×2 1 3 2 4 [a b] (u v)'],
    ['Q <- array(1:4, dim = c(2, 0))', ''],
    ['Q <- array(1:4, dim = c(2.5, 2))', ''],
    ['Q <- array(1:4, dim = c(4, 1, 1, 1, 1))', 'too-deep 1:23 c(4, 1, 1, 1, 1)'],
    ['Q <- cbind(a = c(1, 2), b = c(3, 4))', 'Q 2×2 1 3 2 4 (a b)'],
    ['Q <- rbind(a = c(1, 2), b = c(3, 4))', 'Q 2×2 1 2 3 4 [a b]'],
    ['Q <- matrix(rep(c(1, 2), 2), 2)', 'Q 2×2 1 1 2 2'],
    ['Q <- matrix(seq_len(4), 2)', 'Q 2×2 1 3 2 4'],
    ['Q <- matrix(c(1, 2, "a", 4), 2)', 'string 1:21 "a"'],
    ['Q <- matrix(c(TRUE, FALSE, T, F), 2)', 'Q 2×2 1 1 0 0'],
    ['Q <- matrix(c(1+2i, 2, 3, 4), 2)', 'complex 1:15 1+2i'],
    ['Q <- matrix(4:1, 2)', 'Q 2×2 4 2 3 1'],
    ['Q <- matrix(c(-1:2), 2)', 'Q 2×2 -1 1 0 2'],
    ['Q <- matrix(1:5, 2)', 'shape-mismatch 1:13 1:5'],
  ]);
});

describe('factors before a matrix of LaTeX', () => {
  const matrix = '\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}';
  for (const factor of [
    '2',
    '\\alpha +',
    'A +',
    'A -',
    'A \\cdot',
    'A \\times',
    'A \\otimes',
    'A \\odot',
    '\\frac{1}{2}',
    matrix,
  ])
    it(`${factor} makes it a part of an expression`, () => {
      const last = parseMatrices(`Q = ${factor} ${matrix}`).matrices.at(-1);
      assert.ok(last?.expression);
      assert.equal(last.name, undefined);
    });
  for (const none of ['', '\\left'])
    it(`${none || 'nothing'} does not`, () => {
      const text = none === '\\left' ? `Q = \\left[${matrix}\\right]` : `Q = ${none} ${matrix}`;
      const [found] = parseMatrices(text).matrices;
      assert.deepEqual([found?.name, found?.expression], ['Q', undefined]);
    });
});

describe('methods after an array of Python', () => {
  const copies = (count: number): string => '.copy()'.repeat(count);
  const long = 'x'.repeat(120);
  test([
    [`Q = np.array([[1, 2], [3, 4]])${copies(6)}`, 'Q 2×2 1 2 3 4'],
    // More than six are not followed, so that nothing behind them goes unnoticed.
    [`Q = np.array([[1, 2], [3, 4]])${copies(7)}`, 'Q 2×2 1 2 3 4 {.copy()}'],
    [`Q = np.array([[1, 2], [3, 4]])${copies(6)}.T`, 'Q 2×2 1 2 3 4 {.T}'],
    [`Q = np.array([[1, 2], [3, 4]])${copies(5)}.T`, 'Q 2×2 1 2 3 4 {.T}'],
    [`Q = np.array([[1, 2], [3, 4]]).reshape(${long})`, 'Q 2×2 1 2 3 4 {.reshape}'],
    ['Q = np.array([[1, 2], [3, 4]]).reshape(4, 1)', 'Q 2×2 1 2 3 4 {.reshape(4, 1)}'],
    ['Q = np.array([[1, 2], [3, 4]]).astype(np.float32).T', 'Q 2×2 1 2 3 4 {.T}'],
    ['Q = np.array([[1, 2], [3, 4]]).astype("float16")', 'Q 2×2 1 2 3 4 float16'],
    ['Q = torch.tensor([[1, 2], [3, 4]]).float().to("cuda") * 2', 'Q 2×2 1 2 3 4 float32 {* 2}'],
    ['Q = torch.tensor([[1, 2], [3, 4]]).double', 'Q 2×2 1 2 3 4 {.double}'],
  ]);
});

describe('blanks where they mean nothing', () => {
  test([
    ['Q = \\begin{array} {cc} 1 & 2 \\\\ 3 & 4 \\end{array}', 'Q 2×2 1 2 3 4'],
    ['Q = \\begin{array}[t]{cc} 1 & 2 \\\\ 3 & 4 \\end{array}', 'Q 2×2 1 2 3 4'],
    ['Q = \\begin{array} [t] {c|c} 1 & 2 \\\\ 3 & 4 \\end{array}', 'Q 2×2 1 2 3 4'],
    ['| a | b |  \n|---|---|\t\n| 1 | 2 | \n| 3 | 4 |   \n', '- 2×2 1 2 3 4 (a b)'],
    ['  | a | b |\n  |---|---|\n  | 1 | 2 |\n  | 3 | 4 |', '- 2×2 1 2 3 4 (a b)'],
    ['{"": [[1, 2], [3, 4]]}', '- 2×2 1 2 3 4'],
    // A line of code names no columns.
    ['x = y;\n1 2 3\n4 5 6\n', '- 2×3 1 2 3 4 5 6'],
    ['a{ b;\n1 2\n4 5\n', '- 2×2 1 2 4 5'],
  ]);

  it('are no part of a table', () => {
    for (const text of ['1,2\n3,4  ', '1,2\n3,4\t\n', '1 2\n3 4 \n']) {
      const [found] = parseMatrices(text).matrices;
      assert.ok(found);
      assert.match(text.slice(found.range.start, found.range.end), /^1[ ,]2\n3[ ,]4$/);
    }
  });
});

describe('an item that is written as a number and is none that can be read', () => {
  // At each place of each notation, as the first number of all too, it is named where it stands.
  const notations: readonly (readonly [string, (numbers: readonly string[]) => string])[] = [
    ['C', ([a, b, c, d]) => `float Q[2][2] = {{${a}, ${b}}, {${c}, ${d}}};`],
    ['C, flat', (numbers) => `float Q[2][2] = {${numbers.join(', ')}};`],
    ['C, a vector', (numbers) => `float q[4] = {${numbers.join(', ')}};`],
    ['Java', ([a, b, c, d]) => `double[][] Q = {{${a}, ${b}}, {${c}, ${d}}};`],
    ['C#', ([a, b, c, d]) => `var Q = new double[,] {{${a}, ${b}}, {${c}, ${d}}};`],
    ['Go', ([a, b, c, d]) => `Q := [][]float64{{${a}, ${b}}, {${c}, ${d}}}`],
    ['Mathematica', ([a, b, c, d]) => `Q = {{${a}, ${b}}, {${c}, ${d}}}`],
    ['Rust', ([a, b, c, d]) => `let Q = vec![vec![${a}, ${b}], vec![${c}, ${d}]];`],
    ['R', (numbers) => `Q <- matrix(c(${numbers.join(', ')}), 2)`],
    ['R, a vector', (numbers) => `q <- c(${numbers.join(', ')})`],
    ['Python', ([a, b, c, d]) => `Q = [[${a}, ${b}], [${c}, ${d}]]`],
    ['Python, a call', ([a, b, c, d]) => `Q = np.array([[${a}, ${b}], [${c}, ${d}]])`],
  ];
  const isOfC = (name: string): boolean => /^(C|Java|Go|Mathematica)/.test(name);
  for (const [name, write] of notations)
    it(`in ${name}`, () => {
      for (const place of [0, 1, 2, 3]) {
        const said = (item: string): string => summary(write(['1', '2', '3', '4'].with(place, item)));
        const column = write(['1', '2', '3', '4'].with(place, '§')).indexOf('§') + 1;
        for (const [item, problem] of [
          ['1e', 'malformed'],
          ['0x', 'malformed'],
          ['3i', 'complex'],
          ['-3i', 'complex'],
        ] as const)
          // prettier-ignore
          assert.equal(said(item), `${problem} 1:${column} ${item}`, `${item} at ${place}`);
        // 010 is eight in C, Java, Go, JavaScript, PHP and Ruby, and ten in C#, Rust, R, MATLAB and Swift.
        for (const octal of ['010', '-010', '0777']) {
          const isOwn = name === 'Rust' || name.startsWith('R');
          if (isOwn) assert.match(said(octal), / (-?10|777)\b/, `${octal} at ${place}`);
          else assert.equal(said(octal), `malformed 1:${column} ${octal}`, `${octal} at ${place}`);
        }
        if (isOfC(name)) for (const octal of ["0'10", '0_10', '010L', '00']) assert.equal(said(octal), `malformed 1:${column} ${octal}`, `${octal} at ${place}`); // prettier-ignore
        // The same number in both readings, and numbers with a point, which are decimal in all of them.
        for (const [item, value] of [['010.5', '10.5'], ['0.5', '0.5'], ['0', '0']] as const) assert.match(said(item), new RegExp(`[ ]${value.replace('.', '\\.')}\\b`), item); // prettier-ignore
      }
    });

  it('is said in words', () => {
    for (const text of [
      'float Q[2][2] = {{010, 2}, {3, 4}};',
      'const Q = [[010, 2], [3, 4]];',
      'const Q = [[1, 010], [3, 4]];',
    ]) {
      const [problem] = parseMatrices(text).problems;
      assert.equal(problem?.message, '010 is octal in some languages and decimal in others');
      assert.equal(problem.hint, 'Write it without the leading 0.');
    }
    for (const text of ['Q = [[00, 01], [07, 08]]', 'Q = [[007, 001], [09, 0]]'])
      assert.deepEqual(parseMatrices(text).problems, [], text);
  });

  it('NA is said in R at each place', () => {
    assert.equal(summary('Q <- matrix(c(NA, 2, 3, 4), 2)'), 'null 1:15 NA');
    assert.equal(summary('Q <- matrix(c(1, NA_real_, 3, 4), 2)'), 'null 1:18 NA_real_');
    assert.equal(summary('Q <- matrix(c(2+1i, 2, 3, 4), 2)'), 'complex 1:15 2+1i');
  });

  it('is no reason to take other lists for matrices', () => {
    // Modes of files, strings and names are data of other kinds.
    for (const text of [
      'mode_t modes[] = {0644, 0755};',
      'const char *q[] = {"a", "b"};',
      'enum q {a, b};',
      'int flags[2] = {0x, 1};',
      'let x = [1st, 2nd];',
      'f(c(NA, 1))',
    ])
      assert.equal(summary(text), '', text);
  });
});
