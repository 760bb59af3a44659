import assert from 'node:assert/strict';
import { literalAt, specFromText } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import './names-support';

const numbersOf = (text: string): readonly number[] => {
  const { matrices, problems } = parseMatrices(text);
  assert.deepEqual(problems, [], text);
  assert.equal(matrices.length, 1, text);
  return [...(matrices[0]?.values ?? [])];
};
const placesOf = (text: string): readonly string[] =>
  parseMatrices(text).problems.map(({ code, range }) => `${code} ${text.slice(range?.start, range?.end)}`);

describe('ranges of MATLAB, Octave and Julia', () => {
  // What GNU Octave prints for each.
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['Q = 1:3', [1, 2, 3]],
    ['Q = 1:3;', [1, 2, 3]],
    ['k = 6:-2:0;  % down', [6, 4, 2, 0]],
    ['x = 0:0.5:2;', [0, 0.5, 1, 1.5, 2]],
    ['K = linspace(0, 1, 5)', [0, 0.25, 0.5, 0.75, 1]],
    ['x = linspace(2,-2,3);', [2, 0, -2]],
    ['Q = [0:0.5:1; 1:0.5:2]', [0, 0.5, 1, 1, 1.5, 2]],
  ];
  for (const [text, expected] of cases) it(text, () => assert.deepEqual(numbersOf(text), expected));

  it('are one row, under their name, for a hover too', () => {
    const found = literalAt('Q = 1:3', 5);
    assert.ok(found && 'matrix' in found);
    assert.deepEqual([found.matrix.shape, found.matrix.name, found.matrix.role], [[1, 3], 'Q', 'q']);
  });

  it('are refused where programs round them differently, and where nothing is in them', () => {
    assert.deepEqual(placesOf('x = 0:0.1:1;'), ['expression 0:0.1:1']);
    assert.deepEqual(placesOf('x = linspace(0, 1, 11);'), ['expression linspace(0, 1, 11)']);
    assert.deepEqual(placesOf('Q = 5:1'), ['expression 5:1']);
    assert.deepEqual(placesOf('Q = 1:0:3'), ['expression 1:0:3']);
    assert.deepEqual(placesOf('Q = 1:1000000000'), ['expression 1:1000000000']);
  });

  it('are none in configurations, indices, conditions and calls', () => {
    for (const text of [
      'time = 10:30',
      'ratio = 16:9',
      'y = x[1:3]',
      'a ? 1:3;',
      'f(a, 1:3)',
      'a == 1:3;',
      'plot(linspace(0, 1, 5))',
    ])
      assert.deepEqual([parseMatrices(text).matrices, placesOf(text)], [[], []], text);
  });
});

describe('a block of names', () => {
  it('is said to be none at the first name, whatever it is called', () => {
    for (const name of ['A', 'X', 'Q']) {
      const read = specFromText(`${name} = [Q; K]`);
      assert.ok(!read.ok);
      const [problem] = read.problems;
      assert.deepEqual([problem?.code, problem?.range], ['unknown-name', { start: 5, end: 6 }]);
      assert.match(problem?.hint ?? '', /not joined/);
    }
  });

  it('leaves the matrices beside it', () => {
    const read = specFromText('Q = [1 2; 3 4];\nK = [5 6; 7 8];\nA = [Q; K];');
    assert.ok(read.ok);
    assert.ok(read.value.notes.some((note) => note.startsWith('A is left out')));
  });

  it('is not seen in Rust', () => assert.deepEqual(placesOf('let a = [b; 4];'), []));
});

describe('hex floats in plain brackets', () => {
  // C11 6.4.4.2, and float.fromhex of Python.
  it('are read, with signs and exponents of both signs', () =>
    assert.deepEqual(
      numbersOf("Q = [[0x1.8p3, -0x1p-2], [0x1.999999999999ap-4, float.fromhex('0x1.8p+1')]]"),
      [12, -0.25, 0.1, 3],
    ));
  it('that are cut are Problems with their place', () =>
    assert.deepEqual(placesOf('Q = [0x1.8p, 1]'), ['malformed 0x1.8p']));
});
