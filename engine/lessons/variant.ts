import { t, fail, ok, type Problem, type Result } from '../text';
import { planOf } from '../plan';
import { createStream, type RandomStream } from '../random';
import { decodeNumber, type AttentionSpec, type SpecHeads, type SpecNumber } from '../spec';
import { answerOf, type Answer } from './answer';
import { withSettings, type LessonBlock } from './block';
import { lessonOf, type Lesson, type LessonPart } from './lesson';
import type { Question } from './question';

/** Draws before a lesson is said to have no variant. */
const mostTries = 50;

/**
 * The lesson with other numbers: the same blocks, shapes, grids of decimals, zeros and questions. The same seed gives the same numbers on
 * every machine. What is drawn is drawn again until every question has an answer (no ties) of the same kind (no zero where there was none). Blocks with `vary=no` and given weights stay.
 * A Problem when the seed is none, or names the question that has no answer in 50 draws.
 */
export function variantOf(lesson: Lesson, seed: number): Result<Lesson> {
  const stream = createStream({ generator: 'numpy.RandomState', seed });
  if (!stream.ok) return stream;
  const seeded = blocksThatDraw(lesson);
  const failures = new Map<string, { problem: Problem; times: number }>();
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const drawn = drawLesson(lesson, stream.value, seeded);
    if (!drawn.ok) return drawn;
    const problems = unlike(lesson, drawn.value);
    if (!problems.length) return drawn;
    for (const problem of problems) {
      const place = String(problem.range?.start);
      failures.set(place, { problem, times: (failures.get(place)?.times ?? 0) + 1 });
    }
  }
  // A tie is drawn away sooner or later: the question that failed most often is the one that stands in the way.
  const [worst] = [...failures.values()].sort((a, b) => b.times - a.times);
  const hint = t(
    'Its claim may hold for the written numbers alone: compare computed quantities, or write vary=no on the block.',
  );
  return fail(...(worst ? [{ ...worst.problem, hint }] : []));
}

/** Blocks of which something is drawn at random, or of a block that takes its inputs from them. Elsewhere a seed would change nothing but be named as ignored. */
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
  return ok(lessonOf(lesson.source, parts));
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

/** Other numbers for what is given, and another seed for what is drawn. */
function drawSpec(spec: AttentionSpec, stream: RandomStream, seeded: boolean): AttentionSpec {
  const { start } = spec;
  const seed = stream.integers(1, 0, 2147483647)[0] ?? 0;
  const draw = <T extends SpecHeads>(values: T): T => drawLike(values, stream) as T;
  const random = seeded ? { ...spec.random, seed } : spec.random;
  switch (start.from) {
    case 'x': {
      const context = start.context ? { context: draw(start.context) } : {};
      return { ...spec, random, start: { ...start, x: draw(start.x), ...context } };
    }
    case 'qkv':
      return { ...spec, random, start: { ...start, q: draw(start.q), k: draw(start.k), ...(start.v ? { v: draw(start.v) } : {}) } };
    case 'scores':
      return { ...spec, random, start: { ...start, scores: draw(start.scores), ...(start.v ? { v: draw(start.v) } : {}) } };
    // Weights sum to 1 in each row: they stay.
    case 'weights':
      return { ...spec, random, start: { ...start, v: draw(start.v) } };
    default:
      if (spec.embedding?.from !== 'given') return { ...spec, random };
      return { ...spec, random, embedding: { from: 'given', table: draw(spec.embedding.table) } };
  }
} // prettier-ignore

type Nested = SpecNumber | readonly Nested[];

/** Numbers on the same grid, in the same bounds, each with as many digits as before; zeros stay, and so does what is not finite. */
function drawLike(values: SpecHeads, stream: RandomStream): Nested {
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

/** The first and the last whole number that has as many digits as a size in steps of the grid: 1 to 9, 10 to 99, at most the bound. */
function sameDigits(size: number, most: number): [low: number, high: number] {
  const digits = String(Math.max(1, Math.round(size))).length;
  const low = Number(`1e${digits - 1}`);
  return [low, Math.min(low * 10 - 1, most)];
}

/** The coarsest grid that has all of the numbers; 0.01 when none has. */
function gridOf(numbers: readonly number[]): number {
  const grids = [1, 0.5, 0.25, 0.2, 0.1, 0.05, 0.01, 0.001];
  return grids.find((g) => numbers.every((x) => Math.abs(x / g - Math.round(x / g)) < 1e-6)) ?? 0.01;
}

/** Why a variant is not of the same kind: a question without an answer, or with one of another shape. */
function unlike(lesson: Lesson, variant: Lesson): readonly Problem[] {
  return lesson.questions.flatMap((question) => {
    const [was, is] = [answerOf(question, lesson), answerOf(question, variant)];
    const at = (p: Problem): Problem => ({ ...p, message: t('{0} with other numbers: {1}', question.id, p.message), range: question.range });
    if (!is.ok) return is.problems.map(at);
    if (!was.ok || sizeOf(was.value) === sizeOf(is.value)) return [];
    return [at({ code: 'no-answer', message: t('its answer is of another kind') })];
  });
} // prettier-ignore

/** What of an answer must be the same in every variant. */
function sizeOf(answer: Answer): string {
  switch (answer.kind) {
    case 'choose':
    case 'find-wrong-step':
      return String(answer.options.length);
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

/** A zero, an infinity or NaN is another question than a number. */
const kindOf = (x: number): string => (Number.isFinite(x) && x !== 0 ? 'number' : String(x));

/** Questions in the order of the lesson, each with its answer: for a key. */
export const answersOf = (lesson: Lesson): readonly { readonly question: Question; readonly answer: Result<Answer> }[] =>
  lesson.questions.map((question) => ({ question, answer: answerOf(question, lesson) })); // prettier-ignore
