import { t, fail, ok, type Problem, type Result } from '../text';
import { readPositions, problemsWithRanges } from './json-positions';
import { type AttentionSpec, validateSpec } from '../spec';
import { checkSize } from './literals';

/** A spec in a text, and the view that was saved with it, which the caller interprets. */
export interface SpecText {
  readonly spec: AttentionSpec;
  readonly view?: unknown;
}

/** Fields that every spec has. */
const marks = ['version', 'dtype', 'start'].map((name) => new RegExp(`"${name}"\\s*:`));

/** Whether a text is clearly meant as a spec in JSON, valid or not. Cheap enough for any selection. */
export const looksLikeSpec = (text: string): boolean =>
  /^\uFEFF?\s*\{/.test(text) && marks.every((mark) => mark.test(text));

/**
 * Reads a spec in JSON, alone or with a view: `{ "spec": …, "view": … }`. Undefined for other texts, such as a trace. Problems of an invalid
 * spec have the range of the field.
 */
export function specFromJson(text: string): Result<SpecText> | undefined {
  if (!looksLikeSpec(text)) return undefined;
  const tooLarge = checkSize(text);
  if (tooLarge) return fail(tooLarge);
  const json = text.replace(/^\uFEFF/, ' ');
  const read = parse(json);
  if (!read.ok) return read;
  const wrapped = fieldOf(read.value, 'spec');
  const candidate = isSpecLike(wrapped) ? wrapped : read.value;
  if (!isSpecLike(candidate)) return undefined;
  const spec = validateSpec(candidate);
  if (!spec.ok) return fail(...placed(json, spec.problems, candidate === wrapped ? 'spec' : ''));
  const view = candidate === wrapped ? fieldOf(read.value, 'view') : undefined;
  return ok({ spec: spec.value, ...(view === undefined ? {} : { view }) });
}

function parse(json: string): Result<unknown> {
  try {
    return ok(JSON.parse(json) as unknown);
  } catch {
    // The message of JSON.parse has no position, or one in words that differ between engines.
    const found = readPositions(json);
    return fail('places' in found ? { code: 'json', message: t('no JSON') } : found);
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const isSpecLike = (value: unknown): boolean =>
  ['version', 'dtype', 'start'].every((name) => fieldOf(value, name) !== undefined);

/** Adds ranges in the text to problems; `within` is the path of the spec in the file. */
function placed(json: string, problems: readonly Problem[], within: string): Problem[] {
  const inFile = (path = ''): string => [within, path].filter((part) => part !== '').join('.');
  const found = problemsWithRanges(
    json,
    problems.map((problem) => ({ ...problem, path: inFile(problem.path) })),
  );
  return found.map((problem, i) => ({ ...problem, path: problems[i]?.path ?? '' }));
}
