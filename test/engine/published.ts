// Published mistakes as PyTorch code (test/reference/published.py), and what the check says of them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkResult, type Checked } from '../../engine/diagnose';
import { finish, type AttentionSpec, type SpecMatrix } from '../../engine/index';
import { namesIn, roundedTo, rowsOf, traceOf } from './planted';

export interface Published {
  readonly source: string;
  /** What the code did. */
  readonly was: string;
  /** The attention that was meant. */
  readonly spec: AttentionSpec;
  readonly rows: SpecMatrix;
  readonly digits: number;
}

export function publishedMistakes(python: string): readonly Published[] {
  const { stdout, stderr, status } = spawnSync(python, [join('test', 'reference', 'published.py')], { encoding: 'utf8', maxBuffer: 1 << 26 }); // prettier-ignore
  if (status !== 0) throw new Error(stderr);
  return stdout.trim().split('\n').map((line) => JSON.parse(line) as Published); // prettier-ignore
}

export function saidOfPublished({ spec, rows, digits }: Published): { readonly checked: Checked; readonly names: readonly string[] } {
  const answer = finish(checkResult(traceOf({ spec, planted: [] }), { rows: roundedTo(rowsOf(rows), digits), digits }));
  if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
  return { checked: answer.value, names: namesIn(answer.value) };
} // prettier-ignore
