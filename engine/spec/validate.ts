import { fail, ok, type Problem, type Result } from '../text';
import { record } from './kinds';
import { checkSpec } from './shapes';
import { withSigns } from './signs';
import { kinds, type AttentionSpec } from './spec';

const spec = record(kinds);

/**
 * Any JSON value to a spec. Every problem names the path, what was found and what was expected; unknown fields are
 * named with the nearest known one. A number −0 of a matrix is written as '-0', which JSON keeps. Never throws.
 */
export function validateSpec(json: unknown): Result<AttentionSpec> {
  const problems: Problem[] = [];
  spec.check(json, '', problems);
  if (problems.length) return fail(...problems);
  const found = json as AttentionSpec;
  const unfit = checkSpec(found);
  return unfit.length ? fail(...unfit) : ok(withSigns(found));
}
