import assert from 'node:assert/strict';
import { maskOf } from '../../engine/parse/masks';
import type { ParsedMatrix } from '../../engine/parse/matrix';
import { hexFloat } from '../../engine/parse/hex-float';
import { roleByValues, roleOf } from '../../engine/parse/roles';
import { cellOf, isBlankLine, lineAfter, lineAt, wordsOf } from '../../engine/parse/formats/lines';
import { powerOf } from '../../engine/parse/scale-factor';
import { scannerOf, skipBlock } from '../../engine/parse/scanner';
import { parseMatrices } from './parse-same';
import { assembled, refused, valuesOf } from './parse-support';

// The small rules of reading, each at its border: numbers as languages define them, names, masks, conventions.

const matrix = (shape: readonly number[], values: readonly number[], more: Partial<ParsedMatrix> = {}): ParsedMatrix =>
  ({ shape, values: Float64Array.from(values), range: { start: 0, end: 1 }, format: 'python', ...more }) as ParsedMatrix; // prettier-ignore

describe('numbers as they are written', () => {
  it('have the value that Python, C, R or Julia give them', () => {
    const cases: readonly [string, number][] = [
      ['1.', 1], ['.5', 0.5], ['-1e-3', -0.001], ['1E5', 1e5], ['1e+5', 1e5], ['+4', 4], ['007', 7], ['0.30', 0.3], ['1_000', 1000], ['0xff', 255], ['0XFF', 255], ['0b11', 3], ['0o17', 15],
      ['0x1.8p3', 12], ['0x1p-2', 0.25], ['1/3', 1 / 3], ['-1/4', -0.25], ['−2', -2], ['123456789012345', 123456789012345], ['1234567890123456', 1234567890123456],
      // More digits, or powers of ten, than one rounded operation has.
      ['0.1234567890123456', 0.1234567890123456], ['9007199254740993', 9007199254740992], ['1e22', 1e22], ['1e23', 1e23], ['123e-22', 123e-22], ['123e-23', 123e-23], ['4.9e-324', 5e-324], ['1e400', Infinity],
      ['inf', Infinity], ['-inf', -Infinity], ['np.inf', Infinity], ['-np.inf', -Infinity], ['np.NINF', -Infinity], ['math.nan', NaN], ['torch.inf', Infinity], ['np.infty', Infinity], ["float('-inf')", -Infinity], ['float("nan")', NaN], ['np.float32(0.5)', 0.5], ['np.float64( -2 )', -2],
      ['True', 1], ['false', 0], ['np.True_', 1], ['np.False_', 0], ['Number.POSITIVE_INFINITY', Infinity], ['Number.NEGATIVE_INFINITY', -Infinity],
    ]; // prettier-ignore
    for (const [written, value] of cases) assert.deepEqual(valuesOf(`A = [[${written}, 1], [2, 3]]`), [value, 1, 2, 3], written); // prettier-ignore
  });

  it('are none where a digit too many or too few stands', () => {
    for (const written of ['1__0', '_1', '1_', '12px', '1.2.3', '0x', '0b2', '1e', '1e+', 'float(float(1))', 'np.inf2', '2.5j', "float('inf'"]) {
      const { matrices } = parseMatrices(`A = [[${written}, 1], [2, 3]]`);
      assert.ok(!matrices.some((m) => m.values.length === 4), written);
    }
  }); // prettier-ignore

  it('in hexadecimal are exact in 53 bits, and none with more', () => {
    const cases: readonly [string, number][] = [
      ['0x1p0', 1], ['0x.8p1', 1], ['0xap-1', 5], ['0x1.fffffffffffffp1023', Number.MAX_VALUE], ['0x1p-1074', 5e-324], ['0x1p-1075', 0], ['0x1p1024', Infinity], ['0x00000000000000000001p1', 2], ['0x0p5', 0],
      ['0x12345678901234p0', 0x12345678901234], ['0x123456789012345p0', NaN], ['0xp1', NaN], ['0x.p1', NaN], ['0x1', NaN], ['0x1p', NaN], ['0x1p99999', Infinity], ['0x1p100000', NaN], ['0x1p123456', NaN], ['1p1', NaN],
    ]; // prettier-ignore
    for (const [written, value] of cases) assert.ok(Object.is(hexFloat(written), value), `${written} ${hexFloat(written)}`); // prettier-ignore
  });

  it('have factors that are powers of ten', () => {
    const cases: readonly [string, number | undefined][] = [
      ['1.0e+03', 3], ['1000', 3], ['1e3', 3], ['1', 0], ['10', 1], ['1.00', 0], ['100e-5', -3], ['0.1', -1], ['0.0010', -3], ['2', undefined], ['1.5', undefined], ['', undefined], ['0.02', undefined], ['11', undefined],
    ]; // prettier-ignore
    for (const [written, power] of cases) assert.equal(powerOf(written), power, written);
    assert.deepEqual(valuesOf('tensor(1.0e+04 *\n       [[0.0003, 1.5000],\n        [0.0001, 2.0000]])'), [3, 15000, 1, 20000]); // prettier-ignore
    assert.deepEqual(valuesOf('tensor(1.0e-02 *\n       [[3.0000, 1.5000],\n        [0.0000, 2.0000]])'), [0.03, 0.015, 0, 0.02]); // prettier-ignore
  });
});

describe('lines and what stands on them', () => {
  it('end at each line end, and with the text', () => {
    const s = scannerOf('ab\r\n \t\ncd\r\n');
    const first = lineAt(s, 0);
    const second = lineAfter(s, first);
    const third = second && lineAfter(s, second);
    assert.deepEqual([first, second, third], [{ start: 0, end: 2, next: 4 }, { start: 4, end: 6, next: 7 }, { start: 7, end: 9, next: 11 }]); // prettier-ignore
    assert.equal(third && lineAfter(s, third), undefined);
    assert.deepEqual([first, second].map((line) => line && isBlankLine(s, line)), [false, true]); // prettier-ignore
    const alone = scannerOf('ab');
    assert.equal(lineAfter(alone, lineAt(alone, 0)), undefined);
    // A line that the window cuts off is none; one that ends with the window is.
    const after = (end: number): object | undefined => {
      const cut = scannerOf('ab\ncd\nef', 0, end);
      return lineAfter(cut, lineAt(cut, 0));
    };
    assert.deepEqual([after(4), after(5), after(8)], [undefined, { start: 3, end: 5, next: 5 }, { start: 3, end: 5, next: 6 }]); // prettier-ignore
  });

  it('are looked at up to their 400th character', () => {
    const words = (text: string): string => wordsOf(scannerOf(text), lineAt(scannerOf(text), 0));
    assert.equal(words(`  ab \ncd`), 'ab');
    assert.equal(words('x'.repeat(400)).length, 400);
    assert.equal(words('x'.repeat(401)), '');
  });

  it('have numbers, texts, gaps and what was not printed', () => {
    const cell = (text: string): string => {
      const { kind, value, start, end } = cellOf(scannerOf(text), 0, text.length);
      return `${kind} ${value} ${text.slice(start, end)}`;
    };
    const cases: readonly [string, string][] = [
      [' 1.5\t', 'number 1.5 1.5'], ['"2"', 'number 2 2'], ["'2'", 'number 2 2'], ['"2', 'text NaN "2'], ['"', 'text NaN "'], ['""', 'empty NaN '], [' \t', 'empty NaN '], ['', 'empty NaN '],
      ['TRUE', 'number 1 TRUE'], ['FALSE', 'number 0 FALSE'], ['NA', 'number NaN NA'], ['<NA>', 'number NaN <NA>'], ['1x', 'text NaN 1x'], ['...', 'elided NaN ...'], ['..', 'elided NaN ..'], ['…', 'elided NaN …'], ['⋮', 'elided NaN ⋮'],
      ['.', 'text NaN .'], ['....', 'text NaN ....'], ['……', 'text NaN ……'],
    ]; // prettier-ignore
    for (const [text, expected] of cases) assert.equal(cell(text), expected, text);
  });

  it('have comments that end within the window', () => {
    const skipped = (text: string, end = text.length): number | undefined => {
      const s = scannerOf(text, 0, end);
      return skipBlock(s) ? s.at : undefined;
    };
    assert.deepEqual(['/* a */ 1', '/**/', '/*/', '/* a *', '/* * / */'].map((text) => skipped(text)), [7, 4, undefined, undefined, 9]); // prettier-ignore
    assert.deepEqual(
      [7, 6].map((end) => skipped('/* a */ 1', end)),
      [7, undefined],
    );
  });
});

describe('names and what they stand for', () => {
  it('do not depend on case, underscores or what stands before the point', () => {
    const cases: readonly [string, string | undefined, number?][] = [
      ['Q', 'q'], ['query', 'q'], ['self.keys', 'k'], ['V', 'v'], ['W_q', 'wq'], ['Wq', 'wq'], ['w_query', 'wq'], ['A_k', 'wk'], ['to_v', 'wv'], ['v_proj', 'wv'], ['proj_q', 'wq'], ['key_weight', 'wk'],
      ['b_q', 'bq'], ['query_bias', 'bq'], ['bias_v', 'bv'], ['bias', 'bias'], ['W_o', 'wo'], ['out_proj', 'wo'], ['c_proj', 'wo'], ['b_o', 'bo'], ['attn_mask', 'mask'], ['key_padding_mask', 'mask'], ['embeddings', 'x'],
      ['self.q_proj.weight', 'wq'], ['query.weight', 'wq'], ['k_proj.bias', 'bk'], ['value.bias', 'bv'], ['q_proj.bias', 'bq'], ['v_proj.bias', 'bv'], ['out_proj.weight', 'wo'], ['out_proj.bias', 'bo'], ['mask.bias', 'bias'], ['dense.kernel', undefined], ['key.kernel', 'wk'], ['model.attn.W_v.data', 'wv'],
      ['x_1', 'xi', 1], ['x3', 'xi', 3], ['X_12', 'xi', 12], ['x₃', 'xi', 3], ['x_12345', undefined], ['x_', 'x'], ['y', undefined], ['', undefined], ['self', undefined], [`${'a.'.repeat(39)}qq`, undefined], [`${'a.'.repeat(39)}q`, 'q'], [`${'a.'.repeat(40)}q`, undefined],
    ]; // prettier-ignore
    for (const [name, role, index] of cases) assert.deepEqual(roleOf(name), role && { role, ...(index === undefined ? {} : { index }) }, name); // prettier-ignore
  });

  it('with numbers tell weights from scores', () => {
    const part = (name: string, values: readonly number[], more: Partial<ParsedMatrix> = {}): string | undefined => roleByValues(matrix([2, 2], values, { name, ...more })); // prettier-ignore
    // Rows of two may be off by 0.001 and a half of the last of four digits each.
    assert.equal(part('A', [0.5, 0.5, 1, 0]), 'weights');
    assert.equal(part('A', [0.5, 0.50109, 1, 0]), 'weights');
    assert.equal(part('A', [0.5, 0.5012, 1, 0]), undefined);
    assert.equal(part('A', [0.5, 0.49891, 1, 0]), 'weights');
    assert.equal(part('A', [0.5, 0.4988, 1, 0]), undefined);
    assert.equal(part('A', [1, 0, 1.5, -0.5]), undefined);
    assert.equal(part('A', [1, 0, NaN, 1]), undefined);
    assert.equal(part('scores', [0.5, 0.5, 1, 0]), 'scores');
    assert.equal(part('self.qk_t', [3, 4, 5, 6]), 'scores');
    assert.equal(part('memory', [3, 4, 5, 6]), 'context');
    assert.equal(part('Z', [3, 4, 5, 6]), undefined);
    const [ab, ba] = [['a', 'b'], ['b', 'a']] as const; // prettier-ignore
    assert.equal(part('Z', [3, 4, 5, 6], { rowLabels: ab, columnLabels: ab }), 'scores');
    assert.equal(part('Z', [0.5, 0.5, 0, 1], { rowLabels: ab, columnLabels: ab }), 'weights');
    assert.equal(part('Z', [3, 4, 5, 6], { rowLabels: ab, columnLabels: ba }), undefined);
    assert.equal(roleByValues(matrix([2], [0.5, 0.5], { name: 'A' })), undefined);
  });
});

describe('masks', () => {
  const found = (
    shape: readonly number[],
    values: readonly number[],
    scores: readonly number[],
    more: Partial<ParsedMatrix> = {},
    heads = 1,
  ): string => {
    // prettier-ignore
    const mask = maskOf(matrix(shape, values, { name: 'mask', ...more }), scores, undefined, heads);
    if (!mask.ok) return mask.problems.map(({ message }) => message).join();
    const { mask: spec, note } = mask.value;
    assert.ok(typeof spec === 'object' && 'values' in spec);
    return `${spec.kind === 'boolean' ? spec.trueMeans : spec.kind} ${JSON.stringify(spec.values).replaceAll('"', '')}: ${note.replace('mask: a 1 (True) ', '')}`; // prettier-ignore
  };
  const nothing = 'may be seen, as in scaled_dot_product_attention; in MultiheadAttention it hides. Nothing else tells: see the mask in the panel.'; // prettier-ignore
  it('are read by their diagonal, their full rows, their name, or as a bias', () => {
    const cases: readonly [readonly number[], readonly number[], readonly number[], string, Partial<ParsedMatrix>?][] = [
      [[2, 2], [0, 1, 0, 0], [2, 2], 'hidden [[0,1],[0,0]]: hides, for the ones stand above the diagonal.'],
      [[2, 2], [1, 0, 1, 1], [2, 2], 'visible [[1,0],[1,1]]: may be seen, for the ones stand on and below the diagonal.'],
      // n ≠ m has no such triangle; a row of ones alone would hide every key.
      [[2, 3], [1, 1, 1, 0, 1, 0], [2, 3], 'visible [[1,1,1],[0,1,0]]: may be seen, for otherwise a query would see no key.'],
      [[2, 3], [0, 0, 0, 0, 1, 0], [2, 3], 'hidden [[0,0,0],[0,1,0]]: hides, for otherwise a query would see no key.'],
      [[2, 3], [0, 0, 0, 1, 1, 1], [2, 3], `visible [[0,0,0],[1,1,1]]: ${nothing}`],
      [[2, 3], [1, 0, 1, 0, 1, 0], [2, 3], `visible [[1,0,1],[0,1,0]]: ${nothing}`],
      [[2, 2], [1, 1, 1, 1], [2, 2], `visible [[1,1],[1,1]]: ${nothing}`],
      [[2, 2], [1, 0, 0, 1], [2, 2], 'hidden [[1,0],[0,1]]: masked: a 1 (True) hides, as in PyTorch’s key_padding_mask.', { name: 'masked' }],
      [[3], [0, 1, 0], [2, 3], `visible [[0,1,0],[0,1,0]]: ${nothing} Its one row serves every query.`],
      [[2, 1], [0, 1], [2, 3], 'visible [[0,0,0],[1,1,1]]: ' + `${nothing} Its one column serves every key.`],
      [[1, 1], [1], [2, 3], `visible [[1,1,1],[1,1,1]]: ${nothing} Its one number serves every query and key.`],
      [[1, 2], [0, -1e4], [1, 2], 'additive [[0,-10000]]: mask is added to the scaled scores: it hides 1 of 2 cells.'],
      [[1, 2], [0, -9999], [1, 2], 'additive [[0,-9999]]: mask is added to the scaled scores as a bias; not all of its numbers are 0 or −inf.'],
      [[2, 2], [0, -Infinity, 0, 0], [2, 2], 'additive [[0,-inf],[0,0]]: mask is added to the scaled scores: it hides 1 of 4 cells.'],
      [[2, 2], [0, 0, 0, 0], [2, 2], 'additive [[0,0],[0,0]]: mask is added to the scaled scores: it hides 0 of 4 cells.'],
      [[2, 2], [0, 0, 0, 0], [2, 2], `visible [[0,0],[0,0]]: ${nothing}`, { dtype: 'bool' }],
      [[2, 2], [0, 2, 0, 0], [2, 2], 'additive [[0,2],[0,0]]: mask is added to the scaled scores as a bias; not all of its numbers are 0 or −inf.'],
      [[3, 2], [0, 1, 0, 0, 1, 1], [2, 2], 'mask is 3×2, the scores are 2×2'],
      [[1, 1, 2, 2], [0, 1, 0, 0], [2, 2], 'hidden [[0,1],[0,0]]: hides, for the ones stand above the diagonal.'],
      [[2, 2, 2], [0, 1, 0, 0, 0, 1, 0, 0], [2, 2, 2], 'hidden [[[0,1],[0,0]],[[0,1],[0,0]]]: hides, for the ones stand above the diagonal.'],
    ]; // prettier-ignore
    for (const [shape, values, scores, expected, more] of cases) assert.equal(found(shape, values, scores, more), expected); // prettier-ignore
    // b×m of a batch: a row of keys for each input; where b is n, by its name alone.
    assert.equal(found([2, 3], [0, 1, 0, 0, 0, 1], [2, 4, 3]), `visible [${['0,1,0', '0,0,1'].map((r) => `[${Array(4).fill(`[${r}]`).join()}]`).join()}]: ${nothing} Each of its rows serves one input.`); // prettier-ignore
    assert.match(found([2, 3], [0, 1, 0, 0, 0, 1], [2, 2, 3]), /^visible \[\[0,1,0\],\[0,0,1\]\]/);
    assert.match(found([2, 3], [0, 1, 0, 0, 0, 1], [2, 2, 3], { name: 'padding' }), /^visible \[\[\[0,1,0\],\[0,1,0\]\],\[\[0,0,1\],\[0,0,1\]\]\]/); // prettier-ignore
    assert.equal(found([2, 3], [0, 1, 0, 0, 0, 1], [2, 4, 3], {}, 2), 'mask is 2×3, the scores are 2×4×3');
    assert.match(found([2, 3], [0, 1, 0, 0, 0, 1], [2, 5, 4, 3], {}, 5), /^visible \[\[\[\[0,1,0\],\[0,1,0\],\[0,1,0\],\[0,1,0\]\]/); // prettier-ignore
  });
});

describe('conventions', () => {
  const noted = (text: string): string => {
    const { spec, notes } = assembled(text);
    return `${spec.convention}: ${notes.map((n) => (typeof n === 'string' ? n : JSON.stringify(n))).find((n) => n.includes('X·W')) ?? ''}`; // prettier-ignore
  };
  const weights = (rows: string): string => ['q', 'k', 'v'].map((l) => `W_${l} = ${rows}`).join('\n');
  it('are those that fit', () => {
    const wide = '[[1, 0, 2], [0, 1, 2]]';
    const tall = '[[1, 0], [0, 1], [2, 2]]';
    assert.match(noted(`X = [[1, 2], [3, 4]]\n${weights(wide)}`), /^XW: .*X·W: the only one that fits X 2×2 and W_q 2×3\./);
    assert.match(noted(`X = [[1, 2], [3, 4]]\n${weights(tall)}`), /^XWT: .*X·Wᵀ: the only one that fits X 2×2 and W_q 3×2\./);
    assert.match(noted(`X = [[1, 2], [3, 4]]\n${weights('[[1, 0], [0, 1]]')}`), /^XW: .*The weights are square/);
    const problems = refused(`X = [[1, 2], [3, 4]]\n${weights('[[1, 0, 2], [0, 1, 2], [1, 1, 1]]')}`);
    assert.deepEqual(problems.map(({ path, hint }) => [path, hint]), ['wq', 'wk', 'wv'].map((w) => [`projections.${w}`, 'Neither fits: check X and the weights.'])); // prettier-ignore
    assert.equal(problems[0]?.message, 'W_q is 3×3; X is 2×2: X·W needs 2 rows, X·Wᵀ needs 2 columns');
    const mixed = refused(`X = [[1, 2], [3, 4]]\nW_q = ${wide}\nW_k = ${tall}\nW_v = ${wide}`);
    assert.deepEqual(mixed.map(({ path, hint }) => [path, hint]), [['projections.wk', 'W_q, W_k and W_v must all apply in the same way.']]); // prettier-ignore
  }); // prettier-ignore
});
