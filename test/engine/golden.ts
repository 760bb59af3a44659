import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  matrixDefaults,
  planOf,
  programOf,
  runReference,
  sourceValues,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';
import { run } from './specs';

/* Cases that a program of test/reference has printed: a spec, and every partial that the program computed without the engine. */

export type Nested = number | readonly Nested[];
export interface GoldenCase {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, Nested>>;
}

export const specOf = ({ spec }: GoldenCase): AttentionSpec => ({ ...matrixDefaults, ...spec });

/** The same trace, in which nothing that is computed is held. */
export function unheld(spec: AttentionSpec): AttentionTrace {
  const planned = planOf(spec);
  assert.ok(planned.ok);
  const sources = sourceValues(spec, planned.value);
  const deferred = new Set(planned.value.steps.map(({ id }) => id).filter((id) => !sources.has(id)));
  const computed = runReference(spec, planned.value, undefined, deferred);
  assert.ok(computed.ok);
  return computed.value;
}

/** That every partial is the program's, up to `most`. */
export function assertGolden(trace: AttentionTrace, { steps }: GoldenCase, most: number): void {
  for (const [id, expected] of Object.entries(steps)) near((at) => trace.value(id, at), expected, most, id, []);
}

function near(
  found: (index: readonly number[]) => number,
  expected: Nested,
  most: number,
  what: string,
  at: readonly number[],
): void {
  if (typeof expected !== 'number') expected.forEach((one, i) => near(found, one, most, what, [...at, i]));
  else assert.ok(Math.abs(found(at) - expected) <= most, `${what}[${at.join()}]: ${found(at)}, the program has ${expected}`);
} // prettier-ignore

const checks = `import json, sys, contextlib, io
import numpy
for one in json.load(sys.stdin):
    room = {}
    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)
    for name, values in one["steps"].items():
        found = numpy.asarray(room[name]).astype(float)
        numpy.testing.assert_allclose(found, numpy.asarray(values, dtype=float), rtol=0, atol=one["atol"], err_msg=name + "\\n" + one["code"])
print("same")`;

/** Runs what is exported of each case, and compares every partial that has a variable of its own. */
export function assertExported(
  cases: readonly GoldenCase[],
  library: 'numpy' | 'torch',
  python: string,
  most: (one: GoldenCase) => number,
): void {
  const programs = cases.map((one) => {
    const spec = specOf(one);
    const { code, variables } = programOf(spec, run(spec).plan, library);
    const steps = Object.fromEntries(Object.entries(one.steps).map(([id, values]) => [variables.get(id) ?? id, values]));
    return { code, steps, atol: most(one) };
  }); // prettier-ignore
  const said = execFileSync(python, ['-c', checks], { input: JSON.stringify(programs), encoding: 'utf8' });
  assert.equal(said.trim(), 'same', library);
}
