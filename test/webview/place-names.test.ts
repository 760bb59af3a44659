// A cell has one name wherever the page says it: as a cell of a heatmap, as an edited one, as the one that differs most.
import assert from 'node:assert/strict';
import { matrixDefaults, textDefaults, type AttentionSpec } from '../../engine/index';
import { placeName } from '../../webview/compare/words';
import { writingOf } from '../../webview/edits/actions';
import type { Session } from '../../webview/session';
import { labelAt, oriented, shownNames, stepOf, type TraceHandle } from '../../webview/trace';
import { run } from '../engine/specs';

const m = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
];

function named(spec: AttentionSpec, id: string, index: readonly number[], columns = false): string {
  const trace = oriented({ plan: run(spec).plan, spec } as TraceHandle, columns);
  const step = stepOf(trace.plan, id);
  assert.ok(step, id);
  return placeName(trace, step, index);
}

describe('the name of a cell', () => {
  const text: AttentionSpec = { ...textDefaults, heads: 2, start: { from: 'text', text: 'the cat saw the dog', tokenizer: 'words' } }; // prettier-ignore

  it('says the input of a batch without heads, the head of one text, and both where there are both', () => {
    const batch: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x: [m, m] } };
    assert.equal(named(batch, 'scores', [1, 0, 1]), 'row 0, column 1, input 1');
    assert.equal(named({ ...batch, heads: 2 }, 'scores', [1, 0, 0, 1]), 'row 0, column 1, input 1, head 0');
    assert.equal(named({ ...batch, heads: 2 }, 'q', [1, 0, 3]), 'row 0, column 3, input 1');
    assert.equal(named(text, 'scores', [1, 1, 4]), 'row cat, column dog, head 1');
    assert.equal(named(text, 'wq', [0, 1]), 'row 0, column 1');
    // Of one input there is nothing to say.
    assert.equal(named({ ...batch, start: { from: 'x', x: [m] } }, 'scores', [0, 1, 0]), 'row 1, column 0');
  });

  it('says which of equal words is meant, and of a transposed matrix the row that is drawn', () => {
    assert.equal(named(text, 'scores', [0, 3, 1]), 'row the (3), column cat, head 0');
    assert.equal(named(text, 'scores', [0, 3, 1], true), 'row cat, column the (3), head 0');
    // W_q is drawn as it is stored.
    assert.equal(named(text, 'wq', [0, 1], true), 'row 0, column 1');
  });

  it('is that of the heatmap: in a text of 40 words equal ones have a place, in a longer one all', () => {
    for (const length of [40, 41]) {
      const words = Array.from({ length }, (_, i) => (i % 20 === 0 ? 'the' : `w${i}`)).join(' ');
      const { plan } = run({ ...text, start: { from: 'text', text: words, tokenizer: 'words' } });
      const step = stepOf(plan, 'scores');
      assert.ok(step);
      const expected = length === 40 ? ['w3', 'the (20)'] : ['w3 (3)', 'the (20)'];
      assert.deepEqual(shownNames(plan, step, [3, 20]), expected);
      assert.deepEqual([labelAt(step.rowLabels, 3), labelAt(step.columnLabels, 20)], expected);
    }
  });

  it('is that of an edited cell, with the symbol and the labels that the page shows', () => {
    const spec: AttentionSpec = { ...matrixDefaults, start: { from: 'x', x: m }, projections: { from: 'random', dK: 2, dV: 2 } };
    const session = (columns: boolean): Session => ({ shown: { trace: { plan: run(spec).plan, spec } }, state: { reading: { columns } } }) as unknown as Session;
    const name = (columns: boolean, id: string): string => writingOf(session(columns)).name(id, [0, 1]);
    assert.deepEqual([name(false, 'x'), name(true, 'x')], ['X, row 0, column 1', 'X, row 1, column 0']);
    // A weight is drawn as it is stored, and named as the columns' W.
    assert.deepEqual([name(false, 'wq'), name(true, 'wq')], ['W_q, row 0, column 1', 'W_q, row 0, column 1']);
    assert.equal(name(false, 'none'), 'none');
  }); // prettier-ignore
});
