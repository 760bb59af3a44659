import assert from 'node:assert/strict';
import { parseMatrices } from './parse-same';
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
