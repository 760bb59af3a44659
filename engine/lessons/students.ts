import { t, type Problem } from '../text';
import { normalizedName, readTable, type Identity, type StudentTable } from './student-table';

/** A list of students, read from a teacher's text. */
export interface StudentList {
  /** Unique names, compared without case; a repeated one is numbered: `Ada (2)`. */
  readonly students: readonly string[];
  /** What the list says of them besides, by name. */
  readonly identities: ReadonlyMap<string, Identity>;
  /** What a teacher should check before anything is written. */
  readonly notes: readonly Problem[];
  /** What has to be mended first: an id of two students, a quotation mark that is not closed. Each names its line. */
  readonly problems: readonly Problem[];
}

/** Most students of one class. */
export const mostStudents = 1000;
const longestName = 120;

/**
 * Reads names or ids: one for each line, or a table (CSV, or cells pasted from a spreadsheet) whose column is found by its heading, else the
 * first. Empty lines, surrounding blanks, byte order marks and invisible characters are dropped.
 */
export function readStudents(text: string, table = /\S\t|\t\S/.test(text)): StudentList {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  const read: StudentTable = table
    ? readTable(lines.join('\n'))
    : { rows: lines.map((name, i) => ({ name, line: i + 1, identity: {} })), notes: [], problems: [] };
  const notes: Problem[] = [...read.notes];
  const problems: Problem[] = [...read.problems];
  const seen = new Map<string, number>();
  const identities = new Map<string, Identity>();
  const students: string[] = [];
  for (const { name, line, identity, beyond = 0 } of read.rows) {
    const student = takeName(name, line, seen, notes);
    if (student === undefined) {
      if (Object.keys(identity).length > 0) problems.push({ code: 'no-name', message: t('line {0} has no name', line) });
      continue;
    }
    if (beyond > 0) notes.push({ code: 'wide', message: t('line {0} has more columns than the heading: the name is read as {1}', line, student) });
    if (students.length === mostStudents) {
      notes.push({ code: 'too-many', message: t('more than {0} students: those from line {1} on are left out', mostStudents, line) });
      break;
    }
    students.push(student);
    if (Object.keys(identity).length > 0) identities.set(student, identity);
  }
  return { students, identities, notes, problems };
} // prettier-ignore

function takeName(written: string, line: number, seen: Map<string, number>, notes: Problem[]): string | undefined {
  const name = normalizedName(written);
  if (name === '') return undefined;
  const short = [...name].slice(0, longestName).join('');
  if (short !== name)
    notes.push({ code: 'long', message: t('line {0}: {1}… is cut at {2} characters', line, short.slice(0, 30), longestName) });
  const before = seen.get(comparisonKey(short));
  if (before === undefined) {
    seen.set(comparisonKey(short), line);
    return short;
  }
  const other = freeName(short, (candidate) => seen.has(comparisonKey(candidate)));
  seen.set(comparisonKey(other), line);
  notes.push({ code: 'duplicate', message: t('{0} is listed in line {1} and line {2}: the second is {3}', short, before, line, other) });
  return other;
} // prettier-ignore

function freeName(name: string, taken: (candidate: string) => boolean): string {
  for (let i = 2; ; i++) if (!taken(`${name} (${i})`)) return `${name} (${i})`;
}

// Characters and names that Windows, macOS or Linux refuse for a folder.
const refused = /[<>:"/\\|?*\u0000-\u001f\u007f]/g;
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const longestFolder = 60;

/** A folder name for a student that every file system accepts: `Ada_Lovelace` for `Ada/Lovelace.`. */
export function folderNameOf(student: string): string {
  const plain = normalizedName(student).replace(refused, '_');
  const short = [...plain].slice(0, longestFolder).join('').replace(/^\.+/, '_').replace(/[. ]+$/, ''); // prettier-ignore
  return short === '' || reserved.test(short) ? `_${short}` : short;
}

/** A unique folder for each student; names that differ only in case, which some file systems ignore, are numbered. */
export function foldersOf(students: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const folders = new Map<string, string>();
  for (const student of students) {
    const name = folderNameOf(student);
    const free = taken.has(comparisonKey(name)) ? freeName(name, (other) => taken.has(comparisonKey(other))) : name;
    taken.add(comparisonKey(free));
    folders.set(student, free);
  }
  return folders;
}

/** A key that is equal for names that a person or a file system may consider the same. */
export const comparisonKey = (name: string): string => normalizedName(name).toLowerCase();
