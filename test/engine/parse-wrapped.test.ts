import assert from 'node:assert/strict';
import { assembled, refused } from './parse-support';
import './names-support';

// A literal inside a call is not what the call returns: it is explained only where the call is followed, or is a constructor.

const refusals: readonly (readonly [string, RegExp])[] = [
  ['x = np.linalg.inv(np.array([[1, 2], [3, 4]]))', /^np\.linalg\.inv is not known$/],
  ['np.linalg.inv([[1, 2], [3, 4]])', /^np\.linalg\.inv is not known$/],
  ['print(np.linalg.inv([[1, 2], [3, 4]]))', /^np\.linalg\.inv is not known$/],
  ['y = magic([[1, 2], [3, 4]])', /^magic is not defined above$/],
  ['x = np.array([[1, 2], [3, 4]]) @ missing', /^missing is not defined above$/],
];

describe('a literal inside a call', () => {
  for (const [text, message] of refusals)
    it(`is not taken for what the call returns: ${text}`, () => {
      assert.match(refused(text)[0]?.message ?? '', message);
    });

  for (const text of ['m = mx.array([[1, 2], [3, 4]])', 'paddle.to_tensor([[1, 2], [3, 4]])', 'np.array([[1, 2], [3, 4]])'])
    it(`is the matrix of a constructor: ${text}`, () => {
      const { start } = assembled(text).spec;
      assert.deepEqual(start.from === 'x' && start.x, [[1, 2], [3, 4]]); // prettier-ignore
    });
}); // prettier-ignore
