import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  decodeNumber,
  explainAttention,
  validateSpec,
  valuesOf,
  type AttentionSpec,
  type AttentionTrace,
  type Result,
  type SpecMatrix,
} from '../../../engine/index';
import { refusalOf } from '../../../webview/choices/given';
import { isEdit, remaining, withEdit, withEdits, type Edit } from '../../../webview/choices/edits';
import { explanation, sentence, textSpec, type Steps } from '../inputs';
import {
  fromPageState,
  initialState,
  specOf,
  stepInHistory,
  toPageState,
  withExplanation,
  withControls,
} from '../../../webview/session/app-state';

const folder = join(__dirname, '../../fixtures/attention');
const { edits: numpy } = JSON.parse(readFileSync(join(folder, 'the-cat-edited.json'), 'utf8')) as {
  readonly edits: Readonly<Record<'table' | 'positions' | 'wk' | 'mask' | 'wv', Steps>>;
};
const golden = gunzipSync(readFileSync(join(folder, 'variants.json.gz'))).toString('utf8');
const { specs } = JSON.parse(golden) as { specs: readonly { readonly name: string; readonly spec: AttentionSpec }[] };

const cell = (step: string, index: readonly number[], value: Extract<Edit, { index: unknown }>['value']): Edit => ({
  step,
  index,
  value,
});

function assertSteps(spec: AttentionSpec, expected: Steps): void {
  const result = explainAttention(spec);
  assert.ok(result.ok, JSON.stringify(result));
  for (const [id, rows] of Object.entries(expected)) {
    rows.forEach((row, i) =>
      row.forEach((number, j) => {
        const [is, wanted] = [result.value.value(id, [i, j]), decodeNumber(number)];
        assert.ok(Math.abs(is - wanted) <= 1e-12 * Math.max(1, Math.abs(wanted)), `${id}[${i},${j}] ${is} ${wanted}`);
      }),
    );
  }
}

describe('edits of sources', () => {
  const cat = textSpec(sentence);
  const cases: readonly (readonly [keyof typeof numpy, AttentionSpec, Edit])[] = [
    ['table', cat, cell('table', [1, 0], 1 / 3)],
    ['positions', cat, cell('positions', [2, 3], -1e-3)],
    ['wk', cat, cell('wk', [2, 3], 0.5)],
    ['mask', { ...cat, mask: 'causal' }, cell('mask', [0, 5], 0)],
    [
      'wv',
      cat,
      {
        step: 'wv',
        lead: [],
        rows: Array.from({ length: 16 }, (_, i) => Array.from({ length: 8 }, (__, j) => (8 * i + j) / 64)),
      },
    ],
  ];
  for (const [name, spec, edit] of cases) {
    it(`${name}: everything downstream is what NumPy makes of the written cell`, () => {
      const edited = withEdits(spec, [edit]);
      assert.deepEqual(edited.idle, []);
      assert.ok(validateSpec(edited.spec).ok);
      assertSteps(edited.spec, numpy[name]);
    });
  }

  it('leave what other fields draw as it was, and are where they were written', () => {
    const spec: AttentionSpec = {
      ...textSpec(sentence, { heads: 2, outputProjection: { from: 'random' } }),
      differential: { lambda: 'random' },
      scoring: { by: 'additive' },
      relativeBias: { bidirectional: true },
      sink: { from: 'random' },
    };
    const before = explainAttention(spec);
    assert.ok(before.ok);
    const drawn = before.value.plan.steps.filter(({ call }) => call.op === 'random');
    for (const step of drawn) {
      const after = explainAttention(withEdits(spec, [cell(step.id, [0, 0], 0.625)]).spec);
      assert.ok(after.ok, step.id);
      assert.equal(after.value.value(step.id, [0, 0]), 0.625, step.id);
      for (const other of drawn) {
        if (other.id === step.id) continue;
        assert.deepEqual(valuesOf(after.value, other), valuesOf(before.value, other), `${other.id} beside ${step.id}`);
      }
    }
  });

  it('leave every other number of every golden spec as it was, whichever source is written into', () => {
    let tried = 0;
    for (const { name, spec } of specs.filter((_, i) => i % 3 === 0)) {
      const before: Result<AttentionTrace> = explainAttention(spec);
      assert.ok(before.ok);
      for (const step of before.value.plan.steps.filter((s) => !s.operands.length && !refusalOf(spec, s))) {
        const index = step.shape.map((n) => n - 1);
        const was: number = before.value.value(step.id, index);
        const value: number = step.kind === 'mask' ? 1 - was : step.call.op === 'tokens' ? 0 : 0.625;
        const { spec: edited, idle } = withEdits(spec, [cell(step.id, index, value)]);
        const after = explainAttention(edited);
        assert.ok(after.ok && idle.length === 0, `${name}: ${step.id}: ${JSON.stringify([idle, after])}`);
        // Other ids may need a smaller random table, and then everything is drawn anew.
        const drawn = step.id === 'tokens' && spec.embedding?.from !== 'given';
        for (const source of drawn ? [] : after.value.plan.steps.filter((s) => !s.operands.length)) {
          const [now, then] = [valuesOf(after.value, source), valuesOf(before.value, source)];
          const differing = Array.from(now).filter((x, i) => !Object.is(x, then[i])).length;
          const most = source.id === step.id && was !== value ? 1 : 0;
          assert.ok(differing <= most, `${name}: ${step.id} changed ${differing} cells of ${source.id}`);
        }
        assert.equal(after.value.value(step.id, index), value, `${name}: ${step.id}`);
        tried++;
      }
    }
    assert.ok(tried > 400, String(tried));
  });

  it('say which of them have no place, and keep them', () => {
    const edits = [cell('wq', [15, 7], 1), cell('mask', [0, 1], 1)];
    const { spec, idle } = withEdits(textSpec(sentence, { projections: { from: 'random', dK: 4, dV: 8 } }), edits);
    assert.deepEqual(
      idle.map(({ message }) => message),
      ['W_q[15, 7] = 1 waits: W_q is 16×4', 'mask[0, 1] = 1 waits: there is no mask now'],
    );
    assert.equal(spec.projections.from, 'random');
  });

  it('cannot be made where a spec has no place for them', () => {
    const rope = explainAttention(textSpec(sentence, { positions: 'rope-half' }));
    const refusals = rope.ok ? rope.value.plan.steps.map((s) => [s.id, refusalOf(cat, s)?.message]) : [];
    const said = Object.fromEntries(refusals) as Record<string, string | undefined>;
    assert.equal(said['wq'], undefined);
    assert.equal(said['tokens'], 'the ids come from the text');
    assert.equal(said['qRotations'], 'a spec has no place for R: it follows from the positions');
    assert.equal(said['scores'], 'S is computed');
  });

  it('of one cell replace each other, and vanish when they say what was there', () => {
    const [first, second] = [cell('wq', [0, 0], 1), cell('wq', [0, 0], 2)];
    assert.deepEqual(withEdit([first, cell('wk', [0, 0], 1)], second), [cell('wk', [0, 0], 1), second]);
    assert.deepEqual(withEdit([first], second, 2), []);
    const pasted: Edit = { step: 'wq', lead: [], rows: [[1]] };
    assert.deepEqual(withEdit([first], pasted), [pasted]);
    assert.deepEqual(withEdit([pasted], second, 2), [pasted, second]);
  });

  it('that the input has taken over are no edits any more', () => {
    const { spec } = withEdits(cat, [cell('wq', [0, 0], 0.5)]);
    const left = [cell('wv', [0, 0], 0.25)];
    assert.deepEqual(remaining([cell('wq', [0, 0], 0.5), ...left], spec), left);
  });

  it('are in the history of the switches, and come back from what was saved', () => {
    const asked = withExplanation(initialState, explanation(cat));
    const switches = asked.asked?.switches;
    assert.ok(switches);
    const edited = withControls(asked, { ...switches, edits: [cell('wk', [2, 3], 0.5)] });
    assert.ok(edited.asked);
    assertSteps(specOf(edited.asked), numpy.wk);
    const undone = stepInHistory(edited, 'undo');
    assert.deepEqual(undone.asked && specOf(undone.asked), cat);
    assert.deepEqual(stepInHistory(undone, 'redo').asked?.switches.edits, [cell('wk', [2, 3], 0.5)]);
    const saved: unknown = JSON.parse(JSON.stringify(toPageState(edited)));
    const restored = fromPageState(saved);
    assert.ok(restored?.asked);
    assertSteps(specOf(restored.asked), numpy.wk);
    assert.equal(restored.past.length, 1);
  });

  it('are saved with as much of the history as is worth it, and read back with care', () => {
    const rows: SpecMatrix = Array.from({ length: 300 }, () => Array.from({ length: 200 }, () => 1));
    const asked = withExplanation(initialState, explanation(cat));
    const switches = asked.asked?.switches;
    assert.ok(switches);
    const past = Array.from({ length: 9 }, () => ({ ...switches, edits: [{ step: 'wq', lead: [], rows }] }));
    assert.equal(toPageState({ ...asked, past })?.past.length, 3);
    for (const bad of [null, {}, { step: 'wq', index: [0], value: 1 }, { step: 'wq', index: [0, -1], value: 1 }]) {
      assert.equal(isEdit(bad), false, JSON.stringify(bad));
    }
    assert.equal(isEdit({ step: 'wq', lead: [], rows: [[1, 2], [3]] }), false);
    assert.equal(isEdit({ step: 'wq', index: [0, 1], value: '-inf' }), true);
  });
});
