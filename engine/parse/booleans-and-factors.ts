import type { Candidate, ParsedMatrix } from './matrix';
import { withFactor } from './scale-factor';
import type { Scanner } from './scanner';

const booleanWords = /\b(?:True|False|true|false|TRUE|FALSE)(?:_|\b)/g;
/** `byrow = TRUE`, `nrow = 2`: arguments of R, not elements. */
const namedArguments = /(?<![\w.])[\w.]+\s*=\s*[\w.]+/g;

/** Applies a common factor that is written beside a printed matrix, and sets dtype `bool` where all elements are booleans. Booleans among numbers count as 0 and 1. */
export function withBooleansAndFactor(s: Scanner, read: Candidate): Candidate {
  const candidate = withFactor(s, read);
  const { matrix } = candidate;
  if (!matrix || matrix.dtype !== undefined || !matrix.values.every((x) => x === 0 || x === 1)) return candidate;
  const { start, end } = matrix.range;
  s.steps += end - start;
  return isBoolean(s.text.slice(start, end), matrix)
    ? { ...candidate, matrix: { ...matrix, dtype: 'bool' } }
    : candidate;
}

function isBoolean(written: string, { format, values }: ParsedMatrix): boolean {
  if (format !== 'r') return (written.match(booleanWords)?.length ?? 0) === values.length;
  const elements = written.replace(namedArguments, '');
  return elements.search(booleanWords) >= 0 && !/\d/.test(elements);
}
