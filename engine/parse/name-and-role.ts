import type { TextRange } from '../text';
import type { Candidate, ParsedMatrix } from './matrix';
import type { Before } from './name-before';

/** The fields that a name determines, of a matrix and of its candidate; `range` is the literal's. */
export interface NameAndRole {
  readonly matrixPart: Pick<ParsedMatrix, 'name' | 'nameRange' | 'role' | 'index'>;
  readonly candidatePart: Pick<Candidate, 'name' | 'role' | 'whole'>;
}

export function nameAndRole(range: TextRange, before?: Before): NameAndRole {
  const name = before?.name === undefined ? {} : { name: before.name };
  const role = before?.role === undefined ? {} : { role: before.role };
  const nameRange = before?.range === undefined ? {} : { nameRange: before.range };
  const index = before?.index === undefined ? {} : { index: before.index };
  const whole = { start: before?.range?.start ?? range.start, end: range.end };
  return { matrixPart: { ...name, ...nameRange, ...role, ...index }, candidatePart: { ...name, ...role, whole } };
}
