import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { explainAttention, validateSpec, type AttentionSpec } from '../../../engine/index';
import { controls, isOfDisplay } from '../../../webview/controls/list';
import { applyControls, controlValuesOf } from '../../../webview/choices/control-values';
import { thorough } from '../../host/thorough';
import { sentence, textSpec } from '../inputs';

const file = join(__dirname, '../../fixtures/attention/variants.json.gz');
const { specs } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
  specs: readonly { readonly name: string; readonly spec: AttentionSpec }[];
};

describe('the controls’ switches', () => {
  it('give every spec back as it came', () => {
    assert.ok(specs.length > 300);
    for (const { name, spec } of specs) assert.deepEqual(applyControls(spec, controlValuesOf(spec, 4)), spec, name);
  });

  it('stand for each field of a spec that is no matrix', () => {
    const spec = textSpec(sentence, { heads: 2, outputProjection: { from: 'random' }, mask: 'causal' });
    const before = controlValuesOf(spec, 4);
    const others: Readonly<Record<string, string>> = {
      tokenizer: 'characters', positions: 'alibi', projections: 'none', convention: 'XWT', bias: 'yes', generator: 'torch', output: 'none', qkNorm: 'head',
      outputBias: 'yes', block: 'before-rms', scale: 'none', mask: 'window', maskFill: 'min', positionsDtype: 'float32', sink: 'random', fullyMasked: 'zero', dtype: 'float32', headChanges: '1.1', averageWeights: 'yes', weighting: 'sigmoid', scoring: 'additive', differential: 'init',
    }; // prettier-ignore
    for (const control of controls.filter((c) => c.applies(spec, before) && !isOfDisplay(c))) {
      const change =
        control.kind === 'choice'
          ? control.set(before, others[control.id] ?? '', spec)
          : control.set(before, control.id === 'kvHeads' ? 1 : 4);
      const after = { ...before, ...change };
      const changed = applyControls(spec, after);
      assert.notDeepEqual(changed, spec, control.id);
      assert.ok(validateSpec(changed).ok, control.id);
      if (control.kind === 'choice')
        assert.ok(
          control.options(spec, [], after).some((o) => o.value === control.get(after)),
          control.id,
        );
    }
  });

  it('offers only choices that can be computed, or that say why not', () => {
    for (const { name, spec } of specs.filter((_, i) => i % (thorough ? 5 : 20) === 0)) {
      const before = controlValuesOf(spec, 4);
      for (const control of controls) {
        if (control.kind !== 'choice' || control.id === 'tokenizer' || !control.applies(spec, before)) continue;
        for (const { value } of control.options(spec, [], before)) {
          const result = explainAttention(applyControls(spec, { ...before, ...control.set(before, value, spec) }));
          if (!result.ok)
            assert.ok(
              result.problems.every((p) => p.path && p.message),
              `${name}: ${control.id} ${value}`,
            );
        }
      }
    }
  });
});
