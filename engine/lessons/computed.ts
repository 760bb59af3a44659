/** What code in blocks computes (`W_q = np.eye(2)`): a page has no reader of programs, so whoever sends it a lesson asks the reader first. */
import { readingComputed, specFromTextPaced, type Assembled, type NameReader } from '../parse';
import type { AttentionSpec } from '../spec';
import { fail, ok, type Paced, type Result } from '../text';
import { regionsOf } from './fences';

/** What a block's text was read as, before the settings of its opening line. */
export type BlockText = Result<{ readonly spec: AttentionSpec; readonly notes: readonly string[] }>;

/** Texts of blocks that compute something, with what they were read as. Plain data. */
export type ComputedBlocks = Readonly<Record<string, BlockText>>;

/** Whether a block's text is a spec as JSON. */
export const isJson = (body: string): boolean => /^\s*\{\s*["}]/.test(body);

/** Reads a block's text, which is no JSON. What it computes is taken from `computed`, else asked for and added to it. */
export function* readingBlockText(body: string, computed: Record<string, BlockText>): Paced<BlockText> {
  const known = Object.hasOwn(computed, body) ? computed[body] : undefined;
  if (known) return known;
  let isAnswered = false;
  const namesOf: NameReader['namesOf'] = function* (text, above) {
    const answer = yield* readingComputed(text, above);
    isAnswered = answer !== undefined;
    return answer;
  };
  // The last line break is not part of a text.
  const found = yield* specFromTextPaced(body.replace(/\r?\n$|\r$/, ''), undefined, { codeAsText: true, namesOf });
  const read = found.ok ? withoutUnknown(found.value) : found;
  if (isAnswered) computed[body] = read;
  return read;
}

/** What was read of a block, with notes on what is not used. Refused where a matrix is not known that would have a role. */
function withoutUnknown({ spec, notes, unfollowed = [] }: Assembled): BlockText {
  const unknown = unfollowed.filter(({ code }) => code === 'unknown-matrix');
  if (unknown.length) return fail(...unknown);
  return ok({ spec, notes: [...notes, ...unfollowed.map(({ message }) => message)] });
}

/** Asks the reader of programs what the blocks of a lesson compute. */
export function* readingComputedBlocks(source: string): Paced<ComputedBlocks> {
  const computed: Record<string, BlockText> = {};
  for (const region of regionsOf(source).regions) {
    if (region.kind !== 'fence' || region.language !== 'attention') continue;
    const body = source.slice(region.body.start, region.body.end);
    if (!isJson(body)) yield* readingBlockText(body, computed);
    yield;
  }
  return computed;
}
