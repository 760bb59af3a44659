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

/** Longest text in which completion and hover look: a lesson is shorter. */
const longest = 1 << 20;

/** The fence of ours around an offset. */
export function fenceAt(text: string, at: number): Fence | undefined {
  if (text.length > longest || !hasBlocks(text)) return undefined;
  return regionsOf(text).regions.find((r): r is Fence => r.kind === 'fence' && r.range.start <= at && at <= r.range.end);
} // prettier-ignore

/** What a teacher writes about: the lesson as far as it can be read, and in it the block or question of a fence. */
export interface Around {
  readonly lesson: Lesson;
  readonly block?: LessonBlock;
  readonly question?: Question;
}

export function aroundOf(text: string, { range }: Fence): Around {
  const { lesson } = lessonIn(text);
  const block = lesson.blocks.find((b) => b.range.start === range.start);
  const question = lesson.questions.find((q) => q.range.start === range.start);
  return { lesson, ...(block ? { block } : {}), ...(question ? { question } : {}) };
}

/** Ids of blocks: those before an offset come first. */
export const blockIds = ({ blocks }: Lesson, at: number): readonly string[] =>
  [...blocks.filter((b) => b.range.start < at), ...blocks.filter((b) => b.range.start >= at)].map((b) => b.id);

/** Steps of the block that a place in a question is about: the nearest `about` around it, else the block before. */
export function stepsAt({ lesson }: Around, cursor: JsonCursor, fence: Fence): readonly Step[] {
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

/** A word of a block's opening line: `step=scores`. */
export interface InfoWord {
  readonly name: string;
  /** Undefined before the equals sign. */
  readonly value: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The word that a cursor touches in the opening line; empty between words. Undefined elsewhere. */
export function infoWordAt(text: string, { info }: Fence, at: number): InfoWord | undefined {
  if (at <= info.start || at > info.end) return undefined;
  let [start, end] = [at, at];
  while (start > info.start && /\S/.test(text.charAt(start - 1))) start--;
  while (end < info.end && /\S/.test(text.charAt(end))) end++;
  const [name = '', ...value] = text.slice(start, end).split('=');
  return { name, value: value.length ? value.join('=') : undefined, start, end };
}
