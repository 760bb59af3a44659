/** Marks as the gradebooks of Canvas and Moodle take them: one column of points, students as those systems know them. */
import { t, type Problem } from '../text';
import type { ClassReport } from './class-report';
import { csvLine, isFormula } from './csv';
import { inlineText } from './inline';
import { pointsText } from './report-page';
import type { Key, KeyEntry } from './results';

export interface Gradebook {
  readonly csv: string;
  /** Who has no points in it, and why, and who may not be found by it. */
  readonly notes: readonly Problem[];
}

interface Line {
  readonly entry: KeyEntry;
  /** '' where nothing was marked: an empty cell changes no grade. */
  readonly points: string;
}

/**
 * A gradebook of Canvas (lib/gradebook_importer.rb of canvas-lms): the columns of a student in this order, the row of points possible below them. Canvas finds
 * a student by ID, else SIS User ID, else SIS Login ID, else by name.
 */
export function canvasCsv(report: ClassReport, key: Key | undefined): Gradebook {
  const { lines, notes } = linesOf(report, key);
  const title = titleOf(report);
  const head = ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section', title];
  const possible = ['    Points Possible', '', '', '', '', String(report.most)];
  const rows = lines.map(({ entry, points }) => {
    const { student, canvas = '', id = '', login = '', section = '' } = entry;
    return [student, canvas, id, login, section, points];
  });
  const unknown = lines.filter(({ entry }) => [entry.canvas, entry.id, entry.login].every((x) => x === undefined));
  return { csv: [head, possible, ...rows].map(csvLine).join(''), notes: [...notes, ...guarded(rows), ...byName(unknown)] };
} // prettier-ignore

/** A table for Moodle's CSV import, in which the teacher says which column finds the student: user name, ID number or email address. */
export function moodleCsv(report: ClassReport, key: Key | undefined): Gradebook {
  const { lines, notes } = linesOf(report, key);
  const columns = ([['Username', 'login'], ['ID number', 'id'], ['Email address', 'email']] as const)
    .filter(([, name]) => lines.some(({ entry }) => entry[name] !== undefined)); // prettier-ignore
  const head = [...columns.map(([heading]) => heading), 'Full name', titleOf(report)];
  const rows = lines.map(({ entry, points }) => [...columns.map(([, name]) => entry[name] ?? ''), entry.student, points]);
  const none = columns.length > 0 ? [] : [{ code: 'no-identity', message: t('the list has neither ids nor user names nor addresses, by one of which Moodle finds a student') }];
  return { csv: [head, ...rows].map(csvLine).join(''), notes: [...notes, ...guarded(rows), ...none] };
} // prettier-ignore

const titleOf = ({ title }: ClassReport): string => inlineText(title).trim();

/** A line for each student of the key, or without one of the report, in its order. */
function linesOf({ students }: ClassReport, key: Key | undefined): { lines: readonly Line[]; notes: readonly Problem[] } {
  const entries = key?.students.length ? key.students : [...new Set(students.map(({ student }) => student))].map((student) => ({ student, seed: null }));
  const known = new Set(entries.map(({ student }) => student));
  const notes: Problem[] = [];
  const left = (student: string, why: string): string => {
    notes.push({ code: 'no-points', message: t('{0}: no points, {1}', student, why) });
    return '';
  };
  const lines = entries.map((entry): Line => {
    const marked = students.filter(({ student, marked: isMarked }) => student === entry.student && isMarked);
    const [only, second] = marked;
    if (!only) return { entry, points: left(entry.student, t('nothing was marked')) };
    if (second && second.points !== only.points) return { entry, points: left(entry.student, t('several files with other points')) };
    return { entry, points: pointsText(only.points) };
  });
  for (const { student } of students) if (!known.has(student)) left(student, t('not in the key'));
  return { lines, notes };
} // prettier-ignore

/** Cells that have an apostrophe before them, because a spreadsheet would compute them: a system finds nobody by such an id. */
function guarded(rows: readonly (readonly string[])[]): readonly Problem[] {
  const cells = rows.flat().filter(isFormula);
  if (cells.length === 0) return [];
  return [{ code: 'guarded', message: t('begins as a formula would and has an apostrophe before it, so that no spreadsheet computes it: {0}', cells.slice(0, 5).join(', ')) }]; // prettier-ignore
}

function byName(lines: readonly Line[]): readonly Problem[] {
  if (lines.length === 0) return [];
  return [{ code: 'no-identity', message: t('{0} without an id: Canvas finds them by name alone', lines.length) }];
}
