import { t, positionAt, type Problem } from '../text';
import type { BlockCheck, HandedFile, StudentReport } from './class-report';
import type { Lesson } from './lesson';
import { blockHashes, checkOf, formatVersion, hashLesson, type Key, type Results, type Seeded } from './results';
import { folded, folderNameOf, foldersOf } from './students';
import { variantText } from './variant-text';

const flag = (code: string, message: string): Problem => ({ code, message });

/** The key's entry for a name: as it is written, else as a person would take it for the same (blanks, capitals). */
export const ownerOf = (key: Key | undefined, name: string): Seeded | undefined =>
  key?.students.find((s) => s.student === name) ?? key?.students.find((s) => folded(s.student) === folded(name));

interface Marking {
  readonly lesson: Lesson;
  readonly key?: Key;
  readonly seed: number | null;
  /** Of the file. */
  readonly name: string;
  /** The version that marks. */
  readonly program?: string;
}

/** What a teacher should look at in a file that can be read. */
export function remarksOn(results: Results, { lesson, key, seed, name, program }: Marking): Problem[] {
  const flags: Problem[] = [];
  if (checkOf(results) !== results.check)
    flags.push(flag('changed', t('the file was changed after it was written, or damaged on its way')));
  if (!isEdition(results.lesson.hash, lesson, seed))
    flags.push(flag('other-lesson', t('written for another edition of the lesson (“{0}”)', results.lesson.title)));
  if (!results.complete) flags.push(flag('incomplete', t('saved on the way and not handed in')));
  if (program !== undefined && isLater(results.program, program))
    flags.push(flag('late-version', t('written by version {0}; this is {1}', results.program, program)));
  return [...flags, ...aboutOwner(results, key, seed, name), ...aboutAnswers(results, lesson)];
}

function aboutOwner(results: Results, key: Key | undefined, seed: number | null, name: string): Problem[] {
  if (!key?.students.length) return [];
  const owner = ownerOf(key, results.student);
  if (!owner) return [flag('unknown-student', t('{0} is not in the key; marked by the file’s own seed', results.student))];
  const flags = results.seed === seed ? [] : [flag('other-seed', t('made for seed {0}; marked by the key’s seed {1}', String(results.seed), String(seed)))];
  const place = placeOf(key, [...placesOf(name), baseOf(name)]);
  if (place && place.student !== owner.student)
    flags.push(flag('other-place', t('lies where the file of {0} is expected, and is that of {1}', place.student, owner.student)));
  return flags;
} // prettier-ignore

function aboutAnswers(results: Results, lesson: Lesson): Problem[] {
  const known = new Set(lesson.questions.map((q) => q.id));
  const ids = results.answers.map((a) => a.question);
  const strange = ids.filter((id) => !known.has(id));
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  return [
    ...(strange.length ? [flag('unknown-question', t('answers to questions that are not there: {0}', strange.join(', ')))] : []),
    ...(twice.length ? [flag('answered-twice', t('answered twice: {0}; the last counts', twice.join(', ')))] : []),
  ];
} // prettier-ignore

/** The lesson as it is written, or the Markdown of the student's variant. */
function isEdition(hash: string, lesson: Lesson, seed: number | null): boolean {
  if (hash === hashLesson(lesson.source)) return true;
  const variant = seed === null ? undefined : variantText(lesson, seed);
  return variant?.ok === true && hash === hashLesson(variant.value.text);
}

/** Whether a version `1.10.0` is later than `1.9.2`; what is no version is not. */
function isLater(a: string, b: string): boolean {
  const parts = (version: string): number[] | undefined => /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  const [left, right] = [parts(a), parts(b)];
  if (!left || !right) return false;
  const i = left.findIndex((part, at) => part !== right[at]);
  return i >= 0 && (left[i] ?? 0) > (right[i] ?? 0);
}

/** Other numbers than the variant has, or the same inputs with another trace: the engine guarantees that this does not happen. */
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

/** Most other files of one student that a remark names. */
const mostNamed = 8;

/** Two files of one student are both marked, and both flagged; so are files that are the same. */
export function doubled(rows: readonly StudentReport[], files: readonly HandedFile[]): Problem[][] {
  const byStudent = new Map<string, Own[]>();
  for (const [i, { student, file = '' }] of rows.entries()) {
    const all = byStudent.get(student) ?? [];
    byStudent.set(student, [...all, { file, text: bare(files[i]) }]);
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

/** A file's text without what an editor may change; undefined where it was not read: it is like no other. */
const bare = (file: HandedFile | undefined): string | undefined => (file?.refused ? undefined : file?.text.replace(/\s+/g, '')); // prettier-ignore

const named = (files: readonly Own[]): string =>
  files.slice(0, mostNamed).map(({ file }) => file).join(', ') + (files.length > mostNamed ? ` … (${files.length})` : ''); // prettier-ignore

interface Damage {
  readonly student: string;
  readonly seed: number | null;
  readonly flags: Problem[];
}

/** Whose file it is, and what is wrong with it, with places. */
export function damageOf(file: HandedFile, key: Key | undefined, problems: readonly Problem[]): Damage {
  const entry = key && placeOf(key, [baseOf(file.name), ...placesOf(file.name)]);
  const student = entry?.student ?? (baseOf(file.name) || file.name);
  const flags = file.refused ? [file.refused] : damageFlags(file.text, problems);
  return { student, seed: entry?.seed ?? null, flags };
}

// What git and other programs write where two versions meet.
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

/** `room/Ada.results.json` is `Ada`. */
const baseOf = (name: string): string => (name.split('/').at(-1) ?? name).replace(/[ ._-]*results.*\.json$/i, '');

/** The folders of a path, the nearest first: `A/B/x.json` is `B`, `A`. */
const placesOf = (path: string): string[] => path.split('/').slice(0, -1).reverse();

/** The student whose name or folder one of these is, the first that is somebody's. */
function placeOf(key: Key, places: readonly string[]): Seeded | undefined {
  const folders = foldersOf(key.students.map((s) => s.student));
  const named = ({ student }: Seeded): string[] => [student, folders.get(student) ?? '', folderNameOf(student)].map(folded);
  for (const place of places.map(folded)) {
    const found = place === '' ? undefined : key.students.find((s) => named(s).includes(place));
    if (found) return found;
  }
  return undefined;
} // prettier-ignore
