/** A page for each student: what they answered, what it earned, and how the right answer is computed. Nothing of anybody else. */
import { t } from '../text';
import type { ClassReport, Graded, MarkChange, StudentReport } from './class-report';
import type { ClassFile } from './class-files';
import { escapeHtml as escape, inlineHtml, inlineText } from './inline';
import { pointsOf, type Question } from './question';
import { pointsText, reportPage } from './report-page';
import { signs, verdictWord } from './report';
import { foldersOf } from './students';

/** One HTML file for each student whose paper was marked, without scripts, links or anything to load. All text is escaped. */
export function feedbackPages(report: ClassReport): readonly ClassFile[] {
  const marked = report.students.filter(({ marked: isMarked }) => isMarked);
  const names = foldersOf([...new Set(marked.map(({ student }) => student))]);
  return marked.map((row, i): ClassFile => {
    const before = marked.slice(0, i).filter(({ student }) => student === row.student).length;
    const name = names.get(row.student) ?? String(i);
    return { path: `${name}${before === 0 ? '' : ` (${before + 1})`}.html`, text: pageOf(row, report) };
  });
}

/** Remarks that speak of this file alone: others name students or their files. */
const ownRemarks: ReadonlySet<string> = new Set(['late', 'no-time', 'not-exam', 'incomplete', 'changed', 'unreadable', 'unknown-question', 'answered-twice']); // prettier-ignore

function pageOf(row: StudentReport, report: ClassReport): string {
  const { title, most, questions } = report;
  const changes = (report.changes ?? []).filter(({ student }) => student === row.student);
  const own = row.flags.filter(({ code }) => ownRemarks.has(code));
  const items = row.answers.map((answer, i) => itemOf(answer, i, questions.find((q) => q.question.id === answer.question)?.question));
  return reportPage(`${row.student}: ${inlineText(title)}`, `<header><p>${escape(row.student)}</p><h1>${inlineHtml(title)}</h1></header>
<p class="total">${t('{0} of {1} points', pointsText(row.points), pointsText(most))}</p>
${own.length ? `<ul>${own.map(({ message }) => `<li>${escape(message)}</li>`).join('')}</ul>` : ''}
${changedNote(changes)}
${items.join('\n')}
<footer>${t('Computed anew from the numbers that you had.')}</footer>`, 'feedback');
} // prettier-ignore

function itemOf({ question: id, prompt, said, earned, mark }: Graded, i: number, question: Question | undefined): string {
  const worth = question ? pointsOf(question) : 0;
  const points = worth > 0 ? `, ${t('{0} of {1} points', pointsText(earned), pointsText(worth))}` : '';
  const lines = mark.arithmetic.slice(0, 6).map((line) => `<li>${escape(line)}</li>`).join('');
  const explanation = mark.verdict === 'collected' ? '' : `<p>${inlineHtml(mark.reason)}</p>${lines ? `<ul class="steps">${lines}</ul>` : ''}`;
  return `<section><h2>${t('Question {0}', i + 1)} <small>${escape(id)}</small></h2>
<p>${inlineHtml(prompt)}</p>
<p><span class="mark ${mark.verdict}">${signs[mark.verdict]}</span> ${verdictWord(mark.verdict)}${points}</p>
${said === '' ? '' : `<p>${t('Your answer')}: <span class="written">${escape(said)}</span></p>`}
${explanation}</section>`;
} // prettier-ignore

function changedNote(changes: readonly MarkChange[]): string {
  if (changes.length === 0) return '';
  const lines = changes.map(({ question, before, after }) =>
    after
      ? t('{0}: {1} points before, {2} now', question, pointsText(before.earned), pointsText(after.earned))
      : t('{0}: taken out, {1} points before', question, pointsText(before.earned)),
  );
  return `<p>${t('The lesson was corrected, and marked again:')}</p><ul>${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>`;
}
