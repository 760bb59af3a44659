// The characters and words that every reader is built of, and its numbers: what is read, how far, and how many characters are counted.
import assert from 'node:assert/strict';
import { power, readNumber, readSign } from '../../engine/parse/numbers';
import * as scanner from '../../engine/parse/scanner';
import { stride } from '../../engine/text';

const { code, scannerOf } = scanner;

describe('characters', () => {
  it('have the codes of their names', () => {
    const named: Readonly<Record<keyof typeof code, string>> = {
      tab: '\t', newline: '\n', carriageReturn: '\r', space: ' ', doubleQuote: '"', hash: '#', quote: "'", open: '(', close: ')', star: '*', plus: '+', comma: ',', minus: '-', dot: '.', slash: '/', colon: ':',
      less: '<', equals: '=', greater: '>', openBracket: '[', backslash: '\\', closeBracket: ']', underscore: '_', backtick: '`', openBrace: '{', closeBrace: '}', unicodeMinus: '−', ellipsis: '…', arrow: '→',
    }; // prettier-ignore
    assert.deepEqual(code, Object.fromEntries(Object.entries(named).map(([name, char]) => [name, char.charCodeAt(0)])));
  });

  it('are of the kinds that are said', () => {
    // ASCII, and the neighbours of each border: signs of arithmetic, punctuation, arrows, boxes and forms of presentation are no letters; scripts are.
    const borders = [0xa0, 0xc0, 0xd7, 0xf7, 0x2000, 0x2080, 0x208a, 0x2212, 0x2c00, 0x3000, 0x3040, 0xfe00, 0xfeff];
    const all = [...Array(128).keys(), ...borders.flatMap((c) => [c - 1, c, c + 1])];
    const of = (is: (c: number) => boolean): string =>
      all
        .filter(is)
        .map((c) => String.fromCharCode(c))
        .join('');
    assert.equal(of(scanner.isDigit), '0123456789');
    assert.equal(of(scanner.isNewline), '\n\r');
    assert.equal(of(scanner.isQuote), '"\'`');
    assert.equal(of(scanner.isOpener), '([');
    assert.equal(of(scanner.isCloser), ')]');
    assert.equal(of(scanner.isSign), '+-−');
    assert.equal(of(scanner.isBlank), '\t \u00a0\ufeff');
    assert.equal(of(scanner.isSpace), '\t\n\r \u00a0\ufeff');
    assert.equal(
      of((c) => scanner.isWordPart(c) && !scanner.isLetter(c)),
      '0123456789\u2080\u2081\u2089',
    );
    assert.equal(
      of(scanner.isLetter),
      '$ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz\u00c0\u00c1\u00d6\u00d8\u00f6\u00f8\u1fff\u2c00\u2c01\u2fff\u3040\u3041\ufdff',
    );
  });
});

/** What a function returns at the start of a text, where it leaves the cursor, and how many characters it counts. */
const after = (text: string, run: (s: scanner.Scanner) => unknown, at = 0): string => {
  const s = scannerOf(text);
  s.at = at;
  return `${String(run(s))} @${s.at} +${s.steps}`;
};

function test(run: (s: scanner.Scanner) => unknown, cases: readonly (readonly [string, string])[]): void {
  for (const [text, expected] of cases) it(JSON.stringify(text), () => assert.equal(after(text, run), expected));
}

describe('the cursor', () => {
  it('sees no further than the end', () => {
    assert.deepEqual(scannerOf('abc', 1, 2), { text: 'ab', at: 1, end: 2, follows: 99, steps: 0, due: stride, value: 0, noBlockEndFrom: Infinity, noCloserFrom: Infinity }); // prettier-ignore
    assert.deepEqual([scannerOf('abc').follows, scannerOf('abc').end, scannerOf('abc', 0, 9).end], [-1, 3, 3]);
    const s = scannerOf('abc', 1);
    assert.deepEqual([scanner.peek(s), scanner.peek(s, 1), scanner.peek(s, 2), scanner.peek(s, -1)], [98, 99, -1, 97]);
  });

  it('is due after so many steps', () => {
    const s = scannerOf('');
    s.steps = s.due;
    assert.equal(scanner.isDue(s), false);
    s.steps++;
    assert.equal(scanner.isDue(s), true);
    assert.deepEqual([scanner.isDue(s), s.due], [false, 2 * stride + 1]);
  });
});

describe('blanks and comments', () => {
  test((s) => scanner.skipGap(s), [
    ['1', 'none @0 +1'],
    ['', 'none @0 +1'],
    [' \t1', 'blank @2 +3'],
    [' \n 1', 'line @3 +4'],
    ['\r1', 'line @1 +2'],
    ['\\\n1', 'line @2 +3'],
    ['\\1', 'none @0 +1'],
    ['\\n1', 'line @2 +3'],
    ['\\n",\n  "1', 'line @8 +14'],
    ['\\n",\n  1', 'line @2 +8'],
    ['\\n"1', 'line @2 +4'],
    ['# a\n1', 'line @4 +5'],
    ['# a', 'blank @3 +4'],
    ['// a\n1', 'line @5 +6'],
    ['/ a', 'none @0 +1'],
    ['1//2', 'none @0 +1'],
    ['1/*2*/', 'none @0 +1'],
    ['/* a */1', 'blank @7 +8'],
    ['/**/1', 'blank @4 +5'],
    ['/*/1', 'none @0 +5'],
    ['/* a *', 'none @0 +7'],
    ['/* a * /1', 'none @0 +10'],
    ['/*\n*/1', 'blank @5 +6'],
  ]); // prettier-ignore

  it('of a floor division is none', () => {
    assert.deepEqual([after('7//2', scanner.skipGap, 1), after('7 //2', scanner.skipGap, 1), after(')//2', scanner.skipGap, 1)], ['none @1 +1', 'blank @5 +5', 'blank @4 +4']); // prettier-ignore
  });

  it('have the prompt of doctest at the start of a line', () => {
    const gap = (text: string, literal: number): string => after(text, (s) => scanner.skipGap(s, literal), text.indexOf('\n')); // prettier-ignore
    assert.deepEqual(
      ['>>> [1,\n... 2', '>>> [1,\n  ... 2', '>>> [1,\n...2', '>>  [1,\n... 2', '  >>> [1,\n... 2', '>>> x\n[1,\n... 2'].map((text) => gap(text, text.indexOf('['))),
      ['line @12 +10', 'line @14 +14', 'line @8 +2', 'line @8 +6', 'line @14 +12', 'line @6 +2'],
    ); // prettier-ignore
    // The prompt is looked for 200 characters before the literal.
    const far = (blanks: number): string => gap(`\n>>> ${' '.repeat(blanks)}[1,\n... 2`.slice(1), 4 + blanks);
    assert.deepEqual([far(196), far(197)], ['line @208 +206', 'line @205 +202']);
    assert.equal(
      after('>>> \n... 2', (s) => scanner.skipGap(s, 0), 4),
      'line @5 +2',
    );
  });

  it('that never end are remembered', () => {
    const s = scannerOf('/* a /* b');
    assert.equal(scanner.skipBlock(s), false);
    assert.deepEqual([s.noBlockEndFrom, s.steps], [0, 9]);
    s.at = 5;
    assert.deepEqual([scanner.skipBlock(s), s.steps, s.at], [false, 9, 5]);
    s.at = 0;
    assert.deepEqual([scanner.skipBlock(s), s.steps], [false, 9]);
    assert.equal(after('abc /*', scanner.skipBlock, 4), 'false @4 +2');
    const closed = scannerOf('/* a */ /*');
    assert.deepEqual([scanner.skipBlock(closed), closed.at], [true, 7]);
    assert.equal(after('ab\ncd', scanner.skipLine), 'true @2 +0');
    assert.equal(after('ab', scanner.skipLine), 'true @2 +0');
  });
});

describe('words and quotes', () => {
  test((s) => scanner.wordEnd(s), [
    ['np.float32(', '10 @0 +10'],
    ['a', '1 @0 +1'],
    ['a.', '1 @0 +1'],
    ['a.1', '1 @0 +1'],
    ['a..b', '1 @0 +1'],
    ['a1₂ ', '3 @0 +3'],
    ['1a', '0 @0 +0'],
    ['', '0 @0 +0'],
  ]); // prettier-ignore
  test((s) => scanner.quotedEnd(s), [
    ['"a"b', '3 @0 +2'],
    ['""', '2 @0 +1'],
    ['"a', '2 @0 +2'],
    ['"a\nb"', '2 @0 +2'],
    ['"a\'b"', '5 @0 +4'],
    ['"a\\"b"', '6 @0 +5'],
    ['"a\\', '3 @0 +4'],
    ['"', '1 @0 +1'],
  ]); // prettier-ignore
  test((s) => scanner.ellipsisLength(s), [
    ['…', '1 @0 +0'], ['...', '3 @0 +0'], ['..', '0 @0 +0'], ['.. .', '0 @0 +0'], ['. ..', '0 @0 +0'], ['a..', '0 @0 +0'], ['....', '3 @0 +0'],
  ]); // prettier-ignore

  it('stand at another place', () => {
    assert.equal(scanner.wordEnd(scannerOf('(ab)'), 1), 3);
    assert.equal(after('x = "a"', scanner.quotedEnd, 4), '7 @4 +2');
  });

  it('end where a line does', () => {
    assert.deepEqual(['a\r\nb', 'a\nb', 'b', '\nb'].map((text) => scanner.endOfLineAbove(text, text.indexOf('b'))), [1, 1, 0, 0]); // prettier-ignore
    const start = scanner.startOfLine;
    assert.deepEqual([start('ab\ncd', 5), start('ab\ncd', 3), start('ab\ncd', 2), start('ab\ncd', 5, 4), start('ab', 2, 1), start('a\\nb', 4), start('a\rb', 3)], [3, 3, 0, 4, 1, 3, 2]); // prettier-ignore
    assert.deepEqual([scanner.isWrittenNewline('\\n', 0), scanner.isWrittenNewline('\\t', 0), scanner.isWrittenNewline('nn', 0)], [true, false, false]); // prettier-ignore
  });
});

describe('a number', () => {
  /** Kind, value, end and steps. */
  const read = (unary: boolean) => (s: scanner.Scanner): string => {
    const kind = readNumber(s, unary);
    return kind === 'number' ? `${Object.is(s.value, -0) ? '-0' : s.value}` : kind;
  }; // prettier-ignore
  test(read(false), [
    ['1', '1 @1 +2'], ['-2 ', '-2 @2 +3'], ['+2', '2 @2 +3'], ['−2', '-2 @2 +3'], ['- 2', 'none @0 +1'], ['-0', '-0 @2 +3'], ['.5', '0.5 @2 +3'], ['1.', '1 @2 +3'], ['.', 'none @0 +1'], ['-', 'none @0 +1'], ['', 'none @0 +1'], ['-.5', '-0.5 @3 +4'],
    ['1.25', '1.25 @4 +5'], ['007', '7 @3 +4'], ['1e3', '1000 @3 +4'], ['1E-3', '0.001 @4 +5'], ['2.5e+1', '25 @6 +7'], ['1e', 'malformed @2 +3'], ['1e-', 'malformed @2 +3'], ['1e−3', 'malformed @2 +3'], ['1f', 'malformed @2 +3'],
    // Clinger: 15 digits and a power of ten of up to 22 are exact; beyond, the language's own conversion.
    ['999999999999999e22', '9.99999999999999e+36 @18 +19'], ['9999999999999999', '10000000000000000 @16 +17'],
    // Python's float of them: ten times a sum of 16 digits is not exact.
    ['9139962084340797e-9', '9139962.084340798 @19 +20'], ['9556474435415693e-3', '9556474435415.693 @19 +20'], ['123456789012345678', '123456789012345680 @18 +19'], ['0.000000000000000000000001', '1e-24 @26 +27'], ['1e23', '1e+23 @4 +5'], ['1e22', '1e+22 @4 +5'], ['1e-22', '1e-22 @5 +6'], ['1e-23', '1e-23 @5 +6'], ['1e400', 'Infinity @5 +6'],
    ['000000000000000000001', '1 @21 +22'], ['0.1234567890123456', '0.1234567890123456 @18 +19'], ['8.41e21', '8.41e+21 @7 +8'],
    ['1/3', '0.3333333333333333 @3 +4'], ['-1/4', '-0.25 @4 +5'], ['1/', '1 @1 +2'], ['1/x', '1 @1 +2'], ['1/2/4', '0.5 @3 +4'], ['1/2.5', '0.4 @5 +6'], ['1/1e', 'malformed @4 +5'], ['1j/2', 'complex @2 +3'], ['1/0', 'Infinity @3 +4'],
    ['1.2.3', 'malformed @5 +6'], ['1...', '1 @2 +3'], ['1..', 'malformed @3 +4'], ['1..2', 'malformed @4 +5'],
    ['1_000', '1000 @5 +6'], ['1__0', 'malformed @4 +5'], ['_1', 'none @0 +3'], ['1_', 'malformed @2 +3'], ['0xff', '255 @4 +5'], ['0b101', '5 @5 +6'], ['0o17', '15 @4 +5'], ['0x1p-2', '0.25 @6 +7'], ['0x1.8p+1', '3 @8 +9'], ['0x_f_f', '255 @6 +7'], ['0b_1', '1 @4 +5'], ['0x_g', 'malformed @4 +5'], ['0xf_', 'malformed @4 +5'], ['1_e5', 'malformed @4 +5'], ['1_5e-3', '0.015 @6 +7'],
    ['2.5j', 'complex @4 +5'], ['3i', 'complex @2 +3'], ['3J', 'complex @2 +3'], ['1_0j', 'complex @4 +5'], ['1_j', 'malformed @3 +4'], ['xi', 'none @0 +3'], ['1xj', 'malformed @3 +4'], ['12px', 'malformed @4 +5'], ['1k', 'malformed @2 +3'],
    ['inf', 'Infinity @3 +7'], ['-inf', '-Infinity @4 +8'], ['nan', 'NaN @3 +7'], ['infer', 'none @0 +6'], ['np.inf', 'Infinity @6 +13'], ['True', '1 @4 +9'], ['-True', '-1 @5 +10'], ['False', '0 @5 +11'], ['.nan', 'NaN @4 +8'], ['.infinity', 'Infinity @9 +18'], ['Float::NAN', 'NaN @10 +19'], ['Float::', 'none @0 +6'],
    ["float('-inf')", '-Infinity @13 +22'], ['float("1.5")', '1.5 @12 +18'], ['float( 1 )', '1 @10 +16'], ['float( - 1)', '-1 @11 +17'], ['float(x)', 'none @0 +7'], ['float(1', 'none @0 +6'], ['float(1, 2)', 'none @0 +6'], ['float (1)', 'none @0 +6'], ['float("1\')', 'none @0 +6'], ['float(.5)', '0.5 @9 +15'], ['float(1j)', 'none @0 +6'], ['-float(-2)', '2 @10 +16'], ['float(`1`)', '1 @10 +16'], ['float(float(1))', 'none @0 +11'], ["float(' inf ')", 'Infinity @14 +23'],
  ]); // prettier-ignore
  test(read(true), [['- 2', '-2 @3 +4'], ['+ \t2', '2 @4 +5'], [' 2', 'none @0 +1'], ['-\n2', 'none @0 +1']]); // prettier-ignore

  it('has no name of more than 32 characters', () => {
    // The longest that is known has 39 − 7: `tf.experimental.numpy.` and a word.
    assert.equal(after('tf.experimental.numpy.infinity', read(false)), 'Infinity @30 +61');
    assert.equal(after(`float(${'x'.repeat(33)})`, read(false)), 'none @0 +39');
  });

  it('has a sign', () => {
    const sign = (unary: boolean): string[] => ['-1', '+1', '− 1', '1', '+ 1'].map((text) => after(text, (s) => readSign(s, unary))); // prettier-ignore
    assert.deepEqual(sign(false), ['-1 @1 +0', '1 @1 +0', '-1 @1 +0', '1 @0 +0', '1 @1 +0']);
    assert.deepEqual(sign(true), ['-1 @1 +0', '1 @1 +0', '-1 @2 +0', '1 @0 +0', '1 @2 +0']);
  });

  it('is exact as a power of ten up to 22', () => {
    assert.deepEqual([-1, 0, 1, 22, 23].map(power), [0, 1, 10, 1e22, 0]);
    for (let e = 0; e <= 22; e++) assert.equal(BigInt(power(e)), BigInt(`1${'0'.repeat(e)}`));
  });
});
