import { t } from '../text';
import { mostCompared, saysOfPair } from './close-papers';
import { csvLine } from './csv';
import type { ClassReport, Graded, QuestionReport, StudentReport } from './class-report';
import { escapeHtml as escape, inlineHtml, inlineText } from './inline';
import type { Question } from './question';
import { pointsText, reportPage } from './report-page';

/** CSV (RFC 4180) with one line for each student: points, flags, then points and response of each question. */
export function reportCsv({ students, questions, most, changes }: ClassReport): string {
  const before = ({ student, points: now }: StudentReport): number =>
    (changes ?? []).filter((one) => one.student === student).reduce((sum, one) => sum + one.before.earned - (one.after?.earned ?? 0), now);
  const ids = questions.map((q) => q.question.id);
  const head = ['student', 'file', 'seed', 'points', 'of', 'minutes', 'flags', ...ids, ...ids.map((id) => `${id} response`), 'program', 'traces', 'revealed', 'exam', 'handed in', 'minutes late', 'id', 'email', 'user name', 'section', ...(changes ? ['points before'] : [])];
  const rows = students.map((s) => [
    s.student, s.file ?? '', s.seed === null ? '' : String(s.seed), pointsText(s.points), String(most),
    pointsText(minutesOf(s)), s.flags.map((f) => f.message).join('; '),
    ...s.answers.map((a) => (['unanswered', 'collected'].includes(a.mark.verdict) ? '' : pointsText(a.earned))),
    ...s.answers.map((a) => a.said),
    s.program ?? '', s.hashes.length ? `${sameHashes(s)} of ${s.hashes.length}` : '',
    s.answers.filter((a) => a.revealed).map((a) => a.question).join('; '),
    s.exam ? 'yes' : '', s.handedIn ?? '', s.late === undefined ? '' : pointsText(s.late),
    s.identity?.id ?? '', s.identity?.email ?? '', s.identity?.login ?? '', s.identity?.section ?? '', ...(changes ? [pointsText(before(s))] : []),
  ]);
  return [head, ...rows].map(csvLine).join('');
} // prettier-ignore

const minutesOf = (s: StudentReport): number => s.answers.reduce((sum, a) => sum + a.minutes, 0);
const sameHashes = (s: StudentReport): number => s.hashes.filter((h) => h.handed === h.trace).length;

/** The report as a single HTML page without scripts, links or external resources. All text from students and lessons is escaped. */
export function reportHtml(report: ClassReport): string {
  const { title, students } = report;
  return reportPage(
    t('{0}: results', inlineText(title)),
    `<header><p>${kindOf(report)}</p><h1>${inlineHtml(title)}</h1></header>
${summary(report)}
${remarks(students)}
<section><h2>${t('Students')}</h2>
${studentTable(report)}
<p class="legend">${legend()}</p></section>
<section><h2>${t('Questions')}</h2>
<p>${t('In the order of the lesson; figures in a question are those of the lesson as it is written.')}</p>
${questionTable(report)}</section>
${misconceptionTable(report)}
${changesTable(report)}
${closeTable(report)}
${hashTable(students)}
<section><h2>${t('Answers')}</h2>
${students.map((s) => studentDetails(s, report.most)).join('\n')}</section>
<footer>${t('Every right answer was computed anew from the lesson and the student’s seed.')} ${t('Hashes and checks tell accidents (damage, another variant, another edition), not forgery: a student holds the same engine.')}</footer>`,
  );
}

/** An exam or not, and when it was due: the time of a hand-in is that of the student's clock. */
function kindOf({ exam, due }: ClassReport): string {
  const kind = exam ? t('Results of a class in an exam') : t('Results of a class');
  return due === undefined ? kind : `${kind}; ${t('due {0}. The times of hand-ins are those of the students’ own clocks, which anybody can set.', escape(due))}`;
} // prettier-ignore

const row = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>`;
const th = (s: string, kind = ''): string => `<th scope="col"${kind && ` class="${kind}"`}>${escape(s)}</th>`;
const td = (s: string, kind = ''): string => `<td${kind && ` class="${kind}"`}>${escape(s)}</td>`;
/** A table that scrolls on its own, also by keyboard, when it is wider than the window. */
const table = (name: string, kind: string, head: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="${kind}"><thead>${row(head)}</thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;

export const signs: Readonly<Record<Graded['mark']['verdict'], string>> = {
  right: '✓', partial: '◐', wrong: '✗', unreadable: '?', unanswered: '–', collected: '✎',
}; // prettier-ignore

/** Marks a question whose answer the student was shown. */
const shownFirst = '*';

export function verdictWord(verdict: Graded['mark']['verdict']): string {
  switch (verdict) {
    case 'right':
      return t('right');
    case 'partial':
      return t('partial');
    case 'wrong':
      return t('wrong');
    case 'unreadable':
      return t('unreadable');
    case 'unanswered':
      return t('unanswered');
    case 'collected':
      return t('for a person to mark');
  }
}

const legend = (): string =>
  Object.entries(signs).map(([verdict, sign]) => `<span><span class="mark ${verdict}">${sign}</span> ${verdictWord(verdict as Graded['mark']['verdict'])}</span>`).concat(`<span>${shownFirst} ${t('the answer was shown')}</span>`).join(' '); // prettier-ignore

function summary({ students, most }: ClassReport): string {
  const handed = students.filter((s) => s.file !== undefined);
  const sorted = students.filter((s) => s.marked).map((s) => s.points).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const median = sorted.length % 2 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
  const traces = handed.flatMap((s) => s.hashes);
  const facts = [
    [String(new Set(students.map((s) => s.student)).size), t('students')],
    [String(handed.length), t('files handed in')],
    [sorted.length ? t('{0} of {1}', pointsText(median), most) : '–', t('points in the middle (median)')],
    [t('{0} of {1}', traces.filter((h) => h.handed === h.trace).length, traces.length), t('traces equal to ours')],
    [String(students.filter((s) => s.flags.length).length), t('with remarks')],
  ];
  return `<dl class="facts">${facts.map(([n = '', what = '']) => `<div><dt>${what}</dt><dd>${n}</dd></div>`).join('')}</dl>`;
} // prettier-ignore

/** Flagged students, listed first because they need attention. */
function remarks(students: readonly StudentReport[]): string {
  const flagged = students.filter((s) => s.flags.length);
  if (!flagged.length) return '';
  const lines = flagged.map((s) => {
    const file = s.file === undefined ? '' : `<small>${escape(s.file)}</small>`;
    return row([`<th scope="row">${escape(s.student)}</th>`, `<td>${s.flags.map((f) => `<div>${escape(f.message)}</div>`).join('')}${file}</td>`]); // prettier-ignore
  });
  const name = t('To look at');
  return `<section><h2>${name}</h2>\n${table(name, 'remarks', [th(t('student')), th(t('remark'))], lines)}</section>`;
}

function studentTable({ students, questions, most }: ClassReport): string {
  const head = [th(t('student')), th(t('of {0}', most), 'number'), th(t('min'), 'number'), ...questions.map((q) => th(q.question.id, 'narrow'))]; // prettier-ignore
  const rows = students.map((s) => row([
    `<th scope="row">${escape(s.student)}${s.flags.length ? ` <span class="flag" title="${t('see: to look at')}">⚑</span>` : ''}</th>`,
    td(s.marked ? pointsText(s.points) : '–', 'number'), td(s.marked ? pointsText(minutesOf(s)) : '', 'number'),
    ...s.answers.map((a) => `<td class="mark ${a.mark.verdict}" title="${escape(inlineText(a.mark.reason))}${a.revealed ? ` (${t('the answer was shown')})` : ''}">${signs[a.mark.verdict]}${a.revealed ? shownFirst : ''}</td>`),
  ]));
  // In print all columns must fit, so their number determines the font size.
  return `<div style="--columns:${questions.length}">${table(t('Students'), 'students', head, rows)}</div>`;
} // prettier-ignore

const worth = ({ points: each }: Question): string =>
  each === undefined ? '' : `<small>${each === 1 ? t('1 point') : t('{0} points', each)}</small>`;

/** The prompt is that of the lesson as it is written; students may have had another. */
const waysIn = ({ or }: Question): string => (or ? `<small>${t('asked in {0} ways', 1 + or.length)}</small>` : '');

function questionTable({ questions }: ClassReport): string {
  const head = [th(t('question')), th(t('right, partial, wrong, unanswered')), th(t('most common wrong answer'))];
  const line = ({ question, prompt, commonWrong, ...counts }: QuestionReport): string => {
    const parts = (['right', 'partial', 'wrong', 'unanswered', 'collected'] as const).map((name) => ({ name, count: counts[name] }));
    const bar = parts.map(({ name, count }) => (count ? `<span class="${name}" style="flex:${count}" title="${verdictWord(name)}">${signs[name]} ${count}</span>` : '')).join('');
    return row([
      `<th scope="row">${escape(question.id)}${worth(question)}<small>${inlineHtml(prompt)}</small>${waysIn(question)}</th>`,
      `<td><div class="bar">${bar}</div></td>`,
      `<td>${commonWrong ? `${inlineHtml(commonWrong.response)} (${commonWrong.times}×)` : counts.wrong > 1 ? t('no two alike') : ''}</td>`,
    ]);
  };
  return table(t('Questions'), 'questions', head, questions.map(line));
} // prettier-ignore

/** Mistakes that explain wrong answers: how many, which, in which questions, and who. */
function misconceptionTable({ misconceptions }: ClassReport): string {
  if (misconceptions.length === 0) return '';
  const rows = misconceptions.map(({ name, met }) => {
    const questions = [...new Set(met.map(({ question }) => question))];
    const who = questions.map((question) => {
      const students = met.filter((one) => one.question === question).map(({ student }) => student);
      return `<div>${escape(question)}: ${escape(students.join(', '))}</div>`;
    });
    return row([`<th scope="row">${escape(name)}</th>`, td(String(met.length), 'number'), `<td>${who.join('')}</td>`]);
  });
  const name = t('Misconceptions');
  return `<section><h2>${name}</h2>
<p>${t('Mistakes that give the very numbers of wrong answers. Where several give the same, none is counted.')}</p>
${table(name, 'misconceptions', [th(t('what was done')), th(t('answers'), 'number'), th(t('question: who'))], rows)}</section>`;
}

/** What a correction changed: answer by answer. */
function changesTable({ changes }: ClassReport): string {
  if (changes === undefined) return '';
  const rows = changes.map(({ student, question, before, after }) => {
    const now = after ? `${signs[after.verdict]} ${pointsText(after.earned)}` : t('taken out');
    return row([`<th scope="row">${escape(student)}</th>`, td(question), td(`${signs[before.verdict]} ${pointsText(before.earned)}`, 'number'), td(now, 'number')]); // prettier-ignore
  });
  const name = t('What the correction changed');
  const body = rows.length === 0 ? `<p>${t('Nothing: every answer is marked as before.')}</p>` : table(name, 'changes', [th(t('student')), th(t('question')), th(t('before'), 'number'), th(t('now'), 'number')], rows);
  return `<section><h2>${name}</h2><p>${t('Marked by a corrected lesson, on the numbers and in the order of statements that were handed out.')}</p>\n${body}</section>`;
} // prettier-ignore

/** Pairs of papers that agree in wrong answers: facts and a bound, and no cause. */
function closeTable({ close, students, questions }: ClassReport): string {
  const papers = students.filter(({ marked }) => marked).length;
  const notCompared = papers > mostCompared ? `<p>${t('{0} papers were not compared in pairs: at most {1} are.', papers, mostCompared)}</p>` : '';
  if (close.length === 0 && notCompared === '') return '';
  const rows = close.map(({ students: pair, questions: which, chance }) =>
    row([`<th scope="row">${escape(pair.join(', '))}</th>`, td(saysOfPair(which.map((q) => questions[q]?.question.id ?? ''), chance))])); // prettier-ignore
  const name = t('Papers that agree in what is wrong');
  const says = t('Working together, one source, one hint or one misunderstanding that this program does not know all look like this. It is a reason to ask, and no finding. Wrong answers that a known mistake explains are not counted.');
  return `<section><h2>${name}</h2>${notCompared}${close.length ? `<p>${says}</p>\n${table(name, 'close', [th(t('papers')), th(t('what agrees'))], rows)}` : ''}</section>`;
} // prettier-ignore

/** Hashes by student and block, shortened to eight digits. A hash that differs from ours stands out. */
function hashTable(students: readonly StudentReport[]): string {
  const handed = students.filter((s) => s.hashes.length);
  const blocks = [...new Set(handed.flatMap((s) => s.hashes.map((h) => h.block)))];
  if (!blocks.length) return '';
  const head = [th(t('student')), th(t('version')), ...blocks.map((b) => th(b))];
  const rows = handed.map((s) =>
    row([`<th scope="row">${escape(s.student)}</th>`, td(s.program ?? ''), ...blocks.map((b) => hashCell(s, b))]),
  );
  const equal = blocks.map((b) =>
    t('{0}: {1} of {2}', escape(b), handed.filter((s) => isSame(s, b)).length, handed.length),
  );
  const name = t('Traces');
  return `<section><h2>${name}</h2>
<p>${t('The first digits of each trace’s SHA-256. ✓: the student’s machine had the bytes that were computed here. Equal: {0}.', equal.join(', '))}</p>
${table(name, 'hashes', head, rows)}</section>`;
}

const hashOf = (s: StudentReport, block: string) => s.hashes.find((h) => h.block === block);
const isSame = (s: StudentReport, block: string): boolean => {
  const found = hashOf(s, block);
  return found !== undefined && found.handed === found.trace;
};

function hashCell(s: StudentReport, block: string): string {
  const found = hashOf(s, block);
  if (!found) return td('');
  const [here, there] = [found.trace.slice(0, 8), found.handed?.slice(0, 8)];
  if (found.handed === found.trace) return `<td class="same"><code>${here}</code> ✓</td>`;
  return `<td class="other">${there === undefined ? t('missing') : `<code>${there}</code>`} ≠ <code>${here}</code></td>`;
}

function studentDetails(s: StudentReport, most: number): string {
  if (!s.marked) return '';
  const rows = s.answers.map((a) =>
    row([
      `<th scope="row">${escape(a.question)}</th>`,
      `<td class="mark ${a.mark.verdict}">${signs[a.mark.verdict]}</td>`,
      td(a.said, a.mark.verdict === 'collected' ? 'written' : ''),
      `<td>${inlineHtml(a.mark.reason)}${a.mark.arithmetic.slice(0, 3).map((line) => `<small>${escape(line)}</small>`).join('')}</td>`,
      `<td class="number">${a.attempts || ''}${a.revealed ? `<small>${t('the answer was shown')}</small>` : ''}</td>`,
    ]),
  ); // prettier-ignore
  const head = [th(t('question')), th(''), th(t('answer')), th(t('what is right')), th(t('attempts'), 'number')];
  return `<details><summary>${escape(s.student)} <span>${t('{0} of {1}', pointsText(s.points), most)}</span></summary>
${table(t('Answers of {0}', escape(s.student)), 'answers', head, rows)}</details>`;
}
