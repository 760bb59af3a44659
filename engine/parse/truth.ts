import type { Candidate, ParsedMatrix } from './matrix';
import { withFactor } from './scale-factor';
import type { Scanner } from './scanner';

const truths = /\b(?:True|False|true|false|TRUE|FALSE)(?:_|\b)/g;
/** `byrow = TRUE`, `nrow = 2`: arguments of R, not elements. */
const named = /(?<![\w.])[\w.]+\s*=\s*[\w.]+/g;

/** The candidate with what was written beside its digits: a factor for all of them, truth values as dtype bool (beside numbers those are numbers). */
export function withTruth(s: Scanner, read: Candidate): Candidate {
  const candidate = withFactor(s, read);
  const { matrix } = candidate;
  if (!matrix || matrix.dtype !== undefined || !matrix.values.every((x) => x === 0 || x === 1)) return candidate;
  const { start, end } = matrix.range;
  s.steps += end - start;
  return isTruth(s.text.slice(start, end), matrix) ? { ...candidate, matrix: { ...matrix, dtype: 'bool' } } : candidate;
}

function isTruth(written: string, { format, values }: ParsedMatrix): boolean {
  if (format !== 'r') return (written.match(truths)?.length ?? 0) === values.length;
  const elements = written.replace(named, '');
  return elements.search(truths) >= 0 && !/\d/.test(elements);
}
