import assert from 'node:assert/strict';
import { parseMatrices } from './parse-same';
import { startOfLine } from '../../engine/parse/scanner';
import { stackTokens } from '../../engine/parse/stack-tokens';
import { assembled, at, onlyMatrix, refused, valuesOf, where } from './parse-support';

// Limits, signs and the one place further or less at which something else is read.

const dtypeOf = (text: string): string => assembled(text).spec.dtype;

describe('Python’s float as a dtype', () => {
  // By PyTorch 1.13 and NumPy 1.24: torch.tensor([1.], dtype=float).dtype is torch.float64, torch.float is torch.float32.
  const dtypes: readonly (readonly [string, string])[] = [
    ['torch.tensor([[0.1, 0.2]], dtype=float)', 'float64'],
    ['torch.tensor([[0.1, 0.2]], dtype=torch.float)', 'float32'],
    ['np.array([[0.1, 0.2]], dtype=float)', 'float64'],
    ['np.array([[0.1, 0.2]], float)', 'float64'],
    ['np.array([[0.1, 0.2]], dtype=np.float)', 'float64'],
    // tf.as_dtype(float) is tf.float32; JAX has no float64 unless it is switched on.
    ['tf.constant([[0.1, 0.2]], dtype=float)', 'float32'],
    ['jnp.array([[0.1, 0.2]], dtype=float)', 'float32'],
  ];
  for (const [text, dtype] of dtypes) it(`${text}: ${dtype}`, () => assert.equal(dtypeOf(`X = ${text}`), dtype));
});

describe('vectors of tokens', () => {
  it('have no third dimension', () => {
    const [first] = refused('x_1 = [[[1, 2]]]\nx_2 = [[[3, 4]]]');
    assert.equal(first?.message, "x_1 is 1×1×2, expected one token's vector (d×1, 1×d or a list)");
  });
});

describe('numbers as Python writes them', () => {
  // By Python 3.11: each value is what the interpreter makes of the literal, each of the others is a SyntaxError.
  const values: readonly (readonly [string, readonly number[]])[] = [
    ['[.5_5, 1_0.2_5]', [0.55, 10.25]],
    ['[0xab_cd, 0xAB_CD, 0x1f_e0, 0xF0_0f]', [43981, 43981, 8160, 61455]],
    ['[0x_ff, 0b_11, 0o_17]', [255, 3, 15]],
    ['[0x1p-1, 0x1.8p1, 0x.8p0]', [0.5, 3, 0.5]],
    ['[0x1.fffffffffffffp1023, 0x1p-1074, 0x1p1024]', [Number.MAX_VALUE, Number.MIN_VALUE, Infinity]],
    ['[( 1), (2 ), ( -3 )]', [1, 2, -3]],
    ['[(\t1.5\t), 2]', [1.5, 2]],
  ];
  for (const [text, expected] of values) it(text, () => assert.deepEqual(valuesOf(text), expected));

  for (const word of ['1_.5', '1._5', '1_', '1__0', '0x1_g', '0x1_', '1_e5', '0x__1', '0b1_2', '0x1p', '1.2.3', '12px'])
    it(`${word} is none`, () => {
      const text = `[${word}, 2]`;
      const { matrices, problems } = parseMatrices(text);
      assert.deepEqual([matrices, problems.map((p) => where(text, p))], [[], [`malformed 1:2 ${word}`]]);
    });
});

describe('numbers that were left out', () => {
  for (const dots of ['…', '...'])
    it(`${dots} in a row between semicolons`, () => {
      const text = `M = [1 ${dots} 2; 3 4 5]`;
      assert.equal(parseMatrices(text).problems.map((p) => where(text, p))[0], `elided 1:8 ${dots}`);
    });

  it('… in a later row between semicolons', () => {
    const text = 'M = [1 2; … 4]';
    assert.deepEqual(
      parseMatrices(text).problems.map((p) => where(text, p)),
      ['elided 1:11 …'],
    );
  });
});

describe('R', () => {
  // What R makes of them: c(1, "a") is a vector of strings, c() is NULL.
  for (const text of ['x <- c(1, 2, c("a", "b"))', 'x <- c(c("a", "b"), 1, 2)', 'x <- c(1, 2, "a")', 'x <- c()'])
    it(`${text} has no numbers`, () => assert.deepEqual(parseMatrices(text).matrices, []));

  // By hand, after R's documentation: values go down the columns, rep(x, n) repeats x n times.
  const matrices: readonly (readonly [string, readonly number[], readonly number[]])[] = [
    ['m <- matrix(rep(c(1, 2), 3), 2)', [2, 3], [1, 1, 1, 2, 2, 2]],
    ['m <- matrix(rep(c(1, 2), times = 2), 2)', [2, 2], [1, 1, 2, 2]],
    ['m <- matrix(4:1, 2)', [2, 2], [4, 2, 3, 1]],
    ['m <- array(1:8, c(2, 2, 2))', [2, 2, 2], [1, 5, 3, 7, 2, 6, 4, 8]],
    ['m <- rbind(c(1, c(2, TRUE)), c(3, 4, 5))', [2, 3], [1, 2, 1, 3, 4, 5]],
  ];
  for (const [text, shape, values] of matrices)
    it(text, () => {
      const matrix = onlyMatrix(text);
      assert.deepEqual([matrix.shape, [...matrix.values]], [shape, values]);
    });
});

describe('a bracket with one number and another behind it', () => {
  // An element of a list, and types of arrays in Go.
  for (const text of ['Q = [3][0]', 'Q := [2][3]float64{}', 'var w [3]float64'])
    it(`${text} is no matrix`, () => assert.deepEqual(parseMatrices(text), { matrices: [], problems: [] }));
});

describe('names', () => {
  for (const part of ['data', 'detach', 'params', 'val'])
    it(`are the same with .${part}`, () => assert.equal(onlyMatrix(`W_q.${part} = [[1, 2], [3, 4]]`).role, 'wq'));

  it('in quotes are read up to 78 characters', () => {
    const nameOf = (length: number): string | undefined =>
      onlyMatrix(`{"${'a'.repeat(length)}": [[1, 2], [3, 4]]}`).name;
    assert.deepEqual([nameOf(77)?.length, nameOf(78)], [77, undefined]);
  });
});

describe('a literal that is longer than the window around the cursor', () => {
  it('is said to be, where the window begins between two of its rows', () => {
    assert.equal(at(`Q = [[1, 2],${' '.repeat(200_100)}[3, |4]]`), 'too-large');
  });
});

describe('a pandas frame made of an array', () => {
  // What pandas' documentation says: the frame takes the number type of its array; columns of several types have none in common.
  const dtypes: readonly (readonly [string, string | undefined])[] = [
    ['pd.DataFrame(np.array([[1.5, 2], [3, 4]], dtype=np.float32))', 'float32'],
    ['pd.DataFrame(np.array([[1, 2], [3, 4]], "float16"), columns=["a", "b"])', 'float16'],
    ['pd.DataFrame(np.array([[1, 2]], np.float32), dtype="float64")', 'float64'],
    ['pd.DataFrame([np.array([1, 2], np.float32), np.array([3, 4], np.float32)])', 'float32'],
    ['pd.DataFrame({"a": np.array([1, 2], np.float32), "b": np.array([3, 4], np.float32)})', 'float32'],
    ['pd.DataFrame({"a": np.array([1, 2], np.float32), "b": [3, 4]})', undefined],
    ['pd.DataFrame([[1, 2], [3, 4]])', undefined],
  ];
  for (const [text, dtype] of dtypes) it(`${text}: ${dtype}`, () => assert.equal(onlyMatrix(text).dtype, dtype));

  it('with arithmetic in the call is not read as if it were not there', () => {
    const { matrices, problems } = parseMatrices('pd.DataFrame(np.array([[1, 2]] * 2))');
    assert.deepEqual([matrices, problems.map(({ code }) => code)], [[], ['expression']]);
  });

  it('has the labels of its own words alone', () => {
    const labels = (word: string): unknown => {
      const { rowLabels, columnLabels } = onlyMatrix(`pd.DataFrame([[1, 2], [3, 4]], ${word}=["a", "b"])`);
      return [rowLabels, columnLabels];
    };
    assert.deepEqual(
      ['index', 'columns', 'names'].map(labels),
      [[['a', 'b'], undefined], [undefined, ['a', 'b']], [undefined, undefined]], // prettier-ignore
    );
    assert.deepEqual(onlyMatrix('pd.DataFrame([[1, 2], [3, 4]], index=None)').rowLabels, undefined);
  });
});

describe('ranges with a step', () => {
  // GNU Octave: 3:-1:1 counts down, 1:0:3 is empty, as is 1:0:1.
  it('of −1 count down', () => assert.deepEqual(valuesOf('Q = 3:-1:1'), [3, 2, 1]));
  it('of 0 have no numbers', () =>
    assert.deepEqual(
      ['Q = 1:0:1', 'Q = 1:0:3'].map((text) => parseMatrices(text).problems.map(({ code }) => code)),
      [['expression'], ['expression']],
    ));
});

describe('words for no number', () => {
  for (const word of ['null', 'None', 'undefined', 'nil', 'NULL', 'NA'])
    it(`${word} is said to be none`, () => {
      const text = `[${word}, 1]`;
      assert.deepEqual(parseMatrices(text).problems.map((p) => where(text, p)), [`null 1:2 ${word}`]); // prettier-ignore
    });
});

describe('rows and matrices of another length', () => {
  // Where rows of an earlier matrix were counted too, “rows 1–3” would say where they stand, and wrongly.
  const cases: readonly (readonly [string, string])[] = [
    ['[[[1, 2], [3, 4]], [[5, 6], [7]]]', 'row 2 has 1 number, the others have 2'],
    ['[[[1], [2]], [[1], [2]], [[1]]]', 'matrix 3 has 1 row, matrices 1–2 have 2'],
    ['[[[[1], [2]], [[1], [2]]], [[[1], [2]], [[1]]]]', 'matrix 2 has 1 row, the others have 2'],
    ['[[[1], [2]], [[1]]]', 'matrix 2 has 1 row, matrix 1 has 2'],
  ];
  for (const [text, says] of cases)
    it(text, () => assert.deepEqual(parseMatrices(text).problems.map(({ message }) => message), [says])); // prettier-ignore
});

describe('the start of a line', () => {
  const starts = (text: string): number => startOfLine(text, text.length);
  it('is behind a line break, also one that is written in a string', () => {
    assert.deepEqual(['ab', 'a\nb', 'a\r\nb', 'a\\nb', 'a\\nbn', 'n', 'an'].map(starts), [0, 2, 3, 3, 3, 0, 0]);
    // A tab behind a backslash ends no line, and neither does a letter n alone.
    assert.deepEqual(['a\\\tb', 'and b', 'a\tb'].map(starts), [0, 0, 0]);
  });
});

describe('vectors of tokens that are stacked', () => {
  it('reach from the first to the end of the last', () => {
    const text = 'x_2 = [3, 4]\nx_1 = [1, 2]\nx_3 = [5, 6]';
    const stacked = stackTokens(parseMatrices(text).matrices);
    assert.ok(stacked.ok && stacked.value);
    const { values, range } = stacked.value.matrix;
    assert.deepEqual([...values], [1, 2, 3, 4, 5, 6]);
    assert.equal(range.end, text.length);
  });
});

describe('a matrix', () => {
  // One with an undefined name would be taken for one that has a name by `'name' in matrix`.
  const texts = [
    '[[1, 2], [3, 4]]', 'Q = np.array([[1, 2], [3, 4]])', 'Q = [1 2; 3 4];', '1,2\n3,4\n', 'float Q[2][2] = {{1, 2}, {3, 4}};', 'let q = array![[1.0, 2.0], [3.0, 4.0]];',
    'Q = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n', 'Q <- matrix(c(1, 2, 3, 4), 2)', 'pd.DataFrame([[1, 2], [3, 4]])', 'tensor([[1., 2.],\n        [3., 4.]])', 'Q = 1:3',
  ]; // prettier-ignore
  for (const text of texts)
    it(`says nothing that is undefined: ${text.replaceAll('\n', ' ⏎ ')}`, () => {
      const said = Object.entries(onlyMatrix(text)).filter(([, value]) => value === undefined);
      assert.deepEqual(said, []);
    });
});
