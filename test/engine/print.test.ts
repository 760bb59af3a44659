import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { parseMatrices } from '../../engine/parse/index';
import { notations, printMatrix, type Notation, type Printable } from '../../engine/write/print/index';
import { pythonOrSkip } from '../reference/python';

const print = (matrix: Printable, notation: Notation): string => {
  const result = printMatrix(matrix, notation);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value.text;
};

const notesOf = (matrix: Printable, notation: Notation): readonly string[] => {
  const result = printMatrix(matrix, notation);
  return result.ok ? result.value.notes : result.problems.map(({ message }) => message);
};

/** Numbers whose last bit is easily lost, and those that notations write in words. */
const odd = [
  0,
  -0,
  0.1,
  -1 / 3,
  1e21,
  1e-7,
  5e-324,
  1.7976931348623157e308,
  -2.5e-310,
  1e22,
  123456789.125,
  2 ** 53,
  1 / 7,
];
const worst: Printable = { name: 'W_q', shape: [3, 5], values: [...odd, 42, -17] };
const withWords: Printable = { name: 'mask', shape: [2, 2], values: [0, -Infinity, NaN, Infinity] };
const small: Printable = { name: 'Q', shape: [2, 2], values: [1, -2.5, 0.1, 4] };
const deep: Printable = { name: 'K', shape: [2, 3, 4], values: Array.from({ length: 24 }, (_, i) => i / 7) };
const four: Printable = { name: 'V', shape: [2, 1, 2, 2], values: Array.from({ length: 8 }, (_, i) => -i / 3) };
const flat: Printable = { shape: [3], values: [1.5, 2, -3] };
const truth: Printable = { name: 'hide', shape: [2, 2], values: [0, 1, 0, 0], dtype: 'bool' };
const labelled: Printable = {
  shape: [2, 2],
  values: [2.1, 1.2, -0.9, 4],
  rowLabels: ['The', 'a "cat", sat'],
  columnLabels: ['one', 'two|three'],
};
const all = { worst, withWords, small, deep, four, flat, truth, labelled };

const hexOf = (values: ArrayLike<number>): string => Buffer.from(Float64Array.from(values).buffer).toString('hex');
/** NaN has one pattern of bits here. */
const canonical = (hex: string): string =>
  hex.replace(/(?:.{16})/g, (x) => (/f[8-f]7f$|f[8-f]ff$/.test(x) ? 'NaN' : x));

interface Read {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly hex: string;
  readonly labels: readonly string[];
}

function readBy(python: string, cases: readonly object[]): Read[] {
  const program = join(__dirname, '../reference/read_prints.py');
  const { status, stdout, stderr } = spawnSync(python, [program], { input: JSON.stringify(cases), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Read[];
}

function assertRead(python: string, notation: Notation, matrices: Readonly<Record<string, Printable>>): Read[] {
  const names = Object.keys(matrices);
  const read = readBy(
    python,
    Object.values(matrices).map((matrix) => ({ notation, text: print(matrix, notation), name: matrix.name })),
  );
  Object.values(matrices).forEach((matrix, i) => {
    const expected = matrix.dtype === 'float32' ? Array.from(matrix.values, Math.fround) : matrix.values;
    assert.deepEqual(
      read[i]?.shape,
      notation === 'csv' && matrix.shape.length === 1 ? [1, ...matrix.shape] : matrix.shape,
      names[i],
    );
    assert.equal(canonical(read[i]?.hex ?? ''), canonical(hexOf(expected)), `${names[i]} as ${notation}`);
  });
  return read;
}

describe('a matrix as it is copied', () => {
  it('comes back from NumPy to the bit, with its dtype', function () {
    const python = pythonOrSkip(this, 'numpy');
    const single = { ...small, dtype: 'float32' };
    const ints = { ...small, values: [1, 2, 3, -4], dtype: 'int64' };
    const read = assertRead(python, 'numpy', { ...all, single, ints });
    const dtypes = Object.fromEntries(Object.keys({ ...all, single, ints }).map((name, i) => [name, read[i]?.dtype]));
    const expected = { single: 'float32', ints: 'int64', truth: 'bool' };
    for (const [name, dtype] of Object.entries(dtypes))
      assert.equal(dtype, (expected as Record<string, string>)[name] ?? 'float64', name);
  });

  it('comes back from PyTorch to the bit, float32 where the source is PyTorch', function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    const single = { ...small, values: [0.5, 0.25, -1.5, 3.75], format: 'torch' };
    const read = assertRead(python, 'torch', { ...all, single });
    assert.deepEqual(
      read.map(({ dtype }) => dtype),
      ['float64', 'float64', 'float64', 'float64', 'float64', 'float64', 'bool', 'float64', 'float32'],
    );
  });

  it('comes back from Python’s json and csv to the bit, with its labels', function () {
    const python = pythonOrSkip(this, 'numpy');
    assertRead(python, 'json', all);
    const read = assertRead(python, 'csv', { worst, small, flat, labelled });
    assert.deepEqual(
      read.map(({ labels }) => labels),
      [[], [], [], ['', 'one', 'two|three', 'The', 'a "cat", sat']],
    );
  });

  it('comes back from JavaScript to the bit', () => {
    for (const matrix of Object.values(all)) {
      const text = print(matrix, 'javascript');
      const value: unknown = runInNewContext(`${text}\n${matrix.name ?? ''}`);
      const numbers = (JSON.parse(JSON.stringify([value], encode)) as unknown[]).flat(9);
      assert.equal(canonical(hexOf(numbers.map(decode))), canonical(hexOf(matrix.values)), text);
    }
    const encode0 = JSON.parse(print(small, 'json')) as unknown;
    assert.deepEqual(encode0, [
      [1, -2.5],
      [0.1, 4],
    ]);

    function encode(_: string, x: unknown): unknown {
      return typeof x === 'number' || typeof x === 'boolean' ? `${Object.is(x, -0) ? '-0' : Number(x)}` : x;
    }
    function decode(x: unknown): number {
      return Number(x);
    }
  });

  it('comes back from Octave to the bit, of any number of dimensions', function () {
    const octave = 'octave-cli';
    if (spawnSync(octave, ['--version']).status !== 0) {
      console.log('      skipped: no octave-cli');
      this.skip();
    }
    for (const [name, matrix] of Object.entries({ worst, withWords, small, deep, four, flat, truth })) {
      const order = matrix.shape.map((_, i) => matrix.shape.length - i).join(' ');
      const value = matrix.name === undefined ? `m = ${print(matrix, 'matlab')};` : print(matrix, 'matlab');
      const variable = matrix.name ?? 'm';
      const rows = matrix.shape.length > 1 ? `permute(${variable}, [${order}])` : variable;
      const program = `${value}\nprintf("%s ", num2hex(double(${rows})(:))'); printf("\\n"); printf("%d ", size(${variable}));`;
      const { stdout, status, stderr } = spawnSync(octave, ['--quiet', '--eval', program], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const [hex = '', size = ''] = stdout.split('\n');
      const little = hex
        .replace(/[^0-9a-f]/g, '')
        .replace(/.{16}/g, (x) => Buffer.from(x, 'hex').reverse().toString('hex'));
      assert.equal(canonical(little), canonical(hexOf(matrix.values)), name);
      // Octave drops dimensions of 1 at the end only.
      assert.deepEqual(
        size.trim().split(' ').map(Number),
        matrix.shape.length > 1 ? matrix.shape : [1, ...matrix.shape],
      );
    }
  }).timeout(60_000);

  it('comes back from our own parser to the bit, whatever the numbers', () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(...odd), fc.integer());
    const shape = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 4 });
    const matrices = shape.chain((sizes) => {
      const length = sizes.reduce((a, b) => a * b, 1);
      return fc.tuple(fc.constant(sizes), fc.array(number, { minLength: length, maxLength: length }));
    });
    fc.assert(
      fc.property(
        matrices,
        fc.constantFrom<Notation>('numpy', 'torch', 'json', 'javascript'),
        ([sizes, values], notation) => {
          fc.pre(values.length > 1);
          const text = print({ name: 'Q', shape: sizes, values }, notation);
          const { matrices: found, problems } = parseMatrices(text);
          assert.deepEqual(problems, [], text);
          assert.deepEqual(found[0]?.shape, sizes, text);
          assert.equal(canonical(hexOf(found[0]?.values ?? [])), canonical(hexOf(values)), text);
          if (notation !== 'json') assert.equal(found[0]?.name, 'Q');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('comes back from our own parser as LaTeX, CSV, Markdown and MATLAB too, with labels where they have them', () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(...odd), fc.integer());
    const size = fc.integer({ min: 2, max: 5 });
    const matrices = fc
      .tuple(size, size)
      .chain(([n, m]) => fc.tuple(fc.constant([n, m]), fc.array(number, { minLength: n * m, maxLength: n * m })));
    fc.assert(
      fc.property(
        matrices,
        fc.constantFrom<Notation>('latex', 'csv', 'markdown', 'matlab'),
        fc.boolean(),
        ([shape, values], notation, hasLabels) => {
          const [n = 0, m = 0] = shape;
          const keeps = hasLabels && (notation === 'csv' || notation === 'markdown');
          const labels = {
            rowLabels: ['The', 'cat', 'sat', 'on', 'it'].slice(0, n),
            columnLabels: ['one', 'two', 'three', 'four', 'five'].slice(0, m),
          };
          const text = print({ name: 'Q', shape, values, ...(keeps ? labels : {}) }, notation);
          const [found] = parseMatrices(text).matrices;
          assert.deepEqual(found?.shape, shape, text);
          assert.equal(canonical(hexOf(found.values)), canonical(hexOf(values)), text);
          if (keeps) assert.deepEqual([found.rowLabels, found.columnLabels], [labels.rowLabels, labels.columnLabels]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is laid out to be read', () => {
    assert.equal(print(small, 'numpy'), 'Q = np.array([[1.0, -2.5],\n              [0.1, 4.0]])');
    assert.equal(
      print({ ...small, name: undefined }, 'torch'),
      'torch.tensor([[1.0, -2.5],\n              [0.1, 4.0]], dtype=torch.float64)',
    );
    assert.equal(print(withWords, 'numpy'), 'mask = np.array([[0.0, -np.inf],\n                 [np.nan, np.inf]])');
    assert.equal(print(truth, 'numpy'), 'hide = np.array([[False, True],\n                 [False, False]])');
    assert.equal(print(small, 'json'), '[[1, -2.5],\n [0.1, 4]]');
    assert.equal(print(small, 'javascript'), 'const Q = [[1, -2.5],\n           [0.1, 4]];');
    assert.equal(print(small, 'matlab'), 'Q = [1 -2.5;\n     0.1 4];');
    assert.equal(print(small, 'latex'), 'Q = \\begin{bmatrix}\n  1 & -2.5 \\\\\n  0.1 & 4\n\\end{bmatrix}');
    assert.equal(print(small, 'markdown'), '|   |   |\n| ---: | ---: |\n| 1 | -2.5 |\n| 0.1 | 4 |\n');
    assert.equal(print(small, 'csv'), '1,-2.5\n0.1,4\n');
    assert.equal(
      print(labelled, 'markdown'),
      '|  | one | two\\|three |\n| ---: | ---: | ---: |\n| The | 2.1 | 1.2 |\n| a "cat", sat | -0.9 | 4 |\n',
    );
  });

  it('writes LaTeX as one writes mathematics', () => {
    const numbers = (...values: number[]): string =>
      print({ shape: [1, values.length], values }, 'latex')
        .split('\n')[1]
        ?.trim() ?? '';
    assert.equal(
      numbers(1e-7, -1.5e-8, 1e21, Infinity, -Infinity),
      '0.0000001 & -0.000000015 & 1000000000000000000000 & \\infty & -\\infty',
    );
    assert.equal(numbers(1.25e-300, NaN), '1.25 \\times 10^{-300} & \\mathrm{NaN}');
    const name = (text: string): string => print({ ...small, name: text }, 'latex').split(' = ')[0] ?? '';
    assert.deepEqual(['W_q', 'Wq', 'x_1', 'x₁', 'mask', 'self.q_proj'].map(name), [
      'W_{q}',
      'W_{q}',
      'x_{1}',
      'x_{1}',
      '\\mathrm{mask}',
      '\\mathrm{self.q\\_proj}',
    ]);
  });

  it('has a name that the language takes', () => {
    const name = (text: string, notation: Notation): string =>
      print({ ...small, name: text }, notation).split(' = ')[0] ?? '';
    assert.equal(name('self.q_proj.weight', 'numpy'), 'self_q_proj_weight');
    assert.equal(name('x₁', 'torch'), 'x1');
    assert.equal(name('lambda', 'numpy'), '_lambda');
    assert.equal(name('new', 'javascript'), 'const _new');
    assert.equal(name('1st', 'matlab'), 'm_1st');
  });

  it('says what a notation cannot hold', () => {
    for (const notation of ['latex', 'csv', 'markdown'] as const)
      assert.match(notesOf(deep, notation).join(), /^K is 2×3×4; .* has rows and columns only$/, notation);
    assert.match(notesOf(withWords, 'json').join(), /^JSON has no NaN/);
    assert.match(notesOf({ ...small, dtype: 'bfloat16' }, 'numpy').join(), /bfloat16/);
    for (const notation of notations) assert.deepEqual(notesOf(small, notation), [], notation);
  });
});
