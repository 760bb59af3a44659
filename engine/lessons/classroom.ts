import { t, fail, ok, type Problem, type Result, finish, type Paced } from '../text';
import { bytesToHex } from '@noble/hashes/utils';
import { sha256 } from '@noble/hashes/sha2';
import { hashSpec } from '../run';
import { answersCsv } from './answers';
import { classFiles, lessonFileName, type ClassFile } from './class-files';
import { readingLesson, type Lesson } from './lesson';
import { keyOf, type Key, type StudentSeed } from './results';
import { codesOf } from './codes';
import { spreadOf, type Spread } from './spread';
import type { Identity } from './student-table';
import { foldersOf } from './students';
import { variantText, type VariantText } from './variant-text';

/** A teacher's request. */
export interface ClassRequest {
  /** The lesson's Markdown. */
  readonly lesson: string;
  /** The lesson's file name in the students' folders: `softmax.md`. */
  readonly name: string;
  /** Unique names (see readStudents). If empty, all students share one folder with the unvaried lesson. */
  readonly students: readonly string[];
  /** What the list says of them besides, by name; it goes into the key. */
  readonly identities?: ReadonlyMap<string, Identity>;
  /** Whether folders and files have codes in the place of names. */
  readonly codes?: boolean;
  /** Any integer from 0; equal seeds give equal bytes. */
  readonly seed: number;
}

export interface ClassPlan {
  readonly title: string;
  /** All files in the order of writing; paths are relative to the class's folder, with `/`. */
  readonly files: readonly ClassFile[];
  readonly key: Key;
  /** From student to folder. */
  readonly folders: ReadonlyMap<string, string>;
  readonly notes: readonly Problem[];
  /** How far the variants differ in their answers; empty where there are fewer than two. */
  readonly spread: readonly Spread[];
}

/** Number of seeds that are tried for a student whose variant cannot be made, or equals another student's. */
const mostTries = 20;

/** Plans a class; nothing is written. `progress` is called with the number of finished students. */
export function* planningClass(asked: ClassRequest, progress?: (done: number) => void): Paced<Result<ClassPlan>> {
  const { lesson, problems } = yield* readingLesson(asked.lesson.replace(/^\ufeff/, ''));
  if (problems.length) return fail(...problems);
  if (!lesson.questions.length) return fail({ code: 'empty', message: t('the lesson has no questions') });
  const taken = new Set<string>();
  const notes: Problem[] = [];
  const seeded: (StudentSeed & { variant: VariantText })[] = [];
  for (const student of asked.students) {
    const drawn = seedFor(lesson, asked.seed, student, taken);
    if (!drawn.ok) return drawn;
    if (drawn.value.note) notes.push(drawn.value.note);
    seeded.push({ student, seed: drawn.value.seed, variant: drawn.value.variant });
    progress?.(seeded.length);
    yield;
  }
  const codes = asked.codes ? codesOf(asked.students, asked.seed) : undefined;
  const entries = seeded.map(({ student, seed }): StudentSeed => {
    const code = codes?.get(student);
    return { student, seed, ...asked.identities?.get(student), ...(code === undefined ? {} : { code }) };
  });
  const key = keyOf(lesson.source, entries);
  const folders = codes ?? foldersOf(asked.students);
  const variants = seeded.map((s) => ({ ...s, student: codes?.get(s.student) ?? s.student, folder: folders.get(s.student) ?? s.student })); // prettier-ignore
  const answers = answersCsv(lesson, seeded.map((s) => ({ student: s.student, lesson: s.variant.lesson }))); // prettier-ignore
  return ok({
    title: lesson.title,
    files: classFiles(lessonFileName(asked.name), lesson, key, variants, answers),
    key,
    folders,
    notes,
    spread: spreadOf(seeded.map(({ variant }) => variant.lesson)),
  });
}

/** The same without pauses. */
export const planClass = (asked: ClassRequest): Result<ClassPlan> => finish(planningClass(asked));

interface StudentVariant {
  readonly seed: number;
  readonly variant: VariantText;
  readonly note?: Problem;
}

/** Finds a seed whose variant no other student has. */
function seedFor(lesson: Lesson, first: number, student: string, taken: Set<string>): Result<StudentVariant> {
  let last: StudentVariant | undefined;
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

/** Whether variants have other inputs. Texts and ids are never varied, only the random numbers that go with them. */
const varies = ({ blocks }: Lesson): boolean =>
  blocks.some((b) => b.vary && b.from === undefined && !['text', 'ids', 'weights'].includes(b.spec.start.from));

/** A student's seed, derived from the class's seed and the name: students who join or leave later change nobody else's numbers. */
function seedOf(first: number, student: string, attempt: number): number {
  const hash = sha256(new TextEncoder().encode(`explain-attention class 1\n${first}\n${student}\n${attempt}\n`));
  return Number(`0x${bytesToHex(hash).slice(0, 8)}`);
}
