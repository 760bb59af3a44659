import { t, positionAt, type Problem } from '../text';
import type { BlockCheck, HandedFile, StudentReport } from './class-report';
import type { Lesson } from './lesson';
import { momentOf } from './front-matter';
import { handedOut } from './handed-out';
import { blockHashes, checkOf, formatVersion, hashLesson, type Key, type Results, type StudentSeed } from './results';
import { comparisonKey, folderNameOf, foldersOf } from './students';
import { variantText } from './variant-text';

const flag = (code: string, message: string): Problem => ({ code, message });

/** The key's entry for a name: an exact match, else one that differs only in case and white space. */
export const ownerOf = (key: Key | undefined, name: string): StudentSeed | undefined =>
  key?.students.find((s) => s.student === name) ??
  key?.students.find((s) => s.code === name) ??
  key?.students.find((s) => comparisonKey(s.student) === comparisonKey(name));

interface Marking {
  readonly lesson: Lesson;
  readonly key?: Key;
  readonly seed: number | null;
  /** The file's name. */
  readonly name: string;
  /** The program version that grades. */
  readonly program?: string;
}

/** What a teacher should check in a readable file. */
export function flagsOf(results: Results, { lesson, key, seed, name, program }: Marking): Problem[] {
  const flags: Problem[] = [];
  if (checkOf(results) !== results.check)
    flags.push(flag('changed', t('the file was changed after it was written, or damaged on its way')));
  if (!isEdition(results.lesson.hash, lesson, seed))
    flags.push(flag('other-lesson', t('written for another edition of the lesson (“{0}”)', results.lesson.title)));
  if (!results.complete) flags.push(flag('incomplete', t('saved on the way and not handed in')));
  if (program !== undefined && isLater(results.program, program))
    flags.push(flag('late-version', t('written by version {0}; this is {1}', results.program, program)));
  if (lesson.exam && results.exam !== true)
    flags.push(flag('not-exam', t('not worked on as an exam: answers could be shown and reset')));
  const late = minutesLate(results, lesson);
  if (late > 0) flags.push(flag('late', t('handed in {0} late, by the student’s clock', duration(late))));
  if (lesson.due !== undefined && results.handedIn === undefined)
    flags.push(flag('no-time', t('the file does not say when it was handed in')));
  return [...flags, ...ownerFlags(results, key, seed, name), ...answerFlags(results, lesson)];
}

/** Minutes after the lesson's due moment, by the clock of the student's machine; 0 where it was in time, or nothing is due. */
export function minutesLate({ handedIn }: Pick<Results, 'handedIn'>, { due }: Pick<Lesson, 'due'>): number {
  const [given, last] = [handedIn, due].map((written) => (written === undefined ? undefined : momentOf(written)));
  return given === undefined || last === undefined ? 0 : Math.max(0, (given - last) / 60_000);
}

function duration(minutes: number): string {
  const whole = Math.ceil(minutes);
  if (whole < 120) return t('{0} min', whole);
  const hours = Math.floor(whole / 60);
  return hours < 48 ? t('{0} h {1} min', hours, whole % 60) : t('{0} days {1} h', Math.floor(hours / 24), hours % 24);
}

function ownerFlags(results: Results, key: Key | undefined, seed: number | null, name: string): Problem[] {
  if (!key?.students.length) return [];
  const owner = ownerOf(key, results.student);
  if (!owner) return [flag('unknown-student', t('{0} is not in the key; marked by the file’s own seed', results.student))];
  const flags = results.seed === seed ? [] : [flag('other-seed', t('made for seed {0}; marked by the key’s seed {1}', String(results.seed), String(seed)))];
  const place = placeOf(key, [...placesOf(name), baseOf(name)]);
  if (place && place.student !== owner.student)
    flags.push(flag('other-place', t('lies where the file of {0} is expected, and is that of {1}', place.student, owner.student)));
  return flags;
} // prettier-ignore

function answerFlags(results: Results, lesson: Lesson): Problem[] {
  const known = new Set(lesson.questions.map((q) => q.id));
  const ids = results.answers.map((a) => a.question);
  const strange = ids.filter((id) => !known.has(id));
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  return [
    ...(strange.length ? [flag('unknown-question', t('answers to questions that are not there: {0}', strange.join(', ')))] : []),
    ...(twice.length ? [flag('answered-twice', t('answered twice: {0}; the last counts', twice.join(', ')))] : []),
  ];
} // prettier-ignore

/** Whether a hash is that of the lesson, or of the Markdown of the student's variant. */
function isEdition(hash: string, lesson: Lesson, seed: number | null): boolean {
  // Students get a lesson without the teacher's notes; whoever has the teacher's file has them.
  const isHashOf = (text: string): boolean => hash === hashLesson(text) || hash === hashLesson(handedOut(text));
  if (isHashOf(lesson.source)) return true;
  const variant = seed === null ? undefined : variantText(lesson, seed);
  return variant?.ok === true && isHashOf(variant.value.text);
}

/** Whether version `a` is later than `b`: `1.10.0` than `1.9.2`. False if either is no version. */
function isLater(a: string, b: string): boolean {
  const parts = (version: string): number[] | undefined => /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  const [left, right] = [parts(a), parts(b)];
  if (!left || !right) return false;
  const i = left.findIndex((part, at) => part !== right[at]);
  return i >= 0 && (left[i] ?? 0) > (right[i] ?? 0);
}

/** Compares hashes: other inputs than the variant's, or equal inputs with another trace, which the engine rules out. */
export function hashesOf(results: Results, lesson: Lesson): { hashes: BlockCheck[]; flags: Problem[] } {
  const [missing, numbers, traces]: [string[], string[], string[]] = [[], [], []];
  const hashes = blockHashes(lesson).map(({ block, spec, trace }): BlockCheck => {
    const found = results.blocks.find((b) => b.block === block);
    if (!found) missing.push(block);
    else if (found.spec !== spec) numbers.push(block);
    else if (found.trace !== trace) traces.push(block);
    return { block, trace, ...(found ? { handed: found.trace } : {}) };
  });
  const say = (
    code: string,
    blocks: readonly string[],
    what: (which: string, several: boolean) => string,
  ): Problem[] => (blocks.length ? [flag(code, what(blocks.join(', '), blocks.length > 1))] : []);
  const flags = [
    ...say('no-hash', missing, withoutHash),
    ...say('other-numbers', numbers, otherInputs),
    ...say('other-trace', traces, (which, several) => otherTrace(which, several, results.program)),
  ];
  return { hashes, flags };
}

const withoutHash = (which: string, several: boolean): string =>
  several ? t('blocks {0} without a hash', which) : t('block {0} without a hash', which);
const otherInputs = (which: string, several: boolean): string =>
  several ? t('blocks {0} had other inputs', which) : t('block {0} had other inputs', which);
const otherTrace = (which: string, several: boolean, program: string): string =>
  several
    ? t('blocks {0} computed differently, by version {1}', which, program)
    : t('block {0} computed differently, by version {1}', which, program);

/** At most this many other files of one student are named. */
const mostNamed = 8;

/** Flags several files of one student, all of which are graded, and identical files. */
export function duplicateFlags(rows: readonly StudentReport[], files: readonly HandedFile[]): Problem[][] {
  const byStudent = new Map<string, Own[]>();
  for (const [i, { student, file = '' }] of rows.entries()) {
    const all = byStudent.get(student) ?? [];
    byStudent.set(student, [...all, { file, text: withoutSpace(files[i]) }]);
  }
  const met = new Map<string, number>();
  return rows.map(({ student }) => {
    const all = byStudent.get(student) ?? [];
    const place = met.get(student) ?? 0;
    met.set(student, place + 1);
    const others = all.filter((_, j) => j !== place);
    const own = all[place]?.text;
    const say = (same: boolean): string => named(others.filter(({ text }) => (text !== undefined && text === own) === same));
    const [copies, more] = [say(true), say(false)];
    return [
      ...(copies ? [flag('copy', t('the same file as {0}', copies))] : []),
      ...(more ? [flag('twice', t('also handed in: {0}', more))] : []),
    ];
  });
} // prettier-ignore

interface Own {
  readonly file: string;
  readonly text: string | undefined;
}

/** A file's text without white space, which editors may change; undefined if it was not read, so that it equals no other. */
const withoutSpace = (file: HandedFile | undefined): string | undefined => (file?.refused ? undefined : file?.text.replace(/\s+/g, '')); // prettier-ignore

const named = (files: readonly Own[]): string =>
  files.slice(0, mostNamed).map(({ file }) => file).join(', ') + (files.length > mostNamed ? ` … (${files.length})` : ''); // prettier-ignore

interface ScaleEffect {
  readonly student: string;
  readonly seed: number | null;
  readonly flags: Problem[];
}

/** The owner of a damaged file, and its problems with their positions. */
export function damageOf(file: HandedFile, key: Key | undefined, problems: readonly Problem[]): ScaleEffect {
  const entry = key && placeOf(key, [baseOf(file.name), ...placesOf(file.name)]);
  const student = entry?.student ?? (baseOf(file.name) || file.name);
  const flags = file.refused ? [file.refused] : damageFlags(file.text, problems);
  return { student, seed: entry?.seed ?? null, flags };
}

// The conflict markers of git and other programs.
const conflict = /^(?:<{7}|={7}|>{7})(?:[ \t].*)?$/m;

function damageFlags(text: string, problems: readonly Problem[]): Problem[] {
  const version = formatVersion(text);
  if (version > 1)
    return [flag('late-version', t('written by a later version of the program (format {0}): nothing is marked', version))];
  const merged = conflict.exec(text);
  if (merged)
    return [flag('conflict', t('line {0}: two versions of the file were merged; nothing is marked', positionAt(text, merged.index).line))];
  return problems.slice(0, 3).map((p) => {
    const { line, column } = positionAt(text, p.range?.start ?? 0);
    return flag('damaged', t('line {0}, column {1}: {2}', line, column, p.message));
  });
} // prettier-ignore

/** The student's name in a file name: `Ada` for `room/Ada.results.json`. */
const baseOf = (name: string): string => (name.split('/').at(-1) ?? name).replace(/[ ._-]*results.*\.json$/i, '');

/** The folders of a path, innermost first: `B`, `A` for `A/B/x.json`. */
const placesOf = (path: string): string[] => path.split('/').slice(0, -1).reverse();

/** The student to whom the first matching name or folder belongs. */
function placeOf(key: Key, places: readonly string[]): StudentSeed | undefined {
  const folders = foldersOf(key.students.map((s) => s.student));
  const named = ({ student, code = '' }: StudentSeed): string[] => [student, folders.get(student) ?? '', folderNameOf(student), code].map(comparisonKey);
  for (const place of places.map(comparisonKey)) {
    const found = place === '' ? undefined : key.students.find((s) => named(s).includes(place));
    if (found) return found;
  }
  return undefined;
} // prettier-ignore
