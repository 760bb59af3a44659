import assert from 'node:assert/strict';
import { literalAt, specFromText } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { where } from './parse-support';
import type { Problem } from '../../engine/text/problems';
import './names-support';

// One slip in a matrix, in every notation: it is named where it stands, and no other numbers are read in its place.

/** The matrix 1.5 2; 3 4 as it is written in each notation. `⟨3⟩` marks the number that slips, `«…»` the row that it is in. */
const notations: Readonly<Record<string, string>> = {
  JSON: '{"Q": [[1.5, 2], «[⟨3⟩, 4]»]}',
  Python: 'Q = [[1.5, 2], «[⟨3⟩, 4]»]',
  JavaScript: 'const Q = [[1.5, 2], «[⟨3⟩, 4]»];',
  'a call of NumPy': 'Q = np.array([[1.5, 2], «[⟨3⟩, 4]»], dtype=np.float32)',
  'a call of PyTorch': 'Q = torch.tensor([[1.5, 2],\n                  «[⟨3⟩, 4]»])',
  'a call of TensorFlow': 'Q = tf.constant([[1.5, 2], «[⟨3⟩, 4]»])',
  'what PyTorch prints': 'tensor([[1.5, 2.0],\n        «[⟨3.0⟩, 4.0]»])',
  'what NumPy prints': 'Q =\n[[1.5 2. ]\n «[⟨3.⟩  4. ]»]',
  'a call of pandas': 'Q = pd.DataFrame([[1.5, 2], «[⟨3⟩, 4]»], columns=["a", "b"])',
  C: 'float Q[2][2] = {{1.5f, 2}, «{⟨3⟩, 4}»};',
  'C#': 'var Q = new double[,] { {1.5, 2}, «{⟨3⟩, 4}» };',
  'C++': 'std::vector<std::vector<float>> Q{{1.5, 2}, «{⟨3⟩, 4}»};',
  Go: 'Q := [][]float64{{1.5, 2}, «{⟨3⟩, 4}»}',
  Rust: 'let Q = vec![vec![1.5, 2.], vec!«[⟨3.⟩, 4.]»];',
  'ndarray of Rust': 'let Q = array![[1.5, 2.], «[⟨3.⟩, 4.]»];',
  Mathematica: 'Q = {{1.5, 2}, «{⟨3⟩, 4}»}',
  MATLAB: 'Q = [1.5 2; «⟨3⟩ 4»];',
  Julia: 'Q = Float32[1.5 2; «⟨3⟩ 4»]',
  LaTeX: '\\mathbf{Q} = \\begin{pmatrix} 1.5 & 2 \\\\ «⟨3⟩ & 4» \\end{pmatrix}',
  'an array of LaTeX': 'Q = \\left[\\begin{array}{cc} 1.5 & 2 \\\\ «⟨3⟩ & 4» \\end{array}\\right]',
  'what R prints': '     [,1] [,2]\n[1,]  1.5    2\n«[2,]  ⟨3.0⟩    4»\n',
  'pages of R':
    ', , 1\n\n     [,1] [,2]\n[1,]  1.5    2\n«[2,]  ⟨3.0⟩    4»\n\n, , 2\n\n     [,1] [,2]\n[1,]    5    6\n[2,]    7    8\n',
};

/** Without rows of their own: a number less or more makes another count, so that only words and gaps are tried. */
const flat: Readonly<Record<string, string>> = {
  'matrix() of R': 'Q <- matrix(c(1.5, 2, ⟨3⟩, 4), nrow = 2, byrow = TRUE)',
  'rbind() of R': 'Q <- rbind(c(1.5, 2), c(⟨3⟩, 4))',
  // Column by column.
  'structure() of R': 'Q <- structure(c(1.5, ⟨3⟩, 2, 4), dim = c(2L, 2L))',
  'a vector that R prints': ' [1] 1.5 2.0\n [3] ⟨3.0⟩ 4.0\n',
  gonum: 'Q := mat.NewDense(2, 2, []float64{1.5, 2, ⟨3⟩, 4})',
  nalgebra: 'let Q = Matrix2::new(1.5, 2.0, ⟨3.0⟩, 4.0);',
  'a typed array': 'const Q = new Float32Array([1.5, 2, ⟨3⟩, 4]);',
  'columns of pandas': 'Q = pd.DataFrame({"a": [1.5, ⟨3⟩], "b": [2, 4]})',
};

/** Tables of text. Among words they may be something else than numbers, so that a slip is not always named, but no wrong numbers are read either. */
const tables: Readonly<Record<string, string>> = {
  Markdown: '| Q | a | b |\n|---|---|---|\n| x | 1.5 | 2 |\n«| y | ⟨3⟩ | 4 |»',
  CSV: 'a,b,c\n1.5,2,1\n«⟨3⟩,4,1»\n',
  'what pandas prints': '     a    b\n0  1.5  2.0\n«1  ⟨3.0⟩  4.0»\n',
  'labelled rows': 'cat 1.5 2\n«sat ⟨3⟩ 4»\n',
  'labelled rows under a header': '    a b\ncat 1.5 2\n«sat ⟨3⟩ 4»\n',
  'numbers that end in a label': '       x y\nhead 0 1.5 2\n«head 1 ⟨3⟩ 4»\n',
};

interface Slipped {
  readonly text: string;
  readonly slip: readonly [start: number, end: number];
  readonly row: readonly [start: number, end: number];
}

/** The text with another writing in place of the marked number, and where this and its row are then. */
function slipped(marked: string, written?: string): Slipped {
  const at: Record<string, number> = {};
  const word = written === undefined ? '$1' : written.replaceAll('$', '$$$$');
  const text = marked.replace(/⟨([^⟩]*)⟩/, `⟨${word}⟩`);
  let plain = '';
  for (const c of text) {
    if ('⟨⟩«»'.includes(c)) at[c] = plain.length;
    else plain += c;
  }
  const range = (open: string, close: string): readonly [number, number] => [at[open] ?? -1, at[close] ?? -1];
  return { text: plain, slip: range('⟨', '⟩'), row: range('«', '»') };
}

const lead = 'Some words, and then:\n\n';
/** The same within a document, where each place is further along. */
const inDocument = ({ text, slip, row }: Slipped): Slipped => {
  const later = ([start, end]: readonly [number, number]): readonly [number, number] => [start + lead.length, end + lead.length]; // prettier-ignore
  return { text: lead + text, slip: later(slip), row: later(row) };
};

const placeOf = ({ range }: Problem): readonly [number, number] => [range?.start ?? -1, range?.end ?? -1];
const codesOf = (text: string): readonly string[] => parseMatrices(text).problems.map(({ code }) => code);

/** Asserts that nothing is read, and that the first problem is this one, in the text alone and in a document, and with the cursor on it. */
function assertNamed(of: Slipped, codes: readonly string[], place: 'slip' | 'row', isTable: boolean): void {
  for (const one of [of, inDocument(of)]) {
    const { matrices, problems } = parseMatrices(one.text);
    const [first] = problems;
    assert.deepEqual(
      matrices.map(({ values }) => [...values]),
      [],
      one.text,
    );
    if (isTable && one !== of && !first) continue;
    assert.ok(first && codes.includes(first.code), `${codesOf(one.text).join()} in ${one.text}`);
    assert.deepEqual(placeOf(first), one[place], `${first.message} in ${one.text}`);
    const found = literalAt(one.text, one.slip[0]);
    assert.ok(!found || 'problems' in found, `numbers at the slip in ${one.text}`);
    if (found) assert.deepEqual(placeOf(found.problems[0] as Problem), one[place], one.text);
  }
}

const valuesIn = (text: string): readonly (readonly number[])[] =>
  parseMatrices(text).matrices.map(({ values }) => [...values]);

describe('without a slip', () => {
  for (const [name, marked] of Object.entries({ ...notations, ...flat, ...tables }))
    it(name, () => {
      const of = slipped(marked);
      for (const { text, slip } of name === 'labelled rows' ? [of] : [of, inDocument(of)]) {
        const { matrices, problems } = parseMatrices(text);
        assert.deepEqual([matrices.length, problems], [1, []], text);
        const [matrix] = matrices;
        const values = [...(matrix?.values ?? [])].filter((x) => x < 5 && x !== 1);
        assert.deepEqual(values, [1.5, 2, 3, 4], text);
        // The cursor is in a list of its own there, and labelled rows without a header may be a sentence.
        if (name === 'columns of pandas' || name === 'labelled rows') continue;
        const found = literalAt(text, slip[0]);
        assert.ok(found && 'matrix' in found, text);
        assert.deepEqual([found.matrix.range, [...found.matrix.values]], [matrix?.range, [...(matrix?.values ?? [])]]);
      }
    });
});

describe('a word in place of a number is named', () => {
  for (const [name, marked] of Object.entries({ ...notations, ...flat }))
    it(name, () => {
      for (const word of ['oops', '3x'])
        assertNamed(slipped(marked, word), ['unknown-name', 'malformed'], 'slip', false);
    });
  // In the first column of CSV a word makes it names of rows, see below.
  for (const [name, marked] of Object.entries(tables).filter(([name]) => name !== 'CSV'))
    it(`${name}: or nothing is read`, () => {
      for (const word of ['oops', '3x']) {
        const { text, slip } = slipped(marked, word);
        assert.deepEqual(valuesIn(text), []);
        for (const problem of parseMatrices(text).problems) assert.deepEqual(placeOf(problem), slip);
      }
    });
});

describe('dots in place of a number are named as numbers that were left out', () => {
  const some = { ...notations, ...flat, ...tables };
  for (const [name, marked] of Object.entries(some))
    // R has no ellipsis in its code.
    if (!name.includes('() of R'))
      it(name, () => {
        for (const dots of ['...', '…']) assertNamed(slipped(marked, dots), ['elided'], 'slip', name in tables);
      });
});

describe('a number that is missing or one too many', () => {
  const rowed = Object.entries({ ...notations, ...tables });
  const separators: Readonly<Record<string, string>> = {
    LaTeX: ' & ',
    'an array of LaTeX': ' & ',
    Markdown: ' | ',
    CSV: ',',
  };
  for (const [name, marked] of rowed) {
    const separator = separators[name] ?? (/⟨[^⟩]*⟩,/.test(marked) ? ', ' : ' ');
    const more = slipped(marked, `7${separator}8`);
    it(`${name}: one too many`, () => assertNamed(more, ['ragged'], 'row', name in tables));
    it(`${name}: missing`, () => {
      const less = slipped(marked.replace(/⟨[^⟩]*⟩( & |,? *)/, '⟨⟩'));
      if (name !== 'Markdown' && name !== 'CSV') assertNamed(less, ['ragged'], 'row', name in tables);
    });
  }
  // Its last line may have any length.
  const lastLine = new Set(['a vector that R prints']);
  for (const [name, marked] of Object.entries({ ...notations, ...flat, ...tables }).filter(
    ([name]) => !lastLine.has(name),
  ))
    it(`${name}: a gap is not filled`, () => assert.deepEqual(valuesIn(slipped(marked, '').text), []));
});

describe('numbers without a separator between them', () => {
  for (const [name, marked] of Object.entries({ ...notations, ...flat, ...tables }).filter(([name]) => name !== 'CSV'))
    it(`${name}: neither is dropped nor joined to the other`, () => {
      const { text } = slipped(marked, '3 7');
      assert.deepEqual(valuesIn(text).filter((values) => !values.includes(3) || !values.includes(7)), [], text); // prettier-ignore
    });

  for (const [cell, value] of [
    ['\\frac 1 2', 0.5],
    ['1\\,000', 1000],
    ['- 3', -3],
  ] as const)
    it(`${cell} is one number in LaTeX`, () =>
      assert.deepEqual(valuesIn(`\\begin{matrix} ${cell} & 2 \\\\ 3 & 4 \\end{matrix}`), [[value, 2, 3, 4]]));
  it('3 4 in a command is none either', () =>
    assert.deepEqual(codesOf('Q = \\begin{matrix} \\mathbf{3 4} & 2 \\\\ 3 & 4 \\end{matrix}'), ['malformed']));
});

describe('a number too many in the first row', () => {
  const ragged = (text: string): readonly string[] =>
    parseMatrices(text).problems.map((problem) => `${where(text, problem)}: ${problem.message}`);
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['     a    b\n0  1.0  2.0  3.0\n1  3.0  4.0\n', ['ragged 2:1 0  1.0  2.0  3.0: row 1 has 3 numbers, expected 2']],
    ['     a\n0  1.0  2.0\n1  3.0\n', ['ragged 2:1 0  1.0  2.0: row 1 has 2 numbers, expected 1']],
    [
      '     a    b\n0  1.0  2.0  3.0\n1  3.0  4.0  5.0\n',
      [
        'ragged 2:1 0  1.0  2.0  3.0: row 1 has 3 numbers, expected 2',
        'ragged 3:1 1  3.0  4.0  5.0: row 2 has 3 numbers, expected 2',
      ],
    ],
    ['   a  b\nx  1  2  3\ny  3  4\n', ['ragged 2:1 x  1  2  3: row 1 has 3 numbers, expected 2']],
  ];
  for (const [text, expected] of cases)
    it(JSON.stringify(text), () => {
      assert.deepEqual(ragged(text), expected);
      assert.deepEqual(parseMatrices(text).matrices, []);
    });
  it('is part of the label where the labels are numbered', () => {
    for (const text of [
      '        a  b\nhead 0  1  2\nhead 1  3  4\nmean    2  3\n',
      '      a  b\nx  1  1  2\ny  1  3  4\n',
    ])
      assert.deepEqual(ragged(text), [], text);
  });
});

describe('numbers that became labels', () => {
  const remarks = (text: string): readonly string[] => {
    const result = specFromText(text);
    assert.ok(result.ok);
    return (result.value.unfollowed ?? []).map(({ message }) => message);
  };
  it('since a word stands in their column', () =>
    assert.deepEqual(remarks('a,b\n1.5,2\noops,4\n'), ['1.5 are taken as names of rows, not as a column.']));
  it('are not mentioned among tokens', () => assert.deepEqual(remarks(',x,y\nthe,1,2\n7,3,4\ncats,5,6\n'), []));
});
