import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { AttentionTrace } from '../../engine/index';
import type { Program } from '../../engine/write/code/index';
import { epsilon, readNested, tiniest, type Nested } from './exact/cells';

/* What NumPy and PyTorch make of the programs of traces, beside the traces. */

export interface Answer {
  readonly error?: string;
  readonly arrays: Readonly<Record<string, Nested>>;
  readonly dtypes: Readonly<Record<string, string>>;
  readonly printed: number;
}

export function runAll(python: string, programs: readonly Program[]): Answer[] {
  const input = programs.map(({ code, variables }) => JSON.stringify({ code, variables: [...variables.values()] }));
  const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1' };
  const ran = spawnSync(python, [join(__dirname, '../reference/run_programs.py')], {
    input: `${input.join('\n')}\n`, env: environment, maxBuffer: 2 ** 28, encoding: 'utf8',
  }); // prettier-ignore
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.trim().split('\n').map((line) => JSON.parse(line) as Answer); // prettier-ignore
}

/**
 * A library sums in another order and has another exp: within 64 ε of the largest number of the step, times the largest logit,
 * since an error in a score is as large an error in the ratio of two weights.
 */
export function compareProgram(name: string, trace: AttentionTrace, program: Program, answer: Answer): number {
  assert.equal(answer.error, undefined, `${name}\n${answer.error}\n${program.code}`);
  const { dtype } = trace.spec;
  const logits = ['scores', 'scaled', 'biased', 'capped', 'tempered'].map((id) => largest(valuesOf(trace, id)));
  const factor = 64 * epsilon(dtype) * (1 + Math.max(...logits));
  let cells = 0;
  for (const step of trace.plan.steps) {
    const variable = program.variables.get(step.id) ?? '';
    const there = readNested(answer.arrays[variable] ?? [], dtype);
    const here = valuesOf(trace, step.id);
    if (step.kind !== 'ids') assert.deepEqual(there.shape, step.shape, `${name}, ${step.id}: shape`);
    if (step.kind !== 'ids' && step.kind !== 'mask')
      assert.equal(answer.dtypes[variable], dtype, `${name}, ${step.id}`);
    const allowed = factor * largest(here) + 64 * tiniest(dtype);
    here.forEach((x, i) => {
      const y = Number(there.values[i]);
      const agrees = Object.is(x, y) || x === y || Math.abs(x - y) <= allowed;
      assert.ok(
        agrees,
        `${name}, ${step.id}, cell ${i}: ${x}, the program has ${y} (allowed ${allowed})\n${program.code}`,
      );
    });
    cells += here.length;
  }
  return cells;
}

function valuesOf(trace: AttentionTrace, id: string): number[] {
  const step = trace.plan.steps.find((s) => s.id === id);
  if (!step) return [];
  const size = step.shape.reduce((a, b) => a * b, 1);
  return Array.from({ length: size }, (_, i) => trace.value(id, indexOf(i, step.shape)));
}

function indexOf(flat: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  for (let d = shape.length - 1, rest = flat; d >= 0; rest = Math.floor(rest / (shape[d] ?? 1)), d--)
    index.unshift(rest % (shape[d] ?? 1));
  return index;
}

const largest = (values: readonly number[]): number =>
  values.reduce((max, x) => (Number.isFinite(x) ? Math.max(max, Math.abs(x)) : max), 0);
