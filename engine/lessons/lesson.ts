import { ok, type Problem, type Result, type TextRange } from '../problems';
import { answerOf, traceOfBlock, type Answer } from './answer';
import { readBlock, type LessonBlock } from './block';
import { regionsOf, type Region } from './fences';
import { fillIn } from './fill';
import { readJson } from './json';
import { locatedIn, readQuestion, type Question } from './question';
import { indexIn, stepNamed } from './quantity';

/** A lesson in the order of its Markdown. Prose is text: whoever shows it renders or escapes it. */
export type LessonPart =
  | { readonly kind: 'prose'; readonly text: string; readonly range: TextRange }
  | { readonly kind: 'block'; readonly block: LessonBlock }
  | { readonly kind: 'question'; readonly question: Question };

export interface Lesson {
  /** The first heading, or the first line. */
  readonly title: string;
  readonly source: string;
  readonly parts: readonly LessonPart[];
  readonly blocks: readonly LessonBlock[];
  readonly questions: readonly Question[];
}

export interface ReadLesson {
  /** All that could be read. */
  readonly lesson: Lesson;
  /** In the order of the text. */
  readonly problems: readonly Problem[];
}

/** Longest lesson, in UTF-16 units. */
export const lessonLimit = 1 << 20;
/** Problems beyond these are counted. */
const mostProblems = 100;

/**
 * Reads a lesson and computes the answer of every question. Every problem has a range in the text. Reading is linear in the text and
 * never throws.
 */
export function readLesson(source: string): ReadLesson {
  if (source.length > lessonLimit) return tooLong(source);
  const { regions, problems: found } = regionsOf(source);
  const problems = [...found];
  const parts: LessonPart[] = [];
  const blocks = new Map<string, LessonBlock>();
  const ids = new Set<string>();
  for (const region of regions) {
    const part = readRegion(source, region, blocks, ids);
    if (part.ok) parts.push(part.value);
    else problems.push(...part.problems.map((p) => ({ ...p, range: p.range ?? region.range })));
    if (part.ok && part.value.kind === 'block') blocks.set(part.value.block.id, part.value.block);
  }
  const lesson = lessonOf(source, parts);
  problems.push(...checkLesson(lesson));
  problems.sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));
  return { lesson, problems: capped(problems) };
}

function capped(problems: readonly Problem[]): readonly Problem[] {
  const last = problems[mostProblems];
  if (!last) return problems;
  const message = `${problems.length - mostProblems} more problems`;
  return [...problems.slice(0, mostProblems), { code: 'more', message, ...(last.range ? { range: last.range } : {}) }];
}

function tooLong(source: string): ReadLesson {
  const problem: Problem = {
    code: 'too-large',
    message: `the lesson has ${source.length} characters, the limit is ${lessonLimit}`,
    hint: 'Split it into several lessons.',
    range: { start: lessonLimit, end: lessonLimit + 1 },
  };
  return { lesson: lessonOf('', []), problems: [problem] };
}

/** A lesson of these parts. */
export function lessonOf(source: string, parts: readonly LessonPart[]): Lesson {
  const heading = /^ {0,3}#{1,6}[ \t]+(\S[^\r\n]*)/m.exec(source)?.[1] ?? /\S[^\r\n]*/.exec(source)?.[0] ?? '';
  const title = heading.slice(0, 200).replace(/[ \t]+#*$/, '');
  const blocks = parts.flatMap((p) => (p.kind === 'block' ? [p.block] : []));
  const questions = parts.flatMap((p) => (p.kind === 'question' ? [p.question] : []));
  return { title, source, parts, blocks, questions };
}

type Ids = Set<string>;

function readRegion(
  source: string,
  region: Region,
  blocks: ReadonlyMap<string, LessonBlock>,
  ids: Ids,
): Result<LessonPart> {
  if (region.kind === 'prose') {
    const { range } = region;
    return ok({ kind: 'prose', text: source.slice(range.start, range.end), range });
  }
  const place = { text: source, ...region };
  if (region.language === 'attention') {
    const block = readBlock(place, `block${blocks.size + 1}`, blocks);
    return block.ok ? unique(ids, block.value, { kind: 'block', block: block.value }) : block;
  }
  const number = [...ids].filter((id) => id.startsWith('?')).length + 1;
  const question = readQuestion(place, `q${number}`, [...blocks.keys()].at(-1));
  if (!question.ok) return question;
  const { id, range } = question.value;
  return unique(ids, { id: `?${id}`, range }, { kind: 'question', question: question.value });
}

/** Blocks are named apart from questions, each once. */
function unique(ids: Ids, { id, range }: { id: string; range: TextRange }, part: LessonPart): Result<LessonPart> {
  const known = ids.has(id);
  ids.add(id);
  if (!known) return ok(part);
  return {
    ok: false,
    problems: [{ code: 'duplicate', message: `the id ${id.replace('?', '')} is given twice`, range }],
  };
}

/** Blocks that do not compute, views that are absent, questions without an answer, figures in the prose that name nothing. */
function checkLesson(lesson: Lesson): Problem[] {
  return lesson.parts.flatMap((part, i) => {
    if (part.kind === 'block') return checkBlock(part.block);
    if (part.kind === 'question') return checkQuestion(part.question, lesson);
    return fillIn(part.text, lesson, blockBefore(lesson, i)).problems.map((p) => shifted(p, part.range.start));
  });
}

/** The id of the last block before a part. */
export const blockBefore = ({ parts }: Lesson, i: number): string | undefined =>
  parts.slice(0, i).flatMap((p) => (p.kind === 'block' ? [p.block.id] : [])).at(-1); // prettier-ignore

const shifted = (p: Problem, by: number): Problem =>
  p.range ? { ...p, range: { start: p.range.start + by, end: p.range.end + by } } : p;

function checkBlock(block: LessonBlock): Problem[] {
  const trace = traceOfBlock(block);
  const range = block.range;
  if (!trace.ok) return trace.problems.map((p) => ({ ...p, range }));
  const { step: id, cell } = block.view;
  const inLine = (problems: readonly Problem[]): Problem[] => problems.map((p) => ({ ...p, range: block.info }));
  if (id === undefined) return cell ? inLine([{ code: 'info', message: 'cell without step' }]) : [];
  const step = stepNamed(trace.value, id);
  if (!step.ok) return inLine(step.problems);
  const index = cell ? indexIn(step.value, cell) : ok([]);
  return index.ok ? [] : inLine(index.problems);
}

function checkQuestion(question: Question, lesson: Lesson): Problem[] {
  const answer = answerOf(question, lesson);
  const unfilled = textsOf(question, answer).flatMap((text) => fillIn(text, lesson, question.about).problems);
  const problems = [...(answer.ok ? [] : answer.problems), ...unfilled.map(({ range: _, ...p }) => p)];
  if (!problems.length) return [];
  const json = readJson(lesson.source, bodyOf(question, lesson.source));
  return problems.map((p) => (json.ok && p.path !== undefined ? locatedIn(json.value, p) : { ...p, range: question.range }));
} // prettier-ignore

/** From the line after the opening fence to before the closing one. */
function bodyOf({ range }: Question, source: string): TextRange {
  const whole = source.slice(range.start, range.end);
  return { start: range.start + whole.indexOf('{'), end: range.start + whole.lastIndexOf('}') + 1 };
}

/** All texts of a question that a reader sees. */
function textsOf(q: Question, answer: Result<Answer>): string[] {
  const options = answer.ok && 'options' in answer.value ? answer.value.options : [];
  return [q.prompt, ...(q.hints ?? []), ...(q.explanation === undefined ? [] : [q.explanation]), ...options];
}
