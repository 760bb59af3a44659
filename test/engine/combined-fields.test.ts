import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { matrixDefaults, programOf, type AttentionSpec, type AttentionTrace } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { compareProgram, runAll } from './program-answers';
import { run } from './specs';

/*
 * Fields together, as models have them together: test/reference/combined_fields.py makes every cell by loops over numbers from papers and published
 * sources and knows nothing of the engine. YaRN with grouped heads and a cache, ALiBi with a window and filling on the left, two layers with RMSNorm and SwiGLU.
 */

interface Case {
  readonly name: string;
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, readonly (number | string)[]>>;
}

const file = join(__dirname, '../fixtures/attention/combined-fields.json.gz');
const { cases } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as { cases: readonly Case[] };
const specOf = ({ spec }: Case, dtype: AttentionSpec['dtype'] = 'float64'): AttentionSpec => ({ ...matrixDefaults, ...spec, dtype }); // prettier-ignore

const cellsOf = (trace: AttentionTrace, id: string): readonly number[] => {
  const { shape } = trace.plan.steps.find((step) => step.id === id) ?? {};
  assert.ok(shape, `no step ${id}: ${trace.plan.steps.map((step) => step.id).join(' ')}`);
  const size = shape.reduce((a, b) => a * b, 1);
  return Array.from({ length: size }, (_, at) => {
    const index = shape.map((__, d) => Math.floor(at / shape.slice(d + 1).reduce((a, b) => a * b, 1)) % (shape[d] ?? 1));
    return trace.value(id, index);
  });
}; // prettier-ignore

/** The step of the plan that the program's name means: `last` is what comes out, a step that this plan leaves out is the one before it. */
function idOf({ plan }: AttentionTrace, name: string): string {
  const has = (id: string): boolean => plan.steps.some((step) => step.id === id);
  if (name === 'last') return plan.steps.filter(({ id }) => id !== 'averagedWeights').at(-1)?.id ?? '';
  const before: Record<string, readonly string[]> = {
    headOutputs: ['headOutputs', 'attended', 'output'],
    masked: ['masked', 'tempered', 'capped', 'related', 'biased', 'scaled', 'scores'],
  };
  return before[name]?.find(has) ?? name;
}

/** Both sum in float64: a few dozen roundings of numbers as large as the step's largest. */
function compare(trace: AttentionTrace, one: Case, epsilon: number): number {
  let cells = 0;
  const sizes = Object.values(one.steps).flat().filter((x) => typeof x === 'number').map(Math.abs); // prettier-ignore
  const largest = Math.max(1, ...sizes.filter((x) => x < 9000));
  for (const [name, numbers] of Object.entries(one.steps)) {
    const found = cellsOf(trace, idOf(trace, name));
    assert.equal(found.length, numbers.length, `${one.name}, ${name}: cells`);
    numbers.forEach((wanted, i) => {
      const [x, y] = [found[i] ?? 0, wanted === 'inf' ? Infinity : wanted === '-inf' ? -Infinity : Number(wanted)];
      const close = Object.is(x, y) || x === y || Math.abs(x - y) <= epsilon * largest * Math.max(1, Math.abs(y));
      assert.ok(close, `${one.name}, ${name}, cell ${i}: ${x}, the program has ${y}\n${JSON.stringify(one.spec)}`);
    });
    cells += numbers.length;
  }
  return cells;
}

describe('fields together', () => {
  for (const one of cases)
    it(`has the program's numbers in every step: ${one.name}`, () => {
      const trace = run(specOf(one));
      assert.deepEqual(trace.plan.notes.filter(({ code }) => code === 'ignored'), []); // prettier-ignore
      compare(trace, one, 512 * 2 ** -52);
    });

  for (const library of ['numpy', 'torch'] as const)
    for (const dtype of ['float64', 'float32'] as const)
      it(`${library} makes the same numbers by the code of each: ${dtype}`, function () {
        this.timeout(180_000);
        const python = pythonOrSkip(this, library);
        const traces = cases.map((one) => run(specOf(one, dtype)));
        const programs = traces.map(({ spec, plan }) => programOf(spec, plan, library));
        let cells = 0;
        runAll(python, programs).forEach((answer, i) => {
          const [one, trace, program] = [cases[i], traces[i], programs[i]];
          assert.ok(one && trace && program);
          cells += compareProgram(one.name, trace, program, answer);
        });
        assert.ok(cells > 10_000, `${cells} cells`);
      });
});
