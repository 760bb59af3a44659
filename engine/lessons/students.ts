import { t, type Problem } from '../text';

/** A list of students, as a teacher has it. */
export interface StudentList {
  /** Each name once, whatever its capitals; one that is listed again has a number: `Ada (2)`. */
  readonly students: readonly string[];
  /** What a teacher should look at before anything is written. */
  readonly notes: readonly Problem[];
}

/** Most students of one class. */
export const mostStudents = 1000;
const longestName = 120;

/**
 * Reads names or ids: a line each; or a table (CSV, or columns pasted from a spreadsheet), whose column is found by its heading, else is the
 * first. Empty lines, blanks around a name, byte order marks and invisible characters are dropped.
 */
export function readStudents(text: string, table = /\S\t|\t\S/.test(text)): StudentList {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  const names: readonly Named[] = table ? namesOfTable(rowsOf(lines.join('\n'))) : lines.map((name, i) => ({ name, line: i + 1 }));
  const notes: Problem[] = [];
  const seen = new Map<string, number>();
  const students: string[] = [];
  for (const { name, line, beyond = 0 } of names) {
    const student = take(name, line, seen, notes);
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
  /** Columns that the heading does not have: a comma in a name, say. */
  readonly beyond?: number;
}

function take(written: string, line: number, seen: Map<string, number>, notes: Problem[]): string | undefined {
  const name = tidy(written);
  if (name === '') return undefined;
  const short = [...name].slice(0, longestName).join('');
  if (short !== name)
    notes.push({ code: 'long', message: t('line {0}: {1}… is cut at {2} characters', line, short.slice(0, 30), longestName) });
  const before = seen.get(folded(short));
  if (before === undefined) {
    seen.set(folded(short), line);
    return short;
  }
  const other = freeName(short, (candidate) => seen.has(folded(candidate)));
  seen.set(folded(other), line);
  notes.push({ code: 'duplicate', message: t('{0} is listed in line {1} and line {2}: the second is {3}', short, before, line, other) });
  return other;
} // prettier-ignore

function freeName(name: string, taken: (candidate: string) => boolean): string {
  for (let i = 2; ; i++) if (!taken(`${name} (${i})`)) return `${name} (${i})`;
}

// Control characters, zero-width ones, and those that turn the direction of what follows.
const invisible = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name as it is compared: one form of each letter, single blanks, nothing that is not seen. */
const tidy = (name: string): string => name.normalize('NFC').replace(invisible, '').replace(/\s+/g, ' ').trim();

/** The rows of a table (RFC 4180; separated by tabs, semicolons or commas), with the lines at which they begin. Linear. */
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

/** The column of names; first and last names together; else the one of ids; else, without a heading, the first. */
function namesOfTable(rows: readonly { readonly cells: readonly string[]; readonly line: number }[]): Named[] {
  const head = rows[0]?.cells.map(tidy) ?? [];
  const column = (heading: RegExp): number => head.findIndex((cell) => heading.test(cell));
  const [whole, first, last, id] = [headings.whole, headings.first, headings.last, headings.id].map(column) as [number, number, number, number]; // prettier-ignore
  const both = [first, last].filter((i) => i >= 0);
  const used = whole >= 0 ? [whole] : both.length ? both : id >= 0 ? [id] : [0];
  const named = whole >= 0 || both.length > 0 || id >= 0;
  return rows.slice(named ? 1 : 0).map(({ cells, line }) => {
    const beyond = named ? cells.slice(head.length).filter((cell) => tidy(cell) !== '').length : 0;
    return { name: used.map((i) => cells[i] ?? '').join(' '), line, beyond };
  });
}

// What Windows, macOS or Linux refuse in the name of a folder.
const refused = /[<>:"/\\|?*\u0000-\u001f\u007f]/g;
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const longestFolder = 60;

/** The name of a student's folder, which every file system takes: `Ada/Lovelace.` is `Ada_Lovelace`. */
export function folderNameOf(student: string): string {
  const plain = tidy(student).replace(refused, '_');
  const short = [...plain].slice(0, longestFolder).join('').replace(/^\.+/, '_').replace(/[. ]+$/, ''); // prettier-ignore
  return short === '' || reserved.test(short) ? `_${short}` : short;
}

/** A folder for each student; names that differ in case alone, which some file systems take for one, get numbers. */
export function foldersOf(students: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const folders = new Map<string, string>();
  for (const student of students) {
    const name = folderNameOf(student);
    const free = taken.has(folded(name)) ? freeName(name, (other) => taken.has(folded(other))) : name;
    taken.add(folded(free));
    folders.set(student, free);
  }
  return folders;
}

/** Equal for names that a person or a file system may take for one. */
export const folded = (name: string): string => tidy(name).toLowerCase();
