import { t, fail, ok, type Problem, type Result } from '../text';
import { hashSpec, hashTrace } from '../run';
import { traceOfBlock } from './answer';
import { expected, filledText, listOf, oneOf, record, text, booleanValue, wholeNumber, type Check } from './fields';
import { momentOf } from './front-matter';
import { rangeAt, readJson } from './json';
import type { Lesson } from './lesson';
import type { Response } from './mark';
import type { Identity } from './student-table';

/** A student's answer to a question. */
export interface AnswerRecord {
  readonly question: string;
  readonly response: Response;
  readonly attempts: number;
  /** Time spent, in minutes. */
  readonly minutes: number;
  /** Whether the student was shown the right answer, also before restarting the lesson. Absent in older files: unknown. */
  readonly revealed?: boolean;
}

/** The hashes of a block as computed by the student's machine. */
export interface BlockHashes {
  readonly block: string;
  readonly spec: string;
  readonly trace: string;
}

/** A results file that a student hands in. */
export interface Results {
  readonly format: 'explain-attention results';
  readonly version: 1;
  readonly student: string;
  /** The variant's seed; null for the unvaried lesson. */
  readonly seed: number | null;
  readonly lesson: { readonly title: string; readonly hash: string };
  /** The program's version. */
  readonly program: string;
  /** Whether the student has handed it in; false in files saved before. */
  readonly complete: boolean;
  /** Whether it was worked on as an exam. Absent in files that were not. */
  readonly exam?: boolean;
  /** When it was handed in, by the student's clock: ISO 8601 in UTC. Absent in older files. */
  readonly handedIn?: string;
  readonly blocks: readonly BlockHashes[];
  readonly answers: readonly AnswerRecord[];
  /** Hash of all other fields. It reveals accidents, not forgery. */
  readonly check: string;
}

const hash = expected(
  () => t('64 hexadecimal digits'),
  (v) => typeof v === 'string' && /^[0-9a-f]{64}$/.test(v),
);
const minutes = expected(
  () => t('a number of minutes from 0'),
  (v) => typeof v === 'number' && v >= 0,
);
const isScalar = (v: unknown): boolean => v === null || typeof v === 'number' || typeof v === 'string';
const response: Check = expected(
  () => t('a number, a text, a list of such, or null'),
  (v) => isScalar(v) || (Array.isArray(v) && v.every(isScalar)),
);
export const seedCheck = expected(
  () => t('a whole number from 0 to 4294967295, or null'),
  (v) => v === null || (typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 4294967295),
);

const results: Check = record({
  required: {
    format: oneOf('explain-attention results'),
    version: expected(
      () => '1',
      (v) => v === 1,
    ),
    student: filledText,
    seed: seedCheck,
    lesson: record({ required: { title: text, hash } }),
    program: text,
    complete: booleanValue,
    blocks: listOf(record({ required: { block: text, spec: hash, trace: hash } })),
    answers: listOf(
      record({
        required: { question: text, response, attempts: wholeNumber, minutes },
        optional: { revealed: booleanValue },
      }),
    ),
    check: hash,
  },
  optional: {
    exam: booleanValue,
    handedIn: expected(
      () => t('a moment with a time zone'),
      (v) => typeof v === 'string' && momentOf(v) !== undefined,
    ),
  },
});

/** The text of a file that was handed in: UTF-8, or UTF-16 with a byte order mark, which some editors save. */
export function textOfBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
  return new TextDecoder(wide ?? 'utf-8').decode(bytes);
} // prettier-ignore

/** Parses and checks JSON, with or without a byte order mark; Problems have ranges in the text. */
export function readChecked<T>(source: string, check: Check): Result<T> {
  const start = source.startsWith('\ufeff') ? 1 : 0;
  if (source.slice(start).trim() === '') return fail({ code: 'json', message: t('the file is empty'), range: { start: 0, end: 0 } });
  const json = readJson(source, { start, end: source.length });
  if (!json.ok) return json;
  const problems: Problem[] = [];
  check(json.value.value, '', problems);
  const { value } = json.value;
  return problems.length
    ? fail(...problems.map((p) => ({ ...p, range: rangeAt(json.value, p.path ?? '', p.code === 'unknown-field') })))
    : ok(value as T);
} // prettier-ignore

/** Reads a results file; a damaged one gives Problems with ranges. Does not verify `check`. */
export const readResults = (source: string): Result<Results> => readChecked<Results>(source, results);

/** The version of a results file's format; 0 if it cannot be determined. */
export function formatVersion(source: string): number {
  const json = readJson(source, { start: source.startsWith('\ufeff') ? 1 : 0, end: source.length });
  const file = json.ok ? (json.value.value as { format?: unknown; version?: unknown } | null) : undefined;
  return file?.format === 'explain-attention results' && typeof file.version === 'number' ? file.version : 0;
}

/** The hash of a lesson's text, with line ends normalized and without a byte order mark. */
export const hashLesson = (source: string): string => hashSpec(source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));

export function checkOf(file: Omit<Results, 'check'>): string {
  const { check: _, ...rest } = file as Results;
  return hashSpec(rest);
}

/** The hashes of all blocks of a lesson that can be computed. */
export const blockHashes = ({ blocks }: Lesson): BlockHashes[] =>
  blocks.flatMap((block) => {
    const trace = traceOfBlock(block);
    return trace.ok ? [{ block: block.id, spec: hashSpec(block.spec), trace: hashTrace(trace.value) }] : [];
  });

export interface ResultsInput {
  readonly student: string;
  readonly seed: number | null;
  readonly program: string;
  readonly complete: boolean;
  readonly answers: readonly AnswerRecord[];
  readonly exam?: boolean;
  readonly handedIn?: string;
}

/** The results of a lesson or a variant of it, for `writeResults`. */
export function resultsOf(
  lesson: Lesson,
  { student, seed, program, complete, answers, exam, handedIn }: ResultsInput,
): Results {
  const file = {
    format: 'explain-attention results', version: 1, student, seed,
    lesson: { title: lesson.title, hash: hashLesson(lesson.source) },
    program, complete, ...(exam === true && { exam }), ...(handedIn !== undefined && { handedIn }), blocks: blockHashes(lesson), answers,
  } as const; // prettier-ignore
  return { ...file, check: checkOf(file) };
}

/** `NAME.results.json`, without characters that file systems refuse. */
export const resultsName = (student: string): string => `${plainName(student) || 'student'}.results.json`;

/** A name reduced to letters, digits, _ and -, at most 60 characters. */
export const plainName = (text: string): string =>
  text.normalize('NFC').replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|(?<!-)-+$/g, '').slice(0, 60); // prettier-ignore

/** The file's text, one line for each answer and block, readable by people. */
export const writeResults = (file: Results): string => writeLines(file);

/** JSON with one line for each field, and for each item of a list. */
function writeLines(file: object): string {
  const list = (items: readonly unknown[]): string =>
    items.length ? `[\n${items.map((i) => `    ${JSON.stringify(i)}`).join(',\n')}\n  ]` : '[]';
  const lines = Object.entries(file).map(([name, value]) => `  ${JSON.stringify(name)}: ${Array.isArray(value) ? list(value) : JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
} // prettier-ignore

/** A teacher's key: the lesson, and who has which variant of it. */
export interface Key {
  readonly format: 'explain-attention key';
  readonly version: 1;
  /** The lesson's Markdown. */
  readonly lesson: string;
  readonly students: readonly KeyEntry[];
}

/** A student of a class: the variant's seed (null for the unvaried lesson), what the school calls them, and the code that stands for the name. */
export interface KeyEntry extends Identity {
  readonly student: string;
  readonly seed: number | null;
  readonly code?: string;
}

const key: Check = record({
  required: {
    format: oneOf('explain-attention key'),
    version: expected(
      () => '1',
      (v) => v === 1,
    ),
    lesson: filledText,
    students: listOf(
      record({
        required: { student: filledText, seed: seedCheck },
        optional: { id: text, email: text, login: text, canvas: text, section: text, code: filledText },
      }),
    ),
  },
});

export const readKey = (source: string): Result<Key> => readChecked<Key>(source, key);

/** A student and the seed of the student's variant; null for the unvaried lesson. */
export type StudentSeed = KeyEntry;

/** A key for a class. Without students anybody may hand in, and seeds are taken from the files. */
export const keyOf = (lesson: string, students: readonly StudentSeed[]): Key => ({
  format: 'explain-attention key', version: 1, lesson, students,
}); // prettier-ignore

/** The key's text, one line for each student. */
export const writeKey = (key: Key): string => writeLines(key);
