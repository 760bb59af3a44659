import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { planOf, type AttentionSpec } from '../../engine/index';

const file = join(__dirname, '../fixtures/attention/variants.json.gz');
const { specs } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
  specs: readonly { readonly spec: AttentionSpec }[];
};

describe('formulas', () => {
  it('ask for no font that the page leaves out', () => {
    const missing = /\\(?:math|text)(?:frak|sf|scr|tt)\b|\\(?:Bbb|tt|sf)\b/;
    let formulas = 0;
    for (const { spec } of specs) {
      const plan = planOf(spec);
      assert.ok(plan.ok);
      for (const { formula } of plan.value.steps) {
        assert.doesNotMatch(formula.roles, missing);
        formulas++;
      }
    }
    assert.ok(formulas > 5000, `${formulas} formulas`);
  });
});
