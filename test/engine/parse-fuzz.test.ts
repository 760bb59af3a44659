import assert from 'node:assert/strict';
import fc from 'fast-check';
import { literalAt, parseMatrices, specFromText } from '../../engine/parse/index';
import { sizeOf } from '../../engine/math/tensor';
import { validateSpec } from '../../engine/spec/validate';
import { checkText, example, onlyMatrix, readText, stepsOf } from './parse-support';
import { edited, edits } from './mutations';

/**
 * Every bracket may look back over its line and name (bounded by constants), and a character is read again for each of
 * the at most 16 brackets that may be open around it; hence a constant, though not a small one.
 */
const stepsPerCharacter = 1000;

function checkAll(text: string, offset: number): void {
  checkText(text, offset);
  assert.ok(stepsOf(text) <= stepsPerCharacter * (text.length + 1));
  const found = literalAt(text, offset);
  if (found && 'matrix' in found) assert.ok(found.matrix.values.length >= 2);
  const spec = specFromText(text);
  if (spec.ok) assert.ok(validateSpec(JSON.parse(JSON.stringify(spec.value.spec))).ok, text);
  else assert.ok(spec.problems.length > 0);
}

const pieces = [
  ...'[](){},;:.=-+*/#\'"`\\ \n\t<>@!?|…−→',
  '...',
  '1',
  '2.5',
  '-3e-2',
  'inf',
  'nan',
  'None',
  'True',
  '1j',
  '0x',
  '1_0',
  '1/',
  '//',
  '/*',
  '*/',
  '>>> ',
  '\\n',
  '\r\n',
  'np.array(',
  'tensor(',
  'float(',
  "float('inf')",
  'dtype=',
  'np.float32',
  '.T',
  '.astype(',
  'Q = ',
  'K:',
  'x_1',
  'W_q',
  '"V"',
  '[[1, 2], [3, 4]]',
  '[1 2]',
  'The [ 1 2 ]\n',
  '\n\n',
  'lambda ',
  'return',
  'é',
  '矩',
  '\ud800',
  '\u0000',
  '<tf.Tensor numpy=',
];
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 120 }).map((parts) => parts.join(''));

const sources = [
  '4-loops-then-matrices.py',
  '1-the-cat-sat.md',
  '1-the-cat-sat.ipynb',
  '3-two-queries-three-keys.md',
  '5-column-vectors.py',
  '5-column-vectors.md',
  'bad-input.py',
].map(example);
const prints = (JSON.parse(readText('test/fixtures/parse/prints.json')) as { cases: { text: string }[] }).cases.map(
  (c) => c.text,
);

/** A real literal or program with a few edits: a piece put in, a stretch taken out, a stretch said twice. */
const mutated = fc
  .tuple(fc.constantFrom(...sources, ...prints.filter((text) => text.length < 1500)), edits(30, pieces))
  .map(([text, changes]) => edited(text, changes));

describe('any text whatever', () => {
  const families: readonly (readonly [string, fc.Arbitrary<string>, number])[] = [
    ['strings of any characters', fc.string({ unit: 'binary', maxLength: 300 }), 300],
    ['bracket soup', soup, 1500],
    ['literals and programs with random edits', mutated, 500],
  ];
  for (const [name, texts, numRuns] of families) {
    it(`${name}: never throws, stays in range, takes linear steps`, () => {
      fc.assert(
        fc.property(texts, fc.nat(), (text, offset) => checkAll(text, offset % (text.length + 1))),
        { numRuns },
      );
    }).timeout(120_000);
  }
});

describe('linear time', () => {
  const adversaries: Readonly<Record<string, (n: number) => string>> = {
    'open brackets': (n) => '['.repeat(n),
    'open brackets of both kinds': (n) => '(['.repeat(n / 2),
    'one long number': (n) => `[${'1'.repeat(n)}]`,
    'digits without brackets': (n) => '1'.repeat(n),
    'alternating quotes': (n) => `["'`.repeat(n / 3),
    'quotes in brackets': (n) => `[${`"a`.repeat(n / 2)}`,
    'openers of comments': (n) => '[/*'.repeat(n / 3),
    'unclosed assignments': (n) => 'Q=[1,\n'.repeat(n / 6),
    'names of brackets that are never closed': (n) => 'Q=[1, a*b\n'.repeat(n / 10),
    'unknown names': (n) => 'Q=[a b\n'.repeat(n / 7),
    'calls in calls': (n) => 'np.array('.repeat(n / 9),
    'calls with brackets': (n) => 'np.array(['.repeat(n / 10),
    'scalar calls': (n) => '[float('.repeat(n / 7),
    'arguments that never end': (n) => 'tensor([1],('.repeat(n / 12),
    fractions: (n) => `[${'1/'.repeat(n / 2)}`,
    'minus signs': (n) => `[${'-'.repeat(n)}`,
    dots: (n) => `[${'.'.repeat(n)}`,
    blanks: (n) => `[${' '.repeat(n)}`,
    'blanks before brackets': (n) => `${' '.repeat(99)}[`.repeat(n / 100),
    'rows with and without labels': (n) => '[1 2]\na [1 2]\n'.repeat(n / 14),
    'labelled rows': (n) => 'a [1 2]\n'.repeat(n / 8),
    'written newlines': (n) => '[\\n",'.repeat(n / 5),
    subscripts: (n) => "a['x']=[1,".repeat(n / 10),
    'rows that never end': (n) => '[[1],'.repeat(n / 5),
    'deep nesting, closed': (n) => '['.repeat(n / 2) + ']'.repeat(n / 2),
    'nested words': (n) => '[a [1] '.repeat(n / 14) + ']'.repeat(n / 14),
    'named nested words': (n) => 'Q=[[1],a b[\n'.repeat(n / 12) + ']'.repeat(n / 6),
    methods: (n) => '[1, 2].T'.repeat(n / 8),
    headings: (n) => 'x\n'.repeat(n / 2),
    closers: (n) => ']'.repeat(n),
    'strings in one list': (n) => `Q = [${'"a", 1, '.repeat(n / 8)}]`,
  };
  for (const [name, of] of Object.entries(adversaries)) {
    it(`${name}: twice the text, at most twice the steps`, () => {
      const [small, large] = [of(16_800), of(33_600)];
      const [a, b] = [stepsOf(small), stepsOf(large)];
      assert.ok(b <= 2.05 * a + 2000, `${a} steps for ${small.length} characters, ${b} for ${large.length}`);
      assert.ok(b <= stepsPerCharacter * large.length);
    }).timeout(60_000);
  }

  it('100,000 open brackets are one Problem', () => {
    const { matrices, problems } = parseMatrices('['.repeat(100_000));
    assert.equal(matrices.length, 0);
    assert.deepEqual(
      problems.map((p) => p.code),
      ['too-deep'],
    );
  }).timeout(60_000);
});

describe('random matrices come back', () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
  const numbers = fc.oneof(
    { weight: 6, arbitrary: fc.double() },
    { weight: 2, arbitrary: fc.integer() },
    { weight: 1, arbitrary: fc.constantFrom(-0, 5e-324, 1e22, 1e23, 0.1 + 0.2, Number.MAX_VALUE) },
  );

  const python = (x: number): string =>
    Number.isNaN(x) ? 'nan' : x === Infinity ? 'inf' : x === -Infinity ? '-inf' : Object.is(x, -0) ? '-0.0' : String(x);
  const javascript = (x: number): string => (Object.is(x, -0) ? '-0' : String(x));

  function nest(
    shape: readonly number[],
    values: readonly number[],
    write: (x: number) => string,
    between: string,
  ): string {
    const [first = 0, ...rest] = shape;
    const size = values.length / first;
    const parts = Array.from({ length: first }, (_, i) => values.slice(i * size, (i + 1) * size));
    const items = parts.map((part) => (rest.length ? nest(rest, part, write, between) : write(part[0] ?? 0)));
    return `[${items.join(between)}]`;
  }

  const printers: Readonly<Record<string, (shape: readonly number[], values: readonly number[]) => string>> = {
    'Python lists': (shape, values) => nest(shape, values, python, ', '),
    'JavaScript arrays': (shape, values) => nest(shape, values, javascript, ',\n  '),
    'printed arrays': (shape, values) => nest(shape, values, python, ' \n '),
    'NumPy calls': (shape, values) => `np.array(${nest(shape, values, (x) => `float('${python(x)}')`, ', ')})`,
    'PyTorch calls': (shape, values) => `Q = torch.tensor(${nest(shape, values, python, ', ')}, dtype=torch.float64)`,
  };
  for (const [name, write] of Object.entries(printers)) {
    it(name, () => {
      const cases = shapes.chain((shape) =>
        fc.tuple(fc.constant(shape), fc.array(numbers, { minLength: sizeOf(shape), maxLength: sizeOf(shape) })),
      );
      fc.assert(
        fc.property(cases, ([shape, values]) => {
          const found = onlyMatrix(write(shape, values));
          assert.deepEqual([...found.shape], shape);
          values.forEach((x, i) => assert.ok(Object.is(found.values[i], x), `${x} came back as ${found.values[i]}`));
        }),
        { numRuns: 200 },
      );
    });
  }
});
