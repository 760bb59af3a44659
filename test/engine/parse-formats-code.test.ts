import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { literalAt } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { at, onlyMatrix, root, valuesOf, where } from './parse-support';

const { Infinity: inf, NaN: nan } = globalThis;

/** Text, name, shape, values. */
type Case = readonly [text: string, name: string | undefined, shape: readonly number[], values: readonly number[]];

function check([text, name, shape, values]: Case): void {
  const found = onlyMatrix(text);
  assert.equal(found.name, name);
  assert.deepEqual([...found.shape], shape);
  assert.deepEqual([...found.values], values);
}

const all = (cases: readonly Case[]): void => {
  for (const one of cases) it(one[0].replaceAll('\n', '⏎'), () => check(one));
};

describe('MATLAB, Octave and Julia', () => {
  all([
    ['A = [1 2; 3 4];', 'A', [2, 2], [1, 2, 3, 4]],
    ['Q = [1, 2; 3, 4]', 'Q', [2, 2], [1, 2, 3, 4]],
    ['Q = [1 -2; -.5 +4]', 'Q', [2, 2], [1, -2, -0.5, 4]],
    ['K = [1 2 ...\n     3; 4 5 6]', 'K', [2, 3], [1, 2, 3, 4, 5, 6]],
    ['K = [1 2 ... the first\n     3; 4 5 6]', 'K', [2, 3], [1, 2, 3, 4, 5, 6]],
    ['K = [1 2...\n3; 4 5 6]', 'K', [2, 3], [1, 2, 3, 4, 5, 6]],
    ['K = [1 2...\r\n3; 4 5 6]', 'K', [2, 3], [1, 2, 3, 4, 5, 6]],
    ['K = [1 2 % one\n 3 4]', 'K', [2, 2], [1, 2, 3, 4]],
    ['K = [\n1 2\n3 4\n]', 'K', [2, 2], [1, 2, 3, 4]],
    ['K = [1 2; 3 4;;; 5 6; 7 8]', 'K', [2, 2, 2], [1, 5, 2, 6, 3, 7, 4, 8]],
    ['x = [1; 2]', 'x', [2, 1], [1, 2]],
    ['[1; 2]', undefined, [2, 1], [1, 2]],
    ['V = [ 1 2 % the\n 3 4 % cat\n];', 'V', [2, 2], [1, 2, 3, 4]],
    ['V = [1 2\n     3 4]', 'V', [2, 2], [1, 2, 3, 4]],
    ['x = [1; 2; 3]', 'x', [3, 1], [1, 2, 3]],
    ['Q = [1:3; 4:6]', 'Q', [2, 3], [1, 2, 3, 4, 5, 6]],
    ['Q = [6:-2:0; 1 2 3 4]', 'Q', [2, 4], [6, 4, 2, 0, 1, 2, 3, 4]],
    ['x = [1:3]', 'x', [1, 3], [1, 2, 3]],
    ['x = [1; 2]', 'x', [2, 1], [1, 2]],
    ['M = [NaN Inf; -Inf true];', 'M', [2, 2], [nan, inf, -inf, 1]],
    ['A = single([1.5 2; 3 4]);', 'A', [2, 2], [1.5, 2, 3, 4]],
    ['A = cat(3, [1 2; 3 4], [5 6; 7 8]);', 'A', [2, 2, 2], [1, 5, 2, 6, 3, 7, 4, 8]],
    ['W_q = Float32[1 2; 3 4]', 'W_q', [2, 2], [1, 2, 3, 4]],
    ['v = Float64[1, 2, 3]', 'v', [3], [1, 2, 3]],
    ['v = Float64[1 2 3]', 'v', [1, 3], [1, 2, 3]],
    ['A = [1f0 2.5f-1; 1//2 NaN32]', 'A', [2, 2], [1, 0.25, 0.5, nan]],
    ['A = [1 2; 3 4;;; 5 6; 7 8]', 'A', [2, 2, 2], [1, 5, 2, 6, 3, 7, 4, 8]],
  ]);
  it('says the dtype of a type and of a conversion', () => {
    assert.equal(onlyMatrix('Float32[1 2; 3 4]').dtype, 'float32');
    assert.equal(onlyMatrix('x = double([1 2; 3 4])').dtype, 'float64');
  });
  for (const [text, written] of [
    ["Q = [1 2; 3 4]'", "'"],
    ["x_1 = [1 2 3].'", ".'"],
    ['Q = [1 2; 3 4] * 2', '* 2'],
    ['Q = 2 * [1 2; 3 4]', '*'],
    ['x = tf.constant([1, 2, 3, 4], shape=[2, 2])', 'shape'],
    ['x = tf.Variable([1., 2.], dtype=tf.float32, shape = (2, 1))', 'shape'],
    ['x = np.array([1, 2], ndmin=2)', 'ndmin'],
  ] as const) {
    it(`${text} is an expression`, () => {
      const { expression } = onlyMatrix(text);
      assert.ok(expression);
      assert.equal(text.slice(expression.start, expression.end), written);
    });
  }
  it('takes a shape that is the written one for no expression', () => {
    for (const text of ['x = tf.constant([[1, 2]], shape=[1, 2])', 'x = tf.constant([[1, 2]], shape=(1, 2,))', "x = np.array([1, 2], like='shape')"])
      assert.equal(onlyMatrix(text).expression, undefined, text);
  }); // prettier-ignore
  it('leaves the wrapped print of a vector flat', () =>
    assert.deepEqual([...onlyMatrix('[0.1 0.2 0.3\n 0.4 0.5 0.6]').shape], [6]));
});

describe('rows between semicolons', () => {
  it('that are of another length are named without what stands around them', () => {
    const said = (text: string): string => parseMatrices(text).problems.map((p) => where(text, p)).join('; '); // prettier-ignore
    assert.equal(said('A = [1, 2; 3]'), 'ragged 1:12 3');
    assert.equal(said('A = [1, 2; 3 ; 4, 5]'), 'ragged 1:12 3');
    assert.equal(said('A = [1, 2; 3, 4, 5 \t; 6, 7]'), 'ragged 1:12 3, 4, 5');
    assert.equal(said('A = [1 2; 3 4'), 'unbalanced 1:5 [');
    for (const rust of ['let x = [1; 2]', 'f(&[1; 2])']) assert.deepEqual([said(rust), parseMatrices(rust).matrices], ['', []]); // prettier-ignore
  });
});

describe('R', () => {
  all([
    ['Q <- matrix(c(1, 2, 3, 4), nrow = 2, byrow = TRUE)', 'Q', [2, 2], [1, 2, 3, 4]],
    ['Q <- matrix(1:6, 2, 3)', 'Q', [2, 3], [1, 3, 5, 2, 4, 6]],
    ['K = matrix(c(1L, -2L, 3e-2, -Inf), ncol = 2)', 'K', [2, 2], [1, 0.03, -2, -inf]],
    ['K <- matrix(c(1, # one\n 2, T, NaN), nrow = 2)', 'K', [2, 2], [1, 1, 2, nan]],
    ['M <- matrix(0, 2, 2)', 'M', [2, 2], [0, 0, 0, 0]],
    ['V <- rbind(c(1, 2), c(3, 4))', 'V', [2, 2], [1, 2, 3, 4]],
    ['V <- cbind(c(1, 2), c(3, 4))', 'V', [2, 2], [1, 3, 2, 4]],
    ['q <- c(0.5, 1)', 'q', [2], [0.5, 1]],
    ['array(1:8, dim = c(2, 2, 2))', undefined, [2, 2, 2], [1, 5, 3, 7, 2, 6, 4, 8]],
    ['structure(c(1, 2, 3, 4), .Dim = c(2L, 2L))', undefined, [2, 2], [1, 3, 2, 4]],
    // R's documentation of matrix and array: numbers are repeated, columns first; the size that is not given follows.
    ['M <- matrix(1, ncol = 3)', 'M', [1, 3], [1, 1, 1]],
    ['M <- matrix(c(1, 2), nrow = 4)', 'M', [4, 1], [1, 2, 1, 2]],
    ['M <- matrix(c(1, 2, 3))', 'M', [3, 1], [1, 2, 3]],
    ['M <- matrix(1:6, 2)', 'M', [2, 3], [1, 3, 5, 2, 4, 6]],
    ['M <- matrix(1:4, 2, byrow = F)', 'M', [2, 2], [1, 3, 2, 4]],
    ['a <- array(1:3, dim = 3)', 'a', [3], [1, 2, 3]],
    ['a <- array(1:2, c(2, 2))', 'a', [2, 2], [1, 1, 2, 2]],
    ['a <- array(1:4, dim = c(1, 1, 2, 2))', 'a', [1, 1, 2, 2], [1, 3, 2, 4]],
    ['q <- c(1, c(2, 3))', 'q', [3], [1, 2, 3]],
    ['rbind(c(1, 2), 3)', undefined, [2, 2], [1, 2, 3, 3]],
    ['cbind(1, c(1, 2))', undefined, [2, 2], [1, 1, 1, 2]],
    [
      'structure(list(x = c(1, 2), y = c(3, 4)), class = "data.frame", row.names = c(NA, -2L))',
      undefined,
      [2, 2],
      [1, 3, 2, 4],
    ],
  ]);
  it('says what does not fit, and takes what is no matrix for none', () => {
    const said = (text: string): string => parseMatrices(text).problems.map((p) => `${where(text, p)}: ${p.message}`).join('; ');
    const cases: readonly [string, string][] = [
      ['M <- matrix(1:3, ncol = 2)', 'shape-mismatch 1:13 1:3: 3 numbers do not fill 2×2'],
      ['M <- matrix(1:5, nrow = 2)', 'shape-mismatch 1:13 1:5: 5 numbers do not fill 2×3'],
      ['structure(c(1, 2, 3), dim = c(2, 2))', 'shape-mismatch 1:11 c(1, 2, 3): 3 numbers do not fill 2×2'],
      ['a <- array(1:4, dim = c(1, 1, 1, 2, 2))', 'too-deep 1:23 c(1, 1, 1, 2, 2): 5 dimensions'],
      ['rbind(c(1, 2, 3), c(1, 2))', 'ragged 1:19 c(1, 2): row 2 has 2 numbers, the longest has 3'],
      ['cbind(c(1, 2), c(1, 2, 3))', 'ragged 1:7 c(1, 2): column 1 has 2 numbers, the longest has 3'],
      ['structure(c(1, 2), dim = c(0, 2))', ''], ['structure(c(1, 2))', ''], ['rbind(c("a", "b"), c(1, 2))', ''], ['rbind(deparse.level = 0)', ''],
      ['structure(numeric(0), dim = c(1, 2))', ''],
    ];
    for (const [text, expected] of cases) {
      assert.equal(said(text), expected, text);
      assert.deepEqual(parseMatrices(text).matrices, [], text);
    }
  }); // prettier-ignore
  it('keeps the labels of dimnames and of named rows', () => {
    const m = onlyMatrix('S <- matrix(1:4, 2, dimnames = list(c("the", "cat"), c("a", "b")))');
    assert.deepEqual(
      [m.rowLabels, m.columnLabels],
      [
        ['the', 'cat'],
        ['a', 'b'],
      ],
    );
    const rows = onlyMatrix('S <- rbind(the = c(1, 2), cat = c(3, 4))');
    assert.deepEqual([rows.rowLabels, rows.columnLabels], [['the', 'cat'], undefined]);
    const columns = onlyMatrix('data.frame(x = c(1, 2), y = c(3, 4))');
    assert.deepEqual([columns.rowLabels, columns.columnLabels], [undefined, ['x', 'y']]);
    const options = onlyMatrix('data.frame(x = c(1, 2), y = c(3, 4), stringsAsFactors = FALSE)');
    assert.deepEqual(
      [options.shape, options.columnLabels],
      [
        [2, 2],
        ['x', 'y'],
      ],
    );
    assert.deepEqual(onlyMatrix('rbind(c(a = 1, b = 2), c(3, 4))').columnLabels, ['a', 'b']);
    assert.deepEqual(onlyMatrix('cbind(c(a = 1, b = 2), c(3, 4))').rowLabels, ['a', 'b']);
    assert.equal(onlyMatrix('cbind(a = c(1, 2), c(3, 4))').columnLabels, undefined);
  });
  it('a transposed or multiplied matrix is an expression', () => {
    assert.ok(onlyMatrix('t(matrix(1:4, 2))').expression);
    assert.ok(onlyMatrix('Q <- matrix(1:4, 2) %*% W').expression);
  });
});

describe('braces of C, C++, Java, C#, Go and Mathematica', () => {
  all([
    ['float m[2][2] = {{1.0f, 2.5f}, {3.0f, -4e-3f}};', 'm', [2, 2], [1, 2.5, 3, -0.004]],
    ['double w[2] = {0x1.8p3, -0x.8p-1};', 'w', [2], [12, -0.25]],
    ['std::vector<std::vector<float>> W = {{1, 2}, {3, 4}};', 'W', [2, 2], [1, 2, 3, 4]],
    ['std::vector<std::vector<double>> W{{1, 2}, {3, 4}};', 'W', [2, 2], [1, 2, 3, 4]],
    ['auto q = std::vector<std::vector<float>>{{1, 2}, {3, 4}};', 'q', [2, 2], [1, 2, 3, 4]],
    ['double[,] q = new double[,] { {1, 2}, {3, 4} };', 'q', [2, 2], [1, 2, 3, 4]],
    ['var q = new float[][] { new float[] {1f, 2f}, new[] {3f, 4f}, };', 'q', [2, 2], [1, 2, 3, 4]],
    ['W_q := [][]float64{{1, 2}, {3, math.Inf(-1)}}', 'W_q', [2, 2], [1, 2, 3, -inf]],
    ['var m [2][2]float32 = [2][2]float32{\n  {1, 2}, // the\n  /* cat */ {3, 4},\n}', 'm', [2, 2], [1, 2, 3, 4]],
    ['Q = {{1, 2}, {1/4, 4.5*^-3}}', 'Q', [2, 2], [1, 2, 0.25, 0.0045]],
    ['{{1, 2}, {3, 4}}', undefined, [2, 2], [1, 2, 3, 4]],
    ['Dot[{{1, 2}, {3, 4}}, x]', undefined, [2, 2], [1, 2, 3, 4]],
    ["unsigned m[2][2] = {{1'000u, 2ul}, {0xffu, 4}};", 'm', [2, 2], [1000, 2, 255, 4]],
    ['float m[2][2] = {{INFINITY, -INFINITY}, {NAN, true}};', 'm', [2, 2], [inf, -inf, nan, 1]],
    ['static final double[][][] V = {{{1, 2}}, {{3, 4}}};', 'V', [2, 1, 2], [1, 2, 3, 4]],
    ['float q[1][1][1][2] = {{{{1, 2}}}};', 'q', [1, 1, 1, 2], [1, 2]],
  ]);
  it('says the dtype of the declaration', () => {
    assert.equal(onlyMatrix('float m[1][2] = {{1, 2}};').dtype, 'float32');
    assert.equal(onlyMatrix('x := [][]float64{{1, 2}}').dtype, 'float64');
    assert.equal(onlyMatrix('int m[2][2] = {{1, 2}, {3, 4}};').dtype, 'int32');
  });
});

describe('Rust', () => {
  all([
    ['let w_q = vec![vec![1.0, 2.0], vec![3.0, 4.0f32]];', 'w_q', [2, 2], [1, 2, 3, 4]],
    ['let q: [[f32; 2]; 2] = [[1_000f32, 2.0], [f32::NEG_INFINITY, 4.0]];', 'q', [2, 2], [1000, 2, -inf, 4]],
    ['let a: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];', 'a', [2, 2], [1, 2, 3, 4]],
    ['let q = array![[1., 2.], [3., 4.]];', 'q', [2, 2], [1, 2, 3, 4]],
    ['let q = arr2(&[[1., 2.], [3., 4.]]);', 'q', [2, 2], [1, 2, 3, 4]],
    ['let q = vec![vec![0.5; 3]; 2];', 'q', [2, 3], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]],
    ['foo(&[[1.0, 2.0], [3.0, 4.0]])', undefined, [2, 2], [1, 2, 3, 4]],
  ]);
});

describe('gonum', () => {
  all([
    ['W_q := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, -6e-1})', 'W_q', [2, 3], [1, 2, 3, 4, 5, -0.6]],
    [
      'var Q = mat.NewDense( 2,\n\t2, []float64{\n\t1, 2, // first\n\t3, math.Inf(-1),\n})',
      'Q',
      [2, 2],
      [1, 2, 3, -inf],
    ],
    ['x := mat.NewVecDense(3, []float64{1, 2, 3})', 'x', [3], [1, 2, 3]],
  ]);
  it('is of float64', () => {
    assert.equal(onlyMatrix('K := mat.NewDense(1, 2, []float64{1, 2})').dtype, 'float64');
  });
});

describe('nalgebra', () => {
  all([
    // Row by row: https://docs.rs/nalgebra/latest/nalgebra/base/struct.Matrix.html (`new`, `from_row_slice`).
    [
      'let w_q = Matrix3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);',
      'w_q',
      [3, 3],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
    [
      'let q: na::Matrix2x3<f32> = na::Matrix2x3::<f32>::new(\n    1.0, 2.0, 3.0, // a\n    4.0, 5.0, 6.0,\n);',
      'q',
      [2, 3],
      [1, 2, 3, 4, 5, 6],
    ],
    ['let k = nalgebra::Matrix2::new(1., f64::NEG_INFINITY, -3f64, 4.);', 'k', [2, 2], [1, -inf, -3, 4]],
    ['let b_q = Vector3::new(1.0, 2.0, 3.0);', 'b_q', [3], [1, 2, 3]],
    ['let x = RowVector2::new(1.0, 2.0);', 'x', [2], [1, 2]],
    ['let v = DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);', 'v', [2, 3], [1, 2, 3, 4, 5, 6]],
    ['let v = Matrix2x3::from_row_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);', 'v', [2, 3], [1, 2, 3, 4, 5, 6]],
    // Column by column: the same page, `from_vec`, `from_column_slice`.
    ['let v = DMatrix::from_vec(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);', 'v', [2, 3], [1, 3, 5, 2, 4, 6]],
    ['let v = DMatrix::from_column_slice(3, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);', 'v', [3, 2], [1, 4, 2, 5, 3, 6]],
    ['let v = Matrix2::from_vec(vec![1.0, 2.0, 3.0, 4.0]);', 'v', [2, 2], [1, 3, 2, 4]],
    ['let b = DVector::from_vec(vec![1.0, 2.0, 3.0, 4.0, 5.0]);', 'b', [5], [1, 2, 3, 4, 5]],
  ]);
  it('has the precision of its type', () => {
    assert.equal(onlyMatrix('let q = Matrix2::<f32>::new(1.0, 2.0, 3.0, 4.0);').dtype, 'float32');
  });
});

describe('numbers of NumPy', () => {
  for (const word of ['np.infty', 'numpy.infty', 'numpy.inf', 'numpy.Inf', 'np.Infinity', 'np.PINF'])
    it(word, () => {
      assert.deepEqual(
        [...onlyMatrix(`M = np.array([[0, -${word}], [${word}, 0]])`).values.map((x) => x || 0)],
        [0, -inf, inf, 0],
      );
    });
});

describe('JavaScript, TypeScript and JSON', () => {
  all([
    ['const q = new Float32Array([1, .5, -Infinity,]);', 'q', [3], [1, 0.5, -inf]],
    ['const Q = [\n  [1, 2], // the\n  [3, 4], /* cat */\n] as const;', 'Q', [2, 2], [1, 2, 3, 4]],
    ['const Q: number[][] = [[1, Number.NEGATIVE_INFINITY], [NaN, 4]];', 'Q', [2, 2], [1, -inf, nan, 4]],
    ['{"Q": [[1, 2], [3, 4]]}', 'Q', [2, 2], [1, 2, 3, 4]],
    ['const q = [[1, 2], [3, 4]] satisfies number[][];', 'q', [2, 2], [1, 2, 3, 4]],
  ]);
});

describe('numbers of every kind', () => {
  const numbers: readonly (readonly [string, number])[] = [
    ['1.', 1],
    ['.5', 0.5],
    ['1e-3', 0.001],
    ['1_000', 1000],
    ['-inf', -inf],
    ["float('-inf')", -inf],
    ['-np.inf', -inf],
    ['-math.inf', -inf],
    ['-Infinity', -inf],
    ['Number.NEGATIVE_INFINITY', -inf],
    ['NaN', nan],
    ['nan', nan],
    ['True', 1],
    ['False', 0],
    ['1/4', 0.25],
  ];
  for (const [text, x] of numbers) it(text, () => assert.deepEqual(valuesOf(`[[${text}, 2]]`), [x, 2]));
  // C11 6.4.4.2, each by hand: mantissa · 2^exponent.
  const hex: readonly (readonly [string, number])[] = [
    ['0x1p-1074', 5e-324],
    ['0x1.fffffffffffffp1023', Number.MAX_VALUE],
    ['0x0.0000000000001p-1022', 5e-324],
    ['0xA.8p0', 10.5],
    ['0x1p1024', inf],
    ['0x1.999999999999ap-4', 0.1],
  ];
  for (const [text, x] of hex) it(text, () => assert.deepEqual(valuesOf(`double x[2] = {${text}, 2};`), [x, 2]));
});

describe('what is wrong with a literal, and where', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['A = [1 2; 3]', 'ragged 1:11 3'],
    ['A = [1 2; 3 - 4 5]', 'unexpected 1:13 -'],
    ['A = [1 2; 3+2i 4]', 'complex 1:12 +2i'],
    ['A = [1 2; a 4]', 'unknown-name 1:11 a'],
    ['A = [1 2; 3 ... 4]', 'elided 1:13 ...'],
    ['A = [1 2; 3 4\nB = 3', 'unbalanced 1:5 ['],
    ['K <- matrix(c(1, NA), 1)', 'null 1:18 NA'],
    ['K <- matrix(c(1, 2+1i), 1)', 'complex 1:18 2+1i'],
    ['K <- matrix(c(1, "a"), 1)', 'string 1:18 "a"'],
    ['K <- matrix(c(1, 2, 3), 2, 2)', 'shape-mismatch 1:13 c(1, 2, 3)'],
    ['K <- matrix(c(1, 2, x, 4), 2)', 'unknown-name 1:21 x'],
    ['rbind(c(1, 2, 3), c(3, 4))', 'ragged 1:19 c(3, 4)'],
    ['array(1:32, dim = c(2, 2, 2, 2, 2))', 'too-deep 1:19 c(2, 2, 2, 2, 2)'],
    ['matrix(1:9999999, 2)', 'too-large 1:8 1:9999999'],
    ['float m[2][2] = {{1, 2}, {3}};', 'ragged 1:26 {3}'],
    ['float m[2][2] = {{1, 2}, {3, x}};', 'unknown-name 1:30 x'],
    ['float m[2][2] = {{1, 2}, {3, "4"}};', 'string 1:30 "4"'],
    ['float m[2][2] = {{1, 2}, {3, 1/3}};', 'expression 1:30 1/3'],
    ['float m[2][2] = {{1, 2}, {3, 4};', 'unbalanced 1:17 {'],
    ['float m[2][2] = {{1, 2}, {3, 4]};', 'unbalanced 1:31 ]'],
    ['float m[2][2] = {{1, 2}, 3};', 'mixed-depth 1:26 3'],
    ['float m[2][2] = {{1, 2}, {010, 3}};', 'malformed 1:27 010'],
    ['float m[2] = {1, .x = 2};', 'unexpected 1:18 .'],
    ['double m[] = {1,, 2};', 'missing-number 1:17 ,'],
    ['W := [][]float64{{1, 2}, {3}}', 'ragged 1:26 {3}'],
    ['let q = vec![vec![1.0, 2.0], vec![3.0]];', 'ragged 1:34 [3.0]'],
    ['Q := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5})', 'shape-mismatch 1:25 []float64{1, 2, 3, 4, 5})'],
    ['Q := mat.NewDense(n, 3, []float64{1, 2, 3, 4, 5, 6})', 'shape-mismatch 1:19 n, 3, '],
    ['let q = Matrix2::new(1.0, 2.0, 3.0);', 'shape-mismatch 1:21 (1.0, 2.0, 3.0)'],
    ['let q = DMatrix::from_vec(2, 2, vec![1.0, 2.0, 3.0]);', 'shape-mismatch 1:33 vec![1.0, 2.0, 3.0])'],
    ['let q = Matrix2::new(1.0, 2.0, a, 4.0);', 'unknown-name 1:32 a'],
  ];
  for (const [text, expected] of cases) {
    it(text.replaceAll('\n', '⏎'), () => {
      const { matrices, problems } = parseMatrices(text);
      assert.equal(matrices.length, 0, JSON.stringify(matrices));
      const [problem] = problems;
      assert.ok(problem);
      assert.equal(where(text, problem), expected);
      assert.ok(problem.hint);
    });
  }
});

describe('what is no matrix', () => {
  const texts = [
    'int f(void) { return 1; }',
    'int a[2] = {0};',
    'int a[] = {1, 2, 3};',
    'struct option o[] = {{"a", 1}, {"b", 2}};',
    'struct s t = { .x = 1, .y = 2 };',
    'p { margin: 0; } @media (min-width: 1px) { a { top: 1 } }',
    'type T = { a: [number, number]; b: Array<1 | 2> };',
    'function f<T extends { a: 1 }>(x: T): { b: 2 } { return { b: 2 }; }',
    'x = {1, 2, 3}',
    'd = {1: 2, 3: 4}',
    'd = {(1, 2), (3, 4)}',
    '{"version": 1, "sizes": {"a": 1}}',
    'let b = [0u8; 1024];',
    'let r = Matrix2::new(a, b, c, d);',
    'let r = Matrix2::new(1.0, b, 2.0, d);',
    'p := new(2, 3)',
    'const m = new (1, 2, 3);',
    'let r = DMatrix::new(1.0, 2.0);',
    'C := mat.NewDense(3, 3, nil)',
    'let x = [1; 2];',
    'fn f(x: [[f32; 2]; 2]) -> [f32; 4] {}',
    'let v = vec!["a", "b"];',
    'f(c(1, 2))',
    'matrix(rnorm(6), 2)',
    'matrix(x, nrow = 2)',
    'for (let i = 0; i < a[1]; i++) { b[2]; }',
    'a = f"{{1, 2}}"',
    'printf("{{1, 2}, {3, 4}} of it");',
    'x{2,3}y',
    '{{ 1 }}',
    '\\frac{1}{2} + x^{10}_{2}',
    'std::array<int, 3> f() { return {1, 2, 3}; }',
    '#define X {1, 2}',
    'namespace a { namespace b { 1 } }',
    'case 1: { 2; } break;',
    'cat(3, x, y)',
    'double(x)',
    'Float32[]',
    'std::vector<int> v{3, 4};',
    'int f(int *a, int *b) __nonnull ((1, 2));',
    'self.step = [1 for dim in var.shape]',
    'tests = [([0, 1], 0), ([1, 1], 1)]',
  ];
  for (const text of texts) {
    it(text, () => {
      assert.deepEqual(parseMatrices(text), { matrices: [], problems: [] });
      for (let i = 0; i <= text.length; i++)
        assert.ok(!/\d×\d/.test(at(`${text.slice(0, i)}|${text.slice(i)}`)), `offset ${i}`);
    });
  }
});

describe('the cursor anywhere in a literal of another language', () => {
  const texts = [
    'Q = [1 2; 3 4]',
    'Q <- matrix(c(1, 2, 3, 4), nrow = 2)',
    'Q = {{1, 2}, {3, 4}}',
    'Q := [][]float64{{1, 2}, {3, 4}}',
    'Q = vec![vec![1.0, 2.0], vec![3.0, 4.0]]',
    'Q = single([1 2; 3 4])',
    'Q = Float32[1 2; 3 4]',
    'Q = new float[][] {{1f, 2f}, {3f, 4f}}',
    'Q = [[1f32, 2.0], [3.0, 4.0]]',
    'Q = Float64[1 2; 3 4]',
  ];
  for (const text of texts) {
    it(text, () => {
      for (let i = 0; i <= text.length; i++) {
        const found = literalAt(`void f() {\n  ${text}\n}\n`, i + 13);
        assert.ok(found && 'matrix' in found, `offset ${i}`);
        assert.deepEqual([found.matrix.name, ...found.matrix.shape], ['Q', 2, 2]);
      }
    });
  }
});

describe('what programs print as source', () => {
  interface Printed {
    readonly program: string;
    readonly shape: readonly number[];
    readonly values: readonly (number | string)[];
    readonly text: string;
  }
  const path = join(root, 'test/fixtures/parse/code.json.gz');
  const { cases } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as { cases: readonly Printed[] };
  const words: Readonly<Record<string, number>> = { inf, '-inf': -inf, nan };
  const valueOf = (x: number | string): number => (typeof x === 'number' ? x : (words[x] ?? assert.fail(x)));
  /** MATLAB has no one-dimensional arrays: `[1 2 3]` is 1×3 there, and a list in every other language. */
  const shapeOf = ({ program, shape }: Printed): readonly number[] =>
    program.startsWith('octave') && shape.length === 2 && shape[0] === 1 ? shape.slice(1) : shape;
  /** What is written as float32 has as many digits as tell it from its neighbours. */
  const read = (program: string, x: number): number => (/float|single/.test(program) ? Math.fround(x) : x);

  it('has cases of each program', () =>
    assert.ok(new Set(cases.map((c) => c.program)).size >= 15 && cases.length >= 130));
  for (const program of new Set(cases.map((c) => c.program))) {
    it(program, () => {
      for (const one of cases.filter((c) => c.program === program)) {
        const found = onlyMatrix(one.text);
        assert.deepEqual([...found.shape], shapeOf(one), one.text);
        one.values.forEach((x, i) =>
          assert.ok(
            Object.is(read(program, found.values[i] ?? nan), valueOf(x)),
            `${one.text}\n${i}: ${found.values[i]} for ${x}`,
          ),
        );
      }
    });
  }
  it('keeps the labels that R wrote', () => {
    for (const { text, shape } of cases.filter((c) => c.program === 'R dimnames')) {
      const found = onlyMatrix(text);
      assert.deepEqual(
        found.rowLabels,
        Array.from({ length: shape[0] ?? 0 }, (_, i) => `row ${i + 1}`),
      );
      assert.deepEqual(found.columnLabels, [...'abcdefgh'.slice(0, shape[1])]);
    }
  });
});

describe('MATLAB, what is not computed', () => {
  const told = (text: string): readonly unknown[] => {
    const [found, ...others] = parseMatrices(text).problems;
    assert.deepEqual(others, []);
    const { start = 0, end = 0 } = found?.range ?? {};
    return [found?.message, text.slice(start, end)];
  };
  it('says which range', () => {
    assert.deepEqual(told('Q = [0:0.1:2; 1 2]'), ['0:0.1:2 is a range that is not computed', '0:0.1:2']);
    assert.deepEqual(told('Q = [1:1e9]'), ['1:1e9 is a range that is not computed', '1:1e9']);
    assert.deepEqual(told('Q = [1:0:9; 1 2]'), ['1:0:9 is a range that is not computed', '1:0:9']);
  });
  it('says that matrices are not joined', () => {
    assert.deepEqual(told('Q = [A; B]'), ['A is not a number', 'A']);
    assert.deepEqual(told('rows = [A; B]'), ['A is not a number', 'A']);
    assert.match(parseMatrices('Q = [A 1; 2 3]').problems[0]?.hint ?? '', /not joined/);
  });
  it('leaves indices, slices and spreads alone', () => {
    for (const text of ['y = a(1:3)', 'b = a[1:3]', 'const list = [...names, ...others];'])
      assert.deepEqual(parseMatrices(text), { matrices: [], problems: [] }, text);
  });
});

describe('R, as strict as R', () => {
  const refused = (text: string): string =>
    parseMatrices(text)
      .problems.map((p) => p.message)
      .join();
  it('takes one number of rows and columns', () => {
    assert.equal(refused('Q <- matrix(c(1, 2, 3, 4), nrow = 1:32)'), 'nrow is no whole number above 0');
    assert.equal(refused('Q <- matrix(c(1, 2, 3, 4), ncol = 0)'), 'ncol is no whole number above 0');
  });
  it('takes sizes for no data', () => {
    assert.deepEqual(parseMatrices("    a : 'f'-array(2,3)\n"), { matrices: [], problems: [] });
    assert.deepEqual([...onlyMatrix('Q <- array(0, dim = c(2, 3))').shape], [2, 3]);
  });
  it('takes one name for each row and column', () => {
    const call = 'Q <- matrix(c(1, 2, 3, 4), nrow = 2, dimnames = list(c("a", "b", "c"), NULL))';
    assert.equal(refused(call), '3 names for 2 rows in dimnames');
  });
});
