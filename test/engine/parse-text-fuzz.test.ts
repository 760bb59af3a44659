import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { literalAt } from '../../engine/parse/index';
import { checkText, root, stepsOf } from './parse-support';
import { edited, edits } from './mutations';

/** Every line is looked at by four readers, each as a header, as what may follow one, and as a row; cells are looked at again as numbers. */
const stepsPerCharacter = 200;

const size = 100_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));

describe('tables and printed blocks in linear time', () => {
  const adversarial: readonly (readonly [string, string])[] = [
    ['rows that end ragged', `${fill('1 2 3\n')}1 2 x y z w\n`],
    ['a header above each row', fill('a b\n1 2\n')],
    ['labelled rows without a header', fill('cat 1 2\n')],
    ['labels that change', fill('cat 1 2\n1 2\n')],
    ['commas', fill('1, 2, x, y\n')],
    ['commas in code', fill('f, 1, 2,\n')],
    ['bars', fill('| a | 1\n')],
    ['framed bars of words', fill('| a | b |\n')],
    ['rules', fill('|---|---|\n')],
    ['names without rows', fill('A =\n\n')],
    ['names and a row', fill('A =\n1 2\n\n')],
    ['pages', fill('ans(:,:,1) =\n\n1 2\n\n')],
    ['columns', fill('Columns 1 to 2\n\n1 2\n\n')],
    ['factors', fill('1.0e+03 *\n')],
    ['rows of R', fill('[1,] 1 2\n')],
    ['headers of R', fill('     [,1] [,2]\n')],
    ['pages of R', fill(', , 1\n\n')],
    ['vectors of R', fill('[1] 1 2\n')],
    ['blank lines', fill('\n')],
    ['one line of numbers', fill('1 ')],
    ['one line of fields', fill('1,')],
    ['one line of bars', fill('|1')],
    ['one line of quotes', fill('"1",\'')],
    ['open quotes', fill('"1\n')],
    ['begins', fill('\\begin{pmatrix}')],
    ['begins of arrays', fill('\\begin{array}{cc} 1 & 2 ')],
    ['lefts', fill('\\left[')],
    ['formulas', fill('\\[ Q = ')],
    ['commands as a name', `${fill('\\mathbf ')}= \\begin{matrix} 1 & 2 \\end{matrix}`],
    ['braces before a matrix', fill('}^{\\top = \\begin{matrix} 1 & 2 \\end{matrix}')],
    ['one long matrix', `\\begin{matrix} ${fill('1 & 2 \\\\ ')}`],
    ['cells of braces', `\\begin{matrix} ${fill('{-{')} \\end{matrix}`],
    ['frames', fill('pd.DataFrame({"a": [1, 2], ')],
    ['frames of frames', fill('pd.DataFrame(')],
    ['prose', fill('In 2019 there were 3 of them, and in 2020 we saw 4\n')],
    ['wide columns of pandas', fill('   a  \\\n0  1\n1  2\n\n')],
    ['names of indices', fill('a b\nt   \n')],
  ];
  for (const [what, text] of adversarial) {
    it(what, () => {
      const steps = stepsOf(text);
      assert.ok(steps <= stepsPerCharacter * text.length, `${(steps / text.length).toFixed(0)} steps a character`);
      assert.ok(steps >= text.length, 'characters are counted');
    });
  }

  it('with the cursor in the middle of them', () => {
    for (const [what, text] of adversarial) {
      // Processor time: other programs do not lengthen it.
      const start = process.cpuUsage();
      literalAt(text, text.length >> 1);
      const { user, system } = process.cpuUsage(start);
      const took = (user + system) / 1000;
      assert.ok(took < 2000, `${what}: ${took.toFixed(0)} ms`);
    }
  });
});

const prints = (
  JSON.parse(gunzipSync(readFileSync(join(root, 'test/fixtures/parse/printed.json.gz'))).toString('utf8')) as {
    cases: { text: string }[];
  }
).cases.map((c) => c.text);

const written = [
  String.raw`Q = \left[\begin{array}{cc} 1 & \frac{1}{2} \\ -\infty & 4 \end{array}\right]`,
  String.raw`\begin{bmatrix} 1 & \cdots & 2 \\ 3 & 4 \end{bmatrix}^\top`,
  '| | The | cat |\n|---|:-:|--:|\n| The | 1 | 2 |\n| cat | 3 | 4 |\n',
  'x;y\n1,5;2,5\n3;4\n',
  ',a,"b, c"\nThe,1,2\n"cat",3,4\n',
  'Q =\n\n  Columns 1 through 2\n\n   1   2\n\n  Column 3\n\n   3\n',
  '2×2×2 Array{Int64, 3}:\n[:, :, 1] =\n 1  2\n 3  4\n\n[:, :, 2] =\n 5  6\n 7  8',
  '0.01 *\n 1.5  2.0\n 3.0  4.0\n[ CPUFloatType{2,2} ]',
  'df = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=["x", "y"]).values',
];

const pieces = [
  ...'[](){},;:.=-+*/#\'"`\\ \n\t|&%$^_<>@!?…⋮×',
  '\r\n',
  '\n\n',
  '  ',
  '...',
  '1',
  '2,5',
  '-3e-2',
  'NaN',
  '-Inf',
  'NA',
  '1j',
  'Q =\n',
  'A =\n\n',
  '|---|---|\n',
  '[,1]',
  '[1,]',
  ', , 1\n',
  'Columns 1 to 2',
  ' 1.0e+03 *\n',
  '2×2 Matrix{Float64}:\n',
  '[ CPUFloatType{2,2} ]',
  '[2 rows x 3 columns]',
  'dtype: float64\n',
  '\\begin{pmatrix}',
  '\\end{pmatrix}',
  '\\\\',
  '\\frac{1}{2}',
  '\\left[',
  'pd.DataFrame(',
  'columns=',
  'list("ab")',
  '\ud800',
  '\u0000',
];

/** Something real with a few edits: a piece put in, a stretch taken out, a stretch said twice. */
const mutated = fc
  .tuple(fc.constantFrom(...written, ...prints.filter((text) => text.length < 1200)), edits(30, pieces))
  .map(([text, changes]) => edited(text, changes));
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 120 }).map((parts) => parts.join(''));

function checkAll(text: string, offset: number): void {
  const { matrices, problems } = checkText(text, offset);
  for (const { rowLabels, columnLabels, shape } of matrices) {
    if (rowLabels) assert.equal(rowLabels.length, shape.at(-2));
    if (columnLabels) assert.equal(columnLabels.length, shape.at(-1));
  }
  assert.ok(problems.every((p) => p.hint));
}

describe('any text whatever', () => {
  it('never throws on tables and prints with edits in them', () => {
    fc.assert(
      fc.property(mutated, fc.nat(), (text, at) => checkAll(text, at % (text.length + 1))),
      { numRuns: 400 },
    );
  });
  it('never throws on pieces in any order', () => {
    fc.assert(
      fc.property(soup, fc.nat(), (text, at) => checkAll(text, at % (text.length + 1))),
      { numRuns: 400 },
    );
  });
});
