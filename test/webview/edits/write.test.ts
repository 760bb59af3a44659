import assert from 'node:assert/strict';
import { matrixDefaults, planOf, type AttentionSpec, type SpecMatrix, type SpecNumber } from '../../../engine/index';
import { replaced, rewrite } from '../../../extension/panel/write-back-text';
import { writeBackMessage } from '../../../webview/session/write-back';
import { parsePageMessage } from '../../../webview/protocol';
import { initialState, withExplanation, withControls, type Asked } from '../../../webview/session/app-state';
import { explanation } from '../inputs';

const columns = 100;
const source = { uri: 'file:///x.py', range: { start: 0, end: 20 }, textHash: '0123456789abcdef' };
const dressed = (i: number): SpecNumber => (i === 3 ? '-0' : i / 8);
const matrixOf = (rows: number): SpecMatrix =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => dressed(i * columns + j)));

/** X of that many rows, with −∞ written at [1, 2]. */
function asked(rows: number): Asked {
  const spec: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x: matrixOf(rows) } };
  assert.ok(planOf(spec).ok);
  const state = withExplanation(initialState, explanation(spec, source));
  assert.ok(state.asked);
  const edits = [{ step: 'x', index: [1, 2], value: '-inf' as const }];
  const changed = withControls(state, { ...state.asked.switches, edits });
  assert.ok(changed.asked);
  return changed.asked;
}

describe('what is asked to be written back', () => {
  it('has its numbers one by one up to 10,000, and beyond in binary', () => {
    for (const [rows, isBinary] of [[100, false], [101, true]] as const) {
      const message = writeBackMessage(asked(rows));
      const [matrix] = message.matrices;
      assert.ok(matrix);
      assert.deepEqual(matrix.shape, [rows, columns]);
      const place = columns + 2;
      assert.deepEqual([matrix.was instanceof Float64Array, matrix.now instanceof Float64Array], [isBinary, isBinary]);
      assert.deepEqual([matrix.was.length, matrix.now.length], [rows * columns, rows * columns]);
      assert.equal(matrix.was[place], 12.75);
      assert.equal(matrix.now[place], isBinary ? -Infinity : '-inf');
      assert.ok(Object.is(matrix.now[3], isBinary ? -0 : '-0'), 'the sign of zero stays');
      assert.deepEqual(parsePageMessage(message), { ok: true, value: message });
    }
  }); // prettier-ignore

  it('is written into the text from either', () => {
    for (const rows of [100, 101]) {
      const written = (x: SpecNumber): string => (x === '-0' ? '-0.0' : String(x));
      const text = `X = np.array([${matrixOf(rows).map((row) => `[${row.map(written).join(', ')}]`).join(',\n')}])`; // prettier-ignore
      const [matrix] = writeBackMessage(asked(rows)).matrices;
      const result = matrix && rewrite(text, matrix, 'python');
      assert.ok(result?.ok, JSON.stringify(result));
      assert.equal(replaced(text, result.value), text.replace(' 12.75,', ' -np.inf,'));
    }
  });
});
