import assert from 'node:assert/strict';
import { fieldControls, planOf, readSwitches, writeSwitches, type AttentionSpec } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { assertExported, assertGolden, specOf, unheld, type GoldenCase } from './golden';
import { fixture, run, sentence } from './specs';

/* Local and global layers of a stack: against test/reference/local_layers.py, after Gemma 2 and 3 and ModernBERT, which knows nothing of the engine. */

const { cases } = fixture<{ cases: readonly GoldenCase[] }>('local-layers.json');
const most = (): number => 1e-12;
const typesOf = ({ spec }: GoldenCase): string => (spec.block?.layerTypes ?? []).map((type) => type[0]).join('');

describe('local and global layers', () => {
  cases.forEach((one, i) =>
    it(`${i}: ${typesOf(one)} have PyTorch’s numbers in every layer, held or not`, () => {
      const spec = specOf(one);
      assertGolden(run(spec), one, most());
      assertGolden(unheld(spec), one, most());
    }),
  );

  for (const library of ['numpy', 'torch'] as const)
    it(`are in the programs that are exported: ${library}`, function () {
      this.timeout(120_000);
      assertExported(cases, library, pythonOrSkip(this, 'numpy', 'torch'), most);
    });

  const stack = (change: Partial<AttentionSpec>, block: Partial<NonNullable<AttentionSpec['block']>> = {}): AttentionSpec => ({
    ...sentence, mask: { kind: 'window', size: 1, causal: true }, outputProjection: { from: 'random' }, ...change, block: { norm: 'before', layers: 2, ...block },
  });
  const types = ['sliding_attention', 'full_attention'] as const;

  it('leave a spec that does not name them as it is, and one of local layers alone too', () => {
    const [plain, local] = [run(stack({})), run(stack({}, { layerTypes: [types[0], types[0]] }))];
    for (const { id, shape } of plain.plan.steps) {
      const at = shape.map((size) => size - 1);
      assert.equal(local.value(id, at), plain.value(id, at), id);
    }
  });

  it('are refused where they are too few, and named where they change nothing', () => {
    const few = planOf(stack({}, { layerTypes: [types[0]] }));
    assert.ok(!few.ok);
    assert.deepEqual(few.problems.map(({ path, message }) => [path, message]), [['block.layerTypes', 'block.layerTypes has entries: 1, block.layers is 2']]);
    const notes = (spec: AttentionSpec): string[] => run(spec).plan.notes.map(({ message }) => message);
    assert.deepEqual(notes(stack({ mask: 'causal' }, { layerTypes: types })), ['block.layerTypes is ignored: the mask is no window']);
    assert.deepEqual(notes(stack({ positions: 'rope-half', rope: { localBase: 10 } })), ['rope.localBase is ignored: block.layerTypes calls no layer local']);
    assert.deepEqual(notes(stack({ positions: 'rope-half', rope: { localBase: 10 } }, { layerTypes: types })), []);
  });

  it('come every so many layers by a control, as sliding_window_pattern says', () => {
    const control = fieldControls.find(({ id }) => id === 'globalEvery');
    assert.ok(control?.kind === 'number');
    const spec = stack({}, { layers: 6 });
    const [own, now] = [readSwitches(spec), { ...readSwitches(spec), ...control.set(readSwitches(spec), 3) }];
    assert.equal(control.get(own), '0');
    assert.equal(control.get(now), '3');
    const written = (s: typeof own): unknown => writeSwitches(spec, s, []).block?.layerTypes;
    assert.deepEqual(written(now), ['s', 's', 'f', 's', 's', 'f'].map((type) => types[type === 's' ? 0 : 1]));
    assert.equal(written(own), undefined);
    assert.deepEqual(written({ ...now, layers: 2 }), [types[0], types[0]]);
    assert.ok(control.applies(spec, own));
    assert.ok(!control.applies(stack({ mask: 'causal' }), readSwitches(stack({ mask: 'causal' }))));
  });
}); // prettier-ignore
