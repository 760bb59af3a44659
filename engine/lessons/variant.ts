import { t, fail, ok, type Problem, type Result } from '../text';
import { planOf } from '../plan';
import { createStream, type RandomStream } from '../random';
import { decodeNumber, type AttentionSpec, type SpecHeads, type SpecNumber } from '../spec';
import { answerOf, type Answer } from './answer';
import { withSettings, type LessonBlock } from './block';
import { asDealt, deal, isDealt, waysOf } from './deal';
import { lessonOf, type Lesson, type LessonPart } from './lesson';
import { confusionsOf } from './misconceptions';
import { statementsOf, type Question } from './question';

/** Attempts before a lesson is declared to have no variant. */
const mostTries = 50;
/** Draws that are passed over because two mistakes give one answer; if there is none without, the first is taken. */
const mostPassedOver = 12;

/**
 * The lesson with other numbers but the same blocks, shapes, decimals, zeros and questions. The same seed gives the same numbers on every
 * machine. Numbers are drawn again until every question has an answer (no ties) of the same kind (no new zeros), and, where a few draws allow it, no two
 * mistakes give one answer that do not in the lesson as it is written. Of several ways to ask a question one is dealt, and statements to choose from come in another order. Blocks with `vary=no` and given weights are not changed. A Problem for an invalid seed, or naming the question that has no answer in 50 attempts.
 */
export function variantOf(written: Lesson, seed: number): Result<Lesson> {
  const stream = createStream({ generator: 'numpy.RandomState', seed });
  if (!stream.ok) return stream;
  const lesson = withDealt(written, seed);
  const seeded = blocksThatDraw(lesson);
  const failures = new Map<string, { problem: Problem; times: number }>();
  let confused: Result<Lesson> | undefined;
  let passedOver = 0;
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const drawn = drawLesson(lesson, stream.value, seeded);
    if (!drawn.ok) return drawn;
    const problems = unsuitableQuestions(lesson, drawn.value);
    if (!problems.length && !isConfused(lesson, drawn.value)) return ok(withShuffled(drawn.value, seed));
    if (!problems.length) {
      confused ??= ok(withShuffled(drawn.value, seed));
      if (++passedOver >= mostPassedOver) return confused;
    }
    for (const problem of problems) {
      const place = String(problem.range?.start);
      failures.set(place, { problem, times: (failures.get(place)?.times ?? 0) + 1 });
    }
  }
  if (confused) return confused;
  // Ties do not occur in every draw: report the question that failed most often.
  const [worst] = [...failures.values()].sort((a, b) => b.times - a.times);
  const hint = t(
    'Its claim may hold for the written numbers alone: compare computed quantities, or write vary=no on the block.',
  );
  return fail(...(worst ? [{ ...worst.problem, hint }] : []));
}

/** The lesson with one way of each question that has several, by a stream of its own: numbers and orders are those of a lesson without. */
function withDealt(lesson: Lesson, seed: number): Lesson {
  if (!lesson.questions.some(isDealt)) return lesson;
  const stream = createStream({ generator: 'numpy.RandomState', seed: (seed + 0x9e3779b9) % 0x100000000 });
  if (!stream.ok) return lesson;
  const draw = (n: number): number => stream.value.integers(1, 0, n)[0] ?? 0;
  const parts = lesson.parts.map((part): LessonPart => {
    if (part.kind !== 'question' || !isDealt(part.question)) return part;
    return { ...part, question: asDealt(part.question, deal(part.question, draw)) };
  });
  return lessonOf(lesson.source, parts, lesson.computed);
}

/**
 * The lesson with the statements of each question in another order: a random permutation (Fisher and Yates, from the last place down) by a stream of the
 * seed's own, question by question.
 */
function withShuffled(lesson: Lesson, seed: number): Lesson {
  const stream = createStream({ generator: 'numpy.RandomState', seed });
  if (!stream.ok) return lesson;
  const shuffled = <T>(all: readonly T[]): readonly T[] => {
    const items = [...all];
    for (let i = items.length - 1; i > 0; i--) {
      const j = stream.value.integers(1, 0, i + 1)[0] ?? 0;
      [items[i], items[j]] = [items[j] as T, items[i] as T];
    }
    return items;
  };
  const parts = lesson.parts.map((part): LessonPart => {
    if (part.kind !== 'question') return part;
    const { question } = part;
    if (question.kind === 'find-wrong-step') return { ...part, question: { ...question, steps: shuffled(question.steps) } };
    const isStatements = question.kind === 'choose' && 'options' in question;
    return isStatements ? { ...part, question: { ...question, options: shuffled(question.options) } } : part;
  });
  return lessonOf(lesson.source, parts, lesson.computed);
} // prettier-ignore

/** Ids of blocks with random steps, directly or through the block they take inputs from. In others a seed would have no effect but a note. */
function blocksThatDraw({ blocks }: Lesson): ReadonlySet<string> {
  const found = new Set<string>();
  for (const block of [...blocks].reverse()) {
    const plan = planOf(block.spec);
    const draws = plan.ok && plan.value.steps.some(({ call }) => call.op === 'random');
    if (draws || found.has(block.id)) for (const id of [block.id, block.from ?? block.id]) found.add(id);
  }
  return found;
}

function drawLesson(lesson: Lesson, stream: RandomStream, seeded: ReadonlySet<string>): Result<Lesson> {
  const blocks = new Map<string, LessonBlock>();
  const parts: LessonPart[] = [];
  for (const part of lesson.parts) {
    if (part.kind !== 'block') {
      parts.push(part);
      continue;
    }
    const block = drawBlock(part.block, stream, blocks, seeded);
    if (!block.ok) return block;
    blocks.set(block.value.id, block.value);
    parts.push({ kind: 'block', block: block.value });
  }
  return ok(lessonOf(lesson.source, parts, lesson.computed));
}

function drawBlock(
  block: LessonBlock,
  stream: RandomStream,
  earlier: ReadonlyMap<string, LessonBlock>,
  seeded: ReadonlySet<string>,
): Result<LessonBlock> {
  const base = block.from === undefined ? undefined : earlier.get(block.from);
  if (!base) return ok(block.vary ? { ...block, spec: drawSpec(block.spec, stream, seeded.has(block.id)) } : block);
  const spec = withSettings(base.spec, block.settings);
  if (spec.ok) return ok({ ...block, spec: spec.value });
  return fail(...spec.problems.map((p) => ({ ...p, range: block.range })));
}

/** Varies given numbers, and the seed of random ones. */
function drawSpec(spec: AttentionSpec, stream: RandomStream, seeded: boolean): AttentionSpec {
  const { start } = spec;
  const seed = stream.integers(1, 0, 2147483647)[0] ?? 0;
  const draw = <T extends SpecHeads>(values: T): T => varyNumbers(values, stream) as T;
  const random = seeded ? { ...spec.random, seed } : spec.random;
  switch (start.from) {
    case 'x': {
      const context = start.context ? { context: draw(start.context) } : {};
      const x = draw(start.x);
      const values = start.values ? { values: draw(start.values) } : {};
      return { ...spec, random, start: { ...start, x, ...context, ...values } };
    }
    case 'qkv':
      return { ...spec, random, start: { ...start, q: draw(start.q), k: draw(start.k), ...(start.v ? { v: draw(start.v) } : {}) } };
    case 'scores':
      return { ...spec, random, start: { ...start, scores: draw(start.scores), ...(start.v ? { v: draw(start.v) } : {}) } };
    // Rows of weights sum to 1, so weights are not changed.
    case 'weights':
      return { ...spec, random, start: { ...start, v: draw(start.v) } };
    default:
      if (spec.embedding?.from !== 'given') return { ...spec, random };
      return { ...spec, random, embedding: { from: 'given', table: draw(spec.embedding.table) } };
  }
} // prettier-ignore

type Nested = SpecNumber | readonly Nested[];

/** Numbers on the same grid within the same bounds, each with as many digits as before; zeros and non-finite numbers stay. */
function varyNumbers(values: SpecHeads, stream: RandomStream): Nested {
  const flat = (values as readonly Nested[]).flat(4) as SpecNumber[];
  const numbers = flat.map(decodeNumber).filter((x) => Number.isFinite(x));
  const grid = gridOf(numbers);
  const most = Math.max(3, Math.round(numbers.reduce((a, b) => Math.max(a, Math.abs(b)), 0) / grid));
  const signed = numbers.some((x) => x < 0);
  const walk = (at: Nested): Nested => {
    if (Array.isArray(at)) return (at as readonly Nested[]).map(walk);
    if (typeof at !== 'number' || at === 0) return at;
    const [low, high] = sameDigits(Math.abs(at) / grid, most);
    const size = low + (stream.integers(1, 0, high - low + 1)[0] ?? 0);
    const sign = signed && stream.integers(1, 0, 2)[0] === 0 ? -1 : 1;
    return Number((sign * size * grid).toFixed(6));
  };
  return walk(values as Nested);
}

/** The smallest and largest multiple of the grid with as many digits as `size`: 1 to 9, 10 to 99, at most `most`. */
function sameDigits(size: number, most: number): [low: number, high: number] {
  const digits = String(Math.max(1, Math.round(size))).length;
  const low = Number(`1e${digits - 1}`);
  return [low, Math.min(low * 10 - 1, most)];
}

/** The coarsest grid that contains all of the numbers; 0.01 if none does. */
function gridOf(numbers: readonly number[]): number {
  const grids = [1, 0.5, 0.25, 0.2, 0.1, 0.05, 0.01, 0.001];
  return grids.find((g) => numbers.every((x) => Math.abs(x / g - Math.round(x / g)) < 1e-6)) ?? 0.01;
}

/** Why a variant is unsuitable: a question has no answer, or one of another shape. */
function unsuitableQuestions(lesson: Lesson, variant: Lesson): readonly Problem[] {
  return lesson.questions.flatMap((question) => {
    const [was, is] = [answerOf(question, lesson), answerOf(question, variant)];
    const at = (p: Problem): Problem => ({ ...p, message: t('{0} with other numbers: {1}', question.id, p.message), range: question.range });
    if (!is.ok) return is.problems.map(at);
    if (!was.ok || sizeOf(was.value) === sizeOf(is.value)) return [];
    return [at({ code: 'no-answer', message: t('its answer is of another kind') })];
  });
} // prettier-ignore

/** Whether two mistakes, or one and the right answer, give the same numbers, which they do not in the lesson as it is written. */
const isConfused = (lesson: Lesson, variant: Lesson): boolean =>
  lesson.questions.some((question) => {
    const known = writtenConfusions.get(question) ?? confusionsOf(question, lesson);
    writtenConfusions.set(question, known);
    return [...confusionsOf(question, variant)].some((pair) => !known.has(pair));
  });

const writtenConfusions = new WeakMap<Question, ReadonlySet<string>>();

/** What must be equal in the answers of all variants. */
function sizeOf(answer: Answer): string {
  switch (answer.kind) {
    case 'choose':
    case 'find-wrong-step':
      return String(answer.options.length);
    // As many true statements, or it is another question.
    case 'several':
      return `${answer.indices.length} of ${answer.options.length}`;
    case 'text':
      return 'text';
    case 'matrix':
      return answer.cells.map((c) => kindOf(c.value)).join();
    case 'number':
      return kindOf(answer.value);
    case 'order-steps':
      return answer.order.join();
    case 'shape':
    case 'pick-cell':
      return answer.kind;
  }
}

/** The kind of a number: a zero, an infinity or NaN would make another question. */
const kindOf = (x: number): string => (Number.isFinite(x) && x !== 0 ? 'number' : String(x));

/** All questions in order with their answers, for a key. */
export const answersOf = (lesson: Lesson): readonly { readonly question: Question; readonly answer: Result<Answer> }[] =>
  lesson.questions.map((question) => ({ question, answer: answerOf(question, lesson) })); // prettier-ignore

/** The answers of the ways and statements that a variant may have in place of the question's own. */
export function otherAnswersOf(question: Question, lesson: Lesson): readonly Answer[] {
  const dealt = waysOf(question).flatMap((way, i) => {
    const places = statementsOf(way);
    const one = (at: number, k: number): Question => asDealt(way, { way: 0, statements: places.map((_, j) => (j === at ? k + 1 : 0)) });
    return [...(i === 0 ? [] : [way]), ...places.flatMap(({ or = [] }, at) => or.map((_, k) => one(at, k)))];
  });
  const own = answerOf(question, lesson);
  const said = new Set([own.ok ? textOf(own.value) : '']);
  return dealt.flatMap((one) => {
    const answer = answerOf(one, lesson);
    if (!answer.ok || said.has(textOf(answer.value))) return [];
    said.add(textOf(answer.value));
    return [answer.value];
  });
} // prettier-ignore

/** What of an answer is said to be right. */
const textOf = (answer: Answer): string =>
  'index' in answer
    ? (answer.options[answer.index] ?? '')
    : 'indices' in answer
      ? answer.indices.map((i) => answer.options[i]).join('\0')
      : JSON.stringify(answer);
