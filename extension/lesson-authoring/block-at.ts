import {
  regionsOf,
  traceOfBlock,
  type Lesson,
  type LessonBlock,
  type Question,
  type Region,
  type Step,
} from '../../engine/index';
import type { Frame, JsonCursor } from './cursor';
import { hasBlocks, lessonIn } from './read';

export type Fence = Extract<Region, { kind: 'fence' }>;

/** Longest text for completions and hovers, in characters. Lessons are shorter. */
const longestText = 1 << 20;

/** The fenced block of a lesson that contains an offset. */
export function fenceAt(text: string, at: number): Fence | undefined {
  if (text.length > longestText || !hasBlocks(text)) return undefined;
  return regionsOf(text).regions.find((r): r is Fence => r.kind === 'fence' && r.range.start <= at && at <= r.range.end);
} // prettier-ignore

/** The lesson that contains a fence, as far as it can be read, and the block or question of the fence. */
export interface FenceContext {
  readonly lesson: Lesson;
  readonly block?: LessonBlock;
  readonly question?: Question;
}

export function contextOf(text: string, { range }: Fence): FenceContext {
  const { lesson } = lessonIn(text);
  const block = lesson.blocks.find((b) => b.range.start === range.start);
  const question = lesson.questions.find((q) => q.range.start === range.start);
  return { lesson, ...(block ? { block } : {}), ...(question ? { question } : {}) };
}

/** Ids of all blocks, those before an offset first. */
export const blockIds = ({ blocks }: Lesson, at: number): readonly string[] =>
  [...blocks.filter((b) => b.range.start < at), ...blocks.filter((b) => b.range.start >= at)].map((b) => b.id);

/** Steps of the block that a position in a question refers to: the block named by the innermost `about` around it, else the block before the question. */
export function stepsAt({ lesson }: FenceContext, cursor: JsonCursor, fence: Fence): readonly Step[] {
  const named = cursor.frames.map(aboutOf).findLast((id) => id !== undefined);
  const before = lesson.blocks.findLast((b) => b.range.start < fence.range.start);
  return stepsOf(named === undefined ? before : lesson.blocks.find((b) => b.id === named));
}

const aboutOf = ({ fields }: Frame): string | undefined => {
  const about = fields.get('about');
  return typeof about === 'string' ? about : undefined;
};

export function stepsOf(block: LessonBlock | undefined): readonly Step[] {
  const trace = block && traceOfBlock(block);
  return trace?.ok ? trace.value.plan.steps : [];
}

/** A word of a block's opening line, for example `step=scores`. */
export interface InfoWord {
  readonly name: string;
  /** Undefined if there is no equals sign. */
  readonly value: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The word at an offset in the opening line, which is empty between words. Undefined if the offset is elsewhere. */
export function infoWordAt(text: string, { info }: Fence, at: number): InfoWord | undefined {
  if (at <= info.start || at > info.end) return undefined;
  let [start, end] = [at, at];
  while (start > info.start && /\S/.test(text.charAt(start - 1))) start--;
  while (end < info.end && /\S/.test(text.charAt(end))) end++;
  const [name = '', ...value] = text.slice(start, end).split('=');
  return { name, value: value.length ? value.join('=') : undefined, start, end };
}
