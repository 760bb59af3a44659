import assert from 'node:assert/strict';
import { explainCell, programOf, type AttentionTrace } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { thorough } from '../host/thorough';
import { coveredFields, coveringSpecs, pairOf, pairsOf, searchSpecs } from './covering-specs';
import { unheld } from './golden';
import { compareProgram, runAll } from './program-answers';
import { run } from './specs';

/*
 * Every field of a spec beside every other, in few specs (covering-specs.ts): what holds of all specs is tried on these, here and in the plans that GPU and
 * WebAssembly are tried with. A field that is new is in none of them, which fails here until `npx tsx test/engine/covering-write.ts` has written them anew.
 */

/** Pairs that do not go together: refused in words, or said to change nothing. */
const apart: readonly string[] = [
  'differential + headChanges',
  'differential + weighting',
  'embedding + labels',
  'scale + scoring',
  'sink + weighting',
  'weightsDividedIn + weightsTimes',
];

/** Numbers of all steps, with their places. */
function* cellsOf({ plan }: AttentionTrace): Generator<readonly [id: string, index: readonly number[]]> {
  for (const { id, shape } of plan.steps) {
    const count = shape.reduce((product, size) => product * size, 1);
    for (let i = 0; i < count; i++) {
      const index: number[] = [];
      for (let d = shape.length - 1, rest = i; d >= 0; rest = Math.floor(rest / (shape[d] ?? 1)), d--) index.unshift(rest % (shape[d] ?? 1));
      yield [id, index];
    }
  }
} // prettier-ignore

describe('specs in which every field stands beside every other', () => {
  const seen = new Set(coveringSpecs.flatMap(({ fields }) => pairsOf(fields)));

  it('have every field', () => {
    const active = new Set(coveringSpecs.flatMap(({ fields }) => fields));
    const missing = coveredFields.filter((name) => !active.has(name));
    assert.deepEqual(missing, [], 'npx tsx test/engine/covering-write.ts writes the specs anew');
  });

  it('have every pair of fields that go together', () => {
    const missing = pairsOf(coveredFields).filter((pair) => !seen.has(pair));
    assert.deepEqual(missing.sort(), [...apart].sort(), 'npx tsx test/engine/covering-write.ts writes the specs anew');
    console.log(`      ${coveringSpecs.length} specs, ${seen.size} pairs of ${coveredFields.length} fields`);
  });

  if (thorough)
    it('are as many as a search finds, and no pair that it finds is said to be apart', function () {
      this.timeout(300_000);
      assert.deepEqual([...searchSpecs().apart].sort(), apart);
    });

  it('names fields that there are', () => {
    for (const pair of apart) {
      const [a = '', b = ''] = pair.split(' + ');
      assert.equal(pairOf(a, b), pair);
      assert.ok([a, b].every((name) => (coveredFields as readonly string[]).includes(name)), pair);
    }
  });

  for (const { name, spec } of coveringSpecs)
    it(`${name}: the same bits where nothing is held, and each cell is explained by its own value`, () => {
      const [trace, parts] = [run(spec), unheld(spec)];
      for (const [id, index] of cellsOf(trace)) {
        const value = trace.value(id, index);
        assert.ok(Object.is(parts.value(id, index), value), `${id}[${index.join()}]: ${parts.value(id, index)}, held ${value}`);
        assert.ok(Object.is(explainCell(trace, id, index).value, value), `${id}[${index.join()}] is explained as another number`);
      }
    });

  for (const library of ['numpy', 'torch'] as const)
    it(`${library} makes the same numbers of them`, function () {
      this.timeout(120_000);
      const python = pythonOrSkip(this, library);
      const traces = coveringSpecs.map(({ spec }) => run(spec));
      const programs = traces.map(({ spec, plan }) => programOf(spec, plan, library));
      runAll(python, programs).forEach((answer, i) => {
        const [trace, program] = [traces[i], programs[i]];
        assert.ok(trace && program && answer, `${i}: no answer`);
        compareProgram(coveringSpecs[i]?.name ?? '', trace, program, answer);
      });
    });
}); // prettier-ignore
