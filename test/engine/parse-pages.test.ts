import assert from 'node:assert/strict';
import { parseMatrices } from './parse-same';
import { onlyMatrix, readText, where } from './parse-support';

// Matrices with leading dimensions, which programs print page by page.

/** `name 2×2×2 1 2 3 …` of each matrix, and the problems with their places. */
function summary(text: string): string {
  const { matrices, problems } = parseMatrices(text);
  const found = matrices.map((m) => `${m.name ?? '-'} ${m.shape.join('×')} ${[...m.values].join(' ')}`);
  return [...found, ...problems.map((p) => where(text, p))].join('; ');
}

const messages = (text: string): string[] => parseMatrices(text).problems.map(({ message }) => message);

describe('what PyTorch’s C++ printer writes comes back', () => {
  // By test/reference/print_pages.cpp, PyTorch 1.13.
  const cases = readText('test/fixtures/parse/pages.txt').split('%%%').slice(1);
  for (const [at, one] of cases.entries()) {
    const [head = '', ...lines] = one.split('\n');
    const [shape = '', values = ''] = head.split('|').map((part) => part.trim());
    it(`${at}: ${shape.replaceAll(' ', '×')}`, () => {
      const found = onlyMatrix(lines.join('\n'));
      assert.deepEqual([found.shape.join(' '), [...found.values]], [shape, values.split(' ').map(Number)]);
    });
  }

  it('has pages of every kind', () => {
    const text = cases.join('');
    for (const part of ['(2,1,.,.) =', '0.001 *', 'Columns 25 to 30', 'Columns 1 to 9 1e+06 *', 'BFloat16', 'Long'])
      assert.ok(text.includes(part), part);
  });

  it('refuses five dimensions', () => {
    const page = (index: string): string => `(${index},.,.) = \n  1  2\n\n`;
    const text = `${page('1,1,1')}${page('2,1,1')}[ CPUFloatType{2,1,1,1,2} ]`;
    assert.equal(summary(text), 'too-deep 1:1 (1,1,1,.,.) =');
    assert.deepEqual(messages(text), ['5 dimensions']);
  });
});

const two = (first: string, second: string): string => `${first}\n  1  2\n  3  4\n\n${second}\n  5  6\n  7  8\n`;

describe('pages in the order of their indices', () => {
  // MATLAB, Octave, R and Julia keep arrays by columns: the first index after the row's and the column's runs fastest.
  const four = ['1,1', '2,1', '1,2', '2,2'];
  const matlab = four.map((index, i) => `A(:,:,${index}) =\n\n   ${2 * i}   ${2 * i + 1}\n`).join('\n');
  it('MATLAB’s, the last index slowest', () => assert.equal(summary(matlab), 'A 2×2×1×2 0 1 2 3 4 5 6 7'));
  const julia = four.map((index, i) => `[:, :, ${index.replace(',', ', ')}] =\n ${2 * i}  ${2 * i + 1}\n`).join('\n');
  it('Julia’s', () => assert.equal(summary(`1×2×2×2 Array{Int64, 4}:\n${julia}`), '- 2×2×1×2 0 1 2 3 4 5 6 7'));
  const r = four
    .map((index, i) => `, , ${index.replace(',', ', ')}\n\n     [,1] [,2]\n[1,]    ${2 * i}    ${2 * i + 1}\n`)
    .join('\n');
  it('R’s', () => assert.equal(summary(r), '- 2×2×1×2 0 1 2 3 4 5 6 7'));

  it('two arrays one after the other', () => {
    const pages = (name: string): string => two(`${name}(:,:,1) =`, `${name}(:,:,2) =`);
    assert.equal(summary(`${pages('Q')}\n${pages('K')}`), 'Q 2×2×2 1 2 3 4 5 6 7 8; K 2×2×2 1 2 3 4 5 6 7 8');
    const inner = two('ans(:,:,1) =', 'ans(:,:,2) =');
    assert.equal(summary(`Q =\n\n${inner}\nK =\n\n${inner}`), 'Q 2×2×2 1 2 3 4 5 6 7 8; K 2×2×2 1 2 3 4 5 6 7 8');
  });

  it('some pages of many, where they follow one another', () =>
    assert.equal(summary(two('A(:,:,3) =', 'A(:,:,4) =')), 'A 2×2×2 1 2 3 4 5 6 7 8'));

  it('R’s with names, which need not be numbers', () => {
    const page = (name: string, a: number): string => `, , ${name}\n\n  u v\np ${a} 2\nq 3 4\n\n`;
    assert.equal(summary(page('b', 1) + page('a', 5)), '- 2×2×2 1 2 3 4 5 2 3 4');
    assert.equal(summary(page('4', 1) + page('16', 5)), '- 2×2×2 1 2 3 4 5 2 3 4');
    assert.equal(summary(page('2019', 1) + page('2021', 5)), '- 2×2×2 1 2 3 4 5 2 3 4');
  });

  it('R’s with numbers, of which none may be missing', () => {
    const page = (index: string, a: number): string =>
      `, , ${index}\n\n     [,1] [,2]\n[1,]    ${a}    3\n[2,]    2    4\n\n`;
    const said = (text: string): string[] => [summary(text), ...messages(text)];
    assert.equal(summary(page('1', 1) + page('2', 5)), '- 2×2×2 1 3 2 4 5 3 2 4');
    assert.equal(summary(page('2', 1) + page('3', 5)), '- 2×2×2 1 3 2 4 5 3 2 4');
    assert.deepEqual(said(page('1', 1) + page('3', 5)), ['malformed 7:1 , , 3', 'page 2 is expected here, not 3']);
    assert.deepEqual(said(page('1, 1', 1) + page('1, 3', 5)), [
      'malformed 7:1 , , 1, 3',
      'page 1, 2 is expected here, not 1, 3',
    ]);
    const labelled = (index: string): string => `, , ${index}\n\n  u v\np 1 2\nq 3 4\n\n`;
    assert.deepEqual(said(labelled('1') + labelled('3')), ['malformed 7:1 , , 3', 'page 2 is expected here, not 3']);
  });
});

describe('a factor above a page', () => {
  it('multiplies the numbers of its page alone', () => {
    const text =
      'A(:,:,1) =\n\n     1     2\n\nA(:,:,2) =\n\n   1.0e+03 *\n\n    1.0005    0.0030\n\nA(:,:,3) =\n\n     3     4\n';
    assert.equal(summary(text), 'A 3×1×2 1 2 1000.5 3 3 4');
    assert.deepEqual(onlyMatrix(text).notes, ['Each number as printed times the factor that stands above its page.']);
  });

  it('stands once above the columns of a matrix', () => {
    const text = 'A =\n\n   1.0e+03 *\n\n  Columns 1 through 2\n\n    0.5    2\n\n  Column 3\n\n    4\n';
    assert.equal(summary(text), 'A 1×3 500 2000 4000');
    assert.deepEqual(onlyMatrix(text).notes, ['Each number as printed times 1.0e+03, which stands above them.']);
  });
});

describe('pages that are no tensor', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [two('(1,.,.) =', '(3,.,.) ='), 'malformed 5:1 (3,.,.) =', 'page 2 is expected here, not 3'],
    [two('(2,.,.) =', '(1,.,.) ='), 'malformed 5:1 (1,.,.) =', 'page 3 is expected here, not 1'],
    [two('A(:,:,1) =', 'A(:,:,1) ='), 'malformed 5:1 A(:,:,1) =', 'page 2 is expected here, not 1'],
    [two('(1,1,.,.) =', '(1,2,.,.) ='), '- 1×2×2×2 1 2 3 4 5 6 7 8', ''],
    [two('A(:,:,1) =', 'A(:,:,1,2) ='), 'malformed 5:1 A(:,:,1,2) =', 'page 2 is expected here, not 1, 2'],
    [
      `${two('(1,1,.,.) =', '(2,1,.,.) =')}\n(1,2,.,.) =\n  9  9\n  9  9\n`,
      'malformed 9:1 (1,2,.,.) =',
      'page 2, 2 is missing',
    ],
    ['(1,.,.) =\n  1  2\n  3  4\n\n(2,.,.) =\n  5  6\n', 'ragged 5:1 (2,.,.) =', 'page 2 is 1×2, expected 2×2'],
    ['(1,.,.) =\n  1  2\n\n(2,.,.) =\n\n', 'malformed 4:1 (2,.,.) =', 'page 2 has no numbers'],
    [
      ', , 1\n\n     [,1] [,2]\n[1,]    1    3\n[2,]    2    4\n\n, , 2\n\n     [,1] [,2]\n[1,]    5    7\n',
      'ragged 7:1 , , 2',
      'page 2 is 1×2, expected 2×2',
    ],
    [
      ', , 1\n\n  u v\np 1 3\nq 2 4\n\n, , 2\n\n  u v\np 1 3\ns 2 4\n',
      'malformed 7:1 , , 2',
      'page 2 has other labels than the first one',
    ],
    [
      ', , a\n\n  u v\np 1 3\nq 2 4\n\n, , a\n\n  u v\np 1 3\nq 2 4\n',
      'malformed 7:1 , , a',
      'page a stands there twice',
    ],
    [', , 1\n\n  u v\np 1 3\nq 2 4\n\n, , 2\n\n<0 x 0>\n', 'malformed 7:1 , , 2', 'page 2 has no numbers'],
  ];
  for (const [text, expected, message] of cases)
    it(`${expected}: ${message}`, () => assert.deepEqual([summary(text), messages(text).join()], [expected, message]));
});

describe('a size that is printed beside the numbers', () => {
  const rows = ' 1.0  2.0\n 3.0  4.0';
  const cases: readonly (readonly [string, string, string])[] = [
    [`3×2 Matrix{Float64}:\n${rows}`, 'shape-mismatch 1:1 3×2 Matrix{Float64}:', '3×2 is stated, 2×2 stands there'],
    [`2×3 Matrix{Float64}:\n${rows}`, 'shape-mismatch 1:1 2×3 Matrix{Float64}:', '2×3 is stated, 2×2 stands there'],
    ['3-element Vector{Int64}:\n 1\n 2', 'shape-mismatch 1:1 3-element Vector{Int64}:', '3 is stated, 2 stands there'],
    [
      `2×2×2 Array{Float64, 3}:\n[:, :, 1] =\n${rows}`,
      'shape-mismatch 1:1 2×2×2 Array{Float64, 3}:',
      '2×2×2 is stated, 2×2×1 stands there',
    ],
    [`${rows}\n[ CPUFloatType{3,2} ]`, 'shape-mismatch 3:1 [ CPUFloatType{3,2} ]', '3×2 is stated, 2×2 stands there'],
    [
      `${rows}\n[torch.FloatTensor of size 2x3]`,
      'shape-mismatch 3:1 [torch.FloatTensor of size 2x3]',
      '2×3 is stated, 2×2 stands there',
    ],
    [
      '   a  b\n0  1  2\n1  3  4\n\n[3 rows x 2 columns]',
      'shape-mismatch 5:1 [3 rows x 2 columns]',
      '3×2 is stated, 2×2 stands there',
    ],
    ['   a  b\n0  1  2\n1  3  4\n\n[2 rows x 2 columns]', '- 2×2 1 2 3 4', ''],
    ['2×1×2 Array{Int64, 3}:\n[:, :, 1] =\n 1\n 2\n\n[:, :, 2] =\n 3\n 4', '- 2×2×1 1 2 3 4', ''],
  ];
  for (const [text, expected, message] of cases)
    it(`${expected}: ${message}`, () => assert.deepEqual([summary(text), messages(text).join()], [expected, message]));

  it('of the columns that stand below', () => {
    const columns = (second: string, third: string): string =>
      `A =\n\n  Columns 1 through 3\n\n   1   2   3\n\n  ${second}\n\n   ${third}\n`;
    assert.equal(summary(columns('Columns 4 and 5', '4   5')), 'A 1×5 1 2 3 4 5');
    for (const text of [columns('Columns 6 through 7', '6   7'), columns('Columns 4 through 5', '4')]) {
      assert.match(summary(text), /^ragged 5:4 1 {3}2 {3}3/);
      assert.match(messages(text).join(), /^row 1 has [45] numbers, expected [57]$/);
    }
    assert.match(summary(columns('Column 4', '4').replace('through 3', 'through 4')), /^ragged 5:4/);
  });
});
