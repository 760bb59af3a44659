import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Program } from '../../engine/write/code/index';

/** Runs written programs; of each, the arrays of these steps, by the id of the step, as far as it has them. */
export function programsRun(
  python: string,
  programs: readonly Program[],
  wanted: readonly string[],
): Readonly<Record<string, unknown>>[] {
  const input = programs.map(({ code, variables }) => {
    return JSON.stringify({ code, variables: wanted.flatMap((id) => variables.get(id) ?? []) });
  });
  const ran = spawnSync(python, [join(__dirname, '../reference/run_programs.py')], {
    input: `${input.join('\n')}\n`,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1' },
    encoding: 'utf8',
  });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.trim().split('\n').map((line, i) => {
    const answer = JSON.parse(line) as { error?: string; arrays: Record<string, unknown> };
    assert.equal(answer.error, undefined, `${answer.error}\n${programs[i]?.code}`);
    const { variables } = programs[i] ?? { variables: new Map<string, string>() };
    return Object.fromEntries(wanted.map((id) => [id, answer.arrays[variables.get(id) ?? '']]));
  }); // prettier-ignore
}
