import { t, finish, type Paced, fail, ok, type Problem, type Result, type TextRange } from '../text';
import { planOf } from '../plan';
import { fitsLesson } from './budget';
import { answerOf, traceOfBlock, tracingBlock, type Answer } from './answer';
import { fromIn, idIn, readingBlock, type LessonBlock, type Place } from './block';
import type { BlockText, ComputedBlocks } from './computed';
import { asDealt, waysOf } from './deal';
import { regionsOf, type Region } from './fences';
import { frontMatterOf } from './front-matter';
import { fillIn } from './fill';
import { readJson } from './json';
import { withRange, readQuestion, statementsOf, type Question } from './question';
import { indexIn, stepNamed } from './quantity';

/** A part of a lesson, in the order of its Markdown. Prose is raw text: whoever shows it must render or escape it. */
export type LessonPart =
  | { readonly kind: 'prose'; readonly text: string; readonly range: TextRange }
  | { readonly kind: 'block'; readonly block: LessonBlock }
  | { readonly kind: 'question'; readonly question: Question };

export interface Lesson {
  /** The first heading, or the first line. */
  readonly title: string;
  readonly source: string;
  /** Whether its front matter marks it as an exam: nothing shows what is right. */
  readonly exam: boolean;
  /** When hand-ins are late: a moment with its zone, as it is written. */
  readonly due?: string;
  /** What its blocks compute. */
  readonly computed: ComputedBlocks;
  readonly parts: readonly LessonPart[];
  readonly blocks: readonly LessonBlock[];
  readonly questions: readonly Question[];
}

export interface ReadLesson {
  /** Everything that could be read. */
  readonly lesson: Lesson;
  /** Sorted by range. */
  readonly problems: readonly Problem[];
  /** Number of characters read and numbers computed; the time is proportional to it, and it is limited. */
  readonly steps: number;
}

/** Longest lesson, in UTF-16 units. */
export const lessonLimit = 1 << 20;
/** Most blocks and questions that are read. */
export const partLimit = 1000;
/** Most characters of inputs; inputs taken over by `from=` count again. */
const inputLimit = 1 << 22;
/** `computeLimit`: most numbers and multiply-adds of all blocks; `checkLimit`: most numbers that all questions read. */
const computeLimit = 1 << 25;
const checkLimit = 1 << 28;
/** Further problems are only counted. */
const mostProblems = 100;

/**
 * Reads a lesson and computes the answer of every question. Every problem has a range in the text. Time is linear in the text and limited;
 * never throws. `computed`: what its blocks compute, as far as it is known; the reader of programs is asked for the rest, where there is one.
 */
export const readLesson = (source: string, computed?: ComputedBlocks): ReadLesson =>
  finish(readingLesson(source, computed));

/** The same as pausable work, with a pause after each block and question. */
export function* readingLesson(source: string, computed?: ComputedBlocks): Paced<ReadLesson> {
  if (source.length > lessonLimit) return tooLong(source);
  const { regions, problems: found } = regionsOf(source);
  const reader = newReader(source, [...found, ...nulsIn(source), ...frontMatterOf(source).problems], computed);
  for (const region of regions) {
    if (!(yield* takingRegion(reader, region))) break;
    if (region.kind === 'fence') yield;
  }
  const lesson = lessonOf(source, reader.parts, reader.known);
  yield* checking(reader, lesson);
  const problems = reader.problems.sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));
  return {
    lesson,
    problems: capped(problems),
    steps: source.length + reader.inputs + reader.computed + reader.checked,
  };
}

/** The parts read so far, and their cost. */
interface Reader {
  readonly source: string;
  readonly parts: LessonPart[];
  readonly problems: Problem[];
  /** What blocks compute, by their texts. */
  readonly known: Record<string, BlockText>;
  readonly blocks: Map<string, LessonBlock>;
  /** Ids and start offsets of blocks that could not be read or computed. Problems that follow from these are not reported. */
  readonly broken: Map<string, number>;
  readonly ids: Set<string>;
  /** Characters of each block's inputs, and the number of numbers it computes. */
  readonly sizes: Map<string, { readonly input: number; readonly work: number }>;
  fences: number;
  questions: number;
  last: string | undefined;
  inputs: number;
  computed: number;
  checked: number;
}

const newReader = (source: string, problems: Problem[], computed: ComputedBlocks = {}): Reader => ({
  source, problems, known: { ...computed }, parts: [], blocks: new Map(), broken: new Map(), ids: new Set(), sizes: new Map(),
  fences: 0, questions: 0, last: undefined, inputs: 0, computed: 0, checked: 0,
}); // prettier-ignore

/** Reads one region; false when a limit is reached and nothing more should be read. */
function* takingRegion(reader: Reader, region: Region): Paced<boolean> {
  if (region.kind === 'prose') {
    const { range } = region;
    reader.parts.push({ kind: 'prose', text: reader.source.slice(range.start, range.end), range });
    return true;
  }
  if (++reader.fences > partLimit) {
    const message = t('more than {0} blocks and questions: from here they are not read', partLimit);
    reader.problems.push({
      code: 'too-large',
      message,
      hint: t('Split it into several lessons.'),
      range: region.range,
    });
    return false;
  }
  const part = yield* readingFence(reader, region);
  if (part.ok) reader.parts.push(part.value);
  else reader.problems.push(...part.problems.map((p) => ({ ...p, range: p.range ?? region.range })));
  return true;
}

function* readingFence(reader: Reader, region: Extract<Region, { kind: 'fence' }>): Paced<Result<LessonPart>> {
  const place = { text: reader.source, ...region };
  if (region.language === 'attention') return yield* takingBlock(reader, place);
  const question = readQuestion(place, `q${reader.questions + 1}`, reader.last);
  if (!question.ok) return question;
  reader.questions++;
  const { id, range } = question.value;
  return unique(reader.ids, { id: `?${id}`, range }, { kind: 'question', question: question.value });
}

function* takingBlock(reader: Reader, place: Place): Paced<Result<LessonPart>> {
  const { blocks, broken, sizes, known } = reader;
  const from = fromIn(place);
  const name = `block${blocks.size + broken.size + 1}`;
  const input = place.body.end - place.body.start + (sizes.get(from ?? '')?.input ?? 0);
  reader.inputs += input;
  if (reader.inputs > inputLimit)
    return fail(
      tooMuch(t('the blocks up to here have more than {0} characters of inputs, with those of from=', inputLimit)),
    );
  const block = yield* readingBlock(place, name, blocks, known);
  if (!block.ok) {
    const follows = broken.has(from ?? '');
    reader.last = idIn(place) ?? name;
    broken.set(reader.last, place.range.start);
    return follows ? fail(...block.problems.filter((p) => p.code !== 'unknown-block')) : block;
  }
  const work = workOf(block.value);
  reader.computed += work;
  if (reader.computed > computeLimit)
    return fail(tooMuch(t('the blocks up to here have more than {0} numbers and multiply-adds', computeLimit)));
  const part = unique(reader.ids, block.value, { kind: 'block', block: block.value });
  if (!part.ok) return part;
  const { id } = block.value;
  blocks.set(id, block.value);
  sizes.set(id, { input, work });
  reader.last = id;
  return part;
}

const tooMuch = (message: string): Problem => ({
  code: 'too-large',
  message,
  hint: t('Take fewer blocks or smaller ones.'),
});

/** The cost of a block; 0 if it is refused or too large, as nothing is computed then. */
function workOf({ spec }: LessonBlock): number {
  const plan = planOf(spec);
  return plan.ok && fitsLesson(spec, plan.value) ? plan.value.multiplyAdds + plan.value.bytes / 8 : 0;
}

/** A problem for NUL characters, which Markdown does not allow (CommonMark 0.31, section 2.3 replaces them). */
function nulsIn(source: string): Problem[] {
  const first = source.indexOf('\0');
  if (first < 0) return [];
  return [{ code: 'nul', message: t('a NUL character: this is no text'), hint: t('Save the file as UTF-8.'), range: { start: first, end: first + 1 } }]; // prettier-ignore
}

function capped(problems: readonly Problem[]): readonly Problem[] {
  const last = problems[mostProblems];
  if (!last) return problems;
  const message = t('{0} more problems', problems.length - mostProblems);
  return [...problems.slice(0, mostProblems), { code: 'more', message, ...(last.range ? { range: last.range } : {}) }];
}

function tooLong(source: string): ReadLesson {
  const problem: Problem = {
    code: 'too-large',
    message: t('the lesson has {0} characters, the limit is {1}', source.length, lessonLimit),
    hint: t('Split it into several lessons.'),
    range: { start: lessonLimit, end: lessonLimit + 1 },
  };
  return { lesson: lessonOf('', [], {}), problems: [problem], steps: 0 };
}

/** Assembles a lesson from its parts. */
export function lessonOf(source: string, parts: readonly LessonPart[], computed: ComputedBlocks): Lesson {
  const { exam, due, range } = frontMatterOf(source);
  const text = source.slice(range.end);
  const heading = /^\ufeff? {0,3}#{1,6}[ \t]+(\S[^\r\n]*)/m.exec(text)?.[1] ?? /\S[^\r\n]*/.exec(text)?.[0] ?? '';
  const title = heading.slice(0, 200).replace(/[ \t]+#*$/, '');
  const blocks = parts.flatMap((p) => (p.kind === 'block' ? [p.block] : []));
  const questions = parts.flatMap((p) => (p.kind === 'question' ? [p.question] : []));
  return { title, source, exam, ...(due === undefined ? {} : { due }), computed, parts, blocks, questions };
}

/** Checks that ids are unique; blocks and questions have separate names. */
function unique(
  ids: Set<string>,
  { id, range }: { id: string; range: TextRange },
  part: LessonPart,
): Result<LessonPart> {
  const known = ids.has(id);
  ids.add(id);
  if (!known) return ok(part);
  return {
    ok: false,
    problems: [{ code: 'duplicate', message: t('the id {0} is given twice', id.replace('?', '')), range }],
  };
}

/** Checks that blocks can be computed, views exist, questions have answers, and figures in the prose refer to something. */
function* checking(reader: Reader, lesson: Lesson): Paced<void> {
  let before: string | undefined;
  const largest = Math.max(0, ...[...reader.sizes.values()].map((s) => s.work));
  for (const part of lesson.parts) {
    if (part.kind === 'block') before = part.block.id;
    if (part.kind === 'block' && !(yield* tracingBlock(part.block)).ok)
      reader.broken.set(before ?? '', part.block.range.start);
    reader.checked += costOf(part, reader, largest);
    if (reader.checked > checkLimit) {
      const message = t(
        'the questions and figures up to here look at more than {0} numbers: from here nothing is checked',
        checkLimit,
      );
      reader.problems.push({ code: 'too-large', message, range: rangeOf(part) });
      return;
    }
    if (!followsFromBroken(part, before, lesson, reader)) reader.problems.push(...checkPart(part, lesson, before));
    yield;
  }
}

/** Whether a question or a figure refers to a block that has a problem itself. */
function followsFromBroken(part: LessonPart, before: string | undefined, lesson: Lesson, { broken }: Reader): boolean {
  if (part.kind === 'block' || broken.size === 0) return false;
  const start = rangeOf(part).start;
  const place = lesson.blocks.find(({ id }) => id === before)?.range.start ?? -1;
  const hidden = [...broken.values()].some((at) => place <= at && at < start);
  const written = part.kind === 'prose' ? part.text : lesson.source.slice(start, part.question.range.end);
  const named = [...written.matchAll(/"([\w-]{1,40})"|\{\{\s*([\w-]{1,40}):/g)].some(([, a, b]) =>
    broken.has(a ?? b ?? ''),
  );
  if (part.kind === 'question') return named || broken.has(part.question.about ?? '');
  return named || (hidden && written.includes('{{'));
}

function checkPart(part: LessonPart, lesson: Lesson, before: string | undefined): Problem[] {
  if (part.kind === 'block') return checkBlock(part.block);
  if (part.kind === 'question') return checkQuestion(part.question, lesson);
  return fillIn(part.text, lesson, before).problems.map((p) => shifted(p, part.range.start));
}

const rangeOf = (part: LessonPart): TextRange =>
  part.kind === 'prose' ? part.range : part.kind === 'block' ? part.block.range : part.question.range;

/** Upper bound of the numbers that checking a part reads: each claim, and each row in a text, may read the whole block. */
function costOf(part: LessonPart, reader: Reader, largest: number): number {
  if (part.kind === 'block') return 0;
  const rows = (text: string): number => largest * (text.match(/\[\d+\]/g)?.length ?? 0);
  if (part.kind === 'prose') return rows(part.text);
  const { question, question: { range } } = part;
  const statements = waysOf(question).reduce((sum, way) => sum + statementsTried(way), 0);
  return statements * largest + rows(reader.source.slice(range.start, range.end));
} // prettier-ignore

/** How many statements checking a way decides: all of them once for each that may stand in place of another. */
const statementsTried = (way: Question): number => {
  const all = statementsOf(way);
  return Math.max(1, all.length) * (1 + all.reduce((sum, { or }) => sum + (or?.length ?? 0), 0));
};

/** The id of the last block before part `i`. */
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
  if (id === undefined) return cell ? inLine([{ code: 'info', message: t('cell without step') }]) : [];
  const step = stepNamed(trace.value, id);
  if (!step.ok) return inLine(step.problems);
  const index = cell ? indexIn(step.value, cell) : ok([]);
  return index.ok ? [] : inLine(index.problems);
}

function checkQuestion(question: Question, lesson: Lesson): Problem[] {
  const problems = waysOf(question).flatMap((way, i) => checkWay(way, lesson, i === 0 ? undefined : { at: i - 1, own: question.or?.[i - 1] ?? {} }));
  if (!problems.length) return [];
  const json = readJson(lesson.source, bodyOf(question, lesson.source));
  return problems.map((p) => (json.ok && p.path !== undefined ? withRange(json.value, p) : { ...p, range: question.range }));
} // prettier-ignore

/** Problems of one way to ask a question, with paths in the question's JSON. `other`: which of `or` it is, and what that has. */
function checkWay(way: Question, lesson: Lesson, other?: { readonly at: number; readonly own: object }): Problem[] {
  const answer = answerOf(way, lesson);
  const unfilled = textsOf(way, answer).flatMap((text) => fillIn(text, lesson, way.about).problems);
  const found = [...(answer.ok ? checkStatements(way, answer.value, lesson) : answer.problems), ...unfilled.map(({ range: _, ...p }) => p)];
  if (!other) return found;
  const isOwn = (path: string): boolean => Object.hasOwn(other.own, /^\w+/.exec(path)?.[0] ?? '');
  return found.map((p) => ({ ...p, path: p.path !== undefined && isOwn(p.path) ? `or[${other.at}].${p.path}` : `or[${other.at}]` }));
} // prettier-ignore

/** Problems of the statements that a variant may have in place of others: each has to be true where that one is. */
function checkStatements(way: Question, answer: Answer, lesson: Lesson): Problem[] {
  const field = way.kind === 'find-wrong-step' ? 'steps' : 'options';
  const rightIn = (one: Answer): string => ('indices' in one ? one.indices.join() : 'index' in one ? String(one.index) : '');
  return statementsOf(way).flatMap(({ or = [] }, place) =>
    or.flatMap((_, i): Problem[] => {
      const one = asDealt(way, { way: 0, statements: statementsOf(way).map((__, at) => (at === place ? i + 1 : 0)) });
      const is = answerOf(one, lesson);
      const path = `${field}[${place}].or[${i}]`;
      const unfilled = textsOf(one, is).flatMap((text) => fillIn(text, lesson, way.about).problems).map((p) => ({ ...p, path }));
      if (is.ok && rightIn(is.value) === rightIn(answer)) return unfilled;
      const message = t('it is not true where the statement that it stands for is, or it cannot be decided');
      return [{ code: 'no-answer', message, path }, ...unfilled];
    }),
  );
} // prettier-ignore

/** The range between the line of the opening fence and the closing fence. */
function bodyOf({ range }: Question, source: string): TextRange {
  const whole = source.slice(range.start, range.end);
  return { start: range.start + whole.indexOf('{'), end: range.start + whole.lastIndexOf('}') + 1 };
}

/** All texts of a question that a reader can see. */
function textsOf(q: Question, answer: Result<Answer>): string[] {
  const options = answer.ok && 'options' in answer.value ? answer.value.options : [];
  return [q.prompt, ...(q.hints ?? []), ...(q.explanation === undefined ? [] : [q.explanation]), ...options];
}
