import assert from 'node:assert/strict';
import {
  fieldControls,
  fieldNames,
  fields,
  readSwitches,
  validateSpec,
  writeSwitches,
  type AttentionSpec,
} from '../../engine/index';
import { readArguments, usage } from '../../engine/cli/arguments';
import { settableFields } from '../../engine/spec/spec';
import { withSettings } from '../../engine/spec/settings';
import { sentence, spec001 } from './specs';

describe('the fields of a spec', () => {
  it('are all but the version and the model changed by --set, and --help shows how', () => {
    assert.deepEqual([...settableFields, 'model', 'version'].sort(), [...fieldNames].sort());
    for (const name of settableFields) {
      const written = `${name}${fields[name].example}`;
      const read = readArguments(['-', '--set', written]);
      assert.ok(!('usageError' in read), written);
      // A block adds what attention makes to X, so that both need one width.
      // Differential attention pairs heads.
      const base: AttentionSpec =
        name === 'block'
          ? { ...sentence, outputProjection: { from: 'random' } }
          : name === 'differential'
            ? { ...sentence, heads: 2 }
            : sentence;
      const changed = withSettings(base, read.set);
      assert.notDeepEqual(changed, base, written);
      const checked = validateSpec(changed);
      assert.ok(checked.ok, `${written}: ${JSON.stringify(checked)}`);
      assert.match(usage(), new RegExp(`^  ${written.replace(/[.[\]{}"]/g, '\\$&')} +\\S`, 'm'));
    }
  });

  it('are read back from the switches of the panel', () => {
    for (const spec of [sentence, spec001]) assert.deepEqual(writeSwitches(spec, readSwitches(spec)), spec);
  });

  it('have controls of different names, whose problems lie in fields', () => {
    const ids = fieldControls.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const known: readonly string[] = fieldNames;
    for (const { paths, id } of fieldControls)
      for (const path of paths) assert.ok(known.includes(path.split('.')[0] ?? ''), `${id}: ${path}`);
  });

  it('refuse a number beyond their limits at its path', () => {
    const wrong: readonly [object, string, string][] = [
      [{ heads: 257 }, 'heads', 'heads is 257, expected a whole number from 1 to 256'],
      [{ kvHeads: 2 }, 'kvHeads', 'kvHeads is 2, expected a divisor of heads (1)'],
      [{ softcap: 0 }, 'softcap', 'softcap is 0, expected a finite number above 0'],
      [{ temperature: -1 }, 'temperature', 'temperature is -1, expected a finite number above 0'],
      [{ scale: { divideBy: 0 } }, 'scale', 'scale: cannot divide by 0'],
      [
        { mask: { kind: 'window', size: 0.5, causal: true } },
        'mask.size',
        'mask.size is 0.5, expected a whole number from 0 to 1000000',
      ],
      [
        { projections: { from: 'random', dK: 4097, dV: 1 } },
        'projections.dK',
        'projections.dK is 4097, expected a whole number from 1 to 4096',
      ],
      [{ dModel: 0 }, 'dModel', 'dModel is 0, expected a whole number from 1 to 4096'],
    ];
    for (const [change, path, message] of wrong) {
      const found = validateSpec({ ...sentence, ...change });
      assert.deepEqual(found.ok ? [] : found.problems.map((p) => [p.path, p.message]), [[path, message]]);
    }
  });
});
