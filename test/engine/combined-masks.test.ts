import assert from 'node:assert/strict';
import {
  explainCell,
  matrixDefaults,
  maskedAfterSoftmax,
  validateSpec,
  explainAttention,
  type AttentionSpec,
} from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { assertExported, assertGolden, specOf, unheld, type GoldenCase } from './golden';
import { fixture, run, sentence } from './specs';

/* Masks beside the mask: against test/reference/combined_masks.py, which calls torch.nn.MultiheadAttention and knows nothing of the engine. */

const { cases } = fixture<{ cases: readonly GoldenCase[] }>('combined-masks.json');
// Outputs are sums of 8 products of numbers up to 10.
const allowed = ({ spec }: GoldenCase): number => (spec.dtype === 'float32' ? 1e-5 : 1e-13);

describe('masks beside the mask', () => {
  cases.forEach((one, i) => {
    const { dtype, heads, mask, alsoHidden } = one.spec;
    const name = `${i}: ${heads} heads, ${dtype}, ${JSON.stringify(mask).slice(0, 30)} and ${Object.keys(alsoHidden ?? {}).join(', ')}`;

    it(`${name}: PyTorch’s numbers, held or not`, () => {
      assertGolden(run(specOf(one)), one, allowed(one));
      assertGolden(unheld(specOf(one)), one, allowed(one));
    });
  });

  it('are in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    assertExported(cases, 'numpy', python, allowed);
    assertExported(cases, 'torch', python, allowed);
  });

  it('explain a hidden cell by the masks that hide it', () => {
    const spec: AttentionSpec = {
      ...sentence,
      alsoHidden: { causal: true, segments: { queries: [0, 0, 0, 1, 1, 1] }, keys: { values: [1, 0, 1, 1, 1, 1], oneMeans: 'visible' } },
    }; // prettier-ignore
    const trace = run(spec);
    const made = explainCell(trace, 'jointMask', [4, 1]);
    assert.ok(made.kind === 'reduced' && made.function === 'max');
    assert.deepEqual(
      made.terms.map(({ step, value }) => [step, value]),
      [['causalMask', 0], ['keyMask', 1], ['segmentMask', 1]],
    ); // prettier-ignore
    const masked = explainCell(trace, 'masked', [4, 1]);
    assert.ok(masked.kind === 'masked' && masked.mask.step === 'jointMask' && masked.value === -Infinity);
    const own = explainCell(trace, 'keyMask', [4, 1]);
    assert.ok(own.kind === 'hidden' && own.hidden);
    assert.ok((maskedAfterSoftmax(trace)?.sum ?? 1) < 1);
  });

  it('one alone is the mask: no step joins it, and its numbers are those of the same mask of the field', () => {
    const [beside, own] = [run({ ...sentence, alsoHidden: { causal: true } }), run({ ...sentence, mask: 'causal' })];
    assert.ok(!beside.plan.steps.some(({ id }) => id === 'jointMask'));
    for (const at of [[0, 0], [2, 5], [5, 3]]) assert.equal(beside.value('weights', at), own.value('weights', at)); // prettier-ignore
  });

  it('say where they change nothing', () => {
    const notes = (spec: Partial<AttentionSpec>): readonly string[] =>
      run({ ...sentence, ...spec }).plan.notes.map(({ message }) => message);
    assert.deepEqual(notes({ mask: 'causal', alsoHidden: { causal: true } }), [
      'alsoHidden.causal is ignored: the mask is causal',
    ]);
    const weights = { from: 'weights', weights: [[1, 0], [0, 1]], v: [[1], [2]] } as const; // prettier-ignore
    const trace = run({ ...matrixDefaults, start: weights, alsoHidden: { causal: true } });
    assert.equal(trace.plan.notes[0]?.path, 'alsoHidden');
  });

  it('name a row that no mask alone, but all together leave without a key', () => {
    const spec: AttentionSpec = { ...sentence, alsoHidden: { causal: true, keys: { values: [0, 1, 1, 1, 1, 1], oneMeans: 'visible' } } }; // prettier-ignore
    const { problems } = run(spec);
    assert.deepEqual(problems.map(({ code }) => code), ['hidden-row']); // prettier-ignore
  });

  it('are refused where numbers do not fit rows, inputs or their meaning', () => {
    const refused = (alsoHidden: unknown, changes: Partial<AttentionSpec> = {}): readonly string[] => {
      const read = validateSpec({ ...sentence, ...changes, alsoHidden });
      const found = read.ok ? explainAttention(read.value) : read;
      return found.ok ? [] : found.problems.map(({ message }) => message);
    };
    const six = [0, 0, 1, 1, 2, 2];
    assert.deepEqual(refused({ keys: { values: [1, 0, 1], oneMeans: 'visible' } }), [
      'alsoHidden.keys.values has 3 numbers, expected 6',
    ]);
    assert.deepEqual(refused({ keys: { values: six, oneMeans: 'hidden' } }), [
      'alsoHidden.keys.values[4] is 2, expected 0 or 1',
      'alsoHidden.keys.values[5] is 2, expected 0 or 1',
    ]);
    assert.deepEqual(refused({ segments: { queries: [six, six] } }), [
      'alsoHidden.segments.queries: lists for inputs of a batch: 2, expected 1 or 1',
    ]);
    assert.deepEqual(refused({ segments: { queries: [0, 0, 1, 1, 2, 2.5] } }).length, 1);
    assert.deepEqual(refused({ keys: { values: six } }).length, 1);
    const start = { from: 'qkv', q: [[1], [2]], k: [[1], [2], [3]] } as const;
    assert.deepEqual(refused({ segments: { queries: [0, 1] } }, { start }), [
      'alsoHidden.segments.queries has 2 numbers, but there are 3 keys',
    ]);
  });
});
