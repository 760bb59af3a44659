/** A table of students: its rows, and which column says what. */
import { t, type Problem } from '../text';

/** What a school's systems call a student. */
export interface Identity {
  /** A number or id of the school: Moodle's ID number, Canvas's SIS User ID. */
  readonly id?: string;
  readonly email?: string;
  /** A user name: Canvas's SIS Login ID. */
  readonly login?: string;
  /** Canvas's own number. */
  readonly canvas?: string;
  readonly section?: string;
}

export interface StudentRow {
  readonly name: string;
  readonly line: number;
  readonly identity: Identity;
  /** Number of cells beyond the heading's columns, which unquoted commas cause. */
  readonly beyond?: number;
}

export interface StudentTable {
  readonly rows: readonly StudentRow[];
  readonly notes: readonly Problem[];
  readonly problems: readonly Problem[];
}

// Control characters, zero-width characters, and those that change the text direction.
const invisible = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name normalized for comparison: NFC, single blanks, no invisible characters. */
export const normalizedName = (name: string): string =>
  name.normalize('NFC').replace(invisible, '').replace(/\s+/g, ' ').trim();

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

interface Rows {
  readonly rows: readonly Row[];
  /** The line of a quotation mark that is not closed: everything after it would be one cell. */
  readonly unclosed?: number;
}

/** The rows of a table (RFC 4180; separated by tabs, semicolons or commas) with their first lines. Linear time. */
function rowsOf(text: string): Rows {
  const [first = ''] = text.split('\n', 1);
  const separator = ['\t', ';'].find((s) => first.includes(s)) ?? ',';
  const rows: Row[] = [];
  let [cells, cell, quoted, line, began, opened]: [string[], string, boolean, number, number, number] = [[], '', false, 1, 1, 1]; // prettier-ignore
  const endRow = (): void => {
    rows.push({ cells: [...cells, cell], line: began });
    [cells, cell, began] = [[], '', line];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (c === '\n') line++;
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i] ?? '';
    else if (c === '"' && (quoted || cell.trim() === '')) {
      quoted = !quoted;
      if (quoted) opened = line;
    } else if (!quoted && c === separator) {
      cells.push(cell);
      cell = '';
    } else if (!quoted && c === '\n') endRow();
    else cell += c;
  }
  endRow();
  return { rows, ...(quoted && { unclosed: opened }) };
}

const nameHeadings = {
  whole: /^(?:(?:full|student|pupil)[ _-]?)?name$|^students?$|^pupils?$|^schüler(?:in)?$|^studierende[r]?$/i,
  first: /^(?:first|given)[ _-]?names?$|^forename$|^vorname$/i,
  last: /^(?:last|family|sur)[ _-]?names?$|^nachname$/i,
};

const identityHeadings: Readonly<Record<keyof Identity, RegExp>> = {
  id: /^(?:(?:student|pupil|user|sis[ _-]?user)[ _-]?)?(?:id(?:[ _-]?number)?|number|no\.?|nr\.?)$|^matrikel(?:nummer|nr\.?)$|^id-nummer$/i,
  email: /^e-?mail(?:[ _-]?ad(?:d?ress|resse))?$/i,
  login: /^user(?:[ _-]?name)?$|^(?:sis[ _-]?)?login(?:[ _-]?id)?$|^anmeldename$/i,
  canvas: /^canvas[ _-]?id$/i,
  section: /^section$/i,
};

type Columns = Readonly<Record<keyof Identity | keyof typeof nameHeadings, number>>;

/** A gradebook that Canvas exports calls its own number ID, and the school's SIS User ID. */
function columnsOf(head: readonly string[]): Columns {
  const column = (heading: RegExp): number => head.findIndex((cell) => heading.test(cell));
  const all = Object.fromEntries(Object.entries({ ...nameHeadings, ...identityHeadings }).map(([name, heading]) => [name, column(heading)])); // prettier-ignore
  const sis = column(/^sis[ _-]?user[ _-]?id$/i);
  const isCanvas = sis >= 0 || (column(/^sis[ _-]?login[ _-]?id$/i) >= 0 && column(/^student$/i) >= 0);
  return { ...(all as Columns), ...(isCanvas && { canvas: column(/^id$/i), id: sis }) };
}

/** Rows that Canvas puts below the heading: what a column is worth, and how it is posted. */
const isNoStudent = (cells: readonly string[]): boolean =>
  /^\s*points possible\s*$/i.test(cells[0] ?? '') ||
  (cells.some((cell) => /^\s*(?:muted|manual posting)/i.test(cell)) && (cells[0] ?? '').trim() === '');

/** Reads a table: whole names, else first and last names joined, else ids, user names or addresses, else (without a heading) the first column. */
export function readTable(text: string): StudentTable {
  const { rows, unclosed } = rowsOf(text);
  const head = rows[0]?.cells.map(normalizedName) ?? [];
  const columns = columnsOf(head);
  const { whole, first, last, id, login, email } = columns;
  const both = [first, last].filter((i) => i >= 0);
  const ids = [id, login, email].filter((i) => i >= 0);
  const used = whole >= 0 ? [whole] : both.length ? both : ids.length ? ids.slice(0, 1) : [0];
  const named = whole >= 0 || both.length > 0 || ids.length > 0;
  const students = rows.slice(named ? 1 : 0).filter(({ cells }) => !isNoStudent(cells));
  const found = students.map(({ cells, line }): StudentRow => {
    const beyond = named ? cells.slice(head.length).filter((cell) => normalizedName(cell) !== '').length : 0;
    return { name: used.map((i) => cells[i] ?? '').join(' '), line, beyond, identity: identityOf(cells, columns) };
  });
  const notes = named || head.length < 2 ? [] : [noHeading()];
  const problems = unclosed === undefined ? [] : [{ code: 'quote', message: t('line {0}: a quotation mark is not closed: what follows would be one cell', unclosed) }]; // prettier-ignore
  return { rows: found, notes, problems: [...problems, ...repeated(found)] };
}

const noHeading = (): Problem => ({
  code: 'heading',
  message: t('no column is called Name, First name, Last name, Id, User name or Email: the first one is read, from line 1 on'),
}); // prettier-ignore

function identityOf(cells: readonly string[], columns: Columns): Identity {
  const names = Object.keys(identityHeadings) as (keyof Identity)[];
  const filled = names.flatMap((name) => {
    const value = columns[name] < 0 ? '' : normalizedName(cells[columns[name]] ?? '');
    return value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(filled);
}

/** Ids, user names and addresses of two students. */
function repeated(rows: readonly StudentRow[]): readonly Problem[] {
  const problems: Problem[] = [];
  for (const name of ['id', 'email', 'login', 'canvas'] as const) {
    const seen = new Map<string, number>();
    for (const { identity, line } of rows) {
      const value = identity[name];
      if (value === undefined) continue;
      const key = value.toLowerCase();
      const before = seen.get(key);
      if (before !== undefined) problems.push({ code: 'duplicate-id', message: t('line {0}: {1} stands in line {2} too', line, value, before) });
      seen.set(key, before ?? line);
    }
  }
  return problems;
} // prettier-ignore
