import type { ClassReport, Graded, QuestionReport, StudentReport } from './grade';

/** One line for each student (RFC 4180): points, flags, then for each question the points and the response. */
export function reportCsv({ students, questions, most }: ClassReport): string {
  const ids = questions.map((q) => q.question.id);
  const head = ['student', 'file', 'seed', 'points', 'of', 'minutes', 'flags', ...ids, ...ids.map((id) => `${id} response`)];
  const rows = students.map((s) => [
    s.student, s.file ?? '', s.seed === null ? '' : String(s.seed), points(s.points), String(most),
    points(s.answers.reduce((sum, a) => sum + a.minutes, 0)), s.flags.map((f) => f.message).join('; '),
    ...s.answers.map((a) => (a.mark.verdict === 'unanswered' ? '' : points(a.mark.points))),
    ...s.answers.map((a) => showResponse(a)),
  ]);
  return [head, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
} // prettier-ignore

const points = (x: number): string => String(Number(x.toFixed(2)));

const showResponse = ({ response }: Graded): string =>
  response === null ? '' : typeof response === 'object' ? JSON.stringify(response) : String(response);

/** A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay numbers. */
function csvField(written: string): string {
  const formula = /^[=+\-@\t\r]/.test(written) && !/^-?[\d.]+(e[+-]?\d+)?$/i.test(written);
  const safe = formula ? `'${written}` : written;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { background: #eee; } td.right { background: #d7f0d7; } td.partial { background: #fdf1c7; } td.wrong, td.unreadable { background: #f8d4d0; }
td.unanswered { color: #666; } .flags { color: #8a2500; } .number { text-align: right; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1e1e1e; } th { background: #333; } td.right { background: #1d3d1d; }
td.partial { background: #4a3f10; } td.wrong, td.unreadable { background: #55211c; } td.unanswered { color: #999; } .flags { color: #ffb08a; } }
@media print { body { margin: 0; max-width: none; } }`;

/** The report as one page: no script, no link, nothing loaded. Everything that a student or a lesson wrote is escaped. */
export function reportHtml(report: ClassReport): string {
  const { title, students } = report;
  const flagged = students.filter((s) => s.flags.length);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}: results</title><style>${style}</style></head><body>
<h1>${escape(title)}: results</h1>
<p>${students.length} students, ${students.length - flagged.length} without remarks. Every right answer was computed anew from the lesson and the student’s seed.</p>
<h2>Students</h2>
${studentTable(report)}
<h2>Questions</h2>
${questionTable(report)}
<h2>Answers</h2>
${students.map(studentDetails).join('\n')}
<p>Hashes and checks tell accidents (damage, another variant, another edition), not forgery: a student holds the same engine.</p>
</body></html>
`;
}

const escape = (s: string): string =>
  s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

const row = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>`;
const th = (s: string): string => `<th scope="col">${escape(s)}</th>`;
const td = (s: string, kind = ''): string => `<td${kind && ` class="${kind}"`}>${escape(s)}</td>`;

const signs: Readonly<Record<Graded['mark']['verdict'], string>> = {
  right: '✓', partial: '◐', wrong: '✗', unreadable: '?', unanswered: '–',
}; // prettier-ignore

function studentTable({ students, questions, most }: ClassReport): string {
  const head = ['student', 'seed', `points of ${most}`, 'minutes', ...questions.map((q) => q.question.id), 'remarks'].map(th);
  const rows = students.map((s) => row([
    td(s.student), td(s.seed === null ? '–' : String(s.seed), 'number'), td(points(s.points), 'number'),
    td(points(s.answers.reduce((sum, a) => sum + a.minutes, 0)), 'number'),
    ...s.answers.map((a) => td(signs[a.mark.verdict], a.mark.verdict)),
    td(s.flags.map((f) => f.message).join('; '), 'flags'),
  ]));
  return `<table><thead>${row(head)}</thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
} // prettier-ignore

function questionTable({ questions }: ClassReport): string {
  const head = ['question', '', 'right', 'partial', 'wrong', 'unanswered', 'most common wrong answer'].map(th);
  const line = ({ question, right, partial, wrong, unanswered, commonWrong }: QuestionReport): string =>
    row([
      td(question.id), td(question.prompt),
      ...[right, partial, wrong, unanswered].map((n) => td(String(n), 'number')),
      td(commonWrong ? `${commonWrong.response} (${commonWrong.times}×)` : ''),
    ]);
  return `<table><thead>${row(head)}</thead><tbody>\n${questions.map(line).join('\n')}\n</tbody></table>`;
} // prettier-ignore

function studentDetails(s: StudentReport): string {
  const rows = s.answers.map((a) =>
    row([td(a.question), td(showResponse(a), a.mark.verdict), td(a.mark.reason), td(a.mark.arithmetic.slice(0, 3).join('; '))]),
  );
  const head = ['question', 'response', 'mark', 'arithmetic'].map(th);
  const file = s.file === undefined ? '' : ` (${escape(s.file)})`;
  return `<details><summary>${escape(s.student)}${file}: ${points(s.points)}</summary><table><thead>${row(head)}</thead><tbody>${rows.join('')}</tbody></table></details>`;
} // prettier-ignore
