import { t, type Problem } from '../text';

/** A list of students, read from a teacher's text. */
export interface StudentList {
  /** Unique names, compared without case; a repeated one is numbered: `Ada (2)`. */
  readonly students: readonly string[];
  /** What a teacher should check before anything is written. */
  readonly notes: readonly Problem[];
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
  const names: readonly Named[] = table ? namesOfTable(rowsOf(lines.join('\n'))) : lines.map((name, i) => ({ name, line: i + 1 }));
  const notes: Problem[] = [];
  const seen = new Map<string, number>();
  const students: string[] = [];
  for (const { name, line, beyond = 0 } of names) {
    const student = takeName(name, line, seen, notes);
    if (student === undefined) continue;
    if (beyond > 0) notes.push({ code: 'wide', message: t('line {0} has more columns than the heading: the name is read as {1}', line, student) });
    if (students.length === mostStudents) {
      notes.push({ code: 'too-many', message: t('more than {0} students: those from line {1} on are left out', mostStudents, line) });
      break;
    }
    students.push(student);
  }
  return { students, notes };
} // prettier-ignore

interface Named {
  readonly name: string;
  readonly line: number;
  /** Number of cells beyond the heading's columns, which unquoted commas cause. */
  readonly beyond?: number;
}

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

// Control characters, zero-width characters, and those that change the text direction.
const invisible = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name normalized for comparison: NFC, single blanks, no invisible characters. */
const normalizedName = (name: string): string =>
  name.normalize('NFC').replace(invisible, '').replace(/\s+/g, ' ').trim();

/** The rows of a table (RFC 4180; separated by tabs, semicolons or commas) with their first lines. Linear time. */
function rowsOf(text: string): { cells: string[]; line: number }[] {
  const [first = ''] = text.split('\n', 1);
  const separator = ['\t', ';'].find((s) => first.includes(s)) ?? ',';
  const rows: { cells: string[]; line: number }[] = [];
  let [cells, cell, quoted, line, began]: [string[], string, boolean, number, number] = [[], '', false, 1, 1];
  const endRow = (): void => {
    rows.push({ cells: [...cells, cell], line: began });
    [cells, cell, began] = [[], '', line];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (c === '\n') line++;
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i] ?? '';
    else if (c === '"' && (quoted || cell.trim() === '')) quoted = !quoted;
    else if (!quoted && c === separator) {
      cells.push(cell);
      cell = '';
    } else if (!quoted && c === '\n') endRow();
    else cell += c;
  }
  endRow();
  return rows;
}

const headings = {
  whole: /^(?:(?:full|student|pupil)[ _-]?)?name$|^students?$|^pupils?$|^schüler(?:in)?$|^studierende[r]?$/i,
  first: /^(?:first|given)[ _-]?names?$|^forename$|^vorname$/i,
  last: /^(?:last|family|sur)[ _-]?names?$|^nachname$/i,
  id: /^(?:(?:student|pupil|user)[ _-]?)?(?:id|number|no\.?|nr\.?)$|^user(?:name)?$|^login$|^matrikel(?:nummer|nr\.?)$|^e-?mail(?: address)?$/i,
};

/** The names in a table: a column of whole names, else first and last names joined, else ids, else (without a heading) the first column. */
function namesOfTable(rows: readonly { readonly cells: readonly string[]; readonly line: number }[]): Named[] {
  const head = rows[0]?.cells.map(normalizedName) ?? [];
  const column = (heading: RegExp): number => head.findIndex((cell) => heading.test(cell));
  const [whole, first, last, id] = [headings.whole, headings.first, headings.last, headings.id].map(column) as [number, number, number, number]; // prettier-ignore
  const both = [first, last].filter((i) => i >= 0);
  const used = whole >= 0 ? [whole] : both.length ? both : id >= 0 ? [id] : [0];
  const named = whole >= 0 || both.length > 0 || id >= 0;
  return rows.slice(named ? 1 : 0).map(({ cells, line }) => {
    const beyond = named ? cells.slice(head.length).filter((cell) => normalizedName(cell) !== '').length : 0;
    return { name: used.map((i) => cells[i] ?? '').join(' '), line, beyond };
  });
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
