/** A report with codes in the place of names, for marking without knowing whose paper it is. */
import { t, fail, ok, type Result } from '../text';
import type { ClassReport, StudentReport } from './class-report';
import type { Key } from './results';

/** A Problem if the class has no codes. Rows are in the order of codes; who is not in the key is numbered. */
export function withoutNames(report: ClassReport, key: Key | undefined): Result<ClassReport> {
  const codes = new Map((key?.students ?? []).flatMap(({ student, code }) => (code === undefined ? [] : [[student, code] as const])));
  if (codes.size === 0) return fail({ code: 'no-codes', message: t('the key has no codes: the class was set up with names') });
  for (const { student } of report.students)
    if (!codes.has(student)) codes.set(student, t('unknown {0}', [...codes.keys()].length - (key?.students.length ?? 0) + 1));
  const codeOf = (student: string): string => codes.get(student) ?? '?';
  // The longest first, so that no name is replaced within another.
  const names = [...codes.keys()].sort((a, b) => b.length - a.length);
  const cleaned = (text: string): string => names.reduce((said, name) => said.replaceAll(name, codeOf(name)), text);
  const rowOf = ({ file: _, identity: __, ...row }: StudentReport): StudentReport => ({
    ...row,
    ...(_ === undefined ? {} : { file: cleaned(_.split('/').at(-1) ?? '').includes(codeOf(row.student)) ? codeOf(row.student) : '…' }),
    student: codeOf(row.student),
    flags: row.flags.map((flag) => ({ ...flag, message: cleaned(flag.message) })),
  });
  const students = report.students.map(rowOf).sort((a, b) => (a.student < b.student ? -1 : 1));
  const misconceptions = report.misconceptions.map((one) => ({ ...one, met: one.met.map(({ student, question }) => ({ student: codeOf(student), question })) }));
  const close = report.close.map((pair) => ({ ...pair, students: [codeOf(pair.students[0]), codeOf(pair.students[1])] as const }));
  const changes = report.changes?.map((change) => ({ ...change, student: codeOf(change.student) }));
  return ok({ ...report, students, misconceptions, close, ...(changes && { changes }) });
} // prettier-ignore
