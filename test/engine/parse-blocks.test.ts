// Lines of numbers with what stands above and beside them: which words are a header, a label or a number, and where the block ends.
import assert from 'node:assert/strict';
import { isRowIndex, readBlockPaced, wrapsOnto, type Block } from '../../engine/parse/formats/block';
import { lineAt, textOf } from '../../engine/parse/formats/lines';
import { scannerOf } from '../../engine/parse/scanner';

function read(text: string): Block | undefined {
  const s = scannerOf(text);
  const reading = readBlockPaced(s, lineAt(s, 0));
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

/** `(header) label: numbers / … from-to w(width of the first row)` and what else is said. */
function shown(text: string): string {
  const block = read(text);
  if (!block) return '-';
  const s = scannerOf(text);
  const cells = (row: Block['rows'][number]): string => row.cells.map((cell) => (cell.kind === 'number' ? String(cell.value) : cell.kind === 'text' ? `'${textOf(s, cell)}'` : cell.kind)).join(' '); // prettier-ignore
  const rows = block.rows.map((row) => `${row.label === undefined ? '' : `${row.label}: `}${cells(row)}`).join(' / ');
  const parts = [block.header && `(${block.header.join('|')})`, rows, `${block.start}-${block.last.end} w${block.width}`, block.labels && 'labels', block.continued && 'continued', block.printer]; // prettier-ignore
  return parts.filter(Boolean).join(' ');
}

describe('a block of numbers', () => {
  const cases: readonly (readonly [string, string])[] = [
['1 2\n3 4', '1 2 / 3 4 0-7 w3'], ['1 2', '1 2 0-3 w3'], ['1', '1 0-1 w1'], ['a', '-'], ['', '-'], ['1 2\n\n3 4', '1 2 0-3 w3'], ['1 2\nx', '1 2 0-3 w3'], ['1 2\nx 3', '1 2 0-3 w3'], ['x 1 2\ny 3 4', '(1|2) y: 3 4 0-11 w5 labels'], ['x 1 2\n3 4', 'x: 1 2 / : 3 4 0-9 w5 labels'], ['x 1 2 3\ny 4 5', 'x: 1 2 3 / y: 4 5 0-13 w7 labels'], ['x 1 2\ny 3 4 5', '(x|1|2) y: 3 4 5 0-13 w7 labels'], ['a b c d 1 2\ne 3 4', 'a b c d: 1 2 / e: 3 4 0-17 w11 labels'], ['a b c d e 1 2\ne 3 4', '-'], ['1 2\n3 4 5', '(1|2) 3: 4 5 0-9 w5 labels'], ['1 2 3\n4 5', '1 2 3 / 4 5 0-9 w5'], ['a b\n1 2\n3 4', '(a|b) 1 2 / 3 4 0-11 w3'], ['a b\n0 1 2\n1 3 4', '(a|b) 0: 1 2 / 1: 3 4 0-15 w5 labels'], ['a b c\nx 1 2\ny 3 4', '(b|c) x: 1 2 / y: 3 4 0-17 w5 labels'], ['c a b\nx 1 2\ny 3 4', '(a|b) x: 1 2 / y: 3 4 0-17 w5 labels'], ['b a\nx 1\ny 2', '-'], ['a b\n0.5 1 2', '-'], ['a b\n1 2 3 4', '-'], ['a b c\n1 2', '-'], ['a b\nx 1 2\ny 3 4', '(a|b) x: 1 2 / y: 3 4 0-15 w5 labels'], ['New York  Boston\nx 1 2', '(New York|Boston) x: 1 2 0-22 w5 labels'], ['New York\n1 2', '(New|York) 1 2 0-12 w3'], ['New York\tBoston\n1 2', '(New York|Boston) 1 2 0-19 w3'], ['1 2\n1 2\n3 4', '1 2 / 1 2 / 3 4 0-11 w3'], ['0 1\n0 5 6\n1 7 8', '(0|1) 0: 5 6 / 1: 7 8 0-15 w5 labels'], ['1 2\n5 6', '1 2 / 5 6 0-7 w3'], ['0 2 ... 9\n0 1 2 ... 3\n1 4 5 ... 6', '(0|2|...|9) 0: 1 2 elided 3 / 1: 4 5 elided 6 0-33 w11 labels'], ['1 0\n0 5 6', '1 0 / 0 5 6 0-9 w3'], ['x 0 1\na 5 6\nb 7 8', '(0|1) a: 5 6 / b: 7 8 0-17 w5 labels'], ['x y 0 1\na 5 6', 'x y: 0 1 / a: 5 6 0-13 w7 labels'], ['0 1 \\\n0 5 6\n1 7 8', '(0|1) 0: 5 6 / 1: 7 8 0-17 w5 labels continued pandas'], ['a b \\\n0 1 2\n1 3 4', '(a|b) 0: 1 2 / 1: 3 4 0-17 w5 labels continued pandas'], ['a  b  \\\nx 1 2', '(a|b) x: 1 2 0-13 w5 labels continued pandas'], ['a b\\\n1 2', '-'], ['a b\nid    \n1 2 3\n4 5 6', '(a|b) 1: 2 3 / 4: 5 6 0-22 w5 labels pandas'], ['a b\nid\n1 2 3', '-'], ['a b\nid \nx 1 2\ny 3 4', '(a|b) x: 1 2 / y: 3 4 0-19 w5 labels pandas'], ['a b\n2id \n1 2 3', '-'], ['a b\nid no \n1 2 3', '-'], ['a b c\nid \n1 2', '-'], ['a\nid \n5 1\n6 2', '(a) 5: 1 / 6: 2 0-13 w3 labels pandas'], ['"a" "b"\n1 2\n3 4', '(a|b) 1 2 / 3 4 0-15 w3'], ["'a' 'b'\n1 2", '(a|b) 1 2 0-11 w3'], ['"a b" 1 2\n"c" 3 4', 'a b: 1 2 / c: 3 4 0-17 w9 labels'], ['"" "b"\n1 2', '(|b) 1 2 0-10 w3'], ['  a b\n1 2', '(a|b) 1 2 2-9 w3'], ['   1 2\n  3 4', '1 2 / 3 4 3-12 w6'], ['"x" 1 2', 'x: 1 2 0-7 w7 labels'], ['a: b\n1 2', '-'], ['a b.\n1 2', '-'], ['a, b\n1 2', '-'], ['a=b c\n1 2', '-'], ['a [b]\n1 2', '-'], ['x.1 b\n1 2', '(x.1|b) 1 2 0-9 w3'], ['... b\n1 2', '-'], ['-- ==\n1 2', '-'], ['[,1] [,2]\n[1,] 1 2\n[2,] 3 4', '([,1]|[,2]) [1,]: 1 2 / [2,]: 3 4 0-27 w8 labels r'], ['     [,1] [,2]\n[1,]    1    2\n[2,]    3    4\n[4,]    3    4', '([,1]|[,2]) [1,]: 1 2 / [2,]: 3 4 5-44 w14 labels r'], ['[,1] [,2]\na 1 2\nb 3 4', '([,1]|[,2]) a: 1 2 / b: 3 4 0-21 w5 labels r'], ['a b\n[1,] 1 2\n[2,] 3 4', '(a|b) [1,]: 1 2 / [2,]: 3 4 0-21 w8 labels r'], ['[1,] 1 2\n[2,] 3 4', '[1,]: 1 2 / [2,]: 3 4 0-17 w8 labels r'], ['[1,] 1 2\n[2,] 3 x', "[1,]: 1 2 / [2,]: 3 'x' 0-17 w8 labels r"], ['[1,] 1 2\n[2,] x y\n[3,] 4 5', "[1,]: 1 2 / [2,]: 'x' 'y' / [3,]: 4 5 0-26 w8 labels r"], ['[1] 1 2\n[3] 3 4', '-'], ['[2,] 1 2\n[3,] 3 4', '[2,]: 1 2 0-8 w8 labels r'], ['x 1 2\n[1] 5 6', 'x: 1 2 0-5 w5 labels'], ['x 1 2\n[1,] 5 6', '(1|2) [1,]: 5 6 0-14 w8 labels r'], ['x 1 2\n, 5 6', '(1|2) ,: 5 6 0-11 w5 labels'],   ['f(x) 1 2\ng(y) 3 4', '-'], ['a 1 1 2\nb 2 3 4', 'a: 1 1 2 / b: 2 3 4 0-15 w7 labels'], ['a b\nc 1 1 2\nc 2 3 4', '(a|b) c 1: 1 2 / c 2: 3 4 0-19 w7 labels'], ['a b\nhead 0 1 2\nhead 1 3 4\nmean 5 6', '(a|b) head 0: 1 2 / head 1: 3 4 / mean: 5 6 0-34 w10 labels'], ['head 0 1 2\nhead 1 3 4', '(0|1|2) head: 1 3 4 0-21 w10 labels'], ['a b\nx 9 1 2\ny 3 4', '(a|b) x: 9 1 2 / y: 3 4 0-17 w7 labels'], ['x 9 1 2\ny 3 4\nz 5 6', 'x: 9 1 2 / y: 3 4 / z: 5 6 0-19 w7 labels'], ['a b\nx 9 1 2\ny 8 3 4', '(a|b) x 9: 1 2 / y 8: 3 4 0-19 w7 labels'], ['a b\nx 9 1 2', '(a|b) x 9: 1 2 0-11 w7 labels'], ['- 1 2\n- 3 4', ': 1 2 / : 3 4 0-11 w5 labels'], ['* 1 2\n* 3 4', ': 1 2 / : 3 4 0-11 w5 labels'], ['a b\n- 1 2\n- 3 4', '(a|b) : 1 2 / : 3 4 0-15 w5 labels'], ['+ 1 2\n+ 3 4', '+: 1 2 / +: 3 4 0-11 w5 labels'], ['  a b\n0 1 2 3\n1 4 5', '(a|b) 0: 1 2 3 / 1: 4 5 2-19 w7 labels'], ['  a b\n0 1 2 3 4\n1 4 5', '(a|b) 0: 1 2 3 4 / 1: 4 5 2-21 w9 labels'], ['a b\n0 1 2 3 4\n1 4 5', '-'], ['    a b\n0 1 2 3 4\n2 4 5', '-'], ['    a b\n1 1 2 3 4\n2 4 5', '-'], ['    a 1\n0 1 2 3 4\n1 4 5', 'a: 1 / 0: 1 2 3 4 / 1: 4 5 4-23 w7 labels'], ['    a b\n0 1 2 3 x\n1 4 5', '-'], ['    a b\n0 1 2 3 4', '-'], ['1 ...\n3 ...', '1 elided / 3 elided 0-11 w5'], ['...\n...', 'elided / elided 0-7 w3'], ['1 2\n... ...\n3 4', '1 2 / elided elided / 3 4 0-15 w3'], ['1 2\n...\n3 4', '1 2 / elided / 3 4 0-11 w3'], ['x 1 2\n... ... ...\ny 3 4', '(x|1|2) elided elided elided 0-17 w11'], ['a b\n1 2\n... ...', '(a|b) 1 2 / elided elided 0-15 w3'], ['inf nan\n1 2', 'Infinity NaN / 1 2 0-11 w7'], ['True False\nFalse True', '1 0 / 0 1 0-21 w10'], ['<NA> 1', 'NaN 1 0-6 w6'], ['a NaN\nb 2', 'a: NaN / b: 2 0-9 w5 labels'], ['"1" "2"\n"3" "4"', '1 2 / 3 4 0-15 w6'], ['1e5 2\n.5 3.', '100000 2 / 0.5 3 0-11 w5'], ['1,5 2\n3 4', '(1,5|2) 3 4 0-9 w3'], ['1 2 # x', '-'], ['1 2\n3 4\n5', '1 2 / 3 4 / 5 0-9 w3'], ['1 2\n3 4\nsum 9', '1 2 / 3 4 0-7 w3'], ['1 2\r\n3 4\r\n', '1 2 / 3 4 0-8 w3'], ['x 1 2\nthe end of 5', 'x: 1 2 0-5 w5 labels'], ['x 1 2\nthe end 5', 'x: 1 2 0-5 w5 labels'], ['x 1 2\na b c d e 5 6', 'x: 1 2 0-5 w5 labels'], ['x 1 2\na b c d 5 6', '(1|2) a b c d: 5 6 0-17 w11 labels'], ['a  b\n⋮ ⋱', '(a|b) elided elided 0-8 w3'], ['1 2\n⋮ ⋱\n3 4', '1 2 / elided elided / 3 4 0-11 w3'], ['1 ⋯ 2', '1 elided 2 0-5 w5'], ['a\n1', '(a) 1 0-3 w1'], ['a\n1\n2', '(a) 1 / 2 0-5 w1'], ['a b c d e\n1 2 3 4 5', '(a|b|c|d|e) 1 2 3 4 5 0-19 w9'], ['1\n2\n3', '1 / 2 / 3 0-5 w1'],
  ]; // prettier-ignore
  for (const [text, expected] of cases) it(text.replaceAll('\n', '⏎'), () => assert.equal(shown(text), expected));

  it('has names of up to 40 characters', () => {
    const named = (length: number): string[] | undefined => read(`${'x'.repeat(length)} b\n1 2`)?.header?.map((name) => `${name.length}`); // prettier-ignore
    assert.deepEqual([named(40), named(41)], [['40', '1'], undefined]);
  });
});

describe('a block below another', () => {
  // pandas ends a header with a backslash; R wraps what is wider than its line, and numbers columns without names.
  const wide = (header: string, rows: string): string =>
    `${header.padStart(64)}\n${rows.replaceAll('|', ' '.repeat(57))}`;
  const above = wide('a b', 'x|1 2\ny|3 4');
  const cases: readonly (readonly [boolean, string, string])[] = [
    [true, above, 'c d\nx 5 6\ny 7 8'],
    [false, above, 'b d\nx 5 6\ny 7 8'],
    [false, above, 'c d\nx 5 6\nz 7 8'],
    [false, above, 'c d\nz 5 6\nz 7 8'],
    [false, above, 'c d\nx 5 6'],
    [false, above, 'c d\nx 5 6\ny 7 8\nz 9 0'],
    [false, above, 'c d\n5 6\n7 8'],
    [false, above, '5 6\n7 8'],
    [false, '1 2\n3 4', 'c d\n5 6\n7 8'],
    [false, 'a b\nx 1 2\ny 3 4', 'c d\nx 5 6\ny 7 8'],
    [true, 'a b  \\\nx 1 2\ny 3 4', 'c d\nx 5 6\ny 7 8'],
    [true, 'a b  \\\nx 1 2\ny 3 4', 'a d\nx 5 6\ny 7 8'],
    [true, '[,1] [,2]\n[1,] 1 2\n[2,] 3 4', '[,3]\n[1,] 5\n[2,] 6'],
    [false, '[,1] [,2]\n[1,] 1 2\n[2,] 3 4', '[,4]\n[1,] 5\n[2,] 6'],
    [false, '[,1] [,2]\n[1,] 1 2\n[2,] 3 4', '[,2]\n[1,] 5\n[2,] 6'],
  ];
  for (const [wraps, first, second] of cases)
    it(`${second.replaceAll('\n', '⏎')} ${wraps ? 'continues' : 'does not continue'} ${first.trim().slice(0, 12).replaceAll('\n', '⏎')}`, () => {
      const [a, b] = [read(first), read(second)];
      assert.ok(a && b);
      assert.equal(wrapsOnto(a, b), wraps);
    }); // prettier-ignore

  it('continues one of at least 60 characters', () => {
    const of = (width: number): boolean => {
      const [a, b] = [read(`a b\nx 1${' '.repeat(width - 4)}2`), read('c d\nx 5 6')];
      return a !== undefined && b !== undefined && wrapsOnto(a, b);
    };
    assert.deepEqual([of(59), of(60)], [false, true]);
  });

  it('has rows that R numbers', () => {
    assert.deepEqual(['[1,]', '[12,]', '[1]', '[,1]', 'x[1,]', '[1,] '].map(isRowIndex), [true, true, false, false, false, false]); // prettier-ignore
  });
});
