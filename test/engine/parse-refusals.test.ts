import assert from 'node:assert/strict';
import { parseMatrices } from './parse-same';
import { assembled, at, onlyMatrix, refused, where } from './parse-support';

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

describe('matrices that are not used', () => {
  const matrices = (count: number): string => Array.from({ length: count }, (_, i) => `N${i} = [[1, 2, 3]]`).join('\n');
  const noteOf = (count: number): string =>
    assembled(`Q = [[1, 2]]\nK = [[3, 4]]\n${matrices(count)}`).notes.at(-1) ?? '';

  it('are listed up to twelve', () => assert.match(noteOf(12), /^Not used: N0 \(1×3\), .*, N11 \(1×3\)\.$/));
  it('are counted from then on', () =>
    assert.match(noteOf(13), /^Not used: N0 \(1×3\), .*, N11 \(1×3\) and 1 more\.$/));
});

describe('typed arrays of JavaScript', () => {
  it('have the precision of their name', () => {
    const { spec, notes } = assembled('Q = new Float32Array([1, 2])\nK = new Float64Array([1, 2])');
    assert.equal(spec.dtype, 'float64');
    assert.ok(notes.includes('Q: float32; K: float64. Computed in float64, which loses no digit of either.'));
  });

  it('are found behind a brace and new', () => assert.equal(at('const m = {new Float32Array([1, 2|])}'), '- 2'));
});

describe('headings of CSV', () => {
  const headings = (head: string): readonly string[] | undefined => onlyMatrix(`${head}\n1,2\n3,4\n`).columnLabels;
  it('in quotes may hold signs of code', () => assert.deepEqual(headings('"a=b","c"'), ['a=b', 'c']));
  it('without quotes may not', () => assert.equal(headings('a=b,c'), undefined));
});

describe('numbers that label rows', () => {
  const remarks = (text: string): readonly string[] => (assembled(text).unfollowed ?? []).map(({ message }) => message);
  const table = (first: number): string => `   a  b\n${first}  1  2\n${first + 1}  3  4\n`;
  for (const first of [0, 1])
    it(`from ${first} are no numbers that were cut off`, () => assert.deepEqual(remarks(table(first)), []));
  it('from 2 may be some, which is said', () => assert.equal(remarks(table(2)).length, 1));
});

describe('the file of a notebook', () => {
  it('has its code in quotes, line by line', () => {
    const text = JSON.stringify({ cells: [{ source: ['Q = [[1, 2],\n', '     [3, 4]]\n'] }] }, undefined, 1);
    const { name, shape, values } = onlyMatrix(text);
    assert.deepEqual([name, shape, [...values]], ['Q', [2, 2], [1, 2, 3, 4]]);
  });

  it('unlike a string in code', () =>
    assert.deepEqual(parseMatrices('print("it is [[1, 2], [3, 4]] here")').matrices, []));
});

describe('planes of MATLAB', () => {
  it('in a sentence, each cell after its planes', () => {
    // By MATLAB: cat(3, A, B)(:, :, 1) is A. The planes are the last axis.
    assert.deepEqual([...onlyMatrix('call cat(3, [1 2; 3 4], [5 6; 7 8]) for it').values], [1, 5, 2, 6, 3, 7, 4, 8]);
    assert.equal(at('call cat(3, [1 2; 3 |4], [5 6; 7 8]) for it'), '- 2×2×2');
  });
});

describe('calls around rows of MATLAB and Julia', () => {
  const said = (text: string): string => problemsIn(text).join('; ');
  const cases: readonly (readonly [string, string])[] = [
    ['A = cat(3, [1 2;3 4],[5 6])', 'ragged 1:5 cat(3, [1 2;3 4],[5 6]: page 2 is 1×2, expected 2×2'],
    [
      'A = cat(3, [1 2;3 4], [5 6;7 8], [1;2])',
      'ragged 1:5 cat(3, [1 2;3 4], [5 6;7 8], [1;2]: page 3 is 2×1, expected 2×2',
    ],
    ['A = cat(3, [1 2;3 4], B)', 'expression 1:5 cat: cat(…) is not computed'],
    ['A = cat(1, [1 2;3 4],[5 6])', 'expression 1:5 cat: cat(…) is not computed'],
    ['A = vertcat([1 2;3 4],[5 6])', 'expression 1:5 vertcat: vertcat(…) is not computed'],
    ['A = repmat([1 2;3 4],2,2)', 'expression 1:5 repmat: repmat(…) is not computed'],
    ['A = reshape([1 2;3 4],4,1)', 'expression 1:5 reshape: reshape(…) is not computed'],
    ['disp(kron([1 2;3 4],[1 0;0 1]))', 'expression 1:6 kron: kron(…) is not computed'],
    ['A = attend([1 2;3 4], 3)', 'expression 1:5 attend: attend(…) is not computed'],
  ];
  for (const [text, expected] of cases)
    it(`${text}: ${expected}`, () => {
      assert.equal(said(text), expected);
      assert.deepEqual(parseMatrices(text).matrices, []);
    });
  for (const text of [
    'A = sparse([1 2;3 4])',
    'disp([1 2;3 4])',
    'A = f(x) + 1; B = [1 2;3 4]',
    'A = cat(3, [1 2;3 4], [5 6;7 8])',
  ])
    it(`${text} is read`, () => assert.equal(said(text), ''));
});

describe('d_k beside queries and keys', () => {
  const given = (line: string): readonly string[] =>
    assembled(`Q = [[1, 2], [3, 4]]\nK = [[1, 0], [0, 1]]\n${line}\n`).notes;
  const said = (line: string): readonly string[] => given(line).filter((note) => note.includes('is not used'));
  it('that it does not fit is said', () => {
    assert.deepEqual(said('d_k = 64'), ['d_k = 64 is not used: the keys have width 2.']);
    assert.deepEqual(said('head_dim = 8'), ['head_dim = 8 is not used: the keys have width 2.']);
  });
  it('and nothing where it does', () => assert.deepEqual(said('d_k = 2'), []));
  it('of each head where there are several', () => {
    assert.deepEqual(said('num_heads = 2\nd_k = 1'), []);
    assert.deepEqual(said('num_heads = 2\nd_k = 2'), ['d_k = 2 is not used: the keys have width 1.']);
  });
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
    ['[2i, 3]', ['complex 1:2 2i: 2i is a complex number']],
    ['[2J, 3]', ['complex 1:2 2J: 2J is a complex number']],
    ['[2k, 3]', ['malformed 1:2 2k: 2k is not a number']],
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
