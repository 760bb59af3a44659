import assert from 'node:assert/strict';
import { fieldControls, matrixDefaults, readSwitches, textDefaults, validateSpec, writeSwitches, type AttentionSpec } from '../../engine/index'; // prettier-ignore
import { changes, starts } from './field-values';

// What a control is set to is what it shows afterwards, and what it shows for the spec that is then written.

const specs: readonly (readonly [string, AttentionSpec])[] = Object.entries(starts).flatMap(([name, start]) =>
  [{}, ...Object.values(changes).flat()].flatMap((change) => {
    const defaults = ['text', 'ids'].includes(start.start.from) ? textDefaults : matrixDefaults;
    const spec: AttentionSpec = { ...defaults, ...start, ...change };
    return validateSpec(spec).ok ? [[`${name} ${JSON.stringify(change).slice(0, 80)}`, spec] as const] : [];
  }),
);

/** Numbers within a control's limit. A layer that is shown, or that sees all, is one of those that there are. */
function numbersFor({ id, limit }: Extract<(typeof fieldControls)[number], { kind: 'number' }>, { block }: AttentionSpec): readonly number[] {
  const layers = block?.layers ?? 1;
  const most = id === 'shownLayer' ? layers - 1 : id === 'globalEvery' ? layers : limit.most;
  return [limit.least, 1, 2, 3, 4].filter((x, i, all) => x >= limit.least && x <= most && all.indexOf(x) === i);
} // prettier-ignore

const controlOf = (id: string): (typeof fieldControls)[number] => {
  const found = fieldControls.find((control) => control.id === id);
  assert.ok(found, id);
  return found;
};

describe('a control', () => {
  it('is tried in specs with each value of each field', () => assert.ok(specs.length > 300, String(specs.length)));

  it('writes nothing that was not changed: a spec whose switches are read and written is the same', () => {
    for (const [name, spec] of specs) assert.deepEqual(writeSwitches(spec, readSwitches(spec)), spec, name);
  });

  it('shows of a spec without a field what is computed without it', () => {
    const { rope, decodeStep, kvHeads, sink, keysOne, segments, differential, differentialLayer, qkNorm, qkEpsilon, softcap, temperature, layers, shownLayer, normGains, topK, headChanges, weighting, fusedOrder, positionOffset, alsoCausal, scoring, maskFill, fullyMasked } =
      readSwitches({ ...matrixDefaults, start: { from: 'x', x: [[1]] } });
    assert.deepEqual([rope, decodeStep, kvHeads, softcap, temperature, topK], [null, null, null, null, null, null]);
    assert.deepEqual([sink, keysOne, differential, qkNorm, weighting, scoring], ['none', 'none', 'none', 'none', 'softmax', 'dot']);
    assert.deepEqual([segments, alsoCausal, headChanges, normGains, fusedOrder], [false, false, [], 'ones', 'blocks']);
    assert.deepEqual([differentialLayer, layers, shownLayer, positionOffset, qkEpsilon], [1, 1, 1, 0, 1e-6]);
    assert.deepEqual([maskFill, fullyMasked], ['-inf', 'nan']);
  }); // prettier-ignore

  for (const { id } of fieldControls)
    it(id, () => {
      const control = controlOf(id);
      for (const [name, spec] of specs) {
        const before = readSwitches(spec);
        if (!control.applies(spec, before)) continue;
        assert.ok(control.label() !== '');
        const shown: string = control.get(before);
        const values: readonly string[] = control.kind === 'choice' ? control.options(spec, [], before).map(({ value }) => value) : numbersFor(control, spec).map(String);
        for (const value of values.filter((one) => one !== shown)) {
          const set = control.kind === 'choice' ? control.set(before, value, spec) : control.set(before, Number(value));
          const after = { ...before, ...set };
          const what = `${name}: ${shown} → ${value}`;
          assert.equal(control.get(after), value, what);
          const written = writeSwitches(spec, after, []);
          if (validateSpec(written).ok && control.applies(written, readSwitches(written))) assert.equal(control.get(readSwitches(written)), value, `${what}, written`);
        }
      }
    }); // prettier-ignore
});
