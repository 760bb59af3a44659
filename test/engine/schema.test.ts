import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { traceToJson, validateSpec } from '../../engine/index';
import { run, sentence, spec000, spec001, spec004 } from './specs';

const schema = (name: string): object =>
  JSON.parse(readFileSync(join(__dirname, '../../extension/schemas', name), 'utf8')) as object;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(schema('spec.schema.json'), 'spec.schema.json');
const fitsSpec = ajv.getSchema('spec.schema.json');
const fitsTrace = ajv.compile(schema('trace.schema.json'));

/** Whether our validator finds a field of the wrong kind (what a schema can say); shapes that do not fit are beyond a schema. */
function wellFormed(json: unknown): boolean {
  const result = validateSpec(json);
  return result.ok || result.problems.every((p) => p.code !== 'field' && p.code !== 'unknown-field');
}

describe('published schemas', () => {
  it('accept the specs that the engine runs', () => {
    for (const spec of [sentence, spec000, spec001, spec004])
      assert.ok(fitsSpec?.(spec), JSON.stringify(fitsSpec?.errors));
  });

  it('accept whole traces, and refuse one with a value cut out', () => {
    const json = JSON.parse(JSON.stringify(traceToJson(run(spec001)))) as { steps: { values?: unknown }[] };
    assert.ok(fitsTrace(json), JSON.stringify(fitsTrace.errors));
    delete json.steps[0]?.values;
    assert.ok(!fitsTrace(json));
  });

  const leaf = fc.constantFrom<unknown>(
    null, true, 0, -1, 2, 0.5, 'none', 'causal', 'inf', 'x', [], {}, [[1, 2]], [[[1]]], [['nan']], [[null]],
    { from: 'none' }, { from: 'x', x: [[1]] }, { kind: 'padding', visible: 1 }, { divideBy: 3 }, { learned: [[1]] },
  ); // prettier-ignore
  const field = fc.constantFrom(
    ...Object.keys(spec000),
    'kvHeads',
    'softcap',
    'embedding',
    'outputProjection',
    'scal',
    '__proto__',
  );

  it('agree with the validator on specs with arbitrary fields replaced or added', () => {
    fc.assert(
      fc.property(fc.constantFrom(sentence, spec000, spec001), field, leaf, (spec, name, value) => {
        const changed: unknown = JSON.parse(JSON.stringify({ ...spec, [name]: value }));
        assert.equal(fitsSpec?.(changed), wellFormed(changed), JSON.stringify([name, value]));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('validateSpec', () => {
  it('never throws on arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => typeof validateSpec(json).ok === 'boolean'),
      { numRuns: 3000 },
    );
  });
});
