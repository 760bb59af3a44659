// Cells of tables and of LaTeX: which number each is, how a line is split into them, and what stands before and after a matrix of LaTeX.
import assert from 'node:assert/strict';
import { latexAfter, latexBefore, opensFormula } from '../../engine/parse/formats/latex-name';
import { latexNumber } from '../../engine/parse/formats/latex-number';
import * as lines from '../../engine/parse/formats/lines';
import { scannerOf, type Scanner } from '../../engine/parse/scanner';

type Cases = readonly (readonly [string, string])[];
const test = (of: (text: string) => string, cases: Cases): void => {
  for (const [text, expected] of cases) it(JSON.stringify(text), () => assert.equal(of(text), expected));
};
const [x, blank] = ['x', ' '].map((c) => (count: number): string => c.repeat(count)) as [(count: number) => string, (count: number) => string]; // prettier-ignore

describe('a number of LaTeX', () => {
  // What TeX sets: spaces, fonts and colours do not change a number, \, and {,} stand between thousands.
  const cases: readonly (readonly [number | undefined, readonly string[]])[] = [
    [1, ['1', ' 1 ']],
      [-1.5, ['-1.5']],
      [2, ['+2', '2.', '\\mathbf{2}', '{2}', '{+}2', '\\\\mathbf{2}', '\\\\,2', '\\;2', '\\!2', '\\:2', '\\>2', '\\ 2', '\\qquad2', '\\it 2', '\\rm 2', '\\textstyle 2', '\\mbox{2}', '\\textit{2}', '\\textrm{2}', '\\mathit{2}', '\\mathsf{2}', '\\mathtt{2}', '\\boldsymbol{2}', '\\bm{2}', '\\ensuremath{2}']],
      [0.5, ['.5', '\\frac{1}{2}', '\\frac12', '\\frac 1 2', '\\tfrac{1}{2}', '\\cfrac12', '1/2']],
      [0.001, ['1e-3']],
      [1000, ['1E+3', '1\\,000', '1{,}000', '\\num{1e3}']],
      [-2, ['−2', '–2', '\\mathrm{-2}', '-\\mathbf{2}', '-{2}', '{-}2']],
      [undefined, ['', 'x', '1 2', '1 x', '\\frac{a}{2}', '\\frac{1}{1.2.3}', '\\xfrac{1}{2}', '1/2/3', '1.2.3/4', '1/1.2.3', '1.5\\times 10^-3', '1\\times 10', '{{{{2}}}}', '{{2}}', '\\mathbf{x}', '\\colorbox{red}{4}', '\\bfx 3', '3 % note\n4', '\\text{a}', '1 .5', '1. 5', '0.5 0.5', '--3', '1e', 'e1', '\\foo{2}']],
      [-0.25, ['-\\frac{1}{4}']],
      [0.75, ['+\\dfrac{3}{4}']],
      [-0.5, ['\\frac{-1}{2}', '\\frac{1}{-2}']],
      [-0.75, ['-3/4']],
      [0.0015, ['1.5 \\times 10^{-3}']],
      [150, ['1.5\\cdot10^2']],
      [-2000, ['-2 \\times 10^{3}']],
      [Infinity, ['\\infty', '+\\infty', '\\inf', 'inf', '∞']],
      [-Infinity, ['-\\infty', '-∞']],
      [NaN, ['nan', '\\nan', '\\text{NaN}']],
      [3, ['\\textbf{\\mathbf{3}}', '$3$', '~3', '3\\,', '3\\quad', '\\quad 3', '\\phantom{-}3', '\\hphantom{0} 3', '\\displaystyle 3', '\\bf 3', '\\left 3', '\\right 3', '3 % note', '% a\n3', '+ 3']],
      [4, ['\\textcolor{red}{4}', '\\color{red}{4}', '\\color{red} 4']],
      [5, ['\\boxed{5}', '\\underline{5}']],
      [-3, ['- 3']],
      [100, ['1.e2']],
  ]; // prettier-ignore
  for (const [value, texts] of cases)
    for (const text of texts) it(`${JSON.stringify(text)} is ${value}`, () => assert.equal(latexNumber(text), value));
});

describe('before a matrix of LaTeX', () => {
  /** Start of the literal, its name with its range and role, and a factor. */
  const before = (marked: string): string => {
    const text = marked.replace('|', '');
    const { start, before: found, expression } = latexBefore(scannerOf(text), marked.indexOf('|'));
    const { name, range, role, index } = found;
    assert.equal(found.how, name === undefined ? 'none' : 'assigned');
    assert.equal(found.startsStatement, name !== undefined);
    const parts = [start, name && `${name}@${range?.start}-${range?.end}`, role && `${role}${index ?? ''}`, expression && `{${text.slice(expression.start, expression.end)}}`]; // prettier-ignore
    return parts.filter((part) => part !== undefined).join(' ');
  };
  test(before, [
    ['Q = |', '4 Q@0-1 q'], ['Q=|', '2 Q@0-1 q'], ['\\mathbf{Q} = |', '13 Q@0-10 q'], ['W^Q = |', '6 W_Q@0-3 wq'], ['W^{Q} &= |', '9 W_Q@0-5 wq'], ['W_{q} := |', '9 W_q@0-5 wq'], ['W_q \\coloneqq |', '14 W_q@0-3 wq'], ['Q \\triangleq|', '12 Q@0-1 q'], ['Q \\approx |', '10 Q@0-1 q'], ['Q &= & |', '7 Q@0-1 q'], ['Q & = |', '6 Q@0-1 q'], ['x_{1} = |', '8 x_1@0-5 xi1'], ['K^\\top = |', '9 K^\\top@0-6'], ['K^T = |', '6 K^T@0-3'], ['\\vec{x}_1 = |', '12 x_1@0-9 xi1'], ['\\hat Q = |', '9 Q@0-6 q'], ['\\text{Query} = |', '15 Query@0-12 q'], ['\\operatorname{Q} = |', '19 Q@0-16 q'], ['$Q = |', '5 Q@1-2 q'], ['$$ Q = |', '7 Q@3-4 q'], ['\\[ Q = |', '7 Q@3-4 q'], ['\\( Q = |', '7 Q@3-4 q'], ['\\quad Q = |', '10 Q@6-7 q'], ['a, Q = |', '7 Q@3-4 q'], ['{Q = |', '5 Q@0-2 q'], ['[Q = |', '5 Q@1-2 q'], ['; Q = |', '6 Q@2-3 q'], ['2Q = |', '5'], ['= |', '2'], ['1 = |', '4'], ['foo bar = |', '10 bar@4-7'], ["Q' = |", "5 Q'@0-2"], ['Q_ 1 = |', '7 Q_1@0-4'], ['Q* = |', '5 Q*@0-2'], ['f(x) = |', '7 f(x)@0-4'], ['\\alpha = |', '9 \\alpha@0-6'], ['\\quad = |', '8'], ['Q = \\left[|', '4 Q@0-1 q'], ['Q = \\left(|', '4 Q@0-1 q'], ['Q = \\left\\{|', '4 Q@0-1 q'], ['Q = \\left\\lbrack|', '4 Q@0-1 q'], ['Q = \\left. |', '4 Q@0-1 q'], ['Q = \\bigl[|', '4 Q@0-1 q'], ['Q = \\Bigg(|', '4 Q@0-1 q'], ['Q = \\big[|', '4 Q@0-1 q'], ['Q = \\left\\lVert|', '4 Q@0-1 q'], ['Q = \\left\\lvert|', '4 Q@0-1 q'], ['Q = \\left\\vert|', '4 Q@0-1 q'], ['Q = \\left\\Vert|', '4 Q@0-1 q'], ['Q = \\left|', '9'], ['Q = [|', '4 Q@0-1 q'], ['Q = (|', '4 Q@0-1 q'], ['Q = {|', '5'], ['x [|', '3'], ['Q =\n|', '4 Q@0-1 q'], ['Q =\n\n|', '5 Q@0-1 q'], ['Q\n= |', '4 Q@0-1 q'], ['2 |', '2 {2}'], ['+ |', '2 {+}'], ['A |', '2'], ['$A$ |', '4'], ['$ |', '2'], ['$A |', '3 {A}'], ['\\cdot |', '6 {t}'], ['\\times |', '7 {s}'], ['\\otimes|', '7 {s}'], ['\\odot|', '5 {t}'], ['\\pm|', '3 {m}'], ['x\\cdots |', '8'], ['\\frac{1}{2} |', '12 {}}'], ['\\mathbf{A} |', '11'], ['\\alpha |', '7'], ['\\begin{align} |', '14'], ['\\begin{equation*}|', '17'], ['\\end{bmatrix} |', '14 {}}'], ['\\end{pmatrix*} |', '15 {}}'], ['\\end{matrix}|', '12 {}}'], ['\\end{align} |', '12'], ['2\n|', '2 {2}'], ['2\n\n|', '3 {2}'], ['see 3 |', '6 {3}'], ['see |', '4'], ['. |', '2'], [', |', '2'], ['a} |', '3 {}}'], ['^ |', '2 {^}'], ['_|', '1 {_}'], ['· |', '2 {·}'], ['× |', '2 {×}'], ['/ |', '2 {/}'], ['* |', '2 {*}'], ['- |', '2 {-}'], ['|', '0'], ['Q = \\|', '4 Q@0-1 q'], ['x\\|', '1'], ['2\\|', '1 {2}'],
  ]); // prettier-ignore

  it('is looked at for 120 characters', () => {
    assert.deepEqual([117, 118].map((n) => before(`Q =${blank(n)}|`)), ['120 Q@0-1 q', '121']);
    assert.deepEqual([117, 118].map((n) => before(`xxx Q =${blank(n)}|`)), ['124 Q@4-5 q', '125']);
    assert.deepEqual([119, 120].map((n) => before(`${x(130)}2${blank(n)}|`).split(' ').slice(1)), [['{2}'], []]); // prettier-ignore
    assert.deepEqual([18, 19].map((n) => before(`$${x(n)}A |`)), ['21 {A}', '22']);
    assert.deepEqual([12, 13].map((n) => before(`\\end{${x(n)}matrix} |`)), ['25 {}}', '26']);
    const s = scannerOf('Q = ');
    latexBefore(s, 4);
    assert.equal(s.steps, 120);
  }); // prettier-ignore
});

describe('after a matrix of LaTeX', () => {
  const after = (text: string): string => {
    const s = scannerOf(text);
    const { end, expression } = latexAfter(s, 0);
    assert.equal(s.steps, 120);
    return `${end}${expression ? ` {${text.slice(expression.start, expression.end)}}` : ''}`;
  };
  test(after, [
    ['', '0'], ['\\right]', '7'], [' \\right)', '8'], ['\\right\\}', '8'], ['\\right.', '7'], ['\\right\\rbrack', '13'], ['\\bigr]', '6'], ['\\Biggr)', '7'], ['\\big]', '5'], ['\\right\\rVert', '12'], ['\\right\\rvert', '12'], ['\\right\\vert', '11'], ['\\right|', '7'], [']', '0'], [')', '0'], ['^\\top', '0 {^\\top}'], ['^T', '0 {^T}'], ['^{T}', '0 {^{T}}'], ['^{-1} + 2', '0 {^{-1}}'], ['^*', '0 {^*}'], ['_1', '0 {_1}'], ['_{ij}', '0 {_{ij}}'], ['_', '0'], ['^', '0'], ['^{aaaaaaaaaaaaaaaaaaaa}', '0 {^{aaaaaaaaaaaaaaaaaaaa}}'], ['^{aaaaaaaaaaaaaaaaaaaaa}', '0'], [' \\cdot W', '0 { \\cdot}'], [' \\times 2', '0 { \\times}'], ['\\otimes', '0 {\\otimes}'], ['\\odot', '0 {\\odot}'], ['\\left[', '0 {\\left}'], ['\\begin{bmatrix}', '0 {\\begin}'], ['\\mathbf{A}', '0 {\\mathbf}'], ['\\frac12', '0 {\\frac}'], ['\\cdots', '0'], ['\\quad', '0'], [' + 2', '0 { +}'], ['- 1', '0 {-}'], ['* 2', '0 {*}'], ['/ 2', '0 {/}'], ['·2', '0 {·}'], ['×2', '0 {×}'], [' W', '0 { W}'], [' Where', '0'], [' w', '0'], ['.', '0'], [', and', '0'], [' = 2', '0'], ['\n+ 2', '0'], ['\r+ 2', '0'], ['\\right] ^T', '7'], ['\\right]^T', '7 {^T}'], ['$ + 2', '0'], ['\\text{a}', '0'], ['&', '0'], ['\\\\ A', '0'],
  ]); // prettier-ignore

  it('is looked at for 40 characters', () => {
    assert.deepEqual([33, 34].map((n) => after(`${blank(n)}\\right]`)), ['40', '0']);
    assert.equal(opensFormula('see [', 4), false);
    assert.deepEqual(['\\[', '\\left[', '\\bigl[', '\\Biggl[', '\\big[', 'x[', '\\leftx[', '['].map((text) => opensFormula(text, text.length - 1)), [true, true, true, true, true, false, false, false]);
  }); // prettier-ignore
});

describe('a cell of a table', () => {
  const cell = (text: string, writing?: lines.Writing): string => {
    const s = scannerOf(text);
    const { kind, value, start, end } = lines.cellOf(s, 0, text.length, writing);
    if (kind !== 'number') assert.ok(Number.isNaN(value));
    return `${kind === 'number' ? value : kind} ${start}-${end} +${s.steps}`;
  };
  /** With points, and behind a line with decimal commas where that differs. */
  const both = (text: string): string => {
    const [point, comma] = [cell(text), cell(text, { decimalComma: true })];
    return point === comma ? point : `${point} | ${comma}`;
  };
  test(both, [
    [' 1 ', '1 1-2 +5'], ['"1"', '1 1-2 +5'], ["'1'", '1 1-2 +5'], [`"1'`, 'text 0-3 +4'], ['"', 'text 0-1 +2'], ['""', 'empty 1-1 +2'], ["''", 'empty 1-1 +2'], ['  ', 'empty 2-2 +2'], ['', 'empty 0-0 +0'], [' "a" ', 'text 2-3 +7'], ['x', 'text 0-1 +3'], ['...', 'elided 0-3 +4'], ['..', 'elided 0-2 +3'], ['…', 'elided 0-1 +2'], ['⋮', 'elided 0-1 +2'], ['⋱', 'elided 0-1 +2'], ['⋯', 'elided 0-1 +2'], ['⋰', 'elided 0-1 +2'], ['....', 'text 0-4 +5'], ['.', 'text 0-1 +2'], ['…⋮', 'text 0-2 +3'], ['TRUE', '1 0-4 +4'], ['FALSE', '0 0-5 +5'], ['NA', 'NaN 0-2 +2'], ['<NA>', 'NaN 0-4 +4'], ['True', '1 0-4 +13'], ['TRUES', 'text 0-5 +11'], ['1,5', 'text 0-3 +5 | 1.5 0-3 +3'], ['-0,25e3', 'text 0-7 +10 | -250 0-7 +7'], ['−1,5', 'text 0-4 +7 | -1.5 0-4 +4'], [',5', 'text 0-2 +3 | 0.5 0-2 +2'], ['1,', 'text 0-2 +4'], ['1,5,', 'text 0-4 +6'], ['1.5$', 'text 0-4 +9'], ['1.5', '1.5 0-3 +7'], ['1.5x', 'text 0-4 +9'], ['+1', '1 0-2 +5'], ['-1', '-1 0-2 +5'], ['− 1', 'text 0-3 +4'], ['1e5', '100000 0-3 +7'], ['1e', 'text 0-2 +5'], ['.5', '0.5 0-2 +5'], ['5.', '5 0-2 +5'], ['1_0', '10 0-3 +7'], ['" "', 'text 1-2 +4'], ['inf', 'Infinity 0-3 +10'], ['nan', 'NaN 0-3 +10'], ['inf "', 'text 0-5 +12'],
  ]); // prettier-ignore

  it('has at most 400 characters', () => {
    const kind = (text: string, writing?: lines.Writing): string => lines.cellOf(scannerOf(text), 0, text.length, writing).kind; // prettier-ignore
    assert.deepEqual([400, 401].map((n) => kind('1'.repeat(n))), ['number', 'text']); // prettier-ignore
    assert.deepEqual([398, 399].map((n) => kind(`0,${'1'.repeat(n)}`, { decimalComma: true })), ['number', 'text']); // prettier-ignore
  });

  it('ends where it ends, whatever follows', () => {
    const inner = (text: string, start: number, end: number): number => lines.cellOf(scannerOf(text), start, end).value;
    assert.deepEqual([inner('$1.5$', 1, 4), inner('x1.5.2', 1, 4), inner('x.5e3.', 1, 5), inner('x-5.e+3j', 1, 7), inner('xaj', 1, 2)], [1.5, 1.5, 500, -5000, NaN]); // prettier-ignore
  });
});

describe('a line', () => {
  const many = (run: (s: Scanner, to: number) => lines.Cell[]) => (text: string): string => {
    const s = scannerOf(text);
    const cells = run(s, text.length).map((c) => `${c.kind === 'text' ? `'${lines.textOf(s, c)}'` : c.kind === 'number' ? c.value : c.kind}@${c.start}`);
    return `${cells.join(' ')} +${s.steps}`;
  }; // prettier-ignore
  describe('is split at blanks', () => {
    test(many((s, to) => lines.splitBlanks(s, 0, to)), [
      ['1 2', '1@0 2@2 +9'], [' 1  2 ', '1@1 2@4 +12'], ['"a b" 1', "'a b'@1 1@6 +17"], ['"a b', `'"a'@0 'b'@3 +10`], ["'a b' c", "'a b'@1 'c'@6 +17"], ['"a"b c', `'"a"b'@0 'c'@5 +14`], ['', ' +0'], ['  ', ' +2'], ['a\t1', "'a'@0 1@2 +9"], ['" a 1', `'"'@0 'a'@2 1@4 +13`],
    ]); // prettier-ignore
    it('outside of quotes of up to 400 characters', () => {
      const cells = (n: number): number => many((s, to) => lines.splitBlanks(s, 0, to))(`"${blank(n)}" 1`).split(' ').length; // prettier-ignore
      assert.deepEqual([cells(398) > 100, cells(399)], [true, 4]);
    });
  });
  describe('is split at commas', () => {
    test(many((s, to) => lines.splitAt(s, 0, to, 44, lines.points)), [
      ['1,2', '1@0 2@2 +9'], ['1,,2', '1@0 empty@2 2@3 +10'], [',', 'empty@0 empty@1 +1'], ['', 'empty@0 +0'], ['"a,b",1', "'a,b'@1 1@6 +17"], [' "a,b",1', "'a,b'@2 1@7 +19"], ['a"b,c"', `'a"b'@0 'c"'@4 +15`], ['"a""b",2', `'a""b'@1 2@7 +19`], ['1\\,2,3', "'1\\,2'@0 3@5 +15"], ['"a,b', `'"a,b'@0 +9`], ['1,"a,b"', "1@0 'a,b'@3 +17"], ['       "a,b"', "'a,b'@8 +26"], ['        "a,b"', `'"a'@8 'b"'@11 +28`], ['1,       "a,b"', "1@0 'a,b'@10 +31"], ['1,        "a,b"', `1@0 '"a'@10 'b"'@13 +33`], ["'a,b',1", "''a'@0 'b''@3 1@6 +17"],
    ]); // prettier-ignore
  });
  describe('ends', () => {
    const line = (text: string, at = 0): string => {
      const s = scannerOf(text);
      const { start, end, next } = lines.lineAt(s, at);
      return `${start}-${end} ${next} +${s.steps}`;
    };
    test(line, [
      ['', '0-0 0 +1'], ['a', '0-1 1 +2'], ['a\nb', '0-1 2 +2'], ['a\r\nb', '0-1 3 +2'], ['a\rb', '0-1 2 +2'], ['a\n', '0-1 2 +2'], ['a\r\n', '0-1 3 +2'], ['\n', '0-0 1 +1'], ['a\n\nb', '0-1 2 +2'],
    ]); // prettier-ignore
    it('from any place on', () => assert.deepEqual([line('ab\ncd\nef', 3), line('ab\ncd\nef', 4)], ['3-5 6 +3', '4-5 6 +2'])); // prettier-ignore
  });
  it('has another below unless the text or the window ends', () => {
    const next = (text: string, end = text.length): string => {
      const s = scannerOf(text, 0, end);
      const found = lines.lineAfter(s, lines.lineAt(s, 0));
      return found ? `${found.start}-${found.end}` : 'none';
    };
    assert.deepEqual(['a', 'a\n', 'a\nb', 'a\n\nb', 'a\r\nb'].map((text) => next(text)), ['none', 'none', '2-3', '2-2', '3-4']); // prettier-ignore
    assert.deepEqual([next('a\nbc', 3), next('a\nb\nc', 3), next('a\nb\nc', 4), next('a\nb\nc', 2)], ['none', '2-3', '2-3', 'none']); // prettier-ignore
  });
  it('is blank, begins with a number, has words', () => {
    const is = (of: (s: Scanner, line: lines.Line) => unknown, text: string): string => {
      const s = scannerOf(`ab\n${text}`);
      const line = lines.lineAt(s, 3);
      s.steps = 0;
      return `${String(of(s, line))} +${s.steps}`;
    };
    assert.deepEqual(['', '  ', ' a', 'a', ' \n1'].map((text) => is(lines.isBlankLine, text)), ['true +1', 'true +3', 'false +2', 'false +1', 'true +2']); // prettier-ignore
    assert.deepEqual(['', '  ', ' 1', '-1', '.5', '−1', 'a', ' \n1', '+', '9a'].map((text) => is(lines.beginsNumber, text)), ['false +1', 'false +3', 'true +2', 'true +1', 'true +1', 'true +1', 'false +1', 'false +2', 'true +1', 'true +1']); // prettier-ignore
    const length = (s: Scanner, line: lines.Line): number => lines.wordsOf(s, line).length;
    assert.deepEqual([' ab ', x(400), x(401)].map((text) => is(length, text)), ['2 +4', '400 +400', '0 +400']); // prettier-ignore
    assert.deepEqual(['abc', 'abcd'].map((text) => is((s, line) => lines.wordsOf(s, line, 3), text)), ['abc +3', ' +3']); // prettier-ignore
  });
});
