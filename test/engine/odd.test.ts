import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { validateSpec, valuesOf, type AttentionSpec, type AttentionTrace } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { epsilon, readNested, tiniest, type Nested } from './exact/cells';
import { run } from './specs';

interface Golden {
  readonly spec: AttentionSpec;
  readonly steps: Readonly<Record<string, Nested>>;
}

const program = join(__dirname, '../reference/attention_odd.py');
const read = (lines: string): Golden[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Golden);
const committed = gunzipSync(readFileSync(join(__dirname, '../fixtures/attention/odd.json.gz'))).toString('utf8');
const goldens = read(committed);

const largest = (values: readonly number[]): number =>
  values.reduce((most, x) => (Math.abs(x) < 1e30 ? Math.max(most, Math.abs(x)) : most), 0);

function cellsOf(trace: AttentionTrace, id: string): readonly number[] {
  const step = trace.plan.steps.find((s) => s.id === id);
  return step ? Array.from(valuesOf(trace, step)) : [];
}

/**
 * From end to end, so that errors of early steps are carried on: within 64 ε of the largest number of the step, times the largest logit,
 * since an error in a score is as large an error in the ratio of two weights.
 */
function assertStep(trace: AttentionTrace, id: string, golden: Nested): number {
  const { dtype } = trace.spec;
  const there = readNested(golden, dtype);
  const here = cellsOf(trace, id);
  assert.deepEqual(trace.plan.steps.find((s) => s.id === id)?.shape, there.shape, `shape of ${id}`);
  const logits = ['scores', 'scaled', 'biased'].map((step) => largest(cellsOf(trace, step)));
  const allowed = 64 * epsilon(dtype) * (1 + Math.max(...logits)) * largest(here) + 64 * tiniest(dtype);
  here.forEach((x, i) => {
    const y = there.values[i] ?? NaN;
    const agrees = Object.is(x, y) || x === y || Math.abs(x - y) <= allowed;
    assert.ok(agrees, `${id}, cell ${i}: ${x}, NumPy ${y} (allowed ${allowed})`);
  });
  return here.length;
}

describe('odd combinations, against a second NumPy program', () => {
  it('have batches, masks of every rank, shared heads with rotations, and draws of every generator', () => {
    const has = (test: (spec: AttentionSpec) => boolean): number => goldens.filter(({ spec }) => test(spec)).length;
    const rank = (nested: unknown): number => (Array.isArray(nested) ? 1 + rank(nested[0]) : 0);
    const maskRank = ({ mask }: AttentionSpec): number =>
      typeof mask === 'object' && 'values' in mask ? rank(mask.values) : 0;
    const shares = ({ heads, kvHeads = heads }: AttentionSpec): boolean => kvHeads < heads;
    const counts = [
      has(({ start }) => start.from === 'x' && rank(start.x) === 3),
      has(({ start }) => start.from === 'x' && start.context !== undefined),
      ...[2, 3, 4].map((r) => has((spec) => maskRank(spec) === r)),
      has((spec) => shares(spec) && String(spec.positions).startsWith('rope')),
      has((spec) => shares(spec) && spec.positions === 'alibi'),
      has(({ random, projections }) => random.generator === 'torch' && projections.from === 'random'),
      has(({ random, projections }) => typeof random.seed === 'string' && projections.from === 'random'),
    ];
    assert.ok(Math.min(...counts) >= 3, counts.join(', '));
  });

  it('give the same numbers', () => {
    let cells = 0;
    goldens.forEach(({ spec, steps }, i) => {
      const valid = validateSpec(spec);
      assert.ok(valid.ok, `spec ${i}: ${JSON.stringify(valid)}`);
      const trace = run(valid.value);
      for (const [id, golden] of Object.entries(steps)) {
        try {
          cells += assertStep(trace, id, golden);
        } catch (error) {
          throw new Error(`spec ${i}: ${String(error)}\n${JSON.stringify(spec)}`);
        }
      }
    });
    assert.ok(cells > 20_000, `${cells} cells`);
  });

  it('are what the program still makes', function () {
    this.timeout(60_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1' };
    const printed = execFileSync(python, [program, '--first', '40'], { env: environment, maxBuffer: 2 ** 28 });
    const live = read(printed.toString('utf8'));
    assert.equal(live.length, 40);
    live.forEach((golden, i) => {
      assert.deepEqual(golden.spec, goldens[i]?.spec);
      const trace = run(golden.spec);
      for (const [id, values] of Object.entries(golden.steps)) assertStep(trace, id, values);
    });
  });
});
