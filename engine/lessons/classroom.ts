import { t, fail, ok, type Problem, type Result, finish, type Paced } from '../text';
import { bytesToHex } from '@noble/hashes/utils';
import { sha256 } from '@noble/hashes/sha2';
import { hashSpec } from '../run';
import { answersCsv } from './answers';
import { classFiles, lessonFileName, type ClassFile } from './class-files';
import { readingLesson, type Lesson } from './lesson';
import { keyOf, type Key, type Seeded } from './results';
import { foldersOf } from './students';
import { variantText, type VariantText } from './variant-text';

/** What a teacher asks for. */
export interface ClassAsked {
  /** The lesson's Markdown. */
  readonly lesson: string;
  /** Its file name in the students' folders: `softmax.md`. */
  readonly name: string;
  /** Each once (see readStudents); none: one folder for all, with the numbers as they are written. */
  readonly students: readonly string[];
  /** Any whole number from 0; the same one gives the same bytes. */
  readonly seed: number;
}

export interface ClassPlan {
  readonly title: string;
  /** All that is written, in the order of writing; paths are relative to the class's folder, with `/`. */
  readonly files: readonly ClassFile[];
  readonly key: Key;
  /** Student and folder. */
  readonly folders: ReadonlyMap<string, string>;
  readonly notes: readonly Problem[];
}

/** Other seeds that are tried for a student whose variant cannot be made, or is that of somebody else. */
const mostTries = 20;

/** Plans a class; nothing is written. `progress` hears the number of students that are done. */
export function* planningClass(asked: ClassAsked, progress?: (done: number) => void): Paced<Result<ClassPlan>> {
  const { lesson, problems } = yield* readingLesson(asked.lesson.replace(/^\ufeff/, ''));
  if (problems.length) return fail(...problems);
  if (!lesson.questions.length) return fail({ code: 'empty', message: t('the lesson has no questions') });
  const taken = new Set<string>();
  const notes: Problem[] = [];
  const seeded: (Seeded & { variant: VariantText })[] = [];
  for (const student of asked.students) {
    const drawn = seedFor(lesson, asked.seed, student, taken);
    if (!drawn.ok) return drawn;
    if (drawn.value.note) notes.push(drawn.value.note);
    seeded.push({ student, seed: drawn.value.seed, variant: drawn.value.variant });
    progress?.(seeded.length);
    yield;
  }
  const key = keyOf(lesson.source, seeded.map(({ student, seed }) => ({ student, seed }))); // prettier-ignore
  const folders = foldersOf(asked.students);
  const variants = seeded.map((s) => ({ ...s, folder: folders.get(s.student) ?? s.student }));
  const answers = answersCsv(lesson, seeded.map((s) => ({ student: s.student, lesson: s.variant.lesson }))); // prettier-ignore
  return ok({
    title: lesson.title,
    files: classFiles(lessonFileName(asked.name), lesson, key, variants, answers),
    key,
    folders,
    notes,
  });
}

/** Plans a class at once. */
export const planClass = (asked: ClassAsked): Result<ClassPlan> => finish(planningClass(asked));

interface Drawn {
  readonly seed: number;
  readonly variant: VariantText;
  readonly note?: Problem;
}

/** A seed whose variant nobody has yet. */
function seedFor(lesson: Lesson, first: number, student: string, taken: Set<string>): Result<Drawn> {
  let last: Drawn | undefined;
  let none: Result<never> | undefined;
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const seed = seedOf(first, student, attempt);
    const variant = variantText(lesson, seed);
    if (!variant.ok) {
      none = variant;
      continue;
    }
    const numbers = hashSpec(variant.value.lesson.blocks.map((b) => b.spec.start));
    last = { seed, variant: variant.value };
    if (!taken.has(numbers) || !varies(lesson)) {
      taken.add(numbers);
      return ok(last);
    }
  }
  const message = t('{0} has the same numbers as somebody else: the lesson has too few', student);
  return last ? ok({ ...last, note: { code: 'same-numbers', message } }) : (none ?? fail());
}

/** Whether inputs are drawn anew at all; texts and ids stay, and only what is drawn at random for them differs. */
const varies = ({ blocks }: Lesson): boolean =>
  blocks.some((b) => b.vary && b.from === undefined && !['text', 'ids', 'weights'].includes(b.spec.start.from));

/** A student's seed: of the class's seed and the name, so that who comes or goes later changes nobody else's numbers. */
function seedOf(first: number, student: string, attempt: number): number {
  const hash = sha256(new TextEncoder().encode(`explain-attention class 1\n${first}\n${student}\n${attempt}\n`));
  return Number(`0x${bytesToHex(hash).slice(0, 8)}`);
}
