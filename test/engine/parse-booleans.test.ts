import assert from 'node:assert/strict';
import { specFromText } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import './names-support';

/** What a text's one matrix says about its type, and its values. */
function read(text: string): { dtype: string | undefined; values: number[] } {
  const { matrices, problems } = parseMatrices(text);
  assert.deepEqual(problems, []);
  assert.equal(matrices.length, 1);
  const [matrix] = matrices;
  return { dtype: matrix?.dtype, values: Array.from(matrix?.values ?? []) };
}

describe('truth values', () => {
  // np.array([[True, False], [False, True]]).dtype is bool, and so it prints.
  const written: readonly (readonly [string, string])[] = [
    ['Python', 'mask = [[True, False], [False, True]]'],
    ['NumPy', 'mask = np.array([[True, False], [False, True]])'],
    ['printed by NumPy', '[[ True False]\n [False  True]]'],
    ['JSON', '[[true, false], [false, true]]'],
    ['C', 'bool mask[2][2] = {{true, false}, {false, true}};'],
    ['Rust', 'let mask = vec![vec![true, false], vec![false, true]];'],
    ['Julia', 'mask = [true false; false true]'],
    ['R', 'mask <- matrix(c(TRUE, FALSE, FALSE, TRUE), nrow = 2)'],
    ['CSV', 'TRUE,FALSE\nFALSE,TRUE\n'],
    ['Markdown', '| a | b |\n|---|---|\n| True | False |\n| False | True |\n'],
  ];
  for (const [what, text] of written)
    it(`of ${what} are of dtype bool`, () => assert.deepEqual(read(text), { dtype: 'bool', values: [1, 0, 0, 1] }));

  it('beside numbers are numbers', () => {
    assert.deepEqual(read('[[True, 0.5], [False, 1]]'), { dtype: undefined, values: [1, 0.5, 0, 1] });
    assert.deepEqual(read('[1.5 true; false 0]'), { dtype: undefined, values: [1.5, 1, 0, 0] });
    assert.deepEqual(read('TRUE,0\nFALSE,1\n'), { dtype: undefined, values: [1, 0, 0, 1] });
  });

  it('with a dtype beside them are of that', () => {
    assert.equal(read('np.array([[True, False], [False, True]], dtype=np.float32)').dtype, 'float32');
    assert.equal(read('torch.tensor([[True, False], [False, True]]).float()').dtype, 'float32');
  });
});

describe('what was done to printed digits', () => {
  it('is said of what is explained', () => {
    const found = specFromText('X =\n\n   1.0e+03 *\n\n   1   2\n   3   4\n');
    assert.ok(found.ok);
    assert.ok(found.value.notes.includes('X: Each number as printed times 1.0e+03, which stands above them.'));
  });
});
