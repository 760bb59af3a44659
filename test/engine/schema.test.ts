import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { fieldNames, schemaFiles, traceToJson, validateSpec, type AttentionSpec } from '../../engine/index';
import { run, sentence, spec000, spec001, spec004 } from './specs';

const schema = (name: string): object =>
  JSON.parse(readFileSync(join(__dirname, '../../extension/schemas', name), 'utf8')) as object;
const variants = join(__dirname, '../fixtures/attention/variants.json.gz');
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
  it('of specs and lesson blocks are what the fields declare: npm run build writes them', () => {
    for (const [name, made] of Object.entries(schemaFiles())) {
      const shipped = readFileSync(join(__dirname, '../../extension/schemas', name), 'utf8');
      assert.equal(shipped, `${JSON.stringify(made, null, 2)}\n`, name);
    }
  });

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
  const field = fc.constantFrom(...fieldNames, 'scal', '__proto__');

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

describe('published schemas of a text and a seed', () => {
  const number = fc.constantFrom<unknown>(0, 3, 3.5, -1, 'x', null);
  const piece = fc
    .tuple(
      number,
      fc.constantFrom<unknown>(0, 1, '0'),
      fc.constant(2),
      fc.constantFrom<unknown>('##x', 4),
      fc.constantFrom<unknown>(true, false),
    )
    .chain((all) => fc.integer({ min: 2, max: 5 }).map((length) => all.slice(0, length)));
  const pieces = fc.oneof(
    fc.array(fc.oneof(piece, fc.constantFrom([1, 0, 1], [1, 0, 1, 'x'], [1, 0, 1, 'x', true])), { maxLength: 3 }),
    fc.constantFrom<unknown>(null, 'x', {}, [[1, 0, 1, 'x', true, 1]]),
  );
  const tokenizer = fc.constantFrom<unknown>('words', 'gpt2', 'o200k_base', 'gpt3', { file: 'a.json' }, { file: 3 }, { path: 'a' }, null, undefined); // prettier-ignore
  const start = fc.record({ from: fc.constant('text'), text: fc.constantFrom<unknown>('ab', 7), tokenizer, pieces }, { requiredKeys: ['from'] }); // prettier-ignore
  const seed = fc.constantFrom<unknown>(0, 1.5, -1, '12', '-12', '', '1e3', '12n', null, [1], '9'.repeat(1000), '9'.repeat(1001)); // prettier-ignore

  it('agree with the validator on every kind of text, piece and seed', () => {
    const found = new Set<boolean>();
    fc.assert(
      fc.property(start, seed, (from, n) => {
        const json: unknown = JSON.parse(JSON.stringify({ ...sentence, start: from, random: { ...sentence.random, seed: n } })); // prettier-ignore
        const fits = fitsSpec?.(json) === true;
        assert.equal(fits, wellFormed(json), JSON.stringify([from, n]));
        found.add(fits);
      }),
      { numRuns: 4000 },
    );
    assert.equal(found.size, 2);
  });

  it('accept the specs of the reference program that have pieces, and their traces', () => {
    const { specs } = JSON.parse(gunzipSync(readFileSync(variants)).toString('utf8')) as { specs: { spec: AttentionSpec }[] }; // prettier-ignore
    const withPieces = specs.map(({ spec }) => spec).filter(({ start }) => 'pieces' in start);
    assert.ok(withPieces.length >= 16);
    for (const spec of withPieces) {
      assert.ok(fitsSpec?.(spec), JSON.stringify(fitsSpec?.errors));
      const trace = run({ ...spec, labels: { queries: ['x'] } });
      assert.ok(fitsTrace(JSON.parse(JSON.stringify(traceToJson(trace)))), JSON.stringify(fitsTrace.errors));
      assert.ok(traceToJson(trace).notes.some(({ path }) => path === 'labels'));
    }
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
