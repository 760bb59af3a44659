import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sizeOf } from '../../engine/math/tensor';
import { checkText, onlyMatrix, stepsOf } from './parse-support';
import { edited, edits } from './mutations';

/** As in parse-fuzz.test.ts: names and types are looked for within a constant, and four rows may be open at once. */
const stepsPerCharacter = 1000;

describe('linear time in code', () => {
  const adversaries: Readonly<Record<string, (n: number) => string>> = {
    'open braces': (n) => '{'.repeat(n),
    'braces and numbers': (n) => '{1,'.repeat(n / 3),
    'rows that never end': (n) => '{{1,2},'.repeat(n / 7),
    'declared rows that never end': (n) => 'float m[2]={{1,2},\n'.repeat(n / 19),
    'declared rows with a word': (n) => 'float m[2]={{1,a\n'.repeat(n / 17),
    'braces with words': (n) => '{1,a'.repeat(n / 4),
    'types before braces': (n) => 'std::vector<'.repeat(n / 12) + '{',
    'types of Go': (n) => '[][]float64{'.repeat(n / 12),
    sizes: (n) => '[2]'.repeat(n / 3) + '{1}',
    'new arrays': (n) => '{new float[]'.repeat(n / 12),
    'open comments in braces': (n) => '{1/*'.repeat(n / 4),
    'vec![': (n) => 'vec!['.repeat(n / 5),
    'vec![1,': (n) => 'vec![1,'.repeat(n / 7),
    'array![': (n) => 'array!['.repeat(n / 7),
    'arr2(&[': (n) => 'arr2(&['.repeat(n / 7),
    'repetitions of Rust': (n) => 'x = vec![vec![0; 30]; 30];\n'.repeat(n / 27),
    'matrix(c(': (n) => 'matrix(c('.repeat(n / 9),
    'matrix(c(1,': (n) => 'matrix(c(1,'.repeat(n / 11),
    'c(': (n) => 'c('.repeat(n / 2),
    'structure(list(': (n) => 'structure(list('.repeat(n / 15),
    'ranges of R': (n) => 'x <- c(1:999)\n'.repeat(n / 14),
    'filled matrices of R': (n) => 'matrix(0, 30, 30)\n'.repeat(n / 18),
    'names of R': (n) => 'rbind(a=1,'.repeat(n / 10),
    'rows of MATLAB': (n) => '[1 2; '.repeat(n / 6),
    'one matrix of MATLAB': (n) => `A = [${'1 2; '.repeat(n / 5)}`,
    semicolons: (n) => `[1${';'.repeat(n)}`,
    continuations: (n) => `[1 ${'...\n'.repeat(n / 4)}`,
    'comments of MATLAB': (n) => `[1 ${'% x\n'.repeat(n / 4)}`,
    'Float32[': (n) => 'Float32['.repeat(n / 8),
    'cat(3,': (n) => 'cat(3,[1 2;3 4],'.repeat(n / 16),
    'single([': (n) => 'single(['.repeat(n / 8),
    'digits in braces': (n) => `{${'1'.repeat(n)}`,
    'hex digits in braces': (n) => `{0x${'f'.repeat(n)}p1`,
    'underscores in braces': (n) => `{1${'_1'.repeat(n / 2)}`,
    'points in braces': (n) => `{1${'.1'.repeat(n / 2)}`,
    'quotes in braces': (n) => `{"'`.repeat(n / 3),
    'words before brackets': (n) => 'matrix ('.repeat(n / 8),
    'lines of words': (n) => 'c (\n'.repeat(n / 4),
  };
  for (const [name, of] of Object.entries(adversaries)) {
    it(`${name}: twice the text, at most twice the steps`, () => {
      const [small, large] = [of(8_400), of(16_800)];
      const [a, b] = [stepsOf(small), stepsOf(large)];
      assert.ok(b <= 2.05 * a + 2000, `${a} steps for ${small.length} characters, ${b} for ${large.length}`);
      assert.ok(b <= stepsPerCharacter * large.length, `${b} steps for ${large.length} characters`);
    }).timeout(60_000);
  }

  it('100,000 { take less than a constant number of steps a character', () => {
    assert.ok(stepsOf('{'.repeat(100_000)) <= stepsPerCharacter * 100_000);
  });
  const calls = [
    'Matrix3::new(',
    'Matrix3::new(1, ',
    'mat.NewDense(2, 2, []float64{',
    'a::b::Matrix3::<f32>::new(1',
    'DMatrix::from_vec(1, 1, vec![1,',
  ];
  for (const opener of ['vec![', 'matrix(c(', '[1 2;', '[][]float64{', ...calls]) {
    it(`20,000 ${opener} take less than ${stepsPerCharacter} steps a character`, () => {
      const text = opener.repeat(20_000);
      assert.ok(stepsOf(text) <= stepsPerCharacter * text.length);
    }).timeout(120_000);
  }

  it('1 MB of digits in braces', () => {
    const text = `float m[1] = {${'7'.repeat(1_000_000)}, 1};`;
    assert.ok(stepsOf(text) <= stepsPerCharacter * text.length);
  }).timeout(60_000);
});

const sources = [
  'A = [1 2; 3 4];\nK = [1, 2 ...\n 3; 4 5 6]\n',
  'Q <- matrix(c(1, 2, 3, 4), nrow = 2, byrow = TRUE, dimnames = list(c("a", "b"), NULL))\n',
  'structure(c(1, 2, 3, 4), dim = c(2L, 2L))\nrbind(a = c(1, 2), b = c(3, 4))\n',
  'float m[2][2] = {{1.0f, 0x1.8p3}, {INFINITY, -4e-3f}};\nint f(void) { return 1; }\n',
  'W_q := [][]float64{{1, 2}, {3, math.Inf(-1)}}\n',
  'let q = vec![vec![0.5; 3]; 2];\nlet w = array![[1f32, 2.], [3., 4.]];\n',
  'double[,] q = new double[,] { {1, 2}, {3, 4} };\nstd::vector<std::vector<float>> W{{1, 2}, {3, 4}};\n',
  'Q := mat.NewDense(2, 2, []float64{1, 2, 3, 4})\nlet k = na::Matrix2::<f32>::new(1.0, 2.0, 3.0, 4.0);\nlet v = DMatrix::from_vec(2, 1, vec![1., 2.]);\n',
  'A = cat(3, [1 2; 3 4], [5 6; 7 8]);\nB = Float32[1 2; 3 4;;; 5 6; 7 8]\nC = single([1 2; 3 4])\n',
];
const pieces = [
  ...'[](){},;:.=-+*/#\'"%!<>&| \n',
  '...',
  '1',
  '-2.5',
  'x',
  'NA',
  'c(',
  'vec![',
  'mat.NewDense(',
  'Matrix2::new(',
  'DMatrix::from_vec(2, 2, ',
  'new ',
  'float ',
  '1:3',
  '0x1p',
  '{{',
  '}}',
  'T',
  '\ud800',
];

/** Sources with a few edits: a piece put in, a stretch taken out, a stretch said twice. */
const mutated = fc
  .tuple(fc.array(fc.constantFrom(...sources), { minLength: 1, maxLength: 3 }), edits(20, pieces))
  .map(([parts, changes]) => edited(parts.join(''), changes));

function checkAll(text: string, offset: number): void {
  const { matrices, problems } = checkText(text, offset);
  for (const { rowLabels, columnLabels, shape } of matrices) {
    assert.ok(!rowLabels || rowLabels.length === shape[0]);
    assert.ok(!columnLabels || columnLabels.length === shape[1]);
  }
  assert.ok(problems.every((p) => p.hint));
  assert.ok(stepsOf(text) <= stepsPerCharacter * (text.length + 1));
}

describe('code with random edits', () => {
  it('never throws, stays in range, takes linear steps', () => {
    const property = fc.property(mutated, fc.nat(), (text, offset) => checkAll(text, offset % (text.length + 1)));
    fc.assert(property, { numRuns: 600 });
  }).timeout(120_000);
  it('soup of pieces', () => {
    const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 80 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(soup, fc.nat(), (text, offset) => checkAll(text, offset % (text.length + 1))),
      { numRuns: 600 },
    );
  }).timeout(120_000);
});

describe('random matrices come back from code', () => {
  type Write = (shape: readonly number[], values: readonly number[]) => string;
  const word = (x: number, inf: string, nan: string): string =>
    Number.isNaN(x) ? nan : x === Infinity ? inf : x === -Infinity ? `-${inf}` : Object.is(x, -0) ? '-0.0' : String(x);
  const nest = (
    shape: readonly number[],
    values: readonly number[],
    write: (x: number) => string,
    [open, close]: readonly [string, string],
  ): string => {
    const [first = 0, ...rest] = shape;
    const size = values.length / first;
    const items = Array.from({ length: first }, (_, i) => values.slice(i * size, (i + 1) * size));
    const written = items.map((part) =>
      rest.length > 0 ? nest(rest, part, write, [open, close]) : write(part[0] ?? 0),
    );
    return `${open}${written.join(', ')}${close}`;
  };
  const rows = (
    [, columns = 1]: readonly number[],
    values: readonly number[],
    separator: string,
    write: (x: number) => string,
  ): string =>
    Array.from({ length: values.length / columns }, (_, i) =>
      values
        .slice(i * columns, (i + 1) * columns)
        .map(write)
        .join(separator),
    ).join('; ');

  const c = (x: number): string => word(x, 'INFINITY', 'NAN');
  const any: Readonly<Record<string, Write>> = {
    C: (shape, values) => `double m${shape.map((n) => `[${n}]`).join('')} = ${nest(shape, values, c, ['{', '}'])};`,
    'C#': (shape, values) =>
      `var m = new double[${','.repeat(shape.length - 1)}] ${nest(shape, values, (x) => word(x, 'double.PositiveInfinity', 'double.NaN'), ['{ ', ' }'])};`,
    'C++': (shape, values) =>
      `${'std::vector<'.repeat(shape.length)}double${'>'.repeat(shape.length)} m${nest(shape, values, c, ['{', '}'])};`,
    Go: (shape, values) =>
      `m := ${'[]'.repeat(shape.length)}float64${nest(shape, values, (x) => (Number.isNaN(x) ? 'math.NaN()' : x === -Infinity ? 'math.Inf(-1)' : word(x, 'math.Inf(1)', '')), ['{', '}'])}`,
    Rust: (shape, values) =>
      `let m = ${nest(shape, values, (x) => word(x, 'f64::INFINITY', 'f64::NAN'), ['vec![', ']'])};`,
  };
  const flat: Readonly<Record<string, Write>> = {
    MATLAB: (shape, values) => `M = [${rows(shape, values, ' ', (x) => word(x, 'Inf', 'NaN'))}];`,
    'MATLAB with commas': (shape, values) => `M = [${rows(shape, values, ', ', (x) => word(x, 'Inf', 'NaN'))}];`,
    Julia: (shape, values) => `M = Float64[${rows(shape, values, ' ', (x) => word(x, 'Inf', 'NaN'))}]`,
    R: ([m, n], values) =>
      `M <- matrix(c(${values.map((x) => word(x, 'Inf', 'NaN')).join(', ')}), nrow = ${m}, ncol = ${n}, byrow = TRUE)`,
    Mathematica: (shape, values) =>
      `M = ${nest(shape, values, (x) => word(x, 'Infinity', 'Indeterminate').replace(/(\d)e\+?/, '$1*^'), ['{', '}'])}`,
  };
  const sizes = (min: number, max: number): fc.Arbitrary<number[]> =>
    fc.array(fc.integer({ min: 2, max: 4 }), { minLength: min, maxLength: max });
  const tensors = (shapes: fc.Arbitrary<number[]>): fc.Arbitrary<[number[], number[]]> =>
    shapes.chain((shape) =>
      fc.tuple(fc.constant(shape), fc.array(fc.double(), { minLength: sizeOf(shape), maxLength: sizeOf(shape) })),
    );
  const suites = [
    ...Object.entries(any).map(([name, write]) => [name, write, sizes(1, 4)] as const),
    ...Object.entries(flat).map(([name, write]) => [name, write, sizes(2, 2)] as const),
  ];
  for (const [name, write, shapes] of suites) {
    it(name, () => {
      const property = fc.property(tensors(shapes), ([shape, values]) => {
        const found = onlyMatrix(write(shape, values));
        assert.deepEqual([...found.shape], shape);
        values.forEach((x, i) => assert.ok(Object.is(found.values[i], x), `${x} came back as ${found.values[i]}`));
      });
      fc.assert(property, { numRuns: 150 });
    });
  }
});
