import assert from 'node:assert/strict';
import { parseMatrices } from '../../engine/parse/index';
import { assembled, onlyMatrix, refused, where } from './parse-support';

// Notes and refusals that few texts meet, each with what it names.

const weights = 'W_q = [[1, 0], [0, 1]]\nW_k = [[1, 2], [0, 1]]\nW_v = [[1, 0], [3, 1]]';
const q = 'Q = [[1, 2, 3], [3, 4, 5]]';

/** Code, place and message of each problem. */
const problemsIn = (text: string): string[] =>
  parseMatrices(text).problems.map((p) => `${where(text, p)}: ${p.message}`);

describe('what is said of a reading', () => {
  const notes: readonly (readonly [string, string])[] = [
    [
      'np.array([[1, 2], [3, 4]]) @ np.array([[1, 0], [0, 1]])',
      'The matrix is np.array([[1, 2], [3, 4]]) @ np.array([[1, 0], [0, 1]]), line 1.',
    ],
    [
      'A = [[0.5, 0.5], [0.25, 0.75]]',
      'The rows of A sum to 1, as those of attention weights do: select V with it to start there.',
    ],
    [`x_1 = [[1], [2]]\n${weights}`, 'X·Wᵀ, because x is a column (2×1): W·x on columns is X·Wᵀ on rows.'],
    [
      `${q}\nK = [[1, 2, 3], [3, 4, 5]]\nnum_heads = 2`,
      'num_heads = 2 is not used: 3, 3 columns are not shared by 2 heads.',
    ],
    [
      'Q = [[[1, 2], [3, 4]], [[1, 2], [3, 4]]]\nK = [[[1, 2], [3, 4]], [[1, 2], [3, 4]]]\nnum_heads = 4',
      'num_heads = 4 is not used: the heads are given otherwise.',
    ],
  ];
  for (const [text, note] of notes)
    it(note, () => assert.ok(assembled(text).notes.includes(note), assembled(text).notes.join('\n')));
});

describe('d_k of given scores', () => {
  const scores = 'scores = [[1, 2], [3, 4]]\nV = [[1, 2], [3, 4]]\n';
  const unused = (value: string): string =>
    `d_k = ${value} is not used: a whole number from 1 to 4096 is expected, and 64 is taken.`;
  const cases: readonly (readonly [string, number, string])[] = [
    ['d_k = 16', 16, 'd_k is 16, as d_k says.'],
    ['d_k = 1', 1, 'd_k is 1, as d_k says.'],
    ['d_k = 4096', 4096, 'd_k is 4096, as d_k says.'],
    ['d_k = 4097', 64, unused('4097')],
    ['d_k = 0', 64, unused('0')],
    ['d_k = 2.5', 64, unused('2.5')],
  ];
  for (const [line, dK, note] of cases)
    it(`${line}: ${dK}`, () => {
      const { spec, notes } = assembled(scores + line);
      assert.equal('dK' in spec.start && spec.start.dK, dK);
      assert.ok(notes.includes(note), notes.join('\n'));
    });
});

describe('what is wrong, and where', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [
      '[[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2]]]',
      ['ragged 1:38 [[1, 2]]: matrix 3 has 1 row, matrices 1–2 have 2'],
    ],
    ['[[[1, 2], [3, 4]], [[1, 2]], [[1, 2], [3, 4]]]', ['ragged 1:20 [[1, 2]]: matrix 2 has 1 row, matrix 1 has 2']],
    ['[[1, 2], [3, 4], [5]]', ['ragged 1:18 [5]: row 3 has 1 number, rows 1–2 have 2']],
    ['[[1, 2], [3], [4, 5]]', ['ragged 1:10 [3]: row 2 has 1 number, row 1 has 2']],
    // The next statement does not belong to the bracket that was left open.
    ['Q = [[1, 2],\nK = [[1, 2], [3, 4]]', ['unbalanced 1:5 [: [ is never closed']],
    ['Q = [[1, 2], [3, 4\nK: [[1, 2], [3, 4]]', ['unbalanced 1:14 [: [ is never closed']],
    ['[np.array([1, 2], dtype=float, [3, 4]]', ['unbalanced 1:10 (: ( is never closed']],
    ['M = [1:2:x; 3 4]', ['unexpected 1:7 :: : inside of the brackets']],
    [
      'm <- matrix(1:4, 2, dimnames = list(NULL, c("a", "b", "c")))',
      ['labels 1:43 c("a", "b", "c"): 3 names for 2 columns in dimnames'],
    ],
    ['m <- matrix(1:4, 2, dimnames = list(c("a"), NULL))', ['labels 1:37 c("a"): 1 names for 2 rows in dimnames']],
    ['pd.DataFrame([[[1, 2]], [[3, 4]]])', ['too-deep 1:14 [[[1, 2]], [[3, 4]]]: more than 2 brackets in each other']],
    ['pd.DataFrame({"a": [[1, 2], [3, 4]]})', ['too-deep 1:20 [[1, 2], [3, 4]]: more than 1 bracket in each other']],
    [
      'pd.DataFrame([[1, 2], [3, 4]], columns=foo(',
      ['unbalanced 1:1 p: the call of pandas is not understood to its end'],
    ],
  ];
  for (const [text, expected] of cases)
    it(text.replaceAll('\n', '⏎'), () => assert.deepEqual(problemsIn(text), expected));

  it('names the matrix that is no token’s vector first', () =>
    assert.deepEqual(
      refused(`x = [[1], [2]]\n${weights}`).map((p) => p.message)[0],
      'W_q is 2×2; X is 2×1: X·W needs 1 rows, X·Wᵀ needs 1 columns',
    ));
});

describe('calls that make numbers', () => {
  it('seq_len counts from 1, down the columns', () => {
    const { shape, values } = onlyMatrix('m <- matrix(seq_len(6), 2)');
    assert.deepEqual([shape, [...values]], [[2, 3], [1, 3, 5, 2, 4, 6]]); // prettier-ignore
  });
});
